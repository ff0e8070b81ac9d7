"""An explanation names what matters of a long definition, and nothing else."""

from __future__ import annotations

from core.kb.owl.form import Iri, OwlForm, Part
from core.kb.reasoning.classify import explained_member, needed_parts, owl_in_words
from core.kb.reasoning.entailment import is_entailed_subclass
from core.kb.reasoning.taxonomy import NOTHING

SPACE = "https://example.org/"
NAMES = {
    f"{SPACE}{name.replace(' ', '-')}": name
    for name in ("soup", "tomato", "lentil", "red lentil", "pulse dish", "red dish", "part", "food")
}
SOUP, TOMATO, LENTIL, RED, PULSES, RED_DISHES, PART, FOOD = map(Iri, NAMES)


def some(relation: Iri, filler: Part) -> OwlForm:
    return OwlForm("ObjectSomeValuesFrom", (relation, filler))


def both(*parts: Part) -> OwlForm:
    return OwlForm("ObjectIntersectionOf", parts)


def part(food: Part) -> OwlForm:
    """A part of a dish, of a kind and made of some food."""
    return some(PART, both(Iri(f"{SPACE}ingredient"), some(FOOD, food)))


DISH = OwlForm(
    "EquivalentClasses",
    (SOUP, both(*(part(Iri(f"{SPACE}food-{n}")) for n in range(12)), part(TOMATO), part(RED))),
)
DEFINED = (
    OwlForm("EquivalentClasses", (PULSES, some(PART, some(FOOD, LENTIL)))),
    OwlForm("EquivalentClasses", (RED_DISHES, some(PART, some(FOOD, TOMATO)))),
    OwlForm("SubClassOf", (RED, LENTIL)),
    OwlForm("DisjointClasses", (PULSES, RED_DISHES)),
)


def test_the_two_contradicting_ingredients_of_a_large_dish_are_named():
    because = [
        owl_in_words(form, NAMES) for form in explained_member([DISH, *DEFINED], SOUP.iri, NOTHING)
    ]
    assert sorted(because) == [
        "nothing is both pulse dish and red dish",
        "pulse dish means: has part › food: lentil",
        "red dish means: has part › food: tomato",
        "red lentil is a lentil",
        "soup has part › food: red lentil",
        "soup has part › food: tomato",
    ]


def test_minimal_reasons_still_hold_and_none_can_be_dropped():
    def holds(axioms):
        return is_entailed_subclass(axioms, SOUP.iri, PULSES.iri)

    needed = needed_parts([DISH, *DEFINED[:1], DEFINED[2]], holds)
    assert holds(needed)
    assert not any(holds(needed[:at] + needed[at + 1 :]) for at in range(len(needed)))


def test_definition_needed_from_right_to_left_is_not_split():
    assert DEFINED[0] in needed_parts(
        [DISH, *DEFINED[:1], DEFINED[2]],
        lambda subset: is_entailed_subclass(subset, SOUP.iri, PULSES.iri),
    )
