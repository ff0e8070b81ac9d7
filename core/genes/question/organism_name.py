"""The organism that a question on NCBI's taxonomy names."""

from __future__ import annotations

import re

# "taxid 9606", "NCBITaxon:9606"
_NUMBER = re.compile(
    r"\b(?:taxid|tax(?:on(?:omy)?)?[ -]?id|taxon)\D{0,12}?(\d{1,8})\b|\bNCBITaxon:(\d{1,8})\b", re.I
)
_AFTER = (
    r"\btax\w*(?:\s+id)?\s*:\s*(?P<name>[^,:;?]+)$",
    r"\b(?:of|for|belongs? to|called|named)\s+(?:the\s+|an?\s+)?(?P<name>[^,:;?]+)$",
    r"\b(?:does|do|is|are)\s{1,5}(?:the\s{1,5})?(?P<name>[^,:;?]+?)\s{1,5}(?:have|belongs?|classified|placed|in)\b",
    r"^(?:(?:ncbi|the)\s+)*(?:tax(?:on)?[ -]?ids?|taxonomy(?:\s+ids?)?|lineage)"
    r"\s+(?P<name>[^,:;?]+)$",
    r"^(?:what|which)\b[^?]*?\b(?:is|has)\s+(?:the\s+)?(?P<name>[^,:;?]+)$",
    r"^(?:the\s{1,5})?(?P<name>[^,:;?]+?)(?:'s|’s)?\s{0,5}[:,–-]?\s{1,5}(?:ncbi\s{1,5})?(?:tax\w*|scientific|common|latin|lineage)\b",
)
# What follows the name: "… in NCBI Taxonomy", "… belongs to"
_TAIL = re.compile(
    r"\s+(?:in|from|at|according to)\s+(?:the\s+)?(?:ncbi\b.*|tax\w*\b.*)$|\s+belongs?\b.*$"
    r"|\s+(?:organism|species)$",
    re.I,
)
# Words of the question that are no part of an organism's name
_NO_NAME = re.compile(
    r"\b(?:tax\w*|rank|lineage|famil\w+|orthologs?|names?|genes?|id|ncbi|number|which|what|organism|species)\b",
    re.I,
)


def organism_of(bare: str) -> str:
    """`zebrafish` of `the taxonomy ID of zebrafish`, `9606` of `taxid 9606`; nothing where no name
    is found.
    """
    if match := _NUMBER.search(bare):
        return match[1] or match[2]
    for pattern in _AFTER:
        if match := re.search(pattern, bare, re.I):
            name = _TAIL.sub("", match["name"].strip(" \"'“”.")).strip()
            if 2 < len(name) <= 80 and len(name.split()) <= 6 and not _NO_NAME.search(name):
                return name
    return ""
