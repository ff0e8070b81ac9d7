"""The verbs on one text and its schema: schemas, prompt, parse, extract."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.extraction_options import (
    asks_of,
    curator_of,
    options,
    read_bytes,
    read_input,
    rounded,
    run_arguments,
    schema_arguments,
    send_all_to_review,
    source_of,
)
from core.cli.file_input import packed_bytes, stored_bytes
from core.cli.output import print_json, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.model import Json, Severity
from core.text.clean import clean_text

if TYPE_CHECKING:
    from core.schema.definition import Schema
    from core.services.documents.upload import InputText
    from core.services.extract import result


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


def prompt_arguments(parser: ArgumentParser) -> None:
    schema_arguments(parser)
    parser.add_argument("--input", required=True, help="the text: a file, or - for standard input")


def parse_arguments(parser: ArgumentParser) -> None:
    prompt_arguments(parser)
    parser.add_argument("--completion", required=True, help="the model's answer: a file, or -")
    parser.add_argument(
        "--ground", action="store_true", help="also look the words up in the project's vocabularies"
    )


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


def draft_format(words: str) -> str:
    """The name of a format that a draft can be written in; argparse refuses anything else."""
    from core.services.extract.draft import FORMATS

    if words not in FORMATS:
        raise ArgumentTypeError(f"{words!r} is none of {', '.join(FORMATS)}")
    return words


def schemas(desk: Desk, args: Namespace) -> int:
    from core.extraction.json_view import problems_json
    from core.schema.catalogue import all_schemas
    from core.services.extract.run import find_schema
    from core.services.vocabularies.obstacles import missing_vocabularies

    if not args.schema:
        for entry in all_schemas(desk.schemas, cache_folder=desk.schema_cache_folder):
            print(f"{entry.name}\t{entry.title}\t{' '.join(entry.summary.split())}")
        return 0
    kind, text = foreign(desk, args.schema)
    if args.linkml:
        sys.stdout.write(text)
        return 0
    schema = read_converted(desk, text) if kind else find_schema(desk, args.schema)
    missing = missing_vocabularies(desk, schema)
    problems = {"problems": problems_json((*schema.problems, *missing))}
    print_json(({"converted_from": kind} if kind else {}) | described(schema) | problems)
    return 1 if any(problem.severity is Severity.ERROR for problem in schema.problems) else 0


def read_converted(desk: Desk, text: str) -> Schema:
    from core.services.extract import schemas as service

    schema_draft = service.checked_schema(desk, text)
    if schema_draft.schema is None:
        raise InputError(" ".join(problem.message for problem in schema_draft.problems))
    return schema_draft.schema


def foreign(desk: Desk, name: str) -> tuple[str, str]:
    """What a schema's file is written in, "" for LinkML, and its text as LinkML."""
    from core.schema.catalogue import find_file
    from core.schema.conversion.converter import SUFFIXES
    from core.schema.source import MAX_SCHEMA
    from core.services.extract import schemas as service

    path = Path(name)
    if not (path.is_file() and path.suffix.casefold() in SUFFIXES):
        path = find_file(name, desk.schemas)
    text = packed_bytes(path, 4 * MAX_SCHEMA).decode("utf-8-sig", "replace")
    return service.foreign_format(path.name, text), service.as_linkml(path.name, text)


def described(schema: Schema) -> Json:
    """A schema for people who check it: its classes and what fills them."""
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
    }


def show_prompt(desk: Desk, args: Namespace) -> int:
    from core.extraction.spires.prompt import spires_prompt
    from core.services.extract.run import find_schema

    schema = find_schema(desk, args.schema)
    sys.stdout.write(spires_prompt(schema, args.cls, clean_text(read_bytes(args.input))))
    return 0


def show_parsed(desk: Desk, args: Namespace) -> int:
    """A model's answer as a tree. An answer that holds nothing readable is a failure."""
    from core.extraction.assemble import assemble_extraction
    from core.extraction.json_view import mention_json, plain_object, problems_json
    from core.extraction.mention_grounding import grounding
    from core.extraction.spires.parse import parse_answer
    from core.extraction.spires.prompt import class_of
    from core.services.extract.completeness import find_gaps
    from core.services.extract.run import find_schema

    schema = find_schema(desk, args.schema)
    cls = class_of(schema, args.cls).name
    answer = stored_bytes(args.completion).decode("utf-8", "replace")
    text = clean_text(read_bytes(args.input))
    parsed = parse_answer(schema, cls, answer, source=text)
    look_up = grounding(schema, desk.grounder()) if args.ground else None
    extraction = assemble_extraction(
        schema,
        parsed.as_one_block(schema.classes[cls]),
        text,
        look_up,
    )
    problems = (*parsed.problems, *extraction.problems)
    gaps = find_gaps(problems, len(parsed.blocks), len(extraction.mentions))
    missing = [gap.says for gap in gaps if gap.lost]
    print_json({
        "object": plain_object(schema, extraction),
        "blocks": [as_plain(block) for block in parsed.blocks],
        "not_stated": [{"slot": slot, "text": words} for slot, words in parsed.not_stated],
        "mentions": [mention_json(mention) for mention in extraction.mentions],
        "complete": not missing,
        "missing": missing,
        "problems": problems_json(problems),
    })  # fmt: skip
    if not parsed.blocks and not answer.strip():
        print_note("The answer is empty.")
        return 1
    if not parsed.blocks and any(p.severity is not Severity.NOTE for p in problems):
        print_note(f"Nothing in the answer could be read: {problems[0].message[:300]}")
        return 1
    return 0


