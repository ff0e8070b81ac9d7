"""What the decisions of this project taught: kept where the built-in engine finds it, shown lesson
by lesson, each taken back or taken up again by a person.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol
from weakref import WeakKeyDictionary

from core.desk_parts import HasFolder, HasStore
from core.errors import NotFound
from core.kb.entry import claim_words
from core.learning.feature import shipped_score
from core.learning.lesson import (
    DecidedDraft,
    Lesson,
    draft_signs,
    learn_lessons,
    spared_by_correction,
    spared_by_reason,
)
from core.learning.order_model import lessons_help
from core.model import Json, Role, State, Statement, Term
from core.review.statement_state import fold_log
from core.services.extract.engines import engine_title
from core.services.learning.rule_record import (
    RIGHT,
    machine_evidence,
    proposed_by_engine,
    was_right,
)
from core.services.support.shown_support import best_support
from core.store import QueueFilter, StatementRecord
from core.whole_file import whole_file

MOST_JUDGED = 20_000  # decided statements that are learned from: those proposed last
TOGETHER = 1_000  # statements read at once
LESSONS = "draft_lessons.tsv"  # beside the project's schemas
LESSON_HEAD = (
    "# What this project's decisions taught, added to the log odds of each draft with the sign."
    " Made anew after decisions; “Engine quality” takes lessons back."
)
TAKEN_BACK = "lessons_taken_back"  # the project's property: sign → who took it back, and when
MADE = "lessons_made"  # the project's property: how many decisions the file was made from
STEP = 5  # decisions after which the next text is read with new lessons
SHARE = 50  # of very many decisions, one in so many
UNUSED = "no text is read with these: they would order the decided statements worse"
TELLING = 0.05  # the least shift of log odds that is listed


class HasLessons(HasStore, HasFolder, Protocol):
    """The decisions of a project, and the folder in which the engine finds what they teach."""


@dataclass(frozen=True, slots=True)
class DecidedRecord:
    """A statement that an engine proposed and somebody decided, as the lessons take it."""

    statement: Statement
    state: State
    draft: DecidedDraft
    time: str  # of the decision, ISO 8601

    @property
    def outcome(self) -> str:
        """What became of it, in a word: one that gave way to a newer vocabulary was right."""
        if self.state is State.SUPERSEDED:
            return str(State.APPROVED) if self.draft.right else "corrected"
        return str(self.state)


@dataclass(frozen=True, slots=True)
class ProjectLesson:
    """A lesson as it is shown. `kind` is rule, term, predicate or engine, `name` what it is called;
    `time` that of the newest decision behind it; `taken_back` who took it back, or empty.
    """

    lesson: Lesson
    kind: str
    name: str
    time: str
    taken_back: str = ""

    @property
    def sign(self) -> str:
        return self.lesson.sign

    @property
    def effect(self) -> str:
        """What follows from it, in words."""
        if self.taken_back:
            return "not counted"
        return "proposed more" if self.lesson.shift > 0 else "proposed less"


@dataclass(frozen=True, slots=True)
class ProjectLessons:
    """What decisions taught, the largest step first. `cut`: older statements were left out;
    `are_used`: the engine reads with such, as they order the decided statements no worse; `left`:
    further decisions until the next text is read with these.
    """

    lessons: tuple[ProjectLesson, ...]
    cut: bool
    are_used: bool
    left: int


class _Decided:
    """The decided statements of one moment, and what they teach, worked out once."""

    def __init__(self, moment: tuple[float, ...], records: Sequence[DecidedRecord], cut: bool):
        self.moment, self.records, self.cut = moment, records, cut
        self._help: dict[frozenset[str], bool] = {}

    @property
    def drafts(self) -> list[DecidedDraft]:
        return [one.draft for one in self.records]

    @cached_property
    def lessons(self) -> list[Lesson]:
        return learn_lessons(self.drafts)

    def help(self, away: Collection[str]) -> bool:
        """Whether its lessons without those that were taken back are worth reading with."""
        key = frozenset(away)
        if key not in self._help:
            self._help[key] = lessons_help(self.drafts, key)
        return self._help[key]


# Texts are read side by side, and tabs change lessons: one at a time checks and writes.
_WRITING = threading.RLock()
_DECIDED: WeakKeyDictionary[HasLessons, _Decided] = WeakKeyDictionary()


def _decided(desk: HasLessons) -> _Decided:
    """What was decided by now; read anew where something was since."""
    with _WRITING:
        moment = desk.store.rankings.decided_moment()
        known = _DECIDED.get(desk)
        if known is None or known.moment != moment:
            counts = [0]
            records = list(decided_records(desk, lambda _, total: counts.append(total)))
            known = _DECIDED[desk] = _Decided(moment, records, counts[-1] == MOST_JUDGED)
        return known


def decided_records(
    desk: HasStore, on_read: Callable[[int, int], None] | None = None
) -> Iterator[DecidedRecord]:
    """Decided statements of engines, those proposed last first. `on_read` is told how many were
    read, of how many.
    """
    ids = desk.store.queue.ids(QueueFilter(states=tuple(RIGHT)), newest=True, limit=MOST_JUDGED)
    for start in range(0, len(ids), TOGETHER):
        if on_read:
            on_read(start, len(ids))
        part = ids[start : start + TOGETHER]
        judged = desk.store.support.of_statements(part)
        records = [one for one in desk.store.statements.of_ids(part) if proposed_by_engine(one)]
        after = _replacements(desk, records)
        for record in records:
            evidence = machine_evidence(record)
            support = best_support(judged.get(record.id, {}), evidence)
            signs = draft_signs(record.statement, evidence)
            deciding = fold_log(record.evidence, record.decisions).deciding
            right, spared = was_right(record), frozenset[str]()
            if deciding and not right:
                fixed = after.get(deciding.replacement) if deciding.replacement else None
                spared = (
                    spared_by_correction(signs, record.statement, fixed)
                    if fixed
                    else spared_by_reason(signs, deciding.reason)
                )
            chance = support.probability if support else 0.5
            draft = DecidedDraft(signs, shipped_score(evidence), right, spared, support=chance)
            time = deciding.time if deciding else ""
            yield DecidedRecord(record.statement, record.state, draft, time)


def _replacements(desk: HasStore, records: Iterable[StatementRecord]) -> dict[str, Statement]:
    """The statements that corrections put in the place of these, by their ids."""
    ids = [
        decision.replacement
        for record in records
        if record.state is State.SUPERSEDED
        for decision in record.decisions
        if decision.replacement
    ]
    return {record.id: record.statement for record in desk.store.statements.of_ids(ids)}


def refresh_lessons(desk: HasLessons) -> bool:
    """Write the lessons anew for the next text; False where too little was decided since."""
    with _WRITING:
        decisions, _ = desk.store.rankings.moment()
        made = _made(desk)
        if abs(decisions - made) < _step(made):
            return False
        _write(desk, _decided(desk))
        desk.store.project.set(MADE, decisions)
        return True


def _made(desk: HasStore) -> int:
    made = desk.store.project.get(MADE, 0)
    return made if isinstance(made, int) else 0


def _step(made: int) -> int:
    return max(STEP, made // SHARE)


def _write(desk: HasLessons, decided: _Decided) -> None:
    away = taken_back(desk)
    write_lessons(desk, decided.lessons if decided.help(away) else [])


def write_lessons(desk: HasLessons, lessons: Sequence[Lesson]) -> None:
    """Keep lessons beside the project's schemas, where the built-in engine looks, without those
    that were taken back; none, no file.
    """
    path: Path = desk.folder / "schemas" / LESSONS
    away = taken_back(desk)
    kept = [lesson for lesson in lessons if lesson.sign not in away]
    if not kept:
        path.unlink(missing_ok=True)
        return
    rows = [LESSON_HEAD, "sign\tshift\tright\twrong"]
    rows += [
        f"{one.sign}\t{one.shift:.3f}\t{one.right}\t{one.wrong}"
        for one in sorted(kept, key=lambda one: (-abs(one.shift), one.sign))
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as stream:
        stream.write("\n".join(rows) + "\n")


def project_lessons(desk: HasLessons) -> ProjectLessons:
    """Every lesson that moves something, or was taken back: the largest step first."""
    decided = _decided(desk)
    away = taken_back(desk)
    names, times = _names(decided.records), dict[str, str]()
    for one in decided.records:
        for sign in set(one.draft.signs) - one.draft.spared:
            times[sign] = max(times.get(sign, ""), one.time)
    shown = (
        ProjectLesson(
            lesson,
            lesson.sign.partition(" ")[0],
            names.get(lesson.sign) or _plain_name(lesson.sign),
            times.get(lesson.sign, ""),
            str(away.get(lesson.sign, {}).get("curator", "")),
        )
        for lesson in decided.lessons
        if abs(lesson.shift) >= TELLING or lesson.sign in away
    )
    in_order = sorted(shown, key=lambda one: (-abs(one.lesson.shift), one.sign))
    used = decided.help(away)
    made, (decisions, _) = _made(desk), desk.store.rankings.moment()
    left = max(0, _step(made) - abs(decisions - made)) if decisions != made else 0
    return ProjectLessons(tuple(in_order), decided.cut, used, left)


def behind_lesson(desk: HasLessons, sign: str, most: int = 20) -> list[str]:
    """`approved: aspirin causes asthma`: what a lesson was learned from, the newest first."""
    behind = [
        one
        for one in _decided(desk).records
        if sign in one.draft.signs and sign not in one.draft.spared
    ]
    newest = sorted(behind, key=lambda one: one.time, reverse=True)[:most]
    return [f"{one.outcome}: {claim_words(one.statement)}" for one in newest]


def learned_since(lessons: Iterable[ProjectLesson], time: str) -> str:
    """`2 rules and 3 terms`, of lessons with a decision since a time (ISO 8601); "" for none."""
    counts: dict[str, int] = {}
    for shown in lessons:
        if shown.time >= time and not shown.taken_back:
            counts[shown.kind] = counts.get(shown.kind, 0) + 1
    words = [
        f"{counts[kind]} {kind}{'s' * (counts[kind] != 1)}"
        for kind in ("rule", "term", "predicate", "engine")
        if kind in counts
    ]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def taken_back(desk: HasStore) -> dict[str, dict[str, Json]]:
    """The signs whose lessons do not count: who took each back, and when."""
    stored = desk.store.project.get(TAKEN_BACK, {})
    return dict(stored) if isinstance(stored, dict) else {}


def take_back(desk: HasLessons, sign: str, curator: str) -> None:
    """Let a lesson count no more, now and when more is decided. Raises NotFound for none such."""
    desk.store.curators.need(curator, Role.CURATOR)
    with _WRITING:
        if sign not in {lesson.sign for lesson in _decided(desk).lessons}:
            raise NotFound(f"Nothing was learned of “{sign}”.", "`learn --lessons` lists what was.")
        _store(desk, taken_back(desk) | {sign: {"curator": curator, "time": desk.clock()}})


def take_up(desk: HasLessons, sign: str, curator: str) -> None:
    """Let a lesson that was taken back count again. Raises NotFound for one that was not."""
    desk.store.curators.need(curator, Role.CURATOR)
    with _WRITING:
        stored = taken_back(desk)
        if sign not in stored:
            raise NotFound(f"“{sign}” was not taken back.", "`learn --lessons` lists what was.")
        _store(desk, {known: who for known, who in stored.items() if known != sign})


def _store(desk: HasLessons, stored: dict[str, dict[str, Json]]) -> None:
    desk.store.project.set(TAKEN_BACK, stored)
    _write(desk, _decided(desk))


def _plain_name(sign: str) -> str:
    """What a rule, a predicate or an engine is called: an engine as it is called everywhere."""
    kind, _, name = sign.partition(" ")
    return engine_title(name) if kind == "engine" else name


def _names(decided: Iterable[DecidedRecord]) -> dict[str, str]:
    """What terms are called, by their signs."""
    return {
        f"term {thing.id}": f"{thing.label} ({thing.id})"
        for one in decided
        for thing in (one.statement.subject, one.statement.object)
        if isinstance(thing, Term) and thing.id
    }
