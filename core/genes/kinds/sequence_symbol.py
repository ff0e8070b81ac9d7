"""The gene that a DNA sequence belongs to, by its official symbol alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.genes.answer import AnswerValue, GeneAnswer
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.sequence import HBB
from core.genes.kinds.sequence_gene import aliases_of_gene
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import sequence_aliases


def gene_of_sequence(session: NcbiSession) -> GeneAnswer:
    answer = aliases_of_gene(session)
    symbols = tuple(value for value in answer.values if _is_symbol(value))
    return replace(answer, text=symbols[0].value if symbols else "", values=symbols)


def symbol_rule(session: NcbiSession) -> Iterator[AnswerValue]:
    return filter(_is_symbol, sequence_aliases(session))


def _is_symbol(value: AnswerValue) -> bool:
    return value.value == value.subject.label


KIND = GeneKind(
    "gene of a sequence",
    Topic.SEQUENCE,
    f"Which gene does this sequence belong to: {HBB}",
    plan=gene_of_sequence,
    claim="AliasClaim",
    needs=("blast",),
    rule=symbol_rule,
)
