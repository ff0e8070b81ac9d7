"""Ranges of several classes, value sets with exceptions, and which class is filled."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import constraint_of
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.schema.definition import RangeKind
from core.schema.load import load_schema
from core.services.extract.mention_choice import kind_words

SCHEMA = """
id: https://example.org/choice
name: choice
prefixes: {linkml: https://w3id.org/linkml/, M: https://example.org/M_, N: https://example.org/N_}
default_range: string
types: {string: {base: str, uri: xsd:string}}
classes:
  Report:
    tree_root: true
    attributes:
      cause: {any_of: [{range: Drug}, {range: Food}]}
      agent: {exactly_one_of: [{range: Food}, {range: Drug}], range: Any}
      agent_class: {range: Agent}
      finding: {range: Finding}
  Any: {class_uri: linkml:Any}
  Drug:
    attributes: {id: {identifier: true}}
    id_prefixes: [M]
    annotations: {annotators: "sqlite:obo:mini", category: chemical}
  Food:
    attributes: {id: {identifier: true}}
    id_prefixes: [N]
    annotations: {annotators: "sqlite:obo:food", category: food}
  Agent:
    union_of: [Drug, Food]
enums:
  Finding:
    reachable_from: {source_ontology: obo:mini, source_nodes: [M:1], include_self: true}
    concepts: [M:9]
    minus:
      - reachable_from: {source_ontology: obo:mini, source_nodes: [M:2], include_self: true}
      - permissible_values: {four: {meaning: M:4}}
"""
MINI = """id\tlabel\tparents
M:1\troot finding\t
M:2\tbone finding\tM:1
M:3\tbroken bone\tM:2
M:4\tfever\tM:1
M:5\tcough\tM:1
M:9\tlonely concept\t
"""


@pytest.fixture
def schema():
    return load_schema(SCHEMA)


@pytest.fixture
def grounder(tmp_path: Path) -> Grounder:
    (tmp_path / "mini.tsv").write_text(MINI)
    (tmp_path / "food.tsv").write_text("id\tlabel\nN:1\tbread\n")
    files = [tmp_path / "mini.tsv", tmp_path / "food.tsv"]
    return Grounder(VocabularyRegistry(None, tmp_path / "i", files=files))


@pytest.mark.parametrize(
    ("slot", "vocabularies"),
    [("cause", ("mini", "food")), ("agent", ("food", "mini")), ("agent_class", ("mini", "food"))],
)
def test_range_of_several_classes_is_grounded_against_all_their_vocabularies(
    schema, grounder, slot, vocabularies
):
    ranged = schema.classes["Report"].slot(slot)
    assert ranged.kind is RangeKind.ENTITY
    constraint = constraint_of(schema, ranged.range)
    assert constraint.vocabularies == vocabularies
    assert set(constraint.prefixes) == {"M", "N"}
    assert choose_candidate(grounder.ground("bread", constraint))[0].id == "N:1"
    assert choose_candidate(grounder.ground("cough", constraint))[0].id == "M:5"


@pytest.mark.parametrize("slot", ["cause", "agent", "agent_class"])
def test_prompt_names_the_kinds_that_a_range_of_several_allows(schema, slot):
    prompt = schema.classes["Report"].slot(slot).prompt
    assert prompt.startswith(f"the value for {slot}. Kinds allowed: ")
    assert set(prompt.partition("allowed: ")[2].split(", ")) == {"Drug", "Food"}
    assert "Kinds allowed" not in schema.classes["Report"].slot("finding").prompt


@pytest.mark.parametrize(
    ("words", "kind", "category"), [("bread", "Food", "food"), ("cough", "Drug", "chemical")]
)
def test_a_term_in_a_range_of_several_classes_shows_its_kind(
    schema, grounder, words, kind, category
):
    range_name = schema.classes["Report"].slot("cause").range
    best = grounder.ground(words, constraint_of(schema, range_name))[0]
    assert best.term.category == category
    assert kind_words(schema, range_name, best) == kind
    assert kind_words(schema, "Drug", best) == ""


def test_a_value_set_leaves_out_what_minus_names(schema, grounder):
    constraint = constraint_of(schema, "Finding")
    for words, id in (("cough", "M:5"), ("root finding", "M:1"), ("lonely concept", "M:9")):
        assert choose_candidate(grounder.ground(words, constraint))[0].id == id
    for words in ("bone finding", "broken bone", "fever"):
        assert grounder.ground(words, constraint, loose=False) == ()
    assert [problem.code for problem in grounder.check("M:3", constraint)[1]] == [
        "outside-value-set"
    ]
    assert "not-honoured" not in {problem.code for problem in schema.problems}


OWN_MINUS = """
    minus: [{reachable_from: {source_nodes: [M:2], include_self: true}}, {concepts: [M:4]}]
  Any finding:
    reachable_from: {source_ontology: obo:mini, source_nodes: [M:1], include_self: true}
"""


@pytest.mark.parametrize(
    "made_of",
    [
        "include: [{reachable_from: {source_ontology: obo:mini, source_nodes: [M:1]}}]",
        "inherits: [Any finding]",
    ],
)
def test_minus_is_also_taken_from_what_an_enum_includes_or_inherits(grounder, made_of):
    head = SCHEMA[: SCHEMA.index("    reachable_from")]
    constraint = constraint_of(load_schema(f"{head}    {made_of}{OWN_MINUS}"), "Finding")
    assert grounder.ground("cough", constraint)[0].term.id == "M:5"
    for words in ("bone finding", "broken bone", "fever"):
        assert grounder.ground(words, constraint, loose=False) == ()


def test_without_a_hierarchy_terms_that_minus_names_are_still_left_out(schema, tmp_path):
    (tmp_path / "mini.tsv").write_text("id\tlabel\nM:4\tfever\nM:5\tcough\n")
    flat = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[tmp_path / "mini.tsv"]))
    constraint = constraint_of(schema, "Finding")
    assert flat.ground("fever", constraint, loose=False) == ()
    assert flat.ground("cough", constraint)[0].term.id == "M:5"


def test_the_class_that_holds_everything_else_is_filled():
    text = """
id: https://example.org/gocam
name: gocam
classes:
  Model:
    attributes:
      id: {identifier: true}
      activities: {range: Activity, multivalued: true, inlined_as_list: true}
  Activity:
    attributes: {enabled_by: {range: Enabler}}
  Enabler:
    attributes: {term: {}}
  Note:
    attributes: {comment: {}}
"""
    assert load_schema(text).root == "Model"


def test_a_schema_as_large_as_biolink_is_read():
    classes = "".join(
        f"  C{n}:\n    description: {'a long description ' * 60}\n" for n in range(500)
    )
    assert len(load_schema(f"id: https://e.org/x\nname: big\nclasses:\n{classes}").classes) == 500
