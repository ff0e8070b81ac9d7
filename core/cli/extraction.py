"""Verbs on texts: schemas, prompt, parse, extract, batch (DESIGN §7)."""

from __future__ import annotations

import gzip
import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from core.cli.verb import Verb
from core.desk import Desk
from core.errors import GroundworkError, InputError
from core.extraction.assemble import assemble
from core.extraction.ground import grounding
from core.extraction.plain import mention_json, plain, problems_json
from core.extraction.spires.parse import parse
from core.extraction.spires.prompt import class_of, prompt
from core.model import JobState, Json, Severity
from core.schema.catalogue import catalogue
from core.schema.definition import Schema
from core.services import extraction, extraction_batch, extraction_draft
from core.services.extraction import ENGINES, Options
from core.text.document import clean

MAX_INPUT = 50_000_000  # bytes


def read_bytes(name: str) -> bytes:
    """A file, gzipped or not, or standard input for `-`."""
    if name == "-":
        return sys.stdin.buffer.read(MAX_INPUT)
    path = Path(name)
    if not path.is_file():
        raise InputError(f"There is no file {name}.", "Give a file, or - for standard input.")
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
        return stream.read(MAX_INPUT)


def put(value: Json) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def say(words: str) -> None:
    print(f"groundwork: {words}", file=sys.stderr)


# ------------------------------------------------------------------ schemas


def schemas_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("schema", nargs="?", help="a schema's name or file; without one, all are listed")


def schemas(desk: Desk, args: Namespace) -> int:
    if not args.schema:
        for entry in catalogue(desk.schemas):
            print(f"{entry.name}\t{entry.title}\t{' '.join(entry.summary.split())}")
        return 0
    found = extraction.find_schema(desk, args.schema)
    put(described(found))
    return 1 if any(problem.severity is Severity.ERROR for problem in found.problems) else 0


def described(schema: Schema) -> Json:
    """A schema for people who check it: its classes, what fills them, and what is wrong with it."""
    return {
        "name": schema.name,
        "title": schema.title,
        "description": schema.description,
        "root": schema.root,
        "version": schema.version,
        "classes": {
            cls.name: {
                "category": str(cls.category),
                "entity": cls.is_entity,
                "triple": cls.is_triple,
                "annotators": list(cls.annotators),
                "id_prefixes": list(cls.id_prefixes),
                "slots": [
                    {"name": s.name, "range": s.range, "kind": str(s.kind), "uri": s.uri, "multivalued": s.multivalued,
                     "asked": not s.skip, "prompt": s.prompt}
                    for s in cls.slots
                ],
            }
            for cls in schema.classes.values()
        },
        "enums": {enum.name: [value.name for value in enum.values] for enum in schema.enums.values()},
        "problems": problems_json(schema.problems),
    }  # fmt: skip


# ------------------------------------------------------------------ prompt and parse


def schema_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--schema", required=True, help="a schema's name or file")
    parser.add_argument("--class", dest="cls", default="", help="the class to fill (default: the schema's root)")


def prompt_arguments(parser: ArgumentParser) -> None:
    schema_arguments(parser)
    parser.add_argument("--input", required=True, help="the text: a file, or - for standard input")


def show_prompt(desk: Desk, args: Namespace) -> int:
    schema = extraction.find_schema(desk, args.schema)
    sys.stdout.write(prompt(schema, args.cls, clean(read_bytes(args.input))))
    return 0


def parse_arguments(parser: ArgumentParser) -> None:
    prompt_arguments(parser)
    parser.add_argument("--completion", required=True, help="the model's answer: a file, or -")
    parser.add_argument("--ground", action="store_true", help="also look the words up in the project's vocabularies")


