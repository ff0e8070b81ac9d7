"""Papers that come twice, share a DOI, have no words or no end: each is kept or told."""

from __future__ import annotations

import pytest

from core.desk import Desk, open_desk
from core.documents.paper import Paper, PaperSection
from core.documents.readers.citation_files import record_paper
from core.errors import InputError
from core.services.literature import namespaces, upload
from core.settings import Settings


@pytest.fixture
def desk(tmp_path) -> Desk:
    desk = open_desk(Settings(project=tmp_path / "p"))
    namespaces.create_namespace(desk, "n")
    return desk


def paper(number: int, text: str, doi: str = "10.1/x") -> Paper:
    return Paper(
        f"PMID:{number}",
        f"T{number}",
        (PaperSection("", text),),
        ids=(f"DOI:{doi}", f"PMID:{number}"),
    )


def kept(desk) -> list[tuple[str, str]]:
    return [(member.document.id, member.text.text) for member in desk.store.namespaces.members("n")]


@pytest.mark.parametrize("together", [True, False])
def test_papers_that_share_a_doi_are_all_kept(desk, together):
    papers = [paper(1, "one"), paper(2, "two")]
    for papers_added in [papers] if together else [[paper] for paper in papers]:
        namespaces.add_papers(desk, "n", papers_added)
    assert kept(desk) == [("PMID:1", "T1\none"), ("PMID:2", "T2\ntwo")]


def test_a_paper_that_comes_twice_is_kept_once_and_reported(desk):
    added = namespaces.add_papers(desk, "n", [paper(1, "one"), paper(1, "one, revised")])
    assert kept(desk) == [("PMID:1", "T1\none, revised")]
    assert [problem.code for problem in added.problems] == ["came-twice"]


def test_abstracts_of_a_congress_under_one_doi_are_all_kept_and_it_is_said(desk):
    titles = ("Sleep apnoea in Andean miners", "Lung function of welders exposed to manganese")
    doi = "DOI:10.1016/s"
    papers = [Paper(doi, title, (PaperSection("", "New."),), ids=(doi,)) for title in titles]
    added = namespaces.add_papers(desk, "n", papers)
    assert [text for _, text in kept(desk)] == [f"{title}\nNew." for title in titles]
    assert [(problem.code, problem.where) for problem in added.problems] == [
        ("shared-doi", titles[1])
    ]


REPORT = "Annual report of the national registry of alpha disease"
TRIAL = "Alpha-1 protein in chronic kidney disease: a randomised trial"


def record(title: str, author: str, pages: str, abstract: str, doi: str = "") -> Paper:
    return record_paper(
        title, abstract, doi, "", year="2020", journal="J Tests", authors=[author], pages=pages
    )


@pytest.mark.parametrize("doi", ["", "10.1000/a.2"])
def test_papers_of_one_title_with_other_pages_and_abstracts_are_kept_apart(desk, doi):
    first = record(REPORT, "Doe, J", "1", "First quarter.")
    second = record(REPORT, "Doe, J", "201", "Third quarter, other numbers.", doi)
    for _ in range(2):  # the same file again changes nothing
        for paper_added in (first, second):
            namespaces.add_papers(desk, "n", [paper_added])
    assert [text.partition("\n")[2] for _, text in kept(desk)] == [
        "First quarter.",
        "Third quarter, other numbers.",
    ]


@pytest.mark.parametrize(
    "title, author",
    [
        (TRIAL.replace("randomised", "randomized"), "Müller, Jörg"),
        (TRIAL.replace("Alpha-1", "<i>α</i>-1"), "Müller, Jörg"),
        (TRIAL, "Mueller, Joerg"),
        (TRIAL, "Muller J."),
        (TRIAL, "von Müller, Jörg"),
        (TRIAL, "Jörg Müller"),
    ],
)
def test_one_paper_in_two_spellings_is_one(desk, title, author):
    words = "ALP1 was raised in chronic kidney disease."
    papers = [
        record(TRIAL, "Müller, Jörg", "12-19", words, "10.1000/test.19"),
        record(title, author, "12-9", words),
    ]
    added = namespaces.add_papers(desk, "n", papers)
    assert [id for id, _ in kept(desk)] == ["DOI:10.1000/test.19"]
    assert [problem.code for problem in added.problems] == ["came-twice"]


def test_a_paper_without_words_is_reported(desk):
    added = namespaces.add_papers(desk, "n", [Paper("PMID:1", " "), paper(2, "two")])
    assert [(problem.code, problem.where) for problem in added.problems] == [("no-words", "PMID:1")]


def test_records_read_before_a_broken_connection_are_kept(desk):
    def broken():
        yield paper(1, "one")
        raise InputError("It broke.")

    with pytest.raises(InputError, match="It broke"):
        namespaces.add_papers(desk, "n", broken())
    assert kept(desk) == [("PMID:1", "T1\none")]


def test_trouble_without_end_is_reported_in_a_few_lines(desk):
    rows = "\n".join(["{"] * 5000 + ['{"id": "a", "text": "x"}'])
    added = upload.add_paper_file(desk, "n", "r.jsonl", rows.encode())
    assert added.read == 1 and len(added.problems) == 51
    assert "4,950 more like this" in added.problems[-1].message


def test_a_text_longer_than_the_desk_keeps_is_reported_and_its_sections_end_with_it(desk):
    added = namespaces.add_papers(
        desk,
        "n",
        [
            Paper(
                "a", "T", (PaperSection("A", "word " * 300_000), PaperSection("B", "b " * 400_000))
            )
        ],
    )
    (member,) = desk.store.namespaces.members("n")
    assert [problem.code for problem in added.problems] == ["too-long"]
    assert member.body["sections"][-1][2] == len(member.text.text) <= 2_000_000


def test_files_of_a_folder_that_no_reader_is_for_are_reported(desk, tmp_path):
    (tmp_path / "f").mkdir()
    for name in ("a.txt", "b.pptx"):
        (tmp_path / "f" / name).write_text("Some words.")
    added = namespaces.add_files(desk, "n", [tmp_path / "f"])
    assert added.read == 1 and [problem.where[-6:] for problem in added.problems] == ["b.pptx"]
