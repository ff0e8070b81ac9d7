"""Foldings: what counts as the same name, what does not, and how a difference is reported."""

from __future__ import annotations

import pytest

from core.grounding.match import normalise
from core.grounding.match.fingerprint import joined_fingerprint, stem_fingerprint
from core.grounding.match.mention_wording import expand_coordination

SAME = [
    ("TNFα", "TNF-alpha", "solid"),
    ("β-catenin", "beta catenin", "ordered"),
    ("Alzheimer's disease", "Alzheimer disease", "ordered"),
    ("oesophageal tumours", "esophageal tumor", "ordered"),
    ("HLA-B*27", "HLA-B27", "solid"),
    ("A-23187", "A23187", "solid"),
    ("carcinoma of the breast", "breast carcinoma", "bag"),
    ("type II diabetes mellitus", "diabetes mellitus, type 2", "bag"),
    ("spinocerebellar ataxia type 4", "spinocerebellar ataxia 4", "bag"),
    ("renal failure", "kidney failure", "stem"),
    ("Sjögren syndrome", "Sjogren Syndrome", "ordered"),
    ("metastases", "metastasis", "ordered"),
    ("Ménière’s disease", "Meniere disease", "ordered"),
]


KEYS = {
    "ordered": lambda words: words,
    "solid": joined_fingerprint,
    "bag": normalise.bag_of_words,
    "stem": stem_fingerprint,
}


@pytest.mark.parametrize(("name", "variant", "key"), SAME)
def test_variants_of_a_name_normalise_alike(name, variant, key):
    key_of = KEYS[key]
    assert key_of(normalise.fold_words(name)) == key_of(normalise.fold_words(variant))


@pytest.mark.parametrize(
    ("name", "other_name"),
    [
        ("KRAS", "KRA"),
        ("AIDS", "AID"),
        ("hepatitis B", "hepatitis C"),
        ("BRCA1", "BRCA2"),
        ("IL-1", "IL-10"),
    ],
)
def test_different_names_normalise_differently(name, other_name):
    one_words, other_words = normalise.fold_words(name), normalise.fold_words(other_name)
    assert stem_fingerprint(one_words) != stem_fingerprint(other_words)


@pytest.mark.parametrize(
    ("mention", "name", "differed"),
    [
        ("aspirin", "aspirin", ()),
        ("aspirin", "Aspirin", ("case",)),
        ("tumours", "tumor", ("spelling", "plural")),
        ("TNFα", "TNF-alpha", ("Greek letter", "hyphen or space")),
        ("breast carcinoma", "carcinoma breast", ("word order",)),
        ("cardiac failure", "heart failure", ("equal word",)),
    ],
)
def test_folding_steps_name_each_difference(mention, name, differed):
    assert normalise.folding_steps(mention, name) == differed


def test_an_empty_text_has_no_words():
    assert normalise.fold_words(" -- ") == ()


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("breast and ovarian cancers", ("breast cancers", "ovarian cancers")),
        ("breast/ovarian cancer", ("breast cancer", "ovarian cancer")),
        ("Type I and II C2 deficiency", ("Type I C2 deficiency", "Type II C2 deficiency")),
        ("branchial, otic and renal anomalies",
         ("branchial anomalies", "otic anomalies", "renal anomalies")),
        ("breast cancer", ()),
        ("signs and symptoms", ()),
    ],
)  # fmt: skip
def test_names_joined_by_and_are_written_out_in_full(words, names):
    assert expand_coordination(words) == names
