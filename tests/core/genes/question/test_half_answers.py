"""A question is never answered by half, or by something else that its words bring to mind."""

from __future__ import annotations

import pytest

from core.genes.question.nearest import nearest_kinds
from core.genes.question.question import QuestionKind
from core.genes.question.understand import topic_of, understand_question


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("what chromosome is rs4988235 on and in which gene", "the gene and the position"),
        ("in which gene is rs4988235 and on what chromosome?", "the gene and the position"),
        ("sequence of NM_000207", "what that record is"),
        ("FASTA of NP_000198.1", "what that record is"),
        ("genes in the HLA region", "by the region's name (HLA)"),
        ("E. coli lacZ function", "a species that the planner does not know"),
        ("what causes cystic fibrosis", "the genes of a disease can be asked"),
    ],
)
def test_question_answerable_only_in_part_is_declined_with_the_reason(text: str, reason: str):
    question = understand_question(text)
    assert question.kind == QuestionKind.UNKNOWN and reason in question.why


def test_the_genes_are_offered_where_the_cause_is_asked():
    question = understand_question("what causes cystic fibrosis?")
    offered = [near.question for near in nearest_kinds(question, topic_of(question))]
    assert any("genes" in text and "cystic fibrosis" in text for text in offered)


def test_a_record_can_still_be_asked_for_as_a_sequence_record():
    assert (
        understand_question("What is the sequence record NM_000546.6?").kind == "nucleotide record"
    )


@pytest.mark.parametrize(
    ("text", "species"), [("fly ortholog of MYC", "fly"), ("worm homolog of FOXO1", "worm")]
)
def test_the_species_is_read_by_its_short_name(text: str, species: str):
    assert understand_question(text).other_species == species
