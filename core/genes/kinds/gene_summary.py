"""What a gene does, in the words of NCBI's summary."""

from __future__ import annotations

import re

from core.genes.answer import AnswerValue, StatementEnd
from core.genes.kinds.gene_record import field_value, from_summary, rule_of
from core.genes.kinds.kind import GeneKind, Topic
from core.ncbi.record import NcbiRecord


def read(record: NcbiRecord, call: str) -> list[AnswerValue]:
    text = re.sub(r"\s*\[(?:provided|supplied) by [^\]]*\]\.?\s*$", "", str(record.get("summary")))
    return [field_value(record, call, "summary", text, target=StatementEnd(text))] if text else []


def read_name(record: NcbiRecord, call: str) -> list[AnswerValue]:
    name = str(record.get("name"))
    return [field_value(record, call, "name", name, target=StatementEnd(name))] if name else []


KIND = GeneKind(
    "function of a gene",
    Topic.GENE,
    "What does the gene TP53 do?",
    plan=from_summary(read, "summary"),
    claim="FunctionClaim",
    needs=("gene",),
    rule=rule_of(read),
    words=(
        r"\bwhat (?:does|do|is) (?:the )?(?:human )?(?:gene )?\S+ (?:gene )?(?:do|does|for)\b"
        r"|\b(?:functions?|roles?) of (?:the )?(?:human |mouse )?(?:gene )?(?!the gene)\S+"
        r"|\b(?:summar\w+|describe|description of|tell me about|what(?:['’]s| is) known about)\b"
        r"|\bfunctions?\W*$|\bprotein (?:made|encoded|produced) by \S+ (?:is for|does)\W*$"
    ),
    whole_text=True,
)
NAME = GeneKind(
    "full name of a gene",
    Topic.GENE,
    "What is the full name of TP53?",
    plan=from_summary(read_name, "full name"),
    claim="AliasClaim",
    needs=("gene",),
    rule=rule_of(read_name),
    words=(
        r"\b(?:full|long|complete|whole) (?:gene )?name\b|\bstands? for\s*$|\bdoes \S+ stand"
        r" for\b|\bspell(?:ed)? out\b"
    ),
    whole_text=True,
)
