"""The connection to the project's database: transactions, waiting for a server that is away, and
what its driver reports, in words for people.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Float, create_engine, event, literal_column, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    DisconnectionError,
    IntegrityError,
    NoSuchModuleError,
    OperationalError,
)
from sqlalchemy.pool import ConnectionPoolEntry

from core.errors import SettingsError, StoreError, StoreUnreachable
from core.model import utc_now
from core.store.migration import database_version, migrate_database

BUSY = 30.0  # seconds a writer waits for another
MAY_WRITE = (
    "Allow this user to write there, or choose another with --project or GROUNDWORK_PROJECT."
)
_URL = "Check GROUNDWORK_DATABASE_URL"
_PERMISSIONS = "Check the permissions of the file and its folder."
# Words of PostgreSQL or its driver, what they mean for {place}, and what to do; first match counts
SERVER_FAULTS = (
    *(
        (sign, "The database {place} did not accept the password.", f"{_URL}: user and password.")
        for sign in ("password authentication failed", "no password supplied")
    ),
    ("no pg_hba.conf entry", "The server of {place} does not let this machine or user in.",
     "Its administrator allows them in pg_hba.conf."),
    ('fatal:  role "', "The server of {place} does not know this user.", f"{_URL}: its user."),
    ('fatal:  database "', "The server has no database of the name in {place}.",
     "Make it (`createdb`), or check the name in GROUNDWORK_DATABASE_URL."),
    ("permission denied", "The user of {place} may not make or change its tables.",
     "Grant that (GRANT ALL ON SCHEMA public TO the user), or make the user the database's owner."),
    *(
        (sign, "The server of {place} has no free connection.",
         "Raise its max_connections, or run fewer workers.")
        for sign in ("too many clients", "remaining connection slots")
    ),
    ("starting up", "The server of {place} is starting.", "Try again in a moment."),
)  # fmt: skip
# The same for any database, above all for SQLite's file
FAULTS = (
    ("deadlock", "Two writers to {place} blocked each other, and this one was cancelled.",
     "Try again."),
    ("locked", f"{{place}} is busy: another program has held it for {BUSY:.0f} seconds.",
     "Try again in a moment. If it stays so, close whatever else has opened it."),
    ("readonly", "{place} cannot be written: it is read-only.", _PERMISSIONS),
    ("read-only", "{place} cannot be written: its disk is read-only.", MAY_WRITE),
    ("permission", "{place} cannot be opened: permission denied.", _PERMISSIONS),
    *(
        (sign, "There is no space left on the disk of {place}.",
         "Nothing half-written was kept; free some space.")
        for sign in ("full", "no space")
    ),
    ("disk i/o", "{place} cannot be read or written: its disk is full or has an error.",
     "Free some space; if there is enough, check the disk."),
    ("not a database", "{place} is not a database of this app.",
     "Move it away, or restore a backup."),
    ("malformed", "{place} is damaged.",
     "Restore the newest backup; copies made before updates are in the same folder."),
    ("unable to open", "{place} cannot be opened.",
     "Check that its folder exists and may be written."),
    ("no such table", "{place} is not a database of this app.",
     "Move it away, or choose another project."),
    ("resolve host", "The host of {place} cannot be found.", f"{_URL}."),
    ("connect", "The database {place} does not answer.", f"{_URL} and that it runs."),
)  # fmt: skip


def explain_fault(error: Exception, place: str) -> tuple[str, str]:
    """What happened to the database at `place`, and what to do."""
    reason = str(getattr(error, "orig", None) or error).casefold()
    file = Path(place)
    if "://" not in place and (fault := _file_fault(file, reason)):
        return fault
    for sign, message, hint in (*(SERVER_FAULTS if "://" in place else ()), *FAULTS):
        if sign in reason:
            return message.replace("{place}", place), hint
    line = reason.splitlines()[0][:200] if reason else "no reason given"
    return f"The database {place} refused: {line}.", ""


def _file_fault(file: Path, reason: str) -> tuple[str, str] | None:
    """What its place says of a file that cannot be opened."""
    if not any(
        sign in reason for sign in ("readonly", "read-only", "permission", "unable to open")
    ):
        return None
    if file.is_dir():
        return f"{file} is a folder, where the database's file should be.", "Move it away."
    if file.parent.is_dir() and not os.access(file.parent, os.W_OK):
        return f"The project folder {file.parent} is read-only: {file} cannot be written there.", (
            MAY_WRITE
        )
    return None


T = TypeVar("T")
THREADS = 32  # connections to a database that are kept open
PATIENCE = 120.0  # seconds that work waits for a server that restarts
AGAIN = 0.5  # seconds between two tries
REST = 2.0  # seconds after which a server's connection is asked whether it still stands


class Database:
    """One project's database. Safe to share between threads; each use takes a connection of its
    own.
    """

    def __init__(self, url: str, *, clock: Callable[[], str] = utc_now):
        self.url = _parse(url)
        self.clock = clock
        self.engine = _engine(self.url)
        self._turn = threading.RLock() if _is_file(self.url) else None
        self._shared = threading.local()  # `connection`: of the thread that works `together`
        with self._plainly():
            _make_folder(self.url)
            migrate_database(self.engine)

    def close(self) -> None:
        self.engine.dispose()

    @property
    def address(self) -> str:
        """The database's file or address, without a password."""
        return shown_address(self.url)

    @property
    def revision(self) -> str:
        return database_version(self.engine)

    def trouble(self) -> str:
        """What SQLite's own check finds wrong with the file; "" for nothing."""
        if self.engine.dialect.name != "sqlite":
            return ""
        with self.reading() as connection:
            check_result = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
        damage = check_result.splitlines()[-1][:200]  # after a line that names the file's part
        return "" if damage == "ok" else f"{self.address} is damaged: {damage}."

    def is_kept(self, seconds: float) -> bool:
        """Whether somebody else keeps an SQLite file from being written for all that time."""
        if not _is_file(self.url):
            return False
        with closing(sqlite3.connect(self.address, seconds, isolation_level=None)) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                return "locked" in str(error)
            connection.execute("ROLLBACK")
        return False

    @contextmanager
    def reading(self, *, streaming: bool = False) -> Iterator[Connection]:
        """A connection to read by. On SQLite all is read from one state; a server's statements each
        see what was committed before them. Only where rows are fetched as they are read, when
        `streaming`, is a transaction begun and ended around them there: each costs a round trip.
        """
        if (shared := self._of_this_thread()) is not None:
            with self._plainly():
                yield shared
            return
        with self._plainly(), self.engine.connect() as connection:
            if not streaming and not _is_sqlite(self.url):
                connection.execution_options(isolation_level="AUTOCOMMIT")
            yield connection

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[Connection]:
        """One transaction: all of it is stored when the block ends, or nothing.

        Either way it survives a killed process; when `durable`, a power cut too (some milliseconds
        on SQLite).
        """
        if (shared := self._of_this_thread()) is not None:
            with self._plainly(), shared.begin_nested():
                yield shared
            return
        with self._plainly(), self._in_turn(), self.engine.connect() as connection:
            connection.execution_options(write=True, durable=durable)
            with connection.begin():
                yield connection

    @contextmanager
    def together(self) -> Iterator[None]:
        """What this thread reads and writes inside is one transaction: all of it is stored when the
        block ends, or nothing. A `writing` inside that fails takes back its own part only. Whoever
        goes on after an error of the inside must let StoreError pass: the transaction is gone then.
        """
        with self.writing() as connection:
            self._shared.connection = connection
            try:
                yield
            finally:
                self._shared.connection = None

    def _of_this_thread(self) -> Connection | None:
        return getattr(self._shared, "connection", None)

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """The threads of this process write to a SQLite file one after another: left to itself, it
        lets a writer that finds it taken sleep for up to a tenth of a second at a time.
        """
        acquired = self._turn is not None and self._turn.acquire(timeout=BUSY)
        try:
            yield
        finally:
            if self._turn is not None and acquired:
                self._turn.release()

    def repeating(
        self, work: Callable[[Connection], T], times: int = 5, *, durable: bool = True
    ) -> T:
        """`work` in a transaction, again if another writer added the same row in between."""
        for tries_left in reversed(range(times)):
            try:
                with self.writing(durable=durable) as connection:
                    return work(connection)
            except IntegrityError:
                if not tries_left:
                    raise
                time.sleep(0.01)
        raise AssertionError("unreachable")

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError:
            raise
        except (DBAPIError, OSError) as error:
            away = isinstance(error, OperationalError) and not _is_sqlite(self.url)
            kind = StoreUnreachable if away else StoreError
            raise kind(*explain_fault(error, self.address)) from error


