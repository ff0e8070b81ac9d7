"""The cytogenetic band of a gene."""

from __future__ import annotations

from core.genes.answer import AnswerValue, StatementEnd
from core.genes.kinds.gene_record import field_value, from_summary, rule_of
from core.genes.kinds.kind import GeneKind, Topic
from core.ncbi.record import NcbiRecord


def read(record: NcbiRecord, call: str) -> list[AnswerValue]:
    band = str(record.get("band"))
    return [field_value(record, call, "band", band, target=StatementEnd(band))] if band else []


KIND = GeneKind(
    "band of a gene",
    Topic.GENE,
    "What is the cytogenetic band of KRT12?",
    plan=from_summary(read, "band"),
    claim="GenePlaceClaim",
    needs=("gene",),
    rule=rule_of(read),
    words=(
        r"\bcytogenetic\w*\b|\bcyto-?bands?\b|\bthe band\b|^\S+ bands?\b|\bbands? (?:of|for)\b"
        r"|\b(?:chromosom\w+|which|what|karyotypic) bands?\b"
        r"|\bkaryotypic (?:location|position|place)\b"
    ),
)
