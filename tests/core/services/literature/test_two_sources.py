"""A paper that comes from two sources: the longer text stays, and what either knows is kept."""

from __future__ import annotations

import pytest

from core.desk import Desk, open_desk
from core.documents.paper import ABSTRACT, FULL_TEXT, RETRACTED, UPDATED, Paper, PaperSection
from core.services.documents.same_papers import related_papers
from core.services.literature import namespaces
from core.settings import Settings

FULL = Paper(
    "PMID:1",
    "Tau in mice",
    (PaperSection("Results", "Tau sank in 12 mice."),),
    FULL_TEXT,
    ("PMID:1",),
)
CITED = Paper(
    "PMID:1",
    "Tau in mice",
    (PaperSection("", "Tau was measured."),),
    ABSTRACT,
    ("PMID:1",),
    year="2021",
    volume="12",
    flags=(RETRACTED,),
)
TITLE_ALONE = Paper(
    "PMID:1", "Tau in mice", (), ABSTRACT, ("PMID:1",), issue="3", flags=(RETRACTED,)
)


@pytest.fixture
def desk(tmp_path) -> Desk:
    return open_desk(Settings(project=tmp_path / "p"))


def member_after(desk, *papers: Paper):
    namespaces.create_namespace(desk, "ns")
    for paper in papers:
        namespaces.add_papers(desk, "ns", [paper])
    (member,) = desk.store.namespaces.members("ns")
    return member


def test_an_abstract_does_not_take_the_place_of_a_full_text(desk):
    member = member_after(desk, FULL, CITED)
    assert "12 mice" in member.text.text
    assert [name for name, *_ in member.body["sections"]] == ["Title", "Results"]
    assert (member.body["volume"], member.body["flags"]) == ("12", [RETRACTED])


def test_nor_when_both_come_in_one_file(desk):
    namespaces.create_namespace(desk, "ns")
    namespaces.add_papers(desk, "ns", [FULL, CITED, TITLE_ALONE])
    (member,) = desk.store.namespaces.members("ns")
    assert "12 mice" in member.text.text
    assert (member.body["volume"], member.body["issue"]) == ("12", "3")


def test_a_full_text_takes_the_place_of_an_abstract(desk):
    member = member_after(desk, CITED, FULL)
    assert "12 mice" in member.text.text
    assert (member.body["year"], member.body["flags"]) == ("2021", [RETRACTED])


def test_a_title_alone_tells_what_is_missing_and_that_a_paper_was_retracted(desk):
    member = member_after(desk, FULL, TITLE_ALONE)
    assert "12 mice" in member.text.text
    assert (member.body["issue"], member.body["flags"]) == ("3", [RETRACTED])


def test_second_record_with_the_same_title_alone_changes_nothing(desk):
    member_after(desk, TITLE_ALONE)
    added = namespaces.add_papers(desk, "ns", [TITLE_ALONE])
    assert (added.read, added.changed, added.new) == (1, 0, 0)


def abstract(words: str) -> Paper:
    return Paper("PMID:1", "Tau in mice", (PaperSection("", words),), ABSTRACT, ("PMID:1",))


WHOLE = "Tau rose in the cortex of old mice. It sank again after training."


@pytest.mark.parametrize("later", ["Tau rose in the cortex of old mice.", "Tau rose in the cort…"])
def test_a_cut_abstract_leaves_the_longer_one(desk, later):
    member = member_after(desk, abstract(WHOLE), abstract(later))
    assert "after training" in member.text.text


@pytest.mark.parametrize("later", [f"{WHOLE} So it goes.", "Tau sank in young rats at once."])
def test_an_abstract_that_says_more_or_otherwise_takes_its_place(desk, later):
    member = member_after(desk, abstract(WHOLE), abstract(later))
    assert later in member.text.text


def test_the_counts_of_what_was_read_add_up(desk):
    namespaces.create_namespace(desk, "ns")
    other = Paper("PMID:2", "Another", (PaperSection("", "Words."),), ABSTRACT, ("PMID:2",))
    namespaces.add_papers(desk, "ns", [CITED])
    added = namespaces.add_papers(desk, "ns", [FULL, other, other])
    expected = "3 papers read: 1 new, 1 changed, 1 already present"
    assert added.counts == expected


RETRACTED_LATER = Paper("PMID:41", "Gamma cures asthma", ids=("PMID:41",))
NOTICE = Paper("PMID:42", "Notice", ids=("PMID:42",), links=(("RetractionOf", "PMID:41"),))


@pytest.mark.parametrize("turned", [False, True])
def test_a_notice_in_a_namespace_marks_the_paper_that_it_retracts(desk, turned):
    namespaces.create_namespace(desk, "ns")
    for paper in (NOTICE, RETRACTED_LATER) if turned else (RETRACTED_LATER, NOTICE):
        namespaces.add_papers(desk, "ns", [paper])
    assert desk.store.document_overview.notices(["PMID:41", "PMID:42"]) == {"PMID:41": RETRACTED}


@pytest.mark.parametrize("turned", [False, True])
def test_a_status_names_the_paper_that_says_so_and_both_show_each_other(desk, turned):
    preprint = Paper("PMID:1", "Alpha is high", ids=("PMID:1",), flags=(UPDATED,),
                     links=(("UpdateIn", "PMID:2"), ("CommentIn", "PMID:3")))  # fmt: skip
    published = Paper("PMID:2", "Alpha, all things considered", ids=("PMID:2",))
    namespaces.create_namespace(desk, "ns")
    for paper in (published, preprint) if turned else (preprint, published):
        namespaces.add_papers(desk, "ns", [paper])
    assert desk.store.document_overview.notices(["PMID:1"]) == {"PMID:1": f"{UPDATED} (PMID:2)"}
    related = [(r.document, r.relation, r.stored) for r in related_papers(desk, "PMID:1")]
    assert related == [("PMID:2", "version", True), ("PMID:3", "comment", False)]
    assert [r.document for r in related_papers(desk, "PMID:2")] == ["PMID:1"]
