"""Abbreviations that the corpus defines make two names of one thing."""

from __future__ import annotations

from collections import Counter

import pytest

from core.literature.query.abbreviation import (
    AbbreviationDefinition,
    collect_abbreviations,
    definitions,
)
from core.literature.query.keyword import Keyword, LiteratureQuery, parse_query
from core.literature.query.plan import SearchOptions
from core.literature.ranking.search import Searcher
from tests.core.literature.corpus import index, searcher

TEXTS = (
    "Azidothymidine (AZT) harms muscle.",
    "AZT was given again.",
    "Azidothymidine was given for a year.",
    "The muscle is red.",
)


def documents(search_result) -> set[str]:
    return {result.chunk.document for result in search_result.results}


@pytest.mark.parametrize("question", ["AZT", "azidothymidine", "#**AZT**"])
def test_a_keyword_is_looked_for_by_its_other_form(tmp_path, question):
    results = searcher(tmp_path, TEXTS).search(parse_query(question))
    assert documents(results) == {"D0", "D1", "D2"}
    assert [expansion.chunks for expansion in results.expanded] == [1]


def test_added_long_forms_are_shown_counted_and_removable(tmp_path):
    corpus = searcher(tmp_path, TEXTS)
    results = corpus.search(LiteratureQuery("AZT"))
    assert results.expanded[0].instead == "Azidothymidine"
    assert all(result.counts["AZT"] for result in results.results)
    assert documents(
        corpus.search(LiteratureQuery("AZT"), options=SearchOptions(expand=False))
    ) == {
        "D0",
        "D1",
    }


@pytest.mark.parametrize("mode", ["bm25", "pes2"])
def test_literal_modes_add_nothing(tmp_path, mode):
    results = searcher(tmp_path, TEXTS).search(LiteratureQuery("AZT"), mode)
    assert documents(results) == {"D0", "D1"} and results.expanded == ()


def test_a_short_form_that_is_mostly_something_else_is_not_trusted(tmp_path):
    texts = ["Dilated cardiomyopathy (CM) was seen."] + [
        f"A lesion of {n} cm was cut." for n in range(12)
    ]
    assert searcher(tmp_path, texts).search(LiteratureQuery("cardiomyopathy")).expanded == ()


def test_a_keyword_whose_case_matters_is_left_alone(tmp_path):
    question = LiteratureQuery("AZT", (Keyword("AZT", case=True),))
    assert searcher(tmp_path, TEXTS).search(question).expanded == ()


def test_parts_of_a_corpus_agree_on_what_is_defined(tmp_path):
    parts = Searcher([index(tmp_path, TEXTS[:1], "a"), index(tmp_path, TEXTS[1:], "b")])
    assert (
        len(documents(parts.search(LiteratureQuery("AZT")))) == 2
    )  # D0 and D1 are numbered in each part
    assert [r.chunk.text for r in parts.search(LiteratureQuery("AZT")).results] == [
        r.chunk.text for r in searcher(tmp_path, TEXTS).search(LiteratureQuery("AZT")).results
    ]


def test_definitions_are_counted_by_chunks():
    counted = Counter()
    for text in (
        "tumour necrosis factor (TNF)",
        "Tumour necrosis factor\t(TNF) again",
        "no definition (at all)",
    ):
        collect_abbreviations(counted, text)
    assert list(definitions(counted).values()) == [
        AbbreviationDefinition("TNF", "tumour necrosis factor", 2)
    ]
