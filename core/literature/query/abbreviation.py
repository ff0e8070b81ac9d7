"""Abbreviations that the corpus itself defines: a keyword is also looked for by its other form.

"AZT (azidothymidine)" in one chunk makes the two names of one thing in all. The index keeps every
definition with the number of chunks that state it. One is trusted when at least SHARE of the short
form's definitions say the same, and the short form is defined in at least STATED of the chunks that
hold it: `CM` is then not taken for cardiomyopathy where it is mostly a centimetre.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.literature.index.cluster import Spread
from core.literature.index.reader import ChunkIndex
from core.literature.index.tokens import text_units
from core.literature.query.keyword import Keyword
from core.text.abbreviation import find_abbreviations

SHARE, STATED = 0.5, 0.1
LONGEST = 120  # characters of a long form


@dataclass(frozen=True, slots=True)
class AbbreviationDefinition:
    """Two names of one thing, as written where first seen, and in how many chunks the corpus says
    so.
    """

    short: str
    long: str
    chunks: int = 1


@dataclass(frozen=True, slots=True)
class AbbreviationExpansion:
    """A keyword and the name it is also looked for by."""

    keyword: str
    instead: str
    chunks: int


Written = Counter[tuple[str, str]]  # short and long form as written → chunks that state it


def collect_abbreviations(written: Written, text: str) -> None:
    """Count the definitions of a chunk's text."""
    if "(" in text or "[" in text:
        written.update(
            (_line(abbreviation.short), _line(abbreviation.long))
            for abbreviation in find_abbreviations(text).values()
            if len(abbreviation.long) <= LONGEST
        )


def definitions(written: Written) -> dict[tuple[str, str], AbbreviationDefinition]:
    """What was counted, by the units of both forms."""
    by_units: dict[tuple[str, str], AbbreviationDefinition] = {}
    for names, chunks in written.items():
        short, long = map(_key, names)
        if short and long and short != long:
            first = by_units.get((short, long)) or AbbreviationDefinition(*names, chunks=0)
            by_units[short, long] = replace(first, chunks=first.chunks + chunks)
    return by_units


def definition_rows(written: Written) -> Iterator[str]:
    """Each definition twice, to be looked up by either form: `S` before a short form, `L` before a
    long one.
    """
    for (short, long), definition in definitions(written).items():
        yield f"S{short}\t{long}\t{definition.chunks}\t{definition.short}\t{definition.long}"
        yield f"L{long}\t{short}"


def expansions(
    keywords: Iterable[Keyword], parts: Sequence[ChunkIndex], spread: Spread
) -> tuple[AbbreviationExpansion, ...]:
    """The other names of keywords that parts of a corpus define. A keyword whose case matters has
    none.
    """
    text_by_key = {_key(keyword.text): keyword.text for keyword in keywords if not keyword.case}
    text_by_key.pop("", None)
    if not text_by_key:
        return ()
    shorts = sorted(
        {
            short
            for part_shorts in spread(lambda part: _shorts(part, text_by_key), parts)
            for short in part_shorts
        }
    )
    if not shorts:
        return ()
    stated: dict[str, dict[str, AbbreviationDefinition]] = {short: {} for short in shorts}
    chunks_by_short = dict.fromkeys(shorts, 0)
    for definitions_of_part in spread(
        lambda part: {short: _defined(part, short) for short in shorts}, parts
    ):
        for short, (count, longs) in definitions_of_part.items():
            chunks_by_short[short] += count
            for long, definition in longs.items():
                earlier = stated[short].get(long)
                total = definition.chunks + (earlier.chunks if earlier else 0)
                stated[short][long] = AbbreviationDefinition(
                    (earlier or definition).short, (earlier or definition).long, total
                )
    return tuple(_trusted(text_by_key, stated, chunks_by_short))


def _trusted(
    text_by_key: Mapping[str, str],
    stated: Mapping[str, Mapping[str, AbbreviationDefinition]],
    chunks_by_short: Mapping[str, int],
) -> Iterator[AbbreviationExpansion]:
    for short, longs in stated.items():
        total = sum(definition.chunks for definition in longs.values())
        for long, definition in longs.items():
            if definition.chunks >= SHARE * total and total >= STATED * chunks_by_short[short]:
                if short in text_by_key:
                    yield AbbreviationExpansion(
                        text_by_key[short], definition.long, definition.chunks
                    )
                if long in text_by_key:
                    yield AbbreviationExpansion(
                        text_by_key[long], definition.short, definition.chunks
                    )


def _shorts(index: ChunkIndex, keys: Iterable[str]) -> set[str]:
    """The short forms that any of these forms may be, or be the long form of."""
    short_forms = {key for key in keys if any(index.definitions.starting(f"S{key}\t"))}
    for key in keys:
        short_forms.update(row.split("\t")[1] for _, row in index.definitions.starting(f"L{key}\t"))
    return short_forms


def _defined(index: ChunkIndex, short: str) -> tuple[int, dict[str, AbbreviationDefinition]]:
    """In how many chunks a short form occurs at most, and its definitions by the units of the long
    form.
    """
    longs = {}
    for _, row in index.definitions.starting(f"S{short}\t"):
        _, long, chunks, *written = row.split("\t")
        longs[long] = AbbreviationDefinition(written[0], written[1], int(chunks))
    return min(index.spread(index.unit(unit)) for unit in short.split(" ")), longs


def _key(words: str) -> str:
    return " ".join(text_units(words))


def _line(words: str) -> str:
    return " ".join(words.split())
