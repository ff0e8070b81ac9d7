"""What kind of thing a MeSH term is, by the branch of the tree that it hangs in."""

from __future__ import annotations

from core.grounding.index.lexicon import Lexicon
from core.model import Category

# The branches of MeSH, by the letter of their tree numbers.
_BRANCHES = {
    "A": Category.ANATOMY,
    "B": Category.ORGANISM,
    "C": Category.DISEASE,
    "D": Category.CHEMICAL,
    "E": Category.PROCEDURE,
    "F": Category.PROCESS,
    "G": Category.PROCESS,
    "J": Category.FOOD,
}
_MENTAL_DISORDERS = "MESH:D001523"  # in branch F
_PREFIX, _CATEGORY = "MESH", "MESH:category-"
_MATTER = frozenset((Category.CHEMICAL, Category.ORGANISM, Category.ANATOMY))
# What of MeSH is no thing of a kind: where a disease is asked for, "HFpEF" is no polystyrene.
# Branches that may hold one (behaviour, processes) are left in.
_OF_OTHER_KIND = {
    Category.DISEASE: _MATTER | {Category.FOOD},
    Category.PHENOTYPE: _MATTER | {Category.FOOD},
    Category.CHEMICAL: frozenset((Category.DISEASE, Category.ORGANISM)),
    Category.GENE: frozenset((Category.DISEASE, Category.ORGANISM)),
    Category.PROTEIN: frozenset((Category.DISEASE, Category.ORGANISM)),
    Category.ORGANISM: frozenset((Category.CHEMICAL, Category.DISEASE, Category.ANATOMY)),
    Category.ANATOMY: frozenset((Category.CHEMICAL, Category.DISEASE, Category.ORGANISM)),
    Category.CELL: frozenset((Category.CHEMICAL, Category.DISEASE, Category.ORGANISM)),
    Category.FOOD: frozenset((Category.DISEASE,)),
}


def mesh_kind(lexicon: Lexicon, id: str) -> Category:
    """The kind of a term (`MESH:D001241`); THING where no branch says one."""
    above = lexicon.ancestors(id)
    if _MENTAL_DISORDERS in above:
        return Category.DISEASE
    letters = sorted(broader[-1] for broader in above if broader.startswith(_CATEGORY))
    # nearly all supplementary records are substances
    other = Category.CHEMICAL if id.startswith("MESH:C") else Category.THING
    return next((_BRANCHES[letter] for letter in letters if letter in _BRANCHES), other)


def is_of_other_kind(lexicon: Lexicon, id: str, category: Category) -> bool:
    """Whether all branches of MeSH that hold a term are of other kinds than the one asked for.
    Never of other vocabularies' terms, nor of terms that no branch is known of.
    """
    other = _OF_OTHER_KIND.get(category)
    if not other or not id.startswith(f"{_PREFIX}:") or not lexicon.has_hierarchy:
        return False
    above = lexicon.ancestors(id)
    letters = [broader[-1] for broader in above if broader.startswith(_CATEGORY)]
    if not letters or _MENTAL_DISORDERS in above:
        return False
    return all(_BRANCHES.get(letter) in other for letter in letters)
