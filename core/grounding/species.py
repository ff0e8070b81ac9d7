"""The organism that a text speaks of where it names a gene: the nearest one, the same sentence first."""

from __future__ import annotations

import re

from core.model import Span
from core.text.sentence import sentence_at

_NAMES = """
    9606: human humans patient patients man woman men women child children volunteer volunteers homo_sapiens
    10090: mouse mice murine mus_musculus
    10116: rat rats rattus_norvegicus
    7955: zebrafish danio_rerio
    7227: drosophila fruit_fly fruit_flies drosophila_melanogaster
    6239: c._elegans caenorhabditis_elegans nematode nematodes worm worms
    559292: yeast saccharomyces_cerevisiae s._cerevisiae budding_yeast
    4896: schizosaccharomyces_pombe s._pombe fission_yeast
    9031: chicken chickens chick chicks gallus_gallus
    9823: pig pigs porcine sus_scrofa
    9913: cow cows bovine cattle bos_taurus
    9615: dog dogs canine
    9986: rabbit rabbits
    8355: xenopus xenopus_laevis frog frogs
    3702: arabidopsis arabidopsis_thaliana
    511145: e._coli escherichia_coli
    9544: macaque macaques rhesus macaca_mulatta
"""
TAXA = {
    name.replace("_", " "): f"NCBITaxon:{number}"
    for number, _, names in (line.strip().partition(": ") for line in _NAMES.strip().splitlines())
    for name in names.split()
}
_NAME = re.compile(
    r"(?<![^\W_])(" + "|".join(re.escape(name) for name in sorted(TAXA, key=len, reverse=True)) + r")(?![^\W_])",
    re.IGNORECASE,
)


def nearest(text: str, span: Span) -> str:
    """The NCBITaxon CURIE of the organism named nearest to `span`, in its sentence if there is one; else empty."""
    sentence = sentence_at(text, span)
    found = [(_distance(span, *m.span()), TAXA[m[0].casefold()], m.start()) for m in _NAME.finditer(text)]
    inside = [one for one in found if sentence.start <= one[2] < sentence.end]
    best = min(inside or found, default=None)
    return best[1] if best else ""


def _distance(span: Span, start: int, end: int) -> int:
    return max(span.start - end, start - span.end, 0)
