"""A module that reads the extraction of a run loads what it is stored as, in any process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
READERS = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "core" / "services").rglob("*.py")
    if "runs.extraction(" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", READERS)
def test_a_reader_of_extractions_knows_them_without_another_module(module: str) -> None:
    words = f"import {module}\nfrom core.codec import read_noun\n"
    words += "read_noun({'type': 'Extraction', 'tree': {'path': '', 'cls': 'X'}})"
    done = subprocess.run(
        [sys.executable, "-c", words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "of an unknown kind" not in done.stderr
