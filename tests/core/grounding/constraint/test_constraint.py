"""What ids a class of a schema allows."""

from __future__ import annotations

import pytest

from core.grounding.constraint.constraint import (
    Constraint,
    NoSynonyms,
    constraint_of,
    kinds_of_term,
)
from core.model import Category, Term
from core.schema.definition import (
    ClassDefinition,
    EnumDefinition,
    PermissibleValue,
    Schema,
    ValueSet,
)

DISEASES = ValueSet("Diseases", "mondo", ("MONDO:0000001",))
SIGNS = ValueSet("Signs", "hp", ("HP:0000118",))
MORE_SIGNS = ValueSet("MoreSigns", "hp", ("HP:0012823",))
UNNAMED = ValueSet("Unnamed", "", ("X:1",))
STAGE = EnumDefinition("Stage", (PermissibleValue("early"), PermissibleValue("late")))
BRANCH = EnumDefinition("Branch", value_sets=(SIGNS, MORE_SIGNS))


def schema(**fields: object) -> Schema:
    cls = ClassDefinition("Disease", **fields)  # type: ignore[arg-type]
    enums = {enum.name: enum for enum in (STAGE, BRANCH)}
    return Schema("s", "S", "", "Disease", classes={"Disease": cls}, enums=enums)


def test_an_unknown_class_constrains_nothing():
    assert constraint_of(schema(annotators=("mondo",)), "Gremlin") == Constraint()


def test_a_class_gives_its_vocabularies_prefixes_pattern_and_kind():
    constraint = constraint_of(
        schema(
            annotators=("mondo", "doid"),
            id_prefixes=("MONDO",),
            id_pattern=r"^MONDO:\d{7}$",
            category=Category.DISEASE,
            value_sets=(SIGNS,),
        ),
        "Disease",
    )
    assert constraint == Constraint(
        ("mondo", "doid"), ("MONDO",), r"^MONDO:\d{7}$", (SIGNS,), (), Category.DISEASE
    )


def test_without_annotators_the_vocabularies_are_those_of_the_value_sets_each_once():
    constraint = constraint_of(
        schema(value_sets=(DISEASES, UNNAMED), enums=("Branch", "Missing")), "Disease"
    )
    assert constraint.vocabularies == ("mondo", "hp")
    assert constraint.value_sets == (DISEASES, UNNAMED, SIGNS, MORE_SIGNS)


def test_constraint_keeps_only_enums_that_list_values():
    assert constraint_of(schema(enums=("Stage", "Branch")), "Disease").enums == (STAGE,)


@pytest.mark.parametrize(
    ("prefixes", "pattern", "allowed", "refused"),
    [
        ((), "", ["HP:1", "X:1"], []),
        (("HP",), "", ["HP:1", "hp:1"], ["MONDO:1", "HPX:1"]),
        (("MONDO", "HP"), "", ["HP:1", "MONDO:1"], ["X:1"]),
        ((), r"HP:\d+", ["HP:12"], ["HP:1a", "XHP:12", "HP:12 "]),
        ((), r"^HP:\d+", ["HP:12", "HP:12a"], ["XHP:12"]),
        ((), r"\d+$", ["HP:12", "X:1"], ["HP:1a"]),
        (("HP",), r"^HP:1$", ["HP:1"], ["HP:2", "MONDO:1"]),
    ],
)
def test_an_id_must_fit_prefix_and_pattern(prefixes, pattern, allowed, refused):
    constraint = Constraint(prefixes=prefixes, pattern=pattern)
    assert all(constraint.allows(id) for id in allowed)
    assert [constraint.allows(id) for id in refused] == [False] * len(refused)


def test_outside_a_project_nobody_named_or_refused_anything():
    nothing = NoSynonyms()
    assert (nothing.lookup("x"), nothing.all(), nothing.refused("x")) == ([], [], frozenset())
    assert nothing.steady() is nothing


SIGN = ClassDefinition("Sign", annotators=("hp",), id_prefixes=("HP",))
DRUG = ClassDefinition(
    "Drug", annotators=("chebi",), id_prefixes=("CHEBI", "MESH"), category=Category.CHEMICAL
)
ILLNESS = ClassDefinition(
    "Illness", annotators=("mesh",), id_prefixes=("MESH",), category=Category.DISEASE
)
POISON = ClassDefinition(
    "Poison", annotators=("mesh",), id_prefixes=("MESH",), category=Category.CHEMICAL
)


def any_of(*members: ClassDefinition) -> Schema:
    """A schema whose class `Any` may be any of these."""
    classes = {cls.name: cls for cls in (*members, ClassDefinition("Any", members=members))}
    return Schema("s", "S", "", "Any", classes=classes, enums={})


@pytest.mark.parametrize(
    ("id", "vocabulary", "kinds"),
    [
        ("HP:1", "hp", ("Sign",)),
        ("MESH:D1", "chebi", ("Drug",)),  # of those that allow the id, the vocabulary's own
        ("MESH:D1", "mesh", ("Illness",)),
        ("MESH:D1", "mondo", ("Drug", "Illness")),  # the vocabulary of none: all that allow the id
        ("GO:1", "go", ()),
    ],
)
def test_a_range_of_several_classes_tells_which_of_them_allow_a_term(id, vocabulary, kinds):
    constraint = constraint_of(any_of(SIGN, DRUG, ILLNESS), "Any")
    assert tuple(member.kind for member in constraint.kinds_of(id, vocabulary)) == kinds


@pytest.mark.parametrize(
    ("category", "kinds"),
    [
        (Category.CHEMICAL, ("Poison",)),
        (Category.DISEASE, ("Illness",)),
        (Category.GENE, ("Illness", "Poison")),  # the category of neither tells nothing
    ],
)
def test_the_category_of_a_term_tells_two_classes_of_one_vocabulary_apart(category, kinds):
    term = Term("MESH:D1", "x", category)
    assert kinds_of_term(any_of(ILLNESS, POISON), "Any", term, "mesh") == kinds


def test_class_that_is_not_the_range_of_several_slots_gives_a_term_no_kind():
    assert kinds_of_term(any_of(SIGN), "Sign", Term("HP:1", "x"), "hp") == ()
