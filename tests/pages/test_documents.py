"""The Documents page: empty, filled, and a document that is not there."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from core.model import Document, Job, JobState, TextVersion
from core.store import Member
from tests import reviewing
from tests.reviewing import ANNA, DOCUMENT

PAGE = Path(__file__).resolve().parents[2] / "pages" / "2_Documents.py"


def opened(**address: str) -> AppTest:
    at = AppTest.from_file(PAGE, default_timeout=60)
    at.session_state["_curator"] = ANNA
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def test_an_empty_project_says_where_documents_come_from(project):
    reviewing.empty(project).store.queue.count()
    assert any("No documents yet" in markdown.value for markdown in opened().markdown)


def test_each_document_is_a_row_with_its_counts(project):
    reviewing.filled(project)
    (row,) = opened().dataframe[0].value.to_dict("records")
    assert (row["title"], row["proposed"], row["approved"]) == ("A note on willow bark", 6, 0)


def test_a_search_that_finds_nothing_says_so(project):
    reviewing.filled(project)
    at = opened(find="oak")
    assert any("No document matches" in text.value for text in at.text)


def test_a_document_opens_from_its_address_and_an_unknown_one_is_reported(project):
    reviewing.filled(project)
    assert any("willow" in html.proto.body for html in opened(document=DOCUMENT).get("html"))
    at = opened(document="PMID:404")
    assert any(
        "PMID:404" in element.value for element in [*at.error, *at.warning, *at.text, *at.markdown]
    )


def test_a_title_of_any_length_leaves_room_for_the_text(project):
    desk = reviewing.filled(project)
    desk.store.documents.add(Document("PMID:9", "word " * 600))
    (head,) = [
        html.proto.body
        for html in opened(document="PMID:9").get("html")
        if "word" in html.proto.body
    ]
    assert "word…</strong>" in head and head.count("word") < 700


def test_an_interrupted_job_is_reported_where_documents_come_in(project):
    desk = reviewing.filled(project)
    assert not opened().warning
    desk.store.jobs.add(Job("j1", "extract", {}, JobState.INTERRUPTED))
    (warning,) = opened().warning
    assert "1 interrupted job" in warning.value


def pairs_of(at: AppTest, label: str) -> list[str]:
    return [button.key for button in at.button if button.label == label]


def with_records(desk) -> None:
    title = "Alpha protein rose in chronic kidney disease of mice"
    for id, year, said in (("PMID:1", "2019", ""), ("DOI:10.1/x", "2020", ""),
                           ("DOI:10.1/y", "2019", "\nAlpha rose in ninety mice.")):  # fmt: skip
        text = TextVersion(f"{id}{said}", id, title + said, "abstract")
        facts = {"year": year, "authors": ["Roe A"], "journal": "J Tests"}
        desk.store.namespaces.add("ns")
        desk.store.namespaces.add_members("ns", [Member(Document(id, title, (id,)), text, facts)])


def test_a_pair_is_decided_and_a_merge_undone_by_a_click(project):
    desk = reviewing.filled(project)
    with_records(desk)
    at = opened()
    (key,) = pairs_of(at, "One paper")
    at.button(key=key).click().run()
    assert not at.exception
    assert desk.store.documents.get("DOI:10.1/x").id == "PMID:1"
    at = opened(same="decided")
    assert "one paper" in " ".join(text.value for text in at.text)
    years = next(f.value for f in at.dataframe if "one" in f.value).set_index("").loc["year"]
    assert sorted(years) == ["2019", "2020"]
    at = opened(same="merged")
    (key,) = pairs_of(at, "Undo")
    at.button(key=key).click().run()
    assert not at.exception
    assert desk.store.documents.get("DOI:10.1/y").id == "DOI:10.1/y"
    (row, *_) = opened(document="PMID:1", part="Tags, people, retraction").dataframe[-1].value.index
    assert row == 0
