"""What the verb vocabularies does."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from dataclasses import asdict
from time import monotonic
from typing import Any

from core.cli.decision_run import curator
from core.desk import Desk
from core.errors import InputError, Refused
from core.grounding.readers import columns
from core.grounding.remote.registry import SERVICES
from core.model import JobState, Problem
from core.services.shared.screen import counted
from core.services.vocabularies import (
    changes,
    consequences,
    installation,
    origins,
    own_files,
    remote,
    schema_use,
    vocabularies,
)
from core.services.vocabularies.release_download import Tell


def run(desk: Desk, args: Namespace) -> int:
    match args.action:
        case "list":
            print("name\tversion\tterms\tnames\tprefixes\tsource\tstate\tadvice\tlicence")
            for vocabulary in vocabularies.vocabulary_entries(desk):
                _show(vocabulary)
        case "install":
            _install(desk, args.name)
        case "add":
            vocabulary = installation.add_vocabulary(desk, args.file, _mapping(args), telling())
            if args.holds:
                own_files.say_kinds(desk, vocabulary.name, args.holds)
            _added(vocabulary)
            if changed := changes.last_changes(desk, vocabulary.name):
                _changed(desk, vocabulary.name, changed.counts)
            if not vocabulary.hierarchy and not desk.vocabulary_registry.holds(vocabulary.name):
                _report(
                    f"{vocabulary.name} has no hierarchy: say what kinds of thing it contains "
                    "with --holds, so that kinds can be checked."
                )
            _report(schema_use.use_words(desk, vocabulary.name))
        case "contains":
            name = vocabularies.vocabulary_entry(desk, args.name).name
            if args.kinds:
                own_files.say_kinds(desk, name, args.kinds)
            _report(schema_use.use_words(desk, name))
        case "look-up":
            candidates = remote.search_service(desk, args.service, args.words, args.within)
            if not candidates:
                source = (
                    SERVICES[args.service].title if args.service in SERVICES else "The mappings"
                )
                _report(f"{source}: nothing for “{args.words}”.")
            for candidate in candidates:
                cells = (
                    candidate.term.id,
                    candidate.term.label,
                    candidate.vocabulary,
                    f"{candidate.score:.3f}",
                )
                print("\t".join(tab_cell(cell) for cell in cells))
        case "remove":
            if own_files.remove_vocabulary(desk, args.name):
                _report(
                    f"{args.name} was removed; the one that comes with the app is used instead."
                )
        case "update":
            _update(desk, args.name)
        case "consequences":
            _consequences(desk, args)
        case "refresh-labels":
            count = consequences.refresh_labels(desk, args.name)
            _report(f"The labels of {counted(count, 'statement')} were refreshed.")
    return 0


def _consequences(desk: Desk, args: Namespace) -> None:
    """What an update changed, in a sentence to stderr; the statements that it touches as JSON lines
    {statement, kind, id, before, after, replaced_by, consider}.
    """
    name = vocabularies.vocabulary_entry(desk, args.name).name
    changed = changes.last_changes(desk, name)
    if changed is None:
        _report(f"{name} has not been updated in this project.")
        return
    counts = ", ".join(f"{number} {kind}" for kind, number in changed.counts.items())
    _report(f"{name}: {counts}")
    for touched in changes.touched_statements(desk, changed):
        row = {"statement": touched.statement, "kind": touched.kind, **asdict(touched.change)}
        print(json.dumps(row, ensure_ascii=False))
    if args.replace:
        replacement = consequences.replace_terms(desk, name, curator(args))
        _report(f"{counted(len(replacement.done), 'statement')} got the new terms.")
        for problem in replacement.problems:
            _report(f"{problem.where}: {problem.message}")


def telling(seconds: float = 5.0) -> Tell:
    """Says on stderr how far a long compilation is, at most once in so many seconds."""
    last = monotonic()

    def tell(share: float, message: str) -> None:
        nonlocal last
        if monotonic() - last >= seconds:
            last = monotonic()
            _report(f"{message}: {share:.0%} …")

    return tell


def _install(desk: Desk, name: str) -> None:
    """Install as the pages do, as a job that can be resumed, and say on stderr how far it is."""
    job = installation.start_installing(desk, name)
    last_message = ""
    try:
        while job.state in (JobState.QUEUED, JobState.RUNNING):
            job = desk.runner.wait(job.id, 0.3)
            message = job.message.split(":")[0]
            if message and message != last_message:
                last_message = message
                _report(f"{message} …")
    except KeyboardInterrupt:
        desk.runner.stop(job.id)
        desk.runner.wait(job.id, 10)
        raise
    if job.state is not JobState.DONE:
        raise Refused(job.error or f"The installation of {name} was {job.state}.")
    _added(vocabularies.vocabulary_entry(desk, job.result["name"]))
    _changed(desk, name, job.result.get("changes") or {})


def _update(desk: Desk, name: str) -> None:
    can = origins.updatable_vocabularies(desk)
    if name and name not in can:
        vocabularies.vocabulary_entry(desk, name)
        raise Refused(
            f"{name} was not installed by name, so there is nothing to update it from.",
            f"`vocabularies install {name}`, or add a newer file.",
        )
    for vocabulary_name in [name] if name else can:
        _install(desk, vocabulary_name)
    if not can:
        _report("Nothing was installed by name; `vocabularies install NAME` does.")


def _changed(desk: Desk, name: str, counts: dict[str, int]) -> None:
    if not counts:
        return
    _report(
        f"{name}: " + ", ".join(f"{number} {change_kind}" for change_kind, number in counts.items())
    )
    if (changed := changes.last_changes(desk, name)) is not None:
        for touched in changes.touched_statements(desk, changed):
            _report(
                f"{touched.statement}: {touched.change.id} ({touched.change.before}) is"
                f" {touched.kind}"
            )


def _mapping(args: Namespace) -> columns.ColumnMapping | None:
    """The columns that were named; without any, the file is read as it is. Raises InputError."""
    if not args.column:
        return None
    columns_by_role = dict(word.partition("=")[::2] for word in args.column)
    if wrong := set(columns_by_role) - set(columns.ROLES):
        raise InputError(
            f"{sorted(wrong)[0]!r} is not a role of a column.",
            f"Roles: {', '.join(columns.ROLES)}.",
        )
    mapping_fields = {"id": "", "label": ""} | columns_by_role
    return columns.ColumnMapping(**mapping_fields, prefix=args.prefix, separator=args.separator)


def _show(vocabulary: vocabularies.Vocabulary) -> None:
    state = vocabulary.error or ("built in" if vocabulary.built_in else "project")
    prefixes = " ".join(prefix for prefix, _ in vocabulary.prefixes[:5])
    cells = (
        vocabulary.name,
        vocabulary.version,
        vocabulary.terms,
        vocabulary.names,
        prefixes,
        vocabulary.source,
        state,
        vocabulary.advice,
        vocabulary.licence,
    )
    print("\t".join(tab_cell(cell) for cell in cells))


def _added(vocabulary: vocabularies.Vocabulary) -> None:
    _show(vocabulary)
    _complain(vocabulary.problems, vocabulary.problem_count)


def tab_cell(value: Any) -> str:
    """A value in one cell of tab-separated output."""
    return str(value).replace("\t", " ").replace("\n", " ").replace("\r", " ")


def _report(message: str) -> None:
    print(message, file=sys.stderr)


def _complain(problems: tuple[Problem, ...], count: int) -> None:
    for problem in problems[:20]:
        _report(f"{problem.where}: {problem.message}".removeprefix(": "))
    if count > 20:
        _report(f"… and {count - 20} more.")