def show_parsed(desk: Desk, args: Namespace) -> int:
    """A model's answer as a tree. An answer that holds nothing readable is a failure."""
    schema = extraction.find_schema(desk, args.schema)
    cls = class_of(schema, args.cls).name
    answer = read_bytes(args.completion).decode("utf-8", "replace")
    read = parse(schema, cls, answer)
    look_up = grounding(schema, desk.grounder()) if args.ground else None
    found = assemble(schema, read.whole(schema.classes[cls]), clean(read_bytes(args.input)), look_up)
    problems = (*read.problems, *found.problems)
    put({
        "object": plain(schema, found),
        "blocks": [as_plain(block) for block in read.blocks],
        "not_stated": [{"slot": slot, "text": words} for slot, words in read.not_stated],
        "mentions": [mention_json(mention) for mention in found.mentions],
        "problems": problems_json(problems),
    })  # fmt: skip
    if not read.blocks and not answer.strip():
        say("The answer is empty.")
        return 1
    if not read.blocks and any(p.severity is not Severity.NOTE for p in problems):
        say(f"Nothing in the answer could be read: {problems[0].message[:300]}")
        return 1
    return 0


def as_plain(block: Json) -> Json:
    if isinstance(block, str):
        return block
    return {name: [as_plain(item) for item in items] for name, items in block.fields}


# ------------------------------------------------------------------ extract


def run_arguments(parser: ArgumentParser) -> None:
    schema_arguments(parser)
    parser.add_argument("--engine", choices=ENGINES, default="auto", help="auto: SPIRES with a model, else built-in")
    parser.add_argument(
        "--chunk", default="", metavar="UNIT:SIZE[:OVERLAP]", help="cut: sentences:5:1, characters:4000:200"
    )
    parser.add_argument("--depth", type=int, default=5, help="how deep nested questions may go")
    parser.add_argument("--max-calls", type=int, default=0, help="at most so many calls (default: the project's)")
    parser.add_argument("--max-tokens", type=int, default=1_000_000, help="at most so many tokens in all")
    parser.add_argument("--context", action="store_true", help="nested questions carry the sentence of their words")
    parser.add_argument("--no-cache", action="store_true", help="ask again what was answered in earlier runs")
    parser.add_argument("--curator", default="", help="ORCID of who sends")
    parser.add_argument("--send", action="store_true", help="send what is grounded to review")
    parser.add_argument("--include-ungrounded", action="store_true", help="with --send: what has no term, too")


def extract_arguments(parser: ArgumentParser) -> None:
    run_arguments(parser)
    parser.add_argument("--input", required=True, help="the text: a file, or - for standard input")
    parser.add_argument("--source", default="", help="where the text is from, such as PMID:1")
    parser.add_argument("--format", default="json", choices=extraction_draft.FORMATS, help="of the draft")
    parser.add_argument("--estimate", action="store_true", help="only say what the run would take")


def options(args: Namespace) -> Options:
    unit, size, overlap = split(args.chunk)
    return Options(
        args.depth, args.max_calls, args.max_tokens, args.context, unit, size, overlap, reuse=not args.no_cache
    )


def split(words: str) -> tuple[str, int, int]:
    """`sentences:5:1` as unit, size and overlap; "" cuts nothing."""
    unit, _, rest = words.partition(":")
    numbers = rest.split(":") if rest else []
    if words and (unit not in ("sentences", "characters") or not 1 <= len(numbers) <= 2):
        raise InputError(f"“{words}” is no way to cut a text.", "Write sentences:5:1 or characters:4000:200.")
    try:
        size = int(numbers[0]) if numbers else 0
        return (
            unit or "sentences",
            size,
            int(numbers[1]) if len(numbers) > 1 else min(1 if unit == "sentences" else 200, size - 1),
        )
    except ValueError as error:
        raise InputError(f"“{words}” is no way to cut a text.", "Sizes are whole numbers.") from error


def extract(desk: Desk, args: Namespace) -> int:
    """The draft on standard output. Failed questions are named on standard error, and the status is 1."""
    text = read_bytes(args.input)
    if args.estimate:
        budget = extraction.preview(desk, args.schema, clean(text), args.engine, args.cls, options(args))
        put({"engine": budget.engine, "calls": budget.calls, "tokens": budget.tokens, "cost": budget.cost})
        return 0
    job = extraction.start(desk, args.schema, text, args.source, args.engine, args.cls, args.curator, options(args))
    found = extraction.finish(desk, job)
    sys.stdout.write(extraction_draft.render(desk, found, args.format))
    if args.send:
        report(extraction.send(desk, found.run.id, args.curator, include_ungrounded=args.include_ungrounded))
    return told(found)


