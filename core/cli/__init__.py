"""`python -m core [--project DIR] VERB …`: the desk from the command line
(docs/architecture.md).
"""

from __future__ import annotations

import argparse
import importlib
import io
import sys
from argparse import Namespace
from collections.abc import Collection, Sequence
from pathlib import Path

from core import COMMAND, __version__
from core.app_secrets import app_secrets
from core.cli.output import print_note
from core.cli.verb import Verb
from core.desk import Desk, open_desk
from core.errors import GroundworkError, SettingsError, file_trouble
from core.optional_part import optional_module
from core.plugins import Registry
from core.settings import CODE, Settings, load_settings

MODULES = (  # in the order in which --help lists their verbs
    "extraction",
    "batch",
    "schema_building",
    "documents",
    "vocabulary",
    "grounding",
    "memory",
    "own_rules",
    "gene_questions",
    "namespace",
    "literature",
    "literature_answers",
    "recommendation",
    "paper_table",
    "triage",
    "statement_list",
    "decision",
    "marking",
    "conflict",
    "support",
    "knowledge_base",
    "release",
    "asking",
    "graph",
    "reasoning",
    "evaluation",
    "models",
    "learning",
    "projects",
    "people",
    "monitoring",
    "operation",
)


OWN = tuple(
    verb
    for name in MODULES
    if (module := optional_module(f"{__name__}.{name}"))  # not of a part that is left out
    for verb in module.VERBS
)
VERBS = Registry("groundwork.verbs", Verb, OWN)  # with those of other packages (docs/plug-ins.md)


def verbs(arguments: Sequence[str] = ()) -> Collection[Verb]:
    """Every verb in the order of `--help`. Other packages are not imported for arguments that name
    one of ours.
    """
    return OWN if any(verb.name in arguments for verb in OWN) else VERBS.values()


def parser(arguments: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """The parser of all verbs; with arguments, only the verb that they name has its own, because
    what a verb offers may take long to import.
    """
    argument_parser = argparse.ArgumentParser(
        prog=COMMAND,
        description="Groundwork: a curation desk for biomedical knowledge bases.",
    )
    argument_parser.add_argument(
        "--project", type=Path, help="the project folder (default: the app's)"
    )
    argument_parser.add_argument("--version", action="version", version=f"Groundwork {__version__}")
    commands = argument_parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb in verbs(arguments or ()):
        command = commands.add_parser(verb.name, help=verb.help, description=verb.help)
        if arguments is None or verb.name in arguments:
            verb.add_arguments(command)
            _describe_actions(command)
        command.set_defaults(run=verb.run)
    return argument_parser


def _describe_actions(verb: argparse.ArgumentParser) -> None:
    """`documents add --help` begins with the line that `documents --help` has for it."""
    for part in verb._actions:
        if isinstance(part, argparse._SubParsersAction):
            for listed in part._choices_actions:
                part.choices[listed.dest].description = listed.help


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
            print_note(f"preparing the vocabulary {name} (only once) …")


def _run(desk: Desk, args: argparse.Namespace) -> int:
    """Ctrl-C stops the jobs of this process, so that no worker takes them for lost."""
    try:
        return int(args.run(desk, args))
    except KeyboardInterrupt:
        desk.close()
        raise


def _project_first(arguments: Sequence[str]) -> list[str]:
    """`search … --project P` is `--project P search …`: it may also stand after the verb."""
    words = list(arguments)
    options = words[: words.index("--")] if "--" in words else words
    for place, word in enumerate(options):
        length = 2 if word == "--project" else 1
        if word.split("=")[0] == "--project" and place + length <= len(options):
            return words[place : place + length] + words[:place] + words[place + length :]
    return words


def _settings(args: Namespace) -> Settings:
    """For `doctor`, which says what is wrong with it, also without the project's file."""
    try:
        return load_settings(args.project, app_secrets())
    except SettingsError:
        if args.verb != "doctor":
            raise
        return load_settings(args.project, app_secrets(), file=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 refused or failed with a message on standard error, 2 wrong usage."""
    arguments = _project_first(sys.argv[1:] if arguments is None else arguments)
    _write_utf8()
    args = parser(arguments).parse_args(arguments)
    try:
        settings = _settings(args)
        importlib.import_module("core.services.shared.log").start_log(settings)
        desk = open_desk(settings, watch=PreparationNotice())
        return _run(desk, args)
    except GroundworkError as error:
        print_note(f"{error}")
        return 1
    except ModuleNotFoundError as error:
        if str(error.name).startswith("core"):
            raise
        hint = f"pip install -r {CODE / 'requirements.txt'}"
        print_note(f"the package {error.name} is missing: {hint}")
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:
        print_note(f"{file_trouble(error)}")
        return 1
    except KeyboardInterrupt:
        print_note("stopped")
        return 1
