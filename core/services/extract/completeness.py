"""What is missing from a result, with counts and what helps: said above it, and again before it is
sent. Half is never called whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.extraction.tree import Extraction
from core.model import Problem, Severity
from core.services.documents.text_reading import LOOK, UNSEEN
from core.text.count import counted

NOTHING_READ = "Nothing in the model's answer could be read."


@dataclass(frozen=True, slots=True)
class CompletenessGap:
    """One kind of incompleteness. `lost`: something of the text may be missing; otherwise it is
    only good to know.
    """

    says: str
    helps: str
    count: int = 1
    lost: bool = True


class ExtractionResult(Protocol):
    """A result as pages and command line have it."""

    @property
    def problems(self) -> tuple[Problem, ...]: ...

    @property
    def statements(self) -> Sequence[object]: ...

    @property
    def extraction(self) -> Extraction: ...


@dataclass(frozen=True, slots=True)
class _Kind:
    """Without `says` the problem speaks for itself."""

    codes: tuple[str, ...]
    says: Callable[[int], str] | None
    helps: str
    lost: bool = True


def _questions(number: int) -> str:
    return counted(number, "question")


KINDS = (
    _Kind(
        (UNSEEN,),
        None,
        LOOK,
    ),
    _Kind(
        ("over-budget",),
        lambda n: (
            f"{_questions(n)} {'was' if n == 1 else 'were'} not asked: the run's limit of"
            " calls or tokens was reached."
        ),
        "Run it again with a higher limit; what was answered is taken from the record.",
    ),
    _Kind(
        ("cut-answer", "answer-too-long"),
        lambda n: f"{counted(n, 'answer')} of the model {'was' if n == 1 else 'were'} cut off.",
        "Allow more tokens for an answer on Settings, read the text in parts, or try again.",
    ),
    _Kind(
        ("broken-off",),
        lambda n: (
            f"The connection broke off during {counted(n, 'answer')} of the model; the end is"
            " missing."
        ),
        "Run it again: only what broke off is asked again.",
    ),
    _Kind(
        ("runaway-answer",),
        lambda n: (
            f"{counted(n, 'answer')} of the model ran on without end and"
            f" {'was' if n == 1 else 'were'} stopped."
        ),
        "Try another model. What was written before the stop was kept.",
    ),
    _Kind(
        ("elided",),
        lambda n: f"The model left something out in {counted(n, 'place')}.",
        "Run it again, read the text in parts, or ask another model.",
    ),
    _Kind(
        ("filtered",),
        lambda n: f"The endpoint's content filter refused {_questions(n)}.",
        "Ask another model, or leave that part of the text out.",
    ),
    _Kind(
        ("call-failed",),
        lambda n: f"{_questions(n)} failed.",
        "Run it again: only what failed is asked again.",
    ),
    _Kind(
        ("no-answer",),
        lambda n: f"{counted(n, 'answer')} could not be read.",
        "Try another model, which may keep to the format.",
    ),
    _Kind(
        ("unplaced", "no-field-names"),
        lambda n: (
            f"{counted(n, 'part')} of the answers did not match the format that was asked for."
        ),
        "Try another model, which may keep to the format.",
    ),
    _Kind(
        ("too-many-objects",),
        None,
        "Use a schema with fewer nested classes.",
    ),
    _Kind(
        ("fell-back",),
        lambda n: (
            "One call for everything did not work here, so the model was asked question by "
            "question."
        ),
        "Asking question by question takes more calls and finds the same kinds of things.",
        lost=False,
    ),
    _Kind(
        ("read-in-parts",),
        None,
        "Relations between distant parts of the text may be missing.",
        lost=False,
    ),
)


def find_gaps(problems: tuple[Problem, ...], claims: int, mentions: int) -> list[CompletenessGap]:
    """What a result lacks, gravest first. `claims` and `mentions` are how much it gave."""
    gaps = [
        CompletenessGap(
            kind.says(len(problems_of_kind)) if kind.says else problems_of_kind[0].message,
            kind.helps,
            len(problems_of_kind),
            kind.lost,
        )
        for kind in KINDS
        if (problems_of_kind := [problem for problem in problems if problem.code in kind.codes])
    ]
    known_codes = {code for kind in KINDS for code in kind.codes}
    others = [p for p in problems if p.severity is Severity.ERROR and p.code not in known_codes]
    if others:
        parts_failed = counted(len(others), "part")
        gaps.append(
            CompletenessGap(
                f"{parts_failed} of the work failed.",
                "Run it again: only what failed is asked again.",
                len(others),
            )
        )
    if nothing_read(problems, claims, mentions):
        gaps.insert(0, CompletenessGap(NOTHING_READ, "Run it again, or ask another model."))
    return gaps


def gaps_of(run_view: ExtractionResult) -> list[CompletenessGap]:
    """What a result lacks, as it is shown."""
    return find_gaps(run_view.problems, len(run_view.statements), len(run_view.extraction.mentions))


def nothing_read(problems: tuple[Problem, ...], claims: int, mentions: int) -> bool:
    """Whether a model answered and nothing came of it."""
    unread = any(problem.code in ("unplaced", "no-answer") for problem in problems)
    return unread and not claims and not mentions


def may_be_incomplete(gaps: list[CompletenessGap]) -> bool:
    """Whether something of the text may be missing."""
    return any(gap.lost for gap in gaps)
