"""Every statement names a thing by its preferred id: one bulk decision, which keeps approvals and
lineage and can be undone.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.desk_parts import HasProjectTerms
from core.errors import GroundworkError
from core.model import Curator, Problem, State, Term
from core.model.decision import UPDATED
from core.services.people import roles
from core.services.review import decision
from core.services.review.consequences import Replacement, with_terms
from core.services.vocabularies.changes import terms_of
from core.services.vocabularies.same_things import SameThing, same_things


def resolve_same(
    desk: HasProjectTerms, curator: Curator, things: Sequence[SameThing] | None = None
) -> Replacement:
    """Let every statement name the preferred id of these things (of all): one batch, which one
    undo takes back. The old statement is superseded, the new one derived from it with the same
    evidence, and approved where the old one was. Raises Forbidden for a reader.
    """
    roles.require_role(desk, curator.orcid)
    things = same_things(desk) if things is None else things
    instead = {term.id: thing.preferred for thing in things for term in thing.others}
    ids = dict.fromkeys(id for thing in things for id in thing.statements)
    batch, done, problems = desk.new_id(), [], []
    for id in ids:
        try:
            done.append(_resolved(desk, id, instead, curator=curator, batch=batch))
        except GroundworkError as error:
            problems.append(Problem("not-replaced", str(error), where=id))
    return Replacement(tuple(done), batch, tuple(problems))


def _resolved(  # noqa: PLR0917
    desk: HasProjectTerms, id: str, instead: dict[str, Term], curator: Curator, batch: str
) -> str:
    record = desk.store.statements.get(id)
    corrected = with_terms(record.statement, instead)
    pairs = ", ".join(
        f"{term.id} by {instead[term.id].id}"
        for term in terms_of(record.statement)
        if term.id in instead
    )
    result = decision.correct(
        desk,
        id,
        record.version,
        corrected,
        curator=curator,
        approve=record.state is State.APPROVED,
        note=f"{UPDATED}favour of one id for one thing: {pairs}.",
        batch=batch,
    )
    return result.record.id
