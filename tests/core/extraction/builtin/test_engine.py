"""The built-in engine over schemas written here, with a word list in place of vocabularies."""

from __future__ import annotations

import re

import pytest

from core.errors import InputError
from core.extraction.builtin.engine import DictionaryEngine, recognisable_classes
from core.extraction.tree import Branch, Extraction, Leaf
from core.grounding.recognise.recogniser import RecognisedMention
from core.model import Candidate, Category, MatchKind, Outcome, Span, Term
from core.schema.definition import (
    ClassDefinition,
    EnumDefinition,
    PermissibleValue,
    RangeKind,
    Schema,
    Slot,
)

IDS = {
    "aspirin": ("Chemical", "CHEBI:15365"),
    "veratin": ("Chemical", "CHEBI:1"),
    "headache": ("Disease", "MESH:D006261"),
    "tremor": ("Disease", "MESH:D014202"),
    "flour": ("Food", "FOODON:1"),
    "milk": ("Food", "FOODON:2"),
    "cup": ("Unit", "UO:1"),
}


class WordList:
    def annotate(
        self, text: str, constraints: object, progress: object = None
    ) -> list[RecognisedMention]:
        return [
            RecognisedMention(
                Span(*hit.span()), cls, (Candidate(Term(id, word), MatchKind.LABEL, 1.0),)
            )
            for word, (cls, id) in IDS.items()
            if cls in constraints  # type: ignore[operator]
            for hit in re.finditer(rf"\b{word}s?\b", text, re.IGNORECASE)
        ]


def slot(name: str, range_: str, kind: RangeKind, **more: object) -> Slot:
    return Slot(name, range_, kind, f"x:{name}", name, **more)  # type: ignore[arg-type]


def entity(name: str, category: Category) -> ClassDefinition:
    return ClassDefinition(name, is_entity=True, category=category, annotators=("any",))


def schema(*classes: ClassDefinition, root: str, enums: tuple[EnumDefinition, ...] = ()) -> Schema:
    known = {cls.name: cls for cls in classes}
    return Schema(
        "trial", "Trial", "", root, classes=known, enums={enum.name: enum for enum in enums}
    )


PREDICATES = EnumDefinition(
    "Relation", (PermissibleValue("INDUCES"), PermissibleValue("TREATS", ("relieves",)))
)
CLAIMS = schema(
    ClassDefinition(
        "Text",
        slots=(
            slot("title", "string", RangeKind.LITERAL),
            slot("triples", "Claim", RangeKind.OBJECT, multivalued=True),
            slot("chemicals", "Chemical", RangeKind.ENTITY, multivalued=True),
        ),
    ),
    ClassDefinition(
        "Claim",
        is_triple=True,
        slots=(
            slot("subject", "Chemical", RangeKind.ENTITY),
            slot("predicate", "Relation", RangeKind.ENUM),
            slot("object", "Disease", RangeKind.ENTITY),
            slot("qualifier", "string", RangeKind.LITERAL),
            slot("object_qualifier", "string", RangeKind.LITERAL),
        ),
    ),
    entity("Chemical", Category.CHEMICAL),
    entity("Disease", Category.DISEASE),
    root="Text",
    enums=(PREDICATES,),
)
RECIPE = schema(
    ClassDefinition(
        "Recipe",
        slots=(
            slot("label", "string", RangeKind.LITERAL),
            slot("ingredients", "Ingredient", RangeKind.OBJECT, multivalued=True),
        ),
    ),
    ClassDefinition(
        "Ingredient",
        slots=(
            slot("food", "FoodItem", RangeKind.OBJECT),
            slot("amount", "Quantity", RangeKind.OBJECT),
        ),
    ),
    ClassDefinition(
        "FoodItem",
        slots=(slot("food", "Food", RangeKind.ENTITY), slot("state", "string", RangeKind.LITERAL)),
    ),
    ClassDefinition(
        "Quantity",
        slots=(
            slot("value", "decimal", RangeKind.LITERAL, datatype="xsd:decimal", unit_slot="unit"),
            slot("unit", "string", RangeKind.LITERAL),
        ),
    ),
    entity("Food", Category.FOOD),
    root="Recipe",
)


