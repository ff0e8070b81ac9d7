"""A verb: how many statements there are of each relation."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter

from core.cli.verb import Verb
from core.desk import Desk
from core.model import State, relation_words


def add_arguments(parser: ArgumentParser) -> None:
    states = [str(state) for state in State]
    parser.add_argument("--state", choices=states, help="only those in this state")


def relation_counts(desk: Desk, state: str = "") -> list[tuple[str, int]]:
    """Relations and how many statements have them, the most frequent first."""
    from core.store import QueueFilter  # here, for --help does not need it

    chosen = QueueFilter(states=(State(state),) if state else ())
    records = desk.store.queue.records(chosen)
    counts = Counter(relation_words(record.statement.predicate) for record in records)
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def run(desk: Desk, args: Namespace) -> int:
    for words, count in relation_counts(desk, args.state or ""):
        print(f"{count}\t{words}")
    return 0


VERB = Verb("tally", "count the statements of each relation", add_arguments, run)
