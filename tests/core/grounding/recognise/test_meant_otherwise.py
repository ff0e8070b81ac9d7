"""Words that a vocabulary has for something else, and everyday words for what it has."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.recognise.recogniser import Recogniser

ROWS = """\
prefix	id	label	synonym	scope
M	M:1	Mercury	Mercury	label
M	M:2	Dihydrotachysterol	AT 10	EXACT
M	M:3	Sprains and Strains	Strains	EXACT
M	M:4	Depressive Disorder	Depressive Disorder	label
M	M:5	Kidney Diseases	Kidney Disease	EXACT
M	M:6	Basal Ganglia Diseases	Extrapyramidal Disorder	EXACT
M	M:7	Dosage Forms	Tablets	EXACT
M	M:8	DUOXA1	mol	RELATED
"""


@pytest.fixture
def marked(tmp_path: Path):
    path = tmp_path / "small.tsv"
    path.write_text(ROWS, encoding="utf-8")
    recogniser = Recogniser(Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path])))

    def marks(text: str) -> dict[str, str]:
        annotated = recogniser.annotate(text, {"any": Constraint(("small",))})
        return {mark.span.quote(text): mark.candidates[0].term.id for mark in annotated}

    return marks


def test_a_column_of_mercury_is_a_pressure(marked):
    assert marked("It rose to 150 mm Hg.") == marked("It rose to 150 mmHg.") == {}
    assert marked("Hg accumulates in fish.") == {"Hg": "M:1"}


def test_a_name_that_begins_with_a_small_word_keeps_its_capitals(marked):
    assert marked("Seen at 10 weeks.") == {}
    assert marked("She took AT 10 daily.") == {"AT 10": "M:2"}


def test_an_amount_of_substance_is_not_a_gene(marked):
    assert marked("We added 3 mol of it.") == {}
    assert marked("The gene mol was lost.") == {"mol": "M:8"}


def test_strains_of_mice_and_tablets_are_no_injury_and_no_drug(marked):
    assert marked("Two strains of mice were given tablets.") == {}


@pytest.mark.parametrize(
    ("words", "id"),
    [("depression", "M:4"), ("renal damage", "M:5"), ("extrapyramidal symptoms", "M:6")],
)
def test_everyday_words_for_a_disorder_are_met(marked, words, id):
    assert marked(f"The patient developed {words} later.") == {words: id}


def test_names_in_a_long_text_take_steps_that_grow_with_its_length(marked, monkeypatch):
    """Each short form that a text defines is looked for among its words, not in the whole text."""
    from core.grounding.recognise import recogniser

    looked_at: list[str] = []
    alone = recogniser._stands_alone

    def counted(text: str, form: str, start: int) -> bool:
        looked_at.append(form)
        return alone(text, form, start)

    monkeypatch.setattr(recogniser, "_stands_alone", counted)
    text = "Kidney disease (KD) is common. KD and KD-2 are not AKD. " + "Nothing else. " * 200
    assert marked(text)["KD"] == "M:5"
    assert len(looked_at) == 3
