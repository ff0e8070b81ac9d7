"""PubMed as a source: history server, batches, more than 10,000 hits, answers that are cut off."""

from __future__ import annotations

from datetime import date

import pytest

from core.documents.sources import pubmed
from core.documents.sources.pubmed import PubMed
from core.errors import BadAnswer, InputError
from core.literature.namespace import PubMedQuery
from core.literature.pubmed_query import day_of, last_day_of, term_of
from tests.core.literature.standin import Entrez

TODAY = date(2020, 6, 1)


def source(entrez) -> PubMed:
    return PubMed(entrez, "https://eutils.example/eutils", TODAY)


def read(entrez, term="tau") -> list[str]:
    pubmed_source = source(entrez)
    histories = pubmed_source.histories(term, "pdat", date(2000, 1, 1), TODAY)
    return [paper.id for history in histories for paper in pubmed_source.papers(history)]


def test_records_come_in_batches_from_the_history_server(monkeypatch):
    monkeypatch.setattr(pubmed, "BATCH", 2)
    entrez = Entrez({n: date(2001, 1, n) for n in range(1, 6)})
    assert read(entrez) == [f"PMID:{n}" for n in range(1, 6)]
    assert [dict(r.params).get("retstart") for r in entrez.asked if "efetch" in r.url] == [
        "0",
        "2",
        "4",
    ]
    assert all(dict(r.params)["WebEnv"] for r in entrez.asked if "efetch" in r.url)


def test_more_than_one_search_hands_out_is_cut_by_date(monkeypatch):
    monkeypatch.setattr(pubmed, "MOST", 3)
    entrez = Entrez({n: date(2000 + n, 3, 1) for n in range(1, 11)})
    assert sorted(read(entrez), key=lambda i: int(i[5:])) == [f"PMID:{n}" for n in range(1, 11)]
    assert len(set(read(entrez))) == 10


def test_too_many_on_one_day_is_reported(monkeypatch):
    monkeypatch.setattr(pubmed, "MOST", 3)
    pubmed_source = source(Entrez({n: date(2001, 1, 1) for n in range(1, 6)}))
    list(pubmed_source.histories("tau", "pdat", date(2001, 1, 1), date(2001, 1, 1)))
    assert pubmed_source.problems[0].code == "too-many-a-day"


def test_an_answer_cut_off_is_asked_for_in_halves():
    entrez = Entrez({n: date(2001, 1, n) for n in range(1, 5)}, cut_above=2)
    assert read(entrez) == [f"PMID:{n}" for n in range(1, 5)]


def test_a_record_that_never_comes_is_reported():
    pubmed_source = source(Entrez({1: date(2001, 1, 1), 2: date(2001, 1, 2)}, cut_above=0))
    history = next(iter(pubmed_source.histories("tau", "pdat", date(2000, 1, 1), TODAY)))
    assert list(pubmed_source.papers(history)) == []
    assert [problem.code for problem in pubmed_source.problems] == ["record-unreadable"] * 2


def test_a_query_that_pubmed_refuses_is_reported():
    with pytest.raises(InputError, match="refused the query"):
        source(Entrez({}, error="Empty term")).search("()")


def test_an_answer_that_is_not_json_is_reported():
    with pytest.raises(BadAnswer):
        source(Entrez({}, garbage="<html>busy</html>")).search("tau")


def test_pubmed_tells_which_records_still_exist():
    assert source(Entrez({1: TODAY, 3: TODAY})).existing(["1", "2", "3"]) == {"1", "3"}


def test_full_text_takes_the_place_of_the_abstract():
    entrez = Entrez({1: TODAY, 2: TODAY}, full_text={"PMC1"})
    pubmed_source = source(entrez)
    papers = [
        p
        for h in pubmed_source.histories("t", "pdat", TODAY, TODAY)
        for p in pubmed_source.papers(h)
    ]
    assert [paper.kind for paper in pubmed_source.full_texts(papers)] == ["full text", "abstract"]


def test_reviews_in_out_or_alone():
    terms = [
        term_of(PubMedQuery("tau OR mapt", reviews=way)) for way in ("with", "without", "only")
    ]
    assert terms == ["tau OR mapt", "(tau OR mapt) NOT review[pt]", "(tau OR mapt) AND review[pt]"]


def test_dates_are_read_and_wrong_ones_refused():
    assert day_of("2001", TODAY) == date(2001, 1, 1) and day_of("2001-02-03", TODAY) == date(
        2001, 2, 3
    )
    assert last_day_of("2001/02", TODAY) == date(2001, 2, 28) and day_of("", TODAY) == TODAY
    with pytest.raises(InputError):
        day_of("yesterday", TODAY)


def test_a_search_that_the_server_forgot_is_made_again(monkeypatch):
    from core.documents.sources import pubmed as module

    monkeypatch.setattr(module, "BATCH", 2)
    entrez = Entrez({n: date(2010, 1, n) for n in range(1, 8)})
    source = module.PubMed(entrez, "http://x/eutils", date(2020, 1, 1))
    papers = source.papers(source.search("tau"))
    got = [next(papers).id for _ in range(2)]
    entrez.forget()
    got += [paper.id for paper in papers]
    assert got == [f"PMID:{n}" for n in range(1, 8)] and source.problems == []


def test_a_search_that_stays_forgotten_is_reported(monkeypatch):
    from core.documents.sources import pubmed as module

    entrez = Entrez({1: date(2010, 1, 1)})
    source = module.PubMed(entrez, "http://x/eutils", date(2020, 1, 1))
    history = source.search("tau")
    search = entrez._search
    monkeypatch.setattr(entrez, "_search", lambda query: (search(query), entrez.forget())[0])
    entrez.forget()
    with pytest.raises(module.ExpiredSearch, match="Unable to obtain"):
        list(source.papers(history))
