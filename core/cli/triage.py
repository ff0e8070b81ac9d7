"""The verb triage: papers judged, listed in the order to judge them, exported and counted."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from core.cli.decision import curator
from core.cli.file_input import stored_text
from core.cli.literature import filter_arguments, filter_of, namespace_names
from core.cli.output import print_line, print_note, write_text
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.model import Json, ReadingOrder


def triage_arguments(parser: ArgumentParser) -> None:
    from core.literature.triage.citation import FORMATS
    from core.literature.triage.verdict import PaperVerdict

    parser.add_argument("namespace", help="the namespace; separate several with commas")
    parser.add_argument(
        "action",
        choices=("judge", "export", "counts", "next", "flow"),
        help="judge: record judgements; export: write them; counts: how many of each; next: papers"
        " to read; flow: the PRISMA diagram",
    )
    parser.add_argument("document", nargs="?", default="", help="for judge: the paper")
    parser.add_argument(
        "verdict", nargs="?", default="", help=f"for judge: {', '.join(PaperVerdict)}"
    )
    parser.add_argument("--reason", default="", help="why")
    parser.add_argument("--curator", default="", help="your ORCID iD")
    parser.add_argument(
        "--input", default="", help="for judge: JSON lines {document, verdict, reason}, or -"
    )
    parser.add_argument(
        "--format",
        choices=(*FORMATS, "references", "svg", "json"),
        default="csv",
        help="of export (references: the included papers in --style); of flow: csv, svg or json",
    )
    parser.add_argument(
        "--style",
        default="apa",
        help="of references: a style of citationstyles.org (default apa; needs the extra"
        " citations)",
    )
    parser.add_argument("--output", type=Path, help="a file, else standard output")
    parser.add_argument("--question", default="", help="for next: what the review asks")
    parser.add_argument(
        "--order",
        choices=[str(order) for order in ReadingOrder],
        default=str(ReadingOrder.LIKELY),
        help="for next: likely ones first, those the model is unsure of, or as they were added",
    )
    parser.add_argument("-k", type=int, default=20, help="for next: papers (default 20)")
    filter_arguments(parser)


def triage_papers(desk: Desk, args: Namespace) -> int:
    """Judge papers, list those to judge next, export what was judged, or count it."""
    from core.services.literature import screening, triage

    for name in namespace_names(args):
        desk.store.namespaces.get(name)
    if args.action == "judge":
        return _judge(desk, args)
    if args.action == "next":
        return _next(desk, args)
    if args.action in ("export", "flow"):
        if args.action == "export" and args.format == "references":
            text = triage.reference_list(desk, namespace_names(args), args.style)
        else:
            make = triage.export_judged if args.action == "export" else screening.flow_as
            text = make(desk, namespace_names(args), args.format)
        write_text(text, args.output)
        return 0
    counts = Counter(triage.paper_verdicts(desk, namespace_names(args)).values())
    papers = sum(desk.store.namespaces.count_members(name) for name in namespace_names(args))
    print_line({"papers": papers, "judged": sum(counts.values()), **dict(sorted(counts.items()))})
    return 0


def _next(desk: Desk, args: Namespace) -> int:
    """A line for each paper: {document, title, chance, words}; how much was found on stderr."""
    from core.services.literature import screening

    names, order = namespace_names(args), ReadingOrder(args.order)
    screened = screening.papers_to_judge(
        desk, names, order=order, question=args.question, only=filter_of(args), k=args.k
    )
    notices = desk.store.document_overview.notices([paper.document for paper in screened.papers])
    for paper in screened.papers:
        chance = None if paper.chance is None else round(paper.chance, 4)
        title = paper.member.document.title
        status = notices.get(paper.document, "")
        print_line(
            {
                "document": paper.document,
                "title": title,
                **({"status": status} if status else {}),
                "chance": chance,
                "words": dict(paper.words),
            }
        )
    now = screening.screening_estimate(desk, names, args.question)
    expected = (
        "include one paper and exclude one to estimate how many relevant papers are unread"
        if now.expected_left is None
        else f"expected unread {now.expected_left:,.0f}, at most {now.most_left:,} (95 %)"
    )
    print_note(
        f"{now.read:,} of {now.papers:,} judged, {now.included:,} included; {expected}"
        + ("; you may stop" if now.enough else "")
    )
    return 0


def _judge(desk: Desk, args: Namespace) -> int:
    """A line of result for each verdict, in order; 1 when any was refused."""
    from core.literature.triage.verdict import PaperVerdict
    from core.services.literature import triage

    person = curator(args)
    if args.input:
        rows = list(_verdict_rows(args.input))
    else:
        rows = [{"document": args.document, "verdict": args.verdict, "reason": args.reason}]
    refused = 0
    for row in rows:
        document, verdict = str(row.get("document", "")), str(row.get("verdict", ""))
        try:
            home = next(iter(desk.store.namespaces.holders(namespace_names(args), document)), None)
            if home is None:
                raise InputError(
                    f"{document or 'No paper'} is in none of these namespaces.",
                    "Name a paper of the namespace, for example PMID:123.",
                )
            if verdict == PaperVerdict.UNDONE:
                triage.undo_verdict(desk, namespace_names(args), person.orcid, document)
            else:
                reason = str(row.get("reason", ""))
                triage.judge_paper(
                    desk, home, document, verdict, reason=reason, curator=person.orcid
                )
            print_line({"document": document, "verdict": verdict, "status": "kept"})
        except InputError as error:
            refused += 1
            print_line({"document": document, "status": "refused", "problem": str(error)})
    return 1 if refused else 0


def _verdict_rows(name: str) -> Iterator[Json]:
    for number, line in enumerate(stored_text(name).split("\n"), start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = None
            if not isinstance(row, dict):
                raise InputError(
                    f"Line {number} of {name} is not a verdict.",
                    "Each line is an object {document, verdict, reason}.",
                )
            yield row


VERBS = (
    Verb("triage", "judge papers, and export the judgements", triage_arguments, triage_papers),
)
