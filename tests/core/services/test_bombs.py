"""A folder of files that were built to do harm, dropped on each upload: every one ends with a
sentence, soon, and without taking the memory.
"""

from __future__ import annotations

import gzip
import io
import resource
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import GroundworkError
from core.services.documents import upload
from core.services.extract import schemas
from core.services.graph import taking_in
from core.services.literature import namespaces
from core.services.settings import copy
from core.services.vocabularies import vocabularies
from core.settings import Settings

MEMORY = 600  # megabytes that all of them together may take more, in whatever process
SECONDS = 20  # of processor time, one file at one upload


def zipped(name: str, data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return packed.getvalue()


ZEROS = b"a " * 12_000_000
ENTITIES = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 20}">' for n in range(12))
LAUGHS = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "ha">{ENTITIES}]><article>&e12;</article>'
ALIASES = "a0: &a0 [x]\n" + "".join(
    f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]\n" for n in range(12)
)
BOMBS = {
    "laughs.xml": LAUGHS.encode(),
    "laughs.owl": LAUGHS.replace("article", "Ontology").encode(),
    "aliases.yaml": ALIASES.encode(),
    "bomb.txt.gz": gzip.compress(ZEROS, 1),
    "bomb.zip": zipped("bomb.txt", ZEROS),
    "escape.zip": zipped("../../../etc/passwd", b"root"),
    "endless-line.jsonl.gz": gzip.compress(b"[" * 18_000_000, 1),
    "deep.json": b"[" * 200_000,
    "deep.obo.json": b'{"graphs": ' + b'[{"nodes":' * 50_000,
    "cut.pdf": b"%PDF-1.7\n1 0 obj\n<< /Length 99999999999 >>\nstream\n" + b"\0" * 1000,
    "signs.tsv": "prefix\tid\tlabel\nX\tX:1\t\x00\u202e\ud800".encode("utf-8", "surrogatepass"),
    "cut.gz": gzip.compress(b"a,b\n" * 1000)[:60],
    "..": b"x",
    "\x00.tsv": b"\x00" * 10_000,
}


def restore(desk: Desk, name: str, data: bytes) -> None:
    file = desk.folder / "backup.tar"
    file.write_bytes(data)
    copy.restore(desk, file)


UPLOADS: dict[str, Callable[[Desk, str, bytes], object]] = {
    "extract": lambda desk, name, data: upload.of_file(name, data),
    "batch": lambda desk, name, data: upload.named_document(name, data),
    "vocabulary": vocabularies.add_upload,
    "literature": lambda desk, name, data: namespaces.add_upload(desk, "papers", name, data),
    "import": taking_in.import_file,
    "schema": lambda desk, name, data: schemas.checked(desk, data.decode("utf-8", "replace")),
    "restore": restore,
}


def most_memory() -> float:
    """Megabytes at the worst moment, of this process or of its largest child."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(who).ru_maxrss for who in whose) / 1024


def processor() -> float:
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(who)[:2]) for who in whose)


@pytest.mark.parametrize("place", UPLOADS)
def test_a_folder_of_bombs_on_an_upload(place: str, tmp_path: Path) -> None:
    desk = Desk(Settings(tmp_path, base_set=False))
    before, slow = most_memory(), []
    for name, data in BOMBS.items():
        began = processor()
        try:
            UPLOADS[place](desk, name, data)
        except GroundworkError as error:
            assert error.message and "Traceback" not in str(error), name
        if processor() - began > SECONDS:
            slow.append(name)
    assert not slow
    assert most_memory() - before < MEMORY
    assert {path.parent for path in tmp_path.rglob("*passwd*")} == set()
    desk.close()
