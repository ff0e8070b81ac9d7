"""Questions as people type them in a hurry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.literature.answers.extractive import extract_sentences
from core.literature.chunk import Chunk
from core.literature.query.plain_question import plain_question


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("wat is holoprosencephaly", "what is holoprosencephaly"),
        ("pls tell me wat helps children", "what helps children"),
        ("wats erenumab used for", "what is erenumab used for"),
        ("pls list jak inhibitors", "list jak inhibitors"),
        ("Please list the JAK inhibitors.", "list the JAK inhibitors."),
        ("is atenolol metabolised by cyp2d6 pls", "is atenolol metabolised by cyp2d6"),
        ("can u tell me what fingolimod does", "what fingolimod does"),
        ("thx can you find papers on ubrogepant", "ubrogepant"),
        ("i want to know about super enhancers", "super enhancers"),
        ("gimme info on histone methylation", "histone methylation"),
        ("hi, what causes klinefelter", "what causes klinefelter"),
        ("teh role of tau", "the role of tau"),
        ("what r the symptoms", "what are the symptoms"),
        ("how 2 treat covid19", "how to treat covid19"),
        ("what's known abt circular rnas", "what's known about circular rnas"),
        ("does smoking cause copd lol", "does smoking cause copd"),
    ],
)
def test_words_for_the_reader_are_left_out(typed: str, plain: str) -> None:
    assert plain_question(typed) == plain


@pytest.mark.parametrize(
    "typed",
    [
        "wat browning",
        "role of WAT in obesity",
        "pls regression methods",
        "hi c maps",
        "Hi-C maps of mice",
        "abt 737 in lymphoma",
        "r package for rna seq",
        "Is SO2 toxic?",
        "Find genes linked to autism",
        "Give examples of DMARDs",
        "please",
    ],
)
def test_words_that_may_be_names_stay(typed: str) -> None:
    assert plain_question(typed) == typed


@given(st.text(max_size=60))
def test_query_of_a_plain_question_is_never_empty(typed: str) -> None:
    plain = plain_question(typed)
    assert bool(plain) == bool(typed.split())


def test_a_definition_is_asked_for_however_it_is_spelt() -> None:
    chunk = Chunk("a@0", "a", "Ligase is red. Tau is a protein of neurons.")
    assert (
        extract_sentences("wat is tau pls", [chunk]).sentences[0].text
        == "Tau is a protein of neurons."
    )
