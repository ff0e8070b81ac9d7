"""What the documents say is true of the code."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from core.settings import ENVIRONMENT, TOKEN, URL

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMED = re.compile(r"`((?:core|pages|tests|schemas|docs|benchmarks)/[\w./-]*\w)`")
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", sorted(generator().PAGES))
def test_generated_page_is_what_the_code_says(name: str) -> None:
    expected = generator().PAGES[name]()
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == expected, (
        "Run: python docs/generate.py"
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names_exist(page: Path) -> None:
    named = NAMED.findall(page.read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_public_noun_is_explained_in_the_architecture() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    nouns = ("Document", "TextVersion", "Span", "Term", "Node", "Literal", "Candidate", "Mention")
    nouns += ("Statement", "Evidence", "Decision", "Curator", "Call", "Run", "Job", "Problem")
    assert [noun for noun in nouns if f"| {noun} |" not in text] == []


def test_operators_guide_lists_every_setting_and_no_other() -> None:
    guide = (ROOT / "docs" / "operator-guide.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[A-Z].*?) \| ", guide, re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`([A-Z][A-Z_]+)`", row)}
    by_name = {f"{TOKEN}NAME", f"{URL}NAME", "GROUNDWORK_ENDPOINT_NAME_URL"}
    by_name |= {"GROUNDWORK_ENDPOINT_NAME_KEY", "GROUNDWORK_PROJECT"}
    assert listed == {*ENVIRONMENT, *by_name}


PERMISSIVE = re.compile(
    r"MIT|BSD|Apache|ISC|PSF|CC0|Zlib|Python Software|W3C|MPL 2\.0|Mozilla Public License 2\.0"
)


def test_licences_of_installed_packages_are_permissive() -> None:
    page = (ROOT / "docs" / "operations" / "licences.md").read_text(encoding="utf-8")
    table = page.partition("|---|---|\n")[2]
    rows = re.findall(r"^\| ([a-z0-9-]+) \| (.*) \|$", table, re.MULTILINE)
    assert len(rows) > 50
    assert [name for name, licence in rows if not PERMISSIVE.search(licence)] == []
    assert [name for name, licence in rows if "GPL" in licence] == []


def test_the_repository_holds_no_environment() -> None:
    """Where `.venv` is tracked, a checkout takes the place of the environment that stands there:
    `git rm --cached .venv` takes it out.
    """
    command = ["git", "-C", str(ROOT), "ls-files", ".venv"]
    tracked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert tracked.stdout == ""


def test_every_argument_of_the_command_line_says_what_it_means() -> None:
    page = generator().command_line()
    assert re.findall(r"^\|.*\|  \|$", page, re.MULTILINE) == []
    assert "SUPPRESS" not in page and "('" not in page


def test_every_verb_of_the_command_line_begins_with_a_sentence() -> None:
    page = generator().command_line()
    assert re.findall(r"^(#{2,3} .+)\n\n(?:\||#)", page, re.MULTILINE) == []


def test_every_room_in_the_drawing_of_the_architecture_exists() -> None:
    """Names before the text of a line (`kb/  gate/  rdf/`) are files or folders of their room."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing = text.split("## Rooms")[1].split("```")[1]
    core = drawing.split("core/ ")[1].split("\nschemas/")[0].split("\n")[1:]
    missing, room = [], ""
    for line in core:
        if line.startswith("    "):
            named = line.split()
        else:
            first, *named = re.findall(r"[a-z_]+(?:/|\.py|\b)", line)
            room = first if first.endswith("/") else ""
            if (
                not (ROOT / "core" / first).exists()
                and not (ROOT / "core" / f"{first}.py").exists()
            ):
                missing.append(first)
        folders = [name for name in named if name.endswith("/")]
        missing += [
            f"{room}{name}" for name in folders if not (ROOT / "core" / room / name).exists()
        ]
    assert missing == []


def test_rooms_without_imports_are_those_that_the_architecture_names() -> None:
    from tests.core.test_imports import BASE

    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.search(r"- `([a-z_ ]+)` import only each other;", text)
    assert named is not None and set(named[1].split()) == BASE


CONFLICT = re.compile(rb"^(?:<{7}|>{7}|\|{7})(?: |$)", re.MULTILINE)


def test_no_file_holds_a_conflict_that_git_left() -> None:
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout of git")
    files = [ROOT / name for name in listed.stdout.split("\0") if name]
    held = [str(file) for file in files if file.is_file() and CONFLICT.search(file.read_bytes())]
    assert held == []
