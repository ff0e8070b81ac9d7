"""What stands between a result and review: statements held back, and what the vocabularies of the
project cannot do for this text.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.extraction.builtin import NAME as BUILTIN
from core.extraction.builtin.likely_relation import UNSTATED
from core.extraction.registry import is_engine
from core.extraction.statements import ungrounded_terms
from core.extraction.tree import Extraction
from core.grounding.constraint.constraint import constraint_of
from core.model import (
    Evidence,
    Mention,
    Problem,
    Severity,
    Statement,
    Support,
    Term,
)
from core.schema.definition import Schema
from core.services.extract.completeness import NOTHING_READ, nothing_read
from core.services.support.shown_support import support_words

VOCABULARY_CODES = (
    "missing-vocabulary", "branch-unchecked", "no-vocabulary", "drug-without-term",
    "nothing-recognised",
)  # fmt: skip
NOTHING_CODES = ("nothing-stated", "nothing-recognised")  # why a text gave nothing


def why_held(
    statement: Statement,
    untyped: frozenset[str],
    evidence: Sequence[Evidence] = (),
    support: Support | None = None,
) -> str:
    """Why a statement is not sent by default; empty where nothing holds it back. That two things
    are named together states nothing, however likely it is, and what its own sentence denies or
    does not say waits for a curator.
    """
    if words := ungrounded_terms(statement):
        return f"No term for {', '.join(f'“{term.label}”' for term in words)}."
    ends = [end for end in (statement.subject, statement.object) if isinstance(end, Term)]
    unknown = [end.label for end in ends if end.id in untyped]
    if unknown:
        names = ", ".join(f"“{label}”" for label in unknown)
        return f"The vocabulary does not say what kind of thing {names} is."
    if evidence and all(piece.rule in UNSTATED for piece in evidence):
        return "The text does not say how the two are related: please check."
    return support_words(support) if support and support.held else ""


def untyped_terms(schema: Schema, extraction: Extraction) -> frozenset[str]:
    """Ids that an engine chose from a vocabulary without a hierarchy, for a class that allows only
    some branches of it: they may be of another kind. A curator's choice is never among them.
    """
    without = {p.where for p in extraction.problems if p.code == "branch-unchecked"}
    if not without:
        return frozenset()
    return frozenset(
        mention.chosen.id
        for mention in extraction.mentions
        if mention.chosen
        and is_engine(mention.chosen_by or BUILTIN)
        and _from(mention) in without
        and _branches_of(schema, mention)
    )


def _from(mention: Mention) -> str:
    """The vocabulary of the chosen term."""
    chosen = mention.chosen
    return next((c.vocabulary for c in mention.candidates if chosen and c.term.id == chosen.id), "")


def _branches_of(schema: Schema, mention: Mention) -> bool:
    """Whether the class of a mention names branches of the chosen term's vocabulary."""
    prefix = mention.chosen.id.partition(":")[0] if mention.chosen else ""
    nodes = [
        n for value_set in constraint_of(schema, mention.cls).value_sets for n in value_set.nodes
    ]
    return any(node.partition(":")[0] == prefix for node in nodes)


def vocabularies_lacking(
    problems: tuple[Problem, ...], missing: Sequence[Problem] = ()
) -> list[str]:
    """What the project's vocabularies lack for this result, each said once, with what to do.

    `missing` is what of the schema's vocabularies is missing now; one that was missing when the
    text was read and is here now asks for reading it again.
    """
    now = {problem.where for problem in missing}
    messages = [f"{problem.message} {problem.hint}".strip() for problem in missing]
    for problem in problems:
        if problem.code != "missing-vocabulary":
            messages += [problem.message] if problem.code in VOCABULARY_CODES else []
        elif problem.where not in now:
            messages.append(
                f"{problem.where} has been installed since this text was read: run it again."
            )
    return list(dict.fromkeys(messages))


def hints_of_nothing(problems: tuple[Problem, ...]) -> list[str]:
    """What to do where a text gave nothing, as its reason says."""
    return [problem.hint for problem in problems if problem.code in NOTHING_CODES and problem.hint]


def why_nothing(problems: tuple[Problem, ...], mentions: int, reader: str = "") -> str:
    """Why a text gave no statement, in a sentence; `reader` is the model that read it, if any."""
    if nothing_read(problems, 0, mentions):
        return NOTHING_READ
    if any(problem.severity is Severity.ERROR for problem in problems):
        return "Part of the text was not read; the reason is above."
    if any(problem.code == "over-budget" for problem in problems):
        return "Further questions were not asked; the reason is above."
    if nothing := next((problem for problem in problems if problem.code in NOTHING_CODES), None):
        return nothing.message
    if reader and not mentions:
        return f"{reader} found nothing in this text that the schema asks for."
    if reader:
        return f"{reader} found things, but no relation between two of them."
    if not mentions:
        return "This text contains no name from an installed vocabulary."
    return "Terms were found, but no sentence that relates two of them."
