"""Keywords: written by the curator, in WeiseEule's syntax or as chips, and how they are found in a
text.

WeiseEule's manual syntax: a query that starts with `#` names its keywords itself, `**primary**`
ones and `*secondary*` ones; with `##` only chunks that hold every primary keyword are wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

from core.literature.index.tokens import (
    APOSTROPHES,
    GREEK_NAMES,
    symbol_unit,
    text_units,
    with_powers,
)
from core.literature.query.plain_question import plain_question
from core.model import Span
from core.text.script import write_out_tags

_STARRED = re.compile(r"(\*{1,2})(.*?)\1")
_PIECE = re.compile(r"[^\W\d_]+|\d+|[^\w\s]+|_+")
_DASHES = "‐‑–-"
_WORD = re.compile(rf"(?<!\w[{APOSTROPHES}](?=[sS]\b))\w+(?:[-‐‑–]\w+)*")
_SIGNED = re.compile(rf"[^\w\s‐‑–/{APOSTROPHES}.,()-]")
_POWER = re.compile(r"(\w{1,20})\^([-−–+]?[0-9]{1,4})")  # 10^6, m^-2
_NAME_TO_LETTER = {name: letter for letter, name in GREEK_NAMES.items()}


@dataclass(frozen=True, slots=True)
class Keyword:
    """A chip. `fixed`: chunks without it come last. `synonyms` count as the keyword. `case`: case
    is told apart.

    `by_rules`: taken from a question by rules, named by nobody. `kind`: what a vocabulary says
    that it is (gene, disease, …), "" where none knows it.
    """

    text: str
    fixed: bool = False
    synonyms: tuple[str, ...] = ()
    case: bool = False
    by_rules: bool = field(default=False, compare=False)
    kind: str = field(default="", compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.text, *self.synonyms)


@dataclass(frozen=True, slots=True)
class LiteratureQuery:
    """What is asked. `keywords` empty: the ranker finds them. `strict`: only chunks that hold every
    fixed keyword.
    """

    text: str
    keywords: tuple[Keyword, ...] = ()
    strict: bool = False
    options: dict[str, str] = field(default_factory=dict)


def parse_query(text: str) -> LiteratureQuery:
    """A query as typed; `#` and `##` switch to the manual syntax, anything else is a plain
    question, without words that only address the reader (`pls`).
    """
    text = with_powers(write_out_tags(text))
    if not text.lstrip().startswith("#"):
        return LiteratureQuery(plain_question(text))
    text = text.strip()
    keywords: dict[str, Keyword] = {}
    for stars, words in _STARRED.findall(text):
        words = " ".join(words.split())
        if words:
            earlier = keywords.get(words, Keyword(words))
            keywords[words] = replace(earlier, fixed=earlier.fixed or stars == "**")
    plain_text = " ".join(re.sub(r"\*+", "", text.lstrip("#")).split())
    return LiteratureQuery(plain_text, tuple(keywords.values()), strict=text.startswith("##"))


def fix_keywords(keywords: Sequence[Keyword], words: Sequence[str]) -> tuple[Keyword, ...]:
    """The keywords with those in `words` fixed; a word that is no keyword yet becomes one."""
    word_by_key = {word.casefold(): word for word in words if word.strip()}
    fixed_keywords = tuple(
        replace(k, fixed=True) if k.text.casefold() in word_by_key else k for k in keywords
    )
    keyword_keys = {keyword.text.casefold() for keyword in keywords}
    return fixed_keywords + tuple(
        Keyword(word, fixed=True) for key, word in word_by_key.items() if key not in keyword_keys
    )


def merge_keywords(keywords: Sequence[Keyword], texts: Sequence[str]) -> tuple[Keyword, ...]:
    """Several chips made one: the first of `texts` stays, the others become its synonyms."""
    chosen = [keyword for keyword in keywords if keyword.text in texts]
    if len(chosen) < 2:
        return tuple(keywords)
    names = [name for keyword in chosen for name in keyword.names][1:]
    merged = replace(
        chosen[0], synonyms=tuple(dict.fromkeys(names)), fixed=any(k.fixed for k in chosen)
    )
    return tuple(
        merged if k is chosen[0] else k for k in keywords if k is chosen[0] or k not in chosen
    )


def keyword_spans(keywords: Sequence[Keyword], text: str) -> dict[str, list[Span]]:
    """Where each keyword or one of its synonyms occurs; the longest match at a place wins, none
    overlap.

    As written (`pattern`), and, unless it carries signs or its case matters, in other endings
    (mutation, mutations).
    """
    line, folded = _UnitLine(text), text.casefold()
    return {keyword.text: _disjoint(_spans(keyword, text, folded, line)) for keyword in keywords}


def _spans(keyword: Keyword, text: str, folded: str, line: _UnitLine) -> list[Span]:
    spans = [span for name in keyword.names for span in _written(name, keyword.case, text, folded)]
    if not keyword.case:
        runs = (run for name in keyword.names for run in _runs_of_name(name))
        spans += [span for run in runs for span in line.runs(run)]
    return spans


def _written(name: str, case: bool, text: str, folded: str) -> list[Span]:
    """Where a name's pattern finds it; tried only where its plain letters occur."""
    core = _core(name)
    if core not in folded:
        return []
    pattern = keyword_pattern(name, case)
    if core != name.casefold() or len(folded) != len(text):
        return [Span(match.start(), match.end()) for match in pattern.finditer(text)]
    spans, place = [], folded.find(core)
    while place >= 0:
        match = pattern.match(text, place)
        if match:
            spans.append(Span(match.start(), match.end()))
        place = folded.find(core, match.end() if match else place + 1)
    return spans


