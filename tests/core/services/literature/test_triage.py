"""Verdicts as the page sends them: each names the chunk that was on screen and the verdict that
stood there.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.errors import InputError, NotFound
from core.literature.query.keyword import LiteratureQuery
from core.literature.ranking.search import SearchResults
from core.literature.triage.verdict import PaperVerdict
from core.services.literature import namespaces, searching, triage
from core.services.literature.triage import VerdictPress
from core.settings import Settings
from tests.core.services.literature.test_namespaces import rows


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = open_desk(Settings(project=tmp_path / "p"))
    for name in ("tau", "also"):
        namespaces.create_namespace(desk, name)
        namespaces.add_files(desk, name, [rows(tmp_path)])
    return desk


@pytest.fixture
def shown(desk: Desk) -> SearchResults:
    return searching.search_namespaces(desk, ["tau"], LiteratureQuery("kinase tau"))


def press(
    shown: SearchResults, place: int, verdict: str, seen: str = "", reason: str = ""
) -> VerdictPress:
    return VerdictPress(1, shown.results[place].chunk.id, verdict, reason, seen)


def take(
    desk: Desk, shown: SearchResults, *presses: VerdictPress, names: tuple[str, ...] = ("tau",)
) -> list[str]:
    refused = triage.keep_presses(desk, names, shown, presses, question="kinase tau", curator="A")
    return [reason for _, reason in refused]


def test_each_key_judges_the_paper_that_it_names(desk: Desk, shown: SearchResults) -> None:
    assert (
        take(desk, shown, press(shown, 0, "include"), press(shown, 1, "exclude", reason="review"))
        == []
    )
    judged = triage.judged_papers(desk, ["tau"])
    assert {
        d: (judgement.verdict, judgement.reason, judgement.question)
        for d, judgement in judged.items()
    } == {
        "PMID:1": ("include", "", "kinase tau"),
        "PMID:2": ("exclude", "review", "kinase tau"),
    }


def test_a_verdict_on_a_paper_judged_elsewhere_since_it_was_shown_is_refused_and_reported(
    desk: Desk, shown: SearchResults
) -> None:
    triage.judge_paper(desk, "tau", "PMID:1", PaperVerdict.EXCLUDE, curator="B")
    (refusal,) = take(desk, shown, press(shown, 0, "include"))
    assert "PMID:1 was judged “exclude”" in refusal
    assert triage.paper_verdicts(desk, ["tau"]) == {"PMID:1": "exclude"}


def test_a_verdict_that_was_seen_can_be_changed(desk: Desk, shown: SearchResults) -> None:
    take(desk, shown, press(shown, 0, "include"), press(shown, 0, "maybe", seen="include"))
    assert triage.paper_verdicts(desk, ["tau"]) == {"PMID:1": "maybe"}


def test_a_key_takes_the_last_verdict_back(desk: Desk, shown: SearchResults) -> None:
    notices = take(
        desk,
        shown,
        press(shown, 0, "include"),
        press(shown, 1, "maybe"),
        VerdictPress(3, "", "undone"),
    )
    assert notices == ["The verdict on PMID:2 is taken back."]
    assert triage.paper_verdicts(desk, ["tau"]) == {"PMID:1": "include"}


def test_an_undo_that_names_a_paper_takes_its_verdict_back(
    desk: Desk, shown: SearchResults
) -> None:
    undone = VerdictPress(3, shown.results[0].chunk.id, "undone")
    assert take(desk, shown, press(shown, 0, "include"), press(shown, 1, "maybe"), undone) == []
    assert triage.paper_verdicts(desk, ["tau"]) == {"PMID:2": "maybe"}


def test_presses_are_read_in_order_and_what_is_kept_already_is_left_out() -> None:
    presses = [
        {"number": 3, "chunk": "c", "verdict": "maybe"},
        {"number": 2, "chunk": 7},
        {"number": 1},
        "odd",
        None,
    ]
    assert triage.presses_of_page(presses, 1) == [
        VerdictPress(2, "7", ""),
        VerdictPress(3, "c", "maybe"),
    ]
    assert triage.presses_of_page(None) == triage.presses_of_page("odd") == []


def test_undo_with_nothing_to_take_back_is_reported(desk: Desk, shown: SearchResults) -> None:
    (notice,) = take(desk, shown, VerdictPress(1, "", "undone"))
    assert "no verdict" in notice


def test_key_press_judges_only_papers_that_were_shown(desk: Desk, shown: SearchResults) -> None:
    (refusal,) = take(desk, shown, VerdictPress(1, "PMID:3#abstract@0", "include"))
    assert "not in this" in refusal and triage.paper_verdicts(desk, ["tau"]) == {}


def test_a_namespace_deleted_meanwhile_is_reported_and_nothing_is_kept(
    desk: Desk, shown: SearchResults
) -> None:
    namespaces.delete_namespace(desk, "tau")
    with pytest.raises(NotFound):
        take(desk, shown, press(shown, 0, "include"))
    assert desk.store.judgements.of_namespaces(["tau"]) == []


def test_an_odd_verdict_is_refused(desk: Desk, shown: SearchResults) -> None:
    with pytest.raises(InputError):
        take(desk, shown, press(shown, 0, "perhaps"))


def test_the_later_verdict_counts_for_a_paper_in_two_namespaces(
    desk: Desk, shown: SearchResults
) -> None:
    triage.judge_paper(desk, "also", "PMID:1", PaperVerdict.EXCLUDE, curator="A")
    assert (
        take(desk, shown, press(shown, 0, "include", seen="exclude"), names=("tau", "also")) == []
    )
    assert triage.paper_verdicts(desk, ["tau", "also"]) == {"PMID:1": "include"}


def test_undo_over_two_namespaces_takes_back_what_was_judged_last(desk: Desk) -> None:
    triage.judge_paper(desk, "tau", "PMID:1", PaperVerdict.INCLUDE, curator="A")
    triage.judge_paper(desk, "also", "PMID:2", PaperVerdict.EXCLUDE, curator="A")
    assert triage.undo_verdict(desk, ["tau", "also"], "A") == "PMID:2"
    assert triage.paper_verdicts(desk, ["tau", "also"]) == {"PMID:1": "include"}


def test_undo_takes_back_a_verdict_of_ones_own_and_leaves_a_later_one_of_another(
    desk: Desk,
) -> None:
    triage.judge_paper(desk, "tau", "PMID:1", PaperVerdict.INCLUDE, curator="A")
    triage.judge_paper(desk, "tau", "PMID:1", PaperVerdict.EXCLUDE, curator="B")
    triage.undo_verdict(desk, ["tau"], "A")
    assert triage.paper_verdicts(desk, ["tau"]) == {"PMID:1": "exclude"}
