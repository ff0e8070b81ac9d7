"""Which reader reads which vocabulary file. A new format is one more file and one more line in
READERS.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, cast

from core.errors import InputError
from core.grounding.readers import functional, obo, obo_graphs, owl, semsql, tsv
from core.grounding.readers.record import Reading, TermRecord
from core.grounding.readers.source import DAMAGED, bare, opened

HEAD = 4096


class Reader(Protocol):
    """`fits` looks at the first bytes (decompressed); `read` streams terms and notes heading and
    problems.
    """

    SUFFIXES: tuple[str, ...]

    def fits(self, head: bytes) -> bool: ...

    def read(self, path: Path, reading: Reading) -> Iterator[TermRecord]: ...


READERS: tuple[Reader, ...] = cast(
    "tuple[Reader, ...]", (semsql, obo_graphs, obo, functional, owl, tsv)
)


def suffixes() -> tuple[str, ...]:
    """File endings that a vocabulary may have, `.gz` apart."""
    return tuple(ending for reader in READERS for ending in reader.SUFFIXES)


def stem(path: Path) -> str:
    """The name of a vocabulary file without its endings: `mesh_desc.tsv.gz` → mesh_desc."""
    name = bare(path.name)
    ending = next((ending for ending in suffixes() if name.lower().endswith(ending)), "")
    return name[: len(name) - len(ending)] if ending else name


def read(path: Path, reading: Reading) -> Iterator[TermRecord]:
    """The terms of a vocabulary file. Raises InputError for a file that is empty, binary or of no
    known format.
    """
    head = _head(path)
    for reader in READERS:
        if reader.fits(head):
            yield from reader.read(path, reading)
            return
    if b"\0" in head or head[:2] == b"\xff\xfe":
        raise InputError(f"{path.name} is not text: it holds binary data.", f"Give {_known()}.")
    raise InputError(
        f"{path.name} is not a vocabulary in a format that is known.", f"Give {_known()}."
    )


def _known() -> str:
    return (
        "a table (TSV with id, label and synonym), OBO, OBO Graphs JSON, OWL, or a semantic-SQL"
        " database"
    )


def _head(path: Path) -> bytes:
    try:
        with opened(path) as file:
            head = file.read(HEAD)
    except DAMAGED as error:
        if isinstance(error, FileNotFoundError):
            raise InputError(f"There is no file {path}.") from error
        raise InputError(
            f"{path.name} cannot be read: it may be cut short or damaged.", "Get it again."
        ) from error
    if not head.strip(b"\xef\xbb\xbf \t\r\n"):
        raise InputError(f"{path.name} is empty.", "Choose another file.")
    return head
