"""Which ids are one thing in an open project, while its vocabularies come and go."""

from __future__ import annotations

from core.services.vocabularies import installation
from tests.reviewing import filled

ONTOLOGY = b"""format-version: 1.2

[Term]
id: LAB:1
name: fever
xref: DOID:1
"""


def test_references_to_a_vocabulary_that_is_compiled_later_tie_once_it_is_there(
    tmp_path, monkeypatch
):
    desk = filled(tmp_path)
    installation.add_upload(desk, "lab.obo", ONTOLOGY)
    registry = desk.vocabulary_registry
    monkeypatch.setattr(registry, "prefixes", lambda: frozenset({"LAB"}))
    assert desk.equivalents().of("LAB:1") <= {"LAB:1"}
    monkeypatch.setattr(registry, "prefixes", lambda: frozenset({"LAB", "DOID"}))
    assert "DOID:1" in desk.equivalents().of("LAB:1")