def retry_while_away(
    work: Callable[[], T],
    seconds: float = PATIENCE,
    *,
    check: Callable[[], None] = lambda: None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> T:
    """`work()`, again while the database's server is away: what was paid for is stored once it is
    back. `check` may end the waiting. Raises StoreUnreachable after so many `seconds`.
    """
    until = clock() + seconds
    while True:
        try:
            return work()
        except StoreUnreachable:
            if clock() >= until:
                raise
        check()
        sleep(AGAIN)


class Repository:
    """What one noun's repository works with: the project's one database."""

    def __init__(self, database: Database):
        self._database = database
        self.clock = database.clock
        self.seconds = database_seconds  # by the database's clock: for leases and signs of life
        self.reading = database.reading
        self.writing = database.writing
        self.repeating = database.repeating


def stored_revision(url: str) -> str:
    """The revision of the database there, "" where there is none. Looks only: nothing is made or
    upgraded. Raises StoreError for one that cannot be read.
    """
    place = _parse(url)
    if _is_file(place) and not Path(str(place.database)).exists():
        return ""
    engine = _engine(place)
    try:
        return database_version(engine)
    except DBAPIError as error:
        raise StoreError(*explain_fault(error, shown_address(place))) from error
    finally:
        engine.dispose()


def may_make_tables(url: str) -> bool:
    """Whether the user of a PostgreSQL may make the project's tables there; of a file, True."""
    engine = _engine(_parse(url))
    if engine.dialect.name != "postgresql":
        return True
    query = "SELECT has_schema_privilege(current_user, current_schema(), 'CREATE')"
    try:
        with engine.connect() as connection:
            return bool(connection.exec_driver_sql(query).scalar())
    finally:
        engine.dispose()


def shown_address(url: URL) -> str:
    """A database's file or address, without a password."""
    return str(url.database or "") if _is_file(url) else url.render_as_string(hide_password=True)


def _parse(url: str) -> URL:
    try:
        place = make_url(url)
    except (ArgumentError, ValueError) as error:  # the latter for a port that is no number
        raise SettingsError(
            "GROUNDWORK_DATABASE_URL is not a database URL.",
            "GROUNDWORK_DATABASE_URL looks like postgresql+psycopg://user@host/name.",
        ) from error
    if "@" in (place.host or ""):  # the rest of a password, which no message may show
        raise SettingsError(
            "GROUNDWORK_DATABASE_URL has a second @ before the host.",
            "Write %40 for each @ in the password.",
        )
    return place


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _is_file(url: URL) -> bool:
    return _is_sqlite(url) and url.database not in (None, "", ":memory:")


def _make_folder(url: URL) -> None:
    if _is_file(url):
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)