def told(found: extraction.ExtractionView) -> int:
    """Errors to standard error; the exit status."""
    errors = [problem for problem in found.problems if problem.severity is Severity.ERROR]
    for problem in errors:
        say(f"{problem.where or 'the whole text'}: {problem.message}")
    if errors:
        return 1
    unread = [p for p in found.problems if p.code == "unplaced"]
    if not found.extraction.tree.slots and unread:
        say(f"Nothing in the model's answer could be read: {unread[0].message[:300]}")
        return 1
    return 0


def report(sent: extraction.Sent) -> None:
    say(f"{len(sent.new)} statements sent to review, {len(sent.known)} known already, {len(sent.held)} held back.")
    for statement, why in sent.held:
        say(f"held back: {statement.subject.label} · {statement.predicate.label}: {why}")


# ------------------------------------------------------------------ batch


def batch_arguments(parser: ArgumentParser) -> None:
    run_arguments(parser)
    parser.add_argument("--input", nargs="+", default=[], help="JSON lines {id, text}, text files, or folders of them")
    parser.add_argument("--resume", default="", metavar="JOB", help="go on with a batch that ended early")


def batch(desk: Desk, args: Namespace) -> int:
    """A JSON line for each document, in order: its status, run and draft. Status 1 when any did not come about."""
    if args.resume:
        job = desk.runner.resume(args.resume)
    else:
        job = extraction_batch.start(
            desk, args.schema, documents(args.input), args.engine, args.cls, args.curator, options(args)
        )
    say(f"batch {job.id}")
    ended = desk.runner.wait(job.id)
    failed = 0
    for item in extraction_batch.items(desk, ended):
        draft: Json = {}
        if item.status in ("done", "partly"):
            found = extraction.view(desk, item.run)
            draft = extraction_draft.as_json(found)
            if args.send:
                report(extraction.send(desk, item.run, args.curator, include_ungrounded=args.include_ungrounded))
        failed += item.status != "done"
        row = {"id": item.id, "status": str(item.status), "message": item.message, "run": item.run}
        sys.stdout.write(json.dumps(row | {k: v for k, v in draft.items() if k not in row}, ensure_ascii=False) + "\n")
    if ended.state is not JobState.DONE:
        raise GroundworkError(f"The batch is {ended.state}. {ended.error}", f"Go on with --resume {job.id}.")
    if failed:
        say(f"{failed} documents did not come about whole.")
    return 1 if failed else 0


def documents(names: list[str]) -> Iterator[tuple[str, bytes | str]]:
    """(id, text) of every document in these files and folders."""
    if not names:
        raise InputError("There are no documents.", "Give --input files, or --resume a batch.")
    for name in names:
        if Path(name).is_dir():
            for path in sorted(p for p in Path(name).iterdir() if p.is_file() and not p.name.startswith(".")):
                yield from documents([str(path)])
        elif Path(name).name.removesuffix(".gz").endswith((".jsonl", ".ndjson", ".json")):
            yield from lines(name, read_bytes(name))
        else:
            yield "" if name == "-" else f"file:{Path(name).name}", read_bytes(name)


def lines(name: str, data: bytes) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            text = row["text"] if "text" in row else f"{row['title']}\n{row['abstract']}"
            yield str(row.get("id") or (f"PMID:{row['pmid']}" if "pmid" in row else "")), str(text)
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{name}, line {number}: not a document.", "Each line is JSON with id and text."
            ) from error


VERBS = (
    Verb("schemas", "list the schemas, or describe and check one", schemas_arguments, schemas),
    Verb("prompt", "print the prompt for a text", prompt_arguments, show_prompt),
    Verb("parse", "read a model's answer: tree and problems", parse_arguments, show_parsed),
    Verb("extract", "extract statements from a text as a draft", extract_arguments, extract),
    Verb("batch", "extract from many documents, each with its status", batch_arguments, batch),
)
