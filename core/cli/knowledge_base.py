"""Verbs on the knowledge base: export what was approved, import what others have."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.decision import curator
from core.cli.file_input import packed_bytes
from core.cli.output import print_line, print_note, write_pieces
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.model import Problem
from core.text.count import counted

if TYPE_CHECKING:
    from core.services.graph import knowledge_base


def export_arguments(parser: ArgumentParser) -> None:
    from core.kb.formats.registry import FORMATS

    parser.add_argument("--format", choices=FORMATS, default="ttl", help="default: ttl")
    parser.add_argument("--output", type=Path, help="the file to write (default: standard output)")
    parser.add_argument(
        "--release", metavar="NUMBER", help="export this release instead of the current state"
    )
    parser.add_argument(
        "--held",
        action="store_true",
        help="list everything that is held back, one per line; without --output, only that",
    )
    parser.add_argument(
        "--sign",
        type=Path,
        metavar="KEY.pem",
        help="an RSA key without a pass phrase: each nanopublication is signed and named by its"
        " digest",
    )


def import_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=Path,
        help="Turtle (.ttl), N-Triples (.nt), TriG (.trig), JSON-LD (.jsonld), KGX or a bundle"
        " (.zip), SSSOM (.tsv), or a draft (.json, .jsonl, .yaml)",
    )
    parser.add_argument(
        "--curator", default="", help="your ORCID iD, to be named as the person who proposed it"
    )
    parser.add_argument(
        "--decisions",
        action="store_true",
        help="also import the decisions in a bundle of this knowledge base",
    )


def check_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--shapes",
        action="store_true",
        help="print the schemas' requirements as SHACL, without checking",
    )


LONGEST_KEY = 100_000  # bytes


def export(desk: Desk, args: Namespace) -> int:
    from core.services.graph import gate_memory, knowledge_base

    key = signing_key(args)
    if args.release:
        return export_release(desk, args, key)
    gate_memory.check_ahead(desk)
    if args.held and not args.output:
        list_held(knowledge_base.gate_passage(desk))
        return 0
    if args.output:
        progress = print_progress if sys.stderr.isatty() else None
        _, report = knowledge_base.export_to(
            desk, args.format, args.output, progress, signing_key=key
        )
    else:
        exported = knowledge_base.export_approved(desk, args.format, signing_key=key)
        write_pieces([exported.content], None)
        report = exported.passage
    print_gate_report(report)
    if left := knowledge_base.left_unjudged(desk, report.entries):
        print(knowledge_base.unjudged_words(left), file=sys.stderr)
    print_remarks(args.format, knowledge_base.export_remarks(desk, args.format, report))
    if args.held:
        list_held(report)
    return 0


def signing_key(args: Namespace) -> bytes:
    """The key's file. Raises InputError where it is not there or the format is not signed."""
    from core.kb.formats.registry import format_named

    if not args.sign:
        return b""
    if not format_named(args.format).signable:
        raise InputError(
            f"The format {args.format} is not signed.", "--sign needs --format nanopub."
        )
    return packed_bytes(args.sign, LONGEST_KEY)


def export_release(desk: Desk, args: Namespace, key: bytes = b"") -> int:
    from core.services.releases import catalogue

    pieces = catalogue.release_chunks(desk, args.release, args.format, key)
    write_pieces(pieces, args.output)
    print_remarks(args.format, catalogue.release_remarks(desk, args.release, args.format))
    return 0


def print_remarks(name: str, remarks: Iterable[Problem]) -> None:
    """What of the statements a format leaves out, and why, on standard error."""
    for remark in remarks:
        examples = f" ({remark.where})" if remark.where else ""
        print(f"{name}: {remark.message}{examples} {remark.hint}".rstrip(), file=sys.stderr)


def print_progress(written: int, total: int) -> None:
    """One line on a terminal, written over itself."""
    print(f"\r{written:,} of {total:,} statements", end="\r", file=sys.stderr, flush=True)


def print_gate_report(passage: knowledge_base.GateReport) -> None:
    """What passed the gate and what was held back, on standard error. How many of what passed a
    format has is told by its remarks.
    """
    from core.services.graph import knowledge_base

    print(f"{counted(len(passage.entries), 'statement')} passed the gate.", file=sys.stderr)
    for why, count in knowledge_base.held_summary(passage.rejections):
        print(f"held back: {count} · {why}. {knowledge_base.HINTS[why]}", file=sys.stderr)


def list_held(passage: knowledge_base.GateReport) -> None:
    """Everything that is held back, a line each: statement, reason, piece of evidence, detail."""
    for rejection in passage.rejections:
        detail = " ".join(rejection.detail.split())
        row = (rejection.statement.id, str(rejection.why), rejection.evidence, detail)
        print("\t".join(row))


def import_(desk: Desk, args: Namespace) -> int:
    from core.kb.read.archive import MAX_PACKED
    from core.services.graph import statement_import

    person = curator(args).orcid if args.curator else ""
    take = statement_import.restore_bundle if args.decisions else statement_import.import_file
    on_progress = print_progress if sys.stderr.isatty() else _tell_nobody
    imported = take(
        desk, args.file.name, packed_bytes(args.file, MAX_PACKED), person, on_progress=on_progress
    )
    for problem in imported.problems:
        print(f"left out: {problem.where}: {problem.message}", file=sys.stderr)
    if imported.remark:
        print_note(f"{imported.remark}")
    proposal = imported.proposal
    print_line(
        {
            "read": imported.statements,
            "new": len(proposal.new),
            "known": len(proposal.already_known),
            "evidence": len(proposal.evidence),
        }
    )
    return 0


def check(desk: Desk, args: Namespace) -> int:
    """A JSON line for each statement that does not keep its schema; 1 where there are any."""
    from core.kb.entry import claim_words
    from core.services.graph import gate_memory, knowledge_base
    from core.services.vocabularies import same_things

    if args.shapes:
        sys.stdout.write(knowledge_base.shapes(desk))
        return 0
    on_progress = print_progress if sys.stderr.isatty() else _tell_nobody
    gate_memory.check_ahead(desk)
    count = 0
    for mismatch in knowledge_base.mismatches(desk, knowledge_base.gate_passage(desk), on_progress):
        count += 1
        statement = mismatch.statement
        print_line(
            {"id": statement.id, "words": claim_words(statement), "message": mismatch.message}
        )
    print(f"{counted(count, 'mismatch', 'mismatches')} with the schemas.", file=sys.stderr)
    for thing in same_things.same_things(desk):
        print(
            f"{thing.preferred.label} is {thing.preferred.id}, and"
            f" {' and '.join(thing.ids[1:])} in {counted(len(thing.statements), 'statement')}: see"
            f" `vocabularies same resolve {thing.preferred.id}`.",
            file=sys.stderr,
        )
    return 1 if count else 0


def _tell_nobody(done: int, total: int) -> None:
    """Where no terminal shows it."""


VERBS = (
    Verb("check", "check approved statements against the schemas", check_arguments, check),
    Verb("export", "export the approved statements that pass the gate", export_arguments, export),
    Verb("import", "import a file's statements as proposals", import_arguments, import_),
)
