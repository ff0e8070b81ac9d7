"""Whether a statement means what it may mean: its predicate is a relation, its ends are of kinds
that the relation joins, and its evidence says it. What of this a curator overrules, with a reason
that is exported, passes all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.kb.formats.biolink import RELATED, biolink_category, biolink_predicate, ends_taken
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
_CONDITIONS = frozenset((Category.DISEASE, Category.PHENOTYPE))
_MATERIAL = TOLD_APART - _CONDITIONS  # BFO's material entity; a disease is a disposition
_GENE_PRODUCTS = frozenset((Category.GENE, Category.PROTEIN))
# What the Relation Ontology says of ends where Biolink, to which it is mapped, says nothing: of the
# subject, of the object; empty for all. For "condition" its definitions, which have no axiom.
_RO_ENDS: dict[str, tuple[frozenset[Category], frozenset[Category]]] = {
    "RO:0003302": (frozenset(), _CONDITIONS),  # causes or contributes to condition
    "RO:0003303": (frozenset(), _CONDITIONS),  # causes condition
    "RO:0003304": (frozenset(), _CONDITIONS),  # contributes to condition
    "RO:0003307": (frozenset(), _CONDITIONS),  # ameliorates condition
    "RO:0001025": (_MATERIAL, _MATERIAL),  # located in
    "RO:0002436": (_MATERIAL, _MATERIAL),  # molecularly interacts with
    "RO:0002448": (_MATERIAL, _MATERIAL),  # directly regulates activity of
    "RO:0002449": (_MATERIAL, _MATERIAL),  # directly negatively regulates activity of
    "RO:0002450": (_MATERIAL, _MATERIAL),  # directly positively regulates activity of
}
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
    words = relation_words(statement.predicate)
    for role, kind, taken in zip(
        ("subject", "object"), (subject, object_), _taken(statement.predicate), strict=True
    ):
        if taken - NO_KIND_OF_OURS and kind in TOLD_APART and kind not in taken:
            return f"the {role} of “{words}” cannot be {with_article(kind)}"
    family = family_of(words)
    return misfit(family.name, subject, object_) if family else ""


def _taken(predicate: Term) -> tuple[frozenset[str], frozenset[str]]:
    """The kinds that a relation takes as subject and as object, empty for all: Biolink's, which a
    narrower relation of RO inherits, else RO's. A gene stands for its product, which is a
    substance; a disease can be the sign of another (hemolytic anemia of G6PD deficiency).
    """
    own = _RO_ENDS.get(predicate.id, (frozenset(), frozenset()))
    name = biolink_predicate(predicate)
    biolink = ends_taken().get(name, own) if name != RELATED else own
    subjects, objects = (said or theirs for said, theirs in zip(own, biolink, strict=True))
    if Category.PHENOTYPE in objects:
        objects |= _CONDITIONS
    return _with_products(subjects), _with_products(objects)


def _with_products(kinds: frozenset[str]) -> frozenset[str]:
    gives = {Category.CHEMICAL, Category.GENE, Category.PROTEIN} & kinds
    return kinds | _GENE_PRODUCTS if gives else kinds


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
