from __future__ import annotations

import os
import sqlite3
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from core.errors import SettingsError, StoreError
from core.identity.judge import Identity
from core.model import Document, State, TextVersion
from core.store import Member, Store, database
from core.store.database import explain_fault
from core.store.document_notice import DocumentDetails
from core.store.migration import REVISIONS, SCRIPTS, migrate_database
from core.store.table import metadata
from tests.core.store.conftest import claim, ground

NEXT = """
import sqlalchemy as sa
from alembic import op
revision = "next"
down_revision = "{last}"
def upgrade():
    op.add_column("documents", sa.Column("added", sa.Text(), nullable=True))
    {more}
"""


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """Our migrations and one more."""
    folder = tmp_path / "migrations"
    (folder / "versions").mkdir(parents=True)
    for name in (
        "env.py",
        "script.py.mako",
        *(f"versions/{file.name}" for file in SCRIPTS.glob("versions/*.py")),
    ):
        (folder / name).write_bytes((SCRIPTS / name).read_bytes())
    (folder / "versions" / "next.py").write_text(NEXT.format(last=REVISIONS[-1], more=""))
    return folder


def test_the_migrations_make_the_tables_that_the_code_knows(store: Store) -> None:
    with store.database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_the_listed_revisions_are_the_files() -> None:
    directory = ScriptDirectory(str(SCRIPTS))
    assert (
        tuple(script.revision for script in reversed(list(directory.walk_revisions()))) == REVISIONS
    )


def test_the_database_is_copied_before_it_is_changed(
    store: Store, scripts: Path, tmp_path: Path
) -> None:
    store.statements.propose([(claim(), [ground(claim())])])
    migrate_database(store.database.engine, (*REVISIONS, "next"), scripts)
    copy = Store(f"sqlite:///{tmp_path}/groundwork.db.of-{REVISIONS[-1]}")
    assert copy.queue.count() == store.queue.count() == 1
    copy.close()


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    store: Store, scripts: Path, url: str
) -> None:
    last = scripts / "versions" / "next.py"
    last.write_text(
        NEXT.format(
            last=REVISIONS[-1], more="raise sa.exc.DBAPIError('no', {}, OSError('disk full'))"
        )
    )
    with pytest.raises(Exception, match="disk full"):
        migrate_database(store.database.engine, (*REVISIONS, "next"), scripts)
    again = Store(url)
    assert again.queue.count() == 0
    again.close()


