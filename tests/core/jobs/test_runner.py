from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from core.errors import InputError, NotFound, Refused
from core.jobs.runner import JobContext, Runner, register_job
from core.model import Job, JobState, Json
from core.store import Store

ROOT = Path(__file__).resolve().parents[3]


class Clock:
    """Seconds past noon; stands still."""

    seconds = 0

    def __call__(self) -> str:
        return f"2026-11-20T12:{self.seconds // 60:02}:{self.seconds % 60:02}.000Z"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path / 'groundwork.db'}", clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def runner(store: Store, clock: Clock) -> Iterator[Runner]:
    ids = count()
    opened = Runner(
        store.jobs, 2, context="the desk", clock=clock, new_id=lambda: f"id{next(ids)}", beat=0.01
    )
    yield opened
    opened.close()


@register_job("double")
def double(context: JobContext, arguments: Json) -> Json:
    context.progress(1, 2, "doubling")
    return arguments["n"] * 2


@register_job("break")
def broken(context: JobContext, arguments: Json) -> Json:
    raise ValueError("secret detail")


@register_job("refuse")
def refuse(context: JobContext, arguments: Json) -> Json:
    raise InputError("It is tired.", "Wake it.")


GATE, BEGUN = threading.Event(), threading.Event()


@register_job("wait")
def wait(context: JobContext, arguments: Json) -> Json:
    """Until the gate opens, or somebody stops it."""
    BEGUN.set()
    while not GATE.wait(0.005):
        context.check()
    return "through"


@pytest.fixture(autouse=True)
def gates() -> None:
    GATE.clear()
    BEGUN.clear()


def test_a_job_is_written_down_then_done(runner: Runner) -> None:
    job = runner.start("double", {"n": 21}, "0000-0002-1825-0097")
    assert (job.state, job.name, job.curator) == (JobState.QUEUED, "double", "0000-0002-1825-0097")
    done = runner.wait(job.id, 5)
    assert (done.state, done.result, done.done, done.total, done.message) == (
        JobState.DONE,
        42,
        1,
        2,
        "doubling",
    )


def test_work_gets_what_the_runner_was_opened_with(runner: Runner) -> None:
    register_job("look")(lambda context, arguments: context.context)
    assert runner.wait(runner.start("look", {}).id, 5).result == "the desk"


def test_a_failure_is_explained_in_words_and_its_details_stay_in_the_log(runner: Runner) -> None:
    finished = runner.wait(runner.start("break", {}).id, 5)
    assert finished.state == JobState.FAILED
    assert "ValueError" in finished.error
    assert "secret detail" not in finished.error
    assert runner.wait(runner.start("refuse", {}).id, 5).error == "It is tired. Wake it."


def test_unknown_work_is_refused_before_it_is_written_down(runner: Runner, store: Store) -> None:
    with pytest.raises(InputError, match="gremlin"):
        runner.start("gremlin", {})
    assert store.jobs.find() == []


def test_work_that_is_not_loaded_yet_is_loaded(store: Store) -> None:
    loading = Runner(
        store.jobs, load=lambda: register_job("late")(lambda context, arguments: "here")
    )  # type: ignore[arg-type,return-value]
    assert loading.wait(loading.start("late", {}).id, 5).result == "here"


def test_a_running_job_stops_when_asked_and_resumes(runner: Runner) -> None:
    job = runner.start("wait", {})
    assert BEGUN.wait(5)
    runner.stop(job.id)
    assert runner.wait(job.id, 5).state == JobState.STOPPED
    GATE.set()
    runner.resume(job.id)
    assert runner.wait(job.id, 5).result == "through"


def test_a_stop_by_another_process_is_heard(runner: Runner, store: Store) -> None:
    job = runner.start("wait", {})
    assert BEGUN.wait(5)
    store.jobs.stop(job.id)
    assert runner.wait(job.id, 5).state == JobState.STOPPED


def test_a_waiting_job_stops_at_once(store: Store, clock: Clock) -> None:
    single_worker = Runner(store.jobs, 1, clock=clock)
    first, second = single_worker.start("wait", {}), single_worker.start("double", {"n": 1})
    assert BEGUN.wait(5)
    assert single_worker.stop(second.id).state == JobState.STOPPED
    GATE.set()
    assert single_worker.wait(first.id, 5).state == JobState.DONE
    assert single_worker.wait(second.id, 5).state == JobState.STOPPED


