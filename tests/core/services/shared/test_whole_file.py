"""A small file is written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.services.shared.whole_file import whole_file


def test_trouble_while_writing_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "kept.json"
    with whole_file(path) as part:
        part.write("old")
    with pytest.raises(ValueError, match="trouble"), whole_file(path) as part:
        part.write("half of the n")
        raise ValueError("trouble")
    assert path.read_text() == "old"
    assert [p.name for p in path.parent.iterdir()] == ["kept.json"]