def test_a_newer_database_is_refused(store: Store, url: str, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "groundwork.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="newer version"):
        Store(url)


def test_a_database_of_this_release_opens(tmp_path: Path) -> None:
    """Saved files of releases; a change that cannot read them must come with a migration."""
    for saved in sorted((Path(__file__).parents[2] / "data" / "releases").glob("*.db")):
        target = tmp_path / saved.name
        target.write_bytes(saved.read_bytes())
        store = Store(f"sqlite:///{target}")
        states = {record.state for record in store.queue.records()}
        assert states == {State.APPROVED, State.PROPOSED}
        assert store.runs.find()[0].engine == "builtin"
        assert store.calls.of_run(store.runs.find()[0].id)[0].answer == {
            "text": "drug: aspirin",
            "model": "recorded",
        }
        assert store.project.base_iri == "https://groundwork.example/saved/"
        store.close()


def test_papers_of_an_older_database_are_known_to_what_comes_later(tmp_path: Path) -> None:
    """0029.db holds namespaces of before the judgement of records."""
    target = tmp_path / "saved.db"
    target.write_bytes((Path(__file__).parents[2] / "data" / "releases" / "0029.db").read_bytes())
    store = Store(f"sqlite:///{target}")
    kept = [(record.namespace, record.merged) for record in store.identity.records("PMID:1")]
    assert kept == [("saved", False), ("second", False)]
    title = "Alpha protein rose in chronic kidney disease of mice"
    text = TextVersion("another", "DOI:10.1/x", title, "abstract")
    facts = {"year": "2019", "authors": ["Ann Roe"], "journal": "Journal of Tests"}
    again = Member(Document("DOI:10.1/x", title, ("DOI:10.1/x",)), text, facts)
    assert store.namespaces.add_members("saved", [again]).ids == ("PMID:1",)
    assert [record.merged for record in store.identity.records("PMID:1")] == [False, False, True]
    marks = store.document_overview.notices(["PMID:1", "PMID:2"])
    assert list(marks) == ["PMID:2"] and "corrected" in marks["PMID:2"]
    store.close()


def test_what_an_older_database_holds_is_not_merged_when_it_comes_again(tmp_path: Path) -> None:
    target = tmp_path / "saved.db"
    target.write_bytes((Path(__file__).parents[2] / "data" / "releases" / "0029.db").read_bytes())
    with sqlite3.connect(target) as connection:
        connection.execute(
            "INSERT INTO documents VALUES ('PMID:3', 'Delta', '2026', '2018', 'J Old', 'retracted')"
        )
        connection.execute("INSERT INTO document_ids VALUES ('PMID:3', 'PMID:3')")
        connection.execute(
            "INSERT INTO texts VALUES ('PMID:3', 'old', 'abstract', 'Delta rose.', '2025'),"
            " ('PMID:3', 'new', 'abstract', 'Delta rose twice.', '2026')"
        )
    store = Store(f"sqlite:///{target}")
    (record,) = store.identity.records("PMID:3")
    assert record.body == {"year": "2018", "journal": "J Old", "flags": ["retracted"]}
    with sqlite3.connect(target) as connection:
        shas = connection.execute("SELECT sha FROM source_records WHERE document = 'PMID:3'")
        assert shas.fetchall() == [("new",)]
    again = list(store.namespaces.members("saved"))
    richer = [replace(m, body=m.body | {"volume": "7"}) for m in again]
    delta = TextVersion("newest", "PMID:3", "Delta rose.", "abstract")
    details = DocumentDetails(facts={"year": "2018", "authors": ["Roe A"]})
    for _ in range(2):
        store.namespaces.add_members("saved", richer)
        store.documents.add_all([(Document("PMID:3", "Delta"), delta, details)])
    assert store.identity.merged() == []
    other = replace(richer[0], body=richer[0].body | {"volume": "8"})
    store.namespaces.add_members("saved", [other])
    assert [record.document for record in store.identity.merged()] == ["PMID:1"]
    store.close()


def test_what_an_older_database_knew_beside_its_namespaces_outlives_a_merge(tmp_path: Path) -> None:
    target = tmp_path / "saved.db"
    target.write_bytes((Path(__file__).parents[2] / "data" / "releases" / "0029.db").read_bytes())
    with sqlite3.connect(target) as connection:
        connection.execute(
            "UPDATE documents SET year = '2018', journal = 'J Old', notice = 'retracted'"
            " WHERE id = 'PMID:2'"
        )
        connection.execute("UPDATE members SET body = '{\"flags\": [\"corrected\"]}'"
                           " WHERE document = 'PMID:2'")  # fmt: skip
    store = Store(f"sqlite:///{target}")
    store.identity.say("PMID:1", "PMID:2", Identity.SAME, "0000-0002-1825-0097")
    store.identity.say("PMID:1", "PMID:2", Identity.DIFFERENT, "0000-0002-1825-0097")
    one, two = store.document_overview.rows(["PMID:1", "PMID:2"])
    assert (two.year, two.journal, two.status) == ("2018", "J Old", "retracted; corrected")
    assert one.status == ""
    store.close()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"this is a text, not a database at all, and long enough to be sure" * 20,
            "not a database",
        ),
        (b"\0" * 4096, "not a database"),
    ],
)
def test_a_file_that_is_not_a_database_is_refused(
    tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "groundwork.db").write_bytes(content)
    with pytest.raises(StoreError, match=message):
        Store(f"sqlite:///{tmp_path / 'groundwork.db'}")


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("CREATE TABLE documents (id)")
    with pytest.raises(StoreError, match="another program"):
        Store(f"sqlite:///{tmp_path / 'other.db'}")


