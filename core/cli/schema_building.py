"""`schema`: make a schema from a form, or see one as a form. `schemas` lists and describes them."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from core.cli.verb import Verb
from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError
from core.services.extract import schema_building
from core.services.extract.schema_building import SchemaForm


def arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="new|form", required=True)
    making = actions.add_parser("new", help="keep a schema that a form (JSON) describes")
    making.add_argument(
        "--from", dest="file", type=Path, required=True, help="the form; - for stdin"
    )
    making.add_argument("--print", action="store_true", help="only print the LinkML")
    showing = actions.add_parser("form", help="a schema as a form, with what the form cannot show")
    showing.add_argument("name")


def run(desk: Desk, args: Namespace) -> int:
    if args.action == "form":
        opened = schema_building.opened(desk, args.name)
        shown = {"form": to_json(opened.form), "hidden": list(opened.hidden)}
        print(json.dumps(shown, ensure_ascii=False, indent=2))
        return 0
    form = read_form(args.file)
    if args.print:
        print(schema_building.linkml(desk, form), end="")
        return 0
    name = schema_building.keep(desk, form)
    print(f"groundwork: {name} is kept in {desk.folder / 'schemas'}", file=sys.stderr)
    return 0


def read_form(path: Path) -> SchemaForm:
    """Raises InputError for a file that is no form; `schema form` shows how one looks."""
    text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8-sig")
    try:
        given = json.loads(text)
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}.", "See `schema form NAME`.") from error
    return from_json(SchemaForm, given.get("form", given) if isinstance(given, dict) else given)


VERBS = (Verb("schema", "make a schema from a form, without YAML", arguments, run),)
