"""What the verbs learn and quality do."""

from __future__ import annotations

import json
import sys
from argparse import Namespace

from core.desk import Desk
from core.learning.quality import PrecisionEstimate
from core.services.learning import quality, ranking
from core.services.learning.ranking import RankOrder
from core.text.count import counted


def learn(desk: Desk, args: Namespace) -> int:
    """Make the ranking anew from the decisions made, then print the statements to review:
    {id, probability}.
    """
    new_ranking = ranking.make_ranking(desk)
    ids = ranking.proposed_ids(desk, RankOrder(args.order), args.k)
    shares = ranking.approval_likelihoods(desk, ids)
    for id in ids:
        print(json.dumps({"id": id, "probability": round(shares[id], 4)}))
    decided = new_ranking.approved + new_ranking.rejected
    print(f"groundwork: learned from {counted(decided, 'decision')}", file=sys.stderr)
    return 0


def print_quality(desk: Desk, args: Namespace) -> int:
    """JSON lines: {by, name, decided, right, precision, low, high} for everything together, then
    for each engine, model, schema, predicate, rule and vocabulary; low and high are the bounds of
    Wilson's 95 % interval.
    """
    if args.gold:
        for line in quality.gold_lines(desk):
            print(line)
        if unseen := quality.unseen_texts(desk):
            print(
                f"groundwork: {counted(unseen, 'text')} with decisions left out: not in this"
                " project (an import quotes them).",
                file=sys.stderr,
            )
        return 0
    summary = quality.engine_quality(desk)
    _print_precision("all", "", summary.overall)
    for by, rows in summary.groups.items():
        for row in rows:
            _print_precision(by, row.name, row.precision)
    print(f"groundwork: {counted(summary.decided, 'decided proposal')}", file=sys.stderr)
    return 0


def _print_precision(by: str, name: str, precision: PrecisionEstimate) -> None:
    bounds = {"low": round(precision.low, 4), "high": round(precision.high, 4)}
    share = round(precision.share, 4) if precision.decided else None
    counts = {"decided": precision.decided, "right": precision.right, "precision": share}
    print(json.dumps({"by": by, "name": name, **counts, **bounds}, ensure_ascii=False))
