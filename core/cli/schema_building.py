"""`schema`: make a schema from a form, or see one as a form. `schemas` lists and describes them."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.file_input import stored_bytes, stored_text
from core.cli.output import print_json, print_line, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.text.clean import clean_text

if TYPE_CHECKING:
    from core.services.extract.schema_building import SchemaForm


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="new|form|note", required=True)
    making = actions.add_parser("new", help="save a schema described by a form (JSON)")
    making.add_argument(
        "--from", dest="file", type=Path, required=True, help="the form; - for standard input"
    )
    making.add_argument("--print", action="store_true", help="only print the LinkML")
    noting = actions.add_parser(
        "note", help="set the text that is added to every prompt of a schema"
    )
    noting.add_argument("name", help="the schema's name")
    noting.add_argument(
        "--set", dest="words", metavar="FILE", help="save this text; - for standard input"
    )
    noting.add_argument("--clear", action="store_true", help="add no text from now on")
    noting.add_argument("--history", action="store_true", help="show every version of the text")
    showing = actions.add_parser(
        "form", help="show a schema as a form, and what the form cannot show"
    )
    showing.add_argument("name", help="the schema's name")


def run(desk: Desk, args: Namespace) -> int:
    from core.codec import to_json
    from core.services.extract import schema_building

    if args.action == "note":
        return note(desk, args)
    if args.action == "form":
        opened = schema_building.schema_to_form(desk, args.name)
        form_json = {"form": to_json(opened.form), "hidden": list(opened.hidden)}
        print_json(form_json)
        return 0
    form = read_form(args.file)
    if args.print:
        print(schema_building.form_to_linkml(desk, form), end="")
        return 0
    name = schema_building.keep_schema(desk, form)
    print_note(f"{name} was saved in {desk.folder / 'schemas'}")
    return 0


def note(desk: Desk, args: Namespace) -> int:
    """The words in force, with their version; all versions as JSON lines with --history."""
    from core.codec import to_json
    from core.services.extract import guidance
    from core.services.extract.run import find_schema

    name = find_schema(desk, args.name).name
    if args.words or args.clear:
        words = "" if args.clear else clean_text(stored_bytes(args.words))
        guidance.set_note(desk, name, words)
    if args.history:
        for version in guidance.note_versions(desk, name):
            print_line(to_json(version))
        return 0
    prompt_note = guidance.note_of(desk, name)
    print_note(f"version {prompt_note.version}")
    if prompt_note.text:
        print(prompt_note.text)
    return 0


def read_form(path: Path) -> SchemaForm:
    """Raises InputError for a file that is no form; `schema form` shows how one looks."""
    from core.codec import from_json
    from core.services.extract.schema_building import SchemaForm

    try:
        form_json = json.loads(stored_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}.", "See `schema form NAME`.") from error
    return from_json(
        SchemaForm, form_json.get("form", form_json) if isinstance(form_json, dict) else form_json
    )


VERBS = (Verb("schema", "make a schema from a form, without YAML", arguments, run),)
