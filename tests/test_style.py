"""The rules that tools hold: ruff's checks and format, and mypy's strict types."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    "command",
    [("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",)],
    ids=" ".join,
)
def test_ruff_and_mypy_pass(command: tuple[str, ...]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-1000:]


TOP = """
    .ci .dockerignore .github .gitignore .streamlit CHANGELOG.md CITATION.cff CONTRIBUTING.md
    Dockerfile FEATURES.md LICENSE README.md app.py benchmarks constraints.txt core docs pages
    pyproject.toml requirements requirements-dev.txt requirements.txt schemas tests
"""


def test_no_stray_files_at_the_repository_root() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a checkout of git")
    tops = {name.partition("/")[0] for name in listed.stdout.split("\0") if name}
    assert tops <= set(TOP.split())


def test_browser_tests_are_skipped_without_a_browser() -> None:
    command = [*["-m", "pytest", "--collect-only", "-p", "no:cacheprovider", "-m"], "not browser"]
    run = subprocess.run(
        [sys.executable, *command, "tests/browser"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, run.stdout[-2000:]
    assert "deselected" in run.stdout
