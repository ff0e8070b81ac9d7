"""A thing fills a list of what a text is about where a sentence says so."""

from __future__ import annotations

import pytest

from core.extraction.builtin.slot_sense import SlotSense
from core.extraction.builtin.slot_statement import slot_places
from core.model import Span


def places(text: str, sense: SlotSense, words: str, root: str = "") -> list[str]:
    """The rules by which the first place of `words` fills the list."""
    start = text.index(words)
    roots = [
        Span(at, at + len(root)) for at in range(len(text)) if root and text.startswith(root, at)
    ]
    span, title = Span(start, start + len(words)), Span(0, max(text.find("."), 0))
    return [place.rule for place in slot_places(text, sense, [span], root=roots, title=title)]


@pytest.mark.parametrize(
    ("text", "fills"),
    [
        ("Mutations in the ABC1 gene cause Orlan disease.", True),
        ("Orlan disease is caused by ABC1.", True),
        ("ABC1 deficiency is rare.", True),
        ("ABC1 cells were counted in patients with Orlan disease.", False),
        ("In Orlan disease ABC1 was not mutated.", False),
        ("Mutations in ABC1 were sought.", False),
    ],
)
def test_a_gene_of_a_disease_is_said_to_be_one(text: str, fills: bool) -> None:
    root = "ABC1 deficiency" if "deficiency" in text else "Orlan disease"
    assert bool(places(text, SlotSense.CAUSAL_GENE, "ABC1", root)) is fills


@pytest.mark.parametrize(
    ("text", "fills"),
    [
        ("Firmicutes were the most abundant phylum.", True),
        ("Firmicutes were not detected.", False),
        ("Firmicutes were dominant, but archaea were not found.", True),
        ("Firmicutes are named after a skin.", False),
    ],
)
def test_a_taxon_of_a_sample_was_found(text: str, fills: bool) -> None:
    assert bool(places(text, SlotSense.FOUND, "Firmicutes")) is fills


def test_what_was_sampled_stands_in_the_title_or_in_a_sentence_on_sampling() -> None:
    text = "Life in a lake. Sediment was collected. The soil is frozen."
    assert places(text, SlotSense.SAMPLED, "lake")
    assert places(text, SlotSense.SAMPLED, "Sediment")
    assert not places(text, SlotSense.SAMPLED, "soil")


def test_a_pathway_has_the_genes_of_its_name_and_those_called_a_part_of_it() -> None:
    text = "ABC1/Def signaling needs GHI1. JKL2 is a component of Def signaling."
    assert places(text, SlotSense.MEMBER, "ABC1", "Def signaling")
    assert places(text, SlotSense.MEMBER, "JKL2", "Def signaling")
    assert not places(text, SlotSense.MEMBER, "GHI1", "Def signaling")
