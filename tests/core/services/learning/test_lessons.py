"""What decisions taught is kept for the next text, listed, and taken back by a person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk
from core.desk_parts import HasStore
from core.errors import NotFound
from core.model import Reason, Support, SupportVerdict, Verdict
from core.services.learning import lessons
from core.services.learning.lessons import DecidedRecord, decided_records
from core.services.review.decision import Judgement, correct, decide
from tests import reviewing
from tests.reviewing import ANNA, HEADACHE, NAUSEA, NOT_NAUSEA, RELIEVES

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
    return {shown.sign for shown in lessons.project_lessons(desk).lessons}


def rows(desk: Desk) -> str:
    path = desk.folder / "schemas" / lessons.LESSONS
    return path.read_text() if path.exists() else ""


def test_a_reason_says_what_a_rejection_teaches(desk: Desk) -> None:
    judge(desk, NOT_NAUSEA.id, Reason.NO_RELATION)
    assert f"term {NAUSEA.id}" not in signs(desk)
    judge(desk, RELIEVES.id, Reason.WRONG_TERM)
    assert f"term {HEADACHE.id}" in signs(desk)


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
    term = f"term {HEADACHE.id}"
    desk.store.curators.add(ANNA)
    lessons.take_back(desk, term, ANNA.orcid)
    assert term not in rows(desk)
    known = lessons.project_lessons(desk).lessons
    assert {one.sign: one.taken_back for one in known}[term] == ANNA.orcid
    with pytest.raises(NotFound):
        lessons.take_back(desk, "rule S brewed O", ANNA.orcid)
    lessons.take_up(desk, term, ANNA.orcid)
    assert term in rows(desk)
    with pytest.raises(NotFound):
        lessons.take_up(desk, term, ANNA.orcid)


def test_what_was_learned_today_is_counted(desk: Desk) -> None:
    judge(desk, RELIEVES.id, Reason.WRONG_TERM)
    learned = lessons.project_lessons(desk).lessons
    assert lessons.learned_since(learned, "") == "2 terms"
    assert lessons.learned_since(learned, "9999") == ""
    assert lessons.behind_lesson(desk, f"term {HEADACHE.id}")[0].startswith("rejected: ")


def test_texts_that_are_read_side_by_side_learn_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(desk, NOT_NAUSEA.id, Reason.NO_RELATION)
    monkeypatch.setattr(lessons, "STEP", 1)
    with ThreadPoolExecutor(4) as pool:
        learned = list(pool.map(lambda _: lessons.refresh_lessons(desk), range(4)))
    assert sorted(learned) == [False, False, False, True]


def test_two_tabs_take_back_two_lessons(desk: Desk) -> None:
    judge(desk, NOT_NAUSEA.id, Reason.NO_RELATION)
    judge(desk, RELIEVES.id, Reason.WRONG_TERM)
    both = sorted(signs(desk))[:2]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda sign: lessons.take_back(desk, sign, ANNA.orcid), both))
    assert sorted(lessons.taken_back(desk)) == both


def test_lessons_that_would_order_worse_are_not_written_and_this_is_said(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(desk, NOT_NAUSEA.id, Reason.NO_RELATION)
    monkeypatch.setattr(lessons, "STEP", 1)
    monkeypatch.setattr(lessons, "lessons_help", lambda *_: False)
    assert lessons.refresh_lessons(desk)
    assert not rows(desk)
    assert not lessons.project_lessons(desk).are_used


def test_decisions_are_read_again_only_where_there_are_new_ones(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(desk, NOT_NAUSEA.id, Reason.NO_RELATION)
    read = []

    def counting(desk: HasStore, on_read: Callable[[int, int], None]) -> Iterator[DecidedRecord]:
        read.append(desk)
        yield from decided_records(desk, on_read)

    monkeypatch.setattr(lessons, "decided_records", counting)
    for _ in range(2):
        known = lessons.project_lessons(desk)
        lessons.behind_lesson(desk, known.lessons[0].sign)
    assert len(read) == 1
    judge(desk, RELIEVES.id, Reason.WRONG_TERM)
    assert len(lessons.project_lessons(desk).lessons) > len(known.lessons)


def test_decisions_are_read_again_where_judges_looked_at_their_evidence_since(desk: Desk) -> None:
    judge(desk, NOT_NAUSEA.id, Reason.NO_RELATION)
    lessons.project_lessons(desk)
    before = desk.store.rankings.decided_moment()
    piece = desk.store.statements.get(NOT_NAUSEA.id).evidence[0].id
    verdict = Support(SupportVerdict.CONTRADICTS, 0.125)
    desk.store.support.put({piece: (NOT_NAUSEA.id, verdict)})
    assert desk.store.rankings.decided_moment() != before
    known = {row.statement.id: row for row in decided_records(desk)}
    assert known[NOT_NAUSEA.id].draft.support == 0.125
    assert lessons._decided(desk).records[0].draft.support == 0.125


def test_that_older_statements_were_left_out_is_said(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(desk, NOT_NAUSEA.id, Reason.NO_RELATION)
    judge(desk, RELIEVES.id, Reason.WRONG_TERM)
    assert not lessons.project_lessons(desk).cut
    monkeypatch.setattr(lessons, "MOST_JUDGED", 1)
    judge(desk, RELIEVES.id)
    assert lessons.project_lessons(desk).cut


def test_what_was_corrected_is_called_so(desk: Desk) -> None:
    record = desk.store.statements.get(RELIEVES.id)
    after = replace(RELIEVES, object=NAUSEA)
    correct(desk, RELIEVES.id, record.version, after, curator=ANNA, approve=True)
    behind = lessons.behind_lesson(desk, f"term {HEADACHE.id}")
    assert [line.partition(":")[0] for line in behind] == ["corrected"]


def test_how_many_more_decisions_the_next_text_waits_for(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lessons, "STEP", 3)
    judge(desk, NOT_NAUSEA.id, Reason.NO_RELATION)
    assert lessons.project_lessons(desk).left == 2
    judge(desk, RELIEVES.id, Reason.WRONG_TERM)
    judge(desk, RELIEVES.id)
    assert lessons.project_lessons(desk).left == 0
    assert lessons.refresh_lessons(desk)
    assert lessons.project_lessons(desk).left == 0
