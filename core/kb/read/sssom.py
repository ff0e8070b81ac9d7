"""SSSOM back into statements: each row that relates two terms; what a `Not` denies stays denied. A
row of ours gives the same statement with the same evidence. Ids are read by the file's `curie_map`;
`sssom:NoTermFound` says that no term fits, and is never one; what no field of ours takes
(confidence, authors, other columns, and the head's licence, version, authors, tool and sources)
stands in the note; what else the head says is named.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping

import yaml

from core.curie import contract_iri, is_curie, normal_curie
from core.errors import InputError
from core.kb.read.in_full import Proposal, read_in_full
from core.kb.read.rdf import ReadStatements
from core.kb.read.unread import UnreadParts
from core.model import Category, Evidence, ReferenceGround, Statement, Term
from core.model.mapping import NO_TERM
from core.text import yaml_guard
from core.text.separated import readable_table

_TAKEN = frozenset(
    ("subject_id", "subject_label", "subject_category", "subject_type", "subject_source",
     "predicate_id", "predicate_label", "predicate_modifier", "object_id", "object_label",
     "object_category", "mapping_justification", "mapping_source", "see_also", "comment",
     "ext_statement")
)  # fmt: skip
# of the head: what holds of each of its rows that says nothing else of it
_OF_EACH = (
    "license", "mapping_set_version", "creator_id", "author_id", "mapping_date",
    "mapping_provider", "mapping_tool", "mapping_tool_version", "subject_source_version",
    "object_source", "object_source_version", "confidence",
)  # fmt: skip
_READ = frozenset((*_OF_EACH, "curie_map", "mapping_set_id", "subject_source", "mapping_source"))
_ABOUT_FILE = frozenset(  # no claim of a row
    ("mapping_set_title", "mapping_set_description", "sssom_version", "extension_definitions")
)
MAX_FILE = 50_000_000  # bytes


def read_sssom(content: bytes) -> ReadStatements:
    """Raises InputError when it is no SSSOM, or no row relates two terms."""
    if len(content) > MAX_FILE:
        raise InputError(f"The file has more than {MAX_FILE:,} bytes.", "Split it.")
    text = content.decode("utf-8-sig", "replace")
    head, rows = _parted(text)
    source, prefixes, of_each = (
        str(head.get("mapping_set_id") or ""),
        _declared(head),
        _of_each(head),
    )
    by_id: dict[str, Proposal] = {}
    unread = UnreadParts()
    for number, row in enumerate(rows, 1):
        if row.get("subject_type") == "rdfs literal" or not row.get("subject_id"):
            continue  # words that mean a term are a memory of names, not a statement
        if NO_TERM in (row.get("subject_id"), row.get("object_id")):
            name = row.get("subject_label") or row.get("subject_id", "")
            unread.add(f"No term fits {name}: this is no mapping.", f"row {number}")
            continue
        try:
            statement = _statement(row, prefixes)
            whole = read_in_full(row.get("ext_statement", ""))
            if whole and whole[0].id == statement.id:
                by_id[statement.id] = whole
                continue
            evidence = tuple(_evidence(of_each | _filled(row), statement, source))
            before = by_id[statement.id][1] if statement.id in by_id else ()
            by_id[statement.id] = (statement, (*before, *evidence))
        except (InputError, KeyError) as error:
            unread.add(str(error), f"row {number}")
    if lost := sorted(map(str, head.keys() - _READ - _ABOUT_FILE)):
        unread.add(f"The head's {', '.join(lost)[:300]} is not kept.", "the head")
    if not by_id:
        raise InputError(
            "This SSSOM file has no row that relates two terms.",
            unread.first_reason or "`memory import` reads rows about words.",
        )
    return ReadStatements(tuple(by_id[name] for name in sorted(by_id)), unread.problems())


def declared_prefixes(content: bytes) -> dict[str, str]:
    r"""The prefixes of a file's `curie_map`. Raises InputError for a head that is not YAML.

    >>> declared_prefixes(b"#curie_map:\n#  LAB: https://example.org/lab/\nsubject_id\n")
    {'LAB': 'https://example.org/lab/'}
    """
    return _declared(_parted(content.decode("utf-8-sig", "replace"))[0])


def _declared(head: Mapping[str, object]) -> dict[str, str]:
    declared = head.get("curie_map")
    pairs = declared.items() if isinstance(declared, dict) else ()
    return {str(prefix): str(iri) for prefix, iri in pairs}


def _of_each(head: Mapping[str, object]) -> dict[str, str]:
    """What the head says of every row, each value as a cell has it."""
    said = {name: head.get(name) for name in _OF_EACH}
    return {
        name: "|".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in said.items()
        if value not in (None, "", [])
    }


def _filled(row: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in row.items() if value}


def is_sssom(content: bytes) -> bool:
    """Whether a table's first line that is no comment names SSSOM's columns."""
    for line in content[:200_000].decode("utf-8-sig", "replace").splitlines():
        if not line.startswith("#"):
            return {"predicate_id", "object_id"} <= set(line.split("\t"))
    return False


def _parted(text: str) -> tuple[Mapping[str, object], Iterator[Mapping[str, str]]]:
    """The metadata in the commented lines, and the rows."""
    lines = text.replace("\r\n", "\n").split("\n")  # no other sign ends a row
    at = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    try:
        head = yaml_guard.load_yaml("\n".join(line[1:] for line in lines[:at]))
    except yaml.YAMLError as error:
        raise InputError(f"The head of this SSSOM file is not YAML: {str(error)[:200]}.") from error
    return head if isinstance(head, dict) else {}, _rows("\n".join(lines[at:]))


def _rows(table: str) -> Iterator[Mapping[str, str]]:
    with readable_table("This SSSOM file"):
        for row in csv.DictReader(io.StringIO(table, newline=""), delimiter="\t"):
            yield {str(k): v for k, v in row.items() if k and isinstance(v, str)}


def _statement(row: Mapping[str, str], prefixes: Mapping[str, str]) -> Statement:
    return Statement(
        _term(row, "subject", prefixes),
        Term(
            id_in_file(row["predicate_id"], prefixes),
            row.get("predicate_label", ""),
            Category.RELATION,
        ),
        _term(row, "object", prefixes),
        negated=row.get("predicate_modifier", "").casefold() == "not",
    )


def _term(row: Mapping[str, str], side: str, prefixes: Mapping[str, str]) -> Term:
    category = row.get(f"{side}_category", "")
    return Term(
        id_in_file(row[f"{side}_id"], prefixes),
        row.get(f"{side}_label", ""),
        Category(category) if category in set(Category) else Category.THING,
    )


def id_in_file(name: str, prefixes: Mapping[str, str]) -> str:
    """An id by what its prefix stands for in the file. Raises InputError for what is none.

    >>> id_in_file("MYHP:0000118", {"MYHP": "http://purl.obolibrary.org/obo/HP_"})
    'HP:0000118'
    """
    prefix, _, local = name.partition(":")
    iri = f"{prefixes[prefix]}{local}" if prefix in prefixes else name
    short = name
    if iri.startswith(("http://", "https://")):
        known = contract_iri(iri) or contract_iri(iri, prefixes)
        short = known or ("" if iri == name else name)
    if not is_curie(short):
        raise InputError(f"{name[:60]!r} is not an id of the form PREFIX:123.")
    return normal_curie(short)


def _evidence(row: Mapping[str, str], statement: Statement, source: str) -> Iterator[Evidence]:
    """Where the mapping is from: its record, its source, or the mapping set."""
    reference = (
        row.get("see_also") or row.get("mapping_source") or row.get("subject_source") or source
    ).split("|")[0]
    if reference.strip():
        others = (f"{name}: {value}" for name, value in row.items() if name not in _TAKEN)
        rest = [words for words in others if not words.endswith(": ")]
        note_parts = (row.get("mapping_justification", ""), row.get("comment", ""), *rest)
        note = ". ".join(part for part in note_parts if part)
        yield Evidence(statement.id, ReferenceGround(reference.strip(), note=note), engine="import")
