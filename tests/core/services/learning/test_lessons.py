"""What decisions taught is kept for the next text, listed, and taken back by a person."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import NotFound
from core.model import Reason, Verdict
from core.services.learning import lessons
from core.services.review.decision import Judgement, decide
from tests import reviewing
from tests.reviewing import ANNA, NOT_NAUSEA, RELIEVES

DENIED = "predicate not treats"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    filled = reviewing.filled(tmp_path)
    yield filled
    filled.close()


def judge(desk: Desk, statement: str, reason: Reason | None = None) -> None:
    version = desk.store.statements.get(statement).version
    verdict = Verdict.REJECT if reason else Verdict.APPROVE
    decide(desk, statement, version, Judgement(verdict, reason), curator=ANNA)


def signs(desk: Desk) -> set[str]:
    return {shown.sign for shown in lessons.project_lessons(desk)}


def rows(desk: Desk) -> str:
    path = desk.folder / "schemas" / lessons.LESSONS
    return path.read_text() if path.exists() else ""


def test_a_reason_says_what_a_rejection_teaches(desk: Desk) -> None:
    judge(desk, NOT_NAUSEA.id, Reason.NO_RELATION)
    assert f"term {NOT_NAUSEA.object.id}" not in signs(desk)
    judge(desk, RELIEVES.id, Reason.WRONG_TERM)
    assert f"term {RELIEVES.object.id}" in signs(desk)


def test_lessons_are_written_for_the_next_text_once_enough_was_decided(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(desk, NOT_NAUSEA.id, Reason.NO_RELATION)
    assert not lessons.refresh_lessons(desk)
    assert not rows(desk)
    monkeypatch.setattr(lessons, "STEP", 1)
    assert lessons.refresh_lessons(desk)
    assert DENIED in rows(desk)
    assert not lessons.refresh_lessons(desk)


def test_a_lesson_is_taken_back_and_counted_again(desk: Desk) -> None:
    judge(desk, RELIEVES.id, Reason.WRONG_TERM)
    term = f"term {RELIEVES.object.id}"
    desk.store.curators.add(ANNA)
    lessons.take_back(desk, term, ANNA.orcid)
    assert term not in rows(desk)
    assert {one.sign: one.taken_back for one in lessons.project_lessons(desk)}[term] == ANNA.orcid
    with pytest.raises(NotFound):
        lessons.take_back(desk, "rule S brewed O", ANNA.orcid)
    lessons.take_up(desk, term, ANNA.orcid)
    assert term in rows(desk)
    with pytest.raises(NotFound):
        lessons.take_up(desk, term, ANNA.orcid)


def test_what_was_learned_today_is_counted(desk: Desk) -> None:
    judge(desk, RELIEVES.id, Reason.WRONG_TERM)
    learned = lessons.project_lessons(desk)
    assert lessons.learned_since(learned, "") == "2 terms"
    assert lessons.learned_since(learned, "9999") == ""
    assert lessons.behind_lesson(desk, f"term {RELIEVES.object.id}")[0].startswith("rejected: ")
