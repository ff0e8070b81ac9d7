"""A language model asked about stored statements: by whom, within what, and what is kept of it."""

from __future__ import annotations

import itertools
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.desk import Desk, open_desk
from core.errors import NotFound, SettingsError, Unauthorised
from core.model import State, SupportVerdict
from core.services.support.evidence_support import support_of_record
from core.services.support.model_judging import estimate_judging, judge_by_model, start_judging
from core.settings import Secret, Settings
from core.store import QueueFilter
from core.support.case import Case
from core.support.judge import Opinion
from core.support.judges.model import ModelJudge
from tests.endpoint import Endpoint, served

VAGUE = "Aspirin and migraine were both discussed at length with the patients."
DENIED = "Ibuprofen did not treat migraine in this trial."
ASPIRIN = {"id": "CHEBI:15365", "label": "aspirin", "category": "chemical"}
IBUPROFEN = {"id": "CHEBI:5855", "label": "ibuprofen", "category": "chemical"}
MIGRAINE = {"id": "MONDO:0005277", "label": "migraine", "category": "disease"}


def row(text: str, subject: dict[str, str]) -> dict[str, Any]:
    return {
        "text": text,
        "quote": text,
        "subject": subject,
        "predicate": "biolink:treats",
        "object": MIGRAINE,
    }


ROWS = [row(VAGUE, ASPIRIN), row(DENIED, IBUPROFEN)]
CURATOR = "0000-0002-1825-0097"
AS = ["--curator", CURATOR]
SILENT = json.dumps({"verdict": "silent", "reason": "It only says that both were discussed."})


def answers(body: dict[str, Any]) -> str:
    return SILENT


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with served(answers) as endpoint:
        yield endpoint


def project(folder: Path, url: str = "") -> Desk:
    settings = Settings(folder, base_set=False)
    if url:
        settings = Settings(
            folder,
            model="second",
            openai_api_key=Secret("key"),
            openai_base_url=url,
            model_retries=0,
            base_set=False,
        )
    desk = open_desk(settings)
    folder.mkdir(exist_ok=True)
    rows = folder / "rows.jsonl"
    rows.write_text("\n".join(json.dumps(row) for row in ROWS))
    assert main(["--project", str(folder), "propose", *AS, "--input", str(rows)]) == 0
    return desk


def ids(desk: Desk) -> list[str]:
    return desk.store.queue.ids(QueueFilter())


def project_of_three(folder: Path, url: str) -> Desk:
    """One more statement, which a model would be asked about."""
    desk = project(folder / "p", url)
    nurses = {"id": "X:1", "label": "nurses", "category": "chemical"}
    more = folder / "more.jsonl"
    more.write_text(json.dumps(row("The nurses spoke of migraine.", nurses)))
    assert main(["--project", str(folder / "p"), "propose", *AS, "--input", str(more)]) == 0
    return desk


