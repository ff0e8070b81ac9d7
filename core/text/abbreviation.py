"""Abbreviations that a text defines itself, as in "tumour necrosis factor (TNF)".

After Schwartz & Hearst, A simple algorithm for identifying abbreviation definitions in biomedical
text, PSB 2003.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.model import Span

# A pattern each: one that begins with a letter of its own is looked for ten times as fast.
_ROUND, _SQUARE = (re.compile(rf"{opening}([^()\[\]]{{1,250}})[)\]]") for opening in (r"\(", r"\["))
_SHORT = re.compile(r"[^\W_][^\s,;:]*(?: [^\s,;:]+)?")
_BOUND = re.compile(r"[.!?;:]\s|\n\s*\n|[()\[\]]")
_TOKEN = re.compile(r"[^\s\-–/]+")
_PLURAL = re.compile(r"[A-Z0-9]{2,}s")
_INSIDE_ENDS = re.compile(r"[,;:]\s")
_BEFORE = re.compile(r"[^\s(),;:\[\]]{2,10}\s*$")
_TELLING = re.compile(r"[A-Z0-9]|[^\x00-\x7f]")
Readings = tuple[str, ...]  # of a text, letter by letter
NEAR, FAR = 100, 400  # characters before a parenthesis that are looked through


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A short form and what it stands for, with the places where the text says so."""

    short: str
    long: str
    short_span: Span
    long_span: Span


def find_abbreviations(text: str) -> dict[str, Abbreviation]:
    """Short form → its definition; the first definition of a short form counts. In text order.

    >>> text = "Tumour necrosis factor (TNF) rose, CRP (C-reactive protein) fell."
    >>> [(short, found.long) for short, found in find_abbreviations(text).items()]
    [('TNF', 'Tumour necrosis factor'), ('CRP', 'C-reactive protein')]
    """
    abbreviations: dict[str, Abbreviation] = {}
    parentheses = list(_ROUND.finditer(text))
    if "[" in text:
        parentheses = sorted([*parentheses, *_SQUARE.finditer(text)], key=re.Match.start)
    readings = _readings(text) if parentheses else ()
    for parenthesis in parentheses:
        if definition := _definition(text, readings, parenthesis):
            abbreviations.setdefault(definition.short, definition)
    return abbreviations


def _definition(text: str, readings: Readings, parenthesis: re.Match[str]) -> Abbreviation | None:
    content, start = parenthesis[1], parenthesis.start(1)
    first = _INSIDE_ENDS.split(content, maxsplit=1)[0]
    words = first.strip()
    if _is_short(words):
        short_start = start + len(first) - len(first.lstrip())
        short = Span(short_start, short_start + len(words))
        return _long_before(text, readings, parenthesis.start(), short)
    if len(content.split()) < 2:
        return None
    end = start + len(first) if len(first) < len(content) else parenthesis.end(1)
    return _short_before(text, readings, parenthesis.start(), Span(start, end))


def _is_short(words: str) -> bool:
    """2–10 characters, at most two words, a letter (an upper-case one, unless there is a digit), no
    sentence.
    """
    return (
        2 <= len(words) <= 10
        and _SHORT.fullmatch(words) is not None
        and any(map(str.isalpha, words))
        and _TELLING.search(words) is not None
    )


def _long_before(text: str, readings: Readings, end: int, short: Span) -> Abbreviation | None:
    """The long form right before the parenthesis: min(n + 5, 2 n) words at most, within the
    sentence.
    """
    letters, last = _letters(short.quote(text)), _trim(text, end)
    start = _aligned(readings, letters, max(0, end - FAR), last)
    # Nearly every parenthesis fails here: where the sentence begins is looked for after it.
    if start < 0 or _BOUND.search(text, start, end):
        return None
    count = sum(map(str.isalnum, short.quote(text)))
    most = min(count + 5, 2 * count)
    words_held = len(_TOKEN.findall(text, start, last))
    if words_held > most:
        return None
    if words_held < len(letters) <= most:
        start = _initials(text, letters, start, Span(_begin(text, end), last))
    return _plausible(text, short, Span(start, last))


