"""How right the estimate of a run is: tokens and dollars told beforehand, beside what recorded runs
took.

    python benchmarks/estimate.py [--shared ../shared] [--samples 60] [--seed 0] [--marked]

The recorded runs are 206 first answers of gpt-3.5-turbo with the questions that SPIRES asks because
of them (0 to 29). Random samples of 1, 10, 40 and 100 texts are told by other runs of the 206, with
no limit of calls, with 4 and with 2 calls a text. Printed for each is in how many of a hundred
samples the single figure was within a factor of 1.3 of the truth, and in how many the truth was
within a factor of 1.3 of the range; and how wide the range was (its upper end over its lower, in
nine of ten samples at most). Money: where a token of an answer costs four times, or eight times,
that of a question. The last table is of texts whose first question was answered. `--marked`: the
same of the 500 abstracts of BC5CDR's development set, where the marked relations are the answer.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.services.extract.budget import CostEstimate, batch_estimate  # noqa: E402
from tests.core.services.extract.recorded_runs import (  # noqa: E402
    TOKENS,
    Price,
    RecordedRun,
    holds,
    marked_runs,
    recorded_runs,
)

SIZES, CALLS, EARLIER = (1, 10, 40, 100), (300, 4, 2), (0, 3, 20, 100)
PRICES = {"tokens": TOKENS, "dollars, 1:4": (1.0, 4.0), "dollars, 1:8": (1.0, 8.0)}
NINE_OF_TEN = 0.9


@dataclass(frozen=True, slots=True)
class Told:
    """A sample: its single figure, its range, and what it took."""

    figure: float
    least: float
    most: float
    took: float

    @property
    def figure_holds(self) -> bool:
        return holds(self.figure, self.took)

    @property
    def range_holds(self) -> bool:
        return self.least / 1.3 <= self.took <= self.most * 1.3


def told(budget: CostEstimate, took: float, price: Price) -> Told:
    if price == TOKENS:
        return Told(budget.tokens, budget.tokens_least, budget.tokens_most, took)
    return Told(budget.cost or 0.0, budget.cost_least or 0.0, budget.cost_most or 0.0, took)


def samples(
    runs: Sequence[RecordedRun], size: int, calls: int, earlier: int, price: Price, seeds: range
) -> Iterator[Told]:
    """Random batches, each told by other runs than its own texts."""
    for seed in seeds:
        mixed = random.Random(seed).sample(runs, len(runs))
        others = [run.run for run in mixed[len(mixed) - earlier :]]
        batch = mixed[:size]
        budget = batch_estimate([run.told(others, calls, price) for run in batch])
        yield told(budget, sum(run.took(calls, price) for run in batch), price)


def share(held: Sequence[bool]) -> str:
    return f"{100 * sum(held) / len(held):4.0f} %"


def wide(estimates: Sequence[Told]) -> float:
    """At most so many times is the upper end the lower one, in nine of ten samples."""
    widths = sorted(estimate.most / max(estimate.least, 1e-9) for estimate in estimates)
    return widths[round(NINE_OF_TEN * (len(widths) - 1))]


def table(runs: Sequence[RecordedRun], name: str, price: Price, seeds: range) -> None:
    print(f"\n{name}: single figure within 1.3 / range within 1.3 / range, times wide")
    print("texts  earlier runs " + "".join(f"{limit_words(calls):>26}" for calls in CALLS))
    for size in SIZES:
        for earlier in EARLIER:
            cells = []
            for calls in CALLS:
                estimates = list(samples(runs, size, calls, earlier, price, seeds))
                figures = share([estimate.figure_holds for estimate in estimates])
                ranges = share([estimate.range_holds for estimate in estimates])
                cells.append(f"{figures} /{ranges} /{wide(estimates):5.1f}")
            print(f"{size:5}  {earlier:12} " + "".join(f"{cell:>26}" for cell in cells))


def counted_table(runs: Sequence[RecordedRun]) -> None:
    print("\nonce the first question of each text is answered: figure within 1.3, of all texts")
    for name, price in PRICES.items():
        cells = []
        for calls in CALLS:
            estimates = [
                told(run.told_once_counted(calls, price), run.took(calls, price), price)
                for run in runs
            ]
            cells.append(share([estimate.figure_holds for estimate in estimates]))
        print(f"{name:20}" + "".join(f"{cell:>26}" for cell in cells))


def limit_words(calls: int) -> str:
    return "no limit" if calls == max(CALLS) else f"{calls} calls a text"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0, help="of the first sample")
    parser.add_argument("--marked", action="store_true", help="BC5CDR's marked relations")
    args = parser.parse_args()
    runs = (marked_runs if args.marked else recorded_runs)(args.shared)
    questions = [len(run.nested) for run in runs]
    print(f"{len(runs)} recorded runs with {min(questions)} to {max(questions)} further questions")
    for name, price in PRICES.items():
        table(runs, name, price, range(args.seed, args.seed + args.samples))
    if not args.marked:
        counted_table(runs)


if __name__ == "__main__":
    main()
