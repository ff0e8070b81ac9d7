"""What a reasoner finds, held against a second one (HermiT, where Java is there)."""

from __future__ import annotations

import io
import random
import shutil

import pytest
from rdflib import Graph

from core.errors import InputError
from core.kb.entry import ExportEntry, KnowledgeBase
from core.kb.owl.form import Iri, OwlForm
from core.kb.owl.rdf import triples
from core.kb.reasoning.classify import classify, explained_member, owl_in_words
from core.kb.reasoning.definition import DefinedClass, MembershipCondition, class_iri
from core.kb.reasoning.elk import reason_by_elk
from core.kb.reasoning.merge import (
    checked_definition,
    extracted_module,
    kind_words,
    merge_ontology,
    tie_paths,
)
from core.kb.reasoning.taxonomy import NOTHING, Taxonomy
from core.model import Category, Literal, Modality, Node, Qualifier, Statement, Term

BASE = "https://example.org/kb/"
HAS, OF = Term("RO:0000051", "has part"), Term("RO:0002473", "composed of")
ABOVE = {
    "FOODON:1": ("FOODON:2",),  # flour → wheat product → food
    "FOODON:2": ("FOODON:3",),
    "FOODON:4": ("FOODON:3",),  # beef → food
}
WHEATY = DefinedClass("wheaty", "", (MembershipCondition((HAS.id, OF.id), "FOODON:2"),))
BEEFY = DefinedClass("beefy", "", (MembershipCondition((HAS.id, OF.id), "FOODON:4"),))


def food(number: int) -> Term:
    return Term(f"FOODON:{number}", f"food {number}", Category.FOOD)


def dish(number: int, *foods: int, **changed) -> list[Statement]:
    whole = Term(f"CHEBI:{number}", f"dish {number}", Category.FOOD)
    statements = []
    for eaten in foods:
        part = Node(f"n1-{number}-{eaten}", "Ingredient", f"part {number} {eaten}")
        statements.append(Statement(whole, HAS, part, **changed))
        statements.append(Statement(part, OF, food(eaten)))
    return statements


def base(*statements: Statement) -> KnowledgeBase:
    return KnowledgeBase(BASE, tuple(ExportEntry(statement) for statement in statements))


def ontology(kb: KnowledgeBase, *definitions: DefinedClass):
    return merge_ontology(kb, definitions, lambda curie: ABOVE.get(curie, ()), lambda curie: "")


def classified(kb: KnowledgeBase, *definitions: DefinedClass):
    return classify(ontology(kb, *definitions), definitions, BASE)


def labels(result, name: str) -> list[str]:
    return [label for _, label in result.groups[name]]


def test_a_thing_belongs_to_a_class_by_what_its_parts_are_below():
    result = classified(base(*dish(1, 1), *dish(2, 4)), WHEATY)
    assert labels(result, "wheaty") == ["dish 1"]
    assert len(result.inferred) == 1


def test_all_ties_are_needed_unless_one_is_enough():
    kb = base(*dish(1, 1), *dish(2, 1, 4))
    ties = (*WHEATY.ties, *BEEFY.ties)
    result = classified(
        kb, DefinedClass("all", "", ties), DefinedClass("any", "", ties, either=True)
    )
    assert labels(result, "all") == ["dish 2"]
    assert labels(result, "any") == ["dish 1", "dish 2"]


def test_a_kind_restricts_a_class():
    kb = base(*dish(1, 1))
    assert labels(classified(kb, DefinedClass("food", "category:food")), "food") == [
        "dish 1",
        "food 1",
    ]
    gene = DefinedClass("gene", "category:gene", WHEATY.ties)
    assert labels(classified(kb, gene), "gene") == []


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"negated": True}, "negated"),
        ({"modality": Modality.HYPOTHESIS}, "hedged"),
        ({"qualifiers": (Qualifier("population", Literal("vegans")),)}, "qualified"),
    ],
)
def test_negated_hedged_or_qualified_statement_infers_no_class_and_is_counted(changed, why):
    result = classified(base(*dish(1, 1, **changed)), WHEATY)
    assert labels(result, "wheaty") == []
    assert result.set_aside == {why: 1}


def test_member_of_two_disjoint_classes_is_a_contradiction():
    apart = DefinedClass("beefy", "", BEEFY.ties, apart=("wheaty",))
    kb = base(*dish(1, 1, 4), *dish(2, 4))
    result = classified(kb, WHEATY, apart)
    assert [label for _, label in result.contradictions] == ["dish 1"]
    assert labels(result, "beefy") == ["dish 2"]


def test_every_axiom_of_an_explanation_is_needed_and_together_they_suffice():
    whole = ontology(base(*dish(1, 1), *dish(2, 1, 4)), WHEATY)
    thing = next(iri for iri, key in whole.things.items() if key == "CHEBI:1")
    because = explained_member(whole.axioms, thing, class_iri("wheaty", BASE))
    assert 3 <= len(because) < len(whole.axioms)
    own = class_iri("wheaty", BASE)
    assert thing in reason_by_elk(because, [own]).under[own]
    for left_out in because:
        rest = [axiom for axiom in because if axiom != left_out]
        assert thing not in reason_by_elk(rest, [own]).under[own]
    assert explained_member(whole.axioms, thing, NOTHING) == ()


