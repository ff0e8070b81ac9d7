"""Damaged files of the grounding table are told, not traced."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from core.errors import InputError
from core.evaluation.grounding import _completions, _lines


@pytest.mark.parametrize("raw", [b"not gzip", gzip.compress(b"line " * 500, mtime=0)[:40]])
def test_a_damaged_gzip_file_is_named(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "go_terms.tsv.gz"
    path.write_bytes(raw)
    with pytest.raises(InputError, match=r"go_terms\.tsv\.gz is .*damaged"):
        _lines(path)


def test_a_file_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "go_terms_select.tsv"
    path.write_bytes(b"caf\xe9")
    with pytest.raises(InputError, match="in UTF-8"):
        _lines(path)


def test_a_line_that_is_not_json_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "completions.jsonl.gz"
    path.write_bytes(gzip.compress(b"{half"))
    with pytest.raises(InputError, match="is not JSON"):
        _completions(path)
