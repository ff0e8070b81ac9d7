"""Verbs on texts: schemas, prompt, parse, extract, batch (docs/command-line.md)."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path

from core.cli.extraction_batch import batch, batch_arguments, compare, compare_arguments
from core.cli.extraction_options import (
    curator_of,
    options,
    read_bytes,
    read_input,
    report,
    run_arguments,
    say,
    schema_arguments,
    source_of,
    stored,
)
from core.cli.verb import Verb
from core.desk import Desk
from core.extraction.assemble import assemble_extraction
from core.extraction.json_view import mention_json, plain_object, problems_json
from core.extraction.mention_grounding import grounding
from core.extraction.spires.parse import parse_answer
from core.extraction.spires.prompt import class_of, prompt
from core.model import Json, Severity
from core.schema.catalogue import all_schemas, find_file
from core.schema.conversion.converter import SUFFIXES
from core.schema.definition import Schema
from core.schema.load import load_schema
from core.services.documents import recipe_page, upload
from core.services.documents.upload import BroughtText
from core.services.extract import draft, result
from core.services.extract import schemas as service
from core.services.extract.completeness import gaps, nothing_read
from core.services.extract.place import place_words
from core.text.clean import clean_text


def put(value: Json) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


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
        "--linkml", action="store_true", help="print the schema as LinkML, converted where need be"
    )


def schemas(desk: Desk, args: Namespace) -> int:
    if not args.schema:
        for entry in all_schemas(desk.schemas, kept_in=desk.kept_schemas):
            print(f"{entry.name}\t{entry.title}\t{' '.join(entry.summary.split())}")
        return 0
    kind, text = foreign(desk, args.schema)
    if args.linkml:
        sys.stdout.write(text)
        return 0
    schema = (
        load_schema(text, folder=desk.schemas) if kind else result.find_schema(desk, args.schema)
    )
    put(({"converted_from": kind} if kind else {}) | described(schema))
    return 1 if any(problem.severity is Severity.ERROR for problem in schema.problems) else 0


def foreign(desk: Desk, name: str) -> tuple[str, str]:
    """What a schema's file is written in, "" for LinkML, and its text as LinkML."""
    path = Path(name)
    if not (path.is_file() and path.suffix.casefold() in SUFFIXES):
        path = find_file(name, desk.schemas)
    text = path.read_bytes().decode("utf-8-sig", "replace")
    return service.foreign(path.name, text), service.as_linkml(path.name, text)


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
                    {
                        "name": s.name,
                        "range": s.range,
                        "kind": str(s.kind),
                        "uri": s.uri,
                        "multivalued": s.multivalued,
                        "asked": not s.skip,
                        "prompt": s.prompt,
                    }
                    for s in cls.slots
                ],
            }
            for cls in schema.classes.values()
        },
        "enums": {
            enum.name: [value.name for value in enum.values] for enum in schema.enums.values()
        },
        "problems": problems_json(schema.problems),
    }


# ------------------------------------------------------------------ prompt and parse


def prompt_arguments(parser: ArgumentParser) -> None:
    schema_arguments(parser)
    parser.add_argument("--input", required=True, help="the text: a file, or - for standard input")


def show_prompt(desk: Desk, args: Namespace) -> int:
    schema = result.find_schema(desk, args.schema)
    sys.stdout.write(prompt(schema, args.cls, clean_text(read_bytes(args.input))))
    return 0


def parse_arguments(parser: ArgumentParser) -> None:
    prompt_arguments(parser)
    parser.add_argument("--completion", required=True, help="the model's answer: a file, or -")
    parser.add_argument(
        "--ground", action="store_true", help="also look the words up in the project's vocabularies"
    )


def show_parsed(desk: Desk, args: Namespace) -> int:
    """A model's answer as a tree. An answer that holds nothing readable is a failure."""
    schema = result.find_schema(desk, args.schema)
    cls = class_of(schema, args.cls).name
    answer = stored(args.completion).decode("utf-8", "replace")
    read = parse_answer(schema, cls, answer)
    look_up = grounding(schema, desk.grounder()) if args.ground else None
    extraction = assemble_extraction(
        schema, read.whole(schema.classes[cls]), clean_text(read_bytes(args.input)), look_up
    )
    problems = (*read.problems, *extraction.problems)
    put({
        "object": plain_object(schema, extraction),
        "blocks": [as_plain(block) for block in read.blocks],
        "not_stated": [{"slot": slot, "text": words} for slot, words in read.not_stated],
        "mentions": [mention_json(mention) for mention in extraction.mentions],
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


def extract_arguments(parser: ArgumentParser) -> None:
    run_arguments(parser)
    text = parser.add_mutually_exclusive_group(required=True)
    text.add_argument("--input", help="the text: a file, or - for standard input")
    text.add_argument("--url", help="a recipe's web page (https), read with recipe-scrapers")
    text.add_argument("--pmid", help="the title and abstract of a paper in PubMed")
    parser.add_argument("--source", default="", help="where the text is from, such as PMID:1")
    parser.add_argument("--format", default="json", choices=draft.FORMATS, help="of the draft")
    parser.add_argument("--estimate", action="store_true", help="only say what the run would take")


def _brought(desk: Desk, args: Namespace) -> BroughtText:
    if args.pmid:
        return upload.of_pubmed(desk, args.pmid)
    return recipe_page.of_url(desk, args.url) if args.url else read_input(args.input)


def extract(desk: Desk, args: Namespace) -> int:
    """The draft on standard output. Failed questions are named on standard error, and the status is
    1.
    """
    curator, source = curator_of(args), source_of(args.source)
    brought = _brought(desk, args)
    text, source = brought.text.encode(), source or brought.source
    if args.estimate:
        budget = result.preview(
            desk, args.schema, clean_text(text), args.engine, args.cls, options(args)
        )
        put(asdict(budget))
        return 0
    job = result.start(
        desk, args.schema, text, source, args.engine, args.cls, curator, options(args)
    )
    found = result.finish(desk, job)
    sys.stdout.write(draft.render(desk, found, args.format))
    for problem in draft.remarks(desk, found, args.format):
        say(problem.message)
    if args.send:
        report(
            result.send_to_review(
                desk, found.run.id, curator, include_ungrounded=args.include_ungrounded
            )
        )
    return told(found)


def told(found: result.ExtractionView) -> int:
    """What failed and what is missing to standard error; the exit status."""
    errors = [problem for problem in found.problems if problem.severity is Severity.ERROR]
    for problem in errors:
        say(f"{place_words(problem.where) or 'the whole text'}: {problem.message}")
    claims, mentions = len(found.statements), len(found.extraction.mentions)
    for gap in gaps(found.problems, claims, mentions):
        say(f"{gap.says} {gap.helps}")
    return 1 if errors or nothing_read(found.problems, claims, mentions) else 0


VERBS = (
    Verb("schemas", "list the schemas, or describe and check one", schemas_arguments, schemas),
    Verb("prompt", "print the prompt for a text", prompt_arguments, show_prompt),
    Verb("parse", "read a model's answer: tree and problems", parse_arguments, show_parsed),
    Verb("extract", "extract statements from a text as a draft", extract_arguments, extract),
    Verb("compare", "two readings of the same texts in figures", compare_arguments, compare),
    Verb("batch", "extract from many documents, each with its status", batch_arguments, batch),
)
