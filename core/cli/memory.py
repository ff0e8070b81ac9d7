"""The verb memory: what the project has learned about names, listed, searched, corrected, moved."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path
from sys import stderr

from core.cli.file_input import stored_text
from core.cli.output import print_line
from core.cli.verb import Verb
from core.desk import Desk
from core.text.count import counted


def _arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(
        dest="action", metavar="list|means|never|remove|requests|export|import", required=True
    )
    listing = actions.add_parser("list", help="list what is remembered, as JSON lines")
    listing.add_argument("search", nargs="?", default="", help="only what contains these words")
    meaning = actions.add_parser("means", help="remember that these words mean this term")
    meaning.add_argument("words", help="the words as they stand in texts")
    meaning.add_argument("id", help="the term's CURIE")
    never = actions.add_parser("never", help="never link these words, or never to one id")
    never.add_argument("words", help="the words as they stand in texts")
    never.add_argument("id", nargs="?", default="", help="a term they never mean (its CURIE)")
    for parser_of_rule in (meaning, never):
        parser_of_rule.add_argument(
            "--scope", default="", help="only as this kind of thing (disease, gene …)"
        )
        parser_of_rule.add_argument("--reason", default="", help="why; shown in the list")
        parser_of_rule.add_argument("--curator", required=True, help="your ORCID iD")
    removing = actions.add_parser("remove", help="forget one entry")
    removing.add_argument("key", help="the entry's key, as `memory list` prints it")
    removing.add_argument("--curator", required=True, help="your ORCID iD")
    requests = actions.add_parser(
        "requests", help="list the words for which curators found no fitting term, as JSON lines"
    )
    requests.add_argument("search", nargs="?", default="", help="only what contains these words")
    requests.add_argument("--tsv", action="store_true", help="as a table instead")
    actions.add_parser(
        "export", help="write everything as SSSOM; rows with Not say what words do not mean"
    )
    importing = actions.add_parser(
        "import", help="read an SSSOM file: names of terms, and mappings between ids"
    )
    importing.add_argument("file", type=Path, help="an SSSOM table (.tsv)")
    importing.add_argument("--curator", required=True, help="your ORCID iD")


def _run(desk: Desk, args: Namespace) -> int:
    from core.services.people.orcid import checked_curator
    from core.services.vocabularies import memory

    who = checked_curator(args.curator, "").orcid if "curator" in args else ""
    match args.action:
        case "list":
            for name in memory.remembered_names(desk, args.search):
                print_line(asdict(name))
        case "means":
            memory.remember_meaning(
                desk, args.words, args.id, who, scope=args.scope, reason=args.reason
            )
            print(f"Saved: “{args.words}” means {args.id}.", file=stderr)
        case "never":
            memory.remember_refusal(
                desk, args.words, who, id=args.id, reason=args.reason, scope=args.scope
            )
            print(f"Saved: “{args.words}” is never {args.id or 'linked'}.", file=stderr)
        case "remove":
            memory.forget_name(desk, args.key, who)
            print("Forgotten.", file=stderr)
        case "requests":
            requests = memory.term_requests(desk, args.search)
            if args.tsv:
                print(memory.requests_table(requests), end="")
            for request in () if args.tsv else requests:
                print_line(asdict(request))
        case "export":
            print(memory.to_sssom(desk), end="")
        case "import":
            return _import(desk, args.file, who)
    return 0


def _import(desk: Desk, file: Path, who: str) -> int:
    from core.services.vocabularies import memory

    taken_count, problems = memory.from_sssom(desk, stored_text(file), who)
    print(f"{counted(taken_count, 'row')} taken", file=stderr)
    for problem in problems:
        print(f"{problem.where}: {problem.message}", file=stderr)
    return 1 if problems and not taken_count else 0


VERBS = (
    Verb(
        "memory",
        "list, teach and exchange what the project has learned about names",
        _arguments,
        _run,
    ),
)
