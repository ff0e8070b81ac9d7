"""The verb `support`: does a passage say a claim?"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from core.cli.file_input import json_lines, stored_bytes, stored_text
from core.cli.output import print_line
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.model import Modality

if TYPE_CHECKING:
    from core.support.judges.model import ModelJudge


def support_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--subject", default="", help="words, or the CURIE of an installed term")
    parser.add_argument("--predicate", default="", help="words or a CURIE, such as treats")
    parser.add_argument("--object", default="", help="words, or the CURIE of an installed term")
    parser.add_argument("--negated", action="store_true", help="the claim is that it is not so")
    parser.add_argument(
        "--modality",
        choices=[str(m) for m in Modality],
        default="asserted",
        help="what is claimed: that it is so, or that it is supposed (default: asserted)",
    )
    parser.add_argument(
        "--passage", metavar="FILE|-", default="", help="the text that is to say it"
    )
    parser.add_argument(
        "--judge",
        action="append",
        default=[],
        help=(
            "ask this judge; may be repeated (default: all but `model`). `model` sends claims and"
            " passages to a language model, each as one call"
        ),
    )
    parser.add_argument("--model", default="", help="of the judge `model`: name, or name@endpoint")
    parser.add_argument(
        "--calls", type=int, default=0, help="most calls to it (default: the project's limit)"
    )
    parser.add_argument(
        "--statements",
        metavar="ID|STATE",
        action="append",
        default=[],
        help=(
            "with --judge model: ask about stored statements, or all of a state, and keep the"
            " verdicts; may be repeated"
        ),
    )
    parser.add_argument("--curator", default="", help="ORCID of who asks")
    parser.add_argument(
        "--input",
        metavar="FILE|-",
        default="",
        help=(
            "JSON lines {id, subject, predicate, object, negated, modality, passage}; a line of"
            " result for each, in order"
        ),
    )


def support(desk: Desk, args: Namespace) -> int:
    """The verdict on one claim, or on each line. 1 when a line could not be judged, or a model's
    answer was none.
    """
    if args.statements:
        return _ask_of_stored(desk, args)
    if not args.input and not args.passage:
        raise InputError("No passage is given.", "Give --passage FILE|-, or claims by --input.")
    from core.services.support.claim_row import judged_rows
    from core.services.support.model_judging import open_model_judge
    from core.support.judge import Judge
    from core.support.judges.model import NAME
    from core.support.registry import judges_named

    names = [name for name in args.judge if name != NAME]
    judges: tuple[Judge, ...] = judges_named(names) if names or not args.judge else ()
    asked: ModelJudge | None = None
    if NAME in args.judge:
        _, asked = open_model_judge(desk, model=args.model, calls=args.calls, curator=args.curator)
        judges = (*judges, asked)
    if args.input:
        failed = False
        for result in judged_rows(desk, json_lines(stored_bytes(args.input)), judges):
            print_line(result)
            failed |= "error" in result
        return int(failed or _not_all_asked(asked))
    row = {name: getattr(args, name) for name in ("subject", "predicate", "object", "negated")}
    row |= {"modality": args.modality, "passage": stored_text(args.passage)}
    result = next(judged_rows(desk, [row], judges))
    if "error" in result:
        raise InputError(result["error"])
    print_line(result)
    return int(_not_all_asked(asked))


def _not_all_asked(judge: ModelJudge | None) -> bool:
    """Whether a model was to be asked and gave no verdict somewhere, which is said."""
    count = judge.count if judge else None
    if count and (count.left or count.unread):
        print(
            f"The model gave no verdict on {count.unread:,}, and {count.left:,} were not asked, as"
            " the budget was used up; these were judged without it.",
            file=sys.stderr,
        )
        return True
    return False


def _ask_of_stored(desk: Desk, args: Namespace) -> int:
    """A model is asked about stored statements; what became of it, as one line of JSON."""
    from core.model import State
    from core.services.support.model_judging import judge_by_model
    from core.store import QueueFilter
    from core.support.judges.model import NAME

    if args.judge != [NAME]:
        raise InputError(
            "Stored statements are judged by themselves; only a model is asked for here.",
            "Give --judge model.",
        )
    states = [State(name) for name in args.statements if name in list(State)]
    ids = [name for name in args.statements if name not in list(State)]
    if states:
        ids += desk.store.queue.ids(QueueFilter(states=tuple(states)))
    made = judge_by_model(desk, ids, model=args.model, calls=args.calls, curator=args.curator)
    print_line(made.json())
    return int(not made.json()["complete"])


VERBS = (Verb("support", "does a passage say a claim?", support_arguments, support),)
