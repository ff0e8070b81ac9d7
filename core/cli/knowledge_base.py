"""Verbs on the knowledge base: export what was approved, import what others have."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from core.cli.review import curator
from core.cli.statement_list import put
from core.cli.verb import Verb
from core.desk import Desk
from core.services.graph import knowledge_base, taking_in
from core.services.graph.export_file import replace_file
from core.services.releases import files


def export_arguments(parser: ArgumentParser) -> None:
    names = [wanted.name for wanted in knowledge_base.FORMATS]
    parser.add_argument("--format", choices=names, default="ttl", help="default: ttl")
    parser.add_argument("--output", type=Path, help="the file to write (default: standard output)")
    parser.add_argument("--release", metavar="NUMBER", help="a release as it was, not what is now")
    parser.add_argument(
        "--held", action="store_true", help="list everything that is held back, one a line"
    )


def export(desk: Desk, args: Namespace) -> int:
    if args.release:
        return export_release(desk, args)
    if args.output:
        _, report = knowledge_base.export_to(desk, args.format, args.output)
    else:
        exported = knowledge_base.export(desk, args.format)
        sys.stdout.buffer.write(exported.content)
        sys.stdout.flush()
        report = exported.passage
    tell(report, args.held)
    return 0


def export_release(desk: Desk, args: Namespace) -> int:
    pieces = files.chunks(desk, args.release, args.format)
    if args.output:
        replace_file(args.output, pieces)
    else:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.flush()
    return 0


def tell(passage: knowledge_base.GateReport, each: bool) -> None:
    """What was written and what was held back, on standard error."""
    count = len(passage.entries)
    print(f"{count} statement{'' if count == 1 else 's'} exported.", file=sys.stderr)
    for why, count in knowledge_base.summary(passage.held):
        print(f"held back: {count} · {why}. {knowledge_base.HINTS[why]}", file=sys.stderr)
    if each:
        for one in passage.held:
            print(
                "\t".join((one.statement.id, str(one.why), one.evidence, one.detail)),
                file=sys.stderr,
            )


def import_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=Path,
        help="Turtle (.ttl), N-Triples (.nt), KGX or a bundle (.zip), SSSOM (.tsv), or a draft"
        " (.json, .jsonl, .yaml)",
    )
    parser.add_argument(
        "--curator", default="", help="your ORCID iD, if you want to be named as who proposed it"
    )
    parser.add_argument(
        "--decisions",
        action="store_true",
        help="take over the decisions of a bundle of this knowledge base as well",
    )


def import_(desk: Desk, args: Namespace) -> int:
    person = curator(args).orcid if args.curator else ""
    take = taking_in.restore_bundle if args.decisions else taking_in.import_file
    found = take(desk, args.file.name, args.file.read_bytes(), person)
    for problem in found.problems:
        print(f"left out: {problem.where}: {problem.message}", file=sys.stderr)
    if found.remark:
        print(f"groundwork: {found.remark}", file=sys.stderr)
    proposal = found.proposal
    put(
        {
            "read": found.statements,
            "new": len(proposal.new),
            "known": len(proposal.known),
            "evidence": len(proposal.evidence),
        }
    )
    return 0


VERBS: tuple[Verb, ...] = (
    Verb("export", "write what was approved and passes the gate", export_arguments, export),
    Verb("import", "propose the statements of a file", import_arguments, import_),
)
