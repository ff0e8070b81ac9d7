"""Where a passage names an end of a claim: by its words or synonyms, an abbreviation that the text
defines, the same words in another order, or, in a sentence that does not name it, a word that
refers to it ("it", "the drug", "the disease").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from core.grounding.match.normalise import american_spelling
from core.model import Category, Span
from core.support.claim import ClaimEnd, Passage
from core.support.reading.pronoun import FIRST, pronoun_subject
from core.text.abbreviation import find_abbreviations
from core.text.fold import fold_text

_TOKEN = re.compile(r"[^\W_]+(?:'s\b)?")
_SIGNS = re.compile(r"[\s\-‐-―−/'’(),.]*")  # what may stand between the words of one name
_MOST_NAMES = 60  # of an end that are looked for
_LOOSE = 2  # words that may stand between those of a name in another order: "cancer of the breast"
_FUNCTION_WORDS = frozenset(
    ["of", "the", "a", "an", "in", "and", "with", "to", "for", "by", "type"]
)
# What a text calls a thing that it has named before, by the thing's kind.
_REFERRING: dict[Category, str] = {
    Category.CHEMICAL: r"drug|agent|compound|medication|medicine|substance|chemical|therapy",
    Category.DISEASE: r"disease|disorder|syndrome|condition|illness|infection|malignancy|tumou?rs?",
    Category.PHENOTYPE: r"symptom|sign|complication|condition|phenotype|abnormality",
    Category.GENE: r"gene|protein|kinase|receptor|enzyme|transcription factor|mutations?",
    Category.PROTEIN: r"protein|kinase|receptor|enzyme|transcription factor|complex",
    Category.ORGANISM: r"organism|species|strain|bacteri(?:um|a)|virus|fungus|isolates?",
    Category.FOOD: r"food|diet|product|drink",
}
_ANY_REFERRING = "|".join(_REFERRING.values())


class Naming(StrEnum):
    """How a passage names an end, surest first."""

    GIVEN = "its mention"
    WORDS = "its words"
    ABBREVIATION = "its abbreviation"
    REORDERED = "its words in another order"
    KIND = "a kind of it"
    PART = "a part of its name"
    PRONOUN = "a pronoun"
    NOUN = "a noun that refers to it"
    TITLE = "the title"


@dataclass(frozen=True, slots=True)
class NamedEnd:
    """The places of a passage that name an end, in text order, and how. `refers`: the sentence only
    refers to it, by the words at `span`.
    """

    end: ClaimEnd
    spans: tuple[Span, ...]
    how: Naming

    @property
    def refers(self) -> bool:
        return self.how in (Naming.PRONOUN, Naming.NOUN, Naming.TITLE)


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text, folded and in the singular, with their places."""

    words: tuple[str, ...]
    spans: tuple[Span, ...]
    at: dict[str, tuple[int, ...]]  # where each word stands


def named_in(end: ClaimEnd, passage: Passage) -> NamedEnd | None:
    """Where the passage's quote names the end; by words that refer to it only where nothing else
    does. None where the quote does not speak of it.
    """
    quoted = passage.quoted
    if end.spans and (given := _inside(end.spans, quoted)):
        return NamedEnd(end, given, Naming.GIVEN)
    names = _names(end, passage.text)
    by_words = _inside(_places(passage.text, names[0]), quoted)
    by_abbreviation = _inside(_places(passage.text, names[1]), quoted)
    if by_words or by_abbreviation:
        how = Naming.WORDS if by_words else Naming.ABBREVIATION
        return NamedEnd(end, _inside((*by_words, *by_abbreviation), quoted), how)
    if found := _inside(_loose_places(passage.text, names[0]), quoted):
        return NamedEnd(end, found, Naming.REORDERED)
    if found := _inside((*end.kinds, *_organ_toxicities(passage.text, names[0])), quoted):
        return NamedEnd(end, found, Naming.KIND)
    if found := _inside(_parts(passage.text, end.names, names[0]), quoted):
        return NamedEnd(end, found, Naming.PART)
    return _referred(end, passage, (*names[0], *names[1]))


