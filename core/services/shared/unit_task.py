"""Units of a job in another process: a worker of this machine, or a task on a cluster."""

from __future__ import annotations

import logging
import os
import sys
import uuid
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from core.desk import Desk, load_services, open_desk
from core.desk_parts import HasFolder, HasProject
from core.errors import InputError, SettingsError, Unreachable
from core.jobs.cluster import connect
from core.jobs.order import goes_first, waits_for_others
from core.jobs.units import AT_ONCE, has_units, threads_for, work_through
from core.optional_part import optional_module
from core.settings import child_environment, load_settings

LOOK = 2.0  # seconds that an answer of the scheduler is waited for
log = logging.getLogger(__name__)
PLACES = {  # where units are done, for a process that begins: importing all services takes seconds
    "extract batch": "core.services.extract.batch",
    "gene questions": "core.services.genes.batch",
    "bring in documents": "core.services.documents.intake",
    "gate": "core.services.graph.gate_memory",
    "export": "core.services.releases.export_job",
    "evaluation": "core.services.evaluation.evaluation_job",
}


def work_on(project: str, job: str) -> int:
    """Do units of a job of the project until none waits; how many. The project's folder is that of
    this machine's settings where `project` is not there. Units that wait for answers are done
    side by side.
    """
    desk = _desk(project if Path(project).is_dir() else "", os.getpid())
    row = desk.store.jobs.get(job)
    if not knows_units(row.name):
        raise InputError(f"There are no units of {row.name}.", "This version does not know them.")

    def through(number: int) -> int:
        worker = f"{uuid.uuid4().hex}-{number}"
        return work_through(
            desk.store.units, desk, job, name=row.name, worker_id=worker, at_once=at_once
        )

    threads = threads_for(desk, row)
    at_once = AT_ONCE if threads == 1 else 1
    with ThreadPoolExecutor(threads, thread_name_prefix="units") as pool:
        return sum(pool.map(through, range(threads)))


def knows_units(name: str) -> bool:
    """Whether jobs of this name have units; what does them is imported by that."""
    if not has_units(name) and name in PLACES:
        optional_module(PLACES[name])
    if not has_units(name):
        load_services()
    return has_units(name)


@lru_cache(maxsize=4)
def _desk(project: str, process: int) -> Desk:
    return open_desk(load_settings(Path(project) if project else None))


def worker_command(desk: HasFolder, job: str) -> list[str]:
    """How a process of this machine works on a job."""
    return [sys.executable, "-m", "core", "--project", str(desk.folder), "worker", "--job", job]


def worker_environment(desk: HasFolder) -> Mapping[str, str]:
    return child_environment(desk.settings)


class DaskCluster:
    """Tasks on the workers of a Dask scheduler that others run. State stays in the database, so a
    lost worker loses nothing.
    """

    def __init__(self, desk: HasProject):
        if not desk.settings.database_url:
            raise SettingsError(
                "A scheduler is set, but the project's database is a file of this machine.",
                "Set GROUNDWORK_DATABASE_URL to a PostgreSQL that every worker reaches, or unset"
                " GROUNDWORK_SCHEDULER.",
            )
        self._connect = partial(connect, desk.settings.scheduler)
        self._client: Any = self._connect()
        self._desk, self._project = desk, str(desk.folder)
        self._tasks: list[Any] = []

    def keep_busy(self, job: str) -> None:
        """A task for every free hand. Where the scheduler is away, it is looked for again at the
        next call: units wait meanwhile, and what a worker has in hand it ends and stores.
        """
        try:
            if self._client.status == "closed":
                self._client, self._tasks = self._connect(timeout=LOOK), []
            if self._client.status == "running":
                self._fill(job)
        except (OSError, TimeoutError, Unreachable) as error:
            log.warning("the scheduler does not answer: %s", error)

    def _fill(self, job: str) -> None:
        self._tasks = [task for task in self._tasks if not task.done()]
        hands = sum(self._client.nthreads().values())
        row = self._desk.store.jobs.get(job)
        priority = -1 if waits_for_others(row) else goes_first(row)
        while len(self._tasks) < hands:
            self._tasks.append(
                self._client.submit(
                    work_on, self._project, job, pure=False, retries=3, priority=priority
                )
            )

    def close(self) -> None:
        with suppress(OSError, TimeoutError):  # a scheduler that is away has no task left
            if self._client.status == "running":
                self._client.cancel(self._tasks)
            self._client.close(timeout=LOOK)