@lru_cache(maxsize=20_000)
def _core(name: str) -> str:
    """The longest run of plain letters of a name, folded, that no text lacks which the name's
    pattern finds; "" where there is none.
    """
    pieces = [piece for piece in re.findall("[A-Za-z]+", name) if not _greek(piece)]
    return max(pieces, key=len, default="").casefold()


@lru_cache(maxsize=20_000)
def _runs_of_name(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of units that are a name: its own, and its symbol's; none where signs count."""
    if _SIGNED.search(name):
        return ()
    symbol = symbol_unit(name)
    rows = [tuple(text_units(name)), (symbol,) if symbol else ()]
    return tuple(row for row in rows if row)


def _disjoint(candidate_spans: list[Span]) -> list[Span]:
    spans: list[Span] = []
    for span in sorted(candidate_spans, key=lambda s: (s.start, -s.end)):
        if not spans or span.start >= spans[-1].end:
            spans.append(span)
    return spans


@lru_cache(maxsize=100_000)
def _units_of_word(word: str) -> tuple[str, ...]:
    return tuple(text_units(word))


class _UnitLine:
    """The words of a text in order, and where rows of units occur in them."""

    def __init__(self, text: str):
        self.words = list(_WORD.finditer(text))
        self.written = [match[0] for match in self.words]
        self.row_of = {word: _units_of_word(word) for word in set(self.written)}
        self.units = frozenset(chain.from_iterable(self.row_of.values()))

    def runs(self, units: Sequence[str]) -> Iterator[Span]:
        """Where these units, one at least, follow each other."""
        if not self.units.issuperset(units):
            return
        for word in [word for word, row in self.row_of.items() if units[0] in row]:
            offsets = [at for at, unit in enumerate(self.row_of[word]) if unit == units[0]]
            for place in self._places(word):
                for offset in offsets:
                    last = self._last_word(place, offset, units)
                    if last is not None:
                        yield Span(self.words[place].start(), self.words[last].end())

    def _places(self, word: str) -> Iterator[int]:
        place = -1
        for _ in range(self.written.count(word)):
            place = self.written.index(word, place + 1)
            yield place

    def _last_word(self, place: int, offset: int, units: Sequence[str]) -> int | None:
        """The word in which a row of units ends that begins in a word at an offset; None where
        another unit comes between.
        """
        row = self.row_of[self.written[place]][offset:]
        while len(row) < len(units) and place + 1 < len(self.written):
            place += 1
            row += self.row_of[self.written[place]]
        return place if row[: len(units)] == tuple(units) else None


@lru_cache(maxsize=20_000)
def keyword_pattern(words: str, case: bool = False) -> re.Pattern[str]:
    """How a keyword is found: never as a regular expression of the curator's, always at borders of
    letters and digits.

    Between words, letters and digits one space, hyphen or slash may stand or be missing (`IL-10`,
    `IL10`, `IL 10`); Greek letters and their names are one; `+` and other signs are part of the
    name (`AROM+`, `Ca2+`). A last plain word of four letters or more may be in the plural.
    """
    if power := power_pattern(words, case):
        return power
    matches = list(_PIECE.finditer(words.strip()))
    while matches and matches[0][0] in _DASHES:
        matches.pop(0)
    pieces = [match[0] for match in matches]
    body, before = "", ""
    for place, piece in enumerate(pieces):
        is_last = place == len(pieces) - 1
        if piece in _DASHES and before and not is_last:
            continue
        sign = not (piece[0].isalnum() or piece[0] == "_")
        if place and matches[place].start() > matches[place - 1].end() and (sign or _sign(before)):
            body += r"\s+"
        elif body and not sign and not _sign(before):
            body += _gap(words, before, piece)
        body += _piece_pattern(piece, case, is_last)
        before = piece
    if not body:
        return re.compile(r"(?!)")
    boundary_before = r"(?<![^\W_])" if not _sign(pieces[0]) else ""
    right = r"(?![^\W_])" if not _sign(pieces[-1]) else r"(?!\+)"
    if pieces[0][0].isdigit():
        boundary_before = r"(?<![\w.])"
    return re.compile(boundary_before + body + right, 0 if case else re.IGNORECASE)


def power_pattern(words: str, case: bool = False) -> re.Pattern[str] | None:
    """How `10^-6` is found in each of its spellings: 10^-6, 10⁻⁶, 10(-6), 10<sup>-6</sup>; None
    for words that are no power.
    """
    power = _POWER.fullmatch(with_powers(write_out_tags(words.strip())))
    if power is None:
        return None
    base, exponent = power.groups()
    sign = "[-−–]" if exponent[0] in "-−–" else r"\+?"
    digits = exponent.lstrip("-−–+")
    small = ("⁻" if exponent[0] in "-−–" else "⁺?") + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(d)] for d in digits)
    written = rf"(?:(?:\^|<sup>){sign}{digits}(?!\d)(?:</sup>)?|\({sign}{digits}\)|{small})"
    return re.compile(rf"(?<![\w.]){re.escape(base)}{written}", 0 if case else re.IGNORECASE)


def _sign(piece: str) -> bool:
    return not (piece[0].isalnum() or piece[0] == "_")


def _gap(words: str, before: str, piece: str) -> str:
    """Two plain words need a border between them; letters and digits do not."""
    if before[-1].isalpha() and piece[0].isalpha() and not _greek(before) and not _greek(piece):
        return rf"(?:[\s/{_DASHES}]{{1,3}})"
    return rf"(?:[\s/{_DASHES}]{{0,2}})"


def _greek(piece: str) -> bool:
    return piece.casefold() in GREEK_NAMES or piece.casefold() in _NAME_TO_LETTER


def _piece_pattern(piece: str, case: bool, is_last: bool) -> str:
    low = piece.casefold()
    if piece in APOSTROPHES:
        return f"[{APOSTROPHES}]"
    if low in GREEK_NAMES or low in _NAME_TO_LETTER:
        name = GREEK_NAMES.get(low, low)
        return f"(?:{re.escape(piece)}|{_NAME_TO_LETTER[name]}|{name})"
    plural = (
        "(?:e?s)?"
        if is_last and len(piece) > 3 and piece.isalpha() and piece.islower() and not case
        else ""
    )
    return re.escape(piece) + plural