def test_its_verdict_is_kept_beside_the_others_and_every_call_is_recorded(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    desk = project(tmp_path / "p", endpoint.url)
    made = judge_by_model(desk, ids(desk), curator=CURATOR)
    assert (made.answered, made.spared, made.unread, made.left) == (1, 1, 0, 0)
    vague, denied = (support_of_record(desk, desk.store.statements.get(id)) for id in ids(desk))
    assert vague is not None and denied is not None
    assert vague.verdict is SupportVerdict.SILENT and "model" in vague.judges
    assert denied.verdict is SupportVerdict.CONTRADICTS and "model" not in denied.judges
    calls = desk.store.calls.of_run(made.run)
    assert len(calls) == len(endpoint.bodies) == 1
    assert calls[0].tokens_in > 0
    assert desk.store.runs.get(made.run).curator == CURATOR


def test_the_same_question_is_answered_from_the_record(tmp_path: Path, endpoint: Endpoint) -> None:
    desk = project(tmp_path / "p", endpoint.url)
    judge_by_model(desk, ids(desk))
    again = judge_by_model(desk, ids(desk))
    assert again.answered == 1 and len(endpoint.bodies) == 1


def test_nothing_is_asked_beyond_the_budget_and_it_is_said(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    desk = project_of_three(tmp_path, endpoint.url)
    made = judge_by_model(desk, ids(desk), calls=1)
    assert (made.answered, made.left) == (1, 1)
    assert "1 not asked, as the budget was used up" in made.words
    assert made.json()["complete"] is False
    assert len(endpoint.bodies) == 1


def test_the_estimate_counts_a_call_a_quote(tmp_path: Path, endpoint: Endpoint) -> None:
    desk = project(tmp_path / "p", endpoint.url)
    estimate = estimate_judging(desk, ids(desk))
    judge_by_model(desk, ids(desk))
    assert estimate.calls == 2
    call = desk.store.calls.of_run(desk.store.runs.find("support")[0].id)[0]
    assert 0.5 < (call.tokens_in + call.tokens_out) / (estimate.tokens / 2) < 1.6


def test_without_a_model_it_says_what_to_do(tmp_path: Path) -> None:
    desk = project(tmp_path / "p")
    with pytest.raises(SettingsError, match="No model is configured"):
        judge_by_model(desk, ids(desk))


def test_an_endpoint_that_is_gone_is_asked_once_and_leaves_the_verdicts(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    desk = project(tmp_path / "p", f"http://127.0.0.1:{port}/v1")
    before = desk.store.support.of_statements(ids(desk))
    made = judge_by_model(desk, ids(desk))
    assert made.stopped and made.answered == 0
    assert desk.store.support.of_statements(ids(desk)) == before


def test_what_was_answered_before_the_asking_stopped_is_kept(
    tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, ask = itertools.count(), ModelJudge.opinion

    def key_taken_back(judge: ModelJudge, case: Case) -> Opinion | None:
        if next(asked):
            raise Unauthorised("The endpoint did not accept the key (401).")
        return ask(judge, case)

    monkeypatch.setattr(ModelJudge, "opinion", key_taken_back)
    desk = project_of_three(tmp_path, endpoint.url)
    made = judge_by_model(desk, ids(desk))
    assert made.stopped and made.answered == 1
    kept = desk.store.support.of_statements(ids(desk)).values()
    by_model = [verdict for own in kept for verdict in own.values() if "model" in verdict.judges]
    assert len(by_model) == 1


def test_a_statement_that_is_not_stored_is_refused_before_anything_is_asked(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    desk = project(tmp_path / "p", endpoint.url)
    with pytest.raises(NotFound, match="propsed"):
        judge_by_model(desk, [*ids(desk), "propsed"])
    assert endpoint.bodies == [] and desk.store.runs.find("support") == []


def test_proposing_and_reviewing_never_ask_it(tmp_path: Path, endpoint: Endpoint) -> None:
    desk = project(tmp_path / "p", endpoint.url)
    for id in ids(desk):
        support_of_record(desk, desk.store.statements.get(id))
    assert main(["--project", str(tmp_path / "p"), "statements"]) == 0
    assert endpoint.bodies == []


def test_it_works_in_the_background(tmp_path: Path, endpoint: Endpoint) -> None:
    desk = project(tmp_path / "p", endpoint.url)
    job = desk.runner.wait(start_judging(desk, ids(desk)).id)
    assert job.result["answered"] == 1 and job.result["complete"]


def test_by_the_command_line(
    tmp_path: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    project(tmp_path / "p", endpoint.url)
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    monkeypatch.setenv("GROUNDWORK_MODEL", "second")
    asked = ["--project", str(tmp_path / "p"), "support", "--judge", "model"]
    capsys.readouterr()
    assert main([*asked, "--statements", str(State.PROPOSED)]) == 0
    assert json.loads(capsys.readouterr().out)["answered"] == 1
    passage = tmp_path / "passage.txt"
    passage.write_text(VAGUE)
    claim = ["--subject", "aspirin", "--predicate", "TREATS", "--object", "migraine"]
    assert main([*asked, *claim, "--passage", str(passage)]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["verdict"], result["judges"]) == ("silent", ["model"])
    assert main([*asked, "--judge", "rules", *claim, "--passage", str(passage)]) == 0
    assert json.loads(capsys.readouterr().out)["judges"] == ["rules", "model"]
