"""The species that gene questions know, by their common names."""

from __future__ import annotations

HUMAN = "9606"
TAXA = {
    "human": HUMAN,
    "mouse": "10090",
    "rat": "10116",
    "zebrafish": "7955",
    "chicken": "9031",
    "worm": "6239",
    "yeast": "559292",
    "fly": "7227",
}
SCIENTIFIC_NAMES = {
    "human": "Homo sapiens",
    "mouse": "Mus musculus",
    "rat": "Rattus norvegicus",
    "zebrafish": "Danio rerio",
    "chicken": "Gallus gallus",
    "worm": "Caenorhabditis elegans",
    "yeast": "Saccharomyces cerevisiae",
    "fly": "Drosophila melanogaster",
}


def species_search_term(species: str) -> str:
    """What a search calls a species: NCBI knows no worm, yeast or fly by that one word."""
    return SCIENTIFIC_NAMES[species] if species in ("worm", "yeast", "fly") else species
