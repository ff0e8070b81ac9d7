"""Fixtures that every room may use."""

from __future__ import annotations

import os
import shutil
import socketserver
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import Engine

from core.store import database, migration

SHARED = Path(__file__).resolve().parents[2] / "shared"
LONG = {"reproduction", "test_style.py"}
MEMORY = Path("/dev/shm")
ROOM = 4_000_000_000  # bytes free there before the projects of tests are kept in memory


def pytest_configure() -> None:
    """Projects of tests lie in memory where it is large enough: half of the run was spent waiting
    for a disk to confirm what the next test throws away.
    """
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    # Workers and child processes import the same thousand modules. What the first has compiled
    # serves all, also in a container whose image says to keep nothing compiled.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    # Servers of tests send head and body one after the other; without this each answer waits 40 ms.
    socketserver.StreamRequestHandler.disable_nagle_algorithm = True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes minutes begins first, so that no worker ends long after the others."""
    items.sort(key=lambda item: not LONG.intersection((item.path.name, item.path.parent.name)))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the checkout; the test is skipped where it is absent."""
    hidden = "GROUNDWORK_TESTS_WITHOUT_SHARED" in os.environ  # set by tests/mutation.py
    if hidden or not (SHARED / "data").is_dir():
        pytest.skip("the shared data folder is not beside this checkout")
    return SHARED


@pytest.fixture(scope="session", autouse=True)
def _small_vocabularies() -> Iterator[None]:
    """Projects of tests have the example starters only: small, and the same on every machine. Tests
    of the base set switch it on; its indexes are kept between runs.
    """
    with pytest.MonkeyPatch.context() as patch:
        if "GROUNDWORK_BASE_SET" not in os.environ:
            patch.setenv("GROUNDWORK_BASE_SET", "off")
        patch.setenv("GROUNDWORK_CACHE", str(Path(tempfile.gettempdir()) / "groundwork-tests"))
        yield


@pytest.fixture(scope="session", autouse=True)
def _migrated_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A new project's database is a copy of one that the migrations made: they took half of the
    time of a short test, thousands of times. A database that stands is migrated as ever.
    """
    template = tmp_path_factory.mktemp("migrated") / "groundwork.db"
    database.Database(f"sqlite:///{template}").close()

    def copy_or_migrate(engine: Engine) -> None:
        file = Path(engine.url.database or "")
        if engine.url.get_backend_name() == "sqlite" and file.name and not file.exists():
            part = file.with_name(f"{file.name}.{uuid4().hex}")
            shutil.copyfile(template, part)
            with suppress(FileExistsError):  # another thread or process was first
                os.link(part, file)
            part.unlink()
        migration.migrate_database(engine)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "migrate_database", copy_or_migrate)
        yield
