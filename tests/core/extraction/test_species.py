"""Mentions of genes carry their species, and a person may set it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.codec import from_json, to_json
from core.extraction.mention_grounding import Grounding, grounding
from core.extraction.species import mentions_in_species, with_species
from core.extraction.tree import Branch, Extraction
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.model import Category, Mention, Span
from core.schema.load import load_schema

HUMAN, MOUSE = "NCBITaxon:9606", "NCBITaxon:10090"
SCHEMA = """
id: https://example.org/g
name: g
prefixes: {linkml: https://w3id.org/linkml/}
imports: ['linkml:types', core]
classes:
  Report: {tree_root: true, attributes: {genes: {range: Gene, multivalued: true}}}
  Gene: {is_a: NamedEntity, annotations: {annotators: genes}}
"""
TEXT = "Mice slept. ABC1 rose."


@pytest.fixture
def look_up(tmp_path: Path) -> Grounding:
    path = tmp_path / "genes.tsv"
    path.write_text(f"id\tlabel\ttaxon\nG:1\tABC1\t{HUMAN}\nG:2\tAbc1\t{MOUSE}\n")
    return grounding(
        load_schema(SCHEMA), Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path]))
    )


def grounded(look_up: Grounding, text: str) -> Extraction:
    """As an engine leaves it that saw `text`, a part of TEXT."""
    span = Span(TEXT.index("ABC1"), TEXT.index("ABC1") + 4)
    mention = Mention("ABC1", "genes[0]", "Gene", Category.GENE, (span,))
    return Extraction(Branch("", "Report"), (look_up.ground(mention, "ABC1", text),))


def test_a_mention_says_its_species_and_whence(look_up: Grounding) -> None:
    (mention,) = with_species(grounded(look_up, TEXT), TEXT, look_up).mentions
    assert (mention.taxon, mention.taxon_by, mention.chosen and mention.chosen.id) == (
        MOUSE,
        "text",
        "G:2",
    )


def test_a_gene_of_a_part_of_a_text_is_of_the_species_that_the_whole_names(
    look_up: Grounding,
) -> None:
    part = grounded(look_up, " " * TEXT.index("ABC1") + "ABC1 rose.")
    assert part.mentions[0].chosen and part.mentions[0].chosen.id == "G:1"
    (mention,) = with_species(part, TEXT, look_up).mentions
    assert mention.chosen and mention.chosen.id == "G:2"


def test_a_curators_species_goes_before_the_text(look_up: Grounding) -> None:
    meant = mentions_in_species(
        grounded(look_up, TEXT),
        ["genes[0]"],
        TEXT,
        HUMAN,
        curator="0000-0002-1825-0097",
        grounding=look_up,
    )
    mention = meant["genes[0]"]
    assert mention.chosen and mention.chosen.id == "G:1"
    assert (mention.taxon, mention.taxon_by) == (HUMAN, "0000-0002-1825-0097")


def test_the_species_is_stored_and_old_rows_are_read(look_up: Grounding) -> None:
    (mention,) = with_species(grounded(look_up, TEXT), TEXT, look_up).mentions
    assert from_json(Mention, to_json(mention)) == mention
    old = {
        "text": "x",
        "slot": "s",
        "cls": "C",
        "candidates": [{"term": {"id": "A:1", "label": "x"}, "match": "label", "score": 1.0}],
    }
    assert from_json(Mention, old).taxon == from_json(Mention, old).candidates[0].taxon == ""
