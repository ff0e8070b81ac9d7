"""How many exons a gene has."""

from __future__ import annotations

from core.genes.answer import AnswerValue, StatementEnd
from core.genes.kinds.gene_record import from_summary, rule_of
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.resolution import gene_thing
from core.ncbi.record import NcbiRecord


def read(record: NcbiRecord, call: str) -> list[AnswerValue]:
    """The exon count of NCBI's annotation, over all transcripts."""
    return [
        AnswerValue(
            place["exoncount"],
            record.id,
            f"{place['pointer']}/exoncount",
            raw=place["exoncount"],
            call=call,
            subject=gene_thing(record),
            object=StatementEnd(place["exoncount"]),
        )
        for place in record.get("places", [])[:1]
        if place.get("exoncount")
    ]


KIND = GeneKind(
    "exons of a gene",
    Topic.GENE,
    "How many exons does TP53 have?",
    plan=from_summary(read, "number of exons"),
    claim="ExonCountClaim",
    needs=("gene",),
    rule=rule_of(read),
    words=(
        r"\b(?:how many|number of|count (?:the|of)|no\. of) (?:the )?(?:coding )?exons?\b"
        r"|\bexons? (?:counts?|number)\b"
    ),
)
