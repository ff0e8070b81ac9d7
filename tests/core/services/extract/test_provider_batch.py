"""Reading documents through the batch interface of an endpoint (tests/endpoint.py)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.errors import SettingsError
from core.llm.connection import Connection
from core.model import Job, JobState
from core.services.extract import batch, provider_batch, result, spending
from core.services.extract.budget import preview_many
from core.services.settings import models
from core.settings import Settings, load_settings
from tests.core.services.extracting import TEXT, project
from tests.core.services.model_uses import words_for
from tests.endpoint import Endpoint, served

TEXTS = [("PMID:1", TEXT), ("PMID:2", TEXT + " "), ("PMID:3", "Aspirin is old.\n" + TEXT)]


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setattr(provider_batch, "FIRST_LOOK", 0.05)
    with served(words_for) as endpoint:
        yield endpoint


def opened(folder: Path, endpoint: Endpoint) -> Desk:
    opened_desk, _ = project(folder)
    opened_desk.close()
    endpoints = {"there": Connection("there", endpoint.url, "sk-k")}
    prices = {"theirs@there": (1.0, 4.0)}
    return open_desk(Settings(folder, endpoints=endpoints, model="theirs@there", prices=prices))


@pytest.fixture
def desk(tmp_path: Path, endpoint: Endpoint) -> Iterator[Desk]:
    desk = opened(tmp_path, endpoint)
    yield desk
    desk.close()


def read(desk: Desk) -> Job:
    return desk.runner.wait(batch.start_batch(desk, "trial", TEXTS, provider=True).id)


def test_documents_are_read_in_waves_without_a_single_call(desk: Desk, endpoint: Endpoint) -> None:
    job = read(desk)
    assert job.state is JobState.DONE, job.error
    assert (job.result or {}) == {"done": 3}
    for unit in batch.batch_items(desk, job):
        ids = {
            m.chosen.id
            for m in result.result_of_run(desk, unit.run).extraction.mentions
            if m.chosen
        }
        assert {"CHEBI:15365", "MONDO:0005277"} <= ids
    assert not [body for body in endpoint.bodies if "messages" in body]
    assert len(endpoint.batches) == 2  # first questions, then what their answers lead to


def test_equal_questions_are_handed_over_once(desk: Desk, endpoint: Endpoint) -> None:
    read(desk)
    sent = [data.splitlines() for name, data in endpoint.files.items() if name.startswith("file-")]
    for lines in sent:
        assert len(set(lines)) == len(lines)
    assert [len(lines) for lines in sent] == [3, 2]  # three texts, of the same two statements


def test_requests_are_counted_before_the_endpoint_has_counted_them(
    desk: Desk, endpoint: Endpoint
) -> None:
    job = batch.start_batch(desk, "trial", TEXTS, provider=True)
    seen: set[tuple[int, str]] = set()
    while not seen:
        for waiting in endpoint.batches.values():
            waiting["looks"] = 0  # not looked at yet
        now = desk.runner.job(job.id)
        seen |= {(now.total, now.message)} if "at the endpoint" in now.message else set()
    desk.runner.wait(job.id)
    assert seen == {(3, "3 requests at the endpoint, 0 answered")}


def test_submitted_batch_questions_are_counted_and_priced(desk: Desk) -> None:
    used = spending.batch_spending(desk, read(desk).id)
    assert used.tokens_in > 100 and used.cost > 0 and used.unpriced == 0


def test_an_answer_read_back_from_the_batch_is_not_a_further_call(desk: Desk) -> None:
    job = read(desk)
    used = spending.batch_spending(desk, job.id)
    assert (used.calls, used.reused) == (5, 4)  # nine questions, of which four repeat another
    assert "5 calls · " in (line := spending.totals_line(desk, job))
    assert "4 answers from the record" in line
    again = spending.batch_spending(desk, read(desk).id)
    assert (again.calls, again.reused, again.cost) == (0, 9, 0)


def test_batch_costs_the_share_that_the_project_sets_and_else_the_full_price(desk: Desk) -> None:
    texts = [text for _, text in TEXTS]
    full = preview_many(desk, "trial", texts)
    unshared = preview_many(desk, "trial", texts, provider=True)
    assert (unshared.tokens, unshared.cost) == (full.tokens, pytest.approx(full.cost))
    assert "the full price" in models.batch_price_words(desk, "theirs@there")
    models.set_known(desk, "theirs@there", context=None, price=(1.0, 4.0), batch_share=0.25)
    saved = load_settings(desk.folder, {}).batch_shares
    again = open_desk(replace(desk.settings, batch_shares=saved))
    cheaper = preview_many(again, "trial", texts, provider=True)
    assert cheaper.cost == pytest.approx((full.cost or 0) / 4)
    words = models.batch_price_words(again, "theirs@there")
    assert "25% of its price" in words
    again.close()


def test_calls_of_a_batch_are_priced_as_a_batch(tmp_path: Path, endpoint: Endpoint) -> None:
    spent = []
    for folder, shares in (("full", {}), ("half", {"theirs@there": 0.5})):
        opened_desk = opened(tmp_path / folder, endpoint)
        opened_desk.settings = replace(opened_desk.settings, batch_shares=shares)
        spent.append(spending.batch_spending(opened_desk, read(opened_desk).id).cost)
        opened_desk.close()
    assert spent[1] == pytest.approx(spent[0] / 2)


def test_wave_that_was_handed_over_is_not_handed_over_again(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    first = opened(tmp_path, endpoint)
    job = batch.start_batch(first, "trial", TEXTS, provider=True)
    run = spending.provider_run(job.id)
    while not (first.store.runs.result(run, "wave 0") or {}).get("batch"):
        pass
    first.close()  # as when the app ends
    before = len(endpoint.batches)
    second = opened(tmp_path, endpoint)
    ended = second.runner.wait(second.runner.resume(job.id).id)
    assert ended.state is JobState.DONE, ended.error
    assert before == 1 and len(endpoint.batches) == 2
    second.close()


def test_endpoint_without_the_interface_is_a_failure_with_a_reason(
    tmp_path: Path, endpoint: Endpoint, desk: Desk
) -> None:
    url = endpoint.url.replace("/v1", "/nothing")
    desk.settings = replace(desk.settings, endpoints={"there": Connection("there", url, "sk-k")})
    desk.forget_models()
    job = read(desk)
    assert job.state is JobState.FAILED and "takes no batches (404)" in job.error
    assert "sk-k" not in job.error and "spirin" not in job.error


def test_engine_that_asks_nobody_is_refused(desk: Desk) -> None:
    with pytest.raises(SettingsError, match="uses no model"):
        batch.start_batch(desk, "trial", TEXTS, engine="builtin", provider=True)


def test_a_limit_leaves_out_of_a_wave_what_it_would_not_pay_for(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    """What was paid for is read; what is left is said, and read once the limit is raised."""
    desk = opened(tmp_path, endpoint)
    texts = [(f"PMID:{n}", f"{TEXT} It was seen {n} times.") for n in range(8)]
    whole = desk.runner.wait(batch.start_batch(desk, "trial", texts, provider=True).id)
    price = spending.batch_spending(desk, whole.id).cost
    desk.close()

    cheap = opened(tmp_path / "cheap", endpoint)
    job = batch.start_batch(cheap, "trial", texts, provider=True, dollars=price / 3)
    ended = cheap.runner.wait(job.id)
    counts = cheap.store.units.counts(job.id)
    assert ended.state is JobState.DONE, ended.error
    assert counts["not begun"] and counts["done"] and counts["done"] + counts["not begun"] == 8
    assert spending.batch_spending(cheap, job.id).cost < 0.75 * price
    spending.set_limit(cheap, job.id, 0)
    cheap.runner.wait(batch.retry_batch(cheap, job.id).id)
    assert cheap.store.units.counts(job.id)["done"] == 8
    cheap.close()