def _engine(url: URL) -> Engine:
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise SettingsError(
            f"A project's database is SQLite or PostgreSQL, not {url.get_backend_name()[:40]}.",
            "Set GROUNDWORK_DATABASE_URL to postgresql+psycopg://user@host/name or"
            " sqlite:////path/file.db, or unset it for a file in the project's folder.",
        )
    try:
        if not _is_sqlite(url):
            engine = create_engine(url, pool_size=THREADS)
            event.listen(engine, "checkin", _note_use)
            event.listen(engine, "checkout", _check_alive)
            return engine
        arguments = {"timeout": BUSY, "check_same_thread": False}
        kept_open = {"pool_size": THREADS} if _is_file(url) else {}
        engine = create_engine(url, connect_args=arguments, **kept_open)
    except (NoSuchModuleError, ImportError) as error:
        raise SettingsError(
            f"The database {url.get_backend_name()} needs a driver that is not installed.",
            'For PostgreSQL: pip install "psycopg[binary]".',
        ) from error
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _note_use(_: Any, record: ConnectionPoolEntry) -> None:
    record.info["used"] = time.monotonic()


def _check_alive(connection: Any, record: ConnectionPoolEntry, _: Any) -> None:
    """A connection that lay unused may have been closed by the server: then another is opened. One
    that was just used is not asked again, which would double the waiting of a short question.
    """
    if time.monotonic() - record.info.get("used", 0.0) < REST:
        return
    try:
        connection.execute("SELECT 1")
        connection.rollback()
    except Exception as error:
        raise DisconnectionError from error


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Transactions are ours to begin, and readers never wait for a writer."""
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", f"busy_timeout={BUSY * 1000:.0f}"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes the lock at once: a reader that turns writer half-way would fail."""
    options = connection.get_execution_options()
    if options.get("write"):
        durability = "FULL" if options.get("durable", True) else "NORMAL"
        if (
            connection.info.get("synchronous") != durability
        ):  # `info` lasts as long as the connection
            connection.exec_driver_sql(f"PRAGMA synchronous={durability}")
            connection.info["synchronous"] = durability
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:  # takes no lock and cannot fail, so SQLAlchemy need not see it
        connection.connection.cursor().execute("BEGIN")


def moment(seconds: float) -> str:
    """Seconds since 1970 as ISO 8601 in UTC, to the millisecond."""
    then = datetime.fromtimestamp(seconds, UTC)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def database_seconds(connection: Connection) -> float:
    """Seconds since 1970 by the clock of the database's machine."""
    if connection.dialect.name == "sqlite":
        seconds = literal_column("(julianday('now') - 2440587.5) * 86400.0", Float)
    else:
        seconds = literal_column("extract(epoch from clock_timestamp())", Float)
    return float(connection.scalar(select(seconds)) or 0.0)
