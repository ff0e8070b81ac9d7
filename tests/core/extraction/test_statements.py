"""A tree becomes statements, each with the sentence that proves it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.extraction.assemble import assemble_extraction, with_names
from core.extraction.block import Block
from core.extraction.choice import with_choices
from core.extraction.mention_grounding import Grounding
from core.extraction.statements import (
    Proposed,
    count_statements,
    extracted_statements,
    incomplete_triples,
    ungrounded_terms,
)
from core.extraction.tree import Branch, Extraction, Leaf, LeafKind
from core.model import Category, Literal, Modality, Node, Outcome, Term, TextGround
from core.schema.definition import Schema
from core.store.run import MentionChoice
from core.text.clean import text_version
from tests.core.extraction.fakes import names

TEXT = (
    "Aspirin was given. It did not cause asthma, but it treats fever well.\nMorphine is another"
    " drug."
)
TERMS = {
    "aspirin": Term("CHEBI:15365", "aspirin", Category.CHEMICAL),
    "asthma": Term("MONDO:0004979", "asthma", Category.DISEASE),
    "treats": Term("biolink:treats", "treats", Category.RELATION),
    "induces": Term("biolink:causes", "causes", Category.RELATION),
}


def relation(words: str = "", **fields: str) -> Block:
    return Block("Relation", tuple((name, (value,)) for name, value in fields.items()), words)


def paper(*relations: Block) -> Block:
    return Block("Paper", (("relations", relations),))


def claims(
    schema: Schema, block: Block, text: str = TEXT, look_up: Grounding | None = None
) -> list[Proposed]:
    extraction = assemble_extraction(schema, block, text, look_up or names(schema, TERMS))
    return extracted_statements(
        schema,
        extraction,
        "PMID:1",
        text_version("PMID:1", text, "pasted"),
        run="run",
        engine="spires",
    )


def test_a_triple_is_one_statement_with_its_sentences(relations: Schema) -> None:
    block = paper(relation(subject="aspirin", predicate="TREATS", object="fever"))
    ((statement, (evidence,)),) = claims(relations, block)
    assert (statement.subject.id, statement.predicate.id, statement.negated) == (
        "CHEBI:15365",
        "biolink:treats",
        False,
    )
    assert isinstance(evidence.ground, TextGround)
    assert evidence.ground.quote == TEXT[evidence.ground.span.start : evidence.ground.span.end]
    assert evidence.ground.quote == TEXT.split("\n")[0]
    assert evidence.path == "relations[0]"


def test_statements_are_counted_as_they_are_made_each_once(relations: Schema) -> None:
    fever = relation(subject="aspirin", predicate="TREATS", object="fever")
    asthma = relation(subject="aspirin", predicate="INDUCES", object="asthma")
    block = paper(fever, asthma, fever)
    extraction = assemble_extraction(relations, block, TEXT, names(relations, TERMS))
    assert count_statements(relations, extraction, "PMID:1") == 2
    assert len(claims(relations, block)) == 2


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("", {"predicate": "NOT INDUCES"}),
        ("", {"predicate": "INDUCES", "qualifier": "NOT"}),
        ("aspirin NOT INDUCES asthma", {"predicate": "INDUCES"}),
        ("", {"predicate": "did not induce"}),
    ],
)
def test_negation_is_never_lost(relations: Schema, words: str, fields: dict[str, str]) -> None:
    block = paper(relation(words, subject="aspirin", object="asthma", **fields))
    ((statement, _),) = claims(relations, block)
    assert statement.negated
    assert statement.predicate.id in ("biolink:causes", "")


def test_a_negated_predicate_is_grounded_by_its_words(relations: Schema) -> None:
    ((statement, _),) = claims(
        relations, paper(relation(subject="aspirin", predicate="NOT INDUCES", object="asthma"))
    )
    assert statement.predicate.id == "biolink:causes"


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("", {"predicate": "MAYBE INDUCES"}),
        ("", {"predicate": "INDUCES", "qualifier": "MAYBE"}),
        ("aspirin MAYBE INDUCES asthma", {"predicate": "INDUCES"}),
    ],
)
def test_what_a_model_calls_a_maybe_is_a_hypothesis(
    relations: Schema, words: str, fields: dict[str, str]
) -> None:
    block = paper(relation(words, subject="aspirin", object="asthma", **fields))
    ((statement, _),) = claims(relations, block)
    assert statement.modality is Modality.HYPOTHESIS
    assert statement.predicate.id == "biolink:causes"
    assert statement.qualifiers == ()


def test_qualifiers_and_hedges_are_kept(relations: Schema) -> None:
    fields = {"subject_qualifier": "high dose", "qualifier": "possibly"}
    block = paper(relation(subject="aspirin", predicate="TREATS", object="fever", **fields))
    ((statement, _),) = claims(relations, block)
    assert {(q.name, q.value) for q in statement.qualifiers} == {
        ("subject_qualifier", Literal("high dose")),
        ("qualifier", Literal("possibly")),
    }
    assert statement.modality is Modality.HYPOTHESIS


def test_several_objects_are_several_statements(relations: Schema) -> None:
    fields = (
        ("subject", ("aspirin",)),
        ("predicate", ("treats",)),
        ("object", ("asthma", "fever")),
    )
    proposed = claims(relations, paper(Block("Relation", fields)))
    assert [statement.object.label for statement, _ in proposed] == ["asthma", "fever"]


def test_words_that_are_not_in_the_text_prove_nothing(relations: Schema) -> None:
    ((statement, evidence),) = claims(
        relations, paper(relation(subject="aspirin", predicate="treats", object="gout"))
    )
    assert evidence == []
    assert [term.label for term in ungrounded_terms(statement)] == ["gout"]


def test_a_relation_without_an_end_claims_nothing_and_says_so(relations: Schema) -> None:
    extraction = assemble_extraction(
        relations, paper(relation(subject="aspirin", predicate="treats")), TEXT
    )
    assert [problem.code for problem in incomplete_triples(relations, extraction)] == [
        "incomplete-triple"
    ]


def test_a_document_mentions_its_terms_in_every_sentence(relations: Schema) -> None:
    proposed = claims(
        relations, Block("Paper", (("chemicals", ("aspirin",)),)), "Aspirin. Then aspirin again."
    )
    ((statement, evidence),) = proposed
    assert isinstance(statement.subject, Node)
    assert statement.predicate.id == "ex:chemicals"
    assert len(evidence) == 2


QUANTITY = Block("Quantity", (("value", ("200",)), ("unit", ("g",))), "200 g")
RECIPE = "Mix 200 g of flour. Bake it."


def test_a_quantity_is_one_literal_with_its_ucum_unit(recipe: Schema) -> None:
    food = Block("FoodItem", (("food", ("flour",)),), "flour")
    block = Block("Ingredient", (("food", (food,)), ("amount", (QUANTITY,))))
    proposed = claims(recipe, Block("Dish", (("ingredients", (block,)),)), RECIPE)
    assert Literal("200", "xsd:decimal", "g") in [statement.object for statement, _ in proposed]
    assert all(not (isinstance(s.object, Term) and s.object.label == "g") for s, _ in proposed)


def test_every_node_is_reached_from_the_root(recipe: Schema) -> None:
    block = Block("Ingredient", (("amount", (QUANTITY,)),), "200 g of flour")
    statements = [
        statement
        for statement, _ in claims(recipe, Block("Dish", (("ingredients", (block,)),)), RECIPE)
    ]
    reached = {s.object.id for s in statements if isinstance(s.object, Node)}
    roots = {s.subject.id for s in statements} - reached
    assert len(roots) == 1


def test_correcting_a_term_changes_no_node(recipe: Schema) -> None:
    item = Block("FoodItem", (("food", ("flour",)),), "flour")
    tree = assemble_extraction(
        recipe,
        Block("Dish", (("ingredients", (Block("Ingredient", (("food", (item,)),)),)),)),
        RECIPE,
    )
    version = text_version("PMID:1", RECIPE, "pasted")
    term = Term("FOODON:1", "flour", Category.FOOD)
    slot = tree.mentions[0].slot
    corrected = with_choices(
        tree, {slot: MentionChoice("run", slot, Outcome.GROUNDED, term, "0000", "now")}
    )

    def nodes(of: object) -> set[str]:
        statements = extracted_statements(recipe, of, "PMID:1", version, run="run", engine="spires")  # type: ignore[arg-type]
        return {t.id for s, _ in statements for t in (s.subject, s.object) if isinstance(t, Node)}

    assert nodes(tree) == nodes(corrected)


def test_mention_without_a_fitting_term_becomes_an_unnamed_node(recipe: Schema) -> None:
    tree = assemble_extraction(recipe, Block("FoodItem", (("food", ("flour",)),)), RECIPE)
    choice = MentionChoice("run", "food", Outcome.NO_TERM_FITS, None, "0000", "now")
    statements = extracted_statements(
        recipe,
        with_choices(tree, {"food": choice}),
        "PMID:1",
        text_version("PMID:1", RECIPE, "p"),
        run="r",
        engine="e",
    )
    ((statement, _),) = statements
    assert isinstance(statement.object, Node)
    assert ungrounded_terms(statement) == []


def test_an_enum_is_its_meaning_or_its_name(recipe: Schema) -> None:
    statements = [
        claims(recipe, Block("Dish", (("course", (words,)),)), RECIPE)[0][0]
        for words in ("main", "Dessert")
    ]
    assert [s.object for s in statements] == [Term("ex:main", "main_course"), Literal("dessert")]


def test_an_entity_object_is_the_term_of_its_name(relations: Schema) -> None:
    paper_of = relations.classes["Paper"]
    slots = tuple(replace(s, kind="object") if s.name == "chemicals" else s for s in paper_of.slots)
    schema = replace(
        relations, classes={**relations.classes, "Paper": replace(paper_of, slots=slots)}
    )
    block = Block(
        "Paper", (("chemicals", (Block("Chemical", (("label", ("aspirin",)),), "aspirin"),)),)
    )
    ((statement, _),) = claims(schema, block, TEXT, names(schema, TERMS))
    assert statement.object == TERMS["aspirin"]


def test_the_name_of_an_entity_object_is_a_mention_whatever_the_engine(relations: Schema) -> None:
    leaf = Leaf("label", "aspirin", "string", LeafKind.LITERAL, "aspirin")
    extraction = Extraction(Branch("", "Chemical", slots=(("label", (leaf,)),)))
    named = with_names(relations, extraction, TEXT, names(relations, TERMS))
    assert [(m.slot, m.chosen) for m in named.mentions] == [("label", TERMS["aspirin"])]
    assert next(named.tree.leaves()).kind is LeafKind.ENTITY
