"""Arguments that the verbs on texts share, and what they read and say."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from core.errors import InputError
from core.services.documents.upload import BroughtText, of_file, source
from core.services.extract.engines import engine_choices
from core.services.extract.result import RunOptions, SendResult
from core.services.shared import screen
from core.text.count import counted
from core.text.unpack import read_up_to

MAX_INPUT = 50_000_000  # bytes
LONGEST_SOURCE = 200  # characters
PLAIN_NAME = re.compile(r"[\w.\-]+")


def read_input(name: str) -> BroughtText:
    """A file, or standard input for `-`, by the reader of its format. Raises InputError."""
    return of_file("" if name == "-" else name, stored(name))


def read_bytes(name: str) -> bytes:
    """The words of a file, gzipped or not, or of standard input for `-`, whatever its format.
    Raises InputError.
    """
    return read_input(name).text.encode()


def stored(name: str) -> bytes:
    """A file as it is stored, gzipped or not, or standard input for `-`."""
    if name == "-":
        return sys.stdin.buffer.read(MAX_INPUT)
    path = Path(name)
    if not path.is_file():
        raise InputError(f"There is no file {name}.", "Give a file, or - for standard input.")
    with path.open("rb") as stream:
        return read_up_to(stream, MAX_INPUT, name)


def say(words: str) -> None:
    print(f"groundwork: {words}", file=sys.stderr)


def schema_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--schema", required=True, help="a schema's name or file")
    parser.add_argument(
        "--class", dest="cls", default="", help="the class to fill (default: the schema's root)"
    )


def run_arguments(parser: ArgumentParser) -> None:
    schema_arguments(parser)
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
    parser.add_argument("--depth", type=whole, default=5, help="how deep nested questions may go")
    parser.add_argument(
        "--max-calls", type=whole, default=0, help="at most so many calls (default: the project's)"
    )
    parser.add_argument(
        "--max-tokens", type=whole, default=1_000_000, help="at most so many tokens in all"
    )
    parser.add_argument(
        "--model", default="", help="the model of this run, such as llama3.1@ollama"
    )
    parser.add_argument(
        "--context", action="store_true", help="nested questions carry the sentence of their words"
    )
    parser.add_argument(
        "--taxon",
        default="",
        metavar="TAXON",
        help="the species of genes where the text names no organism: NCBITaxon:9606 or mouse",
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="ask again what was answered in earlier runs"
    )
    parser.add_argument("--curator", default="", help="ORCID of who sends")
    parser.add_argument("--send", action="store_true", help="send what is grounded to review")
    parser.add_argument(
        "--include-ungrounded", action="store_true", help="with --send: what has no term, too"
    )


def whole(words: str) -> int:
    """A whole number, not below zero; argparse refuses anything else as wrong usage."""
    if not (words.isascii() and words.isdecimal()):
        raise ArgumentTypeError(f"{words!r} is not a whole number of 0 or more")
    return int(words)


def source_of(words: str) -> str:
    """Where a text is from, tidied: a CURIE, a PMID, a DOI, or one plain name. Raises InputError
    for anything else.
    """
    name = words.strip()
    if len(name) > LONGEST_SOURCE:
        raise InputError("--source is too long.", "Write PMID:…, DOI:…, or leave it out.")
    return name if PLAIN_NAME.fullmatch(name) and not name.isdecimal() else source(name)


def curator_of(args: Namespace) -> str:
    """The ORCID iD of --curator, checked before any work; "" where none is given. Raises
    InputError.
    """
    return screen.curator(args.curator, "").orcid if args.curator else ""


def options(args: Namespace) -> RunOptions:
    unit, size, overlap = split(args.chunk)
    return RunOptions(
        args.depth,
        args.max_calls,
        args.max_tokens,
        args.context,
        unit,
        size,
        overlap,
        reuse=not args.no_cache,
        taxon=args.taxon,
        model=args.model,
    )


def split(words: str) -> tuple[str, int, int]:
    """`sentences:5:1` as unit, size and overlap; "" cuts nothing."""
    unit, _, rest = words.partition(":")
    numbers = rest.split(":") if rest else []
    if words and (unit not in ("sentences", "characters") or not 1 <= len(numbers) <= 2):
        raise InputError(
            f"“{words}” is no way to cut a text.", "Write sentences:5:1 or characters:4000:200."
        )
    try:
        size = int(numbers[0]) if numbers else 0
        usual = min(1 if unit == "sentences" else 200, size - 1)
        overlap = int(numbers[1]) if len(numbers) > 1 else usual
    except ValueError as error:
        raise InputError(
            f"“{words}” is no way to cut a text.", "Sizes are whole numbers."
        ) from error
    if words and not 0 <= overlap < size:
        raise InputError(
            f"“{words}” is no way to cut a text.",
            "The size is 1 or more, and the overlap is smaller.",
        )
    return unit or "sentences", size, overlap


def report(sent: SendResult) -> None:
    new = counted(len(sent.new), "statement")
    say(f"{new} sent to review, {len(sent.known)} known already, {len(sent.held)} held back.")
    for statement, why in sent.held:
        say(f"held back: {statement.subject.label} · {statement.predicate.label}: {why}")
