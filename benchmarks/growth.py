"""How the cost of each kind of work grows with what it is given: a table and a picture.

    python benchmarks/growth.py [--sizes 500 1500 5000 15000] [--write]

Seconds are the processor's, so that a busy machine changes them little; each kind of work takes the
product's own path. The exponent is the slope of a line through the logarithms: 1 is linear, and
n log n shows as 1.1 to 1.2 over such sizes. `--write` puts the table and the curves into
`docs/operations/growth.md` and `docs/pictures/growth.svg`, with the date and the machine.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.batch import documents
from benchmarks.export import knowledge_base
from benchmarks.literature import chunks, questions, vocabulary
from benchmarks.review import ANNA, filled
from core.desk import Desk, load_services, open_desk
from core.jobs.units import AT_ONCE, UnitResult, register_units, work_through
from core.kb.formats.turtle import turtle
from core.literature.index.build import build_index
from core.literature.index.reader import ChunkIndex
from core.literature.query.keyword import parse_query
from core.literature.ranking.search import Searcher
from core.model import Job
from core.services.extract.run import extract_and_keep, keep_text, new_run
from core.services.extract.run_options import RunOptions
from core.services.graph.gate_memory import GateMemory
from core.services.review.authority import loadable_schemas
from core.services.review.decision_row import decide_rows
from core.settings import load_settings
from core.store import Store
from core.store.unit import JobUnit, UnitState

ROOT = Path(__file__).resolve().parents[1]
SIZES = [500, 1_500, 5_000, 15_000]


def processor(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def statements(folder: Path, size: int) -> dict[str, float]:
    """A project of so many statements: proposed, decided from a file, through the gate."""
    seconds: dict[str, float] = {}
    desks: list[Desk] = []
    seconds["statements proposed"] = processor(lambda: desks.append(filled(folder, size)))
    (desk,) = desks
    rows = [
        {"id": id, "verdict": "approve", "version": version}
        for id, version in desk.store.queue.versions().items()
    ]
    assert len(rows) == size
    seconds["statements decided"] = processor(lambda: list(decide_rows(desk, rows, ANNA)))
    loadable_schemas(desk)
    seconds["gate, the first time"] = processor(lambda: GateMemory().report(desk))
    desk.close()
    seconds["Turtle written"] = processor(lambda: turtle(knowledge_base(size)))
    return seconds


def units(folder: Path, size: int) -> dict[str, float]:
    """A queue of so many units that do nothing: claimed and finished."""
    store = Store(f"sqlite:///{folder / 'units.db'}")
    store.jobs.add(Job("j", "nothing", {}))
    store.units.add([JobUnit("j", n, f"PMID:{n}", f"{n:032x}") for n in range(size)])
    register_units("nothing")(lambda context, unit, check: UnitResult(UnitState.DONE, "done"))
    seconds = processor(
        lambda: work_through(store.units, None, "j", "nothing", "w", at_once=AT_ONCE)
    )
    store.close()
    return {"state of a batch": seconds}


def text(folder: Path, size: int) -> dict[str, float]:
    """One text of so many words, read by the built-in engine."""
    desk = open_desk(load_settings(folder, {}))

    def read(count: int) -> float:
        words = " ".join(words for _, words in documents(count))
        entered = keep_text(desk, "chemical_disease", words)
        run = new_run(desk, entered, "builtin", curator="", options=RunOptions())
        return processor(lambda: extract_and_keep(desk, run))

    read(2)
    seconds = read(size // 60)
    desk.close()
    return {"a text read by the built-in engine": seconds}


def literature(folder: Path, size: int) -> dict[str, float]:
    """A namespace of so many chunks: built, and searched."""
    chance = random.Random(1)
    names = vocabulary(chance)
    built = processor(lambda: build_index(folder / "index", chunks(size, names)))
    searcher = Searcher([ChunkIndex(folder / "index")])
    asked = questions(20, names, chance)
    seconds = [processor(lambda: searcher.search(parse_query(request))) for request in asked]  # noqa: B023
    return {"namespace built": built, "a search": statistics.median(seconds)}


WORKS = (statements, units, text, literature)


def measured(sizes: list[int]) -> dict[str, list[float]]:
    curves: dict[str, list[float]] = {}
    for size in sizes:
        for work in WORKS:
            with TemporaryDirectory() as folder:
                for name, seconds in work(Path(folder), size).items():
                    curves.setdefault(name, []).append(seconds)
                    print(f"{name}: {size:,} in {seconds:.3f} s", flush=True)
    return curves


def exponent(sizes: list[int], seconds: list[float]) -> float:
    """The slope of log seconds over log size."""
    return statistics.linear_regression(
        [math.log(size) for size in sizes], [math.log(max(second, 1e-6)) for second in seconds]
    ).slope


def table(sizes: list[int], curves: dict[str, list[float]]) -> str:
    head = "| work | " + " | ".join(f"{size:,}" for size in sizes) + " | exponent |\n"
    rows = [
        f"| {name} | "
        + " | ".join(f"{second:.3f} s" for second in seconds)
        + f" | {exponent(sizes, seconds):.2f} |"
        for name, seconds in curves.items()
    ]
    return head + "|---" * (len(sizes) + 2) + "|\n" + "\n".join(rows) + "\n"


def picture(sizes: list[int], curves: dict[str, list[float]]) -> str:
    """Small pictures side by side, both axes logarithmic, with n log n as a dashed line."""
    width, height, columns = 230, 170, 4
    lines = -(-len(curves) // columns)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * columns}"'
        f' height="{height * lines}" font-family="sans-serif" font-size="11">'
        '<rect width="100%" height="100%" fill="white"/>'
    ]
    for place, (name, seconds) in enumerate(curves.items()):
        left, top = place % columns * width + 20, place // columns * height + 28
        parts.append(f'<text x="{left}" y="{top - 10}">{escape(name)}</text>')
        reference = [
            seconds[0] * size * math.log(size) / (sizes[0] * math.log(sizes[0])) for size in sizes
        ]
        known = [max(second, 1e-6) for second in (*seconds, *reference)]
        low, high = math.log(min(known)), math.log(max(known))

        def line(values: list[float], style: str) -> str:
            across = math.log(sizes[-1] / sizes[0])
            points = " ".join(
                f"{left + math.log(size / sizes[0]) / across * 190:.1f},"  # noqa: B023
                f"{top + 110 - (math.log(max(seconds, 1e-6)) - low) / (high - low or 1) * 100:.1f}"  # noqa: B023
                for size, seconds in zip(sizes, values, strict=True)
            )
            return f'<polyline points="{points}" fill="none" {style}/>'

        parts += [
            f'<path d="M{left} {top}v112h195" fill="none" stroke="#999"/>',
            line(reference, 'stroke="#999" stroke-dasharray="4 3"'),
            line(seconds, 'stroke="#0b6e6e" stroke-width="2"'),
            f'<text x="{left}" y="{top + 126}" fill="#555">{sizes[0]:,}</text>',
            f'<text x="{left + 195}" y="{top + 126}" fill="#555" text-anchor="end">'
            f"{sizes[-1]:,}: {seconds[-1]:.2f} s</text>",
        ]
    return "".join([*parts, "</svg>\n"])


def page(sizes: list[int], curves: dict[str, list[float]]) -> str:
    return f"""# How the cost grows

Written by `python benchmarks/growth.py --write` on {datetime.now(UTC):%Y-%m-%d}, {platform.system()} {platform.machine()},
{os.cpu_count()} cores, Python {platform.python_version()}. Seconds of one processor for so many statements, units, words or chunks.
The exponent is the slope in the picture: 1 is linear; n log n is 1.1 to 1.2 here.

{table(sizes, curves)}
![Curves of all rows, with n log n dashed](../pictures/growth.svg)
"""  # noqa: E501


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--write", action="store_true", help="write page and picture into docs/")
    options = parser.parse_args()
    load_services()
    curves = measured(options.sizes)
    print(table(options.sizes, curves))
    if options.write:
        target = ROOT / "docs"
        (target / "operations" / "growth.md").write_text(page(options.sizes, curves), "utf-8")
        (target / "pictures" / "growth.svg").write_text(picture(options.sizes, curves), "utf-8")


if __name__ == "__main__":
    main()