def _inside(spans: Iterable[Span], quoted: Span) -> tuple[Span, ...]:
    return tuple(
        sorted(
            {span for span in spans if quoted.start <= span.start and span.end <= quoted.end},
            key=lambda span: (span.start, -span.end),
        )
    )


def _names(end: ClaimEnd, text: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The end's names as words, and what the text abbreviates them to (or what it writes out)."""
    names = [name for name in map(_name_words, end.names[:_MOST_NAMES]) if name]
    known = set(names)
    others = [
        other
        for short, long in _abbreviations(text)
        for name, other in ((long, short), (short, long))
        if name in known and other not in known
    ]
    return names, others


@lru_cache(maxsize=16)
def _abbreviations(text: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    pairs = ((_name_words(a.short), _name_words(a.long)) for a in find_abbreviations(text).values())
    return tuple((short, long) for short, long in pairs if short and long)


@lru_cache(maxsize=4096)
def _name_words(name: str) -> tuple[str, ...]:
    return tuple(_word(match[0]) for match in _TOKEN.finditer(name))


@lru_cache(maxsize=65536)
def _word(token: str) -> str:
    """A token as it is compared: without case, accents and plural; Greek letters by name."""
    folded = american_spelling(fold_text(token.removesuffix("'s")))
    if len(folded) > 4 and folded.endswith("ies"):
        return folded[:-3] + "y"
    if len(folded) > 3 and folded.endswith("s") and not folded.endswith(("ss", "us", "is")):
        return folded[:-1]
    return folded


@lru_cache(maxsize=16)
def _text_words(text: str) -> _Words:
    spans = tuple(Span(*match.span()) for match in _TOKEN.finditer(text))
    words = tuple(_word(span.quote(text)) for span in spans)
    at: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        at.setdefault(word, []).append(place)
    return _Words(words, spans, {word: tuple(places) for word, places in at.items()})


def _places(text: str, names: Sequence[tuple[str, ...]]) -> Iterator[Span]:
    """Where the text holds a name, word by word; "COX-2" is also "COX 2" and "COX2"."""
    held = _text_words(text)
    for name in names:
        for first in held.at.get(name[0], ()):
            last = first + len(name)
            if held.words[first:last] == name and _one_name(text, held.spans[first:last]):
                yield Span(held.spans[first].start, held.spans[last - 1].end)
        solid = "".join(name)
        if len(solid) > 2 and len(name) > 1:
            yield from (held.spans[place] for place in held.at.get(solid, ()))
        if len(name) == 1 and (parts := re.fullmatch(r"([a-z]{2,})(\d+[a-z]?)", name[0])):
            yield from _places(text, [parts.groups()])


def _one_name(text: str, spans: Sequence[Span]) -> bool:
    return all(_SIGNS.fullmatch(text, before.end, after.start) for before, after in pairwise(spans))


def _loose_places(text: str, names: Sequence[tuple[str, ...]]) -> Iterator[Span]:
    """Where the telling words of a name stand together in another order."""
    held = _text_words(text)
    for name in names:
        telling = {word for word in name if word not in _FUNCTION_WORDS}
        if len(telling) < 2 or not all(word in held.at for word in telling):
            continue
        width = len(telling) + _LOOSE
        for first in sorted(place for word in telling for place in held.at[word]):
            window = held.words[first : first + width]
            places = [window.index(word) for word in telling if word in window]
            if len(places) == len(telling):
                last = first + max(places)
                words = text[held.spans[first].start : held.spans[last].end]
                if not re.search(r"[;:]|\.\s", words):
                    yield Span(held.spans[first].start, held.spans[last].end)
                    break


def _parts(text: str, written: Sequence[str], names: Sequence[tuple[str, ...]]) -> Iterator[Span]:
    """Where a text writes a telling part of a name: its head ("aplasia" of "pure red-cell aplasia",
    "vasculitis" of "Vasculitis, Cutaneous"), its last words ("liver injury" of "drug-induced liver
    injury"), or what tells it with another general word ("lymphoproliferative disease" of a
    "lymphoproliferative syndrome").
    """
    heads = {_name_words(name.split(",")[0])[-1:] for name in written[:_MOST_NAMES] if " " in name}
    ends = {name[-2:] for name in names if len(name) > 2 and name[-2] not in _FUNCTION_WORDS}
    yield from _places(text, sorted(head for head in heads if _tells(head)))
    yield from _places(text, sorted(end for end in ends if _tells(end[:1])))
    telling = {rest[0] for name in names if len(rest := [w for w in name if _tells((w,))]) == 1}
    held = _text_words(text)
    for word in sorted(telling):
        for place in held.at.get(word, ()):
            if held.words[place + 1 : place + 2] and held.words[place + 1] in _GENERAL:
                yield Span(held.spans[place].start, held.spans[place + 1].end)


def _tells(words: tuple[str, ...]) -> bool:
    """Whether a word tells a thing by itself."""
    return bool(words) and len(words[0]) >= _TELLING and words[0] not in _GENERAL


def _organ_toxicities(text: str, names: Sequence[tuple[str, ...]]) -> Iterator[Span]:
    """Where a text speaks of harm to what a name is of: "nephrotoxicity" of “Nephropathy”."""
    held = _text_words(text)
    for word, places in held.at.items():
        stem = _TOXICITY.fullmatch(word)
        if stem and any(part.startswith(stem[1]) for name in names for part in name):
            yield from (held.spans[place] for place in places)


_TOXICITY = re.compile(r"([a-z]{4,}?)o?toxicity")
_TELLING = 5  # letters of a word that may tell a thing by itself
# Heads of many names, which tell none of them.
_GENERAL = frozenset(
    [
        *("abnormality", "activity", "antagonist", "cancer", "carcinoma", "channel", "complaint"),
        *("complex", "complication", "condition", "damage", "defect", "deficiency", "derivative"),
        *("disease", "disorder", "dysfunction", "effect", "enzyme", "event", "factor", "failure"),
        *("finding", "function", "impairment", "infection", "inhibitor", "injury", "kinase"),
        *("lesion", "manifestation", "neoplasm", "pathway", "problem", "process", "product"),
        *("protein", "reaction", "receptor", "response", "signaling", "substance", "subunit"),
        *("symptom", "syndrome", "system", "therapy", "tissue", "toxicity", "tract", "treatment"),
        *("tumor", "virus"),
    ]
)


def _referred(end: ClaimEnd, passage: Passage, names: Sequence[tuple[str, ...]]) -> NamedEnd | None:
    """A word of the quote that refers to an end which the text has named before: the subject of
    the sentence before for a pronoun, the title or any earlier sentence for "the drug".
    """
    earlier = [
        span
        for span in (*end.spans, *_places(passage.text, names))
        if span.start < passage.quoted.start
    ]
    if not earlier:
        return None
    sentences = passage.sentences
    for sentence in passage.quoted_sentences:
        at = sentences.index(sentence)
        pronoun = pronoun_subject(passage.text, sentence)
        if pronoun and at and _begins_with(sentences[at - 1], earlier):
            return NamedEnd(end, (pronoun,), Naming.PRONOUN)
        nouns = _REFERRING.get(end.category, _ANY_REFERRING)
        noun = re.compile(rf"\b(?:the|this|these|its|their)\s(?:{nouns})\b", re.IGNORECASE)
        if match := noun.search(passage.text, sentence.start, sentence.end):
            return NamedEnd(end, (Span(*match.span()),), Naming.NOUN)
    if passage.heading.end and any(passage.heading.overlaps(span) for span in earlier):
        first = passage.quoted_sentences[0]
        return NamedEnd(end, (Span(first.start, first.start),), Naming.TITLE)
    return None


def _begins_with(sentence: Span, named: Sequence[Span]) -> bool:
    return any(0 <= span.start - sentence.start <= FIRST for span in named)
