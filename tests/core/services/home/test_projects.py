"""Projects beside each other."""

from __future__ import annotations

import errno
import tarfile
from pathlib import Path

import pytest

from core.desk import open_desk
from core.errors import InputError, NotFound, Refused, SettingsError
from core.model import JobState
from core.services.home import projects
from core.services.shared import screen
from core.settings import Settings, load_settings
from tests.core.store.conftest import claim, ground


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(tmp_path / "mine", {})


def test_the_list_has_the_configured_project_and_the_example_before_they_are_made(
    settings: Settings,
) -> None:
    mine, example = projects.list_projects(settings)
    assert (mine.name, mine.made, example.example, example.made) == ("mine", True, True, False)


def test_a_made_project_is_listed_and_has_its_own_addresses(settings: Settings) -> None:
    first = projects.make_project(settings, "Gene atlas")
    second = projects.make_project(settings, "Gene atlas 2")
    assert [entry.title for entry in projects.list_projects(settings)][:2] == [
        "Gene atlas",
        "Gene atlas 2",
    ]
    bases = {open_desk(load_settings(entry.folder, {})).base_iri for entry in (first, second)}
    assert len(bases) == 2


def test_a_taken_name_is_refused_and_an_empty_one_too(settings: Settings) -> None:
    projects.make_project(settings, "Atlas")
    with pytest.raises(Refused):
        projects.make_project(settings, "atlas!")
    with pytest.raises(InputError):
        projects.make_project(settings, "  ")
    with pytest.raises(InputError):
        projects.make_project(settings, "../..")


def test_renaming_a_project_keeps_its_folder_and_iris(settings: Settings) -> None:
    entry = projects.make_project(settings, "Atlas")
    base = open_desk(load_settings(entry.folder, {})).base_iri
    projects.rename_project(open_desk(load_settings(entry.folder, {})), "Atlas of genes")
    renamed = projects.open_folder(settings, "atlas")
    assert renamed.title == "Atlas of genes"
    assert open_desk(load_settings(entry.folder, {})).base_iri == base


def test_only_listed_projects_can_be_opened(settings: Settings) -> None:
    with pytest.raises(NotFound):
        projects.open_folder(settings, "../etc")
    assert projects.open_folder(settings, "example-project").example


def test_a_backup_is_restored_beside_the_project(settings: Settings) -> None:
    desk = open_desk(settings)
    desk.store.statements.propose([(claim(1), [ground(claim(1))])])
    job = projects.start_backup(desk)
    desk.runner.wait(job.id)
    assert desk.runner.job(job.id).state is JobState.DONE
    (kept,) = projects.kept_backups(settings)
    entry = projects.restore_project(settings, kept.path, "Mine again")
    restored = open_desk(load_settings(entry.folder, {}))
    assert restored.store.queue.count() == 1
    assert restored.store.jobs.get(job.id).state is JobState.DONE
    restored.close()
    assert desk.store.queue.count() == 1
    assert entry.title == "Mine again"
    desk.close()


def test_a_file_that_is_not_a_backup_leaves_no_project(settings: Settings, tmp_path: Path) -> None:
    other = tmp_path / "other.tar"
    with tarfile.open(other, "w") as archive:
        archive.add(__file__, "readme")
    with pytest.raises(InputError):
        projects.restore_project(settings, other, "Nothing")
    assert not (tmp_path / "nothing").exists()


def test_a_project_beside_the_configured_one_never_uses_its_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWORK_PROJECT", str(tmp_path / "mine"))
    monkeypatch.setenv("GROUNDWORK_DATABASE_URL", f"sqlite:///{tmp_path}/server.db")
    projects.make_project(load_settings(None), "Other")
    configured = screen.open_project(screen.project_folder("", {}), {})
    other = screen.open_project(screen.project_folder("other", {}), {})
    assert "server.db" in configured.settings.database
    assert "server.db" not in other.settings.database


@pytest.mark.parametrize(
    ("title", "folder"),
    [("Grün: Öl", "grun-ol"), ("日本語", "project-77710aed"), ("β", "project-")],
)
def test_a_name_in_any_script_makes_a_project(settings: Settings, title: str, folder: str) -> None:
    entry = projects.make_project(settings, title)
    assert entry.title == title
    assert entry.name.startswith(folder) and entry.name.isascii()


def test_a_name_loses_the_signs_that_turn_it_round(settings: Settings) -> None:
    entry = projects.make_project(settings, "\u202eAtlas\x00")
    assert entry.title == "Atlas\ufffd"
    desk = open_desk(load_settings(entry.folder, {}))
    projects.rename_project(desk, "\u202eGenes")
    desk.close()
    assert projects.open_folder(settings, entry.name).title == "Genes"


@pytest.fixture
def backup(settings: Settings) -> Path:
    desk = open_desk(settings)
    desk.store.statements.propose([(claim(1), [ground(claim(1))])])
    job = projects.start_backup(desk)
    desk.runner.wait(job.id)
    desk.close()
    (kept,) = projects.kept_backups(settings)
    return kept.path


@pytest.mark.parametrize("broken", ["groundwork.db", "project.toml"])
def test_a_backup_that_is_damaged_inside_is_named(
    settings: Settings, tmp_path: Path, backup: Path, broken: str
) -> None:
    with tarfile.open(backup) as archive:
        archive.extractall(tmp_path / "inner", filter="data")
    inner = tmp_path / "inner" / broken
    inner.write_bytes(inner.read_bytes()[:9_000] if broken.endswith("db") else b"name = [")
    damaged = tmp_path / "damaged.tar"
    with tarfile.open(damaged, "w") as archive:
        for path in (tmp_path / "inner").iterdir():
            archive.add(path, path.name)
    with pytest.raises(InputError, match=r"damaged\.tar") as refusal:
        projects.restore_project(settings, damaged, "Nothing")
    assert "/tmp" not in str(refusal.value) and str(tmp_path) not in str(refusal.value)
    assert not (tmp_path / "nothing").exists()


def full_disk(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("step", ["project_copy._place", "setting.save_settings"])
def test_a_full_disk_is_reported_and_leaves_no_half_project(
    settings: Settings, tmp_path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    monkeypatch.setattr(f"core.services.home.projects.{step}", full_disk)
    with pytest.raises(SettingsError, match="No space left on device"):
        projects.restore_project(settings, backup, "Nothing")
    assert not (tmp_path / "nothing").exists()


def test_a_project_that_a_full_disk_stops_is_not_left_half_made(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.services.home.projects.setting.save_settings", full_disk)
    with pytest.raises(SettingsError, match="No space left on device"):
        projects.make_project(settings, "Nothing")
    assert not (tmp_path / "nothing").exists()


def test_a_second_tab_does_not_overwrite_the_project_of_the_first(
    settings: Settings, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = projects.make_project(settings, "Atlas")
    monkeypatch.setattr(projects, "_new_folder", lambda *_: first.folder)  # it looked before
    for second in (
        lambda: projects.make_project(settings, "Atlas"),
        lambda: projects.restore_project(settings, backup, "Atlas"),
    ):
        with pytest.raises(Refused, match="already a folder atlas"):
            second()
    assert projects.open_folder(settings, "atlas").title == "Atlas"
