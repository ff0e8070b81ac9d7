"""An evaluation is a job: its documents and questions are units that any worker measures once."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.cli import main
from core.desk import Desk
from core.errors import Unreachable
from core.evaluation.registry import EVALUATIONS
from core.jobs.units import work_through
from core.model import Job, JobState, Json
from core.services.evaluation import evaluation_job
from core.services.evaluation.evaluation_job import report_of, start_evaluation, task_named
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage, run_here
from core.settings import Settings


class TwoStages:
    """A task whose second stage rests on the first; `troubled` parts fail, and each measurement is
    counted.
    """

    def __init__(self) -> None:
        self.measured: Counter[str] = Counter()
        self.troubled: set[str] = set()
        self.names = ["a", "b", "c"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """None."""

    def stages(self, desk: Desk, args: Namespace) -> Evaluation:
        def measure(place: int, run: str) -> Json:
            name = self.names[place]
            self.measured[name] += 1
            if name in self.troubled:
                raise Unreachable("No answer.")
            return place + 1

        first = yield EvaluationStage("letters", self.names, measure)
        second = yield EvaluationStage("sums", ["sum"], lambda place, run: sum(first))
        return EvaluationReport(f"{first} {second} {args.data}")


@pytest.fixture
def task(monkeypatch: pytest.MonkeyPatch) -> TwoStages:
    task = TwoStages()
    monkeypatch.setattr(evaluation_job, "task_named", lambda name: task)
    return task


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(Settings(tmp_path / "desk", base_set=False))
    yield desk
    desk.close()


ARGUMENTS = Namespace(task="two", data=Path("/data"), many=[Path("/more")])


def ended(desk: Desk, job: Job) -> Job:
    return desk.runner.wait(job.id, 30)


def test_a_job_reports_what_one_thread_would(desk: Desk, task: TwoStages) -> None:
    job = ended(desk, start_evaluation(desk, ARGUMENTS))
    assert job.state is JobState.DONE, job.error
    assert report_of(job) == run_here(task.stages(desk, ARGUMENTS))
    assert report_of(job).text == "[1, 2, 3] [6] /data"


def test_resumed_evaluation_measures_only_the_missing_units(desk: Desk, task: TwoStages) -> None:
    task.troubled = {"b"}
    job = ended(desk, start_evaluation(desk, ARGUMENTS))
    assert job.state is JobState.FAILED
    assert "1 of 3 letters" in job.error and "such as b: No answer." in job.error
    assert f"evaluate --resume {job.id}" in job.error
    task.troubled = set()
    job = ended(desk, desk.runner.resume(job.id))
    assert job.state is JobState.DONE
    assert task.measured == {"a": 1, "b": 2, "c": 1}


def test_another_worker_measures_units_of_either_stage(desk: Desk, task: TwoStages) -> None:
    """As a process of its own or a machine of a cluster would, beside the job or before it."""
    task.troubled = {"a", "b", "c"}
    job = ended(desk, start_evaluation(desk, ARGUMENTS))
    task.troubled = set()
    desk.store.units.retry(job.id)
    evaluation_job._opened.cache_clear()
    assert work_through(desk.store.units, desk, job.id, job.name, "worker-1") == 3
    assert ended(desk, desk.runner.resume(job.id)).state is JobState.DONE
    assert set(task.measured.values()) == {2}


def test_data_that_changed_meanwhile_are_refused(desk: Desk, task: TwoStages) -> None:
    task.troubled = {"b"}
    job = ended(desk, start_evaluation(desk, ARGUMENTS))
    task.names = ["a", "x", "c"]
    job = ended(desk, desk.runner.resume(job.id))
    assert "letters have changed" in job.error


def test_every_evaluation_has_stages() -> None:
    for name in EVALUATIONS:
        assert callable(task_named(name).stages)


def test_a_finished_evaluation_is_printed_again_by_its_job(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wordings = [
        {"question": "What is the official gene symbol of LMP10?", "kind": "alias", "tuned": True}
    ]
    file = tmp_path / "wordings.jsonl"
    file.write_text("\n".join(map(json.dumps, wordings)))
    project = ["--project", str(tmp_path / "p"), "evaluate"]
    assert main([*project, "gene-wordings", "--data", str(file)]) == 0
    first = capsys.readouterr()
    job = first.err.split()[2]
    assert "tuned" in first.out
    assert main([*project, "--resume", job]) == 0
    assert capsys.readouterr().out == first.out
