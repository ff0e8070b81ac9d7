"""Verbs on texts: schemas, prompt, parse, extract, compare, batch (docs/command-line.md). What they
do is imported when they run (`extraction_run`, `extraction_batch`): their --help does without.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError

from core.cli.verb import LazyRun, Verb
from core.services.extract.engines import engine_choices


def schema_arguments(parser: ArgumentParser, needed: bool = True) -> None:
    parser.add_argument("--schema", required=needed, default="", help="a schema's name or file")
    parser.add_argument(
        "--class", dest="cls", default="", help="the class to fill (default: the schema's root)"
    )


def run_arguments(parser: ArgumentParser, schema_needed: bool = True) -> None:
    schema_arguments(parser, schema_needed)
    parser.add_argument(
        "--engine",
        choices=engine_choices(),
        default="auto",
        help="auto: SPIRES with a model, else built-in",
    )
    parser.add_argument(
        "--chunk",
        default="",
        metavar="UNIT:SIZE[:OVERLAP]",
        help="cut: sentences:5:1, characters:4000:200",
    )
    parser.add_argument(
        "--depth", type=whole_number, default=5, help="how deep nested questions may go"
    )
    parser.add_argument(
        "--max-calls",
        type=whole_number,
        default=0,
        help="maximum number of calls (default: the project's)",
    )
    parser.add_argument(
        "--max-tokens", type=whole_number, default=1_000_000, help="maximum number of tokens in all"
    )
    parser.add_argument(
        "--model", default="", help="the model of this run, such as llama3.1@ollama"
    )
    parser.add_argument(
        "--examples",
        type=whole_number,
        default=0,
        metavar="N",
        help="show the model N approved statements of other texts, those most like the text",
    )
    parser.add_argument(
        "--context",
        action="store_true",
        help="nested questions include the sentence around their words",
    )
    parser.add_argument(
        "--taxon",
        default="",
        metavar="TAXON",
        help="the species of genes if the text names no organism: NCBITaxon:9606 or mouse",
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="do not reuse answers of earlier runs"
    )
    parser.add_argument("--curator", default="", help="your ORCID iD")
    parser.add_argument("--send", action="store_true", help="send what is grounded to review")
    parser.add_argument(
        "--send-incomplete",
        action="store_true",
        help="also send an incomplete result; what is missing is reported",
    )
    parser.add_argument(
        "--include-ungrounded", action="store_true", help="with --send: also what has no term"
    )


# ------------------------------------------------------------------ schemas


def schemas_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "schema",
        nargs="?",
        help=(
            "a schema's name or file (also JSON Schema, SQL DDL, SHACL); without one, all are"
            " listed"
        ),
    )
    parser.add_argument(
        "--linkml", action="store_true", help="print the schema as LinkML, converted if necessary"
    )


# ------------------------------------------------------------------ prompt and parse


def prompt_arguments(parser: ArgumentParser) -> None:
    schema_arguments(parser)
    parser.add_argument("--input", required=True, help="the text: a file, or - for standard input")


def parse_arguments(parser: ArgumentParser) -> None:
    prompt_arguments(parser)
    parser.add_argument("--completion", required=True, help="the model's answer: a file, or -")
    parser.add_argument(
        "--ground", action="store_true", help="also look the words up in the project's vocabularies"
    )


# ------------------------------------------------------------------ extract


def extract_arguments(parser: ArgumentParser) -> None:
    run_arguments(parser)
    text = parser.add_mutually_exclusive_group(required=True)
    text.add_argument("--input", help="the text: a file, or - for standard input")
    text.add_argument("--url", help="a recipe's web page (https), read with recipe-scrapers")
    text.add_argument("--pmid", help="the title and abstract of a paper in PubMed")
    parser.add_argument("--source", default="", help="where the text is from, such as PMID:1")
    parser.add_argument(
        "--format",
        default="json",
        type=draft_format,
        metavar="FORMAT",
        help="of the draft: json, yaml, jsonl, csv, md, html, or as `export` writes it (ttl, …)",
    )
    parser.add_argument(
        "--estimate", action="store_true", help="only estimate what the run would take"
    )
    parser.add_argument(
        "--first-question",
        action="store_true",
        help="ask only the first question, and say what the run takes with those it leads to",
    )


def batch_arguments(parser: ArgumentParser) -> None:
    run_arguments(parser, schema_needed=False)
    parser.add_argument(
        "--input",
        nargs="+",
        default=[],
        help="papers or lists of papers in any format, JSON lines {id, text}, or folders of them",
    )
    parser.add_argument(
        "--resume", default="", metavar="JOB", help="continue a batch that ended early"
    )
    parser.add_argument(
        "--dollars",
        type=float,
        default=0.0,
        metavar="N",
        help="start no further document once the batch has cost this many US dollars (0: no"
        " limit); it may cost more by one document",
    )
    parser.add_argument(
        "--provider",
        action="store_true",
        help="through the endpoint's batch interface: cheaper, and may take a day",
    )
    parser.add_argument(
        "--retry",
        action="store_true",
        help="with --resume: try again what failed or was read with something missing",
    )
    parser.add_argument("--estimate", action="store_true", help="only estimate what it would take")
    parser.add_argument(
        "--first-question",
        action="store_true",
        help="ask only the first question about each text, and say what the batch takes with those"
        " they lead to",
    )
    parser.add_argument(
        "--last", action="store_true", help="run after all other jobs of the project"
    )


def compare_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("left", help="a run or a batch")
    parser.add_argument(
        "right", help="another run over the same text, or batch over the same texts"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="of the output")


def whole_number(words: str) -> int:
    """A whole number, not below zero; argparse refuses anything else as wrong usage."""
    if not (words.isascii() and words.isdecimal()):
        raise ArgumentTypeError(f"{words!r} is not a whole number of 0 or more")
    return int(words)


def draft_format(words: str) -> str:
    """The name of a format that a draft can be written in; argparse refuses anything else."""
    from core.services.extract.draft import FORMATS

    if words not in FORMATS:
        raise ArgumentTypeError(f"{words!r} is none of {', '.join(FORMATS)}")
    return words


VERBS = (
    Verb(
        "schemas",
        "list the schemas, or describe and check one",
        schemas_arguments,
        LazyRun("extraction_run:schemas"),
    ),
    Verb(
        "prompt",
        "print the prompt for a text",
        prompt_arguments,
        LazyRun("extraction_run:show_prompt"),
    ),
    Verb(
        "parse",
        "read a model's answer: tree and problems",
        parse_arguments,
        LazyRun("extraction_run:show_parsed"),
    ),
    Verb(
        "extract",
        "extract statements from a text as a draft",
        extract_arguments,
        LazyRun("extraction_run:extract"),
    ),
    Verb(
        "compare",
        "compare two readings of the same texts",
        compare_arguments,
        LazyRun("extraction_batch:compare"),
    ),
    Verb(
        "batch",
        "extract statements from many documents as a job",
        batch_arguments,
        LazyRun("extraction_batch:batch"),
    ),
)
