"""The items of one field's answer: lists split with care, and each item freed of what is not part
of it.
"""

from __future__ import annotations

import re

from core.schema.definition import RangeKind, Slot
from core.text.phrases import one_of

OPEN, CLOSE = "([{", ")]}"
QUOTES = {'"': '"', "“": "”", "'": "'", "‘": "’", "`": "`", "«": "»", "„": "“"}
WRAPS = {"[": "]", "<": ">"}
# A full stop that belongs to the word: "E. coli spp.", "Inc."
KEEP_STOP = re.compile(
    r"(?:\b(?:sp|spp|subsp|ssp|var|cf|etc|al|Inc|Ltd|Co|approx|vs|No|St|Dr|[A-Za-z])|\.\w+)\.$"
)
# After a comma, such a word goes with the name before it: "dystrophy, autosomal dominant"
_MODIFIERS = one_of(r"""
    type grade stage class group form variant subtype autosomal x-linked y-linked familial
    congenital hereditary idiopathic primary secondary bilateral unilateral acute chronic
    recurrent transient permanent severe mild moderate juvenile infantile neonatal adult early
    late susceptibility protection resistance dominant recessive with without due induced
    unspecified generalized localized malignant benign nonsyndromic syndromic isolated
    chopped diced minced sliced peeled grated crushed ground melted divided drained beaten
    softened or i{1,3} iv [ivx]+ \d+\w? alpha beta gamma delta [a-z]
""")
MODIFIER = re.compile(rf"{_MODIFIERS}\b", re.I)
ARROW = re.compile(r"\s(?:-+|–|—|->|→|=>|to|and|with|NOT|[A-Z]{4,})\s")
TUPLE = re.compile(r"\([^(),]*,[^(),]*,[^()]*\)")
# Numbers in a list, none of them a name: "1, 2 and 3"
NUMBERS = re.compile(r"[-+]?\d[\d.]*(?:(?:,\s+(?:and\s+)?|\s+and\s+)[-+]?\d[\d.]*)+")
HYPHEN = re.compile(ARROW.pattern + r"|\S-\S")
LAST = re.compile(r"(?:and|or|&)\s+", re.I)
LAST_PAIR = re.compile(r"\s+(?:and|&)\s+")
MAX_COMMA_WORDS = 8


def split_outside(text: str, separator: str) -> list[str]:
    """`text` cut at `separator`, but not inside brackets that close again."""
    if separator not in text:
        return [text]
    guarded = has_balanced_brackets(text)
    pieces, depth, start, at = [], 0, 0, 0
    while at < len(text):
        if guarded and text[at] in OPEN:
            depth += 1
        elif guarded and text[at] in CLOSE:
            depth -= 1
        elif depth == 0 and text.startswith(separator, at):
            pieces.append(text[start:at])
            at += len(separator)
            start = at
            continue
        at += 1
    return [*pieces, text[start:]]


def has_balanced_brackets(text: str) -> bool:
    """Whether every bracket of `text` closes, in order."""
    waiting: list[str] = []
    for char in text:
        if char in OPEN:
            waiting.append(CLOSE[OPEN.index(char)])
        elif char in CLOSE and (not waiting or waiting.pop() != char):
            return False
    return not waiting


def split_commas(text: str) -> list[str]:
    """A comma list ("A, B and C") as its items; a name that has commas in it ("1,25-…", "…, type
    2") stays whole.
    """
    joined: list[str] = []
    for piece in (
        re.split(r",\s+", text) if not has_balanced_brackets(text) else split_at_commas(text)
    ):
        if joined and (MODIFIER.match(piece.strip()) and not LAST.match(piece.strip())):
            joined[-1] += ", " + piece.strip()
        elif piece.strip():
            joined.append(piece.strip())
    if len(joined) < 2 or any(len(piece.split()) > MAX_COMMA_WORDS for piece in joined):
        return [text]
    last_item = LAST.sub("", joined[-1], count=1) if LAST.match(joined[-1]) else joined[-1]
    ending = [last_item] if last_item != joined[-1] else short_pair(last_item)
    return [*joined[:-1], *ending]


def split_at_commas(text: str) -> list[str]:
    pieces = [""]
    for piece in split_outside(text, ","):
        if len(pieces) == 1 and not pieces[0]:
            pieces[0] = piece
        elif piece[:1].isspace():
            pieces.append(piece)
        else:
            pieces[-1] += "," + piece
    return pieces


