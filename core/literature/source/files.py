"""Files and folders: which reader a file needs, by its name and its first bytes."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from core.errors import InputError
from core.literature.paper import Paper
from core.literature.source.rows import read_rows
from core.literature.source.text import read_text

MOST_BYTES = 2_000_000_000
SUFFIXES = (".jsonl", ".ndjson", ".json", ".xml", ".nxml", ".txt", ".md", ".pdf", ".pubtator", ".tsv", ".gz")


def expand(paths: Sequence[Path]) -> list[Path]:
    """Files, and those in folders that can be read, sorted; raises InputError for a path that is not there."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and p.suffix.casefold() in SUFFIXES)
            if not inside:
                raise InputError(
                    f"The folder {path} holds no file that can be read.", f"Readable: {', '.join(SUFFIXES)}."
                )
            found += inside
        elif path.is_file():
            found.append(path)
        else:
            raise InputError(f"There is no file {path}.")
    return found


def read(path: Path) -> Iterator[Paper]:
    """The papers of one file. Raises InputError when its format is not known or it is damaged."""
    name = path.name.casefold().removesuffix(".gz")
    if name.endswith((".jsonl", ".ndjson")):
        try:
            with _text(path) as lines:
                yield from read_rows(lines, path.name)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InputError(f"{path.name} is a damaged gzip file.", "Fetch or make it again.") from error
        return
    raw = _raw(path)
    yield from reader(name, raw)(raw, name)


def read_bytes(raw: bytes, name: str) -> Iterator[Paper]:
    """The papers of an uploaded file."""
    if raw.startswith(b"\x1f\x8b"):
        raw = _unzipped(raw, name)
    name = name.casefold().removesuffix(".gz")
    if name.endswith((".jsonl", ".ndjson")):
        yield from read_rows(io.StringIO(raw.decode("utf-8", "replace")), name)
        return
    yield from reader(name, raw)(raw, name)


Reader = Callable[[bytes, str], Iterator[Paper]]


def reader(name: str, raw: bytes) -> Reader:
    from core.literature.source import bioc, pdf, xml

    head = raw[:4000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if pdf.is_pdf(raw, name):
        return lambda raw, name: iter([pdf.read_pdf(raw, document_id(raw), name)])
    if name.endswith((".xml", ".nxml")) or head.startswith(b"<"):
        return xml.read_xml
    if name.endswith(".json") or head.startswith((b"{", b"[")):
        return bioc.read_json
    if name.endswith(".pubtator") or bioc.looks_like_pubtator(head):
        return bioc.read_pubtator
    return _plain


def _plain(raw: bytes, name: str) -> Iterator[Paper]:
    yield read_text(raw, document_id(raw), Path(name).stem)


def document_id(raw: bytes) -> str:
    """`doc:` and a digest: a file without an identifier of its own."""
    return "doc:" + sha256(raw).hexdigest()[:24]


def _text(path: Path) -> io.TextIOBase:
    if path.suffix.casefold() == ".gz":
        return io.TextIOWrapper(gzip.open(path), encoding="utf-8", errors="replace")
    return path.open(encoding="utf-8-sig", errors="replace")


def _raw(path: Path) -> bytes:
    if path.stat().st_size > MOST_BYTES:
        raise InputError(f"{path.name} is larger than {MOST_BYTES // 1_000_000_000} GB.", "Split it.")
    raw = path.read_bytes()
    return _unzipped(raw, path.name) if raw.startswith(b"\x1f\x8b") else raw


def _unzipped(raw: bytes, name: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as stream:
            found = stream.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{name} is a damaged gzip file.", "Fetch or make it again.") from error
    if len(found) > MOST_BYTES:
        raise InputError(f"{name} is larger than {MOST_BYTES // 1_000_000_000} GB when unpacked.", "Split it.")
    return found
