"""Mentions get candidate terms from the desk's own grounder."""

from __future__ import annotations

from pathlib import Path

from core.extraction.mention_grounding import grounding
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.model import Mention, Span
from core.schema.load import load_schema

SCHEMA = """
id: https://example.org/g
name: g
prefixes: {linkml: https://w3id.org/linkml/}
imports: ['linkml:types', core]
classes:
  Report: {tree_root: true, attributes: {diseases: {range: Disease, multivalued: true}}}
  Disease: {is_a: NamedEntity, annotations: {annotators: diseases}}
"""
TEXT = "She has Kleefstra syndrome 1, they say."


def test_a_longer_name_around_the_mention_is_offered_after_the_others(tmp_path: Path) -> None:
    path = tmp_path / "diseases.tsv"
    path.write_text("id\tlabel\nD:1\tKleefstra syndrome\nD:2\tKleefstra syndrome 1\n")
    asked = grounding(
        load_schema(SCHEMA), Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path]))
    )
    span = Span(8, 26)
    mention = Mention(span.quote(TEXT), "diseases[0]", "Disease", spans=(span,))
    grounded = asked.ground(mention, mention.text, TEXT)
    assert grounded.chosen is not None and grounded.chosen.id == "D:1"
    assert [candidate.term.id for candidate in grounded.candidates] == ["D:1", "D:2"]
