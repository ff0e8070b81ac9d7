"""What an endpoint's list of models tells is known to a run, although nobody asked for the list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.errors import InputError
from core.llm.connection import Connection
from core.services.extract import batch, run, spending
from core.settings import Settings
from tests.core.services.extracting import TEXT, project
from tests.core.services.model_uses import words_for
from tests.endpoint import Endpoint, Sent, served

PRICED = {"id": "theirs", "pricing": {"prompt": "0.000001", "completion": "0.000004"}}


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with served(words_for) as endpoint:
        yield endpoint


@pytest.fixture
def desk(tmp_path: Path, endpoint: Endpoint) -> Iterator[Desk]:
    opened_desk, _ = project(tmp_path)
    opened_desk.close()
    endpoints = {"there": Connection("there", endpoint.url, "sk-k")}
    desk = open_desk(Settings(tmp_path, endpoints=endpoints, model="theirs@there"))
    yield desk
    desk.close()


def with_list(endpoint: Endpoint, status: int = 200) -> list[str]:
    """The endpoint lists its models with prices, or refuses to; the questions that it was asked."""
    asked: list[str] = []

    def tamper(question: str, sent: Sent) -> Sent:
        asked.append(question)
        if question != "GET /v1/models":
            return sent
        return json.dumps({"data": [PRICED]}).encode(), "application/json", status

    endpoint.tamper = tamper
    return asked


def test_a_batch_knows_the_price_that_its_endpoint_lists(desk: Desk, endpoint: Endpoint) -> None:
    with_list(endpoint)
    job = desk.runner.wait(batch.start_batch(desk, "trial", [("PMID:1", TEXT)], dollars=1.0).id)
    used = spending.batch_spending(desk, job.id)
    assert used.cost and not used.unpriced
    assert "cost unknown" not in spending.totals_line(desk, job)


def test_one_text_knows_the_price_that_its_endpoint_lists(desk: Desk, endpoint: Endpoint) -> None:
    asked = with_list(endpoint)
    for text in (TEXT, TEXT + " Aspirin is old."):
        job = desk.runner.wait(run.start_run(desk, "trial", text).id)
        assert not desk.store.calls.usage(run=job.arguments["run"]).unpriced
    assert asked.count("GET /v1/models") == 1


def test_an_endpoint_without_a_list_is_read_all_the_same(desk: Desk, endpoint: Endpoint) -> None:
    with_list(endpoint, 500)
    job = desk.runner.wait(batch.start_batch(desk, "trial", [("PMID:1", TEXT)]).id)
    assert job.result == {"done": 1}


def test_a_limit_is_refused_where_no_list_tells_the_price(desk: Desk, endpoint: Endpoint) -> None:
    with_list(endpoint, 404)
    with pytest.raises(InputError, match="the price of theirs@there is not known"):
        batch.start_batch(desk, "trial", [("PMID:1", TEXT)], dollars=1.0)
