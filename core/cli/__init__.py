"""`python -m core [--project DIR] VERB …`: the desk from the command line
(docs/architecture.md).
"""

from __future__ import annotations

import argparse
import importlib
import io
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from core import __version__
from core.app_secrets import app_secrets
from core.cli.summary import SUMMARIES
from core.cli.verb import Verb
from core.desk import Desk, open_desk
from core.errors import GroundworkError, SettingsError, file_trouble
from core.plugins import Registry
from core.settings import Settings, load_settings

MODULES = {
    "extraction": ("schemas", "prompt", "parse", "extract", "compare", "batch"),
    "schema_building": ("schema",),
    "documents": ("read", "documents"),
    "vocabulary": ("vocabularies",),
    "grounding": ("ground", "annotate"),
    "memory": ("memory",),
    "gene_questions": ("ask",),
    "namespace": ("namespace",),
    "literature": ("search",),
    "literature_answers": ("answer", "evidence"),
    "recommendation": ("recommend", "vectors"),
    "paper_table": ("table",),
    "triage": ("triage",),
    "statement_list": ("statements",),
    "decision": ("decide",),
    "marking": ("propose",),
    "conflict": ("conflicts",),
    "knowledge_base": ("check", "export", "import"),
    "release": ("release",),
    "asking": ("query",),
    "graph": ("graph",),
    "reasoning": ("define", "classify"),
    "evaluation": ("evaluate",),
    "models": ("models",),
    "learning": ("learn", "quality"),
    "projects": ("projects",),
    "people": ("people",),
    "monitoring": ("metrics",),
    "operation": ("backup", "restore", "move", "doctor", "jobs", "worker"),
}
ADDED_VERBS = Registry(  # by other packages (docs/plug-ins.md)
    "groundwork.verbs", Verb, (), taken=[verb for own in MODULES.values() for verb in own]
)


def verbs(arguments: Sequence[str] | None = None) -> Iterator[Verb]:
    """The verbs of the module that is asked for, or all of them; where the arguments name none, as
    for `--help`, only what each is for.
    """
    module_named = next(
        (name for word in arguments or () for name, own in MODULES.items() if word in own), None
    )
    for module, own in MODULES.items():
        all_summarised = set(own) <= SUMMARIES.keys()
        if (
            arguments is None
            or module == module_named
            or (module_named is None and not all_summarised)
        ):
            yield from importlib.import_module(f"core.cli.{module}").VERBS
        elif module_named is None:
            yield from (Verb(name, SUMMARIES[name], _no_arguments, _not_to_run) for name in own)
    if module_named is None:
        yield from ADDED_VERBS.values()


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    """A verb in a list of verbs is not parsed."""


def _not_to_run(desk: Desk, args: argparse.Namespace) -> int:
    raise AssertionError("a verb that is run is imported first")


def parser(arguments: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """The parser of all verbs, or of those that these arguments need."""
    argument_parser = argparse.ArgumentParser(
        prog="python -m core",
        description="Groundwork: a curation desk for biomedical knowledge bases.",
    )
    argument_parser.add_argument(
        "--project", type=Path, help="the project folder (default: the app's)"
    )
    argument_parser.add_argument("--version", action="version", version=f"Groundwork {__version__}")
    commands = argument_parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb in verbs(arguments):
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
            print(f"groundwork: preparing the vocabulary {name} (only once) …", file=sys.stderr)


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
        importlib.import_module("core.services.settings.log").start_log(settings)
        desk = open_desk(settings, watch=PreparationNotice())
        return _run(desk, args)
    except GroundworkError as error:
        print(f"groundwork: {error}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        if str(error.name).startswith("core"):
            raise
        hint = "pip install -r requirements.txt"
        print(f"groundwork: the package {error.name} is missing: {hint}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:
        print(f"groundwork: {file_trouble(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("groundwork: stopped", file=sys.stderr)
        return 1
