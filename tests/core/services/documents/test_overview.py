"""The list of documents: counts, people, tags and assignment; and a text with its marks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from sqlalchemy import event

from core.errors import InputError, NotFound
from core.model import Document, DocumentOrder, DocumentShow, ReviewPolicy, State, Verdict
from core.services.documents import annotated, overview
from core.services.documents.overview import DocumentFilter
from core.services.releases.making import paper_notices
from core.services.review import decision
from core.services.review.decision import Judgement
from core.store import DocumentDetails
from core.store.queue_filter import ExportBarrier
from core.text.clean import text_version
from core.text.title import first_line
from tests import reviewing
from tests.reviewing import ANNA, BEN, DOCUMENT, RELIEVES


@pytest.fixture
def desk(tmp_path):
    return reviewing.filled(tmp_path / "p")


def only(desk):
    (row,) = overview.list_documents(desk)
    return row


def test_a_document_counts_its_statements_by_state_and_names_who_decided(desk):
    version = desk.store.statements.get(RELIEVES.id).version
    decision.decide(desk, RELIEVES.id, version, Judgement(Verdict.APPROVE), curator=BEN)
    row = only(desk)
    assert (row.counts[State.APPROVED], row.counts[State.PROPOSED], row.waiting) == (1, 5, 5)
    assert (row.curators, row.runs, row.kinds) == (("Ben",), 1, ("pasted",))


def test_tags_replace_each_other_and_are_tidied(desk):
    overview.set_tags(desk, DOCUMENT, ["old"], ANNA)
    overview.set_tags(desk, DOCUMENT, [" pain ", "", "pain", "set  1"], ANNA)
    assert only(desk).tags == ("pain", "set 1")


def test_a_document_is_assigned_to_a_curator_of_the_project_only(desk):
    overview.assign_document(desk, DOCUMENT, BEN.orcid, ANNA)
    assert only(desk).assigned == "Ben"
    with pytest.raises(InputError):
        overview.assign_document(desk, DOCUMENT, "0000-0003-0000-0000", ANNA)
    overview.assign_document(desk, DOCUMENT, "", ANNA)
    assert only(desk).assigned == ""


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        ({"words": "WILLOW note"}, 1),
        ({"words": "oak"}, 0),
        ({"words": "DOC: willow"}, 1),
        ({"show": DocumentShow.WAITING}, 1),
        ({"show": DocumentShow.DECIDED}, 0),
        ({"show": DocumentShow.NONE}, 0),
        ({"show": DocumentShow.UNREAD}, 0),
        ({"show": DocumentShow.WITHDRAWN}, 0),
        ({"tag": "absent"}, 0),
        ({"year": "1999"}, 0),
        ({"kind": "pasted"}, 1),
    ],
)
def test_the_list_is_filtered(desk, wanted, count):
    passing = DocumentFilter(**wanted)
    assert (
        overview.count_documents(desk, passing)
        == len(overview.list_documents(desk, passing))
        == count
    )


def test_a_paper_that_a_curator_marks_is_withdrawn_and_its_statements_are_flagged(desk):
    overview.mark_withdrawn(desk, DOCUMENT, "figure 2 was made up", ANNA)
    assert only(desk).withdrawn.endswith(": figure 2 was made up")
    assert overview.count_documents(desk, DocumentFilter(show=DocumentShow.WITHDRAWN)) == 1
    assert dict(desk.store.facets.counts("held"))[ExportBarrier.WITHDRAWN] == 6
    overview.mark_withdrawn(desk, DOCUMENT, "", ANNA)
    assert only(desk).withdrawn == ""


def test_paper_details_outlast_a_source_that_gives_none(desk):
    store = desk.store.document_overview
    store.set_details({DOCUMENT: DocumentDetails("2019", "J. Bark", "retracted")})
    store.set_details({DOCUMENT: DocumentDetails("2020")})
    row = only(desk)
    assert (row.year, row.journal, row.notice) == ("2020", "J. Bark", "retracted")
    assert paper_notices(desk, [DOCUMENT, "PMID:1"]) == {DOCUMENT: "retracted"}


def test_documents_are_sorted_and_cut_into_pages(desk):
    desk.store.documents.add(Document("PMID:1", "Aardvark"))
    desk.store.documents.add(Document("PMID:2", "Zebra"))
    by_title = [row.title for row in overview.list_documents(desk, order=DocumentOrder.TITLE)]
    assert by_title == ["A note on willow bark", "Aardvark", "Zebra"]
    most = overview.list_documents(desk, order=DocumentOrder.WAITING, limit=1)
    assert [row.id for row in most] == [DOCUMENT]
    (last,) = overview.list_documents(desk, order=DocumentOrder.OLDEST, limit=1, offset=2)
    assert last.title == "Zebra"


def test_the_list_beside_an_open_document_begins_a_little_before_it(desk):
    for number in range(200, 210):
        desk.store.documents.add(Document(f"PMID:{number}", f"Paper {number}"))
    in_list = DocumentFilter("Paper"), DocumentOrder.TITLE
    around = overview.documents_around(desk, "PMID:205", *in_list, limit=5)
    assert [row.id for row in around] == [f"PMID:{number}" for number in range(202, 207)]
    first = overview.documents_around(desk, "PMID:200", *in_list, limit=2)
    assert [row.id for row in first] == ["PMID:200", "PMID:201"]
    (elsewhere,) = overview.documents_around(desk, DOCUMENT, *in_list, limit=1, offset=4)
    assert elsewhere.id == "PMID:204"


def test_several_are_assigned_and_tagged_together(desk):
    desk.store.documents.add(Document("PMID:2", "Zebra"))
    zebra = overview.document_ids(desk, DocumentFilter("zebra"))
    assert overview.assign_all(desk, zebra, ANNA.orcid, ANNA) == 1
    assert overview.tag_all(desk, zebra, "stripes", ANNA) == 1
    (row,) = overview.list_documents(desk, DocumentFilter(tag="stripes", assigned=ANNA.orcid))
    assert (row.title, row.tags, row.assigned) == ("Zebra", ("stripes",), "Anna")


def test_five_hundred_are_assigned_and_tagged_in_one_transaction_each(desk):
    papers = [Document(f"PMID:{number}", f"Paper {number}") for number in range(1, 501)]
    desk.store.documents.add_all(
        [(paper, text_version(paper.id, "Words."), DocumentDetails()) for paper in papers]
    )
    overview.set_tags(desk, "PMID:7", ["seven"], ANNA)
    ids, commits = [paper.id for paper in papers], []
    event.listen(desk.store.database.engine, "commit", commits.append)
    assert overview.assign_all(desk, ids, ANNA.orcid, ANNA) == 500
    assert overview.tag_all(desk, ids, "all", ANNA) == 500
    assert len(commits) == 2
    assert overview.count_documents(desk, DocumentFilter(tag="all", assigned=ANNA.orcid)) == 500
    assert overview.document_row(desk, "PMID:7").tags == ("all", "seven")


def test_no_document_is_tagged_if_one_is_gone_or_has_too_many_tags(desk):
    desk.store.documents.add(Document("PMID:2", "Zebra"))
    overview.set_tags(desk, "PMID:2", [f"tag {number}" for number in range(20)], ANNA)
    with pytest.raises(InputError, match="20 tags"):
        overview.tag_all(desk, [DOCUMENT, "PMID:2"], "one more", ANNA)
    with pytest.raises(NotFound, match="PMID:9"):
        overview.tag_all(desk, [DOCUMENT, "PMID:9"], "one more", ANNA)
    assert overview.document_row(desk, DOCUMENT).tags == ()


def test_an_invisible_tag_is_dropped(desk):
    assert overview.set_tags(desk, DOCUMENT, ["\u200b", " \u202etag\ud83d"], ANNA) == ("tag\ufffd",)


def test_marks_never_overlap_and_hold_known_terms(desk):
    document = annotated.annotated_document(desk, DOCUMENT)
    ends = [(mark.span.start, mark.span.end) for mark in document.marks]
    assert all(end <= start for (_, end), (start, _) in pairwise(ends))
    words = {mark.span.quote(document.text.text): mark.term.id for mark in document.marks}
    assert words["Aspirin"] == "CHEBI:15365"


def test_statements_stand_in_the_order_of_the_text(desk):
    quotes = [
        statement.quote.start
        for statement in annotated.annotated_document(desk, DOCUMENT).statements
    ]
    assert quotes == sorted(quotes) and len(quotes) == 6


def test_a_blind_reader_does_not_see_in_the_text_how_another_judged_it(desk):
    judgement = Judgement(Verdict.UNSURE, note="hm")
    decision.decide(desk, RELIEVES.id, version=1, judgement=judgement, curator=BEN)
    desk.store.project.set_policy(ReviewPolicy(blind=True))

    def shown(reader: str) -> tuple[State, str]:
        in_text = annotated.annotated_document(desk, DOCUMENT, reader=reader).statements
        return next((fact.state, fact.decided) for fact in in_text if fact.id == RELIEVES.id)

    assert shown(ANNA.orcid) == (State.PROPOSED, "")
    assert shown(BEN.orcid)[0] is State.UNSURE and "Ben" in shown(BEN.orcid)[1]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("gene\tdisease\t\nBRCA1\tbreast cancer\t1", "Table: gene, disease"),
        ("  Aspirin helps.\nIt does.", "Aspirin helps."),
    ],
)
def test_a_text_without_a_title_is_called_by_its_first_line(text: str, title: str) -> None:
    assert first_line(text) == title
