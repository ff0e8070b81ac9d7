"""Names of sequence variants, which no list holds: recognised by how they are written.

HGVS on DNA, RNA and protein (`c.1358T>C`, `p.Val37Ile`, `g.3352delG`), rs numbers, protein changes
in one or three letters (`V600E`, `Val158Met`, `R34X`), and older ways of writing (`F508del`,
`-511C/T`, `C677T`, `1494del6`, `IVS51+1G>A`). Of the variants annotated in BioRED's developer half
68 % are found with exactly their words, and 98 % of what is found is one; what a sentence describes
("deletion of 6 bp") is not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.model import Span

_ONE = "ACDEFGHIKLMNPQRSTVWY"
_THREE = (
    "(?:Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val|Ter|Stop)"
)
_BASES = "[ACGTU]"
_TO = r"\s?(?:>|-+>|→|/)\s?"  # "T>C", "T-->C", "C/T"
_AT = r"[-+*]?\d+(?:[-+]\d+)?(?:_[-+*]?\d+(?:[-+]\d+)?)?"  # "640_667", "463-6", "-511"
_CHANGE = (
    rf"(?:{_BASES}+{_TO}{_BASES}+|(?:delins|dup|del|ins|inv)(?:[ACGTU]+|\d+)?(?:ins[ACGTU]+)?|=)"
)
_FORMS = {
    "rs": r"rs\d{2,11}",
    "hgvs_dna": rf"[cgmnr]\.\s?\(?(?:{_AT}\s?{_CHANGE}|{_BASES}\d+{_BASES})\)?",
    "hgvs_protein": (
        rf"p\.\s?[(\[]?(?:{_THREE}|[{_ONE}])\d+(?:_(?:{_THREE}|[{_ONE}])\d+)?"
        rf"(?:{_THREE}|[{_ONE}X*=]|del|dup|ins[A-Za-z]+|stop)?(?:fs(?:[X*]?\d*|Ter\d+)?)?[)\]]?"
    ),
    "three": rf"{_THREE}-?\s?\d{{1,5}}\s?-?(?:{_THREE}|[X*]|del|fs)",
    "bases": rf"(?:IVS\d+\s?[-+]\s?\d+|[-+]?\d{{1,6}})\s?{_BASES}{_TO}{_BASES}",
    "at": rf"(?:{_AT})\s?(?:del|ins|dup)(?:[ACGTU]+|\d+)",
    "letters": rf"[{_ONE}]\d{{1,5}}(?:[{_ONE}X*]|del|fs)",
    "minus": rf"{_BASES}-\d{{2,5}}{_BASES}",
    "legacy": rf"(?:del|dup|ins)\d+(?:bp|{_BASES}+)|(?:Delta|Δ)[A-Z]?\d{{2,4}}",
}
_NAME = re.compile(
    r"(?<![\w.])(?:"
    + "|".join("(?P<" + name + ">" + form + ")" for name, form in _FORMS.items())
    + r")(?!\w)"
)
_OF_VARIANTS = re.compile(
    r"mutat|variant|polymorphi|\bSNPs?\b|allel|genotyp|substitut|missense|nonsense|codon|exon"
    r"|carrier|heterozyg|homozyg|haplotyp",
    re.IGNORECASE,
)
_SHORT = ("letters", "minus", "bases")  # other things are written so, too
_SHORTEST = re.compile(r"[A-Z]\d[A-Z*]")  # "E6V", but also "H1N", "C3H"
_GENE_BEFORE = re.compile(r"\b[A-Z][A-Z0-9]{1,6}[ -]$")  # "EGFR T790M", "JAK2-V617F"


@dataclass(frozen=True, slots=True)
class WrittenVariant:
    """A variant's name in a text; `form` is how it is written: rs, hgvs_dna, hgvs_protein …"""

    span: Span
    form: str


def written_variants(text: str) -> Iterator[WrittenVariant]:
    """Every variant that a text names, in order. Short forms that other things have too ("C57L")
    are taken for one only in a text that speaks of variants, or behind what looks like a gene's
    symbol.

    >>> text = "Two mutations, V600E and c.1799T>A, and the SNP rs7412"
    >>> [(variant.span.quote(text), variant.form) for variant in written_variants(text)]
    [('V600E', 'letters'), ('c.1799T>A', 'hgvs_dna'), ('rs7412', 'rs')]
    """
    of_variants: bool | None = None
    for match in _NAME.finditer(text):
        form = match.lastgroup or ""
        if form in _SHORT and not _says_itself(text, match):
            if of_variants is None:
                of_variants = _OF_VARIANTS.search(text) is not None
            if not of_variants or _SHORTEST.fullmatch(match[0]):
                continue
        yield WrittenVariant(_bare(match), form)


def _says_itself(text: str, match: re.Match[str]) -> bool:
    """`F508del`, `EGFR T790M`"""
    if match[0].endswith(("del", "fs")):
        return True
    before = text[max(match.start() - 9, 0) : match.start()]
    if before.endswith("-") and _SHORTEST.fullmatch(match[0]):  # the cell line SNU-C2A
        return False
    return match.lastgroup == "letters" and _GENE_BEFORE.search(before) is not None


def _bare(match: re.Match[str]) -> Span:
    """The place without a bracket that opens outside the name."""
    words, end = match[0], match.end()
    if words[-1] in ")]" and sum(map(words.count, ")]")) > sum(map(words.count, "([")):
        end -= 1
    return Span(match.start(), end)
