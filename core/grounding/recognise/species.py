"""The organism that a text speaks of where it names a gene: the one said of the gene itself ("mouse
Trp53", "TP53 in rats"), else the nearest of its sentence, else one that the text goes on speaking
of. An organism that is named once, in the middle of a text, says nothing of other sentences.

Organisms are met by the common names below, and by the names of the vocabulary of organisms (see
`names_in_text.named_organisms`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import accumulate

from core.errors import InputError
from core.grounding.readers.record import identifier
from core.model import Span
from core.text.sentence import sentence_at

PREFIX = "NCBITaxon"
HUMAN = "NCBITaxon:9606"
# What stands between an organism and the gene that it is said of: "mouse embryonic Abc1"
_BEFORE = re.compile(r"(?:[\s-]+(?!and\b|or\b|with\b|the\b|in\b|of\b)[\w-]+){0,2}[\s-]+")
# "ABC1 in mice", "ABC1 gene of the rat", "Abc1 (mouse"
_BEHIND = re.compile(
    r"(?:\s+(?!and\b|or\b|with\b)[\w-]+){0,2}\s+(?:in|of|from)\s+(?:the\s+)?"
    r"(?:(?!and\b|or\b)[\w/+-]+\s+){0,2}|\s*\("
)
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
    """Where `text` names an organism by a common name, in order.

    >>> named_species("Mice and human cells")
    ((Span(start=0, end=4), 'NCBITaxon:10090'), (Span(start=9, end=14), 'NCBITaxon:9606'))
    """
    return tuple((Span(*match.span()), TAXA[match[0].casefold()]) for match in _NAME.finditer(text))


class OrganismsInText:
    """The organisms that a text names, found by where they stand. `known` are those whose genes a
    vocabulary has: only they are spoken of beyond their sentence.
    """

    def __init__(self, text: str, places: Iterable[Place], known: Set[str]):
        self.text = text
        self.places = tuple(sorted(places, key=lambda place: (place[0].start, place[1])))
        self._starts = [span.start for span, _ in self.places]
        self._known = known
        self._lasting = self._spoken_of(known)
        # of the lasting ones up to each, the one that ends last
        ends = ((-span.end, taxon, span.start) for span, taxon in self._lasting)
        self._last = list(accumulate(ends, min))

    @property
    def taxa(self) -> frozenset[str]:
        """Every organism that the text names, as NCBITaxon CURIEs."""
        return frozenset(taxon for _, taxon in self.places)

    def _spoken_of(self, known: Set[str]) -> Sequence[Place]:
        """The places of organisms that the text goes on speaking of: human ones, and others that it
        names twice or in its first sentence.
        """
        times = Counter(taxon for _, taxon in self.places)
        first = sentence_at(self.text, Span(0, 0)).end if self.places else 0
        early = {taxon for span, taxon in self.places if span.start < first}
        return [
            (span, taxon)
            for span, taxon in self.places
            if taxon in known and (taxon == HUMAN or times[taxon] > 1 or taxon in early)
        ]

    def said_of(self, span: Span) -> str:
        """The NCBITaxon CURIE of the organism that the words around `span` say is its own; empty
        where they say none.
        """
        first, behind = self._in_sentence(span)
        inside = self.places[first:behind]
        for place, taxon in reversed(inside):
            if place.end <= span.start and _BEFORE.fullmatch(self.text, place.end, span.start):
                return taxon
        for place, taxon in inside:
            if span.end <= place.start and _BEHIND.fullmatch(self.text, span.end, place.start):
                return taxon
        return ""

    def nearest(self, span: Span) -> str:
        """The NCBITaxon CURIE of the organism named nearest to `span` in its sentence; else of the
        last lasting one named before the sentence; else of the first one after it; else empty. One
        without known genes counts only where the text speaks of no other: patients may have
        antibodies against yeast.
        """
        first, behind = self._in_sentence(span)
        inside = [
            place for place in self.places[first:behind] if place[1] in self._known
        ] or self.places[first:behind]
        if inside and (inside[0][1] in self._known or not self._lasting):
            return min((_distance(span, at), taxon, at.start) for at, taxon in inside)[1]
        if not self._lasting:
            return ""
        before = self._lasting_before(span)
        return self._last[before - 1][1] if before else self._lasting[0][1]

    def named_together(self, span: Span) -> frozenset[str]:
        """The organisms of the sentence whose one is nearest, where that is before the sentence of
        `span`: "mice and women were studied. ABC1 …" may speak of either.
        """
        first, behind = self._in_sentence(span)
        before = self._lasting_before(span)
        if not before or first < behind:
            return frozenset()
        _, _, start = self._last[before - 1]
        begin, end = self._in_sentence(Span(start, start))
        return frozenset(taxon for _, taxon in self.places[begin:end])

    def _lasting_before(self, span: Span) -> int:
        """How many places of lasting organisms stand before the sentence of a span."""
        start = sentence_at(self.text, span).start
        return bisect_left(self._lasting, start, key=lambda place: place[0].start)

    def _in_sentence(self, span: Span) -> tuple[int, int]:
        """The organisms of a sentence: the first, and the first behind it."""
        if not self.places:
            return 0, 0
        sentence = sentence_at(self.text, span)
        first = bisect_left(self._starts, sentence.start)
        return first, bisect_left(self._starts, sentence.end, first)


def taxon_curie(words: str) -> str:
    """The CURIE that a person means by an id, its number or a name; empty for no words.

    Raises InputError for words that name no organism known here.

    >>> taxon_curie("10090"), taxon_curie("mouse"), taxon_curie("Homo sapiens")
    ('NCBITaxon:10090', 'NCBITaxon:10090', 'NCBITaxon:9606')
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
