"""KGX as the Biolink Model asks, checked against the model itself (package `biolink-model`)."""

from __future__ import annotations

import csv
import io
import itertools
import zipfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import yaml

from core.kb.entry import KnowledgeBase
from core.kb.formats import biolink
from core.kb.formats.kgx import KGX
from core.kb.rdf import iri
from core.kb.read.kgx import read_kgx
from core.model import Category, Literal, Node, Qualifier, Statement, Term
from tests.core.kb.formats.test_turtle import ASPIRIN, CLAIM, PAIN, VARIED, kb

AMOUNT = Term("schema:amount", "amount", Category.RELATION)


def table(name: str, *statements: Statement) -> list[dict[str, str]]:
    return table_of(name, kb(*statements))


def table_of(name: str, written: KnowledgeBase) -> list[dict[str, str]]:
    archive = zipfile.ZipFile(io.BytesIO(KGX.write(written)))
    return list(csv.DictReader(io.StringIO(archive.read(name).decode()), delimiter="\t"))


@cache
def model() -> dict:
    package = pytest.importorskip("biolink_model")
    path = Path(next(iter(package.__path__))) / "schema" / "biolink_model.yaml"
    return yaml.load(path.read_text(), Loader=yaml.CSafeLoader)


@cache
def named(cls: str) -> str:
    """`GeneToDiseaseAssociation` as the model writes it."""
    squeezed = {name.replace(" ", "").casefold(): name for name in model()["classes"]}
    return squeezed[cls.removeprefix("biolink:").casefold()]


@cache
def kinds_of(cls: str) -> frozenset[str]:
    """A class with everything it is: parents and mixins."""
    entry = model()["classes"][cls]
    above = [entry["is_a"]] if entry.get("is_a") else []
    return frozenset({cls}).union(*(kinds_of(name) for name in above + entry.get("mixins", [])))


@cache
def constraint(cls: str, slot: str, name: str) -> str:
    """What a class or one above it (a mixin too) asks of a slot."""
    entry = model()["classes"][cls]
    own = (entry.get("slot_usage") or {}).get(slot) or {}
    if own.get(name):
        return own[name]
    above = [*entry.get("mixins", []), *([entry["is_a"]] if entry.get("is_a") else [])]
    return next(
        (inherited for parent in above if (inherited := constraint(parent, slot, name))), ""
    )


def test_edges_end_in_nodes_and_values_are_no_nodes():
    nodes = {row["id"] for row in table("nodes.tsv", *VARIED)}
    edges = table("edges.tsv", *VARIED)
    assert edges and all({row["subject"], row["object"]} <= nodes for row in edges)
    assert not any("value:" in name for name in nodes)


def test_equal_numbers_of_different_units_are_two_attributes():
    doses = [
        replace(CLAIM, predicate=AMOUNT, object=Literal("5", "xsd:decimal", u))
        for u in ("mg", "kg")
    ]
    (node,) = table("nodes.tsv", *doses)
    assert sorted(node["attributes"].split("|")) == ["schema:amount=5 kg", "schema:amount=5 mg"]
    assert {row["unit"] for row in table("attributes.tsv", *doses)} == {"mg", "kg"}
    assert table("edges.tsv", *doses) == []


def test_quotation_marks_are_read_as_kgx_reads_them_and_as_spreadsheets_do():
    names = ('the "second" one', '"first" of all', "plain")
    terms = [Term(f"CHEBI:{number}", name) for number, name in enumerate(names, 1)]
    content = zipfile.ZipFile(
        io.BytesIO(KGX.write(kb(*(replace(CLAIM, subject=t) for t in terms))))
    )
    text = content.read("nodes.tsv").decode()
    by_kgx, by_others = (
        {row["name"] for row in csv.DictReader(io.StringIO(text), delimiter="\t", quoting=way)}
        for way in (csv.QUOTE_NONE, csv.QUOTE_MINIMAL)
    )
    assert by_kgx == by_others == {PAIN.label, "plain", 'the "second" one', '\'"first" of all'}


