"""The JavaScript of the pages is checked like any code: types, lint and unit tests
(`tests/browser_modules`), and that the joined modules are one module.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pages.components.shared.browser_component import joined_modules

ROOT = Path(__file__).resolve().parents[2]
MODULES = ROOT / "tests" / "browser_modules"
COMPONENTS = [
    path
    for path in sorted((ROOT / "pages").glob("components/*/browser/*.js"))
    if "export default function" in path.read_text("utf-8")
]


def node_is_new_enough() -> bool:
    if not (shutil.which("node") and shutil.which("npm")):
        return False
    version = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
    return tuple(int(part) for part in version.lstrip("v").split(".")[:2]) >= (20, 19)


pytestmark = pytest.mark.skipif(
    not node_is_new_enough() and not os.environ.get("CI"), reason="needs node 20.19 and npm"
)


@pytest.fixture(scope="module")
def tools() -> Path:
    """Where the checkers are; they are installed once, by whichever worker comes first."""
    with (MODULES / ".install-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (MODULES / "node_modules" / ".bin" / "tsc").exists():
            subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=MODULES, check=True)
    return MODULES / "node_modules" / ".bin"


def check(*command: str | Path) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_component_is_known() -> None:
    names = {path.stem for path in COMPONENTS}
    assert names == {"explorer", "marking", "review", "triage"}


@pytest.mark.parametrize("path", COMPONENTS, ids=lambda path: path.stem)
def test_joined_modules_are_one_module(path: Path, tmp_path: Path) -> None:
    joined = joined_modules(path)
    assert "import {" not in joined.replace("/** @import", "")
    (tmp_path / "joined.mjs").write_text(joined, "utf-8")
    check("node", "--check", tmp_path / "joined.mjs")  # a name that stands twice is an error here


def test_types_hold(tools: Path) -> None:
    check(tools / "tsc", "--project", MODULES / "tsconfig.json")


def test_no_lint(tools: Path) -> None:
    check(
        tools / "eslint",
        "-c",
        MODULES / "eslint.config.js",
        "pages",
        "core",
        "tests/browser_modules",
    )


def test_units(tools: Path) -> None:
    check("node", "--test", *sorted(MODULES.glob("*.test.js")))
