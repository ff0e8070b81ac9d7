"""`vocabularies same`: which ids are one thing; statements name each thing once."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING

from core.cli.decision import curator
from core.cli.output import print_line
from core.desk import Desk
from core.errors import NotFound
from core.model import Json
from core.text.count import counted

if TYPE_CHECKING:
    from core.services.vocabularies.same_things import SameThing

_VERDICTS = {"add": "same", "remove": "different", "withdraw": "withdrawn"}


def add_arguments(parser: ArgumentParser) -> None:
    steps = parser.add_subparsers(
        dest="step", metavar="list|add|remove|withdraw|in-use|preferred|resolve", required=True
    )
    listing = steps.add_parser(
        "list", help="what is known of an id; without one, the sets and what curators said"
    )
    listing.add_argument("id", nargs="?", default="", help="such as MESH:D003924")
    for name, words in (
        ("add", "say that two ids are one thing"),
        ("remove", "say that two ids are not one thing, whatever a mapping set says"),
        ("withdraw", "take back what was said of two ids"),
    ):
        judging = steps.add_parser(name, help=words)
        judging.add_argument("one", help="an id")
        judging.add_argument("other", help="the other id")
        judging.add_argument("--note", default="", help="why")
        judging.add_argument("--curator", default="", help="your ORCID iD")
    steps.add_parser("in-use", help="list the things that statements name by more than one id")
    steps.add_parser(
        "preferred",
        help="list the ids of imported, marked and answered statements for which this project"
        " prefers another",
    )
    resolving = steps.add_parser(
        "resolve",
        help="let every statement name the preferred id: one decision, which keeps approvals and"
        " can be undone",
    )
    resolving.add_argument(
        "ids",
        nargs="*",
        help="only the things with these ids, also of those that `preferred` lists (default: all"
        " that `in-use` lists)",
    )
    resolving.add_argument("--curator", default="", help="your ORCID iD")


def run(desk: Desk, args: Namespace) -> int:
    from core.services.vocabularies import same_things
    from core.store import SameVerdict

    match args.step:
        case "list" if args.id:
            _known(desk, args.id)
        case "list":
            for mapping_set in same_things.mapping_sets(desk):
                print_line({"set": mapping_set.name} | asdict(mapping_set))
            for count in same_things.reference_counts(desk):
                cut = {"capped": True} if count.capped else {}
                counts = {"ties": count.ties, "unused": count.unused}
                print_line({"vocabulary": count.name} | counts | cut)
            for judgement in same_things.judgements(desk):
                print_line({"curated": True} | asdict(judgement))
        case "in-use":
            for thing in same_things.same_things(desk):
                print_line(_thing(thing))
        case "preferred":
            for thing in same_things.not_preferred(desk):
                print_line(_thing(thing))
        case "resolve":
            _resolve(desk, args)
        case step:
            verdict = SameVerdict(_VERDICTS[step])
            judged = same_things.judge_pair(
                desk, args.one, args.other, verdict=verdict, curator=curator(args), note=args.note
            )
            print_line(asdict(judged))
            if verdict is SameVerdict.SAME:
                for remark in same_things.pair_remarks(desk, args.one, args.other):
                    print(f"groundwork: {remark}", file=sys.stderr)
    return 0


def _known(desk: Desk, id: str) -> None:
    """A line for each id of the thing, the preferred one first."""
    from core.services.vocabularies import same_things

    known = same_things.known_equivalents(desk, id)
    for place, term in enumerate(known.terms):
        rows = [row for row in known.rows if term.id in (row.subject, row.object)]
        said = [j for j in known.judgements if term.id in (j.first, j.second)]
        print_line(
            {
                "id": term.id,
                "label": term.label,
                "preferred": place == 0,
                "mappings": [asdict(row) for row in rows],
                "curated": [asdict(judgement) for judgement in said],
            }
        )


def _thing(thing: SameThing) -> Json:
    return {
        "preferred": {"id": thing.preferred.id, "label": thing.preferred.label},
        "others": [{"id": term.id, "label": term.label} for term in thing.others],
        "statements": list(thing.statements),
    }


def _resolve(desk: Desk, args: Namespace) -> None:
    from core.services.review.consequences import resolve_same
    from core.services.vocabularies import same_things

    things = same_things.same_things(desk)
    if args.ids:
        things += same_things.not_preferred(desk)
        things = [thing for thing in things if set(args.ids) & set(thing.ids)]
        if not things:
            raise NotFound(
                f"No statements name the thing of {args.ids[0]} by an id that is not preferred.",
                "`vocabularies same in-use` and `vocabularies same preferred` list those that do.",
            )
    done = resolve_same(desk, curator(args), things)
    for problem in done.problems:
        print(f"{problem.where}: {problem.message}", file=sys.stderr)
    print_line({"batch": done.batch, "statements": list(done.done)})
    print(
        f"{counted(len(done.done), 'statement')} now name the preferred id; `decide --undo"
        f" {done.batch}` takes it back.",
        file=sys.stderr,
    )
