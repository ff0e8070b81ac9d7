"""What the doctor calls wrong, and what only could be better: one broken installation after
another.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import sys
from collections import namedtuple
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from core.cli import main
from core.desk import Desk
from core.errors import SettingsError
from core.model import Job
from core.services.settings import doctor
from core.services.settings.doctor import DoctorFinding, examine_project
from core.settings import Secret, Settings, load_settings
from core.store.database import stored_revision

RELEASES = Path(__file__).parents[3] / "data" / "releases"
NOWHERE = "127.0.0.1:1"  # nothing listens there
KEY = "sk-not-to-be-shown"


def findings(settings: Settings, network: bool = False) -> Mapping[str, DoctorFinding]:
    """By name; of several of one name one that is wrong."""
    desk = Desk(settings)
    try:
        every = sorted(examine_project(desk, network=network), key=lambda finding: not finding.good)
        return {finding.name: finding for finding in every}
    finally:
        desk.close()


def test_a_missing_address_for_ncbi_is_a_recommendation(tmp_path: Path) -> None:
    finding = findings(Settings(tmp_path))["NCBI"]
    assert finding.good and "which NCBI requires" in finding.says and "NCBI_EMAIL" in finding.hint


def test_a_sound_installation_has_nothing_wrong(tmp_path: Path) -> None:
    assert [f.name for f in findings(Settings(tmp_path)).values() if not f.good] == []


@pytest.mark.parametrize(
    ("address", "says", "hint"),
    [
        (f"postgresql+psycopg://me:{KEY}@{NOWHERE}/none", "does not answer", "that it runs"),
        (f"oracle://me:{KEY}@{NOWHERE}/none", "SQLite or PostgreSQL, not oracle", "psycopg"),
        (f"mongodb://{NOWHERE}/none", "not mongodb", "sqlite:////path"),
        ("no address at all", "", "GROUNDWORK_DATABASE_URL"),
        (f"postgresql+psycopg://me:{KEY}@host:port/none", "not a database URL", "looks like"),
        (f"postgresql+psycopg://me:a@{KEY}@{NOWHERE}/none", "a second @", "%40"),
    ],
)
def test_a_missing_database_is_named_and_the_rest_looked_at(
    tmp_path: Path, address: str, says: str, hint: str
) -> None:
    checks = findings(Settings(tmp_path, database_url=address))
    assert not checks["Database"].good
    assert says in checks["Database"].says and hint in checks["Database"].hint
    assert checks["Vocabularies"].good and checks["NCBI"].good
    assert KEY not in str(checks)


def test_names_of_settings_that_nothing_reads_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWORK_MODLE", "m")
    monkeypatch.setenv("GROUNDWORK_TOKEN_OWN", "its own name")
    told = findings(Settings(tmp_path))["Settings"]
    assert told.says.endswith("nothing reads: GROUNDWORK_MODLE (GROUNDWORK_MODEL?).")
    monkeypatch.delenv("GROUNDWORK_MODLE")
    (tmp_path / "project.toml").write_text('modell = "m"\n')
    told = findings(Settings(tmp_path))["Settings"]
    assert not told.good and "project.toml sets" in told.says and ": modell (model?)." in told.says


def test_database_that_another_program_keeps_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "LONGEST_WRITE", 0.1)
    settings = Settings(tmp_path)
    desk = Desk(settings)
    desk.store.project.set("name", "P")
    desk.close()
    with closing(sqlite3.connect(tmp_path / "groundwork.db", isolation_level=None)) as browser:
        browser.execute("BEGIN IMMEDIATE")
        told = findings(settings)["Database"]
    assert not told.good and "from being written" in told.says and "fuser" in told.hint
    assert findings(settings)["Database"].good


def test_empty_file_in_place_of_the_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "groundwork.db").touch()
    told = findings(Settings(tmp_path))["Database"]
    assert not told.good and "groundwork.db has no tables" in told.says


def test_doctor_makes_no_project(tmp_path: Path) -> None:
    finding = findings(Settings(tmp_path / "mistyped"))["Project folder"]
    assert "no project" in finding.says and "--project" in finding.hint
    assert not (tmp_path / "mistyped").exists()


def test_a_project_whose_database_is_gone_is_named(tmp_path: Path) -> None:
    (tmp_path / "project.toml").write_text('project_name = "x"', "utf-8")
    finding = findings(Settings(tmp_path, base_set=False))["Database"]
    assert not finding.good and "There is no" in finding.says and "restore" in finding.hint
    assert not (tmp_path / "groundwork.db").exists()


def test_a_database_of_an_earlier_version_is_named_and_left_alone(tmp_path: Path) -> None:
    shutil.copy(RELEASES / "0.1.0.db", tmp_path / "groundwork.db")
    settings = Settings(tmp_path, base_set=False)
    before = stored_revision(settings.database)
    finding = findings(settings)["Database"]
    assert not finding.good and "earlier version" in finding.says and "backup" in finding.hint
    assert stored_revision(settings.database) == before


def test_a_folder_in_place_of_the_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "groundwork.db").mkdir()
    finding = findings(Settings(tmp_path, base_set=False))["Database"]
    assert not finding.good and "is a folder" in finding.says


def test_the_vocabularies_whose_file_is_gone_are_named(tmp_path: Path) -> None:
    file = tmp_path / "vocabularies" / "own.tsv"
    file.parent.mkdir()
    file.write_text("id\tlabel\nX:1\taspirin\n", "utf-8")
    settings = Settings(tmp_path, base_set=False)
    assert findings(settings)["Vocabularies"].good
    file.unlink()
    (file.parent / "linked.obo").symlink_to(tmp_path / "nowhere")
    missing = findings(settings)["Vocabularies"].says
    assert [part.split(":")[0] for part in missing.split("; ")] == ["linked", "own"]
    assert missing.count("missing") == 2


def test_a_model_without_an_endpoint_is_named(tmp_path: Path) -> None:
    finding = findings(Settings(tmp_path, model="m@nowhere"))["Language model"]
    assert (
        not finding.good and "m@nowhere: no endpoint" in finding.says and "OPENAI" in finding.hint
    )


def test_a_clock_that_was_set_back_is_named(tmp_path: Path) -> None:
    desk = Desk(Settings(tmp_path, base_set=False))
    desk.store.jobs.add(Job("j", "export", {}, created="2126-01-01T00:00:00Z"))
    desk.close()
    finding = findings(Settings(tmp_path, base_set=False))["Clock"]
    assert not finding.good and "2126" in finding.says and "NTP" in finding.hint


def test_a_missing_package_hides_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "packaging.requirements", None)
    checks = findings(Settings(tmp_path))
    assert not checks["Packages"].good and "pip install" in checks["Packages"].hint
    assert checks["Language model"].good


def test_missing_package_is_explained_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("No module named 'sqlalchemy'", name="sqlalchemy")

    monkeypatch.setattr("core.cli.open_desk", missing)
    assert main(["--project", str(tmp_path), "doctor"]) == 1
    assert re.search("sqlalchemy.* pip install", capsys.readouterr().err)


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    found = findings(Settings(tmp_path))
    for name in ("Project folder", "Cache"):
        assert not found[name].good and "cannot be written" in found[name].says
    assert "GROUNDWORK_CACHE" in found["Cache"].hint
    assert "Cache" not in findings(Settings(tmp_path, base_set=False))


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")(10**9, 10**9, 0)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    finding = findings(Settings(tmp_path))["Disk"]
    assert not finding.good and "0.0 GB free" in finding.says and "2 GB" in finding.hint


def test_corrupt_vocabularies_are_named_by_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "vocabularies").mkdir()
    for number in range(5):
        (tmp_path / "vocabularies" / f"broken{number}.obo").write_bytes(b"\0\1\2" * 100)
    finding = findings(Settings(tmp_path, base_set=False))["Vocabularies"]
    assert not finding.good and "broken0" in finding.says and "2 more" in finding.says
    assert len(finding.says) < 400


def test_an_endpoint_that_does_not_answer_is_named_without_its_key(tmp_path: Path) -> None:
    settings = Settings(
        tmp_path,
        model="m",
        openai_api_key=Secret(KEY),
        openai_base_url=f"http://{NOWHERE}/v1",
        ncbi_eutils_url=f"http://{NOWHERE}/entrez/eutils",
    )
    finding = findings(settings, network=True)["Language model"]
    assert not finding.good and "cannot be reached" in finding.says and KEY not in str(finding)


def test_an_ncbi_that_does_not_answer_is_named_without_its_key(tmp_path: Path) -> None:
    settings = Settings(
        tmp_path, ncbi_api_key=Secret(KEY), ncbi_eutils_url=f"http://{NOWHERE}/entrez/eutils"
    )
    finding = findings(settings, network=True)["NCBI"]
    assert not finding.good and "127.0.0.1" in finding.says and KEY not in str(finding)
    assert "GROUNDWORK_NCBI_EUTILS_URL" in finding.hint


def test_an_ncbi_that_answers_is_fine(tmp_path: Path, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/eutils/einfo.fcgi").respond_with_data("<eInfoResult/>")
    settings = Settings(tmp_path, ncbi_eutils_url=httpserver.url_for("/eutils"), ncbi_interval=0)
    every = examine_project(Desk(settings), network=True)
    assert any("answers" in finding.says for finding in every if finding.name == "NCBI")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [("project", "a file", "is a file"), ("project/project.toml", "model = [", "is not TOML")],
)
def test_doctor_reports_an_unreadable_database_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: str, says: str
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(content, "utf-8")
    assert main(["--project", str(tmp_path / "project"), "doctor"]) == 1
    assert says in "".join(capsys.readouterr())


def test_a_scheduler_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    finding = findings(Settings(tmp_path, scheduler="tcp://127.0.0.1:9"))["Scheduler"]
    assert not finding.good
    assert "is a file" in finding.says
    assert "GROUNDWORK_DATABASE_URL" in finding.hint


def test_a_setting_that_is_not_a_number_is_explained_in_words(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as failure:
        load_settings(tmp_path, {"GROUNDWORK_MODEL_PARALLEL": "many"})
    words = "The environment variable GROUNDWORK_MODEL_PARALLEL is not a number."
    assert str(failure.value).startswith(words)


@pytest.mark.parametrize("line", ["model = [", "openai_api_key = 'sk'", "ncbi_interval = 'soon'"])
def test_a_broken_project_file_is_a_finding_and_the_rest_is_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    (tmp_path / "project.toml").write_text(line, encoding="utf-8")
    assert main(["--project", str(tmp_path), "doctor"]) == 1
    printed = capsys.readouterr().out
    assert "WRONG Settings:" in printed and "project.toml" in printed
    assert "ok    Packages" in printed and "ok    Disk" in printed
