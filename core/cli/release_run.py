"""What the verb release does."""

from __future__ import annotations

import sys
from argparse import Namespace

from core.cli.statement_list_run import put
from core.codec import to_json
from core.desk import Desk
from core.model import Curator
from core.services.graph import gate_units
from core.services.releases import catalogue, making, web_site
from core.services.releases.form import ReleaseForm
from core.text.count import counted


def release(desk: Desk, args: Namespace) -> int:
    return int(args.work(desk, args))


def make_(desk: Desk, args: Namespace) -> int:
    gate_units.check_ahead(desk)
    preview = making.preview_release(desk)
    form = _form(preview.form, args)
    changes = preview.changes
    print(
        f"groundwork: {counted(preview.statements, 'statement')}:"
        f" {len(changes.added):,} added, {len(changes.withdrawn):,} withdrawn,"
        f" {len(changes.changed):,} changed"
        f" {f'since {preview.previous}' if preview.previous else '(the first release)'};"
        f" {preview.held_back:,} held back",
        file=sys.stderr,
    )
    for paper in preview.retracted:
        print(
            f"groundwork: {counted(len(paper.statements), 'statement rests', 'statements rest')}"
            f" on {paper.document}, {paper.notice}",
            file=sys.stderr,
        )
    if preview.turned_down:
        published = "published, with names and notes" if form.with_rejections else "left out"
        print(
            f"groundwork: {counted(preview.turned_down, 'statement')} rejected or"
            f" replaced: {published}",
            file=sys.stderr,
        )
    if args.dry_run:
        put(to_json(form))
        return 0
    put(to_json(making.make_release(desk, form, args.curator)))
    return 0


def _form(proposed: ReleaseForm, args: Namespace) -> ReleaseForm:
    """The proposed form, with what was given in its place."""
    people = [
        Curator(*(part.strip() for part in creator.split("=", 1))) for creator in args.creator or ()
    ]
    return ReleaseForm(
        args.number or proposed.number,
        args.title or proposed.title,
        args.licence or proposed.licence,
        tuple(people) or proposed.creators,
        proposed.summary if args.summary is None else args.summary,
        args.remarks,
        proposed.with_rejections if args.rejections is None else args.rejections,
    )


def list_(desk: Desk, args: Namespace) -> int:
    for release_description in catalogue.list_releases(desk):
        put(
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
    release = catalogue.described_release(desk, args.number)
    if args.notes:
        sys.stdout.write(catalogue.notes_of(desk, release.number))
    else:
        put({"iri": release.iri, "citation": release.citation} | to_json(release))
    return 0


def compare_(desk: Desk, args: Namespace) -> int:
    difference = catalogue.compare_releases(desk, args.before, args.after)
    print(
        f"groundwork: from release {difference.before} to release {difference.after}",
        file=sys.stderr,
    )
    for change, statements in (
        ("added", difference.added),
        ("withdrawn", difference.withdrawn),
        ("changed", difference.changed),
        ("retracted", difference.retracted),
    ):
        for statement in statements:
            put(
                {
                    "change": change,
                    "id": statement.id,
                    "words": statement.words,
                    "why": statement.why,
                }
            )
    return 0


def site_(desk: Desk, args: Namespace) -> int:
    number = catalogue.described_release(desk, args.number).number
    count = web_site.to_folder(desk, number, args.output)
    print(f"groundwork: {counted(count, 'file')} in {args.output}", file=sys.stderr)
    return 0