def test_a_damaged_database_is_named(store: Store, tmp_path: Path) -> None:
    store.statements.propose([(claim(n), [ground(claim(n))]) for n in range(200)])
    store.close()
    file = tmp_path / "groundwork.db"
    whole = file.read_bytes()
    file.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with pytest.raises(StoreError, match=r"damaged|not a database"):
        Store(f"sqlite:///{file}").queue.records()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    with pytest.raises(StoreError, match="cannot be"):
        Store(f"sqlite:///{tmp_path}/closed/groundwork.db")


def test_a_place_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError):
        Store(f"sqlite:///{tmp_path}/file/groundwork.db")


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("database is locked", "busy"),
        ("attempt to write a readonly database", "cannot be written"),
        ("database or disk is full", "no space left"),
        ("database disk image is malformed", "damaged"),
        ("unable to open database file", "cannot be opened"),
        ("could not connect to server", "does not answer"),
        ("something else", "refused: something else"),
    ],
)
def test_trouble_is_explained_in_words(fault: str, message: str) -> None:
    assert message in explain_fault(sqlite3.OperationalError(fault), "/p/groundwork.db")[0]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ('FATAL:  password authentication failed for user "desk"', "did not accept the password"),
        ("fe_sendauth: no password supplied", "did not accept the password"),
        ('FATAL:  no pg_hba.conf entry for host "10.0.0.1"', "does not let this machine"),
        ('FATAL:  role "anna" does not exist', "does not know this user"),
        ('FATAL:  database "kb" does not exist', "no database of the name"),
        ("permission denied for schema public", "may not make or change its tables"),
        ("FATAL:  sorry, too many clients already", "no free connection"),
        ("FATAL:  the database system is starting up", "is starting"),
        ("connection refused", "does not answer"),
    ],
)
def test_postgresql_refusals_are_distinguished(fault: str, message: str) -> None:
    error = sqlite3.OperationalError(f"connection failed: {fault}")
    assert message in explain_fault(error, "postgresql+psycopg://desk:***@host/kb")[0]


def test_a_full_disk_keeps_what_was_there(store: Store) -> None:
    store.statements.propose([(claim(1), [ground(claim(1))])])
    with store.database.reading() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    raw = store.database.engine.raw_connection()
    raw.execute(f"PRAGMA max_page_count = {pages}")
    raw.close()
    with pytest.raises(StoreError, match="no space left"):
        store.statements.propose([(claim(n), [ground(claim(n))]) for n in range(2, 2000)])
    assert store.queue.count() == 1


def test_writer_that_waits_too_long_gets_an_error(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY", 0.05)
    impatient = Store(url)
    with store.database.writing(), pytest.raises(StoreError, match="busy"):
        impatient.project.set("a", 1)
    impatient.project.set("a", 2)
    assert store.project.get("a") == 2
    impatient.close()


def test_readers_do_not_wait_for_a_writer(store: Store, url: str) -> None:
    other = Store(url)
    with store.database.writing():
        assert other.queue.count() == 0
    other.close()


@pytest.mark.parametrize("url", ["nonsense", "mysql+nodriver://x/y"])
def test_a_wrong_url_is_a_setting_to_mend(url: str) -> None:
    with pytest.raises(SettingsError):
        Store(url)


def test_a_missing_driver_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(SettingsError, match=r'pip install "psycopg\[binary\]"'):
        Store("postgresql+psycopg://anna@127.0.0.1:1/kb")


def test_a_read_only_folder_is_named_as_the_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.store.database.os.access", lambda *_: False)
    message, hint = explain_fault(
        OSError("unable to open database file"), str(tmp_path / "groundwork.db")
    )
    assert message.startswith(f"The project folder {tmp_path} is read-only")
    assert "--project" in hint
