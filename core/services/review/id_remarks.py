"""What the vocabularies say against ids that are looked at, as the export will."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from core.desk_parts import HasProjectTerms
from core.errors import Refused
from core.model import Problem, RecordGround, Statement, Term
from core.services.review.authority import ProjectIds
from core.store import StatementRecord

MISNAMED = "label-differs"


class IdRemarks:
    """Looks ids up in what is installed and ready: a vocabulary that is still being prepared says
    nothing yet.
    """

    def __init__(self, desk: HasProjectTerms, records: Iterable[StatementRecord]):
        grounds: Mapping[str, list[RecordGround]] = {
            record.id: [p.ground for p in record.evidence if isinstance(p.ground, RecordGround)]
            for record in records
        }
        self._ids = ProjectIds(desk, grounds)

    def problems(self, statement: Statement) -> Iterator[Problem]:
        """What is wrong with the ids of a statement."""
        for term in dict.fromkeys(_terms(statement)):
            if term.id:
                yield from self._ids.problems(term, statement)

    def need_own_names(self, statement: Statement) -> None:
        """Raises Refused where an id means something else than its label says."""
        for problem in self.problems(statement):
            if problem.code == MISNAMED:
                raise Refused(problem.message, "Open it and decide it on its own.")


def _terms(statement: Statement) -> Iterator[Term]:
    values = [qualifier.value for qualifier in statement.qualifiers]
    parts_named = (statement.subject, statement.predicate, statement.object, *values)
    yield from (named for named in parts_named if isinstance(named, Term))
