"""Plug-ins: the example of docs/plug-ins.md is seen everywhere, and a faulty one takes nothing
down.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import MISSING, fields
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core import plugins
from core.cli import main, verbs
from core.cli.verb import Verb
from core.desk import Desk, open_desk
from core.extraction.engine import EngineSpec
from core.kb.formats.registry import FORMATS
from core.kb.formats.specification import ExportFormat
from core.model import Verdict
from core.plugins import FAMILIES, Registry
from core.services.extract.engines import engine_line
from core.services.review import decision
from core.services.review.decision import Judgement
from core.services.settings.doctor import DoctorFinding, examine_project
from core.settings import load_settings
from pages.components.shared import page
from tests import reviewing

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "tests" / "data" / "plugin_example"
DOCUMENT = (ROOT / "docs" / "plug-ins.md").read_text(encoding="utf-8")
NOTES = "lithium -> INDUCES -> nephropathy\nA line without arrows.\n"
CURATOR = "0000-0002-1825-0097"


def registries() -> Iterator[Registry]:
    """Those of rooms that this installation has."""
    for place in FAMILIES.values():
        module, _, name = place.partition(":")
        with_room = importlib.util.find_spec(module.rpartition(".")[0])
        if with_room is not None and importlib.util.find_spec(module) is not None:
            yield getattr(importlib.import_module(module), name)


def forget() -> None:
    """Look for plug-ins again when somebody next asks."""
    plugins._entry_points.cache_clear()
    for registry in registries():
        registry._joined = None


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example as pip installs it."""
    source = tmp_path_factory.mktemp("source") / "plugin"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path_factory.mktemp("plugins")
    command = [sys.executable, "-m", "pip", "install", str(source), "--quiet", "--no-deps"]
    command += ["--no-index", "--no-build-isolation", "--target", str(folder)]
    subprocess.run(command, check=True)
    return folder


@pytest.fixture
def installed(example: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    yield from on_the_path(example, monkeypatch)


def on_the_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    modules = set(sys.modules)
    monkeypatch.syspath_prepend(str(folder))
    forget()
    yield folder
    monkeypatch.undo()
    for name in set(sys.modules) - modules:
        if Path(str(getattr(sys.modules[name], "__file__", ""))).is_relative_to(folder):
            del sys.modules[name]
    forget()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(tmp_path / "p"))
    page.reopen_desks()
    opened = open_desk(load_settings())
    yield opened
    opened.close()


def approve_everything(folder: Path) -> None:
    """A project with six statements, those that may be approved approved."""
    with closing(reviewing.filled(folder)) as project:
        for record in project.store.queue.records():
            verdict = Judgement(Verdict.APPROVE)
            decision.decide(project, record.id, record.version, verdict, curator=reviewing.ANNA)


def doctor(desk: Desk) -> list[DoctorFinding]:
    return [finding for finding in examine_project(desk) if finding.name.startswith("Plug-in")]


# ---------------------------------------------------------------- a sound one


