"""The verb `support`: does a passage say a claim?"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from core.cli.file_input import json_lines, stored_bytes, stored_text
from core.cli.output import print_line
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.model import Modality


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
        help="ask this judge; may be repeated (default: all)",
    )
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
    """The verdict on one claim, or on each line. 1 when a line could not be judged."""
    from core.services.support.claim_row import judged_rows

    if args.input:
        rows = json_lines(stored_bytes(args.input))
        failed = False
        for result in judged_rows(desk, rows, args.judge):
            print_line(result)
            failed |= "error" in result
        return int(failed)
    if not args.passage:
        raise InputError("No passage is given.", "Give --passage FILE|-, or claims by --input.")
    row = {name: getattr(args, name) for name in ("subject", "predicate", "object", "negated")}
    row |= {"modality": args.modality, "passage": stored_text(args.passage)}
    result = next(judged_rows(desk, [row], args.judge))
    if "error" in result:
        raise InputError(result["error"])
    print_line(result)
    return 0


VERBS = (Verb("support", "does a passage say a claim?", support_arguments, support),)