def short_pair(piece: str) -> list[str]:
    """The end of a list, "B and C", as two items. "Innate and adaptive immunity" shares its last
    word and stays one.
    """
    pair = LAST_PAIR.split(piece)
    sizes = [len(part.split()) for part in pair]
    return pair if len(pair) == 2 and 3 >= sizes[0] >= sizes[1] else [piece]


def tidy_item(text: str, *, stop: bool = True) -> str:
    """An item without white space, quotes, list brackets, bold marks and full stop around it."""
    tidied = text.strip()
    while True:
        before = tidied
        tidied = tidied.strip().rstrip(";").strip()
        if (
            stop
            and tidied.endswith(".")
            and not tidied.endswith("..")
            and not KEEP_STOP.search(tidied)
        ):
            tidied = tidied[:-1].rstrip()
        tidied = unwrap(tidied)
        if tidied == before:
            return tidied


def unwrap(text: str) -> str:
    if len(text) > 4 and text[:2] == text[-2:] == "**" and "*" not in text[2:-2]:
        return text[2:-2]
    if (
        len(text) > 2
        and text[0] == text[-1]
        and text[0] in "*_"
        and text[0] not in text[1:-1]
        and text[1] != " "
    ):
        return text[1:-1]
    if len(text) < 2:
        return text
    opening, closing, inner = text[0], text[-1], text[1:-1]
    if QUOTES.get(opening) == closing and opening not in inner and closing not in inner:
        return inner
    if WRAPS.get(opening) == closing and opening not in inner and closing not in inner:
        return inner
    return text


def list_items(slot: Slot, lines: list[str], *, relations: bool = False) -> list[str]:
    """The items that the lines of an answer hold for `slot`, tidied, in order; `relations`: each is
    a triple.
    """
    if slot.kind is RangeKind.LITERAL and not slot.multivalued:
        return [tidy_item(" ".join(line.strip() for line in lines), stop=False)]
    pieces = [
        piece
        for row in join_wrapped_lines(slot, lines)
        for piece in split_item(slot, row, relations)
    ]
    return [piece for piece in map(tidy_item, pieces) if piece]


def join_wrapped_lines(slot: Slot, lines: list[str]) -> list[str]:
    """Lines put together again where they were wrapped, and kept apart where each is an item."""
    joined: list[str] = []
    listed = any(slot.separator in line for line in lines)
    for line in filter(None, map(str.strip, lines)):
        before = joined[-1] if joined else ""
        if not before or before.endswith((slot.separator, ";")) or not slot.multivalued:
            wrapped = bool(before) and not slot.multivalued
        else:
            wrapped = listed or before.endswith(",") or (len(before) >= 60 and line[:1].islower())
        if wrapped:
            joined[-1] = f"{before} {line}"
        else:
            joined.append(line)
    return joined


def split_item(slot: Slot, row: str, relations: bool) -> list[str]:
    bare = tidy_item(row)
    pieces = [piece for piece in split_outside(bare, slot.separator or ";") if piece.strip()]
    if len(pieces) > 1 and (slot.multivalued or slot.kind is RangeKind.ENTITY):
        return pieces
    if (
        slot.multivalued
        and len(barred := [piece for piece in re.split(r"\s+\|\s+", bare) if piece.strip()]) > 1
    ):
        return barred
    if slot.kind is RangeKind.OBJECT:
        return split_relations(bare, HYPHEN if relations else ARROW) if slot.multivalued else [bare]
    if not slot.multivalued:
        return split_series(bare) if slot.kind is RangeKind.ENTITY else [bare]
    if slot.kind is RangeKind.LITERAL and NUMBERS.fullmatch(bare):
        return re.findall(r"[-+]?\d[\d.]*", bare)
    return split_commas(bare)


def split_series(text: str) -> list[str]:
    """One field with "A, B and C" in it: three things, where the last comma or "and" shows that it
    is a list.
    """
    items = split_commas(text)
    is_list = len(items) > 2 and re.search(r"(?:,\s*|\s)(?:and|or|&)\s", text)
    return items if is_list else [text]


def split_relations(text: str, link: re.Pattern[str]) -> list[str]:
    """ "A - X, B - Y" as two relations; "onion, chopped" stays one thing."""
    pieces = split_at_commas(text) if has_balanced_brackets(text) else [text]
    related = all(link.search(piece) or TUPLE.fullmatch(piece.strip()) for piece in pieces)
    return pieces if len(pieces) > 1 and related else [text]
