"""A question as it was understood: its kind and what it asks about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MAX_QUESTION = 25_000  # characters


class QuestionKind(StrEnum):
    """The nine kinds of GeneTuring, the three of GeneHop (GeneGPT, Table 1), a question to a web
    API, and what is none of them.
    """

    ALIAS = "gene alias"
    CONVERSION = "gene name conversion"
    SNP_GENE = "gene of a SNP"
    GENE_LOCATION = "gene location"
    SNP_LOCATION = "SNP location"
    DISEASE_GENES = "genes of a disease"
    CODING = "protein-coding"
    HUMAN_ALIGNMENT = "DNA to human genome"
    SPECIES_ALIGNMENT = "DNA to species"
    SNP_FUNCTION = "function of a SNP's gene"
    DISEASE_LOCATIONS = "locations of a disease's genes"
    SEQUENCE_ALIASES = "aliases of a sequence's gene"
    API = "web API"
    UNKNOWN = "not understood"


@dataclass(frozen=True, slots=True)
class GeneQuestion:
    """`subject` is the symbol, rs number, Ensembl id, accession, organism, disease name or
    sequence; `why` says what was not understood. `other_species` is the one whose ortholog is
    wanted; `limit` a part of the question that no record can honour (`in the liver`); `claim` what
    a yes-or-no question says of the subject: a disease, another name, a gene.
    """

    text: str
    kind: str
    subject: str = ""
    species: str = "human"
    why: str = ""
    more: tuple[str, ...] = ()  # further names of the same question: each is answered
    other_species: str = ""
    limit: str = ""
    claim: str = ""
