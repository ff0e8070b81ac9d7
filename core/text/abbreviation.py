"""Abbreviations that a text defines itself, as in "tumour necrosis factor (TNF)".

After Schwartz & Hearst, A simple algorithm for identifying abbreviation definitions in biomedical
text, PSB 2003.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.model import Span

_PARENTHESIS = re.compile(r"[(\[]([^()\[\]]{1,250})[)\]]")
_SHORT = re.compile(r"[^\W_][^\s,;:]*(?: [^\s,;:]+)?")
_BOUND = re.compile(r"[.!?;:]\s|\n\s*\n|[()\[\]]")
_TOKEN = re.compile(r"[^\s\-–/]+")
_PLURAL = re.compile(r"[A-Z0-9]{2,}s")


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
    for parenthesis in _PARENTHESIS.finditer(text):
        if definition := _definition(text, parenthesis):
            abbreviations.setdefault(definition.short, definition)
    return abbreviations


def _definition(text: str, parenthesis: re.Match[str]) -> Abbreviation | None:
    inside = re.split(r"[,;:]\s", parenthesis[1], maxsplit=1)[0]
    start = parenthesis.start(1)
    margin = len(inside) - len(inside.lstrip())
    inside_span = Span(start + margin, start + margin + len(inside.strip()))
    if _is_short(inside_span.quote(text)):
        return _long_before(text, parenthesis.start(), inside_span)
    return _short_before(text, parenthesis.start(), Span(start, parenthesis.end(1)))


def _is_short(words: str) -> bool:
    """2–10 characters, at most two words, a letter (an upper-case one, unless there is a digit), no
    sentence.
    """
    return (
        2 <= len(words) <= 10
        and _SHORT.fullmatch(words) is not None
        and any(c.isalpha() for c in words)
        and any(c.isupper() or c.isdigit() or not c.isascii() for c in words)
    )


def _long_before(text: str, end: int, short: Span) -> Abbreviation | None:
    """The long form right before the parenthesis: min(n + 5, 2 n) words at most, within the
    sentence.
    """
    words = short.quote(text)
    letters = sum(c.isalnum() for c in words)
    begin = max(
        (m.end() for m in _BOUND.finditer(text, max(0, end - 400), end)), default=max(0, end - 400)
    )
    tokens = list(_TOKEN.finditer(text, begin, end))[-min(letters + 5, 2 * letters) :]
    if not tokens:
        return None
    return _aligned(text, words, short, tokens[0].start(), _trim(text, end))


def _trim(text: str, end: int) -> int:
    while end and text[end - 1].isspace():
        end -= 1
    return end


def _short_before(text: str, end: int, inside: Span) -> Abbreviation | None:
    """The other way round: TNF (tumour necrosis factor)."""
    before = re.search(r"[^\s(),;:\[\]]{2,10}\s*$", text[max(0, end - 14) : end])
    if before is None:
        return None
    start = max(0, end - 14) + before.start()
    short = Span(start, _trim(text, end))
    words = short.quote(text)
    if not _is_short(words) or (
        start and not text[start - 1].isspace() and text[start - 1] not in "(["
    ):
        return None
    if len(inside.quote(text).split()) < 2:
        return None
    definition = _aligned(text, words, short, inside.start, _trim(text, inside.end))
    return definition if definition and definition.long_span.start <= inside.start + 4 else None


def _aligned(text: str, words: str, short: Span, begin: int, end: int) -> Abbreviation | None:
    """The shortest long form that holds the letters of the short one in order, the first at the
    start of a word; or the longer one whose words begin with just these letters.
    """
    letters = words[:-1] if _PLURAL.fullmatch(words) else words
    place = end - 1
    for number in range(len(letters) - 1, -1, -1):
        letter = letters[number].casefold()
        if not letter.isalnum():
            continue
        while place >= begin and not _fits(text, place, letter, is_first=number == 0, begin=begin):
            place -= 1
        if place < begin:
            return None
        place -= 1
    long = Span(_initials(text, letters, begin, place + 1, end), end)
    return (
        Abbreviation(words, long.quote(text), short, long)
        if _plausible(words, long.quote(text))
        else None
    )


def _initials(text: str, letters: str, begin: int, start: int, end: int) -> int:
    """Where a long form begins: at `start`, or before it where as many words as there are letters
    begin with them, as in "attenuated adenomatous polyposis coli (AAPC)".
    """
    words = list(_TOKEN.finditer(text, begin, end))[-len(letters) :]
    if len(letters) < 3 or len(words) != len(letters) or words[0].start() >= start:
        return start
    begun = all(
        word[0][0].casefold() == letter.casefold()
        for word, letter in zip(words, letters, strict=True)
    )
    return words[0].start() if begun else start


def _fits(text: str, place: int, letter: str, *, is_first: bool, begin: int) -> bool:
    if text[place].casefold() != letter and _GREEK.get(text[place].casefold()) != letter:
        return False
    return not is_first or place == begin or not text[place - 1].isalnum()


_GREEK = {"α": "a", "β": "b", "γ": "g", "δ": "d", "ε": "e", "κ": "k", "λ": "l", "μ": "m", "ω": "o"}


def _plausible(short: str, long: str) -> bool:
    return (
        len(long) > len(short)
        and short.casefold() not in long.casefold().split()
        and long.count("(") == 0
    )
