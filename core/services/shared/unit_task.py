"""Units of a job in another process: a worker of this machine, or a task on a cluster."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from core.desk import Desk, load_services, open_desk
from core.errors import SettingsError
from core.jobs.units import has_units, work_through
from core.settings import child_environment, load_settings

AT_ONCE = 4  # short units claimed together
PLACES = {  # where units are done, for a process that begins: importing all services takes seconds
    "extract batch": "core.services.extract.batch",
}


def work_on(project: str, job: str) -> int:
    """Do units of a job of the project until none waits; how many. The project's folder is that of
    this machine's settings where `project` is not there.
    """
    desk = _desk(project if Path(project).is_dir() else "", os.getpid())
    row = desk.store.jobs.get(job)
    known(row.name)
    return work_through(desk.store.units, desk, job, row.name, uuid.uuid4().hex, at_once=AT_ONCE)


def known(name: str) -> bool:
    """Whether jobs of this name have units; what does them is imported by that."""
    if not has_units(name) and name in PLACES:
        import_module(PLACES[name])
    if not has_units(name):
        load_services()
    return has_units(name)


@lru_cache(maxsize=4)
def _desk(project: str, process: int) -> Desk:
    return open_desk(load_settings(Path(project) if project else None))


def command(desk: Desk, job: str) -> list[str]:
    """How a process of this machine works on a job."""
    return [sys.executable, "-m", "core", "--project", str(desk.folder), "worker", "--job", job]


def environment(desk: Desk) -> Mapping[str, str]:
    return child_environment(desk.settings)


class DaskCluster:
    """Tasks on the workers of a Dask scheduler that others run. State stays in the database, so a
    lost worker loses nothing.
    """

    def __init__(self, desk: Desk):
        from core.literature.ranking.cluster import connect

        if not desk.settings.database_url:
            raise SettingsError(
                "A scheduler is set, but the project's database is a file of this machine.",
                "Set GROUNDWORK_DATABASE_URL to a PostgreSQL that every worker reaches, or unset"
                " GROUNDWORK_SCHEDULER.",
            )
        self._client: Any = connect(desk.settings.scheduler)
        self._project = str(desk.folder)
        self._tasks: list[Any] = []

    def keep_busy(self, job: str) -> None:
        self._tasks = [task for task in self._tasks if not task.done()]
        hands = sum(self._client.nthreads().values())
        while len(self._tasks) < hands:
            self._tasks.append(
                self._client.submit(work_on, self._project, job, pure=False, retries=3)
            )

    def close(self) -> None:
        self._client.cancel(self._tasks)
