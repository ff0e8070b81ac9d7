"""The same store on PostgreSQL: skipped where the server's programs or the driver are not
installed.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine

from core.errors import StaleVersion, StoreError
from core.identity.judge import Identity
from core.model import (
    Call,
    CallState,
    Category,
    Document,
    Job,
    JobState,
    Run,
    State,
    Term,
    TextVersion,
)
from core.store import Member, QueueFilter, Store
from core.store.database import retry_while_away
from core.store.document_notice import DocumentDetails
from core.store.transfer import transfer_rows
from core.store.unit import JobUnit, UnitState
from core.web import Pace
from tests.core.store.conftest import claim, ground, verdict
from tests.postgresql import MISSING, running_server

ISO = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"
pytestmark = pytest.mark.skipif(
    not os.environ.get("CI") and MISSING,
    reason="PostgreSQL or psycopg is not installed",
)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with running_server() as url:
        yield url


@pytest.fixture
def store(server: str) -> Iterator[Store]:
    opened = Store(server)
    yield opened
    with opened.database.writing() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    opened.close()


def test_documents_runs_and_calls_are_kept(store: Store) -> None:
    assert (
        store.documents.add(Document("PMID:1", "a \x00 b \ud800", ("DOI:1",))).title
        == "a \ufffd b \ufffd"
    )
    store.documents.add_text(TextVersion("sha", "PMID:1", "text"))
    store.runs.add(Run("r1", "extract", "builtin", "recipe", document="PMID:1"))
    call = Call("c1", "r1", "a", "model", {"x": "\x00\ud800"}, "h")
    store.calls.begin(call)
    store.calls.finish(
        Call("c1", "r1", "a", "model", {}, "h", 0, CallState.DONE, {"text": "\x00"}, tokens_in=5),
        reusable=True,
    )
    assert store.calls.recorded("r1", "h", 0) == store.calls.cached("h")
    assert store.calls.of_run("r1")[0].request == {"x": "\x00\ud800"}
    assert (store.calls.usage().tokens_in, store.calls.clear_cache(), store.calls.cached("h")) == (
        5,
        1,
        None,
    )


def test_statements_decisions_and_filters_work(store: Store) -> None:
    store.runs.add(Run("r1", "extract", "builtin", "recipe", document="doc:1"))
    store.statements.propose([(claim(n), [ground(claim(n))]) for n in range(5)], "r1")
    store.statements.propose([(claim(0), [ground(claim(0), 30)])], "r2")
    store.statements.decide(verdict(claim(1), 1), State.APPROVED)
    with pytest.raises(StaleVersion):
        store.statements.decide(verdict(claim(1), 1, id="d2"), State.REJECTED)
    assert store.queue.state_counts()[State.APPROVED] == 1
    filter = QueueFilter(
        schema="recipe",
        document="doc:1",
        category="disease",
        text="ASPIRIN mondo:3",
        unsupported=False,
    )
    assert [record.id for record in store.queue.records(filter, limit=5)] == [claim(3).id]
    assert store.queue.place(claim(1).id, QueueFilter(states=(State.PROPOSED,))) == (
        1,
        claim(0).id,
        claim(2).id,
    )
    assert store.queue.values("document", QueueFilter(states=(State.PROPOSED,))) == ["doc:1"]


def test_simultaneous_decisions_and_proposals_are_each_kept_once(store: Store) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(
            pool.map(
                lambda n: store.statements.propose(
                    [(claim(k), [ground(claim(k))]) for k in range(6)], f"r{n}"
                ),
                range(8),
            )
        )
        won = list(pool.map(lambda who: _decides(store, who), range(12)))
    assert store.queue.count() == 6
    assert {
        record.version for record in store.queue.records(QueueFilter(states=(State.PROPOSED,)))
    } == {1}
    assert sum(won) == 1


def _decides(store: Store, who: int) -> bool:
    try:
        store.statements.decide(verdict(claim(0), 1, id=f"d{who}"), State.APPROVED)
    except StaleVersion:
        return False
    return True


def test_jobs_synonyms_and_properties_work(store: Store) -> None:
    store.jobs.add(Job("j1", "extract", {"a": 1}))
    assert store.jobs.claim("j1", "w")
    assert store.jobs.beat("j1", "w", done=1, total=2)
    assert store.jobs.finish("j1", "w", JobState.DONE, result=[1])
    store.synonyms.add("ASA", "asa", Term("CHEBI:1", "aspirin", Category.CHEMICAL), "c")
    assert store.synonyms.lookup("asa")[0].id == "CHEBI:1"
    assert store.project.set_once("base_iri", "a") == store.project.set_once("base_iri", "b") == "a"


def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    with pytest.raises(StoreError, match="does not answer") as caught:
        Store("postgresql+psycopg://desk:secret@127.0.0.1:9/x")
    assert "secret" not in str(caught.value)


def test_units_are_shared_out_and_stored_once(store: Store) -> None:
    store.jobs.add(Job("units", "extract batch", {}))
    store.units.add([JobUnit("units", n, f"doc{n}", f"u{n}") for n in range(40)])

    def hand(worker: str) -> int:
        done = 0
        while claimed := store.units.claim("units", worker, 2):
            for unit in claimed:
                done += store.units.finish(
                    unit, worker, UnitState.DONE, results=[("r", unit.number)]
                )
        return done

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(hand, "abcd")) == 40
    assert [store.runs.result(f"u{n}", "r") for n in range(40)] == list(range(40))
    assert store.units.counts("units")[UnitState.DONE] == 40


def test_lost_lease_is_free_again_by_the_clock_of_the_server(store: Store) -> None:
    store.jobs.add(Job("lost", "extract batch", {}))
    store.units.add([JobUnit("lost", 0, "doc", "l0")])
    unit = store.units.claim("lost", "a", lease=-1)[0]
    assert store.units.claim("lost", "b")[0].number == 0
    assert not store.units.finish(unit, "a", UnitState.DONE)


def test_project_moves_from_sqlite_and_back_with_every_row(server: str, tmp_path: Path) -> None:
    here = Store(f"sqlite:///{tmp_path / 'a.db'}")
    here.documents.add(Document("PMID:1", "Émile"))
    here.statements.propose([(claim(), [])], run="r", curator="")
    here.jobs.add(Job("j1", "x", {"a": "\u0000"}))
    with create_engine(server, isolation_level="AUTOCOMMIT").connect() as connection:
        connection.exec_driver_sql("CREATE DATABASE moved")
    there = Store(server.rpartition("/")[0] + "/moved")
    rows = transfer_rows(here.database, there.database)
    there.jobs.add(Job("j2", "x", {}))  # numbers go on after those that came
    back = Store(f"sqlite:///{tmp_path / 'b.db'}")
    assert transfer_rows(there.database, back.database) == rows + 1
    assert back.documents.all() == here.documents.all()
    assert [job.id for job in back.jobs.find()] == ["j2", "j1"]
    for opened in (here, there, back):
        opened.close()


def test_workers_on_one_database_keep_one_pace(store: Store, server: str) -> None:
    """As on several machines: nothing but the database is shared, and their clocks differ."""
    other = Store(server)
    arrivals: list[float] = []

    def ask(desk: Store, ahead: float) -> None:
        def clock() -> float:
            return time.time() + ahead

        turn = partial(desk.project.turn, "pace of NCBI", clock)
        pace = Pace(0.05, clock=clock, turn=turn)
        for _ in range(4):
            pace.wait()
            arrivals.append(time.time())

    with ThreadPoolExecutor(4) as pool:
        for work in [
            pool.submit(ask, desk, ahead)
            for desk, ahead in ((store, 0.0), (other, 300.0), (store, -300.0), (other, 0.0))
        ]:
            work.result()
    other.close()
    arrivals.sort()
    assert len(arrivals) == 16
    assert arrivals[-1] - arrivals[0] >= 15 * 0.05 * 0.9


def test_two_who_propose_the_same_in_opposite_order_both_end(store: Store) -> None:
    """The server breaks their embrace: the one that gave way is stored at the next try."""
    both_began = threading.Barrier(2, timeout=20)
    first_tries = iter((1, 2))

    def propose(numbers: list[int]) -> None:
        with store.together():
            for place, n in enumerate(numbers):
                if place and next(first_tries, None):
                    both_began.wait()
                store.statements.propose([(claim(n), [ground(claim(n))])])

    with ThreadPoolExecutor(2) as pool:
        for task in [
            pool.submit(retry_while_away, partial(propose, numbers)) for numbers in ([1, 2], [2, 1])
        ]:
            task.result()
    assert len(store.queue.ids(QueueFilter(), limit=9)) == 2


def until_it_waits(store: Store, task: Future[Any]) -> None:
    with store.database.reading() as connection:
        while not task.done() and not connection.exec_driver_sql(WAITING).scalar():
            pass


def test_two_merges_at_once_are_both_kept(store: Store) -> None:
    """The second waits for the first, and then sees what it did."""
    one, two, three = names = [f"PMID:{n}" for n in (1, 2, 3)]
    store.documents.add_many([Document(name, f"Paper {name}") for name in names])
    with ThreadPoolExecutor(1) as pool:
        with store.together():
            store.identity.say(one, two, Identity.SAME, "me")
            second = pool.submit(store.identity.say, two, three, Identity.SAME, "me")
            until_it_waits(store, second)
        assert (second.result().first, second.result().second) == (one, three)
    assert {store.documents.get(name).id for name in names} == {one}
    assert len(store.identity.records(one)) == 3


def test_a_record_is_taken_out_of_the_paper_that_it_came_to_meanwhile(store: Store) -> None:
    one, two, other = "PMID:1", "PMID:2", "DOI:10.1/x"
    store.documents.add(Document(one, "A paper"))
    for ids in ((two,), (two, other)):
        text = TextVersion(f"sha{len(ids)}", two, "Another paper", "abstract")
        details = DocumentDetails(facts={"year": "2019"})
        store.documents.add_all([(Document(two, "Another paper", ids), text, details)])
    (record,) = store.identity.merged()
    with ThreadPoolExecutor(1) as pool:
        with store.together():
            store.identity.say(one, two, Identity.SAME, "me")
            second = pool.submit(store.identity.separate, record.number, "me")
            until_it_waits(store, second)
        assert second.result() == other
    assert [store.documents.get(name).id for name in (two, other)] == [one, other]


def came_in(name: str, *, other: str = "") -> Document:
    return Document(name, "Alpha protein in the kidney of mice", tuple(filter(None, (name, other))))


def test_what_comes_in_while_papers_are_merged_is_of_the_one_that_stays(store: Store) -> None:
    """The import waits for the merge; it had found the paper that went into the other."""
    one, two = "PMID:1", "PMID:2"
    store.documents.add_many([Document(one, "A paper"), came_in(two)])
    store.namespaces.add("n")
    body = {"year": "2019", "authors": ["Doe J"]}
    text = TextVersion("sha", two, "Alpha protein in the kidney of mice\nIt is high.", "abstract")
    member = Member(came_in(two, other="DOI:10.1/x"), text, body)
    with ThreadPoolExecutor(1) as pool:
        with store.together():
            store.identity.say(one, two, Identity.SAME, "me")
            second = pool.submit(store.namespaces.add_members, "n", [member])
            until_it_waits(store, second)
        assert second.result().ids == (one,)
    assert store.documents.get("DOI:10.1/x").id == one
    assert [record.body for record in store.identity.records(one)][-1] == body
    assert [known.document.id for known in store.namespaces.members("n")] == [one]


def test_a_merge_waits_for_an_import(store: Store) -> None:
    one, two = "PMID:1", "PMID:2"
    store.documents.add_many([Document(one, "A paper"), Document(two, "Another")])
    with ThreadPoolExecutor(1) as pool:
        with store.together():
            store.documents.add(Document(two, "Another", (two, "DOI:10.1/x")))
            second = pool.submit(store.identity.say, one, two, Identity.SAME, "me")
            until_it_waits(store, second)
        second.result()
    assert store.documents.get("DOI:10.1/x").id == one


def test_two_imports_of_one_paper_at_once_make_one(store: Store) -> None:
    """From two databases that give it no id in common."""
    body = {"year": "2019", "journal": "J Tests", "volume": "7", "pages": "12-19",
            "authors": ["Doe J"]}  # fmt: skip
    text = TextVersion("sha", "", "Alpha protein in the kidney of mice\nIt is high.", "abstract")
    with ThreadPoolExecutor(1) as pool:
        with store.together():
            entry = (came_in("PMID:1"), text, DocumentDetails(facts=body))
            (first,) = store.documents.add_all([entry])
            entry = (came_in("DOI:10.1/x"), text, DocumentDetails(facts=body))
            second = pool.submit(store.documents.add_all, [entry])
            until_it_waits(store, second)
        assert second.result() == [first]


def test_workers_whose_clocks_differ_neither_steal_a_job_nor_strand_one(server, store):
    late = Store(server, clock=lambda: "2001-01-01T00:00:00.000Z")
    early = Store(server, clock=lambda: "2999-01-01T00:00:00.000Z")
    store.jobs.add(Job("j", "extract batch", {}))
    for holder, other in ((late, early), (early, late)):
        assert holder.jobs.claim("j", "elsewhere/1/1/w")
        assert holder.jobs.beat("j", "elsewhere/1/1/w", done=1)
        assert other.jobs.interrupt() == 0
        assert other.jobs.get("j").state is JobState.RUNNING
        for silent_since in (
            "- interval '1 hour'",
            "+ interval '1 hour'",
        ):  # or the clock was
            written = f"to_char(clock_timestamp() at time zone 'utc' {silent_since}, {ISO!r})"
            with store.database.writing() as connection:
                connection.exec_driver_sql(f"UPDATE jobs SET heartbeat = {written}")
            assert other.jobs.get("j").state is JobState.INTERRUPTED
        assert other.jobs.interrupt() == 1
        assert [job.id for job in other.jobs.lost_within(900)] == ["j"]
        assert other.jobs.requeue("j")
    late.close()
    early.close()
