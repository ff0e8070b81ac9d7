"""What the verbs ground and annotate do."""

from __future__ import annotations

import gzip
import io
import json
import sys
import zlib
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from core.cli.vocabulary_run import tab_cell
from core.desk import Desk
from core.errors import InputError
from core.grounding.choice import choose_candidate, score_margin, tied_candidates
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.match import phrase
from core.grounding.recognise.recogniser import Recogniser
from core.model import Candidate, Category, Json, Span
from core.services.vocabularies import vocabularies

LARGEST = 50_000_000  # bytes of one input


def ground(desk: Desk, args: Namespace) -> int:
    grounder, names = vocabularies.grounder_of(desk, args.vocabulary)
    constraint = Constraint(
        names, tuple(args.prefix), category=_category(args.type), taxon=args.taxon
    )
    if args.format == "tsv":
        print("text\tid\tlabel\tmatch\tscore\toutcome\tvocabulary\tcandidates\tmargin\ttie")
    for number, row in _mentions(_read_text(args.input)):
        grounded = _grounded(grounder, row, constraint, max(1, args.limit), number)
        print(
            json.dumps(grounded, ensure_ascii=False)
            if args.format == "jsonl"
            else _ground_line(grounded)
        )
    return 0


def _grounded(
    grounder: Grounder, row: Json, constraint: Constraint, limit: int, number: int
) -> Json:
    text = str(row.get("text", ""))
    start = row.get("start")
    span = (
        Span(start, start + len(text))
        if isinstance(start, int) and not isinstance(start, bool)
        else None
    )
    context = str(row.get("context") or "")
    candidates = grounder.ground(text, constraint, context=context, span=span, limit=limit)
    extra = {key: row[key] for key in ("document", "start") if key in row}
    answer = {"text": text, **extra, **_answer(candidates)}
    if parts := phrase.expand_coordination(text):
        terms = {
            part: choose_candidate(grounder.ground(part, constraint, context=context))[0]
            for part in parts
        }
        answer["parts"] = [
            {"text": part, "id": term.id if term else "", "label": term.label if term else ""}
            for part, term in terms.items()
        ]
    return answer


def _answer(candidates: tuple[Candidate, ...]) -> Json:
    term, outcome = choose_candidate(candidates)
    best = next(
        (candidate for candidate in candidates if term and candidate.term.id == term.id), None
    )
    return {
        "id": term.id if term else "",
        "label": term.label if term else "",
        "match": str(best.match) if best else "none",
        "score": best.score if best else 0.0,
        "outcome": str(outcome),
        "margin": score_margin(candidates),
        "tie": [candidate.term.id for candidate in tied_candidates(candidates)],
        "candidates": [_candidate_json(candidate) for candidate in candidates],
    }


def _candidate_json(candidate: Candidate) -> Json:
    candidate_fields = {
        "id": candidate.term.id,
        "label": candidate.term.label,
        "match": str(candidate.match),
        "score": candidate.score,
    }
    candidate_fields |= {
        "vocabulary": candidate.vocabulary,
        "name": candidate.surface,
        "differed": candidate.differed,
    }
    return candidate_fields | (
        {"obsolete": True, "replaced_by": candidate.replaced_by} if candidate.obsolete else {}
    )


def _ground_line(grounded: Json) -> str:
    listed = "; ".join(
        f"{candidate['id']}|{candidate['label']}|{candidate['score']:.3f}"
        for candidate in grounded["candidates"]
    )
    chosen = next(
        (
            candidate["vocabulary"]
            for candidate in grounded["candidates"]
            if candidate["id"] == grounded["id"]
        ),
        "",
    )
    cells = (
        grounded["text"],
        grounded["id"],
        grounded["label"],
        grounded["match"],
        f"{grounded['score']:.3f}",
        grounded["outcome"],
    )
    extra_cells = (chosen, listed, f"{grounded['margin']:.3f}", " ".join(grounded["tie"]))
    return "\t".join(tab_cell(cell) for cell in (*cells, *extra_cells))


def annotate(desk: Desk, args: Namespace) -> int:
    grounder, names = vocabularies.grounder_of(desk, args.vocabulary)
    constraints = {"": Constraint(names, tuple(args.prefix))}
    if args.format == "tsv":
        print("document\tstart\tend\ttext\tid\tlabel\tmatch\tscore\toutcome\tvocabulary")
    for document, text in _texts(_read_text(args.input)):
        for mark in Recogniser(grounder).annotate(text, constraints):
            place = {"document": document, "start": mark.span.start, "end": mark.span.end}
            annotation = {**place, "text": mark.span.quote(text), **_answer(mark.candidates)}
            print(
                json.dumps(annotation, ensure_ascii=False)
                if args.format == "jsonl"
                else _annotate_line(annotation)
            )
    return 0


def _annotate_line(annotation: Json) -> str:
    first_vocabulary = annotation["candidates"][0]["vocabulary"] if annotation["candidates"] else ""
    cells = [
        annotation[key]
        for key in ("document", "start", "end", "text", "id", "label", "match", "score", "outcome")
    ]
    return "\t".join(tab_cell(cell) for cell in (*cells, first_vocabulary))


def _read_text(name: str) -> str:
    """The text of a file or of standard input. Raises InputError."""
    try:
        raw = sys.stdin.buffer.read(LARGEST + 1) if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.", "Check the name.") from error
    if raw[:2] == b"\x1f\x8b":
        raw = _unzipped(raw, name)
    if len(raw) > LARGEST:
        raise InputError(f"{name} is larger than {LARGEST // 1_000_000} MB.", "Split it.")
    if b"\0" in raw:
        raise InputError(f"{name} is not text: it contains NUL bytes.", "Choose another file.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unzipped(raw: bytes, name: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as file:
            return file.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{name} is a damaged gzip file.", "Download it again.") from error


def _mentions(text: str) -> Iterator[tuple[int, Json]]:
    """Each line as a mention; an empty line is a mention without words, so that lines keep their
    order.
    """
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, 1):
        yield (
            number,
            _row(line, number) if line.lstrip().startswith("{") else {"text": line.strip()},
        )


def _row(line: str, number: int) -> Json:
    try:
        mention_row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"Line {number} begins like JSON, but is not: {error}.", "One JSON object a line."
        ) from error
    if "text" not in mention_row:
        raise InputError(f"Line {number} has no “text”.", "One JSON object with text a line.")
    return mention_row


def _texts(text: str) -> Iterator[tuple[str, str]]:
    """Documents: JSON lines with a text each, or the whole input as one."""
    if not text.lstrip().startswith('{"') or '"text"' not in text.lstrip().split("\n", 1)[0]:
        yield "", text
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            row = _row(line, number)
            document = next(
                (str(row[key]) for key in ("id", "document", "doc", "pmid") if row.get(key)),
                str(number),
            )
            yield document, str(row["text"])


def _category(name: str) -> Category:
    categories = {str(category): category for category in Category}
    return categories.get(name.strip().lower(), Category.THING)
