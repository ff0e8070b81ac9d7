"""A worker beside the app: what waits, and what a killed process left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from core.cli.operation import one_round
from core.desk import Desk, open_desk
from core.jobs.runner import JobContext, register_job
from core.model import Job, JobState, Json
from core.settings import load_settings
from core.store.process import worker_name

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    @register_job("count to three")
    def work(context: JobContext, arguments: Json) -> Json:
        return 3

    return open_desk(load_settings(tmp_path / "p"))


def left_behind(desk: Desk) -> str:
    """A job whose process was killed."""
    desk.store.jobs.add(Job("lost", "count to three", {}, created=desk.clock()))
    host, process, _, id = worker_name("w").split("/")
    desk.store.jobs.claim("lost", "/".join([host, process, "1", id]))  # its number was given again
    assert desk.store.jobs.get("lost").state is JobState.INTERRUPTED
    return "lost"


def test_worker_takes_up_a_job_whose_process_was_killed(
    desk: Desk, capsys: pytest.CaptureFixture[str]
):
    job = left_behind(desk)
    assert one_round(desk) == 1
    assert "lost · count to three · done" in capsys.readouterr().err
    assert desk.store.jobs.get(job).result == 3


def test_worker_leaves_what_was_lost_long_ago_to_a_person(tmp_path: Path, desk: Desk):
    job = left_behind(desk)
    later = open_desk(desk.settings)
    later.store.jobs.seconds = lambda connection: time.time() + 3600
    assert one_round(later) == 0
    assert later.store.jobs.get(job).state is JobState.INTERRUPTED


def test_worker_takes_up_a_job_that_ends_its_workers_three_times_only(desk: Desk):
    desk.store.project.set(f"taken up {left_behind(desk)}", 3)
    assert one_round(desk) == 0


def test_worker_takes_the_oldest_first_and_what_was_put_last_at_the_end(desk: Desk):
    for id, last in (("night", True), ("a", False), ("b", False)):
        desk.store.jobs.add(Job(id, "count to three", {"last": last}, created=desk.clock()))
    ended = []
    while one_round(desk):
        done = desk.store.jobs.find(states=(JobState.DONE,))
        ended += [job.id for job in done if job.id not in ended]
    assert ended == ["a", "b", "night"]


def test_ctrl_c_ends_a_worker_with_a_word_and_what_runs_can_be_resumed(tmp_path: Path):
    """As a person stops it in a terminal: no stack trace, and nothing is left as running."""
    project = tmp_path / "p"
    code = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a parent may ignore it
        "from core.jobs.runner import register_job\n"
        "@register_job('slow')\n"
        "def slow(context, arguments):\n"
        "    print('begun', file=sys.stderr, flush=True)\n"
        "    while True:\n"
        "        context.check()\n"
        "        time.sleep(0.01)\n"
        "from core.cli import main\n"
        f"sys.exit(main(['--project', {str(project)!r}, 'worker']))\n"
    )
    with closing(open_desk(load_settings(project))) as desk:
        desk.store.jobs.add(Job("j", "slow", {}, created=desk.clock()))
        worker = subprocess.Popen(
            [sys.executable, "-c", code], cwd=ROOT, stderr=subprocess.PIPE, text=True
        )
        try:
            assert worker.stderr is not None
            assert any("begun" in line for line in worker.stderr)
            worker.send_signal(signal.SIGINT)
            _, messages = worker.communicate(timeout=30)
        finally:
            worker.kill()
            worker.wait()
        assert worker.returncode == 1
        assert "groundwork: stopped" in messages and "Traceback" not in messages
        assert desk.store.jobs.get("j").state is JobState.STOPPED
