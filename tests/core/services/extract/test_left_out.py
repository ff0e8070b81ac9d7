"""A batch of which only the first questions were asked: what the rest takes, and asking it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import Refused
from core.model import Job
from core.services.extract import batch, spending
from core.services.extract.left_out import (
    ask_rest_of_batch,
    counted_batch,
    left_of_batch,
    left_of_batch_words,
)
from core.services.extract.run_options import RunOptions
from tests.core.extraction.fakes import RuleModel
from tests.core.services.extracting import CURATOR, RULES, TEXT, project

TEXTS = [("doc:1", TEXT), ("doc:2", f"{TEXT} He went home.")]
EMPTY = ("doc:3", "Nothing was given to anybody in this report.")


@pytest.fixture
def desk_and_model(tmp_path: Path) -> Iterator[tuple[Desk, RuleModel]]:
    rules = dict.fromkeys([text for _, text in TEXTS], RULES[TEXT])
    desk, model = project(tmp_path, {EMPTY[1]: "triples: none"} | rules | dict(RULES))
    yield desk, model
    desk.close()


def first_questions(desk: Desk) -> Job:
    options = RunOptions(calls=1)
    job = batch.start_batch(desk, "trial", [*TEXTS, EMPTY], engine="spires", options=options)
    return desk.runner.wait(job.id)


def test_first_questions_tell_what_the_batch_takes(desk_and_model: tuple[Desk, RuleModel]) -> None:
    desk, model = desk_and_model
    job = first_questions(desk)
    assert len(model.asked) == 3
    left = left_of_batch(desk, job.id)
    assert left is not None
    assert (left.documents, left.questions.calls) == (2, 4)
    assert left_of_batch_words(desk, left).startswith(
        "The limit of calls left out questions about 2 documents. Asking them would take about"
    )
    estimate = counted_batch(desk, job.id)
    assert (estimate.calls, estimate.least, estimate.most, estimate.texts, estimate.counted) == (
        7,
        7,
        7,
        3,
        True,
    )


def test_the_rest_of_a_batch_is_asked_without_paying_twice(
    desk_and_model: tuple[Desk, RuleModel],
) -> None:
    desk, model = desk_and_model
    job = first_questions(desk)
    left = left_of_batch(desk, job.id)
    assert left is not None
    job_of_rest = desk.runner.wait(ask_rest_of_batch(desk, job.id, left, CURATOR).id)
    assert left_of_batch(desk, job_of_rest.id) is None
    assert batch.unread_documents(desk, job_of_rest.id).again == 0
    firsts = [request for request in model.asked if not request.path]
    assert len(firsts) == 3
    used = spending.batch_spending(desk, job_of_rest.id)
    assert (counted_batch(desk, job_of_rest.id).calls, used.calls, used.reused) == (7, 2, 5)


def test_a_limit_that_is_used_up_leaves_nothing_for_the_rest(
    desk_and_model: tuple[Desk, RuleModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, _ = desk_and_model
    job = first_questions(desk)
    left = left_of_batch(desk, job.id)
    assert left is not None
    monkeypatch.setattr(spending, "limit_of", lambda desk, job: 1.0)
    monkeypatch.setattr(spending, "dollars_left", lambda desk, job: 0.0)
    with pytest.raises(Refused, match="used up"):
        ask_rest_of_batch(desk, job.id, left, CURATOR)
