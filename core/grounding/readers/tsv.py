"""A vocabulary as a table: `prefix id label synonym scope [parents] [taxon]`, one row a name.

Lines `# key: value` before the header say what the vocabulary is (vocabulary, version, source,
taxon, holds). Only `id` and `label` are needed; without `synonym` a row names its label, and a row
without a label is a further name of the id above. A row of scope OBSOLETE is an obsolete or merged
id with its `replaced_by`, one of scope UNSPOKEN a label that is not looked for in texts; a sibling
`NAME.obsolete.tsv` (id, label, replaced_by, consider) lists obsolete ids too. Streamed: only the
rows of one term are held at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.grounding.readers.record import (
    SynonymScope,
    TermName,
    TermRecord,
    VocabularyReading,
    identifier,
)
from core.grounding.readers.source import numbered_lines, without_compression

SUFFIXES = (".tsv", ".txt")
_SCOPE_OF_SYNONYM = {
    scope.upper(): scope for scope in SynonymScope if scope is not SynonymScope.LABEL
}
_Row = tuple[Any, ...]  # the cells in the order of _COLUMNS, and the line's number
_COLUMNS = (
    "id", "prefix", "label", "synonym", "scope", "parents", "taxon", "definition", "replaced_by",
    "consider",
)  # fmt: skip
_ID, _PREFIX, _LABEL, _SYNONYM, _SCOPE, _PARENTS, _TAXON, _DEFINITION, _REPLACED, _CONSIDER = range(
    len(_COLUMNS)
)
_NUMBER = len(_COLUMNS)
_HEADINGS = {
    "vocabulary": "name",
    "name": "name",
    "version": "version",
    "source": "source",
    "taxon": "taxon",
}


def fits(head: bytes) -> bool:
    """A header line with tabs that has an `id` and a `label` column."""
    if b"\0" in head:
        return False
    for line in head.decode("utf-8-sig", "replace").splitlines():
        if line.strip() and not line.startswith("#"):
            return {"id", "label"} <= {cell.strip().lower() for cell in line.split("\t")}
    return False


def obsolete_file(path: Path) -> Path:
    """Where the obsolete ids of a table are listed."""
    name = without_compression(path.name)
    for ending in SUFFIXES:
        name = name.removesuffix(ending)
    return path.with_name(f"{name}.obsolete.tsv")


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    group: list[_Row] = []
    current, written, curie = "", ("", ""), ""
    for row in _rows(path, reading):
        words = (row[_ID], row[_PREFIX])
        if words != written:
            written, curie = words, identifier(*words)
        if not curie:
            reading.trouble(
                "malformed-id", f"{row[_ID][:60]!r} is not an id.", f"line {row[_NUMBER]}"
            )
            continue
        if curie != current:
            if group:
                yield _term(current, group, reading)
            current, group = curie, []
        group.append(row)
    if group:
        yield _term(current, group, reading)
    if (old := obsolete_file(path)).exists() and old != path:
        yield from _obsolete(old, reading)


def _rows(path: Path, reading: VocabularyReading) -> Iterator[_Row]:
    """The cells of each row in the order of `_COLUMNS`, and the line's number behind them. Rows are
    tuples: a vocabulary has a million.
    """
    header: list[str] = []
    width = 0
    places: Callable[[list[str]], tuple[Any, ...]] = tuple
    further: dict[int, str] = {}  # columns that are not kept
    for number, line in numbered_lines(path, reading):
        if not line or line.isspace():
            continue
        if header:
            cells = list(map(str.strip, line.split("\t")))
            if (size := len(cells)) != width:
                if size < 2 or size > width + 3:
                    message = f"The line has {size} columns, not {width}; it was left out."
                    reading.trouble("malformed-line", message, f"line {number}")
                    continue
                cells = cells[:width] + [""] * (width - size)
            for place, name in further.items():
                if cells[place]:
                    reading.ledger.leave("column", name)
            cells.append("")  # what a column that the table lacks holds
            yield (*places(cells), number)
        elif line.startswith("#"):
            _heading(line, reading)
        else:
            header = [cell.strip().lower() for cell in line.split("\t")]
            if not {"id", "label"} <= set(header):
                raise InputError(
                    f"{path.name} has no header line with id and label.",
                    "See the vocabularies' format.",
                )
            width = len(header)
            further = {n: name for n, name in enumerate(header) if name not in _COLUMNS}
            places = itemgetter(
                *(header.index(name) if name in header else width for name in _COLUMNS)
            )


def _heading(line: str, reading: VocabularyReading) -> None:
    key, _, value = line.lstrip("#").partition(":")
    if key.strip().lower() == "holds":
        reading.holds = tuple(value.lower().replace(",", " ").split())
    elif field := _HEADINGS.get(key.strip().lower()):
        setattr(reading, field, value.strip())


def _term(curie: str, group: list[_Row], reading: VocabularyReading) -> TermRecord:
    label = next((row[_LABEL] for row in group if row[_LABEL]), "")
    names: dict[str, SynonymScope] = {}
    parents: list[str] = []
    for row in group:
        own = row[_LABEL] or label
        if own != label:
            names.setdefault(own, SynonymScope.EXACT)
            message = (
                f"{curie} has two labels: {label!r} and {own!r}; the second is kept as a synonym."
            )
            reading.trouble("duplicate-id", message, f"line {row[_NUMBER]}")
        text = row[_SYNONYM] or row[_LABEL]
        if text and text != label and text not in names:
            names[text] = _scope(row[_SCOPE])
        if above := row[_PARENTS]:
            parents += map(identifier, above.replace("|", " ").split())
    main_row, where = group[0], f"line {group[0][_NUMBER]}"
    if main_row[_SCOPE].upper() == "OBSOLETE":
        return _obsolete_term(curie, main_row, where)
    return TermRecord(
        curie,
        label or next(iter(names), curie),
        tuple(map(TermName, names, names.values())),
        tuple(dict.fromkeys(filter(None, parents))),
        taxon=identifier(main_row[_TAXON], "NCBITaxon") if main_row[_TAXON] else "",
        definition=main_row[_DEFINITION],
        where=where,
        unspoken=main_row[_SCOPE].upper() == "UNSPOKEN",
    )


@lru_cache(maxsize=1000)
def _scope(written: str) -> SynonymScope:
    return _SCOPE_OF_SYNONYM.get(written.upper(), SynonymScope.EXACT)


def _obsolete(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    for row in _rows(path, reading):
        where = f"{path.name}, line {row[_NUMBER]}"
        if curie := identifier(row[_ID]):
            yield _obsolete_term(curie, row, where)
        else:
            reading.trouble("malformed-id", f"{row[_ID][:60]!r} is not an id.", where)


def _obsolete_term(curie: str, row: _Row, where: str) -> TermRecord:
    """An obsolete id; `replaced_by` is taken when it is one, several are for a person to judge."""
    replaced = _ids(row[_REPLACED])
    consider = _ids(row[_CONSIDER]) + (replaced if len(replaced) > 1 else ())
    by = replaced[0] if replaced else ""
    return TermRecord(curie, row[_LABEL], obsolete=True, replaced_by=by, where=where,
                      consider=consider)  # fmt: skip


def _ids(text: str) -> tuple[str, ...]:
    return tuple(id for word in text.replace("|", " ").split() if (id := identifier(word)))
