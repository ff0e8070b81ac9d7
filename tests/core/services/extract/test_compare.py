"""Two readings beside each other; what a batch may cost; a text that does not fit."""

from __future__ import annotations

import math
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import InputError
from core.llm.completer import OnText, Reply, Request
from core.model import Curator, Job, JobState, State, Verdict
from core.services.extract import batch, compare, result, spending
from core.services.extract.completeness import NOTHING_READ
from core.services.extract.run import keep_text, new_run, start_run
from core.services.extract.run_options import RunOptions
from core.services.review.decision import Judgement, decide
from core.store.unit import JobUnit
from tests.core.extraction.fakes import RuleModel
from tests.core.services.extracting import CURATOR, FIRST, RULES, TEXT, project


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk, _ = project(tmp_path / "p")
    other = RuleModel({**RULES, TEXT: "triples: aspirin TREATS migraine"})
    other.model = "other"
    desk._parts["completer other"] = other
    return desk


def read(desk: Desk, **options: object) -> result.ExtractionView:
    job = start_run(
        desk,
        "trial",
        TEXT,
        source="PMID:1",
        engine="spires",
        options=RunOptions(**options),  # type: ignore[arg-type]
    )
    return result.wait_for_job(desk, job)


def test_two_models_are_compared_with_the_settings_of_the_run(desk: Desk) -> None:
    first = read(desk, context=True, calls=7)
    job = compare.read_again(desk, first, "spires", "other", CURATOR)
    second = result.wait_for_job(desk, job)
    assert second.run.model == "other"
    settings = dict(second.run.settings["options"])
    assert (settings["context"], settings["calls"]) == (True, 7)
    comparison = compare.compare_runs(desk, first.run.id, second.run.id)
    assert (comparison.texts, comparison.same, comparison.only_left, comparison.only_right) == (
        1,
        1,
        1,
        0,
    )
    assert comparison.left.calls == 3 and comparison.right.calls == 2
    assert comparison.left.precision is None


def test_answers_from_before_a_price_was_set_are_compared_at_that_price(desk: Desk) -> None:
    first = read(desk)
    again = result.wait_for_job(desk, compare.read_again(desk, first, "spires", "rules", CURATOR))
    assert all(call.reused for call in again.calls)
    assert compare.compare_runs(desk, first.run.id, again.run.id).right.cost is None
    priced(desk, {"rules": (1.0, 4.0)})
    comparison = compare.compare_runs(desk, first.run.id, again.run.id)
    assert comparison.left.cost and comparison.left.cost == comparison.right.cost


def test_runs_without_a_text_in_common_are_refused(desk: Desk) -> None:
    first = read(desk)
    other = result.wait_for_job(desk, start_run(desk, "trial", TEXT + " More.", engine="builtin"))
    with pytest.raises(InputError, match="no text in"):
        compare.compare_runs(desk, first.run.id, other.run.id)


def test_batches_are_compared_over_all_their_texts(desk: Desk) -> None:
    rows = [("PMID:1", TEXT), ("PMID:2", TEXT)]
    first = desk.runner.wait(batch.start_batch(desk, "trial", rows, engine="spires").id)
    assert first.state is JobState.DONE
    assert "cost unknown" in spending.totals_line(desk, first)
    second = desk.runner.wait(compare.batch_again(desk, first.id, "spires", model="other").id)
    comparison = compare.compare_runs(desk, first.id, second.id)
    assert (comparison.texts, comparison.same, comparison.only_left) == (2, 2, 2)


def test_precision_is_of_what_curators_decided(desk: Desk) -> None:
    first = read(desk)
    result.send_to_review(desk, first.run.id, CURATOR)
    records = desk.store.statements.of_ids([s.id for s, _ in first.statements])
    record = next(record for record in records if record.state is State.PROPOSED)
    decide(
        desk, record.id, record.version, Judgement(Verdict.APPROVE), curator=Curator(CURATOR, "A")
    )
    side = compare.reading_side(desk, result.result_of_run(desk, first.run.id))
    assert (side.approved, side.rejected, side.precision) == (1, 0, 1.0)


