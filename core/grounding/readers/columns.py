"""Any table (CSV or TSV) whose columns a person has mapped: which holds the id, the label, synonyms
and parents.

The mapping stands beside the file in `NAME.columns.json`, so that the table can be compiled again
and updated. `guess` proposes one from the header and the first rows.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from core.errors import InputError
from core.grounding.readers.record import (
    SynonymScope,
    TermName,
    TermRecord,
    VocabularyReading,
    identifier,
)
from core.grounding.readers.source import numbered_lines, without_compression
from core.text.separated import check_columns, readable_table

SUFFIXES = (".csv", ".tsv", ".txt")
ROLES = ("id", "label", "synonyms", "parents", "taxon", "definition")
# What headers are commonly called, for a first guess: "Preferred Label" → label.
_CALLED = {
    "id": r"(?:.*\b)?(?:id|identifier|accession|code|curie|class id|ui)",
    "label": r"(?:preferred )?(?:label|name|term|symbol|title|description)",
    "synonyms": r"synonyms?|alias(?:es)?|(?:alt(?:ernative)?|other) (?:labels?|names?)"
    r"|also known as",
    "parents": r"parents?(?: ids?)?|is_?a|broader|superclass(?:es)?",
    "taxon": r"tax(?:on|id|_id)?|organism",
    "definition": r"definitions?",
}


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """Column names by role; empty: there is none. `prefix` is put before ids that have none;
    several values of a cell are separated by `separator`.
    """

    id: str
    label: str
    synonyms: str = ""
    parents: str = ""
    taxon: str = ""
    definition: str = ""
    prefix: str = ""
    separator: str = "|"


def fits(head: bytes) -> bool:
    """Never by itself: a mapping is what makes a table one (see `mapping_of`)."""
    return False


def mapping_file(path: Path) -> Path:
    """Where the mapping of a table stands."""
    return path.with_name(f"{path.name}.columns.json")


def mapping_of(path: Path) -> ColumnMapping | None:
    """The mapping stored next to a table. Raises InputError for one that is damaged."""
    place = mapping_file(path)
    if not place.exists():
        return None
    try:
        columns = json.loads(place.read_text(encoding="utf-8"))
        return ColumnMapping(**{str(key): str(value) for key, value in columns.items()})
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{place.name} is damaged.", "Map the columns again.") from error


def save_mapping(path: Path, mapping: ColumnMapping) -> None:
    """Store the mapping next to the table."""
    mapping_file(path).write_text(json.dumps(asdict(mapping), indent=1), encoding="utf-8")


def table_preview(path: Path, rows: int = 5) -> tuple[list[str], list[list[str]]]:
    """Header and first rows of a table. Raises InputError for a file that is not a table."""
    numbered_rows = [
        row for _, row in zip(range(rows + 1), _cells(path, VocabularyReading()), strict=False)
    ]
    if not numbered_rows or len(numbered_rows[0][1]) < 2:
        raise InputError(f"{path.name} is not a table with columns.", "Separate them by tabs.")
    return numbered_rows[0][1], [row for _, row in numbered_rows[1:]]


def guess(header: Sequence[str]) -> ColumnMapping:
    """A mapping from what columns are called; roles that no column seems to have stay empty.

    >>> columns = guess(["Gene ID", "Symbol", "Synonyms", "Comment"])
    >>> columns.id, columns.label, columns.synonyms
    ('Gene ID', 'Symbol', 'Synonyms')
    """
    by_role: dict[str, str] = {}
    for role in ROLES:
        for column in header:
            heading = re.sub(r"[_\s]+", " ", column).strip().lower()
            if column not in by_role.values() and re.fullmatch(_CALLED[role], heading):
                by_role[role] = column
                break
    return ColumnMapping(by_role.pop("id", ""), by_role.pop("label", ""), **by_role)


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    mapping = mapping_of(path)
    if mapping is None:
        raise InputError(f"The columns of {path.name} are not mapped.", "Say which is which.")
    yield from mapped_terms(path, mapping, reading)


def mapped_terms(
    path: Path, mapping: ColumnMapping, reading: VocabularyReading
) -> Iterator[TermRecord]:
    """The terms of a table, one row each. Raises InputError for a column that is not there."""
    rows = _cells(path, reading)
    _, header = next(rows, (0, []))
    columns = [mapping.id, mapping.label, mapping.synonyms, mapping.parents, mapping.taxon,
              mapping.definition]  # fmt: skip
    if missing := [name for name in columns if name and name not in header]:
        raise InputError(
            f"{path.name} has no column {missing[0]!r}.", f"It has: {', '.join(header)[:300]}."
        )
    if not mapping.id or not mapping.label:
        raise InputError("A vocabulary needs a column of ids and one of labels.", "Name both.")
    for number, cells in rows:
        row = dict(zip(header, cells, strict=False))
        reading.ledger.leave_cells(row, columns)
        id = identifier(row.get(mapping.id, ""), mapping.prefix)
        if not id:
            message = f"{row.get(mapping.id, '')[:60]!r} is not an id."
            hint = "" if mapping.prefix else "Give a prefix for ids that have none."
            reading.trouble("malformed-id", message, f"line {number}", hint)
            continue
        yield _term(id, row, mapping, f"line {number}")


def _term(id: str, row: Mapping[str, str], mapping: ColumnMapping, where: str) -> TermRecord:
    label = row.get(mapping.label, "").strip()
    synonyms = dict.fromkeys(_several(row, mapping.synonyms, mapping.separator))
    parents = (
        identifier(word, mapping.prefix)
        for word in _several(row, mapping.parents, mapping.separator)
    )
    return TermRecord(
        id,
        label or next(iter(synonyms), id),
        tuple(TermName(text, SynonymScope.EXACT) for text in synonyms if text != label),
        tuple(dict.fromkeys(parent for parent in parents if parent)),
        taxon=identifier(row.get(mapping.taxon, ""), "NCBITaxon") if mapping.taxon else "",
        definition=row.get(mapping.definition, "") if mapping.definition else "",
        where=where,
    )


def _several(row: Mapping[str, str], column: str, separator: str) -> list[str]:
    text = row.get(column, "") if column else ""
    return [part for part in (part.strip() for part in text.split(separator or "|")) if part]


def _cells(path: Path, reading: VocabularyReading) -> Iterator[tuple[int, list[str]]]:
    """Numbered rows; tabs where the first line has some, else commas or semicolons. Quotes are
    read in CSV only, and a row does not run over lines.
    """
    rows = ((number, line) for number, line in numbered_lines(path, reading) if line.strip())
    number, header = next(rows, (0, ""))
    if len(header) >= csv.field_size_limit():
        raise InputError(f"Line {number} of {path.name} is too long.", "Is it a table?")
    by_tab = "\t" in header or without_compression(path.name).lower().endswith(".tsv")
    comma = ";" if header.count(";") > header.count(",") else ","
    split = (
        (lambda line: line.split("\t"))
        if by_tab
        else (lambda line: next(csv.reader(io.StringIO(line), delimiter=comma), []))
    )
    if header:
        with readable_table(path.name):
            names = [cell.strip() for cell in split(header)]
        check_columns(len(names), path.name)
        yield number, names
    for number, line in rows:
        try:
            yield number, [cell.strip() for cell in split(line)]
        except csv.Error:
            reading.trouble("malformed-line", "The line cannot be read.", f"line {number}")
