"""Words that are written in several ways are one."""

from __future__ import annotations

import pytest

from core.literature.index import stem
from core.literature.index.tokens import asked_units, text_units


@pytest.mark.parametrize(
    ("spelling", "other_spelling"),
    [
        ("Alzheimer’s disease", "Alzheimer's disease"),
        ("Alzheimer′s disease", "Alzheimer disease"),
        ("tumours of mice", "tumor mouse"),
        ("hypotheses were analysed", "hypothesis analyze"),
        ("leukaemia and oedema", "leukemia, edema"),
        ("Sjögren’s syndrome", "Sjogren's syndrome"),
        ("randomised, hospitalisation", "randomized hospitalization"),
        ("nuclei and fungi", "nucleus fungus"),
        ("5′-UTR", "5'-UTR"),
    ],
)
def test_ways_of_writing_a_word_are_one(spelling, other_spelling):
    assert text_units(spelling) == text_units(other_spelling)


@pytest.mark.parametrize(
    ("word", "other_word"),
    [("iodouracil", "odor"), ("disease", "decease"), ("gene", "genus")],
)
def test_words_that_look_alike_stay_separate(word, other_word):
    assert text_units(word) != text_units(other_word)


def test_a_symbol_that_holds_a_stop_word_stays_whole():
    assert asked_units("HER2 and KIF1A-related disorders") == ["her2", "kif1a", "relat", "disord"]
    assert {"her2", "kif1a"} <= set(text_units("HER-2, KIF1A-related"))
    assert "kif1" not in text_units("KIF1A")


@pytest.mark.parametrize("held", stem._SPELLINGS)
def test_every_spelling_rule_is_tried_on_a_word_that_holds_it(held):
    assert stem.american_singular(f"xx{held}xx") == f"xx{stem._SPELLINGS[held]}xx"


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("oestrogen", "estrogen"),
        ("oesophagus", "esophagus"),
        ("malodour", "malodor"),
        ("meningocoele", "meningocele"),
        ("programmes", "programs"),
        ("fibres", "fibers"),
        ("theatre", "theater"),
        ("localises", "localizes"),
        ("localisations", "localizations"),
        ("analyzer", "analyser"),
        ("analogues", "analogs"),
        ("carcinomata", "carcinoma"),
        ("dialyses", "dialysis"),
    ],
)
def test_every_rule_of_place_is_tried(british, american):
    assert stem.american_singular(british) == american