def test_a_batch_stops_at_its_dollar_limit_and_continues_with_a_higher_one(tmp_path: Path) -> None:
    desk, _ = project(tmp_path / "p")
    desk.settings = replace(desk.settings, prices={"rules": (1e6, 1e6)})
    texts = [(f"PMID:{n}", f"{TEXT} It was seen {n} times.") for n in range(12)]
    job = batch.start_batch(desk, "trial", texts, engine="spires", dollars=1.0)
    ended = desk.runner.wait(job.id)
    states = [str(unit.state) for unit in batch.batch_items(desk, ended)]
    assert set(states) in ({"partly", "not begun"}, {"done", "not begun"})
    left = [unit for unit in batch.batch_items(desk, ended) if unit.state == "not begun"]
    assert re.fullmatch(r"Not begun: .*\$[\d.]+,.* limit is \$1.00.", left[0].message)
    unread = batch.unread_documents(desk, job.id)
    assert (unread.failed, unread.left, unread.again >= unread.left) == (0, len(left), True)
    words = spending.limit_words(desk, job.id)
    assert words.startswith(f"The limit of $1.00 was reached after {12 - len(left)} document")
    assert f"{len(left)} documents were not" in words
    assert "$" in spending.totals_line(desk, ended)
    spending.set_limit(desk, job.id, 0)
    again = desk.runner.wait(batch.retry_batch(desk, job.id).id)
    assert {str(unit.state) for unit in batch.batch_items(desk, again)} <= {"done", "partly"}
    assert spending.limit_words(desk, job.id) == ""


class Side(RuleModel):
    """A model that many ask at once; it counts how many wait for it."""

    at_once = most_at_once = 0

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        time.sleep(0.05)
        try:
            return super().complete(request, on_text)
        finally:
            self.at_once -= 1


@pytest.mark.parametrize("documents", [0.2, 1.5, 3.5])
def test_a_batch_costs_more_than_its_limit_by_one_document_at_most(
    tmp_path: Path, documents: float
) -> None:
    """Although several are read side by side."""
    desk, _ = project(tmp_path / "p")
    texts = [(f"PMID:{n}", f"{TEXT} It was seen {n:02} times.") for n in range(12)]
    model = Side({**dict.fromkeys((text for _, text in texts), FIRST), **RULES})
    desk._parts["completer"] = model
    priced(desk, {"rules": (1e6, 1e6)})
    options = RunOptions(reuse=False)
    whole = desk.runner.wait(
        batch.start_batch(desk, "trial", texts, engine="spires", options=options).id
    )
    cost_of_document = spending.batch_spending(desk, whole.id).cost / 12
    assert model.most_at_once > 1
    job = batch.start_batch(
        desk, "trial", texts, engine="spires", options=options, dollars=documents * cost_of_document
    )
    ended = desk.runner.wait(job.id)
    assert ended.state is JobState.DONE
    states = [str(unit.state) for unit in batch.batch_items(desk, ended)]
    begun = math.ceil(documents)
    assert states == ["done"] * begun + ["not begun"] * (12 - begun)
    desk.close()


