"""`learn`: what waits in learned order; `quality`: how good the engines are."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from sys import stderr

from core.cli.verb import Verb
from core.desk import Desk
from core.services.learning import ranking
from core.services.learning.ranking import RankOrder
from core.text.count import counted


def learn_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--order",
        choices=[str(order) for order in RankOrder],
        default=str(RankOrder.LIKELY),
        help="likely right first, or most uncertain first",
    )
    parser.add_argument("-k", type=int, default=0, help="so many at most (default: all)")


def learn(desk: Desk, args: Namespace) -> int:
    """Make the ranking anew from the decisions made, then print what waits: {id, probability}."""
    made = ranking.rank(desk)
    ids = ranking.waiting(desk, RankOrder(args.order), args.k)
    shares = ranking.likely(desk, ids)
    for id in ids:
        print(json.dumps({"id": id, "probability": round(shares[id], 4)}))
    decided = made.approved + made.rejected
    print(f"groundwork: learned from {counted(decided, 'decision')}", file=stderr)
    return 0


VERBS = (Verb("learn", "what waits, likely right or most uncertain first", learn_arguments, learn),)
