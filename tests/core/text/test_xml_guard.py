import pytest

from core.errors import InputError
from core.text.xml_guard import refuse_entities


@pytest.mark.parametrize(
    "entity",
    [
        b'<!ENTITY b "&a;&a;">',
        b"<!ENTITY a '" + b"x" * 5000 + b"'>",
        b'<!ENTITY a SYSTEM "file:///etc/passwd">',
        b'<!ENTITY % a "x">' * 501,
        b"<!ENTITY a",
    ],
    ids=["nested", "long", "outside", "many", "broken"],
)
def test_entities_that_can_grow_are_refused(entity):
    with pytest.raises(InputError, match="entities"):
        refuse_entities(b"<!DOCTYPE rdf:RDF [" + entity + b"]>", "x.owl")


def test_namespaces_written_as_entities_pass():
    refuse_entities(b'<!ENTITY owl "http://www.w3.org/2002/07/owl#" >', "x.owl")
