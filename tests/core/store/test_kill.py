"""A killed process loses no finished call and no decision, and what it had started shows as
started.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

from core.cli import main
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
    lines_printed = [process.stdout.readline() for _ in range(lines)]
    process.send_signal(signal.SIGKILL)
    lines_printed += process.stdout.readlines()
    process.wait()
    return [line.strip() for line in lines_printed if line.endswith("\n")]


def test_a_killed_process_loses_no_finished_call(url: str) -> None:
    lines_printed = kill_after(start(CALLS, url), 61)
    store = Store(url)
    states = {call.path: call.state for call in store.calls.of_run("r1")}
    done = [line.split()[1] for line in lines_printed if line.startswith("done")]
    assert len(done) >= 30
    assert all(states[f"a[{n}]"] == CallState.DONE for n in done)
    began = lines_printed[-1].split() if lines_printed[-1].startswith("began") else None
    assert began is None or f"a[{began[1]}]" in states
    store.close()


def test_a_killed_process_loses_no_decision(store: Store, url: str) -> None:
    store.statements.propose([(claim(n), [ground(claim(n))]) for n in range(500)])
    numbers = kill_after(start(DECIDE, url, "one", "500"), 20)
    assert all(store.statements.get(claim(int(n)).id).state == State.APPROVED for n in numbers)
    assert all(len(store.statements.decisions(claim(int(n)).id)) == 1 for n in numbers)


def test_exactly_one_of_two_processes_deciding_at_once_wins(store: Store, url: str) -> None:
    store.statements.propose([(claim(n), [ground(claim(n))]) for n in range(60)])
    both = [start(DECIDE, url, name, "60") for name in ("one", "two")]
    won = [int(line) for process in both for line in process.communicate(timeout=60)[0].split()]
    assert sorted(won) == list(range(60))
    assert all(len(store.statements.decisions(claim(n).id)) == 1 for n in range(60))


PROPOSE = """
import json, sys
from core.cli import main
from core.services.documents import marking_row
marking_row.AT_ONCE = 7
main(["--project", sys.argv[1], "propose", "--input", sys.argv[2],
      "--curator", "0000-0002-1825-0097"])
"""


def test_a_killed_file_of_proposals_is_sent_again_and_stands_once(tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text("".join(json.dumps(proposal_line(n)) + "\n" for n in range(60)))
    proposed = [
        json.loads(line) for line in kill_after(start(PROPOSE, str(tmp_path), str(file)), 10)
    ]
    stored = kept(tmp_path)
    assert {line["id"] for line in proposed} <= {
        row for kind, row in stored if kind == "statements"
    }
    assert main(["--project", str(tmp_path), "propose", "--input", str(file), *CURATOR]) == 0
    undisturbed = tmp_path / "undisturbed"
    assert main(["--project", str(undisturbed), "propose", "--input", str(file), *CURATOR]) == 0
    assert kept(tmp_path) == kept(undisturbed)


CURATOR = ("--curator", "0000-0002-1825-0097")


def proposal_line(n: int) -> dict[str, str]:
    quote = f"Aspirin number {n} relieves headache."
    ends = {
        "subject": "MESH:D001241",
        "predicate": "biolink:treats",
        "object": f"MESH:D{10_000 + n}",
    }
    return {"text": f"{quote} It was given daily.", "quote": quote} | ends


def kept(project: Path) -> list[tuple[str, str]]:
    """Everything that a proposal stores, by the ids of the rows."""
    keys = {"documents": "id", "texts": "sha", "runs": "id", "results": "run", "evidence": "id",
            "statements": "id", "proposals": "run || statement"}  # fmt: skip
    store = Store(f"sqlite:///{project / 'groundwork.db'}")
    with store.database.reading() as connection:
        rows = [
            (table, key)
            for table, column in keys.items()
            for (key,) in connection.exec_driver_sql(f"SELECT {column} FROM {table}")
        ]
    store.close()
    return sorted(rows)
