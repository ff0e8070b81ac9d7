"""The verb on releases: what was published, with what licence, and what changed."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction
from pathlib import Path

from core.cli.verb import LazyRun, Verb


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
    make.add_argument("--curator", default="", help="your ORCID iD")
    make.add_argument(
        "--dry-run", action="store_true", help="preview the release without making it"
    )
    make.set_defaults(work=LazyRun("release_run:make_"))
    listing = step("list", "list every release, the newest first, as JSON lines")
    listing.set_defaults(work=LazyRun("release_run:list_"))
    show = step("show", "show a release: its description as JSON, or its notes")
    show.add_argument("number", nargs="?", default="", help="default: the newest")
    show.add_argument("--notes", action="store_true", help="the notes as Markdown")
    show.set_defaults(work=LazyRun("release_run:show_"))
    compare = step(
        "compare", "list what changed, as JSON lines: one for each statement or retracted paper"
    )
    compare.add_argument("before", help="the number of a release")
    compare.add_argument("after", help="the number of another, usually the later one")
    compare.set_defaults(work=LazyRun("release_run:compare_"))
    site = step("site", "write a release as a static web site")
    site.add_argument("number", nargs="?", default="", help="default: the newest")
    site.add_argument("--output", type=Path, required=True, help="a new folder")
    site.set_defaults(work=LazyRun("release_run:site_"))


VERBS: tuple[Verb, ...] = (
    Verb(
        "release",
        "publish the knowledge base in numbered releases",
        release_arguments,
        LazyRun("release_run:release"),
    ),
)
