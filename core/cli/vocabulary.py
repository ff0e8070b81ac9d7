"""The verb on vocabularies: list, install, add, remove, update, ask a remote service."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from core.cli import vocabulary_same
from core.cli.decision import curator
from core.cli.output import print_line
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError, Refused
from core.model import Category, JobState, Problem
from core.text.count import counted

if TYPE_CHECKING:
    from core.grounding.readers import columns
    from core.services.vocabularies import vocabularies
    from core.services.vocabularies.release_download import Tell


def _vocabularies_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(
        dest="action",
        metavar="list|install|add|contains|order|same|remove|update|consequences|refresh-labels"
        "|look-up",
        required=True,
    )
    actions.add_parser(
        "list",
        help="list name, version, terms, names, ids, source and licence of each, tab-separated",
    )
    installing = actions.add_parser(
        "install", help="download and install the current release of a vocabulary"
    )
    installing.add_argument("name", help="such as mesh or hp; the page Vocabularies lists all")
    installing.add_argument("--full", action="store_true", help=SUPPRESS)
    _add_arguments(actions.add_parser("add", help="add a file of your own"))
    contains = actions.add_parser(
        "contains",
        help="say what kind of thing a vocabulary of your own contains, and which schemas use it",
    )
    contains.add_argument("name", help="as listed")
    contains.add_argument(
        "kinds", nargs="*", type=Category, metavar="KIND",
        help=f"{', '.join(Category)}; none: only say which schemas use it",
    )  # fmt: skip
    order = actions.add_parser(
        "order", help="say which vocabularies name a kind of thing first, or print the order"
    )
    order.add_argument("kind", type=Category, metavar="KIND", help=", ".join(Category))
    order.add_argument("names", nargs="*", help="as listed, the preferred one first; none: print")
    order.add_argument("--default", action="store_true", help="take back what the project said")
    vocabulary_same.add_arguments(
        actions.add_parser(
            "same", help="which ids are one thing: list, add, remove, or name each thing once"
        )
    )
    _look_up_arguments(
        actions.add_parser(
            "look-up", help="ask a remote service, or the project's mappings, for words or an id"
        )
    )
    actions.add_parser("remove", help="remove a vocabulary from the project").add_argument(
        "name", help="as listed"
    )
    actions.add_parser(
        "update", help="download installed vocabularies again and say what changed"
    ).add_argument(
        "name", nargs="?", default="", help="as listed (default: all that were installed by name)"
    )
    _consequences_arguments(
        actions.add_parser(
            "consequences",
            help="list approved statements affected by the last update of a vocabulary",
        )
    )
    actions.add_parser(
        "refresh-labels", help="use the new labels of renamed terms in the statements, with a note"
    ).add_argument("name", help="the updated vocabulary, as listed")


def _add_arguments(parser: ArgumentParser) -> None:
    from core.grounding.readers import columns

    parser.add_argument(
        "file", type=Path, help="OBO, OWL, MeSH, a table …: recognised by its content"
    )
    parser.add_argument(
        "--column", action="append", default=[], metavar="ROLE=NAME",
        help=f"which column of a table contains what; roles: {', '.join(columns.ROLES)}",
    )  # fmt: skip
    parser.add_argument("--prefix", default="", help="the prefix for ids in a table that have none")
    parser.add_argument(
        "--separator", default="|", help="what separates several values in one cell (default: |)"
    )
    parser.add_argument(
        "--replace",
        action="store_true",
        help="use the file instead of the vocabulary of its name or prefix, and not beside it",
    )
    parser.add_argument(
        "--language", action="append", default=[], metavar="CODE",
        help="keep names in this language beside the English ones, such as de; all: every language",
    )  # fmt: skip
    parser.add_argument(
        "--iri", action="append", default=[], metavar="PREFIX=IRI",
        help="the IRI that a prefix of its ids stands for, if no file says it",
    )  # fmt: skip
    parser.add_argument(
        "--holds", type=Category, action="append", default=[], metavar="KIND",
        help=f"what kind of thing a file without hierarchy holds: {', '.join(Category)}",
    )  # fmt: skip


def _look_up_arguments(parser: ArgumentParser) -> None:
    from core.grounding.remote.registry import SERVICES
    from core.services.vocabularies import mappings

    parser.add_argument(
        "service",
        choices=sorted({*SERVICES, mappings.NAME}),
        help="a remote service; mappings: those imported into this project",
    )
    parser.add_argument("words", help="words, or an id")
    parser.add_argument("--in", dest="within", default="", help="only in this vocabulary")


def _consequences_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", help="the updated vocabulary, as listed")
    parser.add_argument(
        "--replace",
        action="store_true",
        help="replace obsolete terms that have one successor in these statements: one decision,"
        " which keeps the approvals",
    )
    parser.add_argument("--curator", default="", help="with --replace: your ORCID iD")


def run(desk: Desk, args: Namespace) -> int:
    from core.services.review import consequences
    from core.services.vocabularies import own_files, schema_use, vocabularies

    match args.action:
        case "list":
            print("name\tversion\tterms\tnames\tprefixes\tsource\tstate\tadvice\tlicence")
            for vocabulary in vocabularies.vocabulary_entries(desk):
                _show(vocabulary)
        case "install":
            _install(desk, args.name)
        case "add":
            _add(desk, args)
        case "contains":
            name = vocabularies.vocabulary_entry(desk, args.name).name
            if args.kinds:
                own_files.say_kinds(desk, name, args.kinds)
            _report(schema_use.use_words(desk, name))
        case "order":
            _order(desk, args)
        case "same":
            vocabulary_same.run(desk, args)
        case "look-up":
            _look_up(desk, args)
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


def _order(desk: Desk, args: Namespace) -> None:
    """Keep or print the order of vocabularies of a kind of thing, a name a line."""
    from core.services.vocabularies import own_files

    if args.names or args.default:
        own_files.say_order(desk, args.kind, args.names)
    print("\n".join(desk.vocabulary_registry.ordered(args.kind)))


def _add(desk: Desk, args: Namespace) -> None:
    from core.services.vocabularies import (
        changes,
        installation,
        own_files,
        prefix_context,
        schema_use,
    )

    iris = [word.partition("=")[::2] for word in args.iri]
    for prefix, iri in iris:
        prefix_context.checked_prefix(prefix, iri)  # before anything is added
    vocabulary = installation.add_vocabulary(
        desk,
        args.file,
        _mapping(args),
        telling(),
        languages=args.language,
        replaces=args.replace,
    )
    for prefix, iri in iris:
        prefix_context.say_prefix(desk, prefix, iri)
    if args.holds:
        own_files.say_kinds(desk, vocabulary.name, args.holds)
    _added(vocabulary)
    if words := own_files.addition_words(desk, vocabulary.name):
        _report(words)
    if words := prefix_context.question_words(
        prefix_context.unknown_prefixes(desk, vocabulary.name)
    ):
        _report(f"{words} Give it with --iri PREFIX=IRI.")
    if changed := changes.last_changes(desk, vocabulary.name):
        _changed(desk, vocabulary.name, changed.counts)
    if not vocabulary.hierarchy and not desk.vocabulary_registry.holds(vocabulary.name):
        _report(
            f"{vocabulary.name} has no hierarchy: say what kinds of thing it contains "
            "with --holds, so that kinds can be checked."
        )
    _report(schema_use.use_words(desk, vocabulary.name))


def _look_up(desk: Desk, args: Namespace) -> None:
    from core.grounding.remote.registry import SERVICES
    from core.services.vocabularies import remote

    candidates = remote.search_service(desk, args.service, args.words, vocabulary=args.within)
    if not candidates:
        source = SERVICES[args.service].title if args.service in SERVICES else "The mappings"
        _report(f"{source}: nothing for “{args.words}”.")
    for candidate in candidates:
        term, score = candidate.term, f"{candidate.score:.3f}"
        cells = (term.id, term.label, candidate.vocabulary, score)
        print("\t".join(tab_cell(cell) for cell in cells))


def _consequences(desk: Desk, args: Namespace) -> None:
    """What an update changed, in a sentence to stderr; the statements that it touches as JSON lines
    {statement, kind, id, before, after, replaced_by, consider}.
    """
    from core.services.review import consequences
    from core.services.vocabularies import changes, vocabularies

    name = vocabularies.vocabulary_entry(desk, args.name).name
    changed = changes.last_changes(desk, name)
    if changed is None:
        _report(f"{name} has not been updated in this project.")
        return
    counts = ", ".join(f"{number} {kind}" for kind, number in changed.counts.items())
    _report(f"{name}: {counts}")
    for touched in changes.touched_statements(desk, changed):
        row = {"statement": touched.statement, "kind": touched.kind, **asdict(touched.change)}
        print_line(row)
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
    from core.services.vocabularies import installation, vocabularies

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
    from core.services.vocabularies import origins, vocabularies

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
    from core.services.vocabularies import changes

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
    from core.grounding.readers import columns

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
    if vocabulary.ledger:
        _report(f"{vocabulary.name}: {vocabulary.ledger}")


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


VERBS = (
    Verb(
        "vocabularies",
        "list, install, add, remove and update vocabularies",
        _vocabularies_arguments,
        run,
    ),
)
