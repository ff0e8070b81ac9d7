"""Server time of Home, Documents, Review and Knowledge graph on a large project.

What a page asks its services for is called here as the page calls it. The project has 100,000
statements in 10,000 documents, or as many as said: `python benchmarks/pages.py [STATEMENTS
DOCUMENTS]`. Prints the processor's time of each step in milliseconds, the better of two: a busy
machine hardly changes it. The goal is 300 ms a page.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from review import ANNA, NO_SETTINGS, TEXT  # noqa: E402

from core.desk import Desk, open_desk  # noqa: E402
from core.model import (  # noqa: E402
    Category,
    Document,
    Evidence,
    RankOrder,
    Reason,
    Run,
    Span,
    Statement,
    Term,
    TextGround,
    TextVersion,
    Verdict,
)
from core.services.documents import overview  # noqa: E402
from core.services.documents.overview import DocumentFilter, DocumentOrder  # noqa: E402
from core.services.graph import knowledge_base  # noqa: E402
from core.services.home import project, project_day  # noqa: E402
from core.services.learning import ranking  # noqa: E402
from core.services.review import facets, queue  # noqa: E402
from core.services.review.card import statement_cards  # noqa: E402
from core.services.review.decision import Judgement, decide  # noqa: E402
from core.services.review.reading_desk import READY, queue_slice  # noqa: E402
from core.settings import load_settings  # noqa: E402
from core.store import DocumentDetails, QueueOrder  # noqa: E402

TOGETHER = 2_000
JUDGED = 200  # statements decided before the order is learned


def filled(folder: Path, statements: int, documents: int) -> Desk:
    """A project of so many proposed statements, spread over documents with a year each."""
    desk = open_desk(load_settings(folder, NO_SETTINGS))
    desk.store.curators.add(ANNA)
    desk.store.runs.add(Run("r1", "extract", "dictionary", "notes", document="PMID:0"))
    for start in range(0, documents, TOGETHER):
        rows = range(start, min(start + TOGETHER, documents))
        desk.store.documents.add_all([paper(number) for number in rows])
    for start in range(0, statements, TOGETHER):
        rows = range(start, min(start + TOGETHER, statements))
        desk.store.statements.propose([proposed(n, n % documents) for n in rows], "r1")
    return desk


def paper(number: int) -> tuple[Document, TextVersion, DocumentDetails]:
    text = f"Paper {number}. {TEXT}"
    version = TextVersion(sha256(text.encode()).hexdigest(), "", text, "abstract")
    details = DocumentDetails(str(1990 + number % 35), f"Journal {number % 90}")
    return Document(f"PMID:{number}", f"Paper {number} on drug {number % 997}"), version, details


def proposed(number: int, place: int) -> tuple[Statement, list[Evidence]]:
    statement = Statement(
        Term(f"CHEBI:{number % 997}", f"drug {number % 997}", Category.CHEMICAL),
        Term("biolink:treats", "treats", Category.RELATION),
        Term(f"MONDO:{number}", f"disease {number}", Category.DISEASE),
    )
    document, version, _ = paper(place)
    start = version.text.index(TEXT)
    ground = TextGround(document.id, version.sha, Span(start, start + 25), TEXT[:25])
    score = number * 37 % 1_000 / 1_000
    return statement, [Evidence(statement.id, ground, "r1", "", "dictionary", score)]


def judged(desk: Desk) -> None:
    """Some decisions to learn an order from: what the engine was sure of was right."""
    for record in desk.store.queue.records(limit=JUDGED):
        good = record.evidence[0].score > 0.5
        verdict = Verdict.APPROVE if good else Verdict.REJECT
        reason = None if good else Reason.NO_RELATION
        decide(desk, record.id, record.version, Judgement(verdict, reason), curator=ANNA)


def steps(desk: Desk) -> dict[str, Callable[[], object]]:
    """What each page asks for when it opens, and what its slowest controls ask for."""
    view = queue.view_of({})

    def home() -> None:
        now = project.project_status(desk)
        project_day.tasks_to_do(desk, now)
        project_day.weekly_progress(desk, date.today())
        project_day.recent_documents(desk)

    def documents(wanted: DocumentFilter, order: DocumentOrder) -> None:
        overview.filter_choices(desk)
        overview.count_documents(desk, wanted)
        overview.list_documents(desk, wanted, order, limit=100)

    def review(order: QueueOrder = view.order) -> None:
        queue.queue_tally(desk)
        queue.count_queue(desk, view.filter)
        rows = queue_slice(desk, view.filter, order, curator=ANNA.orcid)
        statement_cards(desk, [row.id for row in rows[:READY]])

    def deep(order: QueueOrder) -> Callable[[], object]:
        """A key far down the queue: the next slice from there on."""
        start = desk.store.rankings.waiting(RankOrder.LIKELY, 5_000)[-1]
        return lambda: queue_slice(desk, view.filter, order, at=start, curator=ANNA.orcid)

    def one_facet(name: str) -> Callable[[], object]:
        return lambda: facets.facet_values(desk, name, view.filter)

    return {
        "Home": home,
        "Documents": lambda: documents(DocumentFilter(), DocumentOrder.NEWEST),
        "Documents, searched, by what waits": lambda: documents(
            DocumentFilter("paper 99"), DocumentOrder.WAITING
        ),
        "Review": review,
        "Review, in learned order": lambda: review(QueueOrder.LIKELY),
        "Review, what the desk is unsure of": lambda: review(QueueOrder.UNSURE),
        "Review, next slice in learned order": deep(QueueOrder.LIKELY),
        **{f"Review, facet {title}": one_facet(name) for name, title in facets.TITLES.items()},
        "Knowledge graph, its stamp": lambda: knowledge_base.content_stamp(desk),
    }


def main(statements: int, documents: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        desk = filled(Path(folder) / "project", statements, documents)
        judged(desk)
        seconds = _seconds(lambda: ranking.make_ranking(desk))
        print(f"{'Learning the order, in the background':<40} {seconds * 1e3:8.1f} ms")
        for name, step in steps(desk).items():
            best = min(_seconds(step) for _ in range(2))
            print(f"{name:<40} {best * 1e3:8.1f} ms", flush=True)
        desk.close()


def _seconds(step: Callable[[], object]) -> float:
    began = time.process_time()
    step()
    return time.process_time() - began


if __name__ == "__main__":
    main(*[int(number) for number in sys.argv[1:3]] or [100_000, 10_000])
