"""Whether a statement means what it may mean: its predicate is a relation, its ends are of kinds
that the relation joins, and its evidence says it. What of this a curator overrules, with a reason
that is exported, passes all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.kb.formats.biolink import PREFIX, biolink_category, biolink_predicate, ends_taken
from core.model import (
    Category,
    Decision,
    Evidence,
    Literal,
    Statement,
    Support,
    Term,
    TextGround,
    Verdict,
    relation_words,
)
from core.support.fitting_kinds import misfit, with_article
from core.support.reading.rule_table import family_of

OVERRULED = "overruled:"  # how the note of an approval begins that lets a statement pass
# Kinds that the desk and Biolink tell apart alike; of others (a procedure, a quality) Biolink's
# domains say less than schemas need.
TOLD_APART = frozenset(
    (
        Category.CHEMICAL,
        Category.DISEASE,
        Category.PHENOTYPE,
        Category.GENE,
        Category.PROTEIN,
        Category.VARIANT,
        Category.ANATOMY,
        Category.ORGANISM,
    )
)
# Biolink wants a thing that is no kind of the desk (a mode of inheritance, an active ingredient):
# terms of such are of whatever kind their vocabulary is, so the kind tells nothing.
NO_KIND_OF_OURS = frozenset(("none",))
BUILT_IN = frozenset(("rdf", "rdfs", "owl", "xsd", "sh"))  # they say how graphs are made


class MeaningProver(Protocol):
    """Knows relations, and what the judges said of evidence."""

    def relation_problem(self, predicate: Term) -> str:
        """Why a predicate is no relation that is known here; "" where it is one."""
        ...

    def support(self, statement: str, evidence: str) -> Support | None:
        """What the judges said of a piece of evidence of a statement (ids); None: not judged."""
        ...


def is_overruled(approvals: Sequence[Decision]) -> bool:
    """Whether an approval that stands says why the statement is to pass all the same."""
    notes = (d.note.strip().casefold() for d in approvals if d.verdict is Verdict.APPROVE)
    return any(note.startswith(OVERRULED) and len(note) > len(OVERRULED) for note in notes)


def built_in(predicate: Term) -> str:
    """Why a predicate of RDF or OWL itself says nothing about the world; "" for any other.

    >>> built_in(Term("rdfs:label", "label")), built_in(Term("RO:0002606", "treats"))
    ('rdfs:label is part of the language of RDF and OWL', '')
    """
    prefix = predicate.id.partition(":")[0].casefold()
    return f"{predicate.id} is part of the language of RDF and OWL" if prefix in BUILT_IN else ""


def kinds_problem(statement: Statement) -> str:
    """Which end is not of a kind that the relation joins, in words; "" where both may be.

    >>> aspirin = Term("CHEBI:15365", "aspirin", Category.CHEMICAL)
    >>> kinds_problem(Statement(aspirin, Term("biolink:treats", "treats"), aspirin))
    'the object of “treats” cannot be a chemical'
    """
    if isinstance(statement.object, Literal):
        return ""
    subject, object_ = (biolink_category(end) for end in (statement.subject, statement.object))
    name = biolink_predicate(statement.predicate)
    own = statement.predicate.id == PREFIX + name
    words = relation_words(statement.predicate)
    if own and name in ends_taken():
        for role, kind, taken in zip(
            ("subject", "object"), (subject, object_), ends_taken()[name], strict=True
        ):
            if taken - NO_KIND_OF_OURS and kind in TOLD_APART and kind not in taken:
                return f"the {role} of “{words}” cannot be {with_article(kind)}"
    family = family_of(words)
    return misfit(family.name, subject, object_) if family else ""


def unsaid(statement: str, evidence: Sequence[Evidence], prover: MeaningProver) -> str:
    """Why none of the evidence says the statement (its id); "" where a piece does, may do, or is no
    text, and where no judge was asked.
    """
    verdicts = []
    for piece in evidence:
        support = prover.support(statement, piece.id)
        if not isinstance(piece.ground, TextGround) or support is None or not support.held:
            return ""
        verdicts.append(support)
    best = max(verdicts, key=lambda support: support.probability, default=None)
    return "; ".join(best.reasons[:2]) if best else ""
