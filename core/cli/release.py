"""The verb on releases: what was published, with what licence, and what changed."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.output import print_line, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.model import Curator
from core.text.count import counted

if TYPE_CHECKING:
    from core.kb.release.release import ReleaseForm


def release_arguments(parser: ArgumentParser) -> None:
    steps = parser.add_subparsers(dest="step", metavar="STEP", required=True)

    def step(name: str, help: str) -> ArgumentParser:
        return steps.add_parser(name, help=help, description=help)

    make = step("make", "freeze what passes the gate as a release")
    make.add_argument("--number", help="three numbers, such as 1.2.0 (default: the next)")
    make.add_argument("--title", help="default: that of the last release, or the project's name")
    make.add_argument("--licence", help="an SPDX name such as CC-BY-4.0, or a web address")
    make.add_argument(
        "--creator",
        action="append",
        metavar="ORCID[=NAME]",
        help="may be given several times (default: whose approvals stand)",
    )
    make.add_argument("--summary", help="what the knowledge base is about, for those who find it")
    make.add_argument("--remarks", default="", help="words of your own for the notes")
    make.add_argument(
        "--rejections",
        action=BooleanOptionalAction,
        help="publish in the bundle what was rejected or replaced, and in the notes by whom and"
        " with what note (default: as in the last release, else no)",
    )
    make.add_argument(
        "--base-iri",
        default="",
        metavar="IRI",
        help="before the first release: what every address of yours begins with, such as"
        " https://w3id.org/my-project/",
    )
    make.add_argument(
        "--placeholder-iri",
        action="store_true",
        help="release with the placeholder groundwork.example, whose addresses lead nowhere",
    )
    make.add_argument("--curator", default="", help="your ORCID iD")
    make.add_argument(
        "--dry-run", action="store_true", help="preview the release without making it"
    )
    make.set_defaults(work=make_)
    listing = step("list", "list every release, the newest first, as JSON lines")
    listing.set_defaults(work=list_)
    show = step("show", "show a release: its description as JSON, or its notes")
    show.add_argument("number", nargs="?", default="", help="default: the newest")
    show.add_argument("--notes", action="store_true", help="the notes as Markdown")
    show.set_defaults(work=show_)
    compare = step(
        "compare", "list what changed, as JSON lines: one for each statement or retracted paper"
    )
    compare.add_argument("before", help="the number of a release")
    compare.add_argument("after", help="the number of another, usually the later one")
    compare.set_defaults(work=compare_)
    site = step("site", "write a release as a static web site")
    site.add_argument("number", nargs="?", default="", help="default: the newest")
    site.add_argument("--output", type=Path, required=True, help="a new folder")
    site.set_defaults(work=site_)


def release(desk: Desk, args: Namespace) -> int:
    return int(args.work(desk, args))


def make_(desk: Desk, args: Namespace) -> int:
    from core.codec import to_json
    from core.services.graph import gate_memory
    from core.services.releases import base_iri, making

    gate_memory.check_ahead(desk)
    preview = making.preview_release(desk)
    form = _form(preview.form, args)
    changes = preview.changes
    print_note(
        f"{counted(preview.statements, 'statement')}:"
        f" {len(changes.added):,} added, {len(changes.withdrawn):,} withdrawn,"
        f" {len(changes.changed):,} changed"
        f" {f'since {preview.previous}' if preview.previous else '(the first release)'};"
        f" {preview.held_back:,} held back"
    )
    for paper in preview.retracted:
        print_note(
            f"{counted(len(paper.statements), 'statement rests', 'statements rest')}"
            f" on {paper.document}, {paper.notice}"
        )
    for thing in preview.same:
        print_note(f"{thing.preferred.label} is named by {' and '.join(thing.ids)}")
    if preview.same:
        print_note("`vocabularies same resolve` lets every statement name the preferred id")
    if preview.turned_down:
        published = "published, with names and notes" if form.with_rejections else "left out"
        print_note(f"{counted(preview.turned_down, 'statement')} rejected or replaced: {published}")
    base = base_iri.checked_base(form.base_iri) if form.base_iri else preview.base_iri
    if base_iri.is_placeholder(base):
        print_note(
            f"its addresses begin with {base}, which leads nowhere: give --base-iri, such as"
            f" {base_iri.suggested_base(desk)}, or say --placeholder-iri"
        )
    if args.dry_run:
        print_line(to_json(form))
        return 0
    print_line(to_json(making.make_release(desk, form, args.curator)))
    return 0


def _form(proposed: ReleaseForm, args: Namespace) -> ReleaseForm:
    """The proposed form, with what was given in its place."""
    from core.kb.release.release import ReleaseForm

    people = [
        Curator(*(part.strip() for part in creator.split("=", 1))) for creator in args.creator or ()
    ]
    return ReleaseForm(
        number=args.number or proposed.number,
        title=args.title or proposed.title,
        licence=args.licence or proposed.licence,
        creators=tuple(people) or proposed.creators,
        summary=proposed.summary if args.summary is None else args.summary,
        remarks=args.remarks,
        with_rejections=proposed.with_rejections if args.rejections is None else args.rejections,
        base_iri=args.base_iri,
        placeholder_iri=args.placeholder_iri or proposed.placeholder_iri,
    )


def list_(desk: Desk, args: Namespace) -> int:
    from core.services.releases import catalogue

    for release_description in catalogue.list_releases(desk):
        print_line(
            {
                "number": release_description.number,
                "date": release_description.date,
                "iri": release_description.iri,
                "licence": release_description.licence_name,
                "statements": release_description.counts.get("statements", 0),
                "added": release_description.added,
                "withdrawn": len(release_description.withdrawn),
                "changed": len(release_description.changed),
                "digest": release_description.digest,
            }
        )
    return 0


def show_(desk: Desk, args: Namespace) -> int:
    from core.codec import to_json
    from core.services.releases import catalogue

    release = catalogue.described_release(desk, args.number)
    if args.notes:
        sys.stdout.write(catalogue.notes_of(desk, release.number))
    else:
        print_line({"iri": release.iri, "citation": release.citation} | to_json(release))
    return 0


def compare_(desk: Desk, args: Namespace) -> int:
    from core.services.releases import catalogue

    difference = catalogue.compare_releases(desk, args.before, args.after)
    print_note(f"from release {difference.before} to release {difference.after}")
    for change, statements in (
        ("added", difference.added),
        ("withdrawn", difference.withdrawn),
        ("changed", difference.changed),
        ("retracted", difference.retracted),
    ):
        for statement in statements:
            print_line(
                {
                    "change": change,
                    "id": statement.id,
                    "words": statement.words,
                    "why": statement.why,
                }
            )
    return 0


def site_(desk: Desk, args: Namespace) -> int:
    from core.services.releases import catalogue, web_site

    number = catalogue.described_release(desk, args.number).number
    count = web_site.to_folder(desk, number, args.output)
    print_note(f"{counted(count, 'file')} in {args.output}")
    return 0


VERBS = (
    Verb("release", "publish the knowledge base in numbered releases", release_arguments, release),
)
