"""Writes the pages that are read off the code: `python docs/generate.py`. A test compares them.

`command-line.md` comes from the verbs' own help, `problem-codes.md` from every place that makes a
Problem, and the registries' tables from the registries.
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
    return isinstance(action, argparse._HelpAction | argparse._SubParsersAction)


def row(action: argparse.Action) -> str:
    """One argument: how it is written, whether it is needed, and its help."""
    names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
    value = ""
    if action.option_strings and action.nargs != 0:
        options = "\\|".join(map(str, action.choices or ()))
        value = f" {{{options}}}" if options else f" {action.metavar or action.dest.upper()}"
    elif action.choices and not action.metavar:
        names = "{" + "\\|".join(map(str, action.choices)) + "}"
    more = " …" if action.nargs in ("*", "+") or "Append" in type(action).__name__ else ""
    needed = " (needed)" if action.required and action.option_strings else ""
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
        "# Problem codes\n\nWritten by `python docs/generate.py`. Expected trouble in data is a"
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


EXPORTS = """# Exports

*Knowledge graph → Export*, or `python -m core export --format NAME --output FILE`. Only approved
statements that pass the gate are written; what is held back is listed with the reason. Files are
the same byte for byte for the same content. *Next problem* opens the first record that is held back
on Review, followed by the others of the same reason; a click on a row of the list opens that one.

A file of more than 2,000 statements is made by a job: its progress, *Stop* and *Resume* stand on
the Export tab, and the file lies in the project's folder under `exports/` until it is made again;
the tab says when something changed since. It is written by a process of its own, so that the desk
stays small. Files of a release are made the same way, and stay. A file is written beside the old
one and takes its place when it is whole: after a full disk, a stop or a killed process the old
file is as it was, and the message names it. Page and command line name what a format leaves out,
with the reason; `export --release` does too.

## What every format keeps

A statement keeps its evidence (the quote with its document, or the record and field of a stored
answer), who approved it and when, whether it is negated or a hypothesis, and its qualifiers. A
negated, supposed or qualified statement is never written as a plain triple that a reader could
take for a fact.

## What the schemas ask

`python -m core check --shapes` prints what the project's schemas ask as SHACL: which slots a thing
must have, how many values each takes and of what kind, and which vocabularies the ends of each
relation are from. `check` holds what passed the gate to it with pySHACL, a JSON line for each
statement that does not keep it; *Does it keep what the schemas ask?* on the Export tab lists them,
and a click opens the record on Review. Nothing is held back for it: what is missing may not have
been in the paper.

## Releases

*Knowledge graph → Releases*, or `python -m core release make --licence CC-BY-4.0`. A release
freezes what passes the gate under a number: the first part counts releases that withdraw
statements, the second those that add some, the third those that only change evidence or names. It
has a version IRI, a date, a licence, creators and a citation, and is described in DCAT and VoID
inside its RDF files. Its notes say what was added, withdrawn and changed since the release before,
and why. Papers that a literature namespace knows to be retracted are listed, and the statements
that rest on them are marked. A quote of more than 2,000 characters is refused: a release holds
quotes, never whole articles. Nothing of a release ever changes; rows that somebody changed in the
database are noticed by their digest.

`release compare A B` lists what differs, `export --release A --format NAME` gives any format of it,
`release site --output FOLDER` makes a web site: a page for each thing, paper and statement with its
evidence, a search and the files. Its pages load nothing from any other address; links to sources
are only followed when somebody clicks them.

## Import

*Knowledge graph → Import*, or `python -m core import FILE`: Turtle, N-Triples, KGX (ZIP), SSSOM
(TSV), a bundle (ZIP) or a draft. All statements come as proposed, and a run keeps the name and the
digest of the file. With `--decisions` a project's own bundle brings its decisions back, into the
same knowledge base or into an empty project.

## What it costs

`python benchmarks/gate.py`, 39,000 approved statements, 22 November 2026, on two cores that others
were using: the gate takes 7.9 s of the processor the first time, 0.8 s in a new process, and 0.1 s
after one decision; pySHACL with the gate's shapes takes 52 s for as many. `benchmarks/export.py`
writes every format beside rdflib's serializer: 31,250 statements with their provenance, 999,156
triples of Turtle, take 6.9 s of the processor and at most 164 MB. `benchmarks/export_server.py`
exports in a running desk: after all 16 formats of 39,000 statements the server held 347 MB, 360 at
the most, because a process of its own writes them. In one process that wrote all formats the most
was 413 MB, while OWL was made in Turtle: OWL, and the rows of SSSOM, phenotype.hpoa and GPAD, are
held in memory; the others stream.

## Prefixes

[Prefixes and their addresses](prefixes.md) lists where ours differ from prefixmaps, and why.

## Read by others' tools

Each file is read in the tests (`tests/core/kb/formats/test_foreign_readers.py`) by a tool that is
not ours, which must find everything in it: rdflib and Oxigraph (Turtle, N-Triples, JSON-LD,
nanopublications), owlready2 and horned-owl (OWL), pandas (the tables), sssom-py with its own
validation (SSSOM), networkx (GraphML), ndex2 (CX2) and ro-crate-py (bundles). The `nanopub` package
checks names and signatures, KGX is held to the Biolink model's own YAML, and Neo4j's tables to the
rules of its import. For phenotype.hpoa and GPAD no reader installs: their rows are held to the
pages that specify them. Cytoscape, Neo4j and Protégé themselves are not run."""


def exports() -> str:
    """Each export format with its file, its columns and what its module says of it."""
    from core.kb.formats.registry import FORMATS

    parts = [EXPORTS.strip()]
    for form in FORMATS:
        module = home(form)
        columns = [
            f"Columns of {name.lower()}: " + ", ".join(f"`{column}`" for column in value)
            for name in ("NODES", "EDGES", "COLUMNS")
            if isinstance(value := vars(module).get(name), tuple)
        ]
        draft = " It may hold a draft." if form.drafts else ""
        head = f"`--format {form.name}`, a file `{form.suffix}` of type `{form.mime}`.{draft}"
        parts += [f"## {form.title}", head, str(module.__doc__).strip(), *columns]
    return "\n\n".join(parts) + "\n"


def home(form: object) -> ModuleType:
    """The module of a format: the one file that is beside the registry."""
    for name in sorted(path.stem for path in (ROOT / "core/kb/formats").glob("[a-z]*.py")):
        module = importlib.import_module(f"core.kb.formats.{name}")
        if name != "registry" and any(value is form for value in vars(module).values()):
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
