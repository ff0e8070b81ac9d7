"""Verbs that read texts by vocabularies: ground mentions to them, find their names."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter

from core.cli.verb import LazyRun, Verb
from core.model import Category

GROUND_HELP = """
Input: one mention a line; or JSON lines
  {"text": …, "document": …, "context": the whole text, "start": offset of the mention in it}.
Output: one line for each input line, in order.
  tsv    a header, then: text, id, label, match, score, outcome, vocabulary,
         candidates (id|label|score; …), margin, tie (id id …)
  jsonl  {text, id, label, match, score, outcome, margin, tie: [id],
         candidates: [{id, label, match, score, vocabulary, name, differed}]}
         and for coordinated names (breast and ovarian cancer) parts: [{text, id, label}]
`margin` is how much better the first candidate is than the second: 1 where it is alone. `tie` names
the terms that fit equally well: then the outcome is "ambiguous", the id empty and the margin 0.
Between equals of two vocabularies or prefixes the order of preference decides, which is no
tie. Scores are between 0 and 1. Vocabularies given first are preferred. Files are taken
directly (.tsv, .tsv.gz, OBO, …).
"""


ANNOTATE_HELP = """
Input: a text; or JSON lines {"id": …, "text": …}.
Output: one line a mention, in the order of the text. Offsets count Unicode code points, end
exclusive.
  tsv    a header, then: document, start, end, text, id, label, match, score, outcome, vocabulary
  jsonl  {document, start, end, text, id, label, match, score, outcome, margin, tie: [id],
         candidates: […]}
"""


def _ground_arguments(parser: ArgumentParser) -> None:
    _input_arguments(parser, GROUND_HELP)
    kinds = [str(category) for category in Category]
    parser.add_argument(
        "--type", type=str.lower, choices=kinds, default="", metavar="TYPE",
        help=f"what kind of thing the mentions are: {', '.join(kinds)} (default: any)",
    )  # fmt: skip
    parser.add_argument(
        "--prefix",
        action="append",
        default=[],
        help="only ids of this prefix; repeated: in order of preference",
    )
    parser.add_argument(
        "--taxon",
        default="",
        help="only genes of this taxon (NCBITaxon:9606), where terms have one",
    )
    parser.add_argument(
        "--limit", type=int, default=10, help="maximum number of candidates (default 10)"
    )


def _annotate_arguments(parser: ArgumentParser) -> None:
    _input_arguments(parser, ANNOTATE_HELP)
    parser.add_argument(
        "--prefix",
        action="append",
        default=[],
        help="only ids of this prefix; repeated: in order of preference",
    )


def _input_arguments(parser: ArgumentParser, text: str) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = text
    parser.add_argument(
        "--vocabulary",
        action="extend",
        nargs="+",
        required=True,
        metavar="NAME|FILE",
        help="a vocabulary of the project, or a file; several in order of preference",
    )
    parser.add_argument(
        "--input",
        required=True,
        metavar="FILE|-",
        help="a file (its form: see below), or - for standard input",
    )
    parser.add_argument(
        "--format",
        choices=("tsv", "jsonl"),
        default="tsv",
        help="output format (default: tsv)",
    )


VERBS = (
    Verb(
        "ground",
        "find terms for mentions, best first",
        _ground_arguments,
        LazyRun("grounding_run:ground"),
    ),
    Verb(
        "annotate",
        "find every mention of a vocabulary's names in texts",
        _annotate_arguments,
        LazyRun("grounding_run:annotate"),
    ),
)
