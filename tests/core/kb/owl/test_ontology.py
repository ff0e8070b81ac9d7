"""Statements as an OWL ontology, by the annotations of their schema."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest
from rdflib import OWL, RDF, RDFS, BNode, Graph, URIRef
from rdflib import Literal as Value

from core.kb.entry import ExportEntry, KnowledgeBase
from core.kb.formats.registry import format_named
from core.kb.owl.form import functional_syntax
from core.kb.owl.ontology import ontology, owl
from core.model import Category, Literal, Modality, Node, Qualifier, Statement, Term
from core.schema.load import load_schema
from tests.core.kb.formats.test_turtle import ANNA, BASE, HOSTILE, entry

SCHEMA = """
id: https://example.org/kitchen
name: kitchen
prefixes:
  linkml: https://w3id.org/linkml/
  ex: https://example.org/kitchen/
  FOODON: http://purl.obolibrary.org/obo/FOODON_
default_prefix: ex
default_range: string
imports: ['linkml:types', core]
classes:
  Dish:
    tree_root: true
    annotations: {owl: %s}
    attributes:
      url: {identifier: true}
      label: {slot_uri: 'rdfs:label'}
      note: {annotations: {owl: 'AnnotationProperty, AnnotationAssertion'}}
      serves: {range: integer, annotations: {owl: 'DataProperty, DataHasValue'}}
      parts: {range: Part, multivalued: true, inlined: true, annotations: {owl: '%s'}}
  Part:
    is_a: CompoundExpression
    class_uri: ex:Ingredient
    annotations: {owl: IntersectionOf}
    attributes:
      food: {range: Food, annotations: {owl: 'ObjectProperty, ObjectSomeValuesFrom'}}
      amount: {range: decimal, annotations: {owl: 'DataProperty, DataHasValue'}}
  Food: {is_a: NamedEntity, id_prefixes: [FOODON]}
