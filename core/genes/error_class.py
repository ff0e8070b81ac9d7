"""How an answer went wrong, as GeneGPT classes it (§3.4): E1 wrong API, E2 wrong arguments, E3 answer not extracted,
E4 not answerable from the records, O other. What the trace does not tell is for a person to say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from core.genes.answer import Answer, Status
from core.genes.question import Kind


class ErrorClass(StrEnum):
    API = "E1"
    ARGUMENTS = "E2"
    EXTRACTION = "E3"
    UNANSWERABLE = "E4"
    OTHER = "O"


SAID = {
    ErrorClass.API: "the wrong tool or database was asked",
    ErrorClass.ARGUMENTS: "the right tool was asked with wrong arguments",
    ErrorClass.EXTRACTION: "the answer was in a record and was not taken from it",
    ErrorClass.UNANSWERABLE: "no record that was reached holds the answer",
    ErrorClass.OTHER: "something else, such as a service that failed",
}
NEEDED: dict[Kind, tuple[str, ...]] = {
    Kind.ALIAS: ("gene",), Kind.CONVERSION: ("gene",), Kind.GENE_LOCATION: ("gene",), Kind.CODING: ("gene",),
    Kind.SNP_GENE: ("snp",), Kind.SNP_LOCATION: ("snp",), Kind.SNP_FUNCTION: ("snp", "gene"),
    Kind.DISEASE_GENES: ("omim", "gene"), Kind.DISEASE_LOCATIONS: ("omim", "gene"),
    Kind.HUMAN_ALIGNMENT: ("blast",), Kind.SPECIES_ALIGNMENT: ("blast",), Kind.SEQUENCE_ALIASES: ("blast",),
}  # fmt: skip


def classify(answer: Answer, gold: Sequence[str]) -> ErrorClass:
    """The class of a wrong answer, as far as the trace tells. `gold` is what should have been answered."""
    if answer.status is Status.FAILED or any(
        step.status == "failed" and "report" not in step.path for step in answer.steps[:1]
    ):
        return ErrorClass.OTHER
    if any(holds(answer, value) for value in gold):
        return ErrorClass.EXTRACTION
    asked = {
        str(step.arguments.get("db") or ("blast" if step.tool.startswith("blast") else "")) for step in answer.steps
    }
    if answer.kind in NEEDED and not asked & set(NEEDED[answer.kind]):
        return ErrorClass.API
    if any(step.status == "refused" for step in answer.steps):
        return ErrorClass.ARGUMENTS
    return ErrorClass.UNANSWERABLE


def holds(answer: Answer, value: str) -> bool:
    """Whether a record of the trace holds `value` as a word."""
    wanted = re.compile(rf"(?<![\w-]){re.escape(value.removeprefix('chr'))}(?![\w-])")
    return any(
        wanted.search(record.text(name)) for step in answer.steps for record in step.records for name in record.values
    )
