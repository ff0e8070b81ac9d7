"""NCBI's taxonomy dump: an archive (zip, tar.gz) with `names.dmp` and `nodes.dmp`; `merged.dmp`
where it is there.

The scientific name is the label. Names are streamed out of the archive; nodes (id → parent, rank)
are held in memory.
"""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from core.errors import InputError
from core.grounding.readers.record import SynonymScope, TermName, TermRecord, VocabularyReading
from core.grounding.readers.source import LARGEST_WHOLE

SUFFIXES = (".zip", ".tar", ".tgz")
PREFIX = "NCBITaxon"
_SCOPES = {
    "synonym": SynonymScope.EXACT,
    "equivalent name": SynonymScope.EXACT,
    "genbank common name": SynonymScope.EXACT,
    "common name": SynonymScope.EXACT,
    "acronym": SynonymScope.RELATED,
    "genbank acronym": SynonymScope.RELATED,
    "blast name": SynonymScope.RELATED,
    "in-part": SynonymScope.NARROW,
    "includes": SynonymScope.NARROW,
}


_READ = {"names.dmp", "nodes.dmp", "merged.dmp"}


def fits(head: bytes) -> bool:
    return head.startswith(b"PK\x03\x04") or (head[257:262] == b"ustar" and b".dmp" in head[:4096])


def read(path: Path, reading: VocabularyReading) -> Iterator[TermRecord]:
    reading.name, reading.source = "ncbitaxon", "NCBI Taxonomy, public domain"
    reading.holds = ("organism",)
    with _archive(path) as members:
        if not {"names.dmp", "nodes.dmp"} <= set(members):
            raise InputError(
                f"{path.name} is an archive without names.dmp and nodes.dmp.",
                "Unpack it, and add the vocabulary file itself.",
            )
        parents = {row[0]: row[1] for row in _rows(members["nodes.dmp"], path)}
        for name in sorted(members.keys() - _READ):
            reading.ledger.leave("file", name)
        yield from _terms(_rows(members["names.dmp"], path), parents, reading)
        if "merged.dmp" in members:
            for old, new, *_ in _rows(members["merged.dmp"], path):
                yield TermRecord(
                    f"{PREFIX}:{old}", "", obsolete=True, replaced_by=f"{PREFIX}:{new}"
                )


def _terms(
    rows: Iterator[list[str]], parents: dict[str, str], reading: VocabularyReading
) -> Iterator[TermRecord]:
    """names.dmp is sorted by id: the rows of one follow each other."""
    current, label, names = "", "", dict[str, SynonymScope]()
    for id, name, _unique, kind, *_ in rows:
        if id != current:
            if current:
                yield _term(current, label, names, parents)
            current, label, names = id, "", {}
        if kind == "scientific name":
            label = name
        elif kind in _SCOPES:
            names.setdefault(name, _SCOPES[kind])
        else:
            reading.ledger.leave("name type", kind)
    if current:
        yield _term(current, label, names, parents)


def _term(
    id: str, label: str, names: dict[str, SynonymScope], parents: dict[str, str]
) -> TermRecord:
    above = parents.get(id, "")
    return TermRecord(
        f"{PREFIX}:{id}",
        label or next(iter(names), id),
        tuple(TermName(text, scope) for text, scope in names.items() if text != label),
        (f"{PREFIX}:{above}",) if above and above != id else (),
    )


def _rows(file: IO[bytes], path: Path) -> Iterator[list[str]]:
    """Cells of `9606\\t|\\tHomo sapiens\\t|\\t…\\t|`. Raises InputError past the size limit."""
    size = 0
    for line in io.TextIOWrapper(file, encoding="utf-8", errors="replace"):
        size += len(line)
        if size > LARGEST_WHOLE:
            raise InputError(f"{path.name} unpacks to more than {LARGEST_WHOLE // 1_000_000} MB.")
        cells = [cell.strip() for cell in line.rstrip("\r\n").split("|")]
        if len(cells) >= 3:
            yield cells


@contextmanager
def _archive(path: Path) -> Iterator[dict[str, IO[bytes]]]:
    """The files of an archive by name, without folders; nothing is written to disk."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                yield {
                    name.rsplit("/", 1)[-1]: archive.open(name)
                    for name in archive.namelist()[:100]
                    if name.endswith(".dmp")
                }
            return
        with tarfile.open(path) as tar:
            members = (member for member in tar.getmembers()[:100] if member.isfile())
            yield {
                member.name.rsplit("/", 1)[-1]: file
                for member in members
                if member.name.endswith(".dmp") and (file := tar.extractfile(member))
            }
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError) as error:
        raise InputError(f"{path.name} is a damaged archive.", "Download it again.") from error
