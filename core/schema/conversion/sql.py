"""SQL DDL to LinkML through schema-automator, which reads a database: the tables are made in an
empty SQLite file.

Only tables are made, whatever the file says: SQLite asks a guard before each step, and the guard
knows nothing else.
"""

from __future__ import annotations

import json
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import InputError

# "CREATE TEMPORARY TABLE IF NOT EXISTS"
_TABLE = re.compile(
    r"create\s+(?:(?:global\s+|local\s+)?temp\w*\s+|unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?",
    re.I,
)
_NAME = r"(?:[\"`\[]?[\w$]+[\"`\]]?\s*\.\s*)*([\"`\[]?[\w$]+[\"`\]]?)"
# A key that is added after the table: "ALTER TABLE ONLY x ADD PRIMARY KEY (id)"
_ADDED = re.compile(
    rf"alter\s+table\s+(?:only\s+)?{_NAME}\s+add\s+(constraint\s.*|primary\s.*|foreign\s.*|unique\s.*)",
    re.I | re.S,
)
# "REFERENCES public.gene": the schema's name before the table
_QUALIFIED = re.compile(r"\breferences\s+(?:[\"`]?[\w$]+[\"`]?\s*\.\s*)+(?=[\"`]?[\w$])", re.I)
_TYPES = (
    (r"BOOL", "boolean"), (r"DATETIME|TIMESTAMP", "datetime"), (r"DATE", "date"), (r"TIME", "time"),
    (r"INT|SERIAL", "integer"), (r"REAL|FLOA|DOUB", "float"), (r"DEC|NUMERIC|MONEY", "decimal"),
)  # fmt: skip
_ALLOWED = frozenset(
    {sqlite3.SQLITE_CREATE_TABLE, sqlite3.SQLITE_CREATE_INDEX, sqlite3.SQLITE_INSERT,
     sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_READ, sqlite3.SQLITE_REINDEX, sqlite3.SQLITE_FUNCTION,
     sqlite3.SQLITE_TRANSACTION}
)  # fmt: skip


def schema(text: str, name: str, notes: list[str]) -> dict[str, Any]:
    """LinkML as plain data. Raises InputError for text without a table, or with one that cannot be
    made.
    """
    from linkml_runtime.dumpers import json_dumper
    from schema_automator.importers.sql_import_engine import SqlImportEngine

    create_statements = list(tables(text, notes))
    if not create_statements:
        raise InputError(
            "There is no CREATE TABLE in this text.",
            "Give the DDL of a database, such as a schema dump.",
        )
    with tempfile.TemporaryDirectory(prefix="groundwork-") as folder:
        path = Path(folder) / "schema.db"
        columns = _create_tables(path, create_statements)
        engine = SqlImportEngine()
        try:
            imported = engine.convert(str(path), name=name)
        except Exception as error:  # SQLAlchemy raises many kinds
            raise InputError(
                f"LinkML's importer cannot read these tables: {str(error)[:200]}"
            ) from error
        finally:
            if engine.engine is not None:
                engine.engine.dispose()
    classes = json.loads(json_dumper.dumps(imported, inject_type=False)).get("classes", {})
    for (table, column), (kind, required) in columns.items():
        _typed(classes.get(table, {}).get("attributes", {}).get(column), kind, required)
    return {"classes": classes}


def tables(text: str, notes: list[str]) -> Iterator[str]:
    """The CREATE TABLE statements as SQLite reads them, with keys that were added later."""
    bodies_by_table: dict[str, str] = {}
    for statement in sql_statements(text):
        if match := _TABLE.match(statement):
            if with_columns := re.match(rf"{_NAME}\s*(\(.*)", statement[match.end() :], re.S):
                bodies_by_table[_bare(with_columns[1])] = _body(with_columns[2])
                continue
        elif (added := _ADDED.match(statement)) and _bare(added[1]) in bodies_by_table:
            bodies_by_table[_bare(added[1])] += f", {added[2]}"
            continue
        notes.append(f"the statement “{statement[:60]}”.")
    for name, body in bodies_by_table.items():
        yield f'CREATE TABLE "{name}" ({_QUALIFIED.sub("REFERENCES ", body)})'


def sql_statements(text: str) -> Iterator[str]:
    """Statements without comments; a semicolon in quotes ends none."""
    parts = re.findall(
        r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"[^\"]*\"|`[^`]*`|;|[^;'\"`/-]+|.", text, re.S
    )
    words = ""
    for part in [*parts, ";"]:
        if part == ";":
            if words.strip():
                yield words.strip()
            words = ""
        elif not part.startswith(("--", "/*")):
            words += part


def _body(text: str) -> str:
    """What stands between the brackets of a table; options of other databases follow them."""
    depth = 0
    for at, sign in enumerate(re.sub(r"'(?:[^']|'')*'", lambda m: "_" * len(m[0]), text)):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return text[1:at].replace("`", '"')
    raise InputError(f"A bracket is not closed near “{text[:60]}”.")


def _bare(name: str) -> str:
    return name.strip('"`[]')


def _create_tables(
    path: Path, create_statements: list[str]
) -> dict[tuple[str, str], tuple[str, bool]]:
    """Make the tables; gives the type of each column and whether it must be filled."""
    connection = sqlite3.connect(path)
    try:
        connection.set_authorizer(
            lambda action, *_: sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
        )
        for statement in create_statements:
            try:
                connection.execute(statement)
            except (sqlite3.Error, sqlite3.Warning) as error:
                raise InputError(
                    f"This table cannot be read: {error}.", f"Look at: {statement[:80]}"
                ) from error
        connection.commit()
        connection.set_authorizer(None)
        query = (
            "SELECT m.name, c.name, c.type, c.[notnull] FROM sqlite_master m,"
            " pragma_table_info(m.name) c"
        )
        return {
            (table, column): (kind, bool(must))
            for table, column, kind, must in connection.execute(query)
        }
    finally:
        connection.close()


def _typed(slot: dict[str, Any] | None, kind: str, required: bool) -> None:
    """The importer knows three types; the others are recognised by name."""
    if slot is None:
        return
    if slot.get("range") == "string":
        slot["range"] = next(
            (ours for theirs, ours in _TYPES if re.search(theirs, kind.upper())), "string"
        )
    if required:
        slot["required"] = True
