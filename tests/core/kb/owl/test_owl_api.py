"""The OWL API, on which Protégé and ROBOT stand, reads the same ontology from every syntax."""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from core.kb.formats.registry import format_named
from core.kb.owl.ontology import name_of
from core.model import Literal, Modality, Statement, Term
from tests.core.kb.formats.test_turtle import HOSTILE
from tests.core.kb.owl.test_ontology import CLAIMS, SOUP, kb, slot

JARS = Path("/usr/share/java")  # of Debian's libowlapi-java and what it needs
READ_ONTOLOGY = Path(__file__).parents[3] / "data" / "ReadOntology.java"
SYNTAXES = {"owl": "Turtle", "ofn": "OWL Functional Syntax", "rdfxml": "RDF/XML Syntax"}
SALT = Term("FOODON:1", "".join(HOSTILE))
VARIED = (
    *CLAIMS,
    Statement(SOUP, slot("parts"), SALT, negated=True),
    Statement(SOUP, slot("parts"), SALT, modality=Modality.HYPOTHESIS),
    Statement(SOUP, slot("1st-served"), Literal('"noon"\n\\ <b>', "xsd:string")),
    Statement(SOUP, slot("made"), Literal("2020-02-31", "xsd:date")),  # no day of any calendar
    Statement(SALT, Term("biolink:treats", "treats"), Term("", "an unknown herb")),
)

Ontology = dict[str, list[str]]


def read_by_owl_api(*files: Path) -> list[Ontology]:
    if not (JARS / "owlapi-distribution.jar").exists():
        if os.environ.get("CI"):
            pytest.fail("The OWL API is missing: apt-get install libowlapi-java")
        pytest.skip("Debian's libowlapi-java is not installed")
    command = ["java", "-cp", f"{JARS}/*", str(READ_ONTOLOGY), *map(str, files)]
    read = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    ontologies: list[Ontology] = []
    for line in read.stdout.splitlines():
        kind, _, words = line.partition("\t")
        if kind == "file":
            ontologies.append(defaultdict(list))
        ontologies[-1][kind].append(words)
    return ontologies


@pytest.mark.parametrize("kind", ["Class", "Individual"])
def test_every_syntax_is_the_same_ontology_and_within_owl_2_dl(tmp_path, kind):
    written, files = kb(*VARIED, kind=kind), []
    for name in SYNTAXES:
        files.append(tmp_path / f"kb.{name}")
        files[-1].write_bytes(format_named(name).write(written))
    read = read_by_owl_api(*files)
    assert [ontology["file"] for ontology in read] == [[name] for name in SYNTAXES.values()]
    for ontology in read:
        assert ontology["breach"] == []
        assert ontology["name"] == [name_of(written)]
        assert ontology["class"] == read[0]["class"]
        assert ontology["axiom"] == read[0]["axiom"]
