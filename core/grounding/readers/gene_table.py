"""Gene lists as their authorities publish them: HGNC's complete set (TSV, JSON) and NCBI's
`gene_info`.

An approved symbol is the label, the full name an exact synonym, aliases are related, and symbols
and names that a gene had before are PREVIOUS.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from core.errors import InputError
from core.grounding.readers.record import SynonymScope, TermName, TermRecord, VocabularyReading
from core.grounding.readers.source import not_utf_8, numbered_lines, read_whole

SUFFIXES = (".txt", ".tsv", ".json", ".gene_info")
HUMAN = "NCBITaxon:9606"
_HGNC = ("hgnc_id", "symbol")
_ALIASES = {
    "name": SynonymScope.EXACT,
    "alias_symbol": SynonymScope.RELATED,
    "alias_name": SynonymScope.RELATED,
    "prev_symbol": SynonymScope.PREVIOUS,
    "prev_name": SynonymScope.PREVIOUS,
}
# In gene_info this stands for “no value”, and NEWENTRY for a record that is not a gene yet.
_NOTHING = ("-", "")
_PLACEHOLDER = "NEWENTRY"


def fits(head: bytes) -> bool:
    header = head.lstrip(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    if b"\t" in header:
        return _is_hgnc(header) or (b"GeneID" in header and b"Symbol" in header)
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"{") and b'"hgnc_id"' in head


_NCBI_NAMES = {
    "description": SynonymScope.EXACT,
    "Full_name_from_nomenclature_authority": SynonymScope.EXACT,
    "Symbol_from_nomenclature_authority": SynonymScope.EXACT,
    "Synonyms": SynonymScope.RELATED,
    "Other_designations": SynonymScope.RELATED,
}
_KEPT = {
    "hgnc_id", "symbol", "status", "GeneID", "Symbol", "tax_id", *_ALIASES, *_NCBI_NAMES
}  # fmt: skip


def _is_hgnc(header: bytes) -> bool:
    return {b"hgnc_id", b"symbol"} <= set(header.strip().replace(b'"', b"").split(b"\t"))


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    rows = numbered_lines(path, reading)
    _, first_line = next(rows, (0, ""))
    if "\t" not in first_line:
        yield from _json(path, reading)
        return
    header = first_line.lstrip("#").replace('"', "").split("\t")
    make = _hgnc if "hgnc_id" in header else _gene_info
    _heading(reading, make is _hgnc)
    for number, line in rows:
        cells = [cell.strip().strip('"') for cell in line.split("\t")]
        if len(cells) < 3:
            if line.strip():
                reading.trouble(
                    "malformed-line", f"The line has {len(cells)} columns.", f"line {number}"
                )
            continue
        row = dict(zip(header, cells, strict=False))
        record = make(row, f"line {number}")
        if record is None:
            reading.trouble("malformed-id", "The line has no gene id.", f"line {number}")
        elif record.label == _PLACEHOLDER:
            reading.ledger.leave("entry", _PLACEHOLDER)
        else:
            reading.ledger.leave_cells(row, _KEPT)
            yield record


def _heading(reading: VocabularyReading, hgnc: bool) -> None:
    reading.holds = ("gene",)
    reading.name = "hgnc" if hgnc else "ncbigene"
    reading.source = "HUGO Gene Nomenclature Committee, CC0" if hgnc else "NCBI Gene, public domain"


def _json(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    """HGNC's JSON: {"response": {"docs": [{hgnc_id, symbol, alias_symbol: […]}]}}."""
    _heading(reading, True)
    try:
        content = json.loads(read_whole(path))
        documents = content["response"]["docs"]
    except UnicodeDecodeError as error:
        raise not_utf_8(path) from error
    except ValueError as error:
        raise InputError(
            f"{path.name} is not complete JSON: {str(error)[:120]}.", "Download it again."
        ) from error
    except (KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path.name} is not HGNC's JSON.", "Download it again.") from error
    for place, row in enumerate(documents if isinstance(documents, list) else ()):
        record = _hgnc(row, f"gene {place + 1}") if isinstance(row, dict) else None
        if record is None:
            reading.trouble("malformed-id", "The entry has no gene id.", f"gene {place + 1}")
        else:
            reading.ledger.leave_cells(row, _KEPT)
            yield record


def _hgnc(row: Mapping[str, object], where: str) -> TermRecord | None:
    id, symbol = str(row.get("hgnc_id") or ""), str(row.get("symbol") or "")
    if not id.upper().startswith("HGNC:"):
        return None
    names = [
        TermName(text, scope)
        for column, scope in _ALIASES.items()
        for text in _values(row.get(column))
        if text != symbol
    ]
    withdrawn = "withdrawn" in str(row.get("status") or "").lower()
    return TermRecord(
        id.upper(),
        symbol,
        tuple(dict.fromkeys(names)),
        obsolete=withdrawn,
        taxon=HUMAN,
        where=where,
    )


def _values(value: object) -> Sequence[str]:
    if isinstance(value, list):
        return [str(item) for item in value]
    return [text.strip() for text in str(value or "").split("|") if text.strip()]


def _gene_info(row: Mapping[str, str], where: str) -> TermRecord | None:
    id, symbol = row.get("GeneID", ""), row.get("Symbol", "")
    if not id.isdigit():
        return None
    names: dict[str, SynonymScope] = {}
    for column, scope in _NCBI_NAMES.items():
        texts = (
            [row.get(column, "")] if scope is SynonymScope.EXACT else row.get(column, "").split("|")
        )
        for text in texts:
            if text not in _NOTHING and text != symbol:
                names.setdefault(text, scope)
    taxon = row.get("tax_id", "")
    return TermRecord(
        f"NCBIGene:{id}", symbol, tuple(TermName(text, scope) for text, scope in names.items()),
        taxon=f"NCBITaxon:{taxon}" if taxon.isdigit() else "", where=where,
    )  # fmt: skip
