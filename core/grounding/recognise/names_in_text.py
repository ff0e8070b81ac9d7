"""The places in a text where names of vocabularies stand, before anything is grounded.

Names are looked up in bulk, so that an abstract takes milliseconds over 600,000 names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from core.grounding.index.lexicon import Lexicon
from core.grounding.match import normalise
from core.grounding.match.mention_wording import harmed
from core.grounding.match.reading import readings
from core.grounding.match.word_forms import (
    ADJECTIVES,
    DOUBTFUL,
    FORMULAS,
    HARM,
    LEARNED,
    LEARNED_PHRASES,
)
from core.grounding.recognise import species
from core.grounding.recognise.longer_name import (
    ends_short_form,
    is_of_something,
    is_within_code,
    names_left,
)
from core.grounding.recognise.name_finder import NameFinder, Names, name_finder
from core.grounding.recognise.text_words import Place, TextWords, split_into_words
from core.model import Span

_ORGAN = 2  # words of an organ or faculty before the harm to it
MOST_LETTERS = 5  # of letters that are no name behind a Greek letter
_HYPHENS = frozenset("-‐‑–")
# "3 mol of veratin": behind a number a unit, and no gene that is also called so
_WORDS_UNITS = "mol mmol µmol μmol umol nmol pmol min mins hrs bar rad cal kcal rpm ppm"
_UNITS = frozenset(_WORDS_UNITS.split())
_NUMBER = re.compile(r"\d[\s-]?$")
_PRESSURE = re.compile(r"\b[cm]m[ -]?Hg$")  # of a column of mercury
# "alpha-" before a name belongs to it: "β-catenin" is not catenin
_GREEK_BEFORE = re.compile(
    r"(?<![^\W_])(?:alpha|beta|gamma|delta|epsilon|kappa|lambda|mu|omega|rho|sigma|[α-ω])[-‐‑–]$",
    re.IGNORECASE,
)
_PHRASE_SIZES = {
    phrase.partition(" ")[0]: tuple(sorted({learned.count(" ") + 1 for learned in LEARNED_PHRASES}))
    for phrase in LEARNED_PHRASES
}
_OTHERWISE = frozenset(map(normalise.fold_word, FORMULAS)) | LEARNED.keys() | ADJECTIVES.keys()
_LOOKED_AT = _OTHERWISE | _PHRASE_SIZES.keys() | HARM


def named_places(
    finder: NameFinder, words: TextWords, short: Mapping[str, str], section: tuple[int, int]
) -> Iterator[tuple[Place, Names]]:
    """Every place in a section where names of vocabularies stand, with the names; places may
    overlap. Short forms that the text defines itself are none, nor are parts of longer names that
    no vocabulary has.
    """
    text, found = words.text, finder.places(words, section)
    ends = {end for (_, end), _ in found}
    for place, names in found:
        start, end = place
        surface = text[start:end]
        if surface in _UNITS and _NUMBER.search(text, max(0, start - 2), start):
            continue
        if surface in short or _within_longer_name(text, start, surface):
            continue
        if is_of_something(text, place) or is_within_code(text, place):
            continue
        if start - 1 not in ends and ends_short_form(text, place):
            continue
        if left := names_left(text, end, names):
            yield place, left
    for name, places in _in_other_words(words, short, *section).items():
        if names := finder.names_of(name):
            yield from ((place, names) for place in places)
    first, last = section
    if first < last:
        begin, end = words.starts[first], words.ends[last - 1]
        for start, stop, name in readings(text[begin:end]):
            defined = text[begin + start : begin + stop] in short
            if not defined and (names := finder.names_of(normalise.name_key(name))):
                yield (begin + start, begin + stop), names


def _within_longer_name(text: str, start: int, surface: str) -> bool:
    """Whether letters stand behind a Greek letter and a hyphen: "rho-TIA" is a peptide, and no
    attack.
    """
    return (
        len(surface) <= MOST_LETTERS
        and surface.isupper()
        and text[start - 1 : start] in _HYPHENS
        and _GREEK_BEFORE.search(text, max(0, start - 10), start) is not None
    )


def _learned_phrases(words: TextWords, place: int, end: int) -> Iterator[tuple[str, Place]]:
    """Phrases that begin with a word and stand for a name written otherwise, with their place."""
    for size in _PHRASE_SIZES.get(words.folded[place], ()):
        end_of_phrase = place + size
        phrase = " ".join(words.folded[place:end_of_phrase])
        if (
            end_of_phrase <= end
            and all(words.joined[place + 1 : end_of_phrase])
            and phrase in LEARNED_PHRASES
        ):
            for name in LEARNED_PHRASES[phrase].split("|"):
                yield name, words.place(place, end_of_phrase - 1)


def _harmed(words: TextWords, place: int, begin: int) -> Iterator[tuple[str, Place]]:
    """What a word of harm and the one or two words before it may be called, with their place."""
    for first in range(max(begin, place - _ORGAN), place):
        if all(words.joined[first + 1 : place + 1]):
            for name in harmed(words.folded[first : place + 1]):
                yield name, words.place(first, place)


def _in_other_words(
    words: TextWords, short: Mapping[str, str], begin: int, end: int
) -> dict[str, list[Place]]:
    """Words that stand for a name written otherwise: formulas, learned words and phrases, by the
    key of the name.
    """
    places: dict[str, list[Place]] = {}
    section = enumerate(words.folded[begin:end], begin)
    for place, folded in [word for word in section if word[1] in _LOOKED_AT]:
        if folded in _PHRASE_SIZES:
            for name, at in _learned_phrases(words, place, end):
                places.setdefault(name, []).append(at)
        if folded in HARM:
            for name, at in _harmed(words, place, begin):
                places.setdefault(name, []).append(at)
        if folded not in _OTHERWISE:
            continue
        surface = words.written(place, place)
        if _PRESSURE.search(words.text, max(words.starts[place] - 4, 0), words.ends[place]):
            continue
        names = [*FORMULAS.get(surface, "").split("|"), LEARNED.get(folded, "")]
        if folded in ADJECTIVES:
            places.setdefault(ADJECTIVES[folded], []).append(words.place(place, place))
        for name in filter(None, names):
            if surface not in short and surface not in DOUBTFUL:
                places.setdefault(normalise.name_key(name), []).append(words.place(place, place))
    return places


@lru_cache(maxsize=64)
def named_organisms(
    text: str, lexicons: tuple[Lexicon, ...], taxa: frozenset[str]
) -> species.OrganismsInText:
    """Where `text` names an organism: by a common name, or by a vocabulary's name for one of
    `taxa`.

    Others are left out: a virus or a kingdom named beside a gene does not say whose gene it is.
    """
    words, wanted_taxa = split_into_words(text), taxa | species.LABELS.keys()
    met = {
        Span(*place): hit.id
        for section in words.sections()
        for place, names in named_places(name_finder(lexicons), words, {}, section)
        for _, hit in names
        if hit.id in wanted_taxa
    }
    return species.OrganismsInText(text, (dict(species.named_species(text)) | met).items(), taxa)


def taxon_as_written(words: str, lexicons: Iterable[Lexicon], taxa: frozenset[str]) -> str:
    """Which of `taxa` has a gene that is called so letter by letter, if only one has: TLR4 is
    human, Tlr4 a mouse's. Empty where none has, or several.
    """
    hits = [hit for lexicon in lexicons for hit in lexicon.names(normalise.name_key(words))]
    for names in (
        {hit.taxon for hit in hits if hit.label == words},
        {hit.taxon for hit in hits if hit.text == words},
    ):
        if so_written := names & taxa:
            return next(iter(so_written)) if len(so_written) == 1 else ""
    return ""
