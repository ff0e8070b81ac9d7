"""What is needed of long axioms: of a dish with fourteen ingredients the two that matter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from core.kb.owl.form import OwlForm, Part

SOME, ALL = "ObjectSomeValuesFrom", "ObjectIntersectionOf"


def needed_parts(
    axioms: Sequence[OwlForm], holds: Callable[[Sequence[OwlForm]], bool]
) -> list[OwlForm]:
    """The axioms without the conjuncts that `holds` does not need, one axiom for each that is
    left. What they say of a class can get weaker by this, never stronger.
    """
    needed = list(axioms)
    for place, axiom in enumerate(axioms):

        def enough(weaker: OwlForm, place: int = place) -> bool:
            return holds([*needed[:place], weaker, *needed[place + 1 :]])

        needed[place] = _needed_of_axiom(axiom, enough)
    return [conjunct for axiom in needed for conjunct in _each_conjunct(axiom)]


def _needed_of_axiom(axiom: OwlForm, enough: Callable[[OwlForm], bool]) -> OwlForm:
    if axiom.operator == "EquivalentClasses" and len(axiom.parts) == 2:
        one_way = OwlForm("SubClassOf", axiom.parts)
        axiom = one_way if enough(one_way) else axiom
    if axiom.operator != "SubClassOf":
        return axiom
    left, right = axiom.parts
    weaker = _needed_of(right, lambda part: enough(OwlForm("SubClassOf", (left, part))))
    return OwlForm("SubClassOf", (left, weaker))


def _needed_of(part: Part, enough: Callable[[Part], bool]) -> Part:
    """The expression with the conjuncts alone without which it is not `enough`."""
    if isinstance(part, OwlForm) and part.operator == SOME:
        relation, filler = part.parts
        return OwlForm(
            SOME, (relation, _needed_of(filler, lambda f: enough(OwlForm(SOME, (relation, f)))))
        )
    if isinstance(part, OwlForm) and part.operator == ALL:
        kept = list(part.parts)
        for conjunct in part.parts:
            others = [other for other in kept if other != conjunct]
            if others and enough(_both(others)):
                kept = others
        for place, conjunct in enumerate(kept):
            kept[place] = _needed_of(conjunct, partial(_enough_among, kept, place, enough))
        return _both(kept)
    return part


def _enough_among(
    conjuncts: Sequence[Part], place: int, enough: Callable[[Part], bool], weaker: Part
) -> bool:
    return enough(_both([*conjuncts[:place], weaker, *conjuncts[place + 1 :]]))


def _both(parts: Sequence[Part]) -> Part:
    return parts[0] if len(parts) == 1 else OwlForm(ALL, tuple(parts))


def _each_conjunct(axiom: OwlForm) -> list[OwlForm]:
    left, right = axiom.parts[0], axiom.parts[-1]
    if axiom.operator == "SubClassOf" and isinstance(right, OwlForm) and right.operator == ALL:
        return [OwlForm("SubClassOf", (left, conjunct)) for conjunct in right.parts]
    return [axiom]
