"""What the verb schema does."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path

from core.cli.file_input import stored_bytes, stored_text
from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError
from core.services.extract import guidance, schema_building
from core.services.extract.new_run import find_schema
from core.services.extract.schema_building import SchemaForm
from core.text.clean import clean_text


def run(desk: Desk, args: Namespace) -> int:
    if args.action == "note":
        return note(desk, args)
    if args.action == "form":
        opened = schema_building.schema_to_form(desk, args.name)
        form_json = {"form": to_json(opened.form), "hidden": list(opened.hidden)}
        print(json.dumps(form_json, ensure_ascii=False, indent=2))
        return 0
    form = read_form(args.file)
    if args.print:
        print(schema_building.form_to_linkml(desk, form), end="")
        return 0
    name = schema_building.keep_schema(desk, form)
    print(f"groundwork: {name} was saved in {desk.folder / 'schemas'}", file=sys.stderr)
    return 0


def note(desk: Desk, args: Namespace) -> int:
    """The words in force, with their version; all versions as JSON lines with --history."""
    name = find_schema(desk, args.name).name
    if args.words or args.clear:
        words = "" if args.clear else clean_text(stored_bytes(args.words))
        guidance.set_note(desk, name, words)
    if args.history:
        for version in guidance.note_versions(desk, name):
            print(json.dumps(to_json(version), ensure_ascii=False))
        return 0
    prompt_note = guidance.note_of(desk, name)
    print(f"groundwork: version {prompt_note.version}", file=sys.stderr)
    if prompt_note.text:
        print(prompt_note.text)
    return 0


def read_form(path: Path) -> SchemaForm:
    """Raises InputError for a file that is no form; `schema form` shows how one looks."""
    try:
        form_json = json.loads(stored_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}.", "See `schema form NAME`.") from error
    return from_json(
        SchemaForm, form_json.get("form", form_json) if isinstance(form_json, dict) else form_json
    )