def test_axiom_is_described_in_words():
    names = {"a": "pizza", "b": "wheat", "p": "part"}
    tie = OwlForm("ObjectSomeValuesFrom", (Iri("p"), Iri("b")))
    assert owl_in_words(OwlForm("SubClassOf", (Iri("a"), tie)), names) == "pizza has part: wheat"
    assert owl_in_words(OwlForm("SubClassOf", (Iri("a"), Iri("b"))), names) == "pizza is a wheat"


def test_the_module_is_what_lies_above_and_ends_in_a_circle():
    assert list(extracted_module(["FOODON:1"], lambda c: ABOVE.get(c, ()))) == [
        ("FOODON:1", "FOODON:2"),
        ("FOODON:2", "FOODON:3"),
    ]
    circle = {"a": ("b",), "b": ("a",)}
    assert sorted(extracted_module(["a"], lambda c: circle[c])) == [("a", "b"), ("b", "a")]


def test_ways_to_define_by_go_through_unnamed_things():
    amount = Statement(Node("n1-1-1", "Ingredient", "part"), Term("x:1", "x"), Literal("1"))
    ways = tie_paths(base(*dish(1, 1), amount))
    assert ("category:food", (HAS.id, OF.id), "has part › composed of", 1) in [
        (way.kind, way.path, way.words, way.count) for way in ways
    ]


def test_two_relations_of_one_name_are_distinguished_by_their_ids():
    """Two schemas' *treats*: nobody could tell which of the two to choose."""
    drug, pain = Term("CHEBI:1", "drug", Category.CHEMICAL), Term("HP:1", "Pain")
    relations = [Term("biolink:treats", "treats"), Term("CTD:t", "Treats"), Term("x:c", "causes")]
    ways = tie_paths(base(*(Statement(drug, relation, pain) for relation in relations)))
    assert {way.words for way in ways} == {"treats (biolink:treats)", "Treats (CTD:t)", "causes"}


@pytest.mark.parametrize(
    "wrong",
    [
        DefinedClass(" ", "category:food"),
        DefinedClass("empty"),
        DefinedClass("either", "category:food", either=True),
        DefinedClass("no path", "", (MembershipCondition((), "FOODON:1"),)),
        DefinedClass("unknown", "", (MembershipCondition(("nonsense:1",), "FOODON:1"),)),
    ],
)
def test_a_definition_that_says_nothing_is_refused(wrong):
    with pytest.raises(InputError):
        checked_definition(wrong, base())


def hermit(axioms, asked) -> Taxonomy:
    """The same question to HermiT, by owlready2 from N-Triples."""
    owlready2 = pytest.importorskip("owlready2")
    graph = Graph()
    for triple in triples(axioms):
        graph.add(triple)
    world = owlready2.World()

    content = graph.serialize(format="nt", encoding="utf-8")
    loaded = world.get_ontology("urn:reasoned#").load(fileobj=io.BytesIO(content))
    with loaded:
        owlready2.sync_reasoner_hermit(world, infer_property_values=False, debug=0)
    under = {
        iri: frozenset(
            descendant.iri
            for descendant in (world[iri].descendants() if world[iri] else ())
            if descendant.iri != iri
        )
        for iri in asked
    }
    impossible = frozenset(kind.iri for kind in world.inconsistent_classes()) - {NOTHING}
    return Taxonomy(under, impossible)


@pytest.mark.skipif(shutil.which("java") is None, reason="HermiT needs Java")
@pytest.mark.parametrize("seed", [1, 2])
def test_hermit_finds_the_same(seed):
    pytest.importorskip("owlready2")
    chance = random.Random(seed)
    statements = [
        statement
        for number in range(12)
        for statement in dish(number, *chance.sample([1, 2, 3, 4], chance.randint(1, 3)))
    ]
    apart = DefinedClass("beefy", "category:food", BEEFY.ties, apart=("wheaty",))
    either = DefinedClass("any", "", (*WHEATY.ties, *BEEFY.ties), either=True)
    definitions = (WHEATY, apart, either)
    whole = ontology(base(*statements), *definitions)
    ours = classify(whole, definitions, BASE)
    theirs = classify(whole, definitions, BASE, hermit)
    assert ours.groups == theirs.groups
    assert ours.contradictions == theirs.contradictions
    assert ours.contradictions
    assert any(ours.groups.values())


def test_kinds_are_called_as_people_call_them():
    assert [
        kind_words(kind) for kind in ("category:food", "schema:MaterialSample", "x:how_to")
    ] == [
        "food",
        "material sample",
        "how to",
    ]