def _begin(text: str, end: int) -> int:
    """Where the stretch before a parenthesis begins that has no end of a sentence in it."""
    for size in (NEAR, FAR):
        before = text[max(0, end - size) : end]
        after_last_bound = _BOUND.split(before)[-1]
        if len(after_last_bound) < len(before):
            break
    return end - len(after_last_bound)


def _trim(text: str, end: int) -> int:
    while end and text[end - 1].isspace():
        end -= 1
    return end


def _short_before(text: str, readings: Readings, end: int, inside: Span) -> Abbreviation | None:
    """The other way round: TNF (tumour necrosis factor)."""
    around = text[max(0, end - 14) : end]
    before = _BEFORE.search(around) if _TELLING.search(around) else None
    if before is None:
        return None
    start = max(0, end - 14) + before.start()
    short = Span(start, _trim(text, end))
    words = short.quote(text)
    if not _is_short(words) or (
        start and not text[start - 1].isspace() and text[start - 1] not in "(["
    ):
        return None
    letters, last = _letters(words), _trim(text, inside.end)
    start = _aligned(readings, letters, inside.start, last)
    if start < 0:
        return None
    start = _initials(text, letters, start, Span(inside.start, last))
    return _plausible(text, short, Span(start, last)) if start <= inside.start + 4 else None


def _letters(short: str) -> str:
    return short[:-1] if _PLURAL.fullmatch(short) else short


def _aligned(readings: Readings, letters: str, begin: int, end: int) -> int:
    """Where the shortest long form before `end` starts that holds the letters of the short one in
    order, the first at the start of a word; -1 if there is none.
    """
    place = end
    for letter in filter(str.isalnum, reversed(letters[1:].casefold())):
        place = _last(letter, readings, begin, place)
        if place < 0:
            return -1
    first = letters[0].casefold()
    place = _last(first, readings, begin, place)
    while place > begin and readings[0][place - 1].isalnum():
        place = _last(first, readings, begin, place)
    return place


def _last(letter: str, readings: Readings, begin: int, end: int) -> int:
    place = readings[0].rfind(letter, begin, end)
    return place if len(readings) == 1 else max(place, readings[1].rfind(letter, begin, end))


def _initials(text: str, letters: str, start: int, before: Span) -> int:
    """Where a long form begins: at `start`, or before it where as many words as there are letters
    begin with them, as in "attenuated adenomatous polyposis coli (AAPC)".
    """
    starts = [token.start() for token in _TOKEN.finditer(text, before.start, before.end)]
    last_starts = starts[-len(letters) :]
    if len(letters) < 3 or len(last_starts) != len(letters) or last_starts[0] >= start:
        return start
    begun = all(
        text[word].casefold() == letter.casefold()
        for word, letter in zip(last_starts, letters, strict=True)
    )
    return last_starts[0] if begun else start


def _readings(words: str) -> Readings:
    """The words case-folded, letter by letter, and with Latin letters for Greek ones."""
    if words.isascii():
        return (words.lower(),)
    folded = words.casefold()
    if len(folded) > len(words):  # ß is ss
        folded = "".join(low if len(low := letter.casefold()) == 1 else " " for letter in words)
    latin = folded
    for greek, letter in zip("αβγδεκλμω", "abgdeklmo", strict=True):
        latin = latin.replace(greek, letter)  # far quicker than translate
    return (folded, latin) if latin != folded else (folded,)


def _plausible(text: str, short: Span, long: Span) -> Abbreviation | None:
    words, long_words = short.quote(text), long.quote(text)
    is_long = len(long_words) > len(words) and "(" not in long_words
    if not is_long or words.casefold() in long_words.casefold().split():
        return None
    return Abbreviation(words, long_words, short, long)
