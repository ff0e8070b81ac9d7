"""A batch on a Dask scheduler with PostgreSQL stores the rows that one process stores."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from core.desk import Desk, load_services, open_desk
from core.errors import SettingsError
from core.model import JobState
from core.services.extract import batch
from core.services.shared.unit_task import DaskCluster
from core.settings import load_settings
from core.store.unit import UnitState
from tests.postgresql import MISSING, running_server

TEXTS = [
    (f"doc:{n}", f"Aspirin treats fever. Case {n}: naloxone reverses hypotension in patient {n}.")
    for n in range(12)
]


def extractions(desk: Desk) -> list[object]:
    load_services()
    job = desk.runner.wait(batch.start_batch(desk, "chemical_disease", TEXTS, engine="builtin").id)
    assert job.state is JobState.DONE, job.error
    units = desk.store.units.all(job.id)
    assert {unit.state for unit in units} == {UnitState.DONE}
    return [desk.store.runs.result(unit.run, "extraction") for unit in units]


@pytest.mark.skipif(MISSING and not os.environ.get("CI"), reason="PostgreSQL is not installed")
def test_dask_workers_give_what_one_process_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    alone = open_desk(load_settings(tmp_path / "alone"))
    expected = extractions(alone)
    alone.close()

    class Finished(distributed.SchedulerPlugin):
        """Tasks that ended, as the scheduler saw them, with the worker that did each."""

        def __init__(self):
            self.tasks = {}

        def transition(self, key, start, finish, *details, worker=None, **more):
            if finish == "memory" and worker:
                self.tasks[str(key)] = worker

    with (
        running_server() as database,
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, protocol="tcp",
            dashboard_address=None,
        ) as cluster,
    ):  # fmt: skip
        finished = Finished()
        cluster.scheduler.add_plugin(finished)
        monkeypatch.setenv("GROUNDWORK_DATABASE_URL", database)
        monkeypatch.setenv("GROUNDWORK_SCHEDULER", cluster.scheduler_address)
        desk = open_desk(load_settings(tmp_path / "shared"))
        assert extractions(desk) == expected
        units = desk.store.units.all(desk.store.jobs.find()[0].id)
        desk.close()
        assert {key.split("-")[0] for key in finished.tasks} == {"work_on"}
        assert len(set(finished.tasks.values())) == 2, "one worker had no task"
        # a task names itself; a thread of the app would have the app's name in its own
        assert all(re.fullmatch(r"[0-9a-f]{32}-0", unit.worker.split("/")[3]) for unit in units)


def test_scheduler_beside_a_database_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWORK_SCHEDULER", "tcp://127.0.0.1:9")
    desk = open_desk(load_settings(tmp_path / "p"))
    with pytest.raises(SettingsError, match="file of this"):
        DaskCluster(desk)
    desk.close()
