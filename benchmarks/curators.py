"""Twenty curators on one queue for a minute: nothing lost, nothing double, few stale.

Each curator is a thread with a desk of its own that does what the page does: a slice in hand, keys
one by one, the next slice when few are left. Run:
`python benchmarks/curators.py [--seconds 60] [--curators 20] [--url postgresql+psycopg://…]`
(default: SQLite in a temporary folder; `--postgres`: a PostgreSQL of its own, from the installed
programs). Prints presses, how many were stale, lost and double, how long one took, and what
does not depend on who else uses the machine: statements to the database and processor time of this
process for each press, with its share of the slices.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine, event

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.review import filled
from core.desk import Desk, open_desk
from core.model import Curator, State
from core.services.review import key_press, queue
from core.services.review.reading_desk import queue_slice
from core.settings import load_settings
from core.store import StatementRow
from tests.postgresql import running_server

LEAST = 12
PAUSE = 0.6  # seconds that a quick curator takes for one statement


def orcid(number: int) -> str:
    """The nth ORCID iD with a right check digit (ISO 7064 MOD 11-2)."""
    digits, total = f"{number + 1:015}", 0
    for digit in digits:
        total = (total + int(digit)) * 2
    check = (12 - total % 11) % 11
    whole = digits + ("X" if check == 10 else str(check))
    return "-".join(whole[at : at + 4] for at in range(0, 16, 4))


@dataclass
class Tally:
    """What one curator saw."""

    saved: list[str] = field(default_factory=list)
    stale: int = 0
    seconds: list[float] = field(default_factory=list)


def work(desk: Desk, curator: Curator, end: float, tally: Tally) -> None:
    chance = random.Random(curator.orcid)
    view = queue.view_of({})
    rows: list[StatementRow] = []
    number = 0
    while time.monotonic() < end:
        time.sleep(chance.uniform(0.5, 1.5) * PAUSE)
        begun = time.perf_counter()
        if len(rows) <= LEAST:
            at = rows[0].id if rows else ""
            rows = queue_slice(desk, view.filter, view.order, at=at, curator=curator.orcid)
            ids = [waiting.id for waiting in rows]
            rows = rows[ids.index(at) :] if at in ids else rows  # what was passed over stays
        if not rows:
            return
        row = rows.pop(0)
        number += 1
        pressed = key_press.KeyPress(
            f"k-benchmark-{curator.orcid.replace('-', '').lower()}"[:30] + f"-{number}",
            chance.choice(["approve", "unsure"]),
            row.id,
            row.version,
            curator=curator.orcid,
        )
        (result,) = key_press.store_presses(desk, [pressed], curator)
        tally.seconds.append(time.perf_counter() - begun)
        if result.saved:
            tally.saved.append(row.id)
        else:
            tally.stale += 1


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--curators", type=int, default=20)
    parser.add_argument("--size", type=int, default=4_000)
    parser.add_argument("--url", default="", help="a database URL (default: SQLite)")
    parser.add_argument("--postgres", action="store_true", help="start a PostgreSQL for this run")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        if args.postgres:
            args.url = stack.enter_context(running_server())
        settings = {"GROUNDWORK_DATABASE_URL": args.url} if args.url else {}
        project = Path(folder) / "project"
        filled(project, args.size, settings).close()
        desks = [open_desk(load_settings(project, settings)) for _ in range(args.curators)]
        tallies = [Tally() for _ in desks]
        people = [Curator(orcid(number)) for number in range(args.curators)]
        statements = count_statements()
        worked = time.process_time()
        end = time.monotonic() + args.seconds
        threads = [
            threading.Thread(target=work, args=(desk, person, end, tally))
            for desk, person, tally in zip(desks, people, tallies, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        worked = time.process_time() - worked
        asked = next(statements)
        report(desks[0], tallies)
        presses = sum(len(tally.seconds) for tally in tallies) or 1
        print(
            f"each press with its share of the slices: {asked / presses:.1f} statements,"
            f" {worked / presses * 1e3:.1f} ms of the processor"
        )
        for desk in desks:
            desk.close()


def count_statements() -> Iterator[int]:
    """How many statements were sent to any database since this was called."""
    counter = itertools.count()
    event.listen(Engine, "before_cursor_execute", lambda *_: next(counter))
    return counter


def report(desk: Desk, tallies: list[Tally]) -> None:
    saved = Counter(id for tally in tallies for id in tally.saved)
    stale = sum(tally.stale for tally in tallies)
    seconds = sorted(second for tally in tallies for second in tally.seconds)
    total = len(seconds)
    stored = {
        record.id: len(record.decisions)
        for record in desk.store.statements.of_ids(list(saved))
        if record.state is not State.PROPOSED
    }
    lost = len(saved) - len(stored)
    double = sum(count > 1 for count in saved.values()) + sum(n > 1 for n in stored.values())
    share = stale / total if total else 0.0
    p95 = seconds[int(total * 0.95)] * 1e3 if total else 0.0
    print(
        f"{len(tallies)} curators · {total} presses · {lost} lost · {double} double ·"
        f" {stale} stale ({share:.1%}) · median {seconds[total // 2] * 1e3:.0f} ms · p95"
        f" {p95:.0f} ms"
    )


if __name__ == "__main__":
    main()
