"""PostgreSQL restarts while a job runs: the job waits, and nothing is done or paid twice."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from core.jobs.pool import run_units
from core.jobs.runner import Runner, register_job
from core.jobs.units import UnitResult, register_units
from core.model import Call, CallState, Job, JobState, Json
from core.store import Store
from core.store.unit import JobUnit, UnitState
from tests.postgresql import MISSING, Server, postgresql_server

pytestmark = pytest.mark.skipif(
    MISSING and not os.environ.get("CI"), reason="PostgreSQL is not installed"
)
COUNT, STOPPED_AT = 12, 5
PAID: Counter[int] = Counter()
SERVERS: list[Server] = []


@register_job("restart test")
def work(context: Any, arguments: Json) -> Json:
    counts = run_units(context, context.context.units)
    return {str(state): count for state, count in counts.items() if count}


@register_units("restart test")
def read(store: Store, unit: JobUnit, check: Callable[[], None]) -> UnitResult:
    """One question to something that is paid for; at the fifth the server goes away before the
    answer is stored, and comes back two seconds later.
    """
    call = Call(f"call-{unit.number}", f"run-{unit.number}", "p", "llm", {}, f"h{unit.number}")
    if store.calls.of_run(call.run):
        return UnitResult(UnitState.DONE)
    store.calls.begin(call)
    PAID[unit.number] += 1
    if unit.number == STOPPED_AT and PAID[unit.number] == 1:
        SERVERS[0].stop()
        threading.Timer(2.0, SERVERS[0].start).start()
    answered = replace(call, state=CallState.DONE, answer={"text": "yes"})
    store.calls.finish(answered, reusable=True)
    return UnitResult(UnitState.DONE, results=(("answer", unit.number),))


def test_a_job_outlives_a_restart_of_its_database() -> None:
    with postgresql_server() as server:
        SERVERS[:] = [server]
        PAID.clear()
        store = Store(server.url)
        store.jobs.add(Job("job", "restart test", {}, created="2026-11-23T00:00:00Z"))
        store.units.add([JobUnit("job", n, f"unit {n}", f"run-{n}") for n in range(COUNT)])
        runner = Runner(store.jobs, context=store)
        runner.take_up("job")
        job = runner.wait("job", 60)
        assert (job.state, job.result) == (JobState.DONE, {"done": COUNT}), job.error
        assert set(PAID.values()) == {1}
        assert {call.state for n in range(COUNT) for call in store.calls.of_run(f"run-{n}")} == {
            CallState.DONE
        }
        runner.close()
        store.close()
