"""Arguments that the verbs on texts share, and what they read and say."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING

from core.cli.file_input import stored_bytes
from core.cli.output import print_note
from core.desk import Desk
from core.errors import InputError
from core.model import Json
from core.text.count import counted

if TYPE_CHECKING:
    from core.services.documents.upload import InputText
    from core.services.extract.result import ExtractionView, SendResult
    from core.services.extract.run_options import RunOptions


LONGEST_SOURCE = 200  # characters


PLAIN_NAME = re.compile(r"[\w.\-]+")


def schema_arguments(parser: ArgumentParser, needed: bool = True) -> None:
    parser.add_argument("--schema", required=needed, default="", help="a schema's name or file")
    parser.add_argument(
        "--class", dest="cls", default="", help="the class to fill (default: the schema's root)"
    )


def engine_argument(parser: ArgumentParser) -> None:
    from core.services.extract.engines import engine_choices

    words = "auto: SPIRES with a model, else built-in"
    parser.add_argument("--engine", choices=engine_choices(), default="auto", help=words)


def run_arguments(parser: ArgumentParser, schema_needed: bool = True) -> None:
    schema_arguments(parser, schema_needed)
    engine_argument(parser)
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


def whole_number(words: str) -> int:
    """A whole number, not below zero; argparse refuses anything else as wrong usage."""
    if not (words.isascii() and words.isdecimal()):
        raise ArgumentTypeError(f"{words!r} is not a whole number of 0 or more")
    return int(words)


def read_input(name: str) -> InputText:
    """A file, or standard input for `-`, by the reader of its format. Raises InputError."""
    from core.services.documents.upload import read_uploaded_text

    return read_uploaded_text("" if name == "-" else name, stored_bytes(name))


def read_bytes(name: str) -> bytes:
    """The words of a file, gzipped or not, or of standard input for `-`, whatever its format.
    Raises InputError.
    """
    return read_input(name).text.encode()


def source_of(words: str) -> str:
    """Where a text is from, tidied: a CURIE, a PMID, a DOI, or one plain name. Raises InputError
    for anything else.
    """
    from core.services.documents.upload import source_curie

    name = words.strip()
    if len(name) > LONGEST_SOURCE:
        raise InputError("--source is too long.", "Write PMID:…, DOI:…, or leave it out.")
    return name if PLAIN_NAME.fullmatch(name) and not name.isdecimal() else source_curie(name)


def curator_of(args: Namespace) -> str:
    """The ORCID iD of --curator, checked before any work; "" where none is given. Raises
    InputError.
    """
    from core.services.people.orcid import checked_curator

    return checked_curator(args.curator, "").orcid if args.curator else ""


def asks_of(desk: Desk, engine: str, model: str) -> str:
    """The model and the host that texts go to, "" for an engine that asks none."""
    from core.services.extract.engines import asks_model
    from core.services.settings.models import asked_at

    return asked_at(desk, "extraction", model) if asks_model(desk, engine, model) else ""


def options(args: Namespace) -> RunOptions:
    from core.services.extract.run_options import RunOptions

    unit, size, overlap = split_parts(args.chunk)
    return RunOptions(
        depth=args.depth,
        calls=args.max_calls,
        tokens=args.max_tokens,
        context=args.context,
        unit=unit,
        size=size,
        overlap=overlap,
        reuse=not args.no_cache,
        taxon=args.taxon,
        model=args.model,
        examples=args.examples,
    )


def split_parts(words: str) -> tuple[str, int, int]:
    """`sentences:5:1` as unit, size and overlap; "" cuts nothing."""
    unit, _, sizes = words.partition(":")
    numbers = sizes.split(":") if sizes else []
    if words and (unit not in ("sentences", "characters") or not 1 <= len(numbers) <= 2):
        raise InputError(
            f"“{words}” is not a way to cut a text.", "Write sentences:5:1 or characters:4000:200."
        )
    try:
        size = int(numbers[0]) if numbers else 0
        usual = min(1 if unit == "sentences" else 200, size - 1)
        overlap = int(numbers[1]) if len(numbers) > 1 else usual
    except ValueError as error:
        raise InputError(
            f"“{words}” is not a way to cut a text.", "Sizes are whole numbers."
        ) from error
    if words and not 0 <= overlap < size:
        raise InputError(
            f"“{words}” is not a way to cut a text.",
            "The size is 1 or more, and the overlap is smaller.",
        )
    return unit or "sentences", size, overlap


def send_all_to_review(desk: Desk, run_view: ExtractionView, args: Namespace, curator: str) -> bool:
    """Send a result to review, if it is whole or --send-incomplete says so; what it lacks is said
    again. Whether it was sent.
    """
    from core.services.extract.completeness import gaps_of
    from core.services.extract.result import send_to_review

    missing = [gap for gap in gaps_of(run_view) if gap.lost]
    if missing and not args.send_incomplete:
        print_note("Not sent, because it is incomplete: " + " ".join(gap.says for gap in missing))
        print_note("Add --send-incomplete to send it anyway.")
        return False
    if missing:
        print_note("Sent even though it is incomplete: " + " ".join(gap.says for gap in missing))
    with_ungrounded = args.include_ungrounded
    run, looked = run_view.run.id, args.send_incomplete
    report(send_to_review(desk, run, curator, include_ungrounded=with_ungrounded, looked=looked))
    return True


def report(send_result: SendResult) -> None:
    new = counted(len(send_result.new), "statement")
    print_note(
        f"{new} sent to review, {len(send_result.already_known)} known already,"
        f" {len(send_result.held_back)} held back."
    )
    for statement, why in send_result.held_back:
        print_note(f"held back: {statement.subject.label} · {statement.predicate.label}: {why}")


def rounded(budget: Json) -> Json:
    """An estimate with four digits of each fraction: it is no more exact than that."""
    return {
        name: float(f"{value:.4g}") if isinstance(value, float) else value
        for name, value in budget.items()
    }