"""
DEFINED = "ObjectProperty, ObjectSomeValuesFrom, EquivalentClasses, IntersectionOf"
EX = "https://example.org/kitchen/"
SOUP, LENTIL = Node("n1-soup", "Dish", "Lentil soup"), Node("n1-lentil", "Part", "200 g lentils")
PULSE = Term("FOODON:00001264", "lentil", Category.FOOD)


def slot(name: str) -> Term:
    return Term(f"ex:{name}", name, Category.RELATION)


CLAIMS = (
    Statement(SOUP, slot("parts"), LENTIL),
    Statement(SOUP, slot("note"), Literal("A soup.")),
    Statement(SOUP, slot("serves"), Literal("4", "xsd:integer")),
    Statement(LENTIL, slot("food"), PULSE),
    Statement(LENTIL, slot("amount"), Literal("200", "xsd:decimal", "g")),
)


def kb(
    *claims: Statement, way: str = DEFINED, kind: str = "Class", draft: bool = False
) -> KnowledgeBase:
    schema = load_schema(SCHEMA % (kind, way))
    entries = tuple(ExportEntry(claim) if draft else entry(claim) for claim in claims or CLAIMS)
    return KnowledgeBase(
        BASE, entries, schema.prefixes, curators={ANNA: "Anna"}, draft=draft, schemas=(schema,)
    )


def with_template(words: str, *claims: Statement) -> KnowledgeBase:
    """The kitchen with a template on its root class."""
    block = "\n".join(f"        {line}" for line in words.strip().splitlines())
    text = (SCHEMA % ("Class", DEFINED)).replace(
        "    annotations: {owl: Class}\n",
        f"    annotations:\n      owl: Class\n      owl.template: |\n{block}\n",
    )
    schema = load_schema(text)
    entries = tuple(entry(claim) for claim in claims or CLAIMS)
    return KnowledgeBase(BASE, entries, schema.prefixes, schemas=(schema,))


def graph(knowledge: KnowledgeBase) -> Graph:
    return Graph().parse(data=owl(knowledge), format="turtle")


def axioms(knowledge: KnowledgeBase) -> list[str]:
    return [
        functional_syntax(axiom).replace(EX, "ex:").replace(BASE, "kb:")
        for axiom in ontology(knowledge).axioms
    ]


def sound(made_graph: Graph) -> None:
    """As OWL 2's mapping to RDF asks: entities declared, blank nodes used once, lists whole, one
    kind a property.
    """
    used = Counter(o for _, _, o in made_graph if isinstance(o, BNode))
    heads = {s for s in made_graph.subjects() if isinstance(s, BNode)}
    assert all(used[node] == 1 for node in heads)
    kinds = {OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty}
    for node in made_graph.subjects(RDF.type, OWL.Restriction):
        (name,) = made_graph.objects(node, OWL.onProperty)
        assert len(kinds & set(made_graph.objects(name, RDF.type))) == 1
        for filler in made_graph.objects(node, OWL.someValuesFrom):
            assert (filler, RDF.type, OWL.Class) in made_graph or (
                filler,
                RDF.type,
                OWL.Restriction,
            ) in made_graph
    for head in (
        *made_graph.objects(None, OWL.intersectionOf),
        *made_graph.objects(None, OWL.unionOf),
    ):
        assert len(list(made_graph.items(head))) > 1
    for predicate in set(made_graph.predicates()):
        if not str(predicate).startswith((str(RDF), str(RDFS), str(OWL))):
            assert (predicate, RDF.type, OWL.AnnotationProperty) in made_graph


def test_a_dish_is_a_class_defined_by_its_parts():
    lines = axioms(kb())
    amount = 'DataHasValue(<ex:amount> "200"^^<http://www.w3.org/2001/XMLSchema#decimal>)'
    unit = 'DataHasValue(<http://qudt.org/schema/qudt/ucumCode> "g")'
    food = "ObjectSomeValuesFrom(<ex:food> <http://purl.obolibrary.org/obo/FOODON_00001264>)"
    part = f"ObjectIntersectionOf(<ex:Ingredient> {unit} {amount} {food})"
    whole = f"ObjectIntersectionOf(<ex:Dish> ObjectSomeValuesFrom(<ex:parts> {part}))"
    assert f"EquivalentClasses(<kb:node/n1-soup> {whole})" in lines
    assert 'AnnotationAssertion(<ex:note> <kb:node/n1-soup> "A soup.")' in lines


def test_the_file_is_an_ontology_of_owl_2():
    rdf_graph = graph(kb())
    sound(rdf_graph)
    assert (URIRef(BASE + "ontology/approved"), RDF.type, OWL.Ontology) in rdf_graph
    assert (URIRef(BASE + "node/n1-soup"), RDFS.label, Value("Lentil soup")) in rdf_graph


def test_a_slot_that_says_no_more_gives_a_superclass():
    lines = axioms(kb(way="ObjectProperty, ObjectSomeValuesFrom"))
    assert any(
        line.startswith("SubClassOf(<kb:node/n1-soup> ObjectSomeValuesFrom(<ex:parts> ")
        for line in lines
    )
    assert "SubClassOf(<kb:node/n1-soup> <ex:Dish>)" in lines


@pytest.mark.parametrize(
    ("way", "start"),
    [
        (
            "ObjectProperty, ObjectAllValuesFrom",
            "SubClassOf(<kb:node/n1-soup> ObjectAllValuesFrom(<ex:parts> ",
        ),
        ("SubClassOf", "SubClassOf(<kb:node/n1-soup> ObjectIntersectionOf("),
        ("EquivalentClasses", "EquivalentClasses(<kb:node/n1-soup> ObjectIntersectionOf("),
        ("ObjectProperty", "SubClassOf(<kb:node/n1-soup> ObjectSomeValuesFrom(<ex:parts> "),
        (
            "ObjectSomeValuesFrom, UnionOf, EquivalentClasses",
            "EquivalentClasses(<kb:node/n1-soup> ObjectSomeValuesFrom(",
        ),
        (
            "ObjectSomeValuesFrom, Closed",
            "SubClassOf(<kb:node/n1-soup> ObjectAllValuesFrom(<ex:parts> ",
        ),
        (
            "AnnotationAssertion",
            'AnnotationAssertion(<ex:parts> <kb:node/n1-soup> "200 g lentils")',
        ),
    ],
)
def test_the_words_of_a_slot_say_what_its_values_mean(way, start):
    assert any(line.startswith(start) for line in axioms(kb(way=way)))
    sound(graph(kb(way=way)))


def test_an_individual_is_of_its_class():
    lines = axioms(kb(kind="NamedIndividual", way="ObjectProperty, ObjectSomeValuesFrom"))
    assert "ClassAssertion(<ex:Dish> <kb:node/n1-soup>)" in lines
    assert any(line.startswith("ClassAssertion(ObjectSomeValuesFrom(<ex:parts> ") for line in lines)
    rdf_graph = graph(kb(kind="NamedIndividual"))
    assert (URIRef(BASE + "node/n1-soup"), RDF.type, OWL.NamedIndividual) in rdf_graph
    assert (URIRef(BASE + "node/n1-soup"), RDF.type, OWL.Class) not in rdf_graph


def test_a_draft_says_that_nobody_decided():
    content = owl(kb(draft=True)).decode()
    assert content.startswith("# DRAFT")
    assert "undecided" in str(
        list(
            Graph()
            .parse(data=content, format="turtle")
            .objects(None, URIRef("urn:groundwork:state"))
        )
    )
    assert "undecided" not in owl(kb()).decode()


def test_owl_leaves_out_and_counts_negated_hedged_and_qualified_statements():
    hedged = Statement(SOUP, slot("food"), PULSE, modality=Modality.HYPOTHESIS)
    denied = Statement(SOUP, slot("parts"), PULSE, negated=True)
    partly = Statement(
        SOUP, slot("parts"), PULSE, qualifiers=(Qualifier("season", Literal("winter")),)
    )
    assert axioms(kb(*CLAIMS, hedged, denied, partly)) == axioms(kb())
    assert "3 negated, hedged" in owl(kb(*CLAIMS, hedged, denied, partly)).decode()


def test_equal_content_is_equal_bytes():
    assert owl(kb()) == owl(kb(*reversed(CLAIMS)))


def test_bytes_do_not_depend_on_the_process():
    code = (
        "from tests.core.kb.owl.test_ontology import kb, owl; import sys;"
        " sys.stdout.buffer.write(owl(kb()))"
    )
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            env={"PYTHONHASHSEED": seed},
            check=True,
        )
        assert done.stdout == owl(kb())


@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_labels_stay_labels(label):
    sound(
        graph(
            kb(
                Statement(SOUP, slot("parts"), Node("n1-x", "Part", label)),
                Statement(SOUP, slot("note"), Literal(label)),
            )
        )
    )


def test_a_property_is_of_one_kind_only():
    clash = Statement(Node("n1-x", "Nothing", "x"), slot("parts"), Literal("words"))
    owl_ontology = ontology(kb(*CLAIMS, clash))
    assert [p.code for p in owl_ontology.problems] == ["owl-name"]
    sound(graph(kb(*CLAIMS, clash)))


def test_a_malformed_number_is_text():
    rdf_graph = graph(kb(Statement(SOUP, slot("serves"), Literal("four or so", "xsd:integer"))))
    assert Value("four or so") in set(rdf_graph.objects(None, OWL.hasValue))


def test_owl_is_an_export_format():
    assert format_named("owl").write(kb()) == owl(kb())


# ------------------------------------------------------------------ templates

TEMPLATE = """
EquivalentClasses({{url}} ObjectIntersectionOf(ex:Dish
{% for part in parts %} ObjectSomeValuesFrom(ex:parts {{tr(part)}}) {% endfor %}))
{% if serves %} SubClassOf({{url}} DataHasValue(ex:serves {{serves}})) {% endif %}
AnnotationAssertion(ex:remark {{id}} "Made of {{parts[0].food.label}}, {{ label|lower }}."@en)
"""


def test_a_template_says_what_a_dish_is():
    knowledge_base = with_template(TEMPLATE)
    lines = axioms(knowledge_base)
    assert ontology(knowledge_base).problems == ()
    assert any(
        line.startswith("EquivalentClasses(<kb:node/n1-soup> ObjectIntersectionOf(<ex:Dish> Object")
        for line in lines
    )
    assert (
        'AnnotationAssertion(<ex:remark> <kb:node/n1-soup> "Made of lentil, lentil soup."@en)'
        in lines
    )
    assert any(
        'DataHasValue(<ex:serves> "4"^^<http://www.w3.org/2001/XMLSchema#integer>)' in line
        for line in lines
    )
    sound(graph(knowledge_base))


@pytest.mark.parametrize(
    "label", ['") SubClassOf(owl:Thing owl:Nothing', "\\", "<x>", ") (", "{{ 7 }}", "\ue0000\ue001"]
)
def test_words_are_never_read_as_syntax(label):
    dish = Node("n1-soup", "Dish", label)
    knowledge_base = with_template(
        'AnnotationAssertion(ex:remark {{url}} "{{label}}")', Statement(dish, slot("parts"), LENTIL)
    )
    assert "Nothing" not in " ".join(axioms(knowledge_base)).replace(
        label.replace("\\", "\\\\").replace('"', '\\"'), ""
    )
    assert Value(label) in set(graph(knowledge_base).objects(None, URIRef(EX + "remark")))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
            "other than values",
        ),
        ("{{ 'a' * 999999999 }}", "Mul"),
        ("{{ 9 ** 9 ** 9 }}", "Pow"),
        ("{{ ''.__class__.__mro__ }}", "__"),
        ("{{ url._slots }}", "_slots"),
        ("{{ url['__class__'] }}", "reaches for __class__"),
        ("{{ url[label] }}", "worked out"),
        ("{{ label|attr('__class__') }}", "filter attr"),
        ("{{ label|center(999999999) }}", "filter center"),
        ("{{ '%0999999999d' % 1 }}", "Mod"),
        ("{% import 'os' as os %}", "Import"),
        ("{{ cycler.__init__.__globals__.os.popen('id').read() }}", "calls"),
        ("{% set x = 'a' %}", "Assign"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "Macro"),
        ("{% include '/etc/passwd' %}", "Include"),
        ("{{ label|replace('a', 'aaaa') }}", "replace"),
        ("{% for a in label %}{% endfor %}", "list"),
        ("{{ range(9) }}", "calls"),
        ("{{ unclosed", "Jinja"),
        ("SubClassOf({{url}}", "closed"),
        ("Fly({{url}} ex:Dish)", "Fly"),
        ("SubClassOf({{url}} nowhere:x)", "nowhere"),
        ("SubClassOf({{url}} {{label}})", ""),
        ("EquivalentClasses({{url}} ObjectIntersectionOf(ex:Dish))", "takes"),
    ],
)
def test_a_template_that_cannot_be_honoured_is_named_and_the_annotations_are_used(words, why):
    knowledge_base = with_template(words)
    (problem,) = [p for p in ontology(knowledge_base).problems if p.code == "owl-template"]
    assert "owl.template of Dish" in problem.message
    assert why in problem.message
    assert axioms(knowledge_base) == axioms(kb())


def test_loops_in_loops_are_counted():
    many = [Statement(SOUP, slot("parts"), Node(f"n1-{n}", "Part", str(n))) for n in range(200)]
    loops = "".join(f"{{% for p{n} in parts %}}" for n in range(5)) + "{% endfor %}" * 5
    (problem,) = [
        p for p in ontology(with_template(loops, *many)).problems if p.code == "owl-template"
    ]
    assert "steps" in problem.message


def test_a_template_that_is_not_taken_is_reported_when_the_schema_is_loaded():
    text = SCHEMA % ("Class", "Sometimes, ObjectSomeValuesFrom")
    text = text.replace("{owl: Class}", "{owl: Class, owl.template: '{{ 9 ** 9 }}'}")
    messages = " ".join(problem.message for problem in load_schema(text).problems)
    assert "owl.template (it uses Pow)" in messages
    assert "owl: Sometimes" in messages


def test_the_reference_recipe_template_loads_without_remarks_about_owl(shared):
    loaded_schema = load_schema(shared / "data" / "spires" / "templates" / "recipe.yaml")
    assert not [problem for problem in loaded_schema.problems if "owl" in problem.message]


PINCH = Node("n1-pinch", "Part", "0.5 tsp of the usual")
NAMELESS = (
    Statement(SOUP, slot("parts"), PINCH),
    Statement(PINCH, slot("amount"), Literal("0.5", "xsd:decimal", "[tsp_us]")),
)
SPOON = Statement(PINCH, slot("food"), Term("UO:0000010", "second", Category.UNIT))
NAMED = Statement(PINCH, slot("food"), PULSE)


@pytest.mark.parametrize(
    ("claims", "is_defined"),
    [
        (CLAIMS, True),
        ((*CLAIMS, *NAMELESS), False),
        ((*CLAIMS, *NAMELESS, SPOON), False),  # a unit does not say what is measured
        ((*CLAIMS, *NAMELESS, NAMED), True),
    ],
    ids=["all parts have terms", "an amount alone", "an amount and a unit", "a term as well"],
)
def test_a_thing_with_a_part_that_has_no_term_is_described_but_not_defined(claims, is_defined):
    knowledge_base = kb(*claims)
    of_soup = [
        axiom for axiom in axioms(knowledge_base) if "n1-soup" in axiom and "ex:parts" in axiom
    ]
    assert of_soup
    assert all(axiom.startswith("EquivalentClasses(") == is_defined for axiom in of_soup)
    codes = {problem.code for problem in ontology(knowledge_base).problems}
    assert ("owl-undefined" in codes) != is_defined
