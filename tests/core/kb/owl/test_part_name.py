"""Large definitions are written so that a reasoner for all of OWL ends, and mean the same."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from rdflib import RDFS, Graph

from core.kb.entry import KnowledgeBase
from core.kb.formats.registry import format_named
from core.kb.owl.form import Iri, OwlForm, functional_syntax, join_forms
from core.kb.owl.ontology import ontology, owl
from core.kb.owl.part_name import MOST
from core.model import Literal, Node, Statement
from tests.core.kb.owl.test_ontology import BASE, EX, PULSE, SOUP, kb, slot, sound

ENOUGH = 120  # seconds for two slow cores that others use: it takes 3; inline it took over 400


def dish(count: int) -> KnowledgeBase:
    """A soup of so many parts, all lentils, which only their amounts tell apart."""
    claims = []
    for number in range(count):
        part = Node(f"n1-part{number}", "Part", f"{number} g lentils")
        claims.append(Statement(SOUP, slot("parts"), part))
        claims.append(Statement(part, slot("food"), PULSE))
        claims.append(Statement(part, slot("amount"), Literal(str(number), "xsd:decimal", "g")))
    return kb(*claims)


def part_definitions(knowledge: KnowledgeBase) -> dict[Iri, OwlForm]:
    return {
        axiom.parts[0]: axiom.parts[1]
        for axiom in ontology(knowledge).axioms
        if axiom.operator == "EquivalentClasses" and "/class/part-" in axiom.parts[0].iri
    }


def soup(knowledge: KnowledgeBase) -> OwlForm:
    (definition,) = (
        axiom.parts[1]
        for axiom in ontology(knowledge).axioms
        if axiom.operator == "EquivalentClasses" and axiom.parts[0].iri == f"{BASE}node/n1-soup"
    )
    return definition


def test_a_small_definition_holds_its_parts_in_place():
    assert part_definitions(dish(MOST)) == {}
    assert functional_syntax(soup(dish(MOST))).count("ObjectSomeValuesFrom(<" + EX) == 2 * MOST


def test_the_named_parts_put_back_are_the_definition():
    definitions = part_definitions(dish(MOST + 1))
    whole = soup(dish(MOST + 1))
    assert len(definitions) == MOST + 1 and set(definitions) < set(whole.parts)
    back = join_forms(whole.operator, [definitions.get(part, part) for part in whole.parts])
    assert set(soup(dish(MOST)).parts) < set(back.parts)
    assert len(back.parts) == MOST + 2  # and the kind of thing it is


def test_a_named_part_says_what_it_is_and_is_the_same_in_every_dish():
    parsed_graph = Graph().parse(data=owl(dish(MOST + 1)), format="turtle")
    sound(parsed_graph)
    labels = {str(label) for label in parsed_graph.objects(None, RDFS.label)}
    assert {f"g, {number}, lentil" for number in range(MOST + 1)} <= labels
    assert set(part_definitions(dish(MOST + 1))) < set(part_definitions(dish(MOST + 2)))


@pytest.mark.skipif(shutil.which("java") is None, reason="HermiT needs Java")
def test_hermit_ends_on_a_dish_of_thirty_parts(tmp_path):
    owlready2 = pytest.importorskip("owlready2")
    jar = Path(owlready2.__file__).parent / "hermit" / "HermiT.jar"
    file, groups = tmp_path / "kb.ofn", tmp_path / "groups.ofn"
    file.write_bytes(b"".join(format_named("ofn").chunks(dish(30))))
    command = ["java", "-Xmx1000M", "-jar", str(jar), "-c", "-o", str(groups), file.as_uri()]
    subprocess.run(command, timeout=ENOUGH, check=True, capture_output=True)
    assert groups.read_text("utf-8").count("n1-soup") >= 30  # below each of its parts
