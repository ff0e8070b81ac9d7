"""Gene questions, literature, OWL with its reasoner, and evaluation can each be left out of an
installation, and the rest runs.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.optional_part import PARTS, part_of
from tests.core.test_imports import CORE, SCREENS, imports, module_name

ROOT = Path(__file__).resolve().parents[2]
# What of the command line and the pages belongs to a part
EDGES = {
    "gene questions": (
        "core/cli/gene_questions*.py",
        "pages/5_Gene_questions.py",
        "pages/components/genes",
    ),
    "literature": (
        "core/cli/literature*.py",
        "core/cli/namespace*.py",
        "core/cli/paper_table*.py",
        "core/cli/recommendation*.py",
        "core/cli/triage*.py",
        "pages/6_Literature.py",
        "pages/components/literature",
    ),
    "OWL and reasoning": ("core/cli/reasoning*.py", "pages/components/reasoning"),
    "evaluation": ("core/cli/evaluation*.py",),
}
# Measures the other parts, each in a module that is loaded when it is asked for
MEASURING = "evaluation"
NAMES = [part.name for part in PARTS]
# One process: each further one would import everything again.
RUN_ALL = """
import importlib, pathlib, sys, core.cli, core.desk
core.desk.load_services()
for file in sorted(pathlib.Path("pages/components").rglob("*.py")):
    importlib.import_module(".".join(file.with_suffix("").parts).removesuffix(".__init__"))
from benchmarks.files_entered import text_to_turtle
project = pathlib.Path(sys.argv[1])
assert "@prefix" in text_to_turtle(project)
from streamlit.testing.v1 import AppTest
for page in ("app.py", "pages/4_Knowledge_graph.py"):
    shown = AppTest.from_file(page, default_timeout=120).run()
    assert not shown.exception, shown.exception
print(*(verb.name for verb in core.cli.verbs()))
core.cli.main(["--project", str(project), "doctor"])
"""


def edge_files(part: str) -> set[Path]:
    """The files of a part outside of its packages."""
    places = [place for pattern in EDGES[part] for place in ROOT.glob(pattern)]
    assert len(places) >= len(EDGES[part])
    return {
        file for place in places for file in (place.rglob("*.py") if place.is_dir() else (place,))
    }


EDGE_FILES = {name: edge_files(name) for name in NAMES}
EDGE_MODULES = {module_name(file): name for name in NAMES for file in EDGE_FILES[name]}


def owner(path: Path) -> str:
    """The part that a file belongs to; "" for what is always there."""
    if found := part_of(module_name(path)):
        return found.name
    return next((name for name in NAMES if path in EDGE_FILES[name]), "")


@pytest.mark.parametrize("path", [*CORE, *SCREENS], ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_imports_a_part_that_may_be_missing(path: Path) -> None:
    own = owner(path)
    if own == MEASURING:
        return
    for used in imports(path):
        part = part_of(used)
        belongs = part.name if part else EDGE_MODULES.get(used, "")
        belongs = belongs or EDGE_MODULES.get(used.rpartition(".")[0], "")
        assert belongs in ("", own), f"{used} may be left out"


def copied(folder: Path) -> Path:
    """The app and nothing else in a folder."""
    skip = shutil.ignore_patterns("__pycache__")
    for name in ("core", "pages", "schemas", "benchmarks", ".streamlit"):
        shutil.copytree(ROOT / name, folder / name, ignore=skip)
    for name in ("app.py", "requirements.txt"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def run_python(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    return done.stdout


@pytest.mark.parametrize("part", PARTS, ids=NAMES)
def test_the_rest_runs_without_a_part(tmp_path: Path, part) -> None:
    app = copied(tmp_path / "app")
    for package in part.packages:
        shutil.rmtree(app / package.replace(".", "/"))
    for file in EDGE_FILES[part.name]:
        (app / file.relative_to(ROOT)).unlink()
    verbs, *told = run_python(app, "-c", RUN_ALL, str(tmp_path / "p")).splitlines()
    gone = {"gene questions": "ask", "literature": "search", "OWL and reasoning": "classify"}
    assert gone.get(part.name, "evaluate") not in verbs.split()
    assert {"extract", "decide", "export"} <= set(verbs.split())
    assert any(f"not installed: {part.name}" in line for line in told)
