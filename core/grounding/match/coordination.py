"""Names said together: "breast and ovarian cancers", "type 1 and type 2 diabetes", "hepatitis A and
B", "SIK1/2". Each is written out; none is a name made of the numbers of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.model import Span

# "nausea and/or vomiting", "renal, hepatic"; a slash only before a word ("liver/kidney")
_COORDINATION = re.compile(r"\s+and/or\s+|,\s+(?:and|or)\s+|\s+(?:and|or)\s+|,\s+|/(?=[^\W\d_]{4})")
_N = r"(?:\d{1,2}[A-Za-z]?|[IVX]{1,4}|[A-H])(?![\w-])"
_KIND = r"(?i:(?:sub)?types?|stages?|grades?|class(?:es)?|groups?|factors?|complex(?:es)?)"
# "type 1 and type 2", "types I, II or III", "A and B"; numbers parted by a comma alone need a kind
_SERIES = re.compile(
    rf"(?<![\w.,/-])(?:(?P<kind>{_KIND})\s+)?(?P<numbers>{_N}(?:,\s+{_N})*)"
    rf"(?:,?\s+(?:and/or|and|or|&)\s+|(?P<light>,\s+|/))(?P<again>{_KIND}\s+)?(?P<last>{_N})"
)
_NUMBER = re.compile(_N)
# "SIK1/2", "ERK1/2": the letters go with each number
_SLASHED = re.compile(r"(?<![\w/-])([A-Za-z][A-Za-z-]{1,7})(\d{1,2})((?:/\d{1,2})+)(?![\w/-])")


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers that are said together in a text: where, the word before them in the singular
    (`kind`: type; may be empty), each number's place, and where the last begins with its own such
    word.
    """

    span: Span
    kind: str
    numbers: tuple[Span, ...]
    last_start: int

    def names(self, text: str, before: str, behind: str) -> tuple[str, ...]:
        """The names of all, each with its number between `before` and `behind`.

        >>> text = "type 1 or 2 diabetes"
        >>> next(number_series(text)).names(text, "", "diabetes")
        ('type 1 diabetes', 'type 2 diabetes')
        """
        kind = f"{self.kind} " if self.kind else ""
        return tuple(
            " ".join(f"{before} {kind}{number.quote(text)} {behind}".split())
            for number in self.numbers
        )


def number_series(text: str) -> Iterator[Series]:
    """Every series of two numbers or more, in order."""
    for match in _SERIES.finditer(text):
        kind = match["kind"] or ""
        if match["light"] and not kind:
            continue
        first = [Span(*n.span()) for n in _NUMBER.finditer(text, *match.span("numbers"))]
        last = Span(*match.span("last"))
        last_start = match.start("again" if match["again"] else "last")
        yield Series(Span(*match.span()), _singular(kind), (*first, last), last_start)


def _singular(kind: str) -> str:
    if kind.casefold() in ("class", "classes", "complex", "complexes"):
        return kind.removesuffix("es")
    return kind.removesuffix("s")


def slashed_symbols(text: str) -> Iterator[tuple[Span, tuple[tuple[str, Span], ...]]]:
    """Every place of symbols such as "SIK1/2", and each of them written out, with its own place:
    the first whole, of the others their number.

    >>> list(slashed_symbols("SIK1/2 loss"))
    [(Span(start=0, end=6), (('SIK1', Span(start=0, end=4)), ('SIK2', Span(start=5, end=6))))]
    """
    for match in _SLASHED.finditer(text) if "/" in text else ():
        symbols = [(f"{match[1]}{match[2]}", Span(match.start(), match.end(2)))]
        for number in re.finditer(r"\d+", match[3]):
            start = match.start(3) + number.start()
            symbols.append((f"{match[1]}{number[0]}", Span(start, start + len(number[0]))))
        yield Span(*match.span()), tuple(symbols)


def expand_coordination(words: str) -> tuple[str, ...]:
    """The names that are said together, each written out; empty for a single name.

    >>> expand_coordination("breast/ovarian cancer"), expand_coordination("breast cancer")
    (('breast cancer', 'ovarian cancer'), ())
    >>> expand_coordination("Type I and II C2 deficiency")
    ('Type I C2 deficiency', 'Type II C2 deficiency')
    """
    if series := next(number_series(words), None):
        before, behind = words[: series.span.start], words[series.span.end :]
        if before.strip() or behind.strip():
            return series.names(words, before, behind)
    pieces = [piece.strip() for piece in _COORDINATION.split(words)]
    if len(pieces) < 2 or not all(pieces) or len(pieces[-1].split()) < 2:
        return ()
    if any(len(piece.split()) > 2 for piece in pieces[:-1]):
        return ()
    head = pieces[-1].split()[-1]
    return (*(f"{piece} {head}" for piece in pieces[:-1]), pieces[-1])


def says_numbers_together(words: str) -> bool:
    """Whether words say several numbers of one kind of thing.

    >>> says_numbers_together("type 1 and 2 diabetes"), says_numbers_together("type 2 diabetes")
    (True, False)
    """
    return next(number_series(words), None) is not None
