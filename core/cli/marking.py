"""The verb `propose`: statements found by hand."""

from __future__ import annotations

from argparse import ArgumentParser

from core.cli.verb import LazyRun, Verb
from core.model import Modality


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


VERBS: tuple[Verb, ...] = (
    Verb(
        "propose",
        "propose a statement that you found in a text",
        propose_arguments,
        LazyRun("marking_run:propose"),
    ),
)
