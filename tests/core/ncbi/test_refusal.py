"""What NCBI says instead of an answer: trouble that passes is asked again, what is not served is
not; none is kept.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import BadAnswer, NotServed, RemoteError
from core.model import CallState, Run
from core.ncbi.answer_check import CheckedNcbiFetcher, answer_fault
from core.ncbi.call import Alignment, Link, NcbiDatabase, Search, Summary
from core.ncbi.client import Ncbi
from core.ncbi.response import read_response
from core.settings import Settings
from core.web import Fetch, Fetched, WebClient

GOOD = json.dumps({"esearchresult": {"count": "1", "idlist": ["5"]}})
LINKS = Link(NcbiDatabase.OMIM, NcbiDatabase.GENE, ("100100", "100200"))


@pytest.mark.parametrize(
    "trouble",
    [
        '{"error":"API rate limit exceeded","api-key":"1.2.3.4","count":"4","limit":"3"}',
        (
            '{"header":{"type":"esearch"},"esearchresult":{"ERROR":"Search Backend failed: read'
            ' request has failed"}}'
        ),
        '{"error":"Service temporarily unavailable"}',
        (
            "<?xml version='1.0'?><eSearchResult><ERROR>Unable to obtain query:"
            " timeout</ERROR></eSearchResult>"
        ),
    ],
)
def test_trouble_that_passes_is_asked_again_also_with_status_200(fake, trouble: str):
    server = fake(trouble, GOOD)
    reply = Ncbi(CheckedNcbiFetcher(server, pause=lambda seconds: None)).ask(
        Search(NcbiDatabase.GENE, "X1")
    )
    assert reply.reading.ids == ("5",) and len(server.asked) == 2


def test_elink_whose_servers_are_not_found_is_trouble_that_passes(fake):
    trouble = {"linksets": [], "ERROR": "Couldn't resolve #exLinkSrv2, the address table is empty."}
    with pytest.raises(BadAnswer) as caught:
        Ncbi(CheckedNcbiFetcher(fake(trouble), pause=lambda seconds: None)).ask(LINKS)
    assert not isinstance(caught.value, NotServed)


@pytest.mark.parametrize("status", [404, 405, 501])
def test_unknown_service_is_not_served(status: int, answering):
    base = answering(lambda path, parameters: (status, "no such thing"))
    with pytest.raises(NotServed):
        Ncbi(CheckedNcbiFetcher(WebClient(own=[base.eutils])), base).ask(LINKS)


def test_records_that_are_counted_and_not_named_are_no_answer():
    with pytest.raises(BadAnswer):
        read_response(
            Search(NcbiDatabase.GENE, "X"), '{"esearchresult": {"count": "3", "idlist": []}}'
        )


def test_words_that_a_search_does_not_know_are_reported():
    result = {
        "count": "0",
        "idlist": [],
        "errorlist": {"phrasesnotfound": ["ENSG1"], "fieldsnotfound": []},
    }
    assert read_response(
        Search(NcbiDatabase.GENE, "ENSG1"), json.dumps({"esearchresult": result})
    ).unfound == ("ENSG1",)


def test_ids_are_linked_one_by_one_in_one_request(answering):
    asked: list[dict] = []

    def links(path: str, parameters: dict) -> tuple[int, object]:
        asked.append(parameters)
        sets = [
            {
                "dbfrom": "omim",
                "ids": [uid],
                "linksetdbs": [
                    {"dbto": "gene", "linkname": "omim_gene", "links": [number]},
                    {"dbto": "gene", "linkname": "omim_gene_other", "links": ["99"]},
                ],
            }
            for uid, number in (("100100", "7"), ("100200", 8))
        ]
        return 200, {"header": {"type": "elink", "version": "0.3"}, "linksets": sets}

    base = answering(links)
    reading = Ncbi(WebClient(own=[base.eutils]), base).ask(LINKS).reading
    assert asked[0]["id"] == ["100100", "100200"] and len(asked) == 1
    assert reading.links == {"100100": ("7",), "100200": ("8",)} and reading.ids == ("7", "8")


def test_an_entry_without_links_has_none(fake):
    response = read_response(
        Link(NcbiDatabase.OMIM, NcbiDatabase.GENE, ("1",)),
        '{"linksets": [{"dbfrom": "omim", "ids": ["1"]}]}',
    )
    assert response.ids == () and response.links == {"1": ()}


def test_a_merged_record_comes_under_its_new_number():
    body = {"result": {"uids": ["6"], "6": {"uid": "6", "snp_id": 6, "chr": "7", "chrpos": "7:10"}}}
    reading = read_response(Summary(NcbiDatabase.SNP, ("5",)), json.dumps(body))
    assert [record.id for record in reading.records] == ["DBSNP:rs6"] and reading.dropped[
        0
    ].record == "DBSNP:rs5"


@pytest.mark.parametrize("bad", ["", "<html>Access Denied</html>"])
def test_a_cut_report_after_bad_pages_is_taken_and_reported(fake, bad: str):
    cut = "<!--QBlastInfoBegin\n\tStatus=READY\nQBlastInfoEnd--><PRE>BLASTN"
    server = fake(bad, bad, cut)
    reply = Ncbi(CheckedNcbiFetcher(server, pause=lambda seconds: None)).ask(
        Alignment("ABCDEFGH016")
    )
    assert reply.reading.cut and len(server.asked) == 3


SEARCH = (("db", "gene"), ("term", "X"), ("retmode", "json"))
FETCH = Fetch("https://x.org/esearch.fcgi", params=SEARCH, kind="ncbi")
BLOCK = "<html><title>Access Denied</title>Your address is blocked.</html>"


def test_ncbi_call_records_what_each_try_got(fake):
    good = '{"esearchresult": {"count": "0", "idlist": []}}'
    fetched = CheckedNcbiFetcher(fake(BLOCK, good), pause=lambda seconds: None).fetch(FETCH)
    (attempt,) = fetched.attempts
    assert "block page" in attempt.why and attempt.body == BLOCK
    with pytest.raises(BadAnswer) as caught:
        CheckedNcbiFetcher(fake(BLOCK), pause=lambda seconds: None).fetch(FETCH)
    assert [attempt.body for attempt in caught.value.attempts] == [BLOCK] * 3


def test_a_block_page_stands_in_the_record_of_a_failed_call(fake, tmp_path: Path):
    desk = Desk(Settings(tmp_path))
    desk.store.runs.add(Run("r", "ask", "planner"))
    fetcher = desk.recorder("r").fetcher(
        CheckedNcbiFetcher(fake(BLOCK), pause=lambda seconds: None)
    )
    with pytest.raises(BadAnswer):
        fetcher.fetch(FETCH)
    (call,) = desk.store.calls.of_run("r")
    assert call.state is CallState.FAILED and call.answer["attempts"][2]["body"] == BLOCK
    with pytest.raises(BadAnswer):
        desk.recorder("r", replay="r").fetcher(fake("x")).fetch(FETCH)
    desk.close()


def test_an_empty_answer_from_pubmed_names_the_papers_asked_for() -> None:
    params = (("db", "pubmed"), ("id", "11,12,13"), ("retmode", "xml"))
    request = Fetch("https://eutils.example/efetch.fcgi", params=params)
    assert answer_fault(request, " ") == "nothing for PMID 11 and 2 more"


def test_an_answer_above_the_size_limit_is_reported_and_not_asked_again():
    class Endless:
        asked = 0

        def fetch(self, request: Fetch) -> Fetched:
            self.asked += 1
            return Fetched(200, GOOD[:-9], cut=True)

    server = Endless()
    with pytest.raises(RemoteError, match="larger than 5 MB") as refused:
        Ncbi(CheckedNcbiFetcher(server, pause=lambda seconds: None)).ask(
            Search(NcbiDatabase.GENE, "x")
        )
    assert server.asked == 1
    assert [attempt.size for attempt in refused.value.attempts] == [len(GOOD) - 9]
