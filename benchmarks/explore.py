"""What a click on Explore costs at the server: from the address to all that the browser draws.

python benchmarks/explore.py make PROJECT [STATEMENTS] [THINGS]     an invented, approved project
python benchmarks/explore.py PROJECT
Seconds are by the clock and, in brackets, of the processor. A click is a view that nobody had
before: whether anything was decided, the view, its layout, evidence counts, and the table beside.
"""

from __future__ import annotations

import hashlib
import random
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from core.desk import Desk, open_desk
from core.kb.graph.layout import label_boxes, overlapping_pairs
from core.model import (
    Category,
    Curator,
    Decision,
    Document,
    Evidence,
    Modality,
    Span,
    State,
    Statement,
    Term,
    TextGround,
    TextVersion,
    Verdict,
)
from core.services.graph import explore, knowledge_base, view_request
from core.services.graph.explore import Graph, ThingIndex
from core.services.graph.explore_memory import ExploreMemory
from core.services.graph.view_request import ViewRequest
from core.services.review import decision
from core.services.review.decision import Judgement
from core.settings import load_settings
from core.store import QueueFilter

CURATOR = Curator("0000-0002-1825-0097", "A benchmark")
KINDS = {
    Category.CHEMICAL: "CHEBI",
    Category.DISEASE: "MONDO",
    Category.GENE: "NCBIGene",
    Category.PHENOTYPE: "HP",
    Category.ANATOMY: "UBERON",
    Category.PROCESS: "GO",
}
RELATIONS = [
    *("treats", "causes", "interacts_with", "associated_with", "increases_risk_of"),
    *("located_in", "prevents", "biomarker_of", "contraindicated_in", "expressed_in"),
]
WORDS = [
    *("acute", "chronic", "renal", "hepatic", "failure", "syndrome", "toxicity", "anemia", "pain"),
    *("nausea", "disorder", "induced", "inhibitor", "receptor", "kinase", "cardiac", "acid"),
]
PAPERS = 200
SENTENCE = "The drug relieves the disease in most adults."


def term(number: int) -> Term:
    kind = list(KINDS)[number % len(KINDS)]
    chance = random.Random(number)
    words = " ".join(chance.sample(WORDS, chance.randint(1, 3)))
    return Term(f"{KINDS[kind]}:{1000 + number}", f"{words} {number}", kind)


def make(folder: Path, count: int, things: int) -> None:
    """A connected graph in which few things have many statements (a power law), 4 % negated and 6 %
    hypothetical, each with 1 to 4 pieces of evidence.
    """
    shutil.rmtree(folder, ignore_errors=True)
    desk, chance = open_desk(load_settings(folder, {})), random.Random(5)
    texts = [version(f"PMID:{1000 + n}", f"Study {n}. {SENTENCE}") for n in range(PAPERS)]
    for number, text in enumerate(texts):
        title = f"A study of {WORDS[number % len(WORDS)]}"
        desk.store.documents.add(Document(text.document, title))
        desk.store.documents.add_text(text)
    proposals: dict[str, tuple[Statement, list[Evidence]]] = {}
    while len(proposals) < count:
        first = min(int(chance.paretovariate(0.6)), things) - 1
        second = chance.randrange(things)
        if len(proposals) < things - 1:  # each thing is tied to an earlier one first
            second = len(proposals) + 1
            first = min(first, second - 1)
        claim = Statement(
            term(first),
            Term(f"biolink:{(relation := chance.choice(RELATIONS))}", relation.replace("_", " ")),
            term(second),
            negated=chance.random() < 0.04,
            modality=Modality.HYPOTHESIS if chance.random() < 0.06 else Modality.ASSERTED,
        )
        if first != second:
            proposals[claim.id] = claim, grounds(claim.id, texts, chance)
    batch = list(proposals.values())
    for start in range(0, len(batch), 5_000):
        desk.store.statements.propose(batch[start : start + 5_000])
    desk.store.statements.decide_many(
        (approval(statement, len(pieces)), State.APPROVED, False) for statement, pieces in batch
    )


