"""Verbs on the knowledge base: export what was approved, import what others have."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path

from core.cli.decision import curator
from core.cli.statement_list import put
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.kb.entry import claim_words
from core.model import Problem
from core.services.graph import knowledge_base, schema_check, statement_import
from core.services.graph.export_file import replace_file
from core.services.releases import files
from core.text.count import counted


def export_arguments(parser: ArgumentParser) -> None:
    names = [export_format.name for export_format in knowledge_base.FORMATS]
    parser.add_argument("--format", choices=names, default="ttl", help="default: ttl")
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


def export(desk: Desk, args: Namespace) -> int:
    key = signing_key(args)
    if args.release:
        return export_release(desk, args, key)
    if args.held and not args.output:
        list_held(knowledge_base.gate_passage(desk))
        return 0
    if args.output:
        progress = print_progress if sys.stderr.isatty() else None
        _, report = knowledge_base.export_to(
            desk, args.format, args.output, progress, signing_key=key
        )
    else:
        exported = knowledge_base.export(desk, args.format, signing_key=key)
        sys.stdout.buffer.write(exported.content)
        sys.stdout.flush()
        report = exported.passage
    print_gate_report(report)
    print_remarks(args.format, knowledge_base.remarks(desk, args.format, report))
    if args.held:
        list_held(report)
    return 0


def signing_key(args: Namespace) -> bytes:
    """The key's file. Raises InputError where it is not there or the format is not signed."""
    if not args.sign:
        return b""
    if args.format != "nanopub":
        raise InputError(
            f"The format {args.format} is not signed.", "--sign goes with --format nanopub."
        )
    try:
        return bytes(args.sign.read_bytes())
    except OSError as error:
        raise InputError(f"{args.sign} cannot be read: {error.strerror}.") from error


def export_release(desk: Desk, args: Namespace, key: bytes = b"") -> int:
    pieces = files.chunks(desk, args.release, args.format, key)
    if args.output:
        replace_file(args.output, pieces)
    else:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.flush()
    print_remarks(args.format, files.remarks(desk, args.release, args.format))
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
    """What was written and what was held back, on standard error."""
    count = len(passage.entries)
    print(f"{count} statement{'' if count == 1 else 's'} exported.", file=sys.stderr)
    for why, count in knowledge_base.summary(passage.rejections):
        print(f"held back: {count} · {why}. {knowledge_base.HINTS[why]}", file=sys.stderr)


def list_held(passage: knowledge_base.GateReport) -> None:
    """Everything that is held back: statement, reason, piece of evidence, detail."""
    for rejection in passage.rejections:
        print(
            "\t".join(
                (rejection.statement.id, str(rejection.why), rejection.evidence, rejection.detail)
            )
        )


def import_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=Path,
        help="Turtle (.ttl), N-Triples (.nt), KGX or a bundle (.zip), SSSOM (.tsv), or a draft"
        " (.json, .jsonl, .yaml)",
    )
    parser.add_argument(
        "--curator", default="", help="your ORCID iD, to be named as the person who proposed it"
    )
    parser.add_argument(
        "--decisions",
        action="store_true",
        help="also import the decisions in a bundle of this knowledge base",
    )


def import_(desk: Desk, args: Namespace) -> int:
    person = curator(args).orcid if args.curator else ""
    take = statement_import.restore_bundle if args.decisions else statement_import.import_file
    imported = take(desk, args.file.name, args.file.read_bytes(), person)
    for problem in imported.problems:
        print(f"left out: {problem.where}: {problem.message}", file=sys.stderr)
    if imported.remark:
        print(f"groundwork: {imported.remark}", file=sys.stderr)
    proposal = imported.proposal
    put(
        {
            "read": imported.statements,
            "new": len(proposal.new),
            "known": len(proposal.already_known),
            "evidence": len(proposal.evidence),
        }
    )
    return 0


def check_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--shapes",
        action="store_true",
        help="print the schemas' requirements as SHACL, without checking",
    )


def check(desk: Desk, args: Namespace) -> int:
    """A JSON line for each statement that does not keep its schema; 1 where there are any."""
    if args.shapes:
        sys.stdout.write(schema_check.shapes(desk))
        return 0
    on_progress = print_progress if sys.stderr.isatty() else _tell_nobody
    count = 0
    for mismatch in schema_check.mismatches(desk, knowledge_base.gate_passage(desk), on_progress):
        count += 1
        statement = mismatch.statement
        put({"id": statement.id, "words": claim_words(statement), "message": mismatch.message})
    print(f"{counted(count, 'mismatch', 'mismatches')} with the schemas.", file=sys.stderr)
    return 1 if count else 0


def _tell_nobody(done: int, total: int) -> None:
    """Where no terminal shows it."""


VERBS: tuple[Verb, ...] = (
    Verb("check", "check approved statements against the schemas", check_arguments, check),
    Verb("export", "export the approved statements that pass the gate", export_arguments, export),
    Verb("import", "import a file's statements as proposals", import_arguments, import_),
)
