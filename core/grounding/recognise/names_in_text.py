"""The places in a text where names of vocabularies stand, before anything is grounded.

Names are looked up in bulk, so that an abstract takes milliseconds over 200,000 names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from core.grounding.index.lexicon import Lexicon, NameHit
from core.grounding.match import normalise
from core.grounding.match.acceptance import acceptable
from core.grounding.match.word_forms import ADJECTIVES, DOUBTFUL, FORMULAS, LEARNED
from core.grounding.recognise import species
from core.grounding.recognise.word_runs import WordRuns
from core.model import Span

_GLUE = re.compile(r"[^\S\n]*\n?[^\S\n]*|[-–—‐‑/:'’.*+()\[\],]{1,3}|, | ?[-–—/] ?")
_SECTION = 1500  # words that are looked up at once, at least
_POSSESSIVE = re.compile(r"['’‘`´ʼ][sS]?$")


@dataclass(frozen=True, slots=True)
class TextWords:
    """The words of a text: where they stand, how they fold, and which follow the one before within
    a phrase.
    """

    text: str
    spans: Sequence[tuple[int, int]]
    folded: tuple[str, ...]
    joined: Sequence[bool]

    def span(self, first: int, last: int) -> Span:
        """From the first word to the last, both included; a possessive ending stays outside."""
        start, end = self.spans[first][0], self.spans[last][1]
        ending = _POSSESSIVE.search(self.text, max(start, end - 2), end)
        return Span(start, ending.start() if ending else end)

    def sections(self) -> Iterator[tuple[int, int]]:
        """Ranges of words that no name runs over the edge of."""
        begin = 0
        for place in range(len(self.spans)):
            if place - begin >= _SECTION and not self.joined[place]:
                yield begin, place
                begin = place
        yield begin, len(self.spans)


def words_of(text: str) -> TextWords:
    spans = [match.span() for match in normalise.TOKEN.finditer(text)]
    folded = tuple(normalise.fold_word(text[start:end]) for start, end in spans)
    glued = [False] + [
        _GLUE.fullmatch(text, before[1], after[0]) is not None for before, after in pairwise(spans)
    ]
    return TextWords(text, spans, folded, glued)


def named_places(
    lexicons: Sequence[Lexicon],
    words: TextWords,
    short: Mapping[str, str],
    section: tuple[int, int],
) -> Iterator[tuple[Lexicon, Span, NameHit]]:
    """Every place in a section where a name of a vocabulary stands, with the name; places may
    overlap.
    """
    runs = WordRuns(words.folded[slice(*section)], words.joined[slice(*section)])
    meant = _in_other_words(words, short, *section)
    places: dict[tuple[int, int], tuple[Span, str]] = {}  # many names stand in one place
    for lexicon in lexicons:
        for column, first, last, hit in runs.names(lexicon):
            if (first, last) not in places:
                span = words.span(section[0] + first, section[0] + last)
                places[first, last] = (span, span.quote(words.text))
            span, surface = places[first, last]
            if surface not in short and acceptable(surface, hit, column):
                yield lexicon, span, hit
        for name, spans in meant.items():
            for hit in lexicon.names(name):
                yield from ((lexicon, span, hit) for span in spans)


def _in_other_words(
    words: TextWords, short: Mapping[str, str], begin: int, end: int
) -> dict[str, list[Span]]:
    """Single words that stand for a name written otherwise: formulas and learned words, by the key
    of the name.
    """
    meant: dict[str, list[Span]] = {}
    for place in range(begin, end):
        surface = words.text[slice(*words.spans[place])]
        folded = words.folded[place]
        names = [*FORMULAS.get(surface, "").split("|"), LEARNED.get(folded, "")]
        if folded in ADJECTIVES:
            meant.setdefault(ADJECTIVES[folded], []).append(words.span(place, place))
        for name in filter(None, names):
            if surface not in short and surface not in DOUBTFUL:
                meant.setdefault(normalise.name_key(name), []).append(words.span(place, place))
    return meant


@lru_cache(maxsize=64)
def named_organisms(
    text: str, lexicons: tuple[Lexicon, ...], taxa: frozenset[str]
) -> tuple[species.Place, ...]:
    """Where `text` names an organism: by a common name, or by a vocabulary's name for one of
    `taxa`.

    Others are left out: a virus or a kingdom named beside a gene does not say whose gene it is.
    """
    words, known = words_of(text), taxa | species.LABELS.keys()
    met = {
        span: hit.id
        for section in words.sections()
        for _, span, hit in named_places(lexicons, words, {}, section)
        if hit.id in known
    }
    return tuple(
        sorted((dict(species.named_species(text)) | met).items(), key=lambda place: place[0].start)
    )
