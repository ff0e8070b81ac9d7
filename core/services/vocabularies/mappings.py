"""Mappings between ids that a project was given as SSSOM: the same thing in another vocabulary,
without a network (CHEBI, DrugBank or MedDRA to MeSH), as Node Normalizer says it with one.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from core.curie import is_curie
from core.desk_parts import HasFolder
from core.errors import InputError
from core.grounding.index.mapping_index import MappingRow
from core.model import Candidate, MatchKind, Term
from core.model.mapping import NO_TERM, SAME_THING
from core.whole_file import whole_file

NAME, TITLE = "mappings", "Mappings of this project"
TAKES = "an id such as CHEBI:15365"
FILE = ".mappings.sssom.tsv"  # in the project's folder of vocabularies
COLUMNS = (
    "subject_id", "subject_label", "predicate_id", "predicate_modifier", "object_id",
    "object_label", "mapping_justification", "author_id", "mapping_date", "comment",
)  # fmt: skip

Row = Mapping[str, str]


def is_of_ids(row: Row) -> bool:
    """Whether a row of SSSOM maps an id, not words."""
    return bool(row.get("subject_id")) and row.get("subject_type", "") != "rdfs literal"


def check_mapping(row: Row) -> None:
    """Raises InputError for a row whose ids are none, or that does not say how they are related."""
    for column in ("subject_id", "object_id"):
        if not is_curie(row.get(column, "")):
            message = f"{row.get(column, '')[:60]!r} is not an id of the form PREFIX:123."
            raise InputError(message, "Check the id.")
    if not row.get("predicate_id"):
        raise InputError("The row has no predicate_id.", "Say how the two are related.")


def keep_mappings(desk: HasFolder, rows: Iterable[Row]) -> int:
    """Add rows to the project's mappings; how many are kept in all. What is there stays once."""
    mapping_rows = {_key(row): row for row in (*_rows(desk), *rows)}
    with whole_file(_file(desk)) as part:
        writer = csv.DictWriter(
            part, COLUMNS, dialect="excel-tab", lineterminator="\n", extrasaction="ignore"
        )
        writer.writeheader()
        writer.writerows(mapping_rows.values())
    return len(mapping_rows)


def equivalent_terms(desk: HasFolder, id: str) -> tuple[Candidate, ...]:
    """What the mappings say is the same as `id`, in either direction, in the order of the ids. A
    row with the modifier `Not` takes its pair out.
    """
    pairs: dict[str, str] = {}
    refused: set[str] = set()
    for row in _rows(desk):
        for own_side, other_side in (("subject", "object"), ("object", "subject")):
            other = row[f"{other_side}_id"]
            is_same = row["predicate_id"] in SAME_THING and other != NO_TERM
            if row[f"{own_side}_id"] != id or not is_same:
                continue
            if row["predicate_modifier"].casefold() == "not":
                refused.add(other)
            else:
                pairs.setdefault(other, row[f"{other_side}_label"] or other)
    return tuple(
        Candidate(Term(other, label), MatchKind.PARTIAL, 1.0, label, vocabulary=NAME)
        for other, label in sorted(pairs.items())
        if other not in refused
    )


def same_rows(desk: HasFolder, ids: Collection[str]) -> Iterator[MappingRow]:
    """The mappings of the project that say of two of these ids that they are one thing."""
    for row in _rows(desk):
        one, other = row["subject_id"], row["object_id"]
        refused = row["predicate_modifier"].casefold() == "not"
        if row["predicate_id"] in SAME_THING and one in ids and other in ids and not refused:
            justification = row["mapping_justification"]
            yield MappingRow(one, other, row["predicate_id"], justification, "imported")


def has_any(desk: HasFolder) -> bool:
    """Whether the project has mappings."""
    return _file(desk).is_file()


def _rows(desk: HasFolder) -> Iterator[dict[str, str]]:
    if not has_any(desk):
        return
    with _file(desk).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, dialect="excel-tab"):
            yield {column: row.get(column) or "" for column in COLUMNS}


def _key(row: Row) -> tuple[str, ...]:
    columns = ("subject_id", "predicate_id", "predicate_modifier", "object_id")
    return tuple(row.get(column, "") for column in columns)


def _file(desk: HasFolder) -> Path:
    return desk.vocabularies / FILE
