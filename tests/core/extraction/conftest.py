"""Small schemas of the tests' own, built without YAML."""

from __future__ import annotations

import pytest

from core.model import Category
from core.schema.definition import (
    ClassDefinition,
    EnumDefinition,
    PermissibleValue,
    RangeKind,
    Schema,
    Slot,
)


def slot(
    name: str, range: str = "string", kind: RangeKind = RangeKind.LITERAL, **more: object
) -> Slot:
    return Slot(name, range, kind, f"ex:{name}", f"<{name}>", **more)  # type: ignore[arg-type]


def entity(name: str, category: Category, **more: object) -> ClassDefinition:
    slots = (slot("id", identifier=True, skip=True), slot("label"))
    return ClassDefinition(name, is_entity=True, category=category, slots=slots, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def relations() -> Schema:
    """A document of chemicals, diseases and relations between them."""
    qualifiers = tuple(
        slot(name) for name in ("qualifier", "subject_qualifier", "object_qualifier")
    )
    relation = ClassDefinition(
        "Relation",
        is_triple=True,
        slots=(
            slot("subject", "Chemical", RangeKind.ENTITY),
            slot("predicate", "Verb", RangeKind.ENTITY),
            slot("object", "Disease", RangeKind.ENTITY),
            *qualifiers,
        ),
    )
    document = ClassDefinition(
        "Paper",
        tree_root=True,
        slots=(
            slot("chemicals", "Chemical", RangeKind.ENTITY, multivalued=True),
            slot("diseases", "Disease", RangeKind.ENTITY, multivalued=True, examples=("measles",)),
            slot("cellular_process", "Process", RangeKind.ENTITY, multivalued=True),
            slot("relations", "Relation", RangeKind.OBJECT, multivalued=True),
        ),
    )
    classes = (
        document,
        relation,
        entity("Chemical", Category.CHEMICAL, annotators=("chebi",)),
        entity("Disease", Category.DISEASE, annotators=("mondo",)),
        entity("Process", Category.PROCESS, annotators=("go",)),
        entity("Verb", Category.RELATION, is_relation=True),
    )
    return Schema("relations", "Relations", "", "Paper", classes={cls.name: cls for cls in classes})


@pytest.fixture(scope="session")
def recipe() -> Schema:
    """A dish with ingredients (each a quantity of a food) and steps."""
    dish = ClassDefinition(
        "Dish",
        tree_root=True,
        slots=(
            slot("label"),
            slot("description"),
            slot("ingredients", "Ingredient", RangeKind.OBJECT, multivalued=True),
            slot("steps", "Step", RangeKind.OBJECT, multivalued=True),
            slot("course", "Course", RangeKind.ENUM),
        ),
    )
    ingredient = ClassDefinition(
        "Ingredient",
        slots=(
            slot("food", "FoodItem", RangeKind.OBJECT),
            slot("amount", "Quantity", RangeKind.OBJECT),
        ),
    )
    food_item = ClassDefinition(
        "FoodItem", slots=(slot("food", "Food", RangeKind.ENTITY), slot("state"))
    )
    quantity = ClassDefinition(
        "Quantity",
        slots=(
            slot("value", "decimal", datatype="xsd:decimal", unit_slot="unit"),
            slot("unit", "Unit", RangeKind.ENTITY),
        ),
    )
    step = ClassDefinition(
        "Step",
        slots=(
            slot("action", "Action", RangeKind.ENTITY),
            slot("inputs", "FoodItem", RangeKind.OBJECT, multivalued=True),
        ),
    )
    classes = (
        dish,
        ingredient,
        food_item,
        quantity,
        step,
        entity("Food", Category.FOOD),
        entity("Unit", Category.UNIT),
        entity("Action", Category.PROCEDURE),
    )
    course = EnumDefinition(
        "Course",
        (
            PermissibleValue("main_course", ("main",), "ex:main", "eaten in the middle"),
            PermissibleValue("dessert"),
        ),
    )
    return Schema(
        "recipe",
        "Recipe",
        "",
        "Dish",
        classes={c.name: c for c in classes},
        enums={"Course": course},
    )
