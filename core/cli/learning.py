"""`learn`: what waits in learned order; `quality`: how good the engines are."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from core.cli.decision import curator
from core.cli.output import print_line, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.model import RankOrder
from core.text.count import counted

if TYPE_CHECKING:
    from core.learning.quality import PrecisionEstimate


def learn_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--order",
        choices=[str(order) for order in RankOrder],
        default=str(RankOrder.LIKELY),
        help="likely right first, or most uncertain first",
    )
    parser.add_argument("-k", type=int, default=0, help="maximum number (default: all)")
    parser.add_argument(
        "--lessons",
        action="store_true",
        help="print instead what the decisions taught, a lesson a line",
    )
    parser.add_argument(
        "--take-back", metavar="SIGN", help="let this lesson count no more (needs --curator)"
    )
    parser.add_argument(
        "--count-again", metavar="SIGN", help="let a lesson that was taken back count again"
    )
    parser.add_argument("--curator", default="", help="ORCID iD of the person who says so")


def quality_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--gold",
        action="store_true",
        help="print the decisions as a gold standard, which `evaluate bc5cdr --input` reads",
    )


def learn(desk: Desk, args: Namespace) -> int:
    """Make the ranking anew from the decisions made, then print the statements to review:
    {id, probability}. With --lessons: what the decisions taught.
    """
    from core.services.learning import lessons, ranking

    if args.take_back or args.count_again:
        person = curator(args).orcid
        if args.take_back:
            lessons.take_back(desk, args.take_back, person)
        if args.count_again:
            lessons.take_up(desk, args.count_again, person)
    if args.lessons or args.take_back or args.count_again:
        return print_lessons(desk)
    new_ranking = ranking.make_ranking(desk)
    ids = ranking.proposed_ids(desk, RankOrder(args.order), args.k)
    shares = ranking.approval_likelihoods(desk, ids)
    for id in ids:
        print_line({"id": id, "probability": round(shares[id], 4)})
    decided = new_ranking.approved + new_ranking.rejected
    print_note(f"learned from {counted(decided, 'decision')}")
    return 0


def print_lessons(desk: Desk) -> int:
    """JSON lines: {sign, kind, name, right, wrong, shift, time, taken_back}; `shift` in log odds,
    `time` of the newest decision behind it, `taken_back` who took it back, or empty.
    """
    from core.services.learning import lessons

    learned = lessons.project_lessons(desk)
    for shown in learned.lessons:
        counts = {"right": shown.lesson.right, "wrong": shown.lesson.wrong}
        print_line(
            {"sign": shown.sign, "kind": shown.kind, "name": shown.name, **counts}
            | {"shift": shown.lesson.shift, "time": shown.time, "taken_back": shown.taken_back}
        )
    if learned.cut:
        print_note(f"from the {lessons.MOST_JUDGED:,} decided statements that were proposed last")
    if not learned.are_used:
        print_note(lessons.UNUSED)
    elif learned.lessons and learned.left:
        print_note(
            f"the next text is read with these after {counted(learned.left, 'more decision')}"
        )
    today = lessons.learned_since(learned.lessons, desk.clock()[:10])
    print_note(f"{today} learned today" if today else "nothing learned today")
    return 0


def print_quality(desk: Desk, args: Namespace) -> int:
    """JSON lines: {by, name, decided, right, precision, low, high} for everything together, then
    for each engine, model, schema, predicate, rule and vocabulary; low and high are the bounds of
    Wilson's 95 % interval.
    """
    from core.services.learning import quality

    if args.gold:
        for line in quality.gold_lines(desk):
            print(line)
        if unseen := quality.unseen_texts(desk):
            print_note(
                f"{counted(unseen, 'text')} with decisions left out: not in this"
                " project (an import quotes them)."
            )
        return 0
    summary = quality.engine_quality(desk)
    _print_precision("all", "", summary.overall)
    for by, rows in summary.groups.items():
        for row in rows:
            _print_precision(by, row.name, row.precision)
    print_note(f"{counted(summary.decided, 'decided proposal')}")
    return 0


def _print_precision(by: str, name: str, precision: PrecisionEstimate) -> None:
    bounds = {"low": round(precision.low, 4), "high": round(precision.high, 4)}
    share = round(precision.share, 4) if precision.decided else None
    counts = {"decided": precision.decided, "right": precision.right, "precision": share}
    print_line({"by": by, "name": name, **counts, **bounds})


VERBS = (
    Verb(
        "learn",
        "order the statements to review: likely right or most uncertain first",
        learn_arguments,
        learn,
    ),
    Verb(
        "quality",
        "show how good the engines are, judged by the decisions made",
        quality_arguments,
        print_quality,
    ),
)
