"""The files that the verbs on texts take."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli.extraction_batch import documents
from core.cli.extraction_options import read_bytes
from core.errors import InputError
from tests.core.documents.test_files import pdf


def test_of_a_pdf_the_words_are_read(tmp_path: Path) -> None:
    (tmp_path / "paper").write_bytes(pdf("Aspirin relieves headache.", "It does so every day."))
    assert b"Aspirin relieves headache." in read_bytes(str(tmp_path / "paper"))


def test_a_pdf_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing")
    with pytest.raises(InputError, match=r"broken\.pdf"):
        read_bytes(str(tmp_path / "broken.pdf"))


def test_a_file_that_cannot_be_read_does_not_end_a_batch(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\nnothing")
    (tmp_path / "b.pdf").write_bytes(pdf("Aspirin relieves headache."))
    (tmp_path / "c.txt.gz").write_bytes(b"\x1f\x8bno")
    found = dict(documents([str(tmp_path)]))
    assert len(found) == 3
    assert b"headache" in found["file:b.pdf"]  # type: ignore[operator]