@pytest.mark.parametrize(
    ("cell", "label"),
    [
        ('"a ""b"" c"', 'a "b" c'),  # quoted by a writer of CSV
        ('"a" and "b"', '"a" and "b"'),
        ('"never closed', '"never closed'),
        ('"', '"'),
    ],
)
def test_quotation_marks_of_others_are_read(cell, label):
    rows = {
        "nodes.tsv": f"id\tcategory\tname\nCHEBI:1\tbiolink:Drug\t{cell}\nCHEBI:2\t\tnext\n",
        "edges.tsv": "subject\tpredicate\tobject\nCHEBI:1\tbiolink:treats\tCHEBI:2\n",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in rows.items():
            archive.writestr(name, text)
    ((statement, _),) = read_kgx(packed.getvalue()).proposals
    assert (statement.subject.label, statement.object.label) == (label, "next")


def test_a_negated_value_is_not_an_attribute_of_the_node():
    dose = replace(CLAIM, predicate=AMOUNT, object=Literal("5"), negated=True)
    assert table("nodes.tsv", dose)[0]["attributes"] == ""
    assert table("attributes.tsv", dose)[0]["negated"] == "true"


def test_a_relation_of_another_vocabulary_keeps_its_original():
    (row,) = table("edges.tsv", replace(CLAIM, predicate=Term("RO:0002606", "is treatment for")))
    assert (row["predicate"], row["original_predicate"]) == ("biolink:treats", "RO:0002606")
    (row,) = table("edges.tsv", replace(CLAIM, predicate=Term("schema:tool", "tool")))
    assert row["predicate"] == "biolink:related_to"


def test_an_edge_has_what_the_model_requires():
    (row,) = table("edges.tsv", CLAIM)
    required = {
        slot
        for slot in model()["classes"]["association"]["slots"]
        if model()["slots"].get(slot, {}).get("required")
    }
    assert required and all(row[slot.replace(" ", "_")] for slot in required)
    assert row["primary_knowledge_source"].startswith("infores:")
    assert row["publications"] == "PMID:1"
    assert row["category"].endswith(
        "ChemicalOrDrugOrTreatmentToDiseaseOrPhenotypicFeatureAssociation"
    )


def test_knowledge_levels_and_agent_types_are_those_of_biolink():
    (row,) = table("edges.tsv", CLAIM)
    enums = model()["enums"]
    assert row["knowledge_level"] in enums["KnowledgeLevelEnum"]["permissible_values"]
    assert row["agent_type"] in enums["AgentTypeEnum"]["permissible_values"]


def test_a_category_comes_from_the_vocabulary_where_none_is_given():
    rows = table(
        "nodes.tsv", replace(CLAIM, subject=Term("MONDO:1", "x"), object=Term("MAXO:1", "y"))
    )
    assert {row["category"] for row in rows} == {"biolink:Disease", "biolink:Procedure"}


def test_an_unnamed_thing_has_a_curie():
    node = Node("n1-abc", "Ingredient", "two onions", Category.FOOD)
    (row,) = table("edges.tsv", replace(CLAIM, object=node))
    assert row["object"] == "GROUNDWORK.NODE:n1-abc"


def test_qualifiers_are_kept_with_their_units():
    dose = Qualifier("dose", Literal("5", "xsd:decimal", "mg"))
    (row,) = table("edges.tsv", replace(CLAIM, qualifiers=(dose,)))
    assert (row["qualifiers"], row["is_plain"]) == ("dose=5 mg", "false")


@pytest.mark.parametrize("category", Category)
def test_every_category_is_a_class_of_the_model(category):
    assert named(biolink.category_class(Term("x:1", "x", category)))


def test_every_predicate_of_the_table_is_one_of_the_model():
    slots = model()["slots"]
    names = {name.replace(" ", "_"): slot for name, slot in slots.items()}
    for name, above in biolink.parent_predicates().items():
        assert (names[name].get("is_a") or "").replace(" ", "_") == above
    assert {*biolink.OWN.values(), *biolink.mapped_relations().values()} <= set(
        biolink.parent_predicates()
    )


def test_every_association_class_keeps_the_constraints_of_the_model():
    """Every pair of categories with every predicate: domain, range and predicate must fit."""
    for subject, object_ in itertools.product(Category, Category):
        ends = [
            (slot, kinds_of(named(biolink.category_class(Term("x:1", "x", end)))))
            for slot, end in (("subject", subject), ("object", object_))
        ]
        for name in biolink.parent_predicates():
            cls = named(biolink.association_class(subject, name, object_))
            for slot, kinds in ends:
                wanted = constraint(cls, slot, "range")
                assert not wanted or wanted in kinds, (cls, slot, wanted)
            wanted = constraint(cls, "predicate", "subproperty_of").replace(" ", "_")
            assert not wanted or wanted in biolink.with_wider_predicates(name), (cls, name, wanted)


def test_classes_that_export_is_given_are_all_known():
    assert set(iri.CLASSES) == set(Category)
    assert (
        biolink.biolink_category(ASPIRIN) is Category.CHEMICAL
        and PAIN.category is Category.PHENOTYPE
    )


PHOSPHORYLATES = Term("RO:0002447", "phosphorylates", Category.RELATION)


@pytest.mark.parametrize(
    ("relation", "object_", "written"),
    [
        (CLAIM.predicate, PAIN, ["biolink:treats"]),
        (PHOSPHORYLATES, PAIN, []),  # "does not affect" would say more
        (CLAIM.predicate, replace(PAIN, category=Category.GENE), []),  # nothing treats a gene
        (Term("BFO:0000050", "part of"), PAIN, ["biolink:part_of"]),
    ],
    ids=["the same", "wider", "of no fitting end", "exactly mapped"],
)
def test_a_denial_has_an_edge_only_where_biolink_says_the_same(relation, object_, written):
    claim = replace(CLAIM, predicate=relation, object=object_)
    denied = replace(claim, negated=True)
    assert [row["predicate"] for row in table("edges.tsv", denied)] == written
    assert len(table("edges.tsv", claim)) == 1
    remarks = KGX.remarks(kb(claim, denied))
    assert [remark.message.split()[0] for remark in remarks] == ([] if written else ["1"])
    content = KGX.write(kb(claim, denied))
    assert {statement.id for statement, _ in read_kgx(content).proposals} == {claim.id, denied.id}


def test_the_table_tells_exact_from_narrower_relations_as_the_model_does():
    slots = {name.replace(" ", "_"): slot or {} for name, slot in model()["slots"].items()}
    for name, relations in biolink.exact_relations().items():
        assert relations <= set(slots[name].get("exact_mappings") or ())


def test_what_rests_on_a_retracted_paper_says_so_and_other_files_have_no_such_column():
    amount = Statement(ASPIRIN, AMOUNT, Literal("300", "xsd:integer", "mg"), document="PMID:1")
    whole = kb(CLAIM, amount)
    retracted = replace(whole, notices={"PMID:1": "retracted"})
    for name in ("edges.tsv", "attributes.tsv"):
        assert [row["notice"] for row in table_of(name, retracted)] == ["PMID:1: retracted"]
        assert "notice" not in table_of(name, whole)[0]
    assert KGX.write(replace(whole, notices={"PMID:2": "retracted"})) == KGX.write(whole)


def test_a_file_that_names_a_retracted_paper_is_read_like_any_other():
    retracted = replace(kb(CLAIM), notices={"PMID:1": "retracted"})
    assert read_kgx(KGX.write(retracted)) == read_kgx(KGX.write(kb(CLAIM)))
