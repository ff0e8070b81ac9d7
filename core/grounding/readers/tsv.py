"""A vocabulary as a table: `prefix id label synonym scope [parents] [taxon]`, one row a name.

Lines `# key: value` before the header say what the vocabulary is (vocabulary, version, source,
taxon, holds). Only `id` and `label` are needed; without `synonym` a row names its label, and a row
without a label is a further name of the id above. A row of scope OBSOLETE is an obsolete or merged
id with its `replaced_by`; a sibling `NAME.obsolete.tsv` (id, label, replaced_by, consider) lists
such ids too. Streamed: only the rows of one term are held at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from core.errors import InputError
from core.grounding.readers.record import Name, Reading, Scope, TermRecord, identifier
from core.grounding.readers.source import numbered_lines, without_compression

SUFFIXES = (".tsv", ".txt")
_SCOPE_OF_SYNONYM = {scope.upper(): scope for scope in Scope if scope is not Scope.LABEL}
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


def read(path: Path, reading: Reading) -> Iterator[TermRecord]:
    group: list[tuple[int, Mapping[str, str]]] = []
    current, written, curie = "", ("", ""), ""
    for number, row in _rows(path, reading):
        words = (row.get("id", ""), row.get("prefix", ""))
        if words != written:
            written, curie = words, identifier(*words)
        if not curie:
            reading.trouble(
                "malformed-id", f"{row.get('id', '')[:60]!r} is not an id.", f"line {number}"
            )
            continue
        if curie != current and group:
            yield _term(current, group, reading)
            group = []
        current = curie
        group.append((number, row))
    if group:
        yield _term(current, group, reading)
    if (old := obsolete_file(path)).exists() and old != path:
        yield from _obsolete(old, reading)


def _rows(path: Path, reading: Reading) -> Iterator[tuple[int, dict[str, str]]]:
    header: list[str] = []
    for number, line in numbered_lines(path, reading):
        if not line.strip():
            continue
        if line.startswith("#") and not header:
            _heading(line, reading)
        elif not header:
            header = [cell.strip().lower() for cell in line.split("\t")]
            if not {"id", "label"} <= set(header):
                raise InputError(
                    f"{path.name} has no header line with id and label.",
                    "See the vocabularies' format.",
                )
        else:
            cells = list(map(str.strip, line.split("\t")))
            if len(cells) < 2 or len(cells) > len(header) + 3:
                message = f"The line has {len(cells)} columns, not {len(header)}; it was left out."
                reading.trouble("malformed-line", message, f"line {number}")
                continue
            yield number, dict(zip(header, cells, strict=False))


def _heading(line: str, reading: Reading) -> None:
    key, _, value = line.lstrip("#").partition(":")
    if key.strip().lower() == "holds":
        reading.holds = tuple(value.lower().replace(",", " ").split())
    elif field := _HEADINGS.get(key.strip().lower()):
        setattr(reading, field, value.strip())


def _term(curie: str, group: list[tuple[int, Mapping[str, str]]], reading: Reading) -> TermRecord:
    label = next((row["label"] for _, row in group if row.get("label")), "")
    names: dict[str, Scope] = {}
    parents: list[str] = []
    for number, row in group:
        own = row.get("label") or label
        if own != label:
            names.setdefault(own, Scope.EXACT)
            message = (
                f"{curie} has two labels: {label!r} and {own!r}; the second is kept as a synonym."
            )
            reading.trouble("duplicate-id", message, f"line {number}")
        text = row.get("synonym") or row.get("label") or ""
        if text and text != label and text not in names:
            names[text] = _SCOPE_OF_SYNONYM.get(row.get("scope", "").upper(), Scope.EXACT)
        if above := row.get("parents"):
            parents += map(identifier, above.replace("|", " ").split())
    first = group[0][1]
    if first.get("scope", "").upper() == "OBSOLETE":
        return _obsolete_term(curie, first, f"line {group[0][0]}")
    return TermRecord(
        curie,
        label or next(iter(names), curie),
        tuple(Name(text, scope) for text, scope in names.items()),
        tuple(dict.fromkeys(parent for parent in parents if parent)),
        taxon=identifier(first.get("taxon", ""), "NCBITaxon"),
        definition=first.get("definition", ""),
        where=f"line {group[0][0]}",
    )


def _obsolete(path: Path, reading: Reading) -> Iterator[TermRecord]:
    for number, row in _rows(path, reading):
        curie = identifier(row.get("id", ""))
        if not curie:
            reading.trouble(
                "malformed-id",
                f"{row.get('id', '')[:60]!r} is not an id.",
                f"{path.name}, line {number}",
            )
            continue
        yield _obsolete_term(curie, row, f"{path.name}, line {number}")


def _obsolete_term(curie: str, row: Mapping[str, str], where: str) -> TermRecord:
    """An obsolete id; `replaced_by` is taken when it is one, several are for a person to judge."""
    replaced = _ids(row.get("replaced_by", ""))
    consider = _ids(row.get("consider", "")) + (replaced if len(replaced) > 1 else ())
    by = replaced[0] if replaced else ""
    return TermRecord(
        curie, row.get("label", ""), obsolete=True, replaced_by=by, where=where, consider=consider
    )


def _ids(text: str) -> tuple[str, ...]:
    return tuple(id for word in text.replace("|", " ").split() if (id := identifier(word)))
