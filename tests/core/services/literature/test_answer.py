"""Answers of a model are jobs: they tell how far they are, can be stopped, and are given when they
are resumed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest

from core.desk import Desk, open_desk
from core.literature.query.keyword import LiteratureQuery
from core.llm.completer import OnText, Reply, Request
from core.model import JobState
from core.services.literature import answer, namespaces, searching
from core.settings import Settings

ASKED = "Which kinase phosphorylates tau?"
PIECES = ("Kinase Q does it, ", '"Kinase Q phosphorylates tau" [1].')


class Model:
    """Says an answer piece by piece; `before` is called before each piece."""

    model = "m"

    def __init__(self, before: Callable[[], None] = lambda: None):
        self.before = before

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        for piece in PIECES:
            self.before()
            if on_text:
                on_text(piece)
        return Reply("".join(PIECES))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    papers = tmp_path / "papers.jsonl"
    papers.write_text(
        json.dumps({"id": "PMID:1", "title": "Tau", "text": "Kinase Q phosphorylates tau in mice."})
    )
    opened = open_desk(Settings(project=tmp_path / "project"))
    namespaces.create_namespace(opened, "tau")
    namespaces.add_files(opened, "tau", [papers])
    yield opened
    opened.close()


def begun(desk: Desk) -> str:
    chunks = [
        result.chunk
        for result in searching.search_namespaces(desk, ["tau"], LiteratureQuery(ASKED)).results
    ]
    return answer.begin_answer(desk, ASKED, chunks)


def test_an_answer_tells_how_far_it_is(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Desk, "completer", lambda *_, **__: Model())
    run = begun(desk)
    assert desk.runner.wait(answer.start_answer(desk, run).id, 20).state is JobState.DONE
    assert answer.words_so_far(desk, run) and PIECES[0].startswith(answer.words_so_far(desk, run))
    assert "Kinase Q does it" in answer.kept_answer(desk, run).text


def test_an_answer_that_was_stopped_is_given_when_it_is_resumed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, jobs = Event(), list[str]()

    def stop() -> None:
        known.wait(20)
        for job in jobs:
            desk.runner.stop(job)

    monkeypatch.setattr(Desk, "completer", lambda *_, **__: Model(stop))
    run = begun(desk)
    job = answer.start_answer(desk, run).id
    jobs.append(job)
    known.set()
    assert (
        desk.runner.wait(job, 20).state is JobState.STOPPED
        and not answer.kept_answer(desk, run).answers
    )
    jobs.clear()
    desk.runner.resume(job)
    assert (
        desk.runner.wait(job, 20).state is JobState.DONE and answer.kept_answer(desk, run).answers
    )
