"""Files that were uploaded on a page, and what is said where the system takes no file."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.desk import Desk
from core.errors import StoreError, file_trouble
from core.services.shared.uploaded_file import store_upload
from core.settings import Settings


def no_space(*_: Any) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_full_disk_is_named_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "write_bytes", no_space)
    with pytest.raises(StoreError, match="disk is full") as failure:
        store_upload(Desk(Settings(tmp_path)), "documents", b"a paper")
    assert str(tmp_path / "uploads" / "documents") in str(failure.value)
    assert not [path for path in (tmp_path / "uploads").rglob("*") if path.is_file()]


def test_full_disk_is_named_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paper = tmp_path / "paper.txt"
    paper.write_text("Aspirin treats pain.", encoding="utf-8")
    monkeypatch.setattr(Path, "write_bytes", no_space)
    assert main(["--project", str(tmp_path / "p"), "documents", "add", str(paper)]) == 1
    assert "disk is full. Free some space." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("number", "advice"),
    [(errno.EROFS, "Allow this user"), (errno.EACCES, "Allow this user"), (errno.EIO, "doctor")],
)
def test_each_trouble_with_a_file_says_what_to_do(number: int, advice: str) -> None:
    problem = file_trouble(OSError(number, "Why", "/p/a"))
    assert problem.message.startswith("/p/a ") and problem.message.endswith(": Why.")
    assert advice in problem.hint
