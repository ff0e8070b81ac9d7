"""ChEBI's flat files: `compounds.tsv` (ids, names, merged and deleted entries) and `names.tsv`
(every name, by compound), as released until 2025 and since.

`compounds.tsv` says which id took the place of a merged one; `names.tsv` alone has the synonyms.
Neither holds the hierarchy: chebi.obo does. Entries that are roles by their names are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from core.grounding.readers.chebi_role import ROLE
from core.grounding.readers.record import SynonymScope, TermName, TermRecord, VocabularyReading
from core.grounding.readers.source import numbered_lines
from core.text.count import counted

SUFFIXES = (".tsv",)
_COMPOUNDS = {b"chebi_accession", b"parent_id", b"name"}
_NAMES = {b"compound_id", b"type", b"name"}
# The type that is ChEBI's own name, and scopes of the others; brand names may be of mixtures.
_LABEL = "NAME"
_SCOPES = {"IUPAC NAME": SynonymScope.EXACT, "SYNONYM": SynonymScope.EXACT,
           "INN": SynonymScope.EXACT, "UNIPROT NAME": SynonymScope.EXACT,
           "BRAND NAME": SynonymScope.RELATED}  # fmt: skip
_GONE = ("D", "O")  # statuses: deleted, obsolete
_NOTHING = ("", "null", "\\N")


def fits(head: bytes) -> bool:
    header = head.lstrip(b"\xef\xbb\xbf").split(b"\n", 1)[0].lower().strip()
    columns = set(header.split(b"\t"))
    return columns >= _COMPOUNDS or columns >= _NAMES


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    reading.name, reading.holds = "chebi", ("chemical",)
    reading.source = "ChEBI, EMBL-EBI, CC BY 4.0"
    rows = _rows(path, reading)
    first_row = next(rows, None)
    if first_row is None:
        return
    both = chain((first_row,), rows)
    if "chebi_accession" in first_row[1]:
        terms: Iterator[TermRecord | None] = (_compound(row, where) for where, row in both)
    else:
        terms = _terms_by_name((row for _, row in both), reading)
    role_count = 0
    for term in terms:
        if term and ROLE.search(term.label):
            role_count += 1
        elif term:
            yield term
    if role_count:
        reading.trouble(
            "roles-left-out",
            f"{counted(role_count, 'role')} such as “inhibitor” left out: this table does not say"
            " what is a substance, and its OBO file does.",
            str(path.name),
        )


def _rows(path: Path, reading: VocabularyReading) -> Iterator[tuple[str, dict[str, str]]]:
    """Where a row stands, and its cells by column, empty where there is no value."""
    header: list[str] = []
    for number, line in numbered_lines(path, reading):
        cells = line.rstrip("\n").split("\t")
        if not header:
            header = [cell.strip().lower() for cell in cells]
        elif len(cells) < 3:
            if line.strip():
                message = f"The line has {len(cells)} columns."
                reading.trouble("malformed-line", message, f"line {number}")
        else:
            values = ("" if cell.strip() in _NOTHING else cell.strip() for cell in cells)
            yield f"line {number}", dict(zip(header, values, strict=False))


def _compound(row: Mapping[str, str], where: str) -> TermRecord | None:
    """A row of compounds.tsv: one with a parent was merged into it."""
    accession, label = row.get("chebi_accession", ""), row.get("name", "")
    id = accession if accession.startswith("CHEBI:") else f"CHEBI:{row.get('id', '')}"
    if not id.removeprefix("CHEBI:").isdigit():
        return None
    into = row.get("parent_id", "")
    gone = bool(into) or row.get("status", "") in _GONE
    if not (label or gone):
        return None  # an entry without a name, which is not released
    return TermRecord(
        id,
        label or id,
        obsolete=gone,
        replaced_by=f"CHEBI:{into}" if into.isdigit() else "",
        definition=row.get("definition", ""),
        where=where,
    )


def _terms_by_name(
    rows: Iterable[Mapping[str, str]], reading: VocabularyReading
) -> Iterator[TermRecord]:
    """Rows of names.tsv by compound, whose rows do not stand together."""
    labels: dict[str, str] = {}
    names: dict[str, dict[str, SynonymScope]] = {}
    for row in rows:
        compound, text = row.get("compound_id", ""), row.get("name", "")
        language = row.get("language") or row.get("language_code") or "en"
        if language != "en":
            reading.ledger.leave("language", language)
        if not compound.isdigit() or not text or language != "en":
            continue
        kind = row.get("type", "").upper()
        if kind == _LABEL:
            labels.setdefault(compound, text)
        names.setdefault(compound, {}).setdefault(text, _SCOPES.get(kind, SynonymScope.RELATED))
    for compound, scopes in names.items():
        label = labels.get(compound) or next(iter(scopes))
        others = tuple(TermName(text, scope) for text, scope in scopes.items() if text != label)
        yield TermRecord(f"CHEBI:{compound}", label, others)
