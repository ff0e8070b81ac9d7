"""What the gate costs: the first time, in a new process, and after one decision, beside pySHACL.

python benchmarks/gate.py [STATEMENTS]     a project of so many approved statements (39,000), made
python benchmarks/gate.py PROJECT          a project that is there

Then the first time again, in parts that every core takes: seconds by the clock of both ways, and
of all processors together. Other seconds are of the processor; the schemas are loaded beforehand,
as in a running app. The peer is pySHACL with our shapes over the first `SAMPLE` statements that
pass, as a graph that is there, for each statement: what checking every file by SHACL would cost.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pyshacl import validate
from rdflib import Graph

from benchmarks.review import ANNA, SHA, TEXT, filled
from core.desk import Desk, open_desk
from core.kb.formats.turtle import turtle
from core.kb.gate.gate import GateReport
from core.kb.gate.shape import SHAPES
from core.model import Category, Evidence, Span, State, Statement, Term, TextGround, Verdict
from core.services.graph.gate_memory import GateMemory, check_ahead
from core.services.graph.knowledge_base import knowledge_base
from core.services.review import decision
from core.services.review.authority import loadable_schemas
from core.services.review.decision import Judgement
from core.services.review.decision_row import decide_rows
from core.services.vocabularies import own_files
from core.settings import load_settings
from core.store import QueueFilter

STATEMENTS, SAMPLE, CHEMICALS = 39_000, 2_000, 997


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def in_parts(desk: Desk) -> str:
    """The first gate by one process and by all, in seconds by the clock and of all processors."""
    rows = []
    for shared in (False, True):
        desk.store.gate_results.clear("")
        clock, used = time.perf_counter(), os.times()
        if shared:
            check_ahead(desk)
        GateMemory().report(desk)
        spent = sum(os.times()[:4]) - sum(used[:4])
        rows.append((time.perf_counter() - clock, spent))
    (alone, alone_processor), (together, together_processor) = rows
    return (
        f"one process {alone:.1f} s by the clock ({alone_processor:.1f} s of processors), in parts"
        f" {together:.1f} s ({together_processor:.1f} s): {alone / together:.2f} x as fast"
    )


def approved_project(folder: Path, size: int) -> None:
    """A project in which so many statements are approved, with a vocabulary that has their ids."""
    desk = filled(folder, 0)
    for start in range(0, size, 2_000):
        numbers = range(start, min(start + 2_000, size))
        desk.store.statements.propose([claim(number) for number in numbers], "r1")
    rows = [f"CHEBI:9{number:06}\tdrug {number}" for number in range(CHEMICALS)]
    rows += [f"MONDO:9{number:06}\tdisease {number}" for number in range(size)]
    table = folder / "names.tsv"
    table.write_text("\n".join(["id\tlabel", *rows]) + "\n", encoding="utf-8")
    own_files.add_vocabulary_file(desk, table)
    versions = desk.store.queue.versions()
    approvals = [
        {"id": id, "verdict": "approve", "version": version} for id, version in versions.items()
    ]
    assert all("error" not in line for line in decide_rows(desk, approvals, ANNA))
    desk.close()


def claim(number: int) -> tuple[Statement, list[Evidence]]:
    """A claim with a quote, of ids that no vocabulary of the base set has."""
    drug = number % CHEMICALS
    statement = Statement(
        Term(f"CHEBI:9{drug:06}", f"drug {drug}", Category.CHEMICAL),
        Term("biolink:treats", "treats", Category.RELATION),
        Term(f"MONDO:9{number:06}", f"disease {number}", Category.DISEASE),
    )
    ground = TextGround(f"PMID:{number // 20}", SHA, Span(0, 25), TEXT[:25])
    return statement, [Evidence(statement.id, ground, "r1", "", "dictionary", 0.9)]


def one_decision(desk: Desk) -> None:
    """Unsure, and back, on the first approved statement."""
    (name,) = desk.store.queue.ids(QueueFilter(states=(State.APPROVED,)), limit=1)
    for verdict in (Verdict.UNSURE, Verdict.APPROVE):
        version = desk.store.statements.get(name).version
        decision.decide(desk, name, version, Judgement(verdict), curator=ANNA)


def by_shacl(desk: Desk, report: GateReport) -> float:
    """Seconds that pySHACL takes for one statement."""
    kb = knowledge_base(desk, report.entries[:SAMPLE])
    data_graph = Graph().parse(data=turtle(replace(kb, documents={})), format="turtle")
    shapes = Graph().parse(data=SHAPES, format="turtle")
    return seconds(lambda: validate(data_graph, shacl_graph=shapes)) / len(kb.entries)


def measure(folder: Path) -> None:
    desk = open_desk(load_settings(folder, {}))
    loadable_schemas(desk)
    desk.store.gate_results.clear("")
    count = desk.store.queue.count()
    first = seconds(lambda: GateMemory().report(desk))
    memory = GateMemory()
    again = seconds(lambda: memory.report(desk))
    one_decision(desk)
    after = seconds(lambda: memory.report(desk))
    report = memory.report(desk)
    print(
        f"{count:,} statements, {len(report.entries):,} pass: first {first:.2f} s,"
        f" new process {again:.2f} s, after one decision {after:.2f} s"
    )
    print(in_parts(desk))
    if report.entries:
        peer = by_shacl(desk, report)
        ratio = first / count / peer
        print(f"pySHACL {peer * count:.1f} s for as many; the gate takes {ratio:.2f} of it")
    desk.close()


def main(folder_or_size: str) -> None:
    if not folder_or_size.isdigit():
        measure(Path(folder_or_size))
        return
    with TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        approved_project(project, int(folder_or_size))
        measure(project)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else str(STATEMENTS))
