"""On which strand of its chromosome a gene lies."""

from __future__ import annotations

from core.genes.answer import AnswerValue, RecordProof, StatementEnd
from core.genes.kinds.gene_record import from_summary, rule_of
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.resolution import gene_thing
from core.ncbi.record import NcbiRecord


def read(record: NcbiRecord, call: str) -> list[AnswerValue]:
    """The strand, from start and stop: NCBI gives start > stop on the minus strand."""
    values = []
    for place in record.get("places", []):
        strand = "minus (-)" if place["location"].endswith("(-)") else "plus (+)"
        start, stop = (
            RecordProof(call, record.id, f"{place['pointer']}/{name}", place[name])
            for name in ("chrstart", "chrstop")
        )
        values.append(
            AnswerValue(
                strand,
                record.id,
                start.field,
                raw=start.raw,
                call=call,
                subject=gene_thing(record),
                object=StatementEnd(strand),
                ties=(stop,),
            )
        )
    return values


KIND = GeneKind(
    "strand of a gene",
    Topic.GENE,
    "Which strand is BRCA1 on?",
    plan=from_summary(read, "strand"),
    claim="StrandClaim",
    needs=("gene",),
    rule=rule_of(read),
    words=(
        r"\b(?:strand\w*|orientation|antisense or sense|forward or reverse|plus or minus"
        r"|(?:forward|reverse|plus|minus) strand)\b"
    ),
)
