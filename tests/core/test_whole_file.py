"""A small file is written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.whole_file import copy_whole, whole_file


def test_trouble_while_writing_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "kept.json"
    with whole_file(path) as part:
        part.write("old")
    with pytest.raises(ValueError, match="trouble"), whole_file(path) as part:
        part.write("half of the n")
        raise ValueError("trouble")
    assert path.read_text() == "old"
    assert [p.name for p in path.parent.iterdir()] == ["kept.json"]


def test_a_copy_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path, source = tmp_path / "kept.tsv", tmp_path / "new.tsv"
    path.write_text("old")
    with pytest.raises(OSError, match=r"new\.tsv"):
        copy_whole(source, path)
    assert path.read_text() == "old"
    source.write_text("new")
    copy_whole(source, path)
    assert sorted((path.name, path.read_text()) for path in tmp_path.iterdir()) == [
        ("kept.tsv", "new"),
        ("new.tsv", "new"),
    ]
