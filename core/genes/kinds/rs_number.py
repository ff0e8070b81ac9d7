"""The rs numbers that ClinVar's records of a change of a gene point to."""

from __future__ import annotations

from collections.abc import Iterator

from core.genes.answer import AnswerValue, GeneAnswer, StatementEnd
from core.genes.kinds.clinvar_records import ClinvarRecord, changes_at_hand, read_of_change
from core.genes.kinds.gene_record import answer_with_values
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.session import NcbiSession


def values_of(tied: ClinvarRecord) -> list[AnswerValue]:
    """A value a cross-reference to dbSNP."""
    record = tied.record
    variation = StatementEnd(str(record.get("title") or record.id), record.id)
    return [
        AnswerValue(
            f"rs{link['id']}",
            record.id,
            link["pointer"],
            raw=link["id"],
            call=tied.call,
            subject=variation,
            object=StatementEnd(f"rs{link['id']}", f"DBSNP:rs{link['id']}"),
            ties=tied.ties,
        )
        for link in record.get("dbsnp", [])
    ]


def plan(session: NcbiSession) -> GeneAnswer:
    values = [value for tied in read_of_change(session) for value in values_of(tied)]
    nothing = f"No ClinVar record that names {session.question.subject} has an rs number."
    return answer_with_values(session, values, nothing)


def rule(session: NcbiSession) -> Iterator[AnswerValue]:
    for tied in changes_at_hand(session):
        yield from values_of(tied)


KIND = GeneKind(
    "rs number of a change",
    Topic.CHANGE,
    "What is the rs number of BRAF V600E?",
    plan=plan,
    claim="",
    needs=("clinvar",),
    rule=rule,
    words=r"\brs ?(?:ids?|numbers?)\b|\brsids?\b|\bdbSNP\b|\b(?:which|what) (?:rs|SNP)\b|\brs$",
    listed=True,
)
