"""OWL that means far more than it says."""

import time

import pytest

from core.errors import InputError
from core.grounding.readers import registry
from core.grounding.readers.record import VocabularyReading
from core.grounding.readers.xml_guard import GuardedXml

NESTED = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))


def test_owl_with_nested_entities_is_refused_at_once(tmp_path):
    path = tmp_path / "bomb.owl"
    path.write_text(
        f'<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY e0 "lol">{NESTED}]>'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">&e9;</rdf:RDF>'
    )
    began = time.monotonic()
    with pytest.raises(InputError, match="entities"):
        list(registry.read(path, VocabularyReading()))
    assert time.monotonic() - began < 5


RDF = (
    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://x.org/"'
    b' xmlns:p="http://p.org/">'
)


@pytest.mark.parametrize("attribute", [b"", b" p:a='/>'", b' p:a="/>"', b' p:a="\'/>"'])
def test_owl_whose_elements_stand_very_deep_is_refused_at_once(tmp_path, attribute):
    path = tmp_path / "deep.owl"
    path.write_bytes(RDF + (b"<rdf:Description" + attribute + b"><x>") * 100_000)
    began = time.process_time()
    with pytest.raises(InputError, match="elements are nested"):
        list(registry.read(path, VocabularyReading()))
    assert time.process_time() - began < 5


def test_depth_is_counted_across_pieces_comments_and_elements_that_are_empty(tmp_path):
    part = b"""<!-- a > b --><x a="it's > 1"/><y><z b='"'/>1 > 0</y>\n<?pi?>"""
    path = tmp_path / "long.xml"
    path.write_bytes(b"<?xml version='1.0'?><r>" + part * 200 + b"</r>")
    for size in (1, 7, 1 << 14):
        with path.open("rb") as file:
            guarded = GuardedXml(file, path)
            while guarded.read(size):
                assert guarded._depth <= 2
