"""What schemas ask, as SHACL: generated from LinkML, and held to by pySHACL."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rdflib import RDF, Graph, Namespace
from rdflib.collection import Collection

from core.kb.entry import KnowledgeBase
from core.kb.gate.schema_shape import schema_mismatches, schema_shapes
from core.model import Category, Literal, Node, Statement, Term
from core.schema.load import check_schema
from tests.core.kb.formats.test_turtle import entry

SH = Namespace("http://www.w3.org/ns/shacl#")
SCHEMA = """
id: https://example.org/dosing
name: dosing
prefixes:
  linkml: https://w3id.org/linkml/
  dosing: https://example.org/dosing/
  schema: http://schema.org/
  biolink: https://w3id.org/biolink/vocab/
  CHEBI: http://purl.obolibrary.org/obo/CHEBI_
  HP: http://purl.obolibrary.org/obo/HP_
default_prefix: dosing
default_range: string
imports: [linkml:types, core]
classes:
  Dose:
    attributes:
      drug: {range: Drug, required: true, slot_uri: schema:drug}
      amount: {range: decimal, slot_uri: schema:amount}
      remarks: {multivalued: true, slot_uri: schema:comment}
      form: {range: DoseForm, slot_uri: schema:dosageForm}
  Drug: {is_a: NamedEntity, id_prefixes: [CHEBI]}
  Sign: {is_a: NamedEntity, id_prefixes: [HP]}
  Relief:
    is_a: Triple
    slot_usage:
      subject: {range: Drug}
      predicate: {range: Effect}
      object: {range: Sign}
enums:
  Effect:
    permissible_values:
      TREATS: {meaning: biolink:treats}
  DoseForm:
    permissible_values:
      TABLET: {meaning: dosing:tablet}
      home made: {}
"""
DOSE = Node("n1", "Dose", "two tablets", Category.PROCEDURE)
DRUG, PAIN = Term("CHEBI:1", "a drug"), Term("HP:1", "pain")
HAS_DRUG, HAS_AMOUNT = Term("schema:drug", "drug"), Term("schema:amount", "amount")
OF_DRUG = Statement(DOSE, HAS_DRUG, DRUG)
AMOUNT = Statement(DOSE, HAS_AMOUNT, Literal("2", "xsd:decimal"))
TREATS = Statement(DRUG, Term("biolink:treats", "treats"), PAIN)


@pytest.fixture(scope="module")
def schema():
    loaded, problems = check_schema(SCHEMA)
    assert loaded is not None, problems
    return loaded


def mismatches(schema, *claims: Statement) -> list[tuple[Statement, str]]:
    kb = KnowledgeBase(
        "https://kb.example.org/", tuple(map(entry, claims)), schema.prefixes, schemas=(schema,)
    )
    return [(mismatch.statement, mismatch.message) for mismatch in schema_mismatches(kb)]


def test_statement_that_fits_its_schema_has_no_mismatch(schema):
    measured = replace(AMOUNT, object=Literal("2", "xsd:decimal", "mg"))
    assert (
        mismatches(schema, OF_DRUG, AMOUNT, TREATS) == mismatches(schema, OF_DRUG, measured) == []
    )


def test_missing_value_is_reported_at_a_statement_of_the_thing_that_lacks_it(schema):
    ((statement, message),) = mismatches(schema, AMOUNT)
    assert statement == AMOUNT
    assert message == "drug of Dose takes exactly one value, a term of CHEBI."


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (replace(AMOUNT, object=Literal("two", "xsd:string")), "a value of xsd:decimal"),
        (replace(OF_DRUG, object=Term("MESH:D1", "a drug")), "a term of CHEBI"),
        (replace(TREATS, object=Term("MESH:D2", "pain")), "a term of CHEBI and a term of HP"),
    ],
    ids=["no number", "another vocabulary", "the end of a relation"],
)
def test_a_value_of_another_kind_is_reported_at_its_own_statement(schema, wrong, says):
    rest = [claim for claim in (OF_DRUG, AMOUNT, TREATS) if claim.predicate != wrong.predicate]
    ((statement, message),) = mismatches(schema, *rest, wrong)
    assert statement == wrong and says in message


FORM = Term("schema:dosageForm", "form")


@pytest.mark.parametrize("value", [Term("dosing:tablet", "TABLET"), Literal("home made")])
def test_a_value_of_an_enum_keeps_the_schema(schema, value):
    assert mismatches(schema, OF_DRUG, Statement(DOSE, FORM, value)) == []


@pytest.mark.parametrize(
    "value",
    [Literal("syrup"), Literal("TABLET", "xsd:integer"), Term("dosing:syrup", "syrup"), PAIN],
    ids=["another word", "no word", "another term", "a sign"],
)
def test_a_value_that_an_enum_does_not_list_is_reported_with_those_it_does(schema, value):
    wrong = Statement(DOSE, FORM, value)
    ((statement, message),) = mismatches(schema, OF_DRUG, wrong)
    assert statement == wrong
    assert message == "form of Dose takes at most one value, one of TABLET, home made."


def test_a_second_value_of_a_slot_that_takes_one_is_reported(schema):
    second = replace(AMOUNT, object=Literal("3", "xsd:decimal"))
    ((statement, message),) = mismatches(schema, OF_DRUG, AMOUNT, second)
    assert statement in (AMOUNT, second) and "at most one" in message


def test_negated_statement_does_not_fill_a_required_slot(schema):
    denied = replace(AMOUNT, object=Literal("3", "xsd:decimal"), negated=True)
    assert mismatches(schema, OF_DRUG, AMOUNT, denied) == []


def test_the_shapes_agree_with_those_that_linkml_makes(schema):
    """LinkML's own generator says the same of how many values a slot takes."""
    from linkml.generators.shaclgen import ShaclGenerator

    plain = SCHEMA.replace("imports: [linkml:types, core]", "imports: [linkml:types]")
    plain = plain.replace("is_a: NamedEntity, ", "").replace("    is_a: Triple\n", "")
    plain = plain.replace("slot_usage:", "attributes:")
    theirs = Graph().parse(data=ShaclGenerator(plain).serialize(), format="turtle")
    ours = Graph().parse(
        data=schema_shapes([schema], "https://kb.example.org/", schema.prefixes), format="turtle"
    )

    def limits(graph: Graph, of_class: str) -> set[tuple[str, ...]]:
        (shape,) = (s for s in graph.subjects(RDF.type, SH.NodeShape) if str(s).endswith(of_class))
        return {
            tuple(str(graph.value(p, name)) for name in (SH.path, SH.minCount, SH.maxCount))
            for p in graph.objects(shape, SH.property)
            if (p, SH.minCount, None) in graph or (p, SH.maxCount, None) in graph
        }

    assert limits(ours, "Dose") == limits(theirs, "Dose") != set()

    def listed(graph: Graph) -> set[str]:
        return {
            str(member)
            for head in graph.objects(None, SH["in"])
            for member in Collection(graph, head)
        }

    assert listed(ours) == {"https://example.org/dosing/tablet", "home made"} <= listed(theirs)
