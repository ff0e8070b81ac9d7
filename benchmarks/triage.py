"""Triage that learns beside ASReview's default model, on the same reviews from the same start.

    python -m venv /tmp/asreview && /tmp/asreview/bin/pip install asreview
    python benchmarks/triage.py --asreview /tmp/asreview/bin/python

Both read the same papers (title and abstract), begin with the same two verdicts and order the rest
anew after the same verdicts; `core.evaluation.triage` says how. Ours is run with the review's
question, as a namespace has one, and without it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.evaluation.triage import (
    DATA,
    REVIEWS,
    SETS,
    SHARE,
    ReviewSet,
    WorkSaved,
    mean_saved,
    paper_words,
    read_reviews,
    screening_order,
    work_saved,
)

PEER = Path(__file__).parent / "asreview_peer.py"


def peer_orders(python: Path, labelled: ReviewSet) -> list[list[int]]:
    """The orders in which ASReview has the reviews read."""
    asked = {
        "papers": [{"title": paper["title"], "text": paper["text"]} for paper in labelled.papers],
        "reviews": [
            {"relevant": sorted(review.relevant), "start": list(review.start)}
            for review in labelled.reviews
        ],
        "share": SHARE,
    }
    done = subprocess.run(
        [str(python), str(PEER)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    orders: list[list[int]] = json.loads(done.stdout)
    return orders


def measured(labelled: ReviewSet, asreview: Path | None) -> dict[str, WorkSaved]:
    """Each way's mean over the reviews of a set."""
    papers, outcomes = paper_words(labelled.papers), defaultdict(list)
    for review in labelled.reviews:
        for way, question in (("ours", review.question), ("ours, no question", "")):
            order = screening_order(papers, review, question)
            outcomes[way].append(work_saved(order, review.relevant, len(papers)))
    if asreview:
        for review, order in zip(labelled.reviews, peer_orders(asreview, labelled), strict=True):
            outcomes["ASReview"].append(work_saved(order, review.relevant, len(papers)))
    return {way: mean_saved(several) for way, several in outcomes.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--set", action="append", default=[], dest="sets")
    parser.add_argument("--reviews", type=int, default=REVIEWS, help="of each set")
    parser.add_argument("--asreview", type=Path, help="python of an environment that has ASReview")
    args = parser.parse_args()
    print("set\tway\twss@95\trecall after 10 %")
    of_ways = defaultdict(list)
    for name in args.sets or SETS:
        for way, value in measured(
            read_reviews(args.data / name, args.reviews), args.asreview
        ).items():
            of_ways[way].append(value)
            print(f"{name}\t{way}\t{value.wss:.3f}\t{value.recall:.3f}", flush=True)
    for way, values in of_ways.items():
        mean = mean_saved(values)
        print(f"mean\t{way}\t{mean.wss:.3f}\t{mean.recall:.3f}")


if __name__ == "__main__":
    main()
