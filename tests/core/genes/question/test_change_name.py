"""A change of a gene is read in each way that people and ClinVar write it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.genes.question.change_name import (
    _ONE_LETTER,
    GeneChange,
    notations_in,
    protein_form,
    read_change,
)
from core.genes.question.understand import understand_question

SIGNIFICANCE = "clinical significance of a change"


@pytest.mark.parametrize(
    ("written", "notation"),
    [
        ("BRAF V600E", "p.V600E"),
        ("BRAF p.Val600Glu", "p.V600E"),
        ("BRAF:p.(Val600Glu)", "p.V600E"),
        ("HBB E6V", "p.E6V"),
        ("HBB Glu6Val", "p.E6V"),
        ("TP53 R213X", "p.R213*"),
        ("TP53 p.Arg213Ter", "p.R213*"),
        ("TP53 p.R213*", "p.R213*"),
        ("CFTR Phe508del", "p.F508del"),
        ("BRCA1 p.Gln1756Profs*74", "p.Q1756fs"),
        ("BRCA1 p.Q1756fs", "p.Q1756fs"),
        ("EGFR p.Glu746_Ala750del", "p.E746_A750del"),
        ("EGFR p.Asp770_Asn771insSerVal", "p.D770_N771insSV"),
        ("BRCA1 c.68_69delAG", "c.68_69del"),
        ("BRCA1 c.5266dupC", "c.5266dup"),
        ("MUTYH c.1187g>a", "c.1187G>A"),
        ("MSH2 c.942+3A>T", "c.942+3A>T"),
        ("HBB c.-78A>G", "c.-78A>G"),
        ("F2 c.*97G>A", "c.*97G>A"),
        ("EGFR c.2239_2248delinsC", "c.2239_2248delinsC"),
        ("EGFR c.2239_2248delTTAAGAGAAGinsC", "c.2239_2248delinsC"),
    ],
)
def test_every_way_to_write_a_change_gives_one_form(written: str, notation: str):
    assert notations_in(written) == (notation,)


@pytest.mark.parametrize("words", ["B7-H3", "H2AX and CD8A", "T4 levels", "GJB2 35delG", "c. 2010"])
def test_names_that_resemble_a_change_are_not_read_as_one(words: str):
    assert notations_in(words) == ()


def test_a_title_of_clinvar_names_the_coding_and_the_protein_change():
    title = "NM_004333.6(BRAF):c.1799T>A (p.Val600Glu)"
    assert notations_in(title) == ("c.1799T>A", "p.V600E")


@given(
    st.sampled_from(sorted(_ONE_LETTER)),
    st.integers(1, 99999),
    st.sampled_from(sorted(_ONE_LETTER)),
)
def test_three_letters_and_one_letter_mean_the_same(before: str, at: int, after: str):
    short = f"{_ONE_LETTER[before]}{at}{_ONE_LETTER[after]}"
    assert protein_form(f"{before}{at}{after}") == protein_form(short) == f"p.{short}"


@given(st.from_regex(r"[A-Z][A-Z0-9]{1,6}|NM_\d{6}\.\d", fullmatch=True), st.integers(1, 9999))
def test_the_subject_of_a_question_is_read_as_the_change_that_it_was_written_from(
    ref: str, at: int
):
    change = GeneChange(ref, f"c.{at}G>A")
    assert read_change(change.subject) == change


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("What is the clinical significance of BRCA1 c.68_69delAG?", "BRCA1 c.68_69del"),
        ("Is NM_007294.4:c.5266dupC pathogenic?", "NM_007294.4:c.5266dup"),
        (
            "NM_007294.4(BRCA1):c.5266dup (p.Gln1756fs) classification",
            "NM_007294.4(BRCA1):c.5266dup",
        ),
        ("Is p.Arg175His in TP53 pathogenic?", "TP53 p.R175H"),
        ("What does ClinVar say about CFTR F508del?", "CFTR p.F508del"),
        ("Which conditions is HER2 V777L associated with?", "HER2 p.V777L"),
    ],
)
def test_the_significance_of_a_change_is_asked_of_its_gene_or_transcript(text: str, subject: str):
    question = understand_question(text)
    assert (question.kind, question.subject) == (SIGNIFICANCE, subject)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("EGFR L858R and T790M pathogenic?", "several changes (p.L858R, p.T790M)"),
        ("BRAF V600E", "not what to find"),
        ("Which drugs treat BRAF V600E?", "OncoKB"),
        ("Is Trp53 R172H of the mouse pathogenic?", "human variants only"),
        ("Is NC_000007.14:g.140753336A>T pathogenic?", "name the gene or a RefSeq transcript"),
        ("What is the frequency of BRAF V600E?", "frequency"),
    ],
)
def test_a_question_on_a_change_that_no_rule_answers_says_why(text: str, why: str):
    question = understand_question(text)
    assert question.kind == "not understood" and re.search(re.escape(why), question.why)


def test_a_gene_called_like_a_change_is_a_gene():
    assert understand_question("Is S100P a protein-coding gene?").kind == "protein-coding"
    assert understand_question("What is the official symbol of F11R?").kind == "gene alias"
