"""The functional syntax is read by horned-owl, a reader of others, as the same axioms."""

from __future__ import annotations

import pytest

from core.kb.owl.formats.owl_functional import OWL_FUNCTIONAL
from core.kb.owl.ontology import name_of, ontology
from tests.core.kb.owl.test_ontology import kb

horned = pytest.importorskip("pyhornedowl")


def opened(tmp_path, knowledge):
    file = tmp_path / "kb.ofn"
    file.write_bytes(OWL_FUNCTIONAL.write(knowledge))
    return horned.open_ontology_from_file(str(file), "ofn")


def test_horned_owl_finds_every_class_and_every_axiom(tmp_path):
    knowledge = kb()
    read = opened(tmp_path, knowledge)
    written = OWL_FUNCTIONAL.write(knowledge).decode()
    assert str(read.get_iri()) == name_of(knowledge)
    assert {str(kind) for kind in read.get_classes()} == {
        line[19:-3] for line in written.splitlines() if line.startswith("Declaration(Class(<")
    }
    logical = [a for a in ontology(knowledge).axioms if not a.operator.startswith("Annotation")]
    kinds = {type(axiom.component).__name__ for axiom in read.get_axioms()}
    assert logical and {axiom.operator for axiom in logical} <= kinds


def test_a_draft_says_that_it_is_one():
    assert OWL_FUNCTIONAL.write(kb(draft=True)).startswith(b"# DRAFT")
