"""What became of each letter of a source: it is in the paper that was read, as body, heading,
caption, table, references …, it was left out for a reason, or it is missing.

Each piece of the source (a line, a text node) is looked for in what was read, by its letters and
digits alone; the reader's own bookkeeping is not asked.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from core.documents.reference_entry import ENTRY
from core.model import Json, Problem, Severity

GAP = 0.05  # share missing of the letters that had to be read, from which a reader warns
SHORT = (
    4  # letters; so few are found anywhere, and go with the piece before where not in their place
)
PAGE = 2_500  # letters of a page in print
BLOCKING = ("text-missing", "heading-takes-page")  # codes of what is to be looked at before sending
NUMBERS = "numbers of headings"
BIBLIOGRAPHY = "bibliography (authors, journal, date, ids)"
_DIGITS = "0123456789"
SHOWN = 3  # examples of what is missing
LONGEST_EXAMPLE = 80  # characters
# Letters that are searched for words out of their place, about a second; what is still out of
# its place then is missing
MOST_SEARCHED = 1_000_000_000


@dataclass(frozen=True, slots=True)
class SourcePiece:
    """Words of a source in its order. `reason`: why they may be missing from what is read; "" for
    words that must be there. Those `apart` are no text of the paper, such as its authors, and are
    not looked for in it.
    """

    words: str
    reason: str = ""
    apart: bool = False


def record_pieces(
    fields: Iterable[tuple[str, str]], texts: Collection[str], bibliography: Collection[str]
) -> Iterator[SourcePiece]:
    """The fields of a record, as (name, words): those of `texts` hold its title and abstract, those
    of `bibliography` are kept beside the text, others are not kept.
    """
    for name, words in fields:
        if name in texts:
            yield SourcePiece(words)
        elif name in bibliography:
            yield SourcePiece(words, BIBLIOGRAPHY, apart=True)
        else:
            yield SourcePiece(words, f"not kept: {name}", apart=True)


@dataclass(frozen=True, slots=True)
class TextLedger:
    """Letters and digits by what they were read as (`kept`) and by why they were left out;
    `missing` have no account, `examples` begin some of these.
    """

    kept: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    missing: int = 0
    examples: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return sum(self.kept.values()) + sum(self.left_out.values()) + self.missing

    @property
    def gap(self) -> float:
        """The share missing of the letters that had to be read, 0 to 1: what was left out for a
        reason, such as a long note of a record, makes a lost abstract no smaller.
        """
        due = sum(self.kept.values()) + self.missing
        return self.missing / due if due else 0.0

    def json(self) -> Json:
        """Counts of letters and digits; `shares` are parts of all, 0 to 1."""
        total = self.total or 1
        return {
            "letters": self.total,
            "kept": self.kept,
            "left_out": self.left_out,
            "missing": self.missing,
            "examples": list(self.examples),
            "shares": {name: round(count / total, 4) for name, count in self.shares().items()},
        }

    def shares(self) -> dict[str, int]:
        """Letters of each kind, what was left out as one, what is missing as one."""
        return {**self.kept, "left out": sum(self.left_out.values()), "missing": self.missing}


def account(pieces: Iterable[SourcePiece], parts: Sequence[tuple[str, str]]) -> TextLedger:
    """What became of the pieces of a source in what was read from it: the parts, as (kind, words).

    >>> account([SourcePiece("Tau fell."), SourcePiece("Menu", "menus")], [("body", "Tau fell.")])
    TextLedger(kept={'body': 7}, left_out={'menus': 4}, missing=0, examples=())
    """
    places = _Places([(kind, _letters(words)) for kind, words in parts])
    kept, left_out = Counter[str](), Counter[str]()
    missing, examples, before = 0, list[str](), ""
    for piece in pieces:
        letters = _letters(piece.words)
        if not letters:
            continue
        if piece.apart:
            left_out[piece.reason] += len(letters)
            continue
        kind = places.find(letters)
        named = letters.lstrip(_DIGITS)
        if not kind and SHORT <= len(named) < len(letters) and (kind := places.find(named)):
            left_out[NUMBERS] += len(letters) - len(named)
            letters = named
        if not kind and len(letters) < SHORT and not piece.reason:
            kind = before
        if kind:
            kept[kind] += len(letters)
            before = kind
        elif piece.reason:
            left_out[piece.reason] += len(letters)
        else:
            missing += len(letters)
            if len(examples) < SHOWN:
                examples.append(" ".join(piece.words.split())[:LONGEST_EXAMPLE])
    return TextLedger(
        dict(sorted(kept.items())), dict(sorted(left_out.items())), missing, tuple(examples)
    )


def ledger_problems(ledger: TextLedger, where: str) -> list[Problem]:
    """A warning where more than a twentieth of what had to be read of a source is missing."""
    if ledger.gap <= GAP:
        return []
    message = (
        f"{ledger.gap:.0%} of the letters of its text are in no part of what was read, such as"
        f" “{'”, “'.join(ledger.examples)}”."
    )
    hint = "Compare with the source, or add the paper in another format."
    return [Problem("text-missing", message, Severity.WARNING, where, hint)]


def heading_problems(name: str, text: str, where: str) -> list[Problem]:
    """A warning where a heading of references takes a page of text that has no entry of a list."""
    run = longest = 0
    for line in text.split("\n"):
        run = 0 if ENTRY.search(line.strip()) else run + len(_letters(line))
        longest = max(longest, run)
    if longest <= PAGE:
        return []
    message = (
        f"Under the heading “{name}” {longest:,} letters in a row stand as references and do"
        " not look like references."
    )
    hint = "Compare with the source, or add the paper in another format."
    return [Problem("heading-takes-page", message, Severity.WARNING, where, hint)]


class _Places:
    """The parts as (kind, letters); a search goes on behind what was found last."""

    def __init__(self, parts: Sequence[tuple[str, str]]):
        self._parts = parts or [("", "")]
        self._part = self._at = 0
        self._left = MOST_SEARCHED

    def find(self, letters: str) -> str:
        """The kind of the part that holds them, "" for none."""
        kind, words = self._parts[self._part]
        if words.startswith(letters, self._at):
            self._at += len(letters)
            return kind
        if len(letters) < SHORT:
            return self._short(letters)
        found = self._search(words, letters, self._at)
        if found >= 0:
            self._at = found + len(letters)
            return kind
        for number, (kind, words) in enumerate(self._parts):
            found = self._search(words, letters, 0)
            if found >= 0:
                self._part, self._at = number, found + len(letters)
                return kind
        return ""

    def _search(self, words: str, letters: str, start: int) -> int:
        """Where the letters stand from `start` on; -1 for nowhere, and when too much was searched:
        a source of which nothing was read must not cost its length squared.
        """
        if self._left <= 0:
            return -1
        found = words.find(letters, start)
        self._left -= (len(words) if found < 0 else found) - start
        return found

    def _short(self, letters: str) -> str:
        """Where a whole part, such as a heading, is as short."""
        return next((kind for kind, words in self._parts if words == letters), "")


_NO_LETTER = {code: None for code in range(128) if not chr(code).isalnum()}


def _letters(words: str) -> str:
    if words.isascii():  # most of what is imported; thirty times as fast
        return words.lower().translate(_NO_LETTER)
    folded = unicodedata.normalize("NFKC", words).casefold()
    return "".join(letter for letter in folded if letter.isalnum())