def version(document: str, text: str) -> TextVersion:
    return TextVersion(hashlib.sha256(text.encode()).hexdigest(), document, text, "abstract")


def grounds(statement: str, texts: list[TextVersion], chance: random.Random) -> list[Evidence]:
    evidence = []
    for text in chance.sample(texts, min(1 + int(chance.expovariate(1)), 4)):
        start = text.text.index(SENTENCE)
        span = Span(start, start + len(SENTENCE))
        ground = TextGround(text.document, text.sha, span, SENTENCE)
        evidence.append(Evidence(statement, ground, engine="manual"))
    return evidence


def approval(statement: Statement, version: int) -> Decision:
    name = statement.id
    day = "2026-01-02T03:04:05.000Z"
    return Decision(f"d-{name}", name, version, Verdict.APPROVE, CURATOR.orcid, day)


def seconds(work: Callable[[], object]) -> str:
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return f"{time.perf_counter() - clock:6.2f} s ({time.process_time() - processor:5.2f})"


def click(desk: Desk, graph: Graph, request: ViewRequest) -> None:
    knowledge_base.content_stamp(desk)
    explore.table_of_view(desk, explore.drawing_of_view(desk, graph, request).view)


def one_decision(desk: Desk) -> None:
    (name,) = desk.store.queue.ids(QueueFilter(states=(State.APPROVED,)), limit=1)
    version = desk.store.statements.get(name).version
    decision.decide(desk, name, version, Judgement(Verdict.UNSURE), curator=CURATOR)


def measure(folder: Path) -> None:
    desk, memory = open_desk(load_settings(folder, {})), ExploreMemory()
    print(f"{desk.store.queue.count(QueueFilter(states=(State.APPROVED,))):,} statements approved")
    print("the graph, first         ", seconds(lambda: memory.graph(desk)))
    graph = memory.graph(desk)
    one_decision(desk)
    print("the graph after a decision", seconds(lambda: memory.graph(desk)))
    print("the names for searching  ", seconds(lambda: ThingIndex(graph)))
    index = ThingIndex(graph)
    print("three letters of a search", seconds(lambda: index.matching("ane")))
    ranked = sorted(graph.points.values(), key=lambda point: (-point.degree, point.key))
    busy, usual = ranked[0].key, ranked[len(ranked) // 2].key
    around = ViewRequest(view=view_request.AROUND, centre=(busy,))
    for words, request in (
        ("click: the busiest thing ", around),
        ("click: a usual thing      ", replace(around, centre=(usual,))),
        ("click: two steps of it    ", replace(around, centre=(usual,), steps=2)),
        ("click: paths              ", ViewRequest(view_request.PATHS, (usual, ranked[-1].key))),
        ("click: everything         ", ViewRequest(view=view_request.ALL)),
        ("click: overview           ", ViewRequest(view=view_request.OVERVIEW)),
        ("click: negated            ", ViewRequest(view=view_request.ALL, said=("negated",))),
        ("click: a paper            ", ViewRequest(view=view_request.ALL, paper="PMID:1007")),
        ("click: 3 pieces           ", ViewRequest(view=view_request.ALL, evidence=3)),
    ):
        print(words, seconds(lambda request=request: click(desk, graph, request)), end="  ")
        drawing = explore.drawing_of_view(desk, graph, request)
        points = drawing.view.points
        at = np.array([drawing.placement.positions[point.key] for point in points])
        overlaps = len(overlapping_pairs(at, label_boxes(drawing.view)))
        pairs = len(drawing.view.points) * (len(drawing.view.points) - 1) / 2
        share = overlaps / pairs if pairs else 0.0
        print(f"{len(drawing.view.points)} things, {share:.2%} of label pairs overlap")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "make":
        sizes = [int(words) for words in sys.argv[3:]] or [100_000, 20_000]
        make(Path(sys.argv[2]), sizes[0], sizes[-1])
    else:
        measure(Path(sys.argv[1]))
