"""NCBI is asked with care: again after a bad answer, once for a submission, within a budget."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from core.desk import Desk
from core.errors import BadAnswer, OverBudget, RemoteError
from core.ncbi.address import EUTILS, NcbiAddresses, fetch_of
from core.ncbi.answer_check import CheckedNcbiFetcher
from core.ncbi.call import Align, Link, NcbiDatabase, Search, Summary
from core.ncbi.client import Aligner, Ncbi, WaitPolicy
from core.recorder import Recorder
from core.settings import Settings
from core.store import Store
from core.web import Pace
from tests.core.ncbi.conftest import FakeFetcher

SEARCH = Search(NcbiDatabase.GENE, "LMP10[sym] AND human[orgn]")
GOOD = json.dumps({"esearchresult": {"count": "1", "idlist": ["5699"]}})
BLOCK = (
    "<!DOCTYPE html><html><head><title>Error Blocked Diagnostic</title></head><body>Access"
    " Denied</body></html>"
)
PUT = "<!--QBlastInfoBegin\n    RID = ABCDEFGH016\n    RTOE = 12\nQBlastInfoEnd-->"
WAITING = "<!--QBlastInfoBegin\n\tStatus=WAITING\nQBlastInfoEnd-->"
READY = (
    "<!--QBlastInfoBegin\n\tStatus=READY\nQBlastInfoEnd--><PRE>BLASTN\n ***** No hits found *****"
)


def test_a_request_is_made_of_checked_values():
    fetch = fetch_of(SEARCH, NcbiAddresses())
    assert fetch.url == f"{EUTILS}/esearch.fcgi"
    assert dict(fetch.params)["term"] == "LMP10[sym] AND human[orgn]"


def test_datasets_is_not_asked_beside_an_address_of_ones_own():
    assert NcbiAddresses.of("http://127.0.0.1/eutils", "http://127.0.0.1/b", "").datasets == ""


@pytest.mark.parametrize("bad", [BLOCK, "", '{"esearchresult" {', GOOD[:20]])
def test_a_bad_body_is_asked_for_again(fake, bad: str):
    server, pauses = fake(bad, GOOD), []
    reply = Ncbi(CheckedNcbiFetcher(server, pause=pauses.append)).ask(SEARCH)
    assert reply.reading.ids == ("5699",) and len(server.asked) == 2 and pauses == [1.0]


def test_a_body_that_stays_bad_is_an_error(fake):
    server = fake(BLOCK)
    with pytest.raises(BadAnswer, match="block page"):
        Ncbi(CheckedNcbiFetcher(server, pause=lambda seconds: None)).ask(SEARCH)
    assert len(server.asked) == 3


def test_refused_ncbi_request_is_neither_retried_nor_an_answer(fake):
    server = fake("<?xml version='1.0'?><Error>elink is not served</Error>")
    with pytest.raises(RemoteError, match="not served"):
        Ncbi(CheckedNcbiFetcher(server)).ask(Link(NcbiDatabase.OMIM, NcbiDatabase.GENE, ("1",)))
    assert len(server.asked) == 1


def test_blast_is_submitted_once_looked_at_after_its_estimate_and_then_once_a_minute(fake):
    server, slept = fake(PUT, WAITING, WAITING, READY), []
    Aligner(Ncbi(server, patience=WaitPolicy(sleep=slept.append))).align(Align("ACGT" * 10))
    assert [request.method for request in server.asked] == ["POST", "GET", "GET", "GET"]
    assert sum(slept) == 12 + 60 + 60


def test_waiting_is_shown_second_by_second_with_its_request_and_no_fresh_start(fake):
    notices: list[str] = []
    patience = WaitPolicy(sleep=lambda seconds: None, tell=notices.append)
    Aligner(Ncbi(fake(PUT, WAITING, READY), patience=patience)).align(Align("ACGT" * 10))
    assert notices[0].endswith("report in 12 s") and notices[11].endswith("in 1 s")
    assert notices[12].endswith("again in 60 s") and all("(request " in words for words in notices)


def test_looks_at_a_waiting_search_are_never_answered_from_the_cache(fake):
    server = fake(PUT, READY)
    Aligner(Ncbi(server, patience=WaitPolicy(sleep=lambda seconds: None))).align(Align("ACGT" * 10))
    assert all(request.fresh for request in server.asked)


def test_a_lost_request_id_is_an_error(fake):
    with pytest.raises(BadAnswer, match="request id"):
        Ncbi(CheckedNcbiFetcher(fake("<html>busy</html>"), pause=lambda seconds: None)).ask(
            Align("ACGT" * 10)
        )


def test_a_question_has_a_budget_of_calls(fake):
    ncbi = Ncbi(fake(GOOD), max_calls=2)
    ncbi.ask(SEARCH), ncbi.ask(SEARCH)
    with pytest.raises(OverBudget):
        ncbi.ask(SEARCH)


@pytest.mark.parametrize("fault", ["429", "500", "503", "drop", "cut", "html", "badjson"])
def test_ncbi_client_retries_after_one_fault_of_any_kind(stand_in, fault: str):
    stand_in.faults(f"{fault},ok")
    assert (
        stand_in.ncbi().ask(Summary(NcbiDatabase.GENE, ("5699",))).records[0].get("symbol")
        == "PSMB10"
    )


@pytest.mark.parametrize("fault", ["429", "500", "drop", "cut", "html", "badjson"])
def test_a_fault_that_stays_is_an_error_for_people(stand_in, fault: str):
    stand_in.faults(",".join([fault] * 12))
    with pytest.raises(RemoteError) as caught:
        stand_in.ncbi().ask(Summary(NcbiDatabase.GENE, ("5699",)))
    assert "Traceback" not in str(caught.value) and str(caught.value).endswith(".")


def test_requests_are_spaced(stand_in):
    stand_in.faults("")
    ncbi = stand_in.ncbi(interval=0.2)
    for _ in range(4):
        ncbi.ask(Summary(NcbiDatabase.GENE, ("5699",)))
    times = [request["t"] for request in stand_in.log()]
    assert all(later - earlier >= 0.15 for earlier, later in pairwise(times))


def test_a_waiting_search_of_the_stand_in_is_waited_for(stand_in):
    stand_in.faults("", blast_wait=2)
    _, report = Aligner(stand_in.ncbi()).align(Align("ACGT" * 10))
    assert [request["how"] for request in stand_in.log()][-3:-1] == [
        "waiting",
        "waiting",
    ] and not report.reading.pending


def test_looks_of_an_interrupted_search_answer_at_once(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'groundwork.db'}")

    class Killed(Exception):
        pass

    def run(waits: int, *answers: str) -> float:
        slept: list[float] = []

        def sleep(seconds: float) -> None:
            slept.append(seconds)
            if sum(slept) > waits:
                raise Killed

        fetcher = Recorder(store.calls, "r1", reuse=False).fetcher(FakeFetcher(list(answers)))
        try:
            Aligner(Ncbi(fetcher, patience=WaitPolicy(sleep=sleep))).align(Align("ACGT" * 10))
        except Killed:
            return -1.0
        return sum(slept)

    assert (
        run(12 + 60 + 10, PUT, WAITING, WAITING) == -1.0
    )  # submitted, two looks, killed before the third
    assert run(1000, READY) == 60.0
    store.close()


@pytest.mark.parametrize("interval", [0.4, 0.11])
@pytest.mark.parametrize("answers", [0.001, 0.6])
def test_requests_arrive_spaced_although_some_travel_longer(interval: float, answers: float):
    now, travel = [100.0], [0.015, 0.001, 0.12, 0.0, 0.009]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    pace, arrived = Pace(interval, travel=0.15, clock=lambda: now[0], sleep=sleep), []
    for late in travel:
        pace.wait()
        arrived.append(now[0] + late)
        if answers < 0.1:  # else the answer begins after others have gone out
            now[0] += late + answers
            pace.arrived()
    assert all(later - earlier >= interval for earlier, later in pairwise(arrived))


def test_the_desk_keeps_that_pace(tmp_path):
    desk = Desk(Settings(tmp_path))
    assert desk.web("ncbi").pace.interval >= 0.4
    desk.close()
