"""`learn`: what waits in learned order; `quality`: how good the engines are."""

from __future__ import annotations

from argparse import ArgumentParser

from core.cli.choices import WAITING_ORDERS
from core.cli.verb import LazyRun, Verb


def learn_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--order",
        choices=WAITING_ORDERS,
        default=WAITING_ORDERS[0],
        help="likely right first, or most uncertain first",
    )
    parser.add_argument("-k", type=int, default=0, help="maximum number (default: all)")


def quality_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--gold",
        action="store_true",
        help="print the decisions as a gold standard, which `evaluate bc5cdr --input` reads",
    )


VERBS = (
    Verb(
        "learn",
        "order the statements to review: likely right or most uncertain first",
        learn_arguments,
        LazyRun("learning_run:learn"),
    ),
    Verb(
        "quality",
        "show how good the engines are, judged by the decisions made",
        quality_arguments,
        LazyRun("learning_run:print_quality"),
    ),
)
