"""Records of one title, year and author: when pages or abstracts tell them apart."""

from __future__ import annotations

import pytest

from core.text.same_record import RecordFacts, contradiction

TRIAL = "Aspirin lowered the risk of stroke in four hundred patients"


@pytest.mark.parametrize(
    "facts, other",
    [
        (RecordFacts("1-9", "7"), RecordFacts("201-9", "7")),
        (RecordFacts("1"), RecordFacts("201")),
        (RecordFacts("S12-S19"), RecordFacts("S20-S25")),
        (RecordFacts(abstract="First quarter."), RecordFacts(abstract="Third quarter, others.")),
        (RecordFacts(abstract=TRIAL), RecordFacts(abstract="Nothing changed in the register")),
    ],
)
def test_other_pages_or_another_abstract_are_another_paper(
    facts: RecordFacts, other: RecordFacts
) -> None:
    assert contradiction(facts, other) and contradiction(other, facts)


@pytest.mark.parametrize(
    "facts, other",
    [
        (RecordFacts("221-8", "18"), RecordFacts("221-228", "18")),
        (RecordFacts("566-582", "33"), RecordFacts("1-17")),  # published ahead of its issue
        (RecordFacts("e1234", "7"), RecordFacts("12-19", "7")),  # article number and pages
        (RecordFacts("12", "7", TRIAL), RecordFacts("", "", TRIAL.upper()[:40])),  # cut short
        (RecordFacts(), RecordFacts("1", "2", TRIAL)),
    ],
)
def test_what_a_source_leaves_out_or_writes_otherwise_is_no_contradiction(
    facts: RecordFacts, other: RecordFacts
) -> None:
    assert contradiction(facts, other) == contradiction(other, facts) == ""
