"""What the gate costs: the first time, in a new process, and after one decision.

python benchmarks/gate.py PROJECT      a project with statements that are approved
Seconds are of the processor; the schemas are loaded beforehand, as in a running app.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.desk import Desk, open_desk
from core.model import Curator, State, Verdict
from core.services.graph.authority import schemas
from core.services.graph.gate_memory import GateMemory
from core.services.review import decision
from core.services.review.decision import Judgement
from core.settings import load_settings
from core.store import Filter

CURATOR = Curator("0000-0002-1825-0097", "A benchmark")


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def one_decision(desk: Desk) -> None:
    """Unsure, and back, on the first approved statement."""
    (name,) = desk.store.queue.ids(Filter(states=(State.APPROVED,)), limit=1)
    for verdict in (Verdict.UNSURE, Verdict.APPROVE):
        version = desk.store.statements.get(name).version
        decision.decide(desk, name, version, Judgement(verdict), CURATOR)


def main(folder: str) -> None:
    desk = open_desk(load_settings(Path(folder), {}))
    schemas(desk)
    desk.store.gate_results.clear("")
    count = desk.store.queue.count()
    first = seconds(lambda: GateMemory().report(desk))
    memory = GateMemory()
    again = seconds(lambda: memory.report(desk))
    one_decision(desk)
    after = seconds(lambda: memory.report(desk))
    print(f"{count:,} statements: first {first:.2f} s, new process {again:.2f} s,", end=" ")
    print(f"after one decision {after:.2f} s")


if __name__ == "__main__":
    main(sys.argv[1])
