"""The verb `propose`: statements found by hand."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from core.cli.decision import curator
from core.cli.file_input import json_lines, stored_bytes
from core.cli.output import print_line
from core.cli.verb import Verb
from core.desk import Desk
from core.model import Json, Modality


def propose_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--document", default="", help="a document of the project (PMID:1)")
    parser.add_argument("--quote", default="", help="the quote, exactly as in the text")
    parser.add_argument("--start", type=int, help="where the quote starts, if it occurs twice")
    parser.add_argument("--subject", default="", help="a CURIE")
    parser.add_argument("--predicate", default="", help="a CURIE, such as biolink:treats")
    parser.add_argument("--object", default="", help="a CURIE")
    parser.add_argument("--subject-label", default="", help="default: the vocabulary's label")
    parser.add_argument("--object-label", default="", help="default: the vocabulary's label")
    parser.add_argument("--negated", action="store_true", help="the text says it is not so")
    parser.add_argument(
        "--modality",
        choices=[str(m) for m in Modality],
        default="asserted",
        help="whether the text states it, supposes it, or reports it as known (default: asserted)",
    )
    parser.add_argument("--curator", default="", help="your ORCID iD")
    parser.add_argument(
        "--approve", action="store_true", help="approve it immediately, as its author"
    )
    parser.add_argument(
        "--input",
        metavar="FILE|-",
        default="",
        help=(
            "JSON lines {document or text, quote, subject, predicate, object, negated, …}; a line"
            " of result for each, in order"
        ),
    )


def propose(desk: Desk, args: Namespace) -> int:
    """What a curator found by hand, as proposals. 1 when any was refused."""
    from core.services.documents import marking, marking_row

    person = curator(args)
    if args.input:
        refused = False
        lines = json_lines(stored_bytes(args.input))
        for result in marking_row.propose_rows(desk, lines, person, args.approve):
            print_line(result)
            refused |= "error" in result
        return int(refused)
    row: Json = {"document": args.document, "quote": args.quote, "predicate": args.predicate}
    row |= {"subject": {"id": args.subject, "label": args.subject_label}}
    row |= {"object": {"id": args.object, "label": args.object_label}}
    row |= {"negated": args.negated, "modality": args.modality, "start": args.start}
    new_marking = marking_row.from_json(desk, row)
    print_line(
        marking_row.result_json(
            marking.propose_marking(desk, new_marking, person, approve=args.approve)
        )
    )
    return 0


VERBS = (
    Verb("propose", "propose a statement that you found in a text", propose_arguments, propose),
)