def extract(known: Schema, text: str) -> Extraction:
    return DictionaryEngine(WordList()).extract(known, "", text)


def said(extraction: Extraction) -> dict[str, str]:
    return {leaf.path: leaf.value for leaf in extraction.tree.leaves()}


def test_a_triple_is_filled_from_a_sentence() -> None:
    values = said(extract(CLAIMS, "A trial\nAspirin relieves severe headache."))
    assert values["triples[0].subject"] == "Aspirin"
    assert values["triples[0].predicate"] == "TREATS"
    assert values["triples[0].object"] == "headache"
    assert values["triples[0].object_qualifier"] == "severe"


def test_a_denied_triple_says_not() -> None:
    assert said(extract(CLAIMS, "Aspirin did not induce tremor."))["triples[0].qualifier"] == "NOT"


def test_without_a_slot_for_it_not_stands_in_the_predicate() -> None:
    claim = CLAIMS.classes["Claim"]
    bare = ClassDefinition("Claim", is_triple=True, slots=claim.slots[:3])
    extraction = extract(
        schema(*(CLAIMS.classes | {"Claim": bare}).values(), root="Text", enums=(PREDICATES,)),
        "Aspirin did not induce tremor.",
    )
    assert said(extraction)["triples[0].predicate"] == "NOT INDUCES"


def test_every_entity_leaf_has_a_mention_with_all_its_places() -> None:
    extraction = extract(CLAIMS, "Aspirin and pain\nAspirin relieves headache. Aspirin is old.")
    slots = {leaf.path for leaf in extraction.tree.leaves() if str(leaf.kind) == "entity"}
    assert {mention.slot for mention in extraction.mentions} == slots
    chemical = next(mention for mention in extraction.mentions if mention.slot == "chemicals[0]")
    assert (len(chemical.spans), chemical.outcome) == (3, Outcome.GROUNDED)


def test_the_first_place_is_the_one_in_the_stated_sentence() -> None:
    text = "Aspirin and pain\nAspirin relieves headache."
    extraction = extract(CLAIMS, text)
    subject = next(
        mention for mention in extraction.mentions if mention.slot == "triples[0].subject"
    )
    assert subject.spans[0].start == text.index("Aspirin relieves")


def test_words_at_every_span_are_the_words_of_the_leaf() -> None:
    text = "Veratin-induced tremor. No tremor after aspirin."
    for leaf in extract(CLAIMS, text).tree.leaves():
        assert (
            leaf.spans[0].quote(text) == leaf.text
            or leaf.value in ("INDUCES", "TREATS")
            or leaf.text == "NOT"
        )


def test_list_lines_become_nested_objects_with_quantities() -> None:
    text = "Pancakes\n\nIngredients\n- 1 1/2 cups sifted flour\n- 200 ml milk\n\nMethod\nMix."
    values = said(extract(RECIPE, text))
    assert values["label"] == "Pancakes"
    assert values["ingredients[0].food.food"] == "flour"
    assert values["ingredients[0].food.state"] == "sifted"
    assert (values["ingredients[0].amount.value"], values["ingredients[0].amount.unit"]) == (
        "1.5",
        "[cup_us]",
    )
    assert (values["ingredients[1].amount.value"], values["ingredients[1].amount.unit"]) == (
        "200",
        "mL",
    )


def test_a_branch_is_the_words_of_its_line() -> None:
    text = "Pancakes\n\nIngredients\n- 200 ml milk\n"
    first = extract(RECIPE, text).tree.get("ingredients")[0]
    assert isinstance(first, Branch)
    assert first.spans[0].quote(text) == first.text == "200 ml milk"


