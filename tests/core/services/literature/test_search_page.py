"""The question of the Literature page as its chips make it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.errors import RateLimited
from core.llm.completer import Reply
from core.services.literature import namespaces, search_page
from core.services.literature.search_page import SearchOptions, SearchRequest
from core.settings import Settings
from tests.core.services.literature.test_namespaces import rows


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = open_desk(Settings(project=tmp_path / "p", base_set=False))
    namespaces.create_namespace(desk, "tau")
    namespaces.add_files(desk, "tau", [rows(tmp_path)])
    return desk


@pytest.mark.parametrize("chips", [("tau", "neurons", "mapt"), ("tau", "neurons")])
def test_merged_keywords_stay_merged_when_other_chips_change(
    desk: Desk, chips: tuple[str, ...]
) -> None:
    fixed, merged = ("neurons",), (("tau", "mapt"),)
    asked = SearchRequest(
        ("tau",),
        "tau in neurons",
        keywords=chips,
        fixed=fixed,
        merged=merged,
        options=SearchOptions(names=False),
    )
    keywords = search_page.run_search(desk, asked).keywords
    assert [(keyword.text, keyword.synonyms, keyword.fixed) for keyword in keywords] == [
        ("tau", ("mapt",), False),
        ("neurons", (), True),
    ]


def test_a_group_whose_first_name_was_dropped_is_gone(desk: Desk) -> None:
    asked = SearchRequest(
        ("tau",), "tau in neurons", keywords=("neurons",), merged=(("tau", "mapt"),)
    )
    assert [keyword.text for keyword in search_page.run_search(desk, asked).keywords] == ["neurons"]


def test_case_is_distinguished_in_all_names_of_a_chip(desk: Desk) -> None:
    asked = SearchRequest(("tau",), "tau", keywords=("tau",), merged=(("tau", "mapt"),), case=True)
    (keyword,) = search_page.run_search(desk, asked).keywords
    assert keyword.case


def test_a_model_that_fails_leaves_the_keywords_to_the_rules_and_it_is_reported(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        model = "m"

        def complete(self, request: object, on_text: object = None) -> None:
            raise RateLimited("k is used up (429).")

    monkeypatch.setattr(desk, "completer", lambda *_: Broken())
    page = search_page.run_search(desk, SearchRequest(("tau",), "tau in neurons", model=True))
    assert page.keywords
    (problem,) = [problem for problem in page.problems if problem.code == "keywords-by-rules"]
    assert "k is used up" in problem.message


@pytest.mark.parametrize(
    ("reply", "code", "words"),
    [
        (Reply("I do not know."), "keywords-by-rules", "Its answer has no list of them."),
        (Reply('["ta', finish="length"), "keywords-by-rules", "cut off; its end is missing"),
        (Reply('["tau", "neu', finish="length"), "cut-answer", "Check the keywords."),
    ],
)
def test_keywords_of_a_model_that_are_missing_or_cut_off_are_reported(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, reply: Reply, code: str, words: str
) -> None:
    class Says:
        model = "m"

        def complete(self, request: object, on_text: object = None) -> Reply:
            return reply

    monkeypatch.setattr(desk, "completer", lambda *_: Says())
    page = search_page.run_search(desk, SearchRequest(("tau",), "tau in neurons", model=True))
    assert [words in problem.message for problem in page.problems if problem.code == code] == [True]
