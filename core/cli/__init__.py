"""`python -m core [--project DIR] VERB …`: the desk from the command line
(docs/architecture.md).
"""

from __future__ import annotations

import argparse
import importlib
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.cli.verb import Verb
from core.desk import open_desk
from core.errors import GroundworkError
from core.settings import load

MODULES = {
    "extraction": ("schemas", "prompt", "parse", "extract", "batch"),
    "documents": ("read",),
    "vocabulary": ("vocabularies", "ground", "annotate"),
    "memory": ("memory",),
    "gene_questions": ("ask",),
    "literature": ("namespace", "search"),
    "literature_answers": ("answer", "recommend", "triage", "evidence"),
    "review": ("statements", "decide", "propose"),
    "knowledge_base": ("export", "import"),
    "evaluation": ("evaluate",),
    "operation": ("backup", "restore", "move", "doctor", "worker"),
}


def verbs(arguments: Sequence[str]) -> Iterator[Verb]:
    """The verbs of the module that is asked for; all of them where none is, as for `--help`."""
    asked = next((name for word in arguments for name, own in MODULES.items() if word in own), None)
    for module in [asked] if asked else MODULES:
        yield from importlib.import_module(f"core.cli.{module}").VERBS


def parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(
        prog="python -m core",
        description="Groundwork: a curation desk for biomedical knowledge bases.",
    )
    found.add_argument("--project", type=Path, help="the project folder (default: the app's)")
    commands = found.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb in verbs(arguments):
        command = commands.add_parser(verb.name, help=verb.help, description=verb.help)
        verb.add_arguments(command)
        command.set_defaults(run=verb.run)
    return found


def _write_utf8() -> None:
    """Output is UTF-8 whatever the locale, or a redirected Windows console, says."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


class PreparationNotice:
    """Says on standard error, once a vocabulary, that it is being compiled for the first time."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def __call__(self, name: str, share: float) -> None:
        if name not in self._said:
            self._said.add(name)
            print(f"groundwork: preparing the vocabulary {name}, once …", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 refused or failed with a message on standard error, 2 wrong usage."""
    arguments = sys.argv[1:] if arguments is None else arguments
    _write_utf8()
    args = parser(arguments).parse_args(arguments)
    try:
        return int(args.run(open_desk(load(args.project), watch=PreparationNotice()), args))
    except GroundworkError as error:
        print(f"groundwork: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:
        print(
            f"groundwork: {error.filename or 'a file'}: {error.strerror or error}", file=sys.stderr
        )
        return 1
    except KeyboardInterrupt:
        print("groundwork: stopped", file=sys.stderr)
        return 1
