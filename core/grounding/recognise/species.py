"""The organism that a text speaks of where it names a gene: the nearest one, the same sentence
first.

Organisms are met by the common names below, and by the names of the vocabulary of organisms (see
`annotate.organisms`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate

from core.errors import InputError
from core.grounding.readers.record import identifier
from core.model import Span
from core.text.sentence import sentence_at

PREFIX = "NCBITaxon"
Place = tuple[Span, str]  # where an organism is named, and its NCBITaxon CURIE

# The scientific name is the one in capitals.
_NAMES = """
    9606: human humans patient patients man woman men women child children volunteer \
volunteers Homo_sapiens
    10090: mouse mice murine Mus_musculus
    10116: rat rats Rattus_norvegicus
    7955: zebrafish Danio_rerio
    7227: drosophila fruit_fly fruit_flies Drosophila_melanogaster
    6239: c._elegans nematode nematodes worm worms Caenorhabditis_elegans
    559292: yeast s._cerevisiae budding_yeast Saccharomyces_cerevisiae
    4896: s._pombe fission_yeast Schizosaccharomyces_pombe
    9031: chicken chickens chick chicks Gallus_gallus
    9823: pig pigs porcine Sus_scrofa
    9913: cow cows bovine cattle Bos_taurus
    9615: dog dogs canine Canis_lupus_familiaris
    9986: rabbit rabbits Oryctolagus_cuniculus
    8355: xenopus frog frogs Xenopus_laevis
    3702: arabidopsis Arabidopsis_thaliana
    511145: e._coli Escherichia_coli
    9544: macaque macaques rhesus Macaca_mulatta
"""
_ROWS = tuple(
    (number, names.split())
    for number, _, names in (row.strip().partition(": ") for row in _NAMES.strip().splitlines())
)
TAXA = {
    name.replace("_", " ").casefold(): f"{PREFIX}:{number}"
    for number, names in _ROWS
    for name in names
}
LABELS = {f"{PREFIX}:{number}": names[-1].replace("_", " ") for number, names in _ROWS if names}
# A species' name as a word of its own, the longest first: "fruit fly" before "fly"
_NAME = re.compile(
    r"(?<![^\W_])("
    + "|".join(re.escape(name) for name in sorted(TAXA, key=len, reverse=True))
    + r")(?![^\W_])",
    re.IGNORECASE,
)


def named_species(text: str) -> tuple[Place, ...]:
    """Where `text` names an organism by a common name, in order."""
    return tuple((Span(*match.span()), TAXA[match[0].casefold()]) for match in _NAME.finditer(text))


class OrganismsInText:
    """The organisms that a text names, found by where they stand."""

    def __init__(self, places: Iterable[Place]):
        self.places = tuple(sorted(places, key=lambda place: (place[0].start, place[1])))
        self._starts = [span.start for span, _ in self.places]
        # of the organisms up to each, the one that ends last
        ends = ((-span.end, taxon, span.start) for span, taxon in self.places)
        self._last = list(accumulate(ends, min))

    def nearest(self, text: str, span: Span) -> str:
        """The NCBITaxon CURIE of the organism named nearest to `span` in its sentence; else of the
        last one named before the sentence, which the text still speaks of; else of the first one
        after it; else empty.
        """
        first, behind = self._in_sentence(text, span)
        if inside := self.places[first:behind]:
            return min((_distance(span, at), taxon, at.start) for at, taxon in inside)[1]
        if not self.places:
            return ""
        return self._last[first - 1][1] if first else self.places[0][1]

    def named_together(self, text: str, span: Span) -> frozenset[str]:
        """The organisms of the sentence whose one is nearest, where that is before the sentence of
        `span`: "mice and women were studied. ABC1 …" may speak of either.
        """
        first, behind = self._in_sentence(text, span)
        if not first or first < behind:
            return frozenset()
        _, _, start = self._last[first - 1]
        begin, end = self._in_sentence(text, Span(start, start))
        return frozenset(taxon for _, taxon in self.places[begin:end])

    def _in_sentence(self, text: str, span: Span) -> tuple[int, int]:
        """The organisms of a sentence: the first, and the first behind it."""
        if not self.places:
            return 0, 0
        sentence = sentence_at(text, span)
        first = bisect_left(self._starts, sentence.start)
        return first, bisect_left(self._starts, sentence.end, first)


def taxon_curie(words: str) -> str:
    """The CURIE that a person means by `NCBITaxon:10090`, `10090`, `mouse` or `Mus musculus`; empty
    for no words.

    Raises InputError for words that name no organism known here.
    """
    organism = " ".join(words.split())
    if not organism or organism.casefold() in TAXA:
        return TAXA.get(organism.casefold(), "")
    curie = identifier(organism, PREFIX)
    prefix, _, number = curie.partition(":")
    if prefix == PREFIX and number.isdigit():
        return curie
    raise InputError(
        f"“{organism[:60]}” is not a species that is known here.",
        "Give an id such as NCBITaxon:9606.",
    )


def _distance(span: Span, place: Span) -> int:
    return max(span.start - place.end, place.start - span.end, 0)
