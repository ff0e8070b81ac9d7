"""What stands in a question and helps to choose its kind, whatever it is about: words for places
and species, ids, and the words that registered kinds bring.
"""

from __future__ import annotations

import re

from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.registry import KINDS
from core.text.phrases import phrases

RS_NUMBER = re.compile(r"\brs\s?(\d{1,12})\b", re.I)
# the first form that UniProt publishes for its accessions; P2RY12 and O3FAR1 are genes
UNIPROT_ACCESSION = r"(?!P2RY|O3FAR)[OPQ]\d[A-Z0-9]{3}\d"
ENSEMBL_ID = re.compile(r"\bENS[A-Z]{0,4}G\d{11}(?:\.\d+)?\b", re.I)
# a gene by a number: `NCBIGene:7157`, `gene id 7157`, `Entrez gene 7157`, `MIM number 191170`
_GENE_NUMBER = phrases(
    {
        r"(?:(?:(?:ncbi|entrez) ?)?gene(?: ?(?:ids?|numbers?|identifiers?))?|entrez(?: ids?)?)"
        r"(?: is)?[ :#]+(?P<gene>\d{1,9})\b(?!\.\d)": "NCBIGene:7157",
        r"O?MIM(?: (?:ids?|numbers?|entry|entries))?(?: is)?[ :#*+]+(?P<mim>\d{6})\b": (
            "MIM number 191170"
        ),
    },
    after="",
)
PLACE = (
    r"chromosom\w*|\bchrom\b|\bchr(?:s|\d{1,2}|[XY])?\b|locat\w*|locali[sz]\w*|locus|loci|position\w*|where\w*|co-?ord(?:inate)?s?|cytogenetic|bands?"
    r"|cyto-?bands?|regions?|map(?:s|ped)?\b"
)
SPECIES = {
    "mouse": r"mouse|mice|mus musculus|m\. ?musculus|murine",
    "rat": r"rats?|rattus norvegicus|r\. ?norvegicus",
    "zebrafish": r"zebrafish|danio rerio|d\. ?rerio",
    "chicken": r"chicken|gallus gallus|g\. ?gallus",
    "worm": r"c\. ?elegans|caenorhabditis elegans|worms?|nematodes?",
    "yeast": r"yeast|(?:saccharomyces|s\.) ?cerevisiae",
    "fly": r"(?:fruit ?)?fl(?:y|ies)|drosophila(?: melanogaster)?|d\. ?melanogaster",
}
ENSEMBL_SPECIES = {"": "human", "MUS": "mouse", "RNO": "rat", "DAR": "zebrafish", "GAL": "chicken"}


def chosen_by_words(words: str, topic: Topic) -> GeneKind | None:
    """The first registered kind on this topic whose words stand in the question."""
    return next(
        (
            kind
            for kind in KINDS.values()
            if kind.topic is topic and kind.words and re.search(kind.words, words, re.I)
        ),
        None,
    )


def species_named_in(words: str) -> str:
    """The species that is named, as TAXA has it; human where none is."""
    return next(
        (
            name
            for name, pattern in SPECIES.items()
            if re.search(rf"\b(?:{pattern})\b", words, re.I)
        ),
        "human",
    )


def gene_number_in(words: str) -> str:
    """A gene named by its number, as `NCBIGene:7157` or `MIM:191170`; nothing where none is."""
    match = _GENE_NUMBER.search(words)
    if match is None:
        return ""
    return f"NCBIGene:{match['gene']}" if match["gene"] else f"MIM:{match['mim']}"


def without_gene_number(words: str) -> str:
    """The words around the number of a gene: what is asked about it."""
    return _GENE_NUMBER.sub(" ", words)
