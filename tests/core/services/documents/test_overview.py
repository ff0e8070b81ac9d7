"""The list of documents: counts, people, tags and assignment; and a text with its marks."""

from __future__ import annotations

from itertools import pairwise

import pytest

from core.errors import InputError
from core.model import State, Verdict
from core.services.documents import annotated, overview
from core.services.review import decision
from core.services.review.decision import Judgement
from tests import reviewing
from tests.reviewing import ANNA, BEN, DOCUMENT, RELIEVES


@pytest.fixture
def desk(tmp_path):
    return reviewing.filled(tmp_path / "p")


def only(desk):
    (row,) = overview.documents(desk)
    return row


def test_a_document_counts_its_statements_by_state_and_names_who_decided(desk):
    version = desk.store.statements.get(RELIEVES.id).version
    decision.decide(desk, RELIEVES.id, version, Judgement(Verdict.APPROVE), BEN)
    row = only(desk)
    assert (row.counts[State.APPROVED], row.counts[State.PROPOSED], row.waiting) == (1, 5, 5)
    assert (row.curators, row.runs, row.kinds) == (("Ben",), 1, ("pasted",))


def test_tags_replace_each_other_and_are_tidied(desk):
    overview.set_tags(desk, DOCUMENT, ["old"], ANNA)
    overview.set_tags(desk, DOCUMENT, [" pain ", "", "pain", "set  1"], ANNA)
    assert only(desk).tags == ("pain", "set 1")


def test_a_document_is_assigned_to_a_curator_of_the_project_only(desk):
    overview.assign(desk, DOCUMENT, BEN.orcid, ANNA)
    assert only(desk).assigned == "Ben"
    with pytest.raises(InputError):
        overview.assign(desk, DOCUMENT, "0000-0003-0000-0000", ANNA)
    overview.assign(desk, DOCUMENT, "", ANNA)
    assert only(desk).assigned == ""


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        ({"words": "WILLOW note"}, 1),
        ({"words": "oak"}, 0),
        ({"only": "waiting"}, 1),
        ({"only": "decided"}, 0),
        ({"tag": "absent"}, 0),
    ],
)
def test_the_list_is_filtered(desk, wanted, count):
    assert len(overview.matching(overview.documents(desk), **wanted)) == count


def test_marks_never_overlap_and_hold_known_terms(desk):
    shown = annotated.annotated(desk, DOCUMENT)
    ends = [(mark.span.start, mark.span.end) for mark in shown.marks]
    assert all(end <= start for (_, end), (start, _) in pairwise(ends))
    words = {mark.span.quote(shown.text.text): mark.term.id for mark in shown.marks}
    assert words["Aspirin"] == "CHEBI:15365"


def test_statements_stand_in_the_order_of_the_text(desk):
    quotes = [one.quote.start for one in annotated.annotated(desk, DOCUMENT).statements]
    assert quotes == sorted(quotes) and len(quotes) == 6