def test_a_job_that_is_done_or_unknown_cannot_resume(runner: Runner) -> None:
    done = runner.start("double", {"n": 1})
    runner.wait(done.id, 5)
    with pytest.raises(Refused, match="done"):
        runner.resume(done.id)
    with pytest.raises(NotFound):
        runner.resume("nothing")


def test_a_job_that_somebody_else_resumed_meanwhile_is_left_running(runner: Runner) -> None:
    running = runner.start("wait", {})
    assert BEGUN.wait(5)
    assert runner.resume(running.id).state == JobState.RUNNING
    GATE.set()
    assert runner.wait(running.id, 5).state == JobState.DONE


def test_a_job_that_another_process_resumes_at_the_same_moment_is_left_to_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.jobs.add(Job("j1", "double", {"n": 4}, JobState.INTERRUPTED))
    requeue = store.jobs.requeue

    def requeued_elsewhere_first(id: str) -> bool:
        requeue(id)
        store.jobs.claim(id, "elsewhere/1/1/x")
        return requeue(id)

    monkeypatch.setattr(store.jobs, "requeue", requeued_elsewhere_first)
    assert Runner(store.jobs).resume("j1").state == JobState.RUNNING


def test_a_job_without_a_heartbeat_is_interrupted_and_another_process_resumes_it(
    store: Store, clock: Clock
) -> None:
    now = [1_795_176_000.0]  # by the database's clock
    store.jobs.seconds = lambda connection: now[0]
    gone = Runner(store.jobs, clock=clock, new_id=iter(["gone", "j1"]).__next__)
    store.jobs.add(Job("j1", "double", {"n": 4}))
    store.jobs.claim("j1", gone.worker)
    now[0] += 10
    assert gone.job("j1").state == JobState.RUNNING
    now[0] += 30
    here = Runner(store.jobs, clock=clock)
    assert here.job("j1").state == JobState.INTERRUPTED
    here.resume("j1")
    assert here.wait("j1", 5).result == 8


def test_a_job_written_down_by_a_process_that_is_gone_can_be_begun(
    store: Store, runner: Runner
) -> None:
    store.jobs.add(Job("j1", "double", {"n": 4}))
    runner.resume("j1")
    assert runner.wait("j1", 5).result == 8


KILLED = """
import sys, threading
from core.jobs.runner import Runner, register_job
from core.store import Store
@register_job("for ever")
def work(context, arguments):
    context.progress(3, 10, "third")
    print("working", context.job.id, flush=True)
    threading.Event().wait()
runner = Runner(Store(sys.argv[1]).jobs)
runner.wait(runner.start("for ever", {"text": "kept"}).id)
"""


def test_a_killed_process_leaves_a_job_to_resume(
    store: Store, tmp_path: Path, clock: Clock
) -> None:
    command = [sys.executable, "-c", KILLED, f"sqlite:///{tmp_path / 'groundwork.db'}"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    id = process.stdout.readline().split()[1]
    process.send_signal(signal.SIGKILL)
    process.wait()
    later = Store(f"sqlite:///{tmp_path / 'groundwork.db'}")
    register_job("for ever")(lambda context, arguments: arguments["text"])
    runner = Runner(later.jobs)
    job = runner.job(id)
    assert (job.state, job.done, job.arguments) == (JobState.INTERRUPTED, 3, {"text": "kept"})
    runner.resume(id)
    assert runner.wait(id, 5).result == "kept"
    later.close()


def test_work_that_was_put_last_waits_for_all_others(store: Store, clock: Clock) -> None:
    begun, may_end = list[str](), threading.Event()

    @register_job("in turn")
    def in_turn(context: JobContext, arguments: Json) -> Json:
        begun.append(context.job.id)
        may_end.wait(10)
        return None

    runner = Runner(store.jobs, 1, clock=clock)
    try:
        jobs = [runner.start("in turn", {"last": last}) for last in (False, True, False, False)]
        may_end.set()
        for job in jobs:
            runner.wait(job.id, 10)
    finally:
        runner.close()
    assert begun == [jobs[0].id, jobs[2].id, jobs[3].id, jobs[1].id]
