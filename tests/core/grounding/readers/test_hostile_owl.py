"""OWL that means far more than it says."""

import time

import pytest

from core.errors import InputError
from core.grounding.readers import registry
from core.grounding.readers.record import Reading

NESTED = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))


def test_owl_with_nested_entities_is_refused_at_once(tmp_path):
    path = tmp_path / "bomb.owl"
    path.write_text(
        f'<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY e0 "lol">{NESTED}]>'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">&e9;</rdf:RDF>'
    )
    began = time.monotonic()
    with pytest.raises(InputError, match="entities"):
        list(registry.read(path, Reading()))
    assert time.monotonic() - began < 5