def test_an_engine_a_verb_and_a_format_of_a_package_work_on_the_command_line(
    installed: Path, desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text(NOTES, encoding="utf-8")
    extract = ["extract", "--schema", "chemical_disease", "--input", str(tmp_path / "notes.txt")]
    sent = ["--engine", "arrows", "--send", "--include-ungrounded", "--curator", CURATOR]
    assert main([*extract, *sent]) == 0
    [statement] = json.loads(capsys.readouterr().out)["statements"]
    assert statement["evidence"][0]["quote"] == "lithium -> INDUCES -> nephropathy"
    assert main(["tally", "--state", "proposed"]) == 0
    assert capsys.readouterr().out == "1\tinduces\n"
    assert main([*extract, "--engine", "arrows", "--format", "sentences"]) == 0
    assert capsys.readouterr().out.startswith("Undecided: nobody has approved")


def test_what_was_approved_is_exported_in_a_format_of_a_package(
    installed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    approve_everything(tmp_path / "p")
    assert main(["--project", str(tmp_path / "p"), "export", "--format", "sentences"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "aspirin treats Headache. [doc:willow]" in lines


def test_lists_of_verbs_and_the_generated_documents_name_those_of_a_package(
    installed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "count the statements of each relation" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stop:
        main(["tally", "--help"])
    assert stop.value.code == 0 and "--state {proposed," in capsys.readouterr().out
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert "\n## tally\n" in generator.command_line()


def opened(name: str, state: Mapping[str, str] | None = None, **address: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages" / name), default_timeout=60)
    app.session_state["_curator"] = reviewing.ANNA
    for key, value in (state or {}).items():
        app.session_state[key] = value
    for key, value in address.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def test_pages_offer_the_engine_and_the_format_of_a_package(installed: Path, desk: Desk) -> None:
    assert "Notes with arrows" in opened("1_Extract.py").selectbox(key="extract·engine").options
    approve_everything(desk.folder)
    page.reopen_desks()
    graph = opened("4_Knowledge_graph.py", {"format": "sentences"}, tab="Export")
    labels = [str(button.proto.label) for button in graph.get("download_button")]
    assert "Download Sentences" in labels


def test_a_page_of_a_package_is_drawn(installed: Path, desk: Desk) -> None:
    app = opened("9_Added_page.py", page="tally")
    assert app.title[0].value == "Tally"
    assert "There are no statements yet." in [text.value for text in app.text]


def test_doctor_lists_what_a_package_adds(installed: Path, desk: Desk) -> None:
    [finding] = doctor(desk)
    assert finding.good
    for group in ("engines", "formats", "verbs", "pages"):
        assert f"(groundwork.{group}, groundwork-arrows 1.0)" in finding.says


# ---------------------------------------------------------------- without it


def test_a_page_that_no_package_adds_says_so(desk: Desk) -> None:
    app = opened("9_Added_page.py", page="tally")
    assert "adds this page" in app.info[0].value


def test_a_result_of_an_engine_that_was_removed_is_still_shown() -> None:
    assert engine_line("arrows", "") == "arrows, which is no longer installed"


def test_doctor_is_silent_without_plugins(desk: Desk) -> None:
    assert doctor(desk) == []


def test_a_list_of_verbs_costs_no_look_at_other_packages() -> None:
    program = (
        "import contextlib, sys\n"
        "from core.cli import main\n"
        "with contextlib.suppress(SystemExit):\n"
        "    main(['--help'])\n"
        "print('importlib.metadata' in sys.modules)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[-1] == "False"


# ---------------------------------------------------------------- faulty ones

FAULTS = {
    "missing import": ("engines", "lost", "import no_such_package", "No module named"),
    "wrong class": ("formats", "odd", "ODD = 'a word'", "of the type str, not ExportFormat"),
    "taken by ours": ("formats", "ttl", "from core.kb.formats.turtle import TURTLE", "is taken"),
    "taken verb": ("verbs", "extract", "VERB = None", "the name extract is taken"),
    "another name": (
        *("engines", "mine"),
        "from core.extraction.builtin.spec import SPEC",
        "it calls itself builtin",
    ),
    "no such object": ("pages", "gone", "PAGE = None", "has no attribute"),
    "ends the program": ("verbs", "stop", "raise SystemExit(3)", "SystemExit: 3"),
    "misspelt group": ("engine", "typo", "SPEC = None", "there is no group"),
}
OBJECTS = {"odd": "ODD", "ttl": "TURTLE", "extract": "VERB", "mine": "SPEC"}


def write_package(folder: Path, package: str, group: str, name: str, source: str) -> None:
    """As pip leaves it: a module, and the folder that says what it adds."""
    (folder / f"{package}.py").write_text(source + "\n", encoding="utf-8")
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = f"[groundwork.{group}]\n{name} = {package}:{OBJECTS.get(name, 'MISSING')}\n"
    (about / "entry_points.txt").write_text(lines, encoding="utf-8")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_member_is_named_with_the_reason_and_takes_nothing_down(
    fault: str, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    group, name, source, reason = FAULTS[fault]
    folder = tmp_path / "site"
    folder.mkdir()
    write_package(folder, "faulty", group, name, source)
    ours = {id(registry): dict(registry) for registry in registries()}
    for _ in on_the_path(folder, monkeypatch):
        [finding] = doctor(desk)
        assert not finding.good and reason in finding.says
        assert f"{name} of faulty 1.0 is left out of groundwork.{group}" in finding.says
        assert {id(registry): dict(registry) for registry in registries()} == ours
        assert {verb.name for verb in verbs(["--help"])} >= {"extract", "doctor"}


def test_of_two_packages_with_one_name_the_first_in_the_alphabet_has_it(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "from dataclasses import replace\n"
        "from core.kb.formats.turtle import TURTLE\n"
        "ODD = replace(TURTLE, name='odd', title=__name__)"
    )
    for package in ("later", "earlier"):
        write_package(tmp_path, package, "formats", "odd", source)
    for _ in on_the_path(tmp_path, monkeypatch):
        assert FORMATS["odd"].title == "earlier"
        says = {finding.good: finding.says for finding in doctor(desk)}
        assert "odd of later 1.0" in says[False] and "earlier 1.0" in says[True]


def test_readers_of_packages_are_asked_before_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "from core.documents.paper import Paper, PaperSection\n"
        "from core.documents.readers.registry import PaperFormat\n"
        "def read(raw, name):\n"
        "    yield Paper('doc:note', 'A note', (PaperSection('', raw.decode()[6:]),))\n"
        "ODD = PaperFormat('odd', 'Notes', ('.note',), lambda h, n: h.startswith(b'NOTE: '), read)"
    )
    write_package(tmp_path, "notes", "document_readers", "odd", source)
    for _ in on_the_path(tmp_path, monkeypatch):
        from core.documents.files import read_bytes

        [paper] = read_bytes(b"NOTE: words of a note", "x.txt")
        assert (paper.title, paper.sections[0].text) == ("A note", "words of a note")


# ---------------------------------------------------------------- the document


def test_the_document_shows_the_files_of_the_example() -> None:
    shown = dict(re.findall(r"^\*\*`([\w./]+)`\*\*\n\n```\w+\n(.*?)```$", DOCUMENT, re.M | re.S))
    files = {
        path.relative_to(EXAMPLE).as_posix(): path.read_text(encoding="utf-8")
        for path in EXAMPLE.rglob("*")
        if path.suffix in (".py", ".toml")
    }
    assert shown == files


def test_the_document_names_each_group_with_the_class_of_its_members() -> None:
    rows = re.findall(
        r"^\| `(groundwork\.\w+)` \| an? (?:`(\w+)`)?.*? \| `(core[\w.]+)` \|$", DOCUMENT, re.M
    )
    assert {group for group, _, _ in rows} == FAMILIES.keys()
    kinds = {registry._group: registry._kind for registry in registries()}
    for group, kind, module in rows:
        if group in kinds:
            assert kinds[group] is getattr(importlib.import_module(module), kind)


def test_every_name_that_the_document_calls_stable_is_there() -> None:
    stable = DOCUMENT.partition("## What is stable")[2]
    places = re.findall(r"`(core(?:\.\w+)+)(?:\.\{([\w, ]+)\})?`", stable)
    assert len(places) > 8
    for place, names in places:
        for name in names.split(", "):
            resolve_name(f"{place}.{name}".rstrip("."))


@pytest.mark.parametrize("kind", [ExportFormat, Verb, EngineSpec])
def test_the_document_names_the_fields_that_are_required(kind: type[Any]) -> None:
    [shown] = re.findall(rf"^\*\*`{kind.__name__}`\*\*`\(([^)]*)\)`", DOCUMENT, re.MULTILINE)
    required = [field.name for field in fields(kind) if field.default is MISSING]
    assert shown.split(", ") == required
