"""Bringing a database to this version of the app. Before a change an SQLite file is copied; a newer
one is refused.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import DBAPIError

from core.errors import StoreError

SCRIPTS = Path(__file__).parent / "migrations"
# oldest first; a test compares them with the files
REVISIONS = (
    "0001",
    "0002",
    "0003",
    "0006",
    "0004",
    "0012",
    "0018",
    "0019",
    "0020",
    "0021",
    "0022",
    "0023",
    "0024",
    "0028",
    "0029",
    "0031",
    "0032",
)


def migrate_database(
    engine: Engine, revisions: tuple[str, ...] = REVISIONS, scripts: Path = SCRIPTS
) -> None:
    """Create or update the tables. Raises StoreError for a database of a newer version, or of
    another program.
    """
    current = database_version(engine)
    if current == revisions[-1]:
        return
    if current and current not in revisions:
        raise StoreError(
            "The project's database was made by a newer version of this app (its revision is"
            f" {current}).",
            "Update the app, or open an older copy of the project.",
        )
    if current:
        copy_database(engine, current)
    try:
        _upgrade(engine, revisions[-1], scripts)
    except DBAPIError:
        if database_version(engine) != revisions[-1]:  # else another process did it meanwhile
            raise


def database_version(engine: Engine) -> str:
    """The revision of the database; the empty text for a new one."""
    with engine.connect() as connection:
        tables = set(inspect(connection).get_table_names())
        if "alembic_version" in tables:
            return str(
                connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or ""
            )
        if tables & {"statements", "calls", "documents"}:
            raise StoreError(
                "The database contains tables of another program.",
                "Choose another database or project.",
            )
        return ""


def copy_database(engine: Engine, revision: str) -> Path | None:
    """The database file as `groundwork.db.of-0001` beside it; a server's database is its operator's
    to copy.
    """
    if engine.url.get_backend_name() != "sqlite" or not engine.url.database:
        return None
    source = Path(engine.url.database)
    target = source.with_name(f"{source.name}.of-{revision}")
    if not target.exists():
        part = target.with_name(f"{target.name}.part")
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(part)) as new:
            old.backup(new)
        part.replace(target)  # a copy is whole or not there
    return target


def _upgrade(engine: Engine, revision: str, scripts: Path) -> None:
    with engine.connect() as connection:
        connection.execution_options(write=True)
        with connection.begin():
            _run(connection, revision, scripts)


def _run(connection: Connection, revision: str, scripts: Path) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