def test_estimate_of_a_document_is_computed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often those that wait for room look at it, and from however many processes."""
    desk, _ = project(tmp_path / "p")
    priced(desk, {"rules": (1e6, 1e6)})
    reckoned: list[str] = []
    preview = spending.estimate_preview
    monkeypatch.setattr(
        spending,
        "estimate_preview",
        lambda *arguments, **named: reckoned.append(arguments[2]) or preview(*arguments, **named),
    )
    job = desk.store.jobs.add(Job("j", batch.JOB, {}))
    texts = [f"{TEXT} It was seen {n:02} times." for n in range(3)]
    runs = [
        new_run(desk, keep_text(desk, "trial", text), "spires", curator="", options=RunOptions())
        for text in texts
    ]
    units = [JobUnit("j", n, f"PMID:{n}", run.id) for n, run in enumerate(runs)]
    desk.store.units.add(units)
    for n in range(3):
        desk.store.units.claim("j", f"worker {n}")
    spending.set_limit(desk, job.id, 100.0)
    answers = {spending.has_room(desk, units[2], "rules") for _ in range(5)}
    desk.close()
    assert (answers, sorted(reckoned)) == ({False}, texts[:2])


def priced(desk: Desk, prices: dict[str, tuple[float, float]]) -> None:
    """As if the project were opened anew with these prices."""
    desk.settings = replace(desk.settings, prices=prices)
    desk._parts.pop("models", None)


def test_a_limit_in_dollars_needs_a_price(desk: Desk) -> None:
    texts = [("PMID:1", TEXT)]
    with pytest.raises(InputError, match=r"limit of \$2.00 cannot be kept.*rules.*not known"):
        batch.start_batch(desk, "trial", texts, engine="spires", dollars=2.0)
    assert desk.store.jobs.find() == []
    desk.runner.wait(
        batch.start_batch(desk, "trial", texts, engine="builtin", dollars=2.0).id
    )  # costs nothing
    job = desk.runner.wait(batch.start_batch(desk, "trial", texts, engine="spires").id)
    with pytest.raises(InputError, match="cannot be kept"):
        spending.set_limit(desk, job.id, 0.0005)
    priced(desk, {"rules": (0.0, 0.0)})
    spending.set_limit(desk, job.id, 0.0005)
    assert spending.limit_of(desk, job.id) == 0.0005


@pytest.mark.parametrize("dollars", [float("nan"), float("inf"), -1.0])
def test_a_limit_in_dollars_is_a_number_of_them(desk: Desk, dollars: float) -> None:
    priced(desk, {"rules": (1.0, 1.0)})
    with pytest.raises(InputError, match="is a number, 0 or more"):
        batch.start_batch(desk, "trial", [("PMID:1", TEXT)], engine="spires", dollars=dollars)


def test_batch_with_a_cost_limit_stops_when_its_price_is_removed(desk: Desk) -> None:
    priced(desk, {"rules": (1.0, 1.0)})
    job = desk.runner.wait(
        batch.start_batch(desk, "trial", [("PMID:1", TEXT)], engine="spires", dollars=1.0).id
    )
    priced(desk, {})
    with pytest.raises(InputError, match="cannot be kept"):
        batch.read_document_of_batch(desk, batch.batch_items(desk, job)[0], lambda: None)


def test_a_document_with_an_incomplete_answer_is_not_called_done(tmp_path: Path) -> None:
    """Nor sent with the others: half is never called whole."""
    desk, _ = project(tmp_path / "p", dict(RULES) | {TEXT: "Well, this paper is about drugs."})
    job = desk.runner.wait(batch.start_batch(desk, "trial", [("PMID:1", TEXT)], engine="spires").id)
    (unit,) = batch.batch_items(desk, job)
    assert unit.state is batch.BatchStatus.PARTLY and unit.message.startswith(
        NOTHING_READ.removesuffix(".")
    )


def test_an_answer_that_was_cut_is_asked_for_again_when_a_batch_is_tried_again(
    tmp_path: Path,
) -> None:
    desk, model = project(tmp_path / "p")
    whole = model.complete
    model.complete = lambda *asked: replace(whole(*asked), finish="length")  # type: ignore[method-assign]
    job = desk.runner.wait(batch.start_batch(desk, "trial", [("PMID:1", TEXT)], engine="spires").id)
    (unit,) = batch.batch_items(desk, job)
    assert unit.state is batch.BatchStatus.PARTLY and "cut off" in unit.message
    model.complete = whole  # type: ignore[method-assign]
    again = desk.runner.wait(batch.retry_batch(desk, job.id).id)
    assert [batch_item.state for batch_item in batch.batch_items(desk, again)] == [
        batch.BatchStatus.DONE
    ]


def test_files_of_a_batch_carry_their_names(desk: Desk) -> None:
    job = desk.runner.wait(
        batch.start_batch(desk, "trial", [("doc:1", TEXT, "report.pdf")], engine="builtin").id
    )
    (unit,) = batch.batch_items(desk, job)
    assert unit.name == "report.pdf"
    assert desk.store.documents.get("doc:1").title == "report.pdf"


def test_a_text_beyond_the_known_context_is_read_in_parts(tmp_path: Path) -> None:
    desk, _ = project(tmp_path / "p", {"": "triples: aspirin TREATS migraine"} | dict(RULES))
    desk.settings = replace(desk.settings, contexts={"rules": 1000})
    text = " ".join(f"{TEXT} Patient {n} slept." for n in range(30))
    finished = result.wait_for_job(desk, start_run(desk, "trial", text, engine="spires"))
    assert "read-in-parts" in {problem.code for problem in finished.problems}
    longest = max(len(call.request["messages"][-1]["content"]) for call in finished.calls)
    assert longest / 3.2 < 1000
