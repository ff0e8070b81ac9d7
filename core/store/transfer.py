"""A project's rows from one database to another: SQLite to PostgreSQL, back, and into a copy."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, Table, func, insert, select, text

from core.errors import Refused
from core.store.database import Database
from core.store.table import metadata

TOGETHER = 1000  # rows


def transfer_rows(
    source: Database,
    target: Database,
    on_table: Callable[[str, int], None] = lambda name, rows: None,
) -> int:
    """Copy every row as it is at this moment, while others work on; how many. `on_table` hears each
    table's name and its rows.

    `target` has the tables of this version and no rows, else Refused is raised and nothing written.
    """
    with target.reading() as target_connection:
        for table in metadata.sorted_tables:
            if target_connection.execute(select(table).limit(1)).first() is not None:
                raise Refused(
                    f"The database {target.address} already contains a project.",
                    "Choose an empty one, so that two projects are not mixed.",
                )
    rows = 0
    with source.reading(streaming=True) as source_connection, target.writing() as target_connection:
        if source_connection.dialect.name == "postgresql":  # one moment for all tables
            source_connection.execute(
                text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            )
        for table in metadata.sorted_tables:
            count = _copy(source_connection, target_connection, table)
            on_table(table.name, count)
            rows += count
    return rows


def _copy(source_connection: Connection, target: Connection, table: Table) -> int:
    key = list(table.primary_key.columns)
    result = source_connection.execute(
        select(table).order_by(*key).execution_options(yield_per=TOGETHER)
    )
    rows = 0
    for part in result.partitions(TOGETHER):
        target.execute(insert(table), [dict(row._mapping) for row in part])
        rows += len(part)
    if rows and target.dialect.name == "postgresql" and "seq" in table.columns:
        place = text("SELECT pg_get_serial_sequence(:table, 'seq')")
        if sequence := target.scalar(place, {"table": table.name}):
            last_seq = target.scalar(select(func.max(table.c.seq)))
            target.execute(
                text("SELECT setval(:name, :last)"), {"name": sequence, "last": last_seq}
            )
    return rows
