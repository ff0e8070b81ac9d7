"""What the annotation files of two communities ask of a statement: paper, day, curator, and a
column for every qualifier. A statement that has none of a needed thing is named as left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.curie import is_curie, preferred_prefix
from core.kb.entry import ExportEntry, KnowledgeBase, claim_words, document_of
from core.model import Modality, Problem, Severity, Term

NAMED = 3  # statements that a remark quotes


@dataclass(frozen=True, slots=True)
class NoRowReason:
    """Why a statement has no row: words that follow "is left out:"."""

    why: str


Rows = Sequence[tuple[str, ...]]
Annotate = Callable[[ExportEntry], Rows | NoRowReason]


def prefix_of(term_id: str) -> str:
    """The preferred prefix of a CURIE; "" for what is none."""
    return preferred_prefix(term_id.partition(":")[0]) if is_curie(term_id) else ""


def row_ends(entry: ExportEntry) -> tuple[Term, Term] | NoRowReason:
    """Subject and object of an approved statement that plainly claims what it says."""
    statement = entry.statement
    subject, object_ = statement.subject, statement.object
    if not isinstance(subject, Term) or not isinstance(object_, Term):
        return NoRowReason("one end is not a term")
    if statement.modality is not Modality.ASSERTED:
        return NoRowReason("it is a hypothesis or background")
    if not entry.approvals:
        return NoRowReason("nobody approved it")
    return subject, object_


def papers(entry: ExportEntry, prefixes: frozenset[str]) -> list[str]:
    """The references of its evidence that have an id of one of `prefixes`, sorted."""
    references = {document_of(piece) for piece in entry.evidence}
    return sorted(reference for reference in references if prefix_of(reference) in prefixes)


def latest_day(kb: KnowledgeBase) -> str:
    """YYYY-MM-DD: of the release, else of the newest approval; "" where there is none."""
    if kb.release:
        return kb.release.date
    return max((d.time[:10] for entry in kb.entries for d in entry.approvals), default="")


def all_rows(kb: KnowledgeBase, annotate: Annotate) -> Iterator[tuple[str, ...]]:
    """The rows of every statement that fits, sorted, each once."""
    rows: set[tuple[str, ...]] = set()
    for entry in kb.entries:
        fitting = annotate(entry)
        if not isinstance(fitting, NoRowReason):
            rows.update(fitting)
    yield from sorted(rows)


def same_lines(kb: KnowledgeBase, rows: Sequence[tuple[str, ...]], sign: str) -> str:
    """Comment lines, which begin with a sign, that give the other ids of the things in rows: these
    formats have no column for them.
    """
    named = {cell for row in rows for cell in row} & kb.same.keys()
    return "".join(f"{sign} {id} skos:exactMatch {' '.join(kb.same[id])}\n" for id in sorted(named))


def left_out_remarks(kb: KnowledgeBase, annotate: Annotate) -> tuple[Problem, ...]:
    """One remark for each reason that statements have no row for, with the first of them."""
    reasons: dict[str, list[ExportEntry]] = defaultdict(list)
    for entry in kb.sorted():
        fitting = annotate(entry)
        if isinstance(fitting, NoRowReason):
            reasons[fitting.why].append(entry)
    return tuple(left_out_remark(why, entries) for why, entries in sorted(reasons.items()))


def left_out_remark(why: str, entries: Sequence[ExportEntry]) -> Problem:
    count = len(entries)
    subject = "1 statement is" if count == 1 else f"{count} statements are"
    examples = _examples(entry for entry in entries[:NAMED])
    more = ", …" if count > NAMED else ""
    return Problem(
        "format-left-out",
        f"{subject} left out: {why}.",
        Severity.NOTE,
        where=examples + more,
        hint="Turtle and the table have every statement.",
    )


def _examples(entries: Iterable[ExportEntry]) -> str:
    return "; ".join(claim_words(entry.statement) for entry in entries)
