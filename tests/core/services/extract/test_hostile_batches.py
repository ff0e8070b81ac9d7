"""A batch interface that answers oddly: a right result or a true message, nothing lost, and nothing
paid twice unless a person says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.desk import Desk, open_desk
from core.llm import openai_client
from core.llm.connection import Connection
from core.model import Job, JobState
from core.services.extract import batch, provider_batch, spending
from core.settings import Settings
from core.store.unit import UnitState
from tests.core.services.extracting import TEXT, project
from tests.core.services.model_uses import words_for
from tests.endpoint import Endpoint, Sent, served

TEXTS = [("PMID:1", TEXT), ("PMID:2", TEXT + " "), ("PMID:3", "Aspirin is old.\n" + TEXT)]
HTML = (b"<html><script>alert(1)</script>Sign in</html>", "text/html", 200)
Lines = Callable[[list[bytes]], list[bytes]]


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setattr(provider_batch, "FIRST_LOOK", 0.05)
    monkeypatch.setattr(openai_client.time, "sleep", lambda seconds: None)
    with served(words_for) as endpoint:
        yield endpoint


@pytest.fixture
def desk(tmp_path: Path, endpoint: Endpoint) -> Iterator[Desk]:
    opened_desk, _ = project(tmp_path)
    opened_desk.close()
    endpoints = {"there": Connection("there", endpoint.url, "sk-k")}
    prices = {"theirs@there": (1.0, 4.0)}
    desk = open_desk(Settings(tmp_path, endpoints=endpoints, model="theirs@there", prices=prices))
    yield desk
    desk.close()


def read(desk: Desk) -> Job:
    return desk.runner.wait(batch.start_batch(desk, "trial", TEXTS, provider=True).id, 60)


def again(desk: Desk, job: Job) -> Job:
    return desk.runner.wait(desk.runner.resume(job.id).id, 60)


def done(desk: Desk, job: Job) -> int:
    return desk.store.units.counts(job.id)[UnitState.DONE]


def asked_singly(endpoint: Endpoint) -> int:
    return sum("messages" in body for body in endpoint.bodies)


def paid(desk: Desk, job: Job) -> int:
    """Calls that were sent; answers from the record are none."""
    return spending.batch_spending(desk, job.id).calls


def in_answers(change: Lines) -> Callable[[str, Sent], Sent]:
    """Changes the lines of the first file of answers."""

    def tamper(asked: str, sent: Sent) -> Sent:
        if not asked.endswith("/output-batch-0/content"):
            return sent
        return b"\n".join(change(sent[0].splitlines())), sent[1], sent[2]

    return tamper


def changed(line: bytes, **fields: Any) -> bytes:
    return json.dumps(json.loads(line) | fields).encode()


def told(**fields: Any) -> Callable[[str, Sent], Sent]:
    """Says something else of the first batch, once it is over."""

    def tamper(asked: str, sent: Sent) -> Sent:
        batch_told = asked == "GET /v1/batches/batch-0" and json.loads(sent[0])
        if not batch_told or batch_told["status"] != "completed":
            return sent
        return json.dumps(batch_told | fields).encode(), sent[1], sent[2]

    return tamper


def long_line(lines: list[bytes]) -> list[bytes]:
    row = json.loads(lines[0])
    row["padding"] = "x" * 10_000_000
    return [json.dumps(row).encode(), b"y" * 10_000_000, *lines[1:]]


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: [*lines, *lines],
        lambda lines: [line for line in lines for _ in range(3)],
        lambda lines: [*lines, b"", b"null", b"[]", b"7", b'{"custom_id": 4}', b"\xff\xfe"],
        lambda lines: [*lines, changed(lines[0], custom_id="nobody asked this")],
        lambda lines: [*lines, changed(lines[0], response="words", error="x")],
        lambda lines: [changed(lines[0], response={"status_code": 500, "body": "x"}), *lines],
        long_line,
    ],
    ids=["twice", "thrice", "junk", "stranger", "words", "refused first", "10 MB"],
)
def test_odd_lines_change_neither_the_result_nor_the_price(
    desk: Desk, endpoint: Endpoint, change: Lines
) -> None:
    endpoint.tamper = in_answers(change)
    job = read(desk)
    assert (job.state, done(desk, job)) == (JobState.DONE, 3), job.error
    assert (len(endpoint.batches), asked_singly(endpoint)) == (2, 0)
    assert paid(desk, job) == 5  # three texts, of the same two statements


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:1],
        lambda lines: [*lines[:-1], lines[-1][: len(lines[-1]) // 2]],
        lambda lines: [],
        lambda lines: [HTML[0]],
        lambda lines: [changed(line, custom_id="x") for line in lines],
    ],
    ids=["lacks lines", "cut", "empty", "HTML", "wrong ids"],
)
def test_answers_that_were_paid_for_and_cannot_be_read_are_not_asked_again_unasked(
    desk: Desk, endpoint: Endpoint, change: Lines
) -> None:
    endpoint.tamper = in_answers(change)
    job = read(desk)
    assert job.state is JobState.FAILED and "of the 3 answers" in job.error
    assert (len(endpoint.batches), asked_singly(endpoint)) == (1, 0)
    endpoint.tamper = None  # whole by now: fetched again
    job = again(desk, job)
    assert (job.state, done(desk, job)) == (JobState.DONE, 3), job.error
    assert (len(endpoint.batches), asked_singly(endpoint)) == (2, 0)


def test_resumed_by_a_person_what_stays_unreadable_is_asked_singly(
    desk: Desk, endpoint: Endpoint
) -> None:
    endpoint.tamper = in_answers(lambda lines: lines[:1])
    job = again(desk, read(desk))
    assert (job.state, done(desk, job)) == (JobState.DONE, 3), job.error
    assert asked_singly(endpoint) == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"output_file_id": None},
        {"output_file_id": "file-gone"},
        {"output_file_id": 7, "error_file_id": {"a": 1}},
    ],
)
def test_a_missing_file_of_answers_is_reported_and_looked_for_again(
    desk: Desk, endpoint: Endpoint, fields: dict[str, Any]
) -> None:
    endpoint.tamper = told(**fields)
    job = read(desk)
    assert job.state is JobState.FAILED and "0 of the 3 answers" in job.error
    endpoint.tamper = None
    job = again(desk, job)
    assert (job.state, done(desk, job)) == (JobState.DONE, 3), job.error
    assert (len(endpoint.batches), asked_singly(endpoint)) == (2, 0)


@pytest.mark.parametrize("status", ["failed", "expired", "cancelled"])
def test_batch_that_ended_without_answers_is_reported_and_submitted_again(
    desk: Desk, endpoint: Endpoint, status: str
) -> None:
    error = {"data": [{"code": "token_limit_exceeded", "message": "<b>no</b>"}]}
    none = {"completed": 0, "failed": 0, "total": 3}
    endpoint.tamper = told(status=status, output_file_id=None, request_counts=none, errors=error)
    job = read(desk)
    assert job.state is JobState.FAILED and f"batch as {status}" in job.error
    assert "token_limit_exceeded" in job.error and "<b>" not in job.error
    job = again(desk, job)
    assert (job.state, done(desk, job)) == (JobState.DONE, 3), job.error
    assert (len(endpoint.batches), asked_singly(endpoint)) == (3, 0)


def test_questions_left_by_an_expired_batch_are_asked_singly(
    desk: Desk, endpoint: Endpoint
) -> None:
    answers = in_answers(lambda lines: lines[:1])
    counts = {"completed": 1, "failed": 0, "total": 3}
    expired = told(status="expired", request_counts=counts)
    endpoint.tamper = lambda asked, sent: expired(asked, answers(asked, sent))
    job = read(desk)
    assert (job.state, done(desk, job)) == (JobState.DONE, 3), job.error
    assert asked_singly(endpoint) == 2
    assert paid(desk, job) == 5


@pytest.mark.parametrize("status", ["paused", "", None, "x" * 5000 + "<script>"])
def test_a_state_that_nobody_knows_is_looked_at_again(
    desk: Desk, endpoint: Endpoint, status: str | None
) -> None:
    endpoint.tamper = told(status=status)
    job = read(desk)
    assert job.state is JobState.FAILED and len(job.error) < 400 and "<script>" not in job.error
    endpoint.tamper = None
    job = again(desk, job)
    assert (job.state, done(desk, job)) == (JobState.DONE, 3), job.error
    assert len(endpoint.batches) == 2


@pytest.mark.parametrize(
    "counts", [None, "many", {"completed": "x", "failed": [], "total": -4}, {"total": 10**30}]
)
def test_odd_counts_are_passed_over(desk: Desk, endpoint: Endpoint, counts: Any) -> None:
    endpoint.tamper = told(request_counts=counts)
    job = read(desk)
    assert (job.state, done(desk, job)) == (JobState.DONE, 3), job.error


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        ("POST /v1/files", HTML),
        ("POST /v1/files", (b'{"id": null}', "application/json", 200)),
        ("POST /v1/batches", HTML),
        ("POST /v1/batches", (b"{}", "application/json", 200)),
        ("POST /v1/batches", (b"[", "application/json", 200)),
        ("POST /v1/batches", (b'{"error": "sk-k"}', "application/json", 500)),
    ],
)
def test_a_batch_that_was_not_taken_is_reported(
    desk: Desk, endpoint: Endpoint, asked: str, sent: Sent
) -> None:
    endpoint.tamper = lambda now, usual: sent if now == asked else usual
    job = read(desk)
    assert job.state is JobState.FAILED
    assert "theirs@there" in job.error or "500" in job.error
    assert "sk-k" not in job.error and "<" not in job.error
    assert asked_singly(endpoint) == 0
    endpoint.tamper = None
    job = again(desk, job)
    assert (job.state, done(desk, job)) == (JobState.DONE, 3), job.error


def test_a_batch_whose_answer_was_lost_is_found_again(desk: Desk, endpoint: Endpoint) -> None:
    """The endpoint took it, and its answer did not come; nor can it list its batches at once."""
    endpoint.tamper = lambda now, usual: HTML if now == "POST /v1/batches" else usual
    job = read(desk)
    refuses = (b"{}", "application/json", 503)
    endpoint.tamper = lambda now, usual: refuses if now.startswith("GET /v1/batches?") else usual
    job = again(desk, job)
    assert job.state is JobState.FAILED and len(endpoint.batches) == 1
    marks = [body["metadata"] for body in endpoint.bodies if "metadata" in body]
    rows = [batch | {"metadata": marks[0]} for batch in endpoint.batches.values()]
    listed = (json.dumps({"data": rows, "object": "list"}).encode(), "application/json", 200)
    endpoint.tamper = lambda now, usual: listed if now.startswith("GET /v1/batches?") else usual
    job = again(desk, job)
    assert (job.state, done(desk, job)) == (JobState.DONE, 3), job.error
    assert len(endpoint.batches) == 2


@pytest.mark.parametrize("status", [429, 500, 503])
def test_failed_status_check_does_not_end_a_provider_batch(
    desk: Desk, endpoint: Endpoint, status: int
) -> None:
    seen: set[str] = set()

    def once(asked: str, sent: Sent) -> Sent:
        if asked.startswith("GET") and asked not in seen:
            seen.add(asked)
            return b"{}", "application/json", status
        return sent

    endpoint.tamper = once
    job = read(desk)
    assert (job.state, done(desk, job)) == (JobState.DONE, 3), job.error
    assert len(endpoint.batches) == 2


def test_stopped_and_resumed_the_rest_is_handed_over_again(desk: Desk, endpoint: Endpoint) -> None:
    def never(asked: str, sent: Sent) -> Sent:
        for waiting in endpoint.batches.values():
            waiting["looks"] = 0
        return sent

    endpoint.tamper = never
    job = batch.start_batch(desk, "trial", TEXTS, provider=True)
    while not endpoint.batches:
        pass
    desk.runner.stop(job.id)
    job = desk.runner.wait(job.id, 60)
    assert endpoint.batches["batch-0"]["status"] == "cancelled"
    endpoint.tamper = None
    job = again(desk, job)
    assert (job.state, done(desk, job)) == (JobState.DONE, 3), job.error
    assert (len(endpoint.batches), asked_singly(endpoint)) == (3, 0)
