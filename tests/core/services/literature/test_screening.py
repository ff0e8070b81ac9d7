"""A review from a library's file to its flow diagram, in the order that verdicts teach."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from core.desk import Desk, open_desk
from core.literature.query.keyword import parse_query
from core.literature.query.plan import SearchOptions
from core.literature.triage.paper_filter import PaperFilter
from core.model import ReadingOrder
from core.services.literature import namespaces, paper_choice, screening, searching, triage
from core.settings import Settings

ANNA = "0000-0002-1825-0097"
WANTED, OTHER = "tau kinase phosphorylation in neurons", "bread baked from wheat flour and water"


def record(number: int) -> str:
    """A record as Scopus exports it; every tenth paper is wanted."""
    words = WANTED if number % 10 == 0 else OTHER
    return "\n".join([
        "TY  - JOUR", f"TI  - A study of {words}, number {number}",
        f"AU  - Roe{number}, A.B.", "AU  - Poe, C.D.",
        f"PY  - {2000 + number % 20}", f"T2  - Journal {number % 3}",
        f"DO  - 10.1016/j.test.{number}", "M3  - Article", "DB  - Scopus",
        f"AB  - We looked at {words} in sample {number}. It was seen {number} times.",
        "ER  - ", "",
    ])  # fmt: skip


def library(folder: Path, name: str, numbers: range) -> Path:
    path = folder / name
    path.write_text("\n".join(map(record, numbers)), "utf-8")
    return path


@pytest.fixture
def desk(tmp_path) -> Desk:
    return open_desk(Settings(project=tmp_path / "p"))


def judge_all(desk: Desk, screened: screening.Screening) -> list[bool]:
    wanted = [WANTED in paper.member.document.title for paper in screened.papers]
    for paper, good in zip(screened.papers, wanted, strict=True):
        verdict, reason = ("include", "") if good else ("exclude", "wrong topic")
        triage.judge_paper(desk, "r", paper.document, verdict, reason=reason, curator=ANNA)
    return wanted


def test_a_review_of_500_papers_from_scopus_to_prisma(desk, tmp_path):
    namespaces.create_namespace(desk, "r")
    namespaces.add_files(desk, "r", [library(tmp_path, "scopus.ris", range(500))])
    namespaces.add_files(desk, "r", [library(tmp_path, "wos.ris", range(480, 520))])
    read = relevant = 0
    while relevant < 52:
        screened = screening.papers_to_judge(desk, ["r"], question="tau kinase", k=20)
        relevant += sum(judge_all(desk, screened))
        read += len(screened.papers)
    assert read <= 80  # of 520: 52 are wanted
    flow = screening.paper_flow(desk, ["r"])
    assert dict(flow.sources) == {"scopus.ris": 500, "wos.ris": 40}
    assert (flow.papers, flow.duplicates, flow.included) == (520, 20, 52)
    assert flow.excluded == {"wrong topic": read - 52}
    assert "(n = 52)" in screening.flow_as(desk, ["r"], "svg")


def test_file_added_twice_counts_once(desk, tmp_path):
    namespaces.create_namespace(desk, "r")
    path = library(tmp_path, "scopus.ris", range(10))
    namespaces.add_files(desk, "r", [path])
    again = namespaces.add_files(desk, "r", [path])
    assert again.counts == "10 papers read: 10 already present"
    assert screening.paper_flow(desk, ["r"]).identified == 10


def test_the_least_certain_papers_can_come_first(desk, tmp_path):
    namespaces.create_namespace(desk, "r")
    namespaces.add_files(desk, "r", [library(tmp_path, "a.ris", range(40))])
    judge_all(desk, screening.papers_to_judge(desk, ["r"], order=ReadingOrder.ADDED, k=4))
    unsure = screening.papers_to_judge(desk, ["r"], order=ReadingOrder.UNSURE, k=36)
    likely = screening.papers_to_judge(desk, ["r"], order=ReadingOrder.LIKELY, k=36)
    assert likely.learned == unsure.learned == 4
    assert {p.document for p in unsure.papers} == {p.document for p in likely.papers}
    wanted = [WANTED in paper.member.document.title for paper in likely.papers]
    assert wanted[:3] == [True] * 3
    assert [p.document for p in unsure.papers] != [p.document for p in likely.papers]
    assert likely.papers[0].words


def test_filters_leave_papers_out_of_the_list_and_of_a_search(desk, tmp_path):
    namespaces.create_namespace(desk, "r")
    namespaces.add_files(desk, "r", [library(tmp_path, "a.ris", range(40))])
    only = PaperFilter(since=2010, until=2010, journals=frozenset({"Journal 1"}))
    listed = screening.papers_to_judge(desk, ["r"], only=only)
    assert [p.member.body["year"] for p in listed.papers] == ["2010"]
    options = SearchOptions(only=paper_choice.passage_filter(desk, ["r"], only))
    results = searching.search_namespaces(desk, ["r"], parse_query("study"), options=options)
    assert {hit.chunk.document for hit in results.results} == {p.document for p in listed.papers}
    assert results.total == 1


def test_verdicts_are_a_filter(desk, tmp_path):
    namespaces.create_namespace(desk, "r")
    namespaces.add_files(desk, "r", [library(tmp_path, "a.ris", range(5))])
    triage.judge_paper(desk, "r", "DOI:10.1016/j.test.2", "include", curator=ANNA)
    only = PaperFilter(verdicts=frozenset({"include"}))
    passing = paper_choice.passage_filter(desk, ["r"], only)
    assert passing.documents == {"DOI:10.1016/j.test.2"}


def test_a_paper_of_two_sources_is_one_with_both_ids(desk, tmp_path):
    namespaces.create_namespace(desk, "r")
    title = "A study of tau kinase phosphorylation in neurons"
    rows = [
        f"TY  - JOUR\nTI  - {title}\nAU  - Roe, Ann\nPY  - 2020\nAB  - Whole text.\nER  - \n",
        f"TY  - JOUR\nTI  - {title.upper()}.\nAU  - Roe, A.\nPY  - 2020\nDO  - 10.1234/x\nER  - \n",
    ]
    for place, row in enumerate(rows):
        path = tmp_path / f"{place}.ris"
        path.write_text(row, "utf-8")
        namespaces.add_files(desk, "r", [path])
    (member,) = desk.store.namespaces.members("r")
    assert "DOI:10.1234/x" in desk.store.documents.get(member.document.id).ids
    assert "Whole text." in member.text.text  # the second record holds a title alone


def test_papers_that_differ_in_their_doi_stay_apart(desk, tmp_path):
    namespaces.create_namespace(desk, "r")
    row = "TY  - JOUR\nTI  - A study of tau kinase phosphorylation\nAU  - Roe, A\nPY  - 2020\n"
    path = tmp_path / "a.ris"
    path.write_text("".join(f"{row}DO  - 10.1234/{n}\nER  - \n\n" for n in "ab"), "utf-8")
    namespaces.add_files(desk, "r", [path])
    assert namespaces.papers_of_namespace(desk, "r") == 2


def test_the_command_line_lists_what_to_judge_next_and_draws_the_flow(tmp_path, capsys):
    project, path = str(tmp_path / "p"), library(tmp_path, "a.ris", range(12))
    assert main(["--project", project, "namespace", "create", "r", str(path)]) == 0
    assert main(["--project", project, "triage", "r", "next", "-k", "3", "--question", "tau"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 3
    assert WANTED in lines[0]["title"]
    drawing = tmp_path / "flow.svg"
    args = ["triage", "r", "flow", "--format", "svg", "--output", str(drawing)]
    assert main(["--project", project, *args]) == 0
    assert "(n = 12)" in drawing.read_text("utf-8")
