"""Writes the pages that are read off the code: `python docs/generate.py`. A test compares them.

`command-line.md` comes from the verbs' own help, `problem-codes.md` from every place that makes a
Problem. `exports.md` is written by hand as far as its marker; the formats below it come from their
modules.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
CODE = re.compile(r"[a-z]+(?:-[a-z]+)*")
GENERATED = "<!-- What follows is written by `python docs/generate.py`. -->"
COLUMNS = {"NODES": "Columns of nodes", "EDGES": "Columns of edges", "COLUMNS": "Columns"}
MAKERS = re.compile(r"problem|warning|note|trouble|error|refus", re.IGNORECASE)


def command_line() -> str:
    """Every verb with its arguments and what they mean."""
    from core.cli import parser

    parts = [
        "# Command line",
        (
            "Written by `python docs/generate.py` from the verbs themselves. `python -m core"
            " [--project DIR] VERB …` works on the project\nfolder `DIR` (default: the app's). Exit"
            " status: 0 done; 1 refused or failed, with a message on standard error; 2 wrong usage."
        ),
    ]
    for name, verb in verbs_of(parser()).items():
        parts += verb_page(name, verb, "##")
    return "\n\n".join(parts) + "\n"


def verbs_of(whole: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The verbs below a parser, by name; none where it is a verb itself."""
    below = [part for part in whole._actions if isinstance(part, argparse._SubParsersAction)]
    return dict(below[0].choices) if below else {}


def verb_page(name: str, verb: argparse.ArgumentParser, level: str) -> Iterator[str]:
    yield f"{level} {name}"
    if verb.description:
        yield verb.description[0].upper() + verb.description[1:].rstrip(".") + "."
    rows = [row(action) for action in verb._actions if not skipped(action)]
    if rows:
        yield "| argument | meaning |\n|---|---|\n" + "\n".join(rows)
    for below, part in verbs_of(verb).items():
        yield from verb_page(f"{name} {below}", part, level + "#")


def skipped(action: argparse.Action) -> bool:
    hidden = action.help == argparse.SUPPRESS
    return hidden or isinstance(action, argparse._HelpAction | argparse._SubParsersAction)


def value_name(action: argparse.Action) -> str:
    """What stands for an option's value; two values have a name each."""
    names = action.metavar or action.dest.upper()
    return names if isinstance(names, str) else " ".join(names)


def row(action: argparse.Action) -> str:
    """One argument: how it is written, whether it is required, and its help."""
    names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
    value = ""
    if action.option_strings and action.nargs != 0:
        options = "\\|".join(map(str, action.choices or ()))
        value = f" {{{options}}}" if options else f" {value_name(action)}"
    elif action.choices and not action.metavar:
        names = "{" + "\\|".join(map(str, action.choices)) + "}"
    more = " …" if action.nargs in ("*", "+") or "Append" in type(action).__name__ else ""
    needed = " (required)" if action.required and action.option_strings else ""
    words = " ".join(str(action.help or "").replace("%(default)s", str(action.default)).split())
    return f"| `{names}{value}`{more}{needed} | {words.replace('|', chr(92) + '|')} |"


def problem_codes() -> str:
    """Every code with the room that says it and its message, `…` for what depends on the case."""
    said: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in sorted((ROOT / "core").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for code, message in problems(tree):
            room = ".".join(path.relative_to(ROOT).parts[:3]).removesuffix(".py")
            said[code][message].add(room)
    rows = [
        f"| `{code}` | {message or 'depends on the case'} | {', '.join(sorted(rooms))} |"
        for code, messages in sorted(said.items())
        for message, rooms in sorted(messages.items())
    ]
    return (
        "# Problem codes\n\nWritten by `python docs/generate.py`. An expected fault in data is a"
        " Problem: a stable code, a severity, a\nmessage, where it is and what to do. `…` stands"
        " for what depends on the case.\n\n| code | message | said by |\n|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def problems(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Code and message of each Problem that a module makes."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        assigned = [
            (target.id, node.value)
            for node in ast.walk(function)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        ]
        times = Counter(name for name, _ in assigned)
        words = {name: value for name, value in assigned if times[name] == 1}
        for node in ast.walk(function):
            if not isinstance(node, ast.Call) or len(node.args) < 2:
                continue
            code, message = node.args[0], node.args[1]
            made = MAKERS.search(ast.unparse(node.func).rpartition(".")[2])
            if made and isinstance(code, ast.Constant) and CODE.fullmatch(str(code.value)):
                yield str(code.value), sentence(words.get(getattr(message, "id", ""), message))


def sentence(node: ast.expr) -> str:
    """A string of the code as a reader may see it, one line, safe in a table."""
    if isinstance(node, ast.JoinedStr):
        text = "".join(
            str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values
        )
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    else:
        return ""
    return " ".join(text.split()).replace("|", "\\|")


def exports() -> str:
    """`exports.md`: its own text, then each format with its file, its columns and what its module
    says of it."""
    from core.kb.formats.registry import FORMATS

    page = (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")
    parts = [page.partition(GENERATED)[0] + GENERATED]
    for form in FORMATS.values():
        module = home(form)
        columns = [
            f"{title}: " + ", ".join(f"`{column}`" for column in value)
            for name, title in COLUMNS.items()
            if isinstance(value := vars(module).get(name), tuple)
        ]
        draft = " It can hold a draft." if form.drafts else ""
        head = f"`--format {form.name}`, a file `{form.suffix}` of type `{form.mime}`.{draft}"
        parts += [f"## {form.title}", head, str(module.__doc__).strip(), *columns]
    return "\n\n".join(parts) + "\n"


def home(form: object) -> ModuleType:
    """The module of a format: a file beside the registry, or of the OWL part."""
    folders = ("core/kb/formats", "core/kb/owl/formats")
    for path in sorted(path for folder in folders for path in (ROOT / folder).glob("[a-z]*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        module = importlib.import_module(name)
        if path.stem != "registry" and any(value is form for value in vars(module).values()):
            return module
    raise LookupError(form)


def licences() -> str:
    sys.path.insert(0, str(ROOT / "docs"))
    return str(importlib.import_module("licences").licences())


def prefixes() -> str:
    sys.path.insert(0, str(ROOT / "docs"))
    return str(importlib.import_module("prefixes").prefixes())


PAGES = {
    "exports.md": exports,
    "command-line.md": command_line,
    "problem-codes.md": problem_codes,
    "operations/licences.md": licences,
    "prefixes.md": prefixes,
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (ROOT / "docs" / name).write_text(page(), encoding="utf-8")
