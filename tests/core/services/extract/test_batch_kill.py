"""A batch whose app and workers are killed gives what an undisturbed one gives."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from core.desk import load_services, open_desk
from core.model import JobState
from core.services.extract import batch
from core.settings import CODE, load_settings
from core.store.unit import UnitState

TEXTS = [
    (f"doc:{n}", f"Aspirin treats fever. Case {n}: naloxone reverses hypotension in patient {n}.")
    for n in range(24)
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    load_services()
    lines = [json.dumps({"id": id, "text": text}) for id, text in TEXTS]
    (tmp_path / "documents.jsonl").write_text("\n".join(lines))
    return tmp_path


def command(project: Path, *more: str) -> list[str]:
    arguments = ["batch", "--schema", "chemical_disease", "--engine", "builtin", *more]
    # Few documents are not worth a process; here they are.
    few = "from core.jobs import pool; pool.FEW = 8; from core.cli import main; main()"
    return [sys.executable, "-c", few, "--project", str(project / "p"), *arguments]


def extractions(project: Path, job: str) -> list[object]:
    desk = open_desk(load_settings(project / "p"))
    units = desk.store.units.all(job)
    assert {unit.state for unit in units} == {UnitState.DONE}
    results = [desk.store.runs.result(unit.run, "extraction") for unit in units]
    desk.close()
    return results


def test_killed_app_and_workers_lose_nothing(project: Path):
    app = subprocess.Popen(
        command(project, "--input", str(project / "documents.jsonl")),
        cwd=CODE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    desk, workers = open_desk(load_settings(project / "p")), set()
    until = time.monotonic() + 240
    while not workers and time.monotonic() < until:
        time.sleep(0.1)
        jobs = desk.store.jobs.find()
        units = desk.store.units.all(jobs[0].id) if jobs else []
        workers = {int(unit.worker.split("/")[1]) for unit in units if unit.worker}
    assert workers, "no unit was begun"
    app.kill()
    app.wait()
    for process in workers - {app.pid}:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    job = desk.store.jobs.find()[0]
    assert job.state is JobState.INTERRUPTED  # at once, and not after 20 seconds
    desk.close()
    subprocess.run(
        command(project, "--resume", job.id), cwd=CODE, stdout=subprocess.DEVNULL, check=True
    )
    disturbed = extractions(project, job.id)

    quiet = open_desk(load_settings(project / "p"))
    again = batch.start_batch(quiet, "chemical_disease", TEXTS, engine="builtin")
    assert quiet.runner.wait(again.id).state is JobState.DONE
    quiet.close()
    assert extractions(project, again.id) == disturbed


def test_batch_that_was_killed_while_documents_came_in_says_so(project: Path):
    desk = open_desk(load_settings(project / "p"))

    def documents():
        yield TEXTS[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch.start_batch(desk, "chemical_disease", documents(), engine="builtin")
    job = desk.store.jobs.find()[0]
    assert job.state is JobState.FAILED
    desk.runner.resume(job.id)
    assert "some are missing" in desk.runner.wait(job.id).error
    desk.close()
