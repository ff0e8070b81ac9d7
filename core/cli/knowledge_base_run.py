"""What the verbs check, export and import do."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable

from core.cli.decision_run import curator
from core.cli.file_input import packed_bytes
from core.cli.statement_list_run import put
from core.desk import Desk
from core.errors import InputError
from core.kb.entry import claim_words
from core.kb.formats.registry import format_named
from core.kb.read.archive import MAX_PACKED
from core.model import Problem
from core.services.graph import gate_units, knowledge_base, schema_check, statement_import
from core.services.graph.export_file import replace_file
from core.services.releases import files
from core.text.count import counted

LONGEST_KEY = 100_000  # bytes


def export(desk: Desk, args: Namespace) -> int:
    key = signing_key(args)
    if args.release:
        return export_release(desk, args, key)
    gate_units.check_ahead(desk)
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
        sys.stdout.buffer.write(exported.content)
        sys.stdout.flush()
        report = exported.passage
    print_gate_report(report)
    print_remarks(args.format, knowledge_base.export_remarks(desk, args.format, report))
    if args.held:
        list_held(report)
    return 0


def signing_key(args: Namespace) -> bytes:
    """The key's file. Raises InputError where it is not there or the format is not signed."""
    if not args.sign:
        return b""
    if not format_named(args.format).signable:
        raise InputError(
            f"The format {args.format} is not signed.", "--sign needs --format nanopub."
        )
    return packed_bytes(args.sign, LONGEST_KEY)


def export_release(desk: Desk, args: Namespace, key: bytes = b"") -> int:
    pieces = files.release_chunks(desk, args.release, args.format, key)
    if args.output:
        replace_file(args.output, pieces)
    else:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.flush()
    print_remarks(args.format, files.release_remarks(desk, args.release, args.format))
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
    person = curator(args).orcid if args.curator else ""
    take = statement_import.restore_bundle if args.decisions else statement_import.import_file
    on_progress = print_progress if sys.stderr.isatty() else _tell_nobody
    imported = take(desk, args.file.name, packed_bytes(args.file, MAX_PACKED), person, on_progress)
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


def check(desk: Desk, args: Namespace) -> int:
    """A JSON line for each statement that does not keep its schema; 1 where there are any."""
    if args.shapes:
        sys.stdout.write(schema_check.shapes(desk))
        return 0
    on_progress = print_progress if sys.stderr.isatty() else _tell_nobody
    gate_units.check_ahead(desk)
    count = 0
    for mismatch in schema_check.mismatches(desk, knowledge_base.gate_passage(desk), on_progress):
        count += 1
        statement = mismatch.statement
        put({"id": statement.id, "words": claim_words(statement), "message": mismatch.message})
    print(f"{counted(count, 'mismatch', 'mismatches')} with the schemas.", file=sys.stderr)
    return 1 if count else 0


def _tell_nobody(done: int, total: int) -> None:
    """Where no terminal shows it."""
