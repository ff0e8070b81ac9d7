"""Server time of one key on Review, at 17, 2,700 and 100,000 statements that wait.

A key is what the page does for it: the press is stored, the next statements are fetched when few
are left, and the browser's data is made. Run: `python benchmarks/review.py [SIZE …] [--postgres]`.
Prints, for each size, the median, the 95th percentile and the slowest of 60 keys in milliseconds,
and the median of the processor's time, which a busy machine hardly changes, as a ratio to the
smallest size.
"""

from __future__ import annotations

import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.desk import Desk, open_desk
from core.model import (
    Category,
    Curator,
    Document,
    Evidence,
    Run,
    Span,
    Statement,
    Term,
    TextGround,
    TextVersion,
)
from core.services.review import key_press, queue
from core.services.review.card import statement_cards
from core.services.review.reading_desk import AHEAD, LEAST, READY, queue_slice
from core.settings import load_settings
from tests.postgresql import running_server

ANNA = Curator("0000-0002-1825-0097", "Anna")
SIZES = (17, 2_700, 100_000)
TEXT = "Aspirin relieves headache in most adults. It did not relieve nausea."
SHA = "ab" * 32
NO_SETTINGS: Mapping[str, str] = {}
KEYS = 60
ORDERS = ("proposed", "score", "document")


def filled(folder: Path, size: int, settings: Mapping[str, str] = NO_SETTINGS) -> Desk:
    """A project with so many proposed statements, each with a quote in a document of its own."""
    desk = open_desk(load_settings(folder, settings))
    desk.store.curators.add(ANNA)
    desk.store.runs.add(Run("r1", "extract", "dictionary", document="PMID:0", text_version=SHA))
    for start in range(0, size, 2_000):
        desk.store.statements.propose(
            [proposed(number) for number in range(start, min(start + 2_000, size))], "r1"
        )
    desk.store.documents.add(Document("PMID:0", "A note"))
    desk.store.documents.add_text(TextVersion(SHA, "PMID:0", TEXT))
    return desk


def proposed(number: int) -> tuple[Statement, list[Evidence]]:
    statement = Statement(
        Term(f"CHEBI:{number % 997}", f"drug {number % 997}", Category.CHEMICAL),
        Term("biolink:treats", "treats", Category.RELATION),
        Term(f"MONDO:{number}", f"disease {number}", Category.DISEASE),
    )
    ground = TextGround(f"PMID:{number // 20}", SHA, Span(0, 25), TEXT[:25])
    piece = Evidence(statement.id, ground, "r1", "", "dictionary", number * 37 % 1_000 / 1_000)
    return statement, [piece]


def keys(desk: Desk, order: str) -> list[tuple[float, float]]:
    """Seconds of the clock and of the processor for each of `KEYS` keys."""
    view = queue.view_of({"order": order})
    rows = queue_slice(desk, view.filter, view.order, curator=ANNA.orcid)
    known = {
        card.record.id: card for card in statement_cards(desk, [row.row.id for row in rows[:READY]])
    }
    seconds: list[tuple[float, float]] = []
    place = 0
    for number in range(min(KEYS, desk.store.queue.count(view.filter))):
        begun, working = time.perf_counter(), time.process_time()
        statement = rows[place].row
        pressed = key_press.KeyPress(
            f"k-{order}benchmark-{number}",
            "approve",
            statement.id,
            statement.version,
            curator=ANNA.orcid,
        )
        (result,) = key_press.store_presses(desk, [pressed], ANNA)
        if not result.saved:
            raise SystemExit(result.words)
        place += 1
        if len(rows) - place <= LEAST and len(rows) >= AHEAD:
            at = rows[place].row.id
            rows = queue_slice(desk, view.filter, view.order, at=at, curator=ANNA.orcid)
            place = [row.row.id for row in rows].index(at)
            queue.count_queue(desk, view.filter)
        wanted = [row.row.id for row in rows[place : place + READY]]
        known |= {
            card.record.id: card
            for card in statement_cards(desk, [id for id in wanted if id not in known])
        }
        seconds.append((time.perf_counter() - begun, time.process_time() - working))
    return seconds


def main(sizes: list[int], postgres: bool) -> None:
    first: dict[str, float] = {}
    for size in sizes:
        server = running_server() if postgres else contextlib.nullcontext("")
        with tempfile.TemporaryDirectory() as folder, server as url:
            settings = {"GROUNDWORK_DATABASE_URL": url} if url else NO_SETTINGS
            desk = filled(Path(folder) / "project", size, settings)
            for order in ORDERS:
                measured = keys(desk, order)
                if not measured:
                    continue
                taken = sorted(clock for clock, _ in measured)
                working = statistics.median(own for _, own in measured)
                middle = statistics.median(taken)
                ratio = working / first.setdefault("", working)
                print(
                    f"{size:>7,} statements · {order:<9} median {middle * 1e3:6.1f} ms"
                    f" · p95 {taken[int(len(taken) * 0.95)] * 1e3:6.1f}"
                    f" · slowest {taken[-1] * 1e3:6.1f} · processor {working * 1e3:5.1f} ms,"
                    f" {ratio:.2f} × the smallest"
                )
            desk.close()


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word != "--postgres"]
    main(numbers or list(SIZES), "--postgres" in sys.argv)