def test_text_without_mentions_is_reported_as_a_problem() -> None:
    extraction = extract(CLAIMS, "Nothing of interest.")
    assert [problem.code for problem in extraction.problems] == ["nothing-recognised"]
    assert not extraction.mentions


def test_names_that_nothing_joins_are_named() -> None:
    known = schema(
        ClassDefinition(
            "Text", slots=(slot("triples", "Claim", RangeKind.OBJECT, multivalued=True),)
        ),
        CLAIMS.classes["Claim"],
        entity("Chemical", Category.CHEMICAL),
        entity("Disease", Category.DISEASE),
        root="Text",
        enums=(PREDICATES,),
    )
    (problem,) = extract(known, "The headache lasted two days.").problems
    assert problem.code == "nothing-stated"
    assert "headache" in problem.message


def test_an_unknown_class_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="Claim"):
        DictionaryEngine(WordList()).extract(CLAIMS, "Nonsense", "text")


def test_only_classes_bound_to_a_vocabulary_are_looked_for() -> None:
    free = ClassDefinition("Anything", is_entity=True)
    root = ClassDefinition(
        "Root", slots=(slot("things", "Anything", RangeKind.ENTITY, multivalued=True),)
    )
    assert recognisable_classes(schema(root, free, root="Root"), root) == []


def test_the_same_text_gives_the_same_extraction() -> None:
    text = "Veratin-induced tremor. Aspirin relieves headache."
    assert extract(CLAIMS, text) == extract(CLAIMS, text)


def test_a_leaf_of_each_kind_has_its_range() -> None:
    leaf = next(
        leaf
        for leaf in extract(CLAIMS, "Veratin causes tremor.").tree.leaves()
        if leaf.path.endswith("subject")
    )
    assert isinstance(leaf, Leaf)
    assert leaf.cls == "Chemical"


def test_the_evidence_of_a_relation_is_the_sentence_that_states_it() -> None:
    text = "Veratin causes severe and long tremor. Tremor, veratin and sleep were noted."
    extraction = extract(CLAIMS, text)
    ends = [
        leaf
        for leaf in extraction.tree.leaves()
        if leaf.path in ("triples[0].subject", "triples[0].object")
    ]
    assert all(leaf.spans[0].end <= text.index(".") for leaf in ends)
    assert all(len(leaf.spans) == 1 for leaf in ends)


def test_a_stop_is_heard_before_names_are_looked_for() -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        DictionaryEngine(WordList(), stop).extract(CLAIMS, "", "Aspirin relieves headache.")


def test_a_denial_of_something_else_in_the_sentence_negates_no_relation() -> None:
    extraction = extract(
        CLAIMS, "Aspirin relieves headache and helps those who do not respond to veratin."
    )
    triple = extraction.tree.get("triples")[0]
    assert triple.text == "Aspirin relieves headache"
    assert "triples[0].qualifier" not in said(extraction)


def test_a_date_is_normalised() -> None:
    day = slot("day", "date", RangeKind.LITERAL, datatype="xsd:date")
    known = schema(ClassDefinition("Sample", slots=(day,)), root="Sample")
    for words in ("12 June 2021", "June 12, 2021", "2021-06-12"):
        assert said(extract(known, f"Taken on {words} at sea."))["day"] == "2021-06-12"


@pytest.mark.parametrize("text", ["lead causes asthma.", "lead causes asthma. " * 200])
def test_objects_within_objects_end_with_a_problem_where_there_are_too_many(text: str) -> None:
    levels = [
        ClassDefinition(
            f"Level{level}",
            slots=tuple(
                slot(f"part{number}", f"Level{level + 1}", RangeKind.OBJECT, multivalued=True)
                for number in range(16)
            ),
        )
        for level in range(8)
    ]
    extraction = extract(schema(*levels, root="Level0"), text)
    assert "too-many-objects" in [problem.code for problem in extraction.problems]
