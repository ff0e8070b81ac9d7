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


def mesh_kind(lexicon: Lexicon, id: str) -> Category:
    """The kind of a term (`MESH:D001241`); THING where no branch says one."""
    above = lexicon.ancestors(id)
    if _MENTAL_DISORDERS in above:
        return Category.DISEASE
    letters = sorted(broader[-1] for broader in above if broader.startswith("MESH:category-"))
    # nearly all supplementary records are substances
    other = Category.CHEMICAL if id.startswith("MESH:C") else Category.THING
    return next((_BRANCHES[letter] for letter in letters if letter in _BRANCHES), other)
