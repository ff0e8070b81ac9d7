"""Names that only a part of the words gives: which are answers, and which are left to a curator."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.model import Outcome

ROWS = """\
prefix	id	label	synonym	scope
M	M:1	Tachycardia	Tachycardia	label
M	M:1	Tachycardia	Tachyarrhythmia	EXACT
M	M:2	Tachycardia, Ectopic Atrial	Tachycardia, Ectopic Atrial	label
M	M:3	Hemangioblastoma	Hemangioblastoma	label
M	M:4	Abnormalities, Drug-Induced	Diseases, Drug-Induced	EXACT
M	M:5	Adenovirus, Human	Adenovirus, Human	label
M	M:6	Adenovirus Infections	Adenovirus Infections	label
M	M:7	Breast Neoplasms	Breast Cancer	EXACT
M	M:8	Ovary, Diseases of	Ovarian Cancers	EXACT
M	M:9	Eosinophilic esophagitis	EE	EXACT
M	M:10	Ethylmalonic encephalopathy	E.E.	EXACT
CL	CL:1	epithelial cell	epithelial cell	label
CL	CL:2	ON-bipolar cell	ON-bipolar cell	label
CL	CL:3	B-1 B cell	B-1 B cell	label
CL	CL:4	B cell	B cell	label
CL	CL:5	basophil of pituitary	beta cell	RELATED
CL	CL:6	type B pancreatic cell	beta cell	BROAD
"""


@pytest.fixture
def ground(tmp_path: Path):
    path = tmp_path / "small.tsv"
    path.write_text(ROWS, encoding="utf-8")
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "indexes", files=[path]))

    def chosen(words: str, context: str = "") -> tuple[str, Outcome]:
        candidates = grounder.ground(words, Constraint(("small",)), context=context)
        term, outcome = choose_candidate(candidates)
        return (term.id if term else "", outcome)

    return chosen


def test_a_broader_term_is_only_offered(ground):
    assert ground("cerebellar hemangioblastoma")[0] == ""
    assert ground("atrial tachycardia")[0] == ""


def test_a_broader_cell_is_only_offered(ground):
    assert ground("gallbladder epithelial cell")[0] == ""


def test_associated_with_is_not_matched_to_drug_induced(ground):
    assert ground("cancer-associated diseases")[0] != "M:4"
    assert ground("levodopa-induced diseases")[0] == "M:4"


def test_a_disease_of_a_virus_is_its_infection_and_not_the_virus(ground):
    assert ground("adenovirus disease")[0] == "M:6"


def test_first_of_names_given_together_comes_first(ground):
    assert ground("breast and ovarian cancer")[0] == "M:7"
    assert ground("ovarian and breast cancer")[0] == "M:8"


def test_a_short_form_of_several_terms_is_a_tie_unless_the_text_writes_it_out(ground):
    assert ground("EE") == ("", Outcome.AMBIGUOUS)
    text = "Eosinophilic esophagitis (EE) is an allergy. EE is chronic."
    assert ground("EE", text)[0] == "M:9"


@pytest.mark.parametrize("words", ["type I", "B", "bipolar cell"])
def test_generic_word_alone_is_not_a_partial_name(ground, words):
    assert ground(words)[0] == ""


def test_a_broad_synonym_goes_before_a_related_one(ground):
    assert ground("β-cell")[0] == "CL:6"


def test_a_page_of_words_is_not_a_phrase_and_its_parts_are_not_tried(ground):
    words = "lorem ipsum dolor " * 5000
    begun = time.process_time()
    assert ground(words + "Tachycardia", words)[0] == ""
    assert time.process_time() - begun < 5  # with its parts: minutes, and gigabytes
    assert ground("persistent tachycardia", words)[0] == "M:1"
