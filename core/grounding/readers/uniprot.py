"""UniProt as it comes: a table (Entry, Entry Name, Protein names, Gene Names, Organism (ID)) and
the flat text format (ID, AC, DE, GN, OX lines).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from core.grounding.readers.record import SynonymScope, TermName, TermRecord, VocabularyReading
from core.grounding.readers.source import numbered_lines

SUFFIXES = (".tsv", ".dat", ".txt")
_FLAT = re.compile(rb"^ID   \S+ +(?:Reviewed|Unreviewed);", re.MULTILINE)
# DE   RecName: Full=Cellular tumor antigen p53;  /  AltName: Short=p53;
_NAMED = re.compile(r"(RecName|AltName|SubName)?:? *(Full|Short)=([^;{]+)")
_GENES = re.compile(r"(Name|Synonyms|OrderedLocusNames)=([^;]+)")


def fits(head: bytes) -> bool:
    first_line = head.split(b"\n", 1)[0]
    return _FLAT.search(head) is not None or first_line.startswith(b"Entry\t")


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    reading.name, reading.source = "uniprot", "UniProt, CC BY 4.0"
    reading.holds = ("protein",)
    rows = numbered_lines(path, reading)
    _, first_line = next(rows, (0, ""))
    if first_line.startswith("Entry\t"):
        yield from _table(first_line.split("\t"), rows, reading)
    else:
        yield from _flat(first_line, rows, reading)


_COLUMNS = (
    "Entry", "Entry Name", "Protein names", "Gene Names", "Gene names", "Organism (ID)", "Organism",
)  # fmt: skip


def _table(
    header: list[str], rows: Iterator[tuple[int, str]], reading: VocabularyReading
) -> Iterator[TermRecord]:
    for number, line in rows:
        row = dict(zip(header, line.split("\t"), strict=False))
        id = row.get("Entry", "").strip()
        if not re.fullmatch(r"[A-Z0-9-]{6,13}", id):
            reading.trouble(
                "malformed-id", f"{id[:40]!r} is not a UniProt accession.", f"line {number}"
            )
            continue
        label, *others = _outer(row.get("Protein names", "")) or [row.get("Entry Name", id)]
        names = {text: SynonymScope.EXACT for text in others if text != label}
        for gene in (row.get("Gene Names") or row.get("Gene names") or "").split():
            names.setdefault(gene, SynonymScope.RELATED)
        reading.ledger.leave_cells(row, _COLUMNS)
        taxon = row.get("Organism (ID)", "").strip()
        yield TermRecord(
            f"UniProtKB:{id}", label, tuple(TermName(text, scope) for text, scope in names.items()),
            taxon=f"NCBITaxon:{taxon}" if taxon.isdigit() else "", where=f"line {number}",
        )  # fmt: skip


def _outer(text: str) -> list[str]:
    """`Cellular tumor antigen p53 (Antigen NY-CO-13) (p53)` → its three names; brackets inside
    names are kept.
    """
    bracketed, depth, start, end = [], 0, 0, len(text)
    for place, sign in enumerate(text):
        if sign == "(" and text[place - 1 : place] == " " and depth == 0:
            end = min(end, place)
            start, depth = place + 1, 1
        elif sign == "(" and depth:
            depth += 1
        elif sign == ")" and depth:
            depth -= 1
            if depth == 0:
                bracketed.append(text[start:place].strip())
    main = text[:end].split(" [")[0].strip()
    return [name for name in (main, *bracketed) if name]


def _flat(
    first_line: str, rows: Iterator[tuple[int, str]], reading: VocabularyReading
) -> Iterator[TermRecord]:
    entry: dict[str, list[str]] = {}
    _note(entry, first_line, reading)
    for number, line in rows:
        if line.startswith("//"):
            yield from _entry(entry, reading, f"line {number}")
            entry = {}
        else:
            _note(entry, line, reading)


def _note(entry: dict[str, list[str]], line: str, reading: VocabularyReading) -> None:
    code = line[:2]
    if code in ("ID", "AC", "DE", "GN", "OX"):
        entry.setdefault(code, []).append(line[5:])
    elif code.strip():  # the lines of a sequence begin with blanks
        reading.ledger.leave("line type", code)


def _entry(
    entry: dict[str, list[str]], reading: VocabularyReading, where: str
) -> Iterator[TermRecord]:
    accessions = re.findall(r"[A-Z0-9]{6,10}", " ".join(entry.get("AC", [])))
    if not accessions:
        reading.trouble("malformed-id", "The entry has no accession.", where)
        return
    names: dict[str, SynonymScope] = {}
    label = ""
    for line in entry.get("DE", []):
        if line.startswith(("Contains", "Includes")):
            reading.ledger.leave("part", line.split(":")[0])
            break  # what follows are names of its parts
        for _, _, text in _NAMED.findall(line):
            label = label or text.strip()
            names.setdefault(text.strip(), SynonymScope.EXACT)
    for _, genes in _GENES.findall(" ".join(entry.get("GN", []))):
        for gene in genes.split(","):
            names.setdefault(gene.split("{")[0].strip(), SynonymScope.RELATED)
    taxon = re.search(r"NCBI_TaxID=(\d+)", " ".join(entry.get("OX", [])))
    yield TermRecord(
        f"UniProtKB:{accessions[0]}", label or accessions[0],
        tuple(TermName(text, scope) for text, scope in names.items() if text and text != label),
        alternative=tuple(f"UniProtKB:{accession}" for accession in accessions[1:]),
        taxon=f"NCBITaxon:{taxon[1]}" if taxon else "", where=where,
    )  # fmt: skip
