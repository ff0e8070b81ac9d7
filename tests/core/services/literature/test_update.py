"""Namespaces filled from an E-utilities server on the loopback address, with the trouble that
servers make.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.documents.sources import pubmed as source
from core.errors import GroundworkError, NotFound, Refused
from core.model import JobState
from core.services.documents import upload
from core.services.literature import namespaces, update
from core.settings import Settings
from core.web import Fetch
from core.web.eutils import CheckedFetcher
from tests.core.literature.loopback import Answer, Asked, serving
from tests.core.literature.standin import Entrez, paper_xml

FIRST = date(2010, 1, 1)


class Server:
    """Entrez behind HTTP. `trouble` may answer a request before it; `asked` keeps what came."""

    def __init__(self, entrez: Entrez):
        self.entrez, self.asked = entrez, list[Asked]()
        self.trouble: Callable[[Asked], Answer | None] = lambda asked: None

    def __call__(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        answer = self.trouble(asked)
        if answer is not None:
            return answer
        return (
            200,
            self.entrez.fetch(Fetch(asked.path, params=tuple(asked.params.items()))).text.encode(),
        )

    def fetched(self) -> list[str]:
        return [asked.params["retstart"] for asked in self.asked if "retstart" in asked.params]


class Place:
    """A desk with its own server and clock."""

    def __init__(self, folder: Path, address: str, server: Server):
        self.server, self.time = server, "2020-06-01T00:00:00+00:00"
        self.settings = Settings(
            project=folder,
            ncbi_eutils_url=f"{address}/eutils",
            ncbi_blast_url=f"{address}/b",
            ncbi_interval=0,
        )
        self.desk = self.open()

    def open(self) -> Desk:
        desk = open_desk(self.settings, clock=lambda: self.time)
        desk._once("web ncbi []", lambda: self._hasty(desk))
        return desk

    @staticmethod
    def _hasty(desk: Desk):
        client = desk._open_web("ncbi", ())
        client.sleep, client.breaker.limit = (lambda seconds: None), 10**6
        return client


@pytest.fixture
def place(tmp_path, monkeypatch) -> Iterator[Place]:
    monkeypatch.setattr(upload, "CheckedFetcher", lambda fetcher: CheckedFetcher(fetcher, scale=0))
    monkeypatch.setattr(source, "BATCH", 10)
    server = Server(Entrez({n: FIRST + timedelta(days=n) for n in range(1, 51)}))
    with serving(server) as address:
        place = Place(tmp_path / "p", address, server)
        namespaces.create_namespace(place.desk, "tau", query={"terms": "tau"})
        yield place
        place.desk.close()


def pmids(place: Place) -> list[int]:
    return sorted(
        int(member.document.id.removeprefix("PMID:"))
        for member in place.desk.store.namespaces.members("tau")
    )


# ------------------------------------------------------------------ faults


def once(
    status: int, body: bytes, at: str = "20", times: int = 1
) -> Callable[[Asked], Answer | None]:
    """Trouble for the batch that begins at `at`, so many times."""
    left = [times]

    def trouble(asked: Asked) -> Answer | None:
        if asked.params.get("retstart") != at or not left[0]:
            return None
        left[0] -= 1
        return status, body

    return trouble


BLOCKED = (
    b"<!DOCTYPE html><html><head><title>NCBI - WWW Error Blocked Diagnostic</title></head></html>"
)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (429, b'{"error":"API rate limit exceeded"}'),
        (500, b"oops"),
        (503, b"<html>busy</html>"),
        (200, BLOCKED),
        (200, b""),
        (200, b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1"),
        (-200, b"<PubmedArticleSet><PubmedArticle>"),
        (
            200,
            (
                b'<?xml version="1.0"?><eFetchResult><ERROR>Unable to obtain query'
                b" #1</ERROR></eFetchResult>"
            ),
        ),
    ],
    ids=["429", "500", "503", "blocked", "empty", "cut", "dropped", "forgotten"],
)
def test_a_fault_in_the_middle_costs_no_record(place, status, body):
    place.server.trouble = once(status, body)
    report = update.update_namespace(place.desk, "tau")
    assert pmids(place) == list(range(1, 51)) and not report["problems"]


@pytest.mark.parametrize(
    ("status", "body"), [(500, b"oops"), (429, b""), (403, BLOCKED), (200, BLOCKED)]
)
def test_after_a_lasting_fault_what_is_there_is_kept_and_not_asked_for_again(place, status, body):
    place.server.trouble = lambda asked: (
        (status, body) if int(asked.params.get("retstart", 0)) >= 20 else None
    )
    with pytest.raises(GroundworkError):
        update.update_namespace(place.desk, "tau")
    assert pmids(place) == list(range(1, 21))
    place.server.trouble, place.time = (lambda asked: None), "2020-06-01T09:00:00+00:00"
    place.server.asked.clear()
    report = update.update_namespace(place.desk, "tau")
    assert place.server.fetched() == ["20", "30", "40"] and len(report["new"]) == 50


def test_incomplete_batch_is_asked_for_in_halves_and_its_bad_record_reported(place):
    place.server.entrez.records[23] = paper_xml(23, FIRST).replace("</Article>", "")
    report = update.update_namespace(place.desk, "tau")
    assert pmids(place) == [n for n in range(1, 51) if n != 23]
    (problem,) = report["problems"]
    assert problem.startswith("record 23: ") and "XML" in problem


# ------------------------------------------------------------------ stop, kill, two at once,
# deleted


def test_a_stopped_update_is_gone_on_with_where_it_was(place, monkeypatch):
    monkeypatch.setattr(namespaces, "READ_AT_ONCE", 10)
    place.server.trouble = lambda asked: (
        place.desk.runner.stop(started[0].id) and None if at(asked, "30") else None
    )
    started = [None]

    def at(asked: Asked, start: str) -> bool:
        return asked.params.get("retstart") == start and started[0] is not None

    started[0] = update.start_update(place.desk, "tau")
    assert place.desk.runner.wait(started[0].id, 60).state in (JobState.STOPPED, JobState.DONE)
    place.server.trouble = lambda asked: None
    again = update.start_update(place.desk, "tau")
    assert place.desk.runner.wait(again.id, 60).state == JobState.DONE
    assert pmids(place) == list(range(1, 51))
    assert sorted(set(place.server.fetched())) == sorted(place.server.fetched())


def test_two_updates_at_once_are_one(place):
    refused = []

    def other(asked: Asked) -> None:
        if asked.params.get("retstart") == "10":
            with pytest.raises(Refused, match="being updated"):
                update.update_namespace(place.open(), "tau")
            refused.append(1)

    place.server.trouble = other
    update.update_namespace(place.desk, "tau")
    assert refused and pmids(place) == list(range(1, 51))


def test_an_update_asked_for_twice_is_one_job(place):
    asked = []

    def again(asked_: Asked) -> None:
        if asked_.params.get("retstart") == "10":
            asked.append(update.start_update(place.desk, "tau").id)

    place.server.trouble = again
    job = update.start_update(place.desk, "tau")
    assert place.desk.runner.wait(job.id, 60).state == JobState.DONE and asked == [job.id]


def test_progress_says_how_many_there_are(place, monkeypatch):
    monkeypatch.setattr(namespaces, "READ_AT_ONCE", 10)
    progress_reports = []
    update.update_namespace(
        place.desk,
        "tau",
        progress=lambda done, total, said="": progress_reports.append((done, total)),
    )
    assert progress_reports[:5] == [(n, 50) for n in (10, 20, 30, 40, 50)]


def test_a_namespace_deleted_during_its_update_stays_deleted_and_is_reported(place, monkeypatch):
    monkeypatch.setattr(namespaces, "READ_AT_ONCE", 10)
    place.server.trouble = lambda asked: (
        namespaces.delete_namespace(place.open(), "tau")
        if asked.params.get("retstart") == "20"
        else None
    )
    with pytest.raises(NotFound, match="deleted meanwhile"):
        update.update_namespace(place.desk, "tau")
    assert namespaces.list_namespaces(place.desk) == []


def test_a_killed_process_is_gone_on_with_by_the_next(place, monkeypatch):
    monkeypatch.undo()  # real time for the other process
    code = "import sys; from core.__main__ import main; sys.exit(main())"
    address = place.settings.ncbi_eutils_url
    variables = {
        "GROUNDWORK_NCBI_EUTILS_URL": address,
        "GROUNDWORK_NCBI_BLAST_URL": address,
        "GROUNDWORK_NCBI_INTERVAL": "0",
    }
    command = [
        sys.executable,
        "-c",
        code,
        "--project",
        str(place.settings.project),
        "namespace",
        "update",
        "tau",
    ]
    place.server.entrez = Entrez({n: FIRST + timedelta(days=n) for n in range(1, 1001)})
    place.desk.close()

    def kill(asked: Asked) -> None:
        if asked.params.get("retstart") == "600" and process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)

    place.server.trouble = kill
    process = subprocess.Popen(command, env=os.environ | variables, cwd=Path(__file__).parents[4])
    assert process.wait(60) == -signal.SIGKILL
    place.server.trouble = lambda asked: None
    place.server.asked.clear()
    done = subprocess.run(
        command,
        env=os.environ | variables,
        cwd=Path(__file__).parents[4],
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert place.server.fetched() == ["600", "800"]
    place.desk = place.open()
    assert pmids(place) == list(range(1, 1001))


# ------------------------------------------------------------------ since last time


def test_a_second_update_on_one_day_asks_again(place):
    update.update_namespace(place.desk, "tau")
    place.server.entrez.days[51] = date(2020, 6, 1)
    place.server.entrez.days.pop(7)
    report = update.update_namespace(place.desk, "tau")
    assert (report["new"], report["deleted"]) == (["PMID:51"], ["PMID:7"])


def test_a_server_that_names_every_search_alike_is_asked_again(place, monkeypatch):
    search = Entrez._search

    def alike(self, query):
        text = search(self, query)
        self._kept["MCID_1"] = self._kept.pop(next(reversed(self._kept)))
        return text.replace(next(iter(text.split('"webenv": "')[1:])).split('"')[0], "MCID_1")

    monkeypatch.setattr(Entrez, "_search", alike)
    update.update_namespace(place.desk, "tau")
    place.server.entrez.days[51], place.time = date(2020, 6, 20), "2020-07-01T00:00:00+00:00"
    assert update.update_namespace(place.desk, "tau")["new"] == ["PMID:51"]


def test_papers_that_all_vanish_at_once_are_not_believed(place):
    update.update_namespace(place.desk, "tau")
    place.server.entrez.days.clear()
    place.time = "2020-07-01T00:00:00+00:00"
    report = update.update_namespace(place.desk, "tau")
    assert report["deleted"] == [] and "as deleted" in report["problems"][0]


# ------------------------------------------------------------------ many


def test_a_day_of_more_than_a_search_hands_out_is_cut_by_the_day_of_entry(place, monkeypatch):
    monkeypatch.setattr(source, "MOST", 20)
    place.server.entrez.days = dict.fromkeys(range(1, 51), FIRST)
    place.server.entrez.entered = {
        n: date(2012, 1, 1) + timedelta(days=n // 5) for n in range(1, 51)
    }
    report = update.update_namespace(place.desk, "tau")
    assert pmids(place) == list(range(1, 51)) and not report["problems"]


def test_too_many_entered_on_one_day_are_reported(place, monkeypatch):
    monkeypatch.setattr(source, "MOST", 20)
    place.server.entrez.days = dict.fromkeys(range(1, 51), FIRST)
    report = update.update_namespace(place.desk, "tau")
    assert (
        len(pmids(place)) == 20 and "has 50 records; the first 20 are read" in report["problems"][0]
    )


def test_a_server_that_knows_no_dates_is_reported_and_not_asked_for_ever(place, monkeypatch):
    monkeypatch.setattr(source, "MOST", 20)
    monkeypatch.setattr(
        Entrez, "_search", lambda self, query: '{"esearchresult": {"count": "50", "webenv": "M"}}'
    )
    with pytest.raises(GroundworkError, match="range of dates"):
        update.update_namespace(place.desk, "tau")
    assert len(place.server.asked) < 10


def test_a_query_longer_than_an_address_is_posted(place):
    namespaces.create_namespace(
        place.desk, "tau", query={"terms": " OR ".join(f"word{n}" for n in range(500))}
    )
    assert len(update.update_namespace(place.desk, "tau")["new"]) == 50


# ------------------------------------------------------------------ full text


def test_full_text_where_pmc_gives_it_and_the_abstract_said_elsewhere(place):
    namespaces.create_namespace(place.desk, "tau", query={"terms": "tau", "full_text": True})
    place.server.entrez.full_text = {f"PMC{n}" for n in range(1, 41)}
    report = update.update_namespace(place.desk, "tau")
    kinds = [member.text.kind for member in place.desk.store.namespaces.members("tau")]
    assert kinds.count("full text") == 40 and report["without_full_text"] == [
        f"PMID:{n}" for n in range(41, 51)
    ]
    full = next(m for m in place.desk.store.namespaces.members("tau") if m.document.id == "PMID:1")
    assert "Tau was seen in sample 1." in full.text.text and "All of it." in full.text.text


def test_a_pmc_that_has_none_of_them_costs_no_abstract(place):
    namespaces.create_namespace(place.desk, "tau", query={"terms": "tau", "full_text": True})
    none = b"<eFetchResult><ERROR>not available</ERROR></eFetchResult>"
    place.server.trouble = lambda asked: (200, none) if asked.params.get("db") == "pmc" else None
    report = update.update_namespace(place.desk, "tau")
    assert pmids(place) == list(range(1, 51)) and len(report["without_full_text"]) == 50


def test_a_pmc_that_sends_nothing_whole_ends_the_update_soon_and_it_can_be_gone_on_with(place):
    namespaces.create_namespace(place.desk, "tau", query={"terms": "tau", "full_text": True})
    place.server.trouble = lambda asked: (
        (200, b"<pmc-artic") if asked.params.get("db") == "pmc" else None
    )
    with pytest.raises(GroundworkError, match="with every record"):
        update.update_namespace(place.desk, "tau")
    assert len(place.server.asked) < 60
    place.server.trouble = lambda asked: None
    assert len(update.update_namespace(place.desk, "tau")["new"]) == 50
