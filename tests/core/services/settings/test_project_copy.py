"""Backup, restore and move keep every row."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.errors import InputError, Refused
from core.model import Document
from core.services.settings import project_copy
from core.services.settings.doctor import examine_project
from core.settings import Settings
from core.store import Store
from core.store.table import metadata
from core.text.clean import text_version


@pytest.fixture
def desk(tmp_path: Path):
    opened = open_desk(Settings(tmp_path / "project"))
    opened.store.documents.add(Document("PMID:1", "A title"))
    opened.store.documents.add_text(text_version("PMID:1", "Aspirin treats pain."))
    opened.store.project.set_once("base_iri", "https://example.org/x/")
    (opened.vocabularies / "mine.tsv").write_text("id\tlabel\nX:1\tone\n")
    yield opened
    opened.close()


def rows(store: Store) -> dict[str, list[tuple[object, ...]]]:
    with store.database.reading() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(table.select())]
            for table in metadata.sorted_tables
        }


def test_restored_backup_equals_the_project(desk: Desk, tmp_path: Path):
    project_copy.write_backup(desk, tmp_path / "copy.tar.gz")
    other = open_desk(Settings(tmp_path / "other"))
    project_copy.restore_backup(other, tmp_path / "copy.tar.gz")
    assert rows(other.store) == rows(desk.store)
    assert (other.vocabularies / "mine.tsv").read_text().startswith("id")
    other.close()


def test_restore_never_overwrites_a_project(desk: Desk, tmp_path: Path):
    project_copy.write_backup(desk, tmp_path / "copy.tar")
    with pytest.raises(Refused, match="in use"):
        project_copy.restore_backup(desk, tmp_path / "copy.tar")
    with pytest.raises(Refused, match="already exists"):
        project_copy.write_backup(desk, tmp_path / "copy.tar")


def test_file_that_is_not_a_backup_is_refused(tmp_path: Path):
    (tmp_path / "x.tar").write_bytes(b"no archive")
    empty = open_desk(Settings(tmp_path / "new"))
    with pytest.raises(InputError, match="not a backup"):
        project_copy.restore_backup(empty, tmp_path / "x.tar")
    with tarfile.open(tmp_path / "y.tar", "w"):
        pass
    with pytest.raises(InputError, match="contains no project"):
        project_copy.restore_backup(empty, tmp_path / "y.tar")


def test_moved_rows_are_the_same_and_never_mixed(desk: Desk, tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'moved.db'}"
    project_copy.move_database(desk, url)
    there = Store(url)
    assert rows(there) == rows(desk.store)
    there.close()
    with pytest.raises(Refused, match="already contains"):
        project_copy.move_database(desk, url)


def test_doctor_names_a_damaged_database_and_continues(tmp_path: Path):
    (tmp_path / "groundwork.db").write_bytes(b"not a database at all" * 1000)
    findings = {f.name: f for f in examine_project(open_desk(Settings(tmp_path)))}
    assert not findings["Database"].good and findings["Database"].hint
    assert findings["Python"].good and findings["Disk"]


def test_doctor_names_an_unreadable_vocabulary(desk: Desk):
    (desk.vocabularies / "broken.obo").write_bytes(b"\0\0\0")
    finding = next(f for f in examine_project(desk) if f.name == "Vocabularies")
    assert not finding.good and "broken" in finding.says
