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
NEAR, FAR = 100, 400  # characters before a parenthesis that are looked through


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A short form and what it stands for, with the places where the text says so."""

    short: str
    long: str
    short_span: Span
    long_span: Span


def find_abbreviations(text: str) -> dict[str, Abbreviation]:
    """Short form → its definition; the first definition of a short form counts. In text order."""
    abbreviations: dict[str, Abbreviation] = {}
    parentheses = list(_ROUND.finditer(text))
    if "[" in text:
        parentheses = sorted([*parentheses, *_SQUARE.finditer(text)], key=re.Match.start)
    for parenthesis in parentheses:
        if definition := _definition(text, parenthesis):
            abbreviations.setdefault(definition.short, definition)
    return abbreviations


def _definition(text: str, parenthesis: re.Match[str]) -> Abbreviation | None:
    content, start = parenthesis[1], parenthesis.start(1)
    first = _INSIDE_ENDS.split(content, maxsplit=1)[0]
    words = first.strip()
    if _is_short(words):
        short_start = start + len(first) - len(first.lstrip())
        short = Span(short_start, short_start + len(words))
        return _long_before(text, parenthesis.start(), short)
    if len(content.split()) < 2:
        return None
    return _short_before(text, parenthesis.start(), Span(start, parenthesis.end(1)))


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


def _long_before(text: str, end: int, short: Span) -> Abbreviation | None:
    """The long form right before the parenthesis: min(n + 5, 2 n) words at most, within the
    sentence.
    """
    words = short.quote(text)
    letters = sum(map(str.isalnum, words))
    most = min(letters + 5, 2 * letters)
    return _aligned(text, words, short, _begin(text, end), _trim(text, end), most)


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


def _short_before(text: str, end: int, inside: Span) -> Abbreviation | None:
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
    definition = _aligned(text, words, short, inside.start, _trim(text, inside.end))
    return definition if definition and definition.long_span.start <= inside.start + 4 else None


def _aligned(
    text: str, words: str, short: Span, begin: int, end: int, most: int = FAR
) -> Abbreviation | None:
    """The shortest long form that holds the letters of the short one in order, the first at the
    start of a word; or the longer one whose words begin with just these letters. It is among the
    last `most` words.
    """
    letters = words[:-1] if _PLURAL.fullmatch(words) else words
    lines = _readings(text[begin:end])
    place = end - begin
    for number in range(len(letters) - 1, -1, -1):
        letter = letters[number].casefold()
        if not letter.isalnum():
            continue
        place = _last(letter, lines, place)
        while number == 0 and place > 0 and text[begin + place - 1].isalnum():
            place = _last(letter, lines, place)
        if place < 0:
            return None
    starts = [token.start() for token in _TOKEN.finditer(text, begin, end)][-most:]
    if begin + place < starts[0]:
        return None
    long = Span(_initials(text, letters, begin + place, starts), end)
    long_words = long.quote(text)
    return Abbreviation(words, long_words, short, long) if _plausible(words, long_words) else None


def _last(letter: str, lines: tuple[str, ...], end: int) -> int:
    place = lines[0].rfind(letter, 0, end)
    return place if len(lines) == 1 else max(place, lines[1].rfind(letter, 0, end))


def _initials(text: str, letters: str, start: int, starts: list[int]) -> int:
    """Where a long form begins: at `start`, or before it where as many words as there are letters
    begin with them, as in "attenuated adenomatous polyposis coli (AAPC)". `starts`: of the words.
    """
    last_starts = starts[-len(letters) :]
    if len(letters) < 3 or len(last_starts) != len(letters) or last_starts[0] >= start:
        return start
    begun = all(
        text[word].casefold() == letter.casefold()
        for word, letter in zip(last_starts, letters, strict=True)
    )
    return last_starts[0] if begun else start


def _readings(words: str) -> tuple[str, ...]:
    """The words case-folded, letter by letter, and with Latin letters for Greek ones."""
    if words.isascii():
        return (words.lower(),)
    folded = "".join(low if len(low := letter.casefold()) == 1 else " " for letter in words)
    return (folded, folded.translate(_GREEK))


_GREEK = str.maketrans("αβγδεκλμω", "abgdeklmo")


def _plausible(short: str, long: str) -> bool:
    return (
        len(long) > len(short)
        and short.casefold() not in long.casefold().split()
        and long.count("(") == 0
    )