def as_plain(block: Json) -> Json:
    if isinstance(block, str):
        return block
    return {name: [as_plain(item) for item in items] for name, items in block.fields}


def _brought(desk: Desk, args: Namespace) -> InputText:
    from core.services.documents import recipe_page, upload

    if args.pmid:
        return upload.fetch_pubmed_text(desk, args.pmid)
    if args.url:
        return recipe_page.fetch_recipe_page(desk, args.url)
    brought = read_input(args.input)
    upload.keep_reading(desk, brought)
    return brought


def extract(desk: Desk, args: Namespace) -> int:
    """The draft on standard output. What failed or is missing is named on standard error, and the
    status is 1.
    """
    from core.services.extract import draft, result
    from core.services.extract.budget import estimate_preview
    from core.services.extract.left_out import left_words
    from core.services.extract.readiness import vocabularies_lacking
    from core.services.extract.run import start_run
    from core.services.vocabularies.obstacles import missing_vocabularies
    from core.services.vocabularies.schema_use import unused_lines

    curator, source = curator_of(args), source_of(args.source)
    brought = _brought(desk, args)
    text, source = brought.text.encode(), source or brought.source
    if args.estimate:
        budget = estimate_preview(
            desk,
            args.schema,
            clean_text(text),
            engine=args.engine,
            cls=args.cls,
            options=options(args),
        )
        print_json(rounded(asdict(budget)))
        return 0
    if args.first_question:
        return first_question(desk, args, text, source, curator=curator)
    _say_what_goes(desk, args, clean_text(text), source)
    job = start_run(
        desk,
        args.schema,
        text,
        source=source,
        engine=args.engine,
        cls=args.cls,
        curator=curator,
        options=options(args),
    )
    run_view = result.wait_for_job(desk, job)
    sys.stdout.write(draft.render_run(desk, run_view, args.format))
    for problem in draft.draft_remarks(desk, run_view, args.format):
        print_note(problem.message)
    lacking = vocabularies_lacking(run_view.problems, missing_vocabularies(desk, run_view.schema))
    for line in (*lacking, *unused_lines(desk, run_view.schema)):
        print_note(line)
    status = report_gaps(run_view)
    if words := left_words(desk, run_view):
        print_note(words)
    if args.send or args.send_incomplete:
        return status if send_all_to_review(desk, run_view, args, curator) else 1
    return status


def _say_what_goes(desk: Desk, args: Namespace, text: str, source: str) -> None:
    """To which model a text goes, and which approved statements go along as examples."""
    from core.services.extract.guidance import examples_for

    if not (where := asks_of(desk, args.engine, args.model)):
        return
    print_note(f"the text will be sent to {where}")
    if not args.examples:
        return
    shown = examples_for(desk, args.schema, text, source, count=args.examples)
    for example in shown:
        print_note(f"example shown to the model: {example.line} ({example.document})")
    if not shown:
        print_note("no approved statement of another text resembles this one: no examples")


def first_question(desk: Desk, args: Namespace, text: bytes, source: str, *, curator: str) -> int:
    from core.services.extract.left_out import count_first

    _say_what_goes(desk, args, clean_text(text), source)
    budget = count_first(
        desk,
        args.schema,
        text,
        source=source,
        engine=args.engine,
        cls=args.cls,
        curator=curator,
        options=options(args),
    )
    print_json(rounded(asdict(budget)))
    return 0


def report_gaps(run_view: result.ExtractionView) -> int:
    """What failed and what is missing to standard error; the exit status."""
    from core.services.extract.completeness import gaps_of, may_be_incomplete
    from core.services.extract.result import place_words

    errors = [problem for problem in run_view.problems if problem.severity is Severity.ERROR]
    for problem in errors:
        print_note(f"{place_words(problem.where) or 'the whole text'}: {problem.message}")
    gaps = gaps_of(run_view)
    for gap in gaps:
        print_note(f"{gap.says} {gap.helps}")
    return 1 if errors or may_be_incomplete(gaps) else 0


VERBS = (
    Verb("schemas", "list the schemas, or describe and check one", schemas_arguments, schemas),
    Verb("prompt", "print the prompt for a text", prompt_arguments, show_prompt),
    Verb("parse", "read a model's answer: tree and problems", parse_arguments, show_parsed),
    Verb("extract", "extract statements from a text as a draft", extract_arguments, extract),
)
