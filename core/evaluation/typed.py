"""Which MeSH terms are chemicals and which diseases, for vocabulary files that hold names and nothing else.

The lexicons of the task have no tree numbers. CTD's disease list (a vocabulary called medic…) says what is a disease;
a chemical is any other term of MeSH whose names look like a substance's, or that a supplementary record (C…) has.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from core.grounding.grounder import Annotation, Constraint, Grounder
from core.model import Category


class TypedAnnotator:
    """Recognition with each term under one of the two types only."""

    def __init__(self, grounder: Grounder):
        self.grounder = grounder

    @cached_property
    def diseases(self) -> frozenset[str]:
        lists = [lexicon for lexicon in self.grounder.shelf.all() if lexicon.name.startswith("medic")]
        return frozenset(term.id for lexicon in lists for term in lexicon.terms(0, 1_000_000))

    def annotate(self, text: str, constraints: Mapping[str, Constraint]) -> list[Annotation]:
        found = self.grounder.annotate(text, constraints)
        return [one for one in found if self.fits(one, constraints[one.key].category)]

    def fits(self, one: Annotation, category: Category) -> bool:
        if not self.diseases or not one.candidates:
            return True
        return (one.candidates[0].term.id in self.diseases) == (category is Category.DISEASE)
