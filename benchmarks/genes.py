"""How fast NCBI's answers are read and checked, beside `json.loads` alone: `python
benchmarks/genes.py`.

Prints records a second and the ratio to the peer; made-up records, no network.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.genes.strategies.planner import answer
from core.ncbi.call import NcbiDatabase, Summary
from core.ncbi.client import Ncbi
from core.ncbi.example import GENES, QUESTIONS, ExampleFetcher
from core.ncbi.response import read_response

COUNT, ROUNDS = 200, 50


def seconds(work: Callable[[], object]) -> float:
    """The best of five."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    ids = [str(number) for number in range(1, COUNT + 1)]
    body = json.dumps({"result": {"uids": ids, **{id: GENES["5699"] | {"uid": id} for id in ids}}})
    call = Summary(NcbiDatabase.GENE, tuple(ids))
    ours = seconds(lambda: [read_response(call, body) for _ in range(ROUNDS)])
    peer = seconds(lambda: [json.loads(body) for _ in range(ROUNDS)])
    print(
        f"gene summaries read: {COUNT * ROUNDS / ours:,.0f} a second, {ours / peer:.1f} times"
        " json.loads alone"
    )
    asked = seconds(lambda: [answer(Ncbi(ExampleFetcher()), text) for text in QUESTIONS])
    print(f"questions planned and answered from memory: {len(QUESTIONS) / asked:,.0f} a second")


if __name__ == "__main__":
    main()
