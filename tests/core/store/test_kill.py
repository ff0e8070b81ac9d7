"""A killed process loses no finished call and no decision, and what it had started shows as
started.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from core.model import CallState, State
from core.store import Store
from tests.core.store.conftest import claim, ground

ROOT = Path(__file__).resolve().parents[3]

CALLS = """
import sys
from dataclasses import replace
from core.model import Call, CallState
from core.store import Store
store = Store(sys.argv[1])
for n in range(10_000):
    call = Call(f"c{n}", "r1", f"a[{n}]", "model", {"n": n}, f"h{n}")
    store.calls.begin(call)
    print("began", n, flush=True)
    store.calls.finish(replace(call, state=CallState.DONE, answer={"text": str(n)}))
    print("done", n, flush=True)
"""

DECIDE = """
import sys
from core.errors import StaleVersion
from core.model import State
from core.store import Store
from tests.core.store.conftest import claim, verdict
store = Store(sys.argv[1])
for n in range(int(sys.argv[3])):
    try:
        store.statements.decide(verdict(claim(n), 1, id=f"{sys.argv[2]}-{n}"), State.APPROVED)
        print(n, flush=True)
    except StaleVersion:
        pass
"""


def start(script: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def kill_after(process: subprocess.Popen[str], lines: int) -> list[str]:
    assert process.stdout is not None
    said = [process.stdout.readline() for _ in range(lines)]
    process.send_signal(signal.SIGKILL)
    said += process.stdout.readlines()
    process.wait()
    return [line.strip() for line in said if line.endswith("\n")]


def test_a_killed_process_loses_no_finished_call(url: str) -> None:
    said = kill_after(start(CALLS, url), 61)
    store = Store(url)
    states = {call.path: call.state for call in store.calls.of_run("r1")}
    done = [line.split()[1] for line in said if line.startswith("done")]
    assert len(done) >= 30
    assert all(states[f"a[{n}]"] == CallState.DONE for n in done)
    began = said[-1].split() if said[-1].startswith("began") else None
    assert began is None or f"a[{began[1]}]" in states
    store.close()


def test_a_killed_process_loses_no_decision(store: Store, url: str) -> None:
    store.statements.propose([(claim(n), [ground(claim(n))]) for n in range(500)])
    said = kill_after(start(DECIDE, url, "one", "500"), 20)
    assert all(store.statements.get(claim(int(n)).id).state == State.APPROVED for n in said)
    assert all(len(store.statements.decisions(claim(int(n)).id)) == 1 for n in said)


def test_of_two_processes_that_decide_at_once_exactly_one_wins(store: Store, url: str) -> None:
    store.statements.propose([(claim(n), [ground(claim(n))]) for n in range(60)])
    both = [start(DECIDE, url, name, "60") for name in ("one", "two")]
    won = [int(line) for process in both for line in process.communicate(timeout=60)[0].split()]
    assert sorted(won) == list(range(60))
    assert all(len(store.statements.decisions(claim(n).id)) == 1 for n in range(60))
