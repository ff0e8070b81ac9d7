"""Looking closer at an answer: what a step asked and got, what leaves the machine, how an answer
went wrong.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError
from core.genes.answer import Step as Step  # the page shows steps as they are
from core.genes.error_class import SAID, ErrorClass
from core.genes.export import spoken_bytes as spoken_bytes  # bytes in words
from core.genes.kinds.kind import Topic
from core.genes.kinds.registry import KINDS
from core.genes.question.question import QuestionKind
from core.genes.question.understand import understand
from core.model import Call, Json, Span
from core.services.genes.api_catalogue import find
from core.services.genes.questions import AskedQuestion
from core.services.genes.strategy import strategy_of
from core.services.settings.models import asked_at
from core.text.json_pointer import pointer_span
from core.web import MASK, Attempt, is_private_field


@dataclass(frozen=True, slots=True)
class StepDetail:
    """A stored call of one step: the request as it went out, keys and e-mail as stars; the body,
    and where in it the fields of the answer stand; when it was asked and what was waited for before
    it was sent (seconds).
    """

    request: str
    body: str
    state: str
    started: str
    reused: bool = False
    age: str = ""
    status: int = 0
    waited: float = 0.0
    why_waited: str = ""
    attempts: tuple[Attempt, ...] = ()  # tries that gave no usable answer, in order
    used: tuple[tuple[str, Span], ...] = ()


def detail(desk: Desk, step: Step, run: str = "") -> StepDetail | None:
    """The stored call of a step, also of one that failed (looked up by its place in `run`); None
    where nothing was sent.
    """
    if step.call:
        call = desk.store.calls.get(step.call)
    elif calls := [
        one for one in (desk.store.calls.of_run(run) if run else []) if one.path == step.path
    ]:
        call = calls[-1]
    else:
        return None
    answer = call.answer if isinstance(call.answer, dict) else {}
    first = desk.store.calls.get(call.reused) if call.reused else call
    body = str(answer.get("text", "")) or call.error
    return StepDetail(
        request_line(desk, call),
        body,
        str(call.state),
        first.started,
        reused=bool(call.reused),
        age=spoken_age(first.started, desk.clock()),
        status=int(answer.get("status") or 0),
        waited=float(answer.get("waited") or 0),
        why_waited=str(answer.get("why_waited") or ""),
        attempts=tuple(from_json(Attempt, attempt) for attempt in answer.get("attempts") or ()),
        used=_used(step, body),
    )


def _used(step: Step, body: str) -> tuple[tuple[str, Span], ...]:
    """The fields of the answer and where they stand in the body."""
    found = []
    for record, pointer in step.used:
        one = next((one for one in step.records if one.id == record), None)
        name = next((name for name, at in one.pointers.items() if at == pointer), "") if one else ""
        words = (one.raw.get(name) or one.text(name)) if one and name else ""
        if (place := pointer_span(body, pointer, words)) is not None:
            found.append((f"{record} {pointer}", place))
    return tuple(found)


def request_line(desk: Desk, call: Call) -> str:
    """`GET address?…` as it went out; keys and e-mail were never stored, and stand as stars. A form
    follows.
    """
    given = call.request if isinstance(call.request, dict) else {}
    url, data = str(given.get("url", "")), given.get("data") or []
    params = [(str(name), str(value)) for name, value in given.get("params") or []] + _added(
        desk, call, url
    )
    form = [(str(one[0]), str(one[1])) for one in data if isinstance(one, list) and len(one) == 2]
    query, body = (urlencode(pairs, safe="*,[]:()") for pairs in (params, form))
    return f"{given.get('method', '')} {url}{'?' + query if query else ''}" + (
        f"\n\n{body}" if body else ""
    )


def _added(desk: Desk, call: Call, url: str) -> list[tuple[str, str]]:
    """What NCBI is told besides: the name of the tool, and who asks. Datasets takes neither, and
    its key as a header; the shipped examples went nowhere.
    """
    settings = desk.settings
    if (
        call.kind != "ncbi"
        or "/datasets/" in url
        or desk.store.runs.get(call.run).settings.get("examples")
    ):
        return []
    told = [
        ("tool", "groundwork"),
        ("email", settings.ncbi_email),
        ("api_key", settings.ncbi_api_key),
    ]
    return [(name, MASK if is_private_field(name) else str(value)) for name, value in told if value]


def spoken_age(then: str, now: str) -> str:
    """How long ago a time was (ISO 8601): `3 minutes`, `5 days`; empty where one of them is no
    time.
    """
    try:
        seconds = (datetime.fromisoformat(now) - datetime.fromisoformat(then)).total_seconds()
    except (ValueError, TypeError):
        return ""
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if count := int(seconds // length):
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return "less than a minute"


def full_trace(desk: Desk, asked: AskedQuestion) -> str:
    """The answer with its steps and, under `record`, every stored call with its request and answer,
    as JSON.
    """
    record = [to_json(call) for call in desk.store.calls.of_run(asked.run)]
    return json.dumps({**asked.whole, "record": record}, ensure_ascii=False, indent=2)


def what_leaves_machine(desk: Desk, text: str, way: str = "planner", api: str = "") -> str:
    """What will leave this machine when the question is asked, for people to read first; of a
    question that is not known yet (empty) in general.
    """
    where = "NCBI" if not desk.settings.own_ncbi else "the operator's own NCBI address"
    hosts = ", ".join(dict.fromkeys(find(desk, name).host for name in api.split(",") if name))
    needs_model = strategy_of(way).needs_model
    if needs_model and not desk.settings.has_model:
        return "No model is configured; nothing will be sent."
    if needs_model:
        others = f" and {hosts}" if hosts else ""
        return (
            f"{_to_model(desk)}, with the records found; the words, ids or sequence it looks up, to"
            f" {where}{others}."
        )
    if hosts:
        told = f"{_to_model(desk)}; its query, to {hosts}." if desk.settings.has_model else ""
        return told or f"What is asked will be sent to {hosts}."
    if not text.strip():
        return f"The names, ids or sequence that you ask about will be sent to {where}."
    try:
        question = understand(text)
    except InputError as error:
        return str(error)
    if question.kind == QuestionKind.UNKNOWN:
        return f"The planner does not understand it; nothing will be sent. {question.why}".strip()
    if KINDS[question.kind].topic is Topic.SEQUENCE:
        letters = "amino acids" if set(question.subject) - set("ACGTUNRYSWKMBDHV") else "bases"
        return (
            f"The whole sequence of {len(question.subject):,} {letters} will be sent to {where}"
            " (BLAST)."
        )
    return f"“{question.subject[:80]}” will be sent to {where}."


def _to_model(desk: Desk) -> str:
    return f"The question will be sent to {asked_at(desk, 'interpretation')}"


def error_classes() -> dict[str, str]:
    """How an answer can go wrong (E1–E4, O), in words."""
    return {str(kind): words for kind, words in SAID.items()}


def judge(desk: Desk, run: str, error_class: str) -> None:
    """Keep how an answer went wrong, as a person sees it (E1–E4, O; empty: it did not)."""
    desk.store.runs.save_result(
        run, ErrorClass(error_class).value if error_class else "", "error class"
    )


def judged(desk: Desk, run: str) -> str:
    return str(desk.store.runs.result(run, "error class") or "")


@dataclass(frozen=True, slots=True)
class AnswerJudgement:
    """How a person classed one answer: `answer` is what was judged."""

    run: str
    question: str
    way: str
    answer: Json
    error: ErrorClass


def judgements(desk: Desk, limit: int = 5000) -> list[AnswerJudgement]:
    """All judgements of this project, newest question first."""
    found = []
    for run in desk.store.runs.find("ask", limit=limit):
        if said := judged(desk, run.id):
            kept = desk.store.runs.result(run.id)
            text = kept.get("text", "") if isinstance(kept, dict) else ""
            question = str(run.settings.get("question", ""))
            found.append(AnswerJudgement(run.id, question, run.engine, text, ErrorClass(said)))
    return found


def error_counts(desk: Desk) -> dict[ErrorClass, int]:
    """Judged answers by class, every class named."""
    counted = Counter(judgement.error for judgement in judgements(desk))
    return {kind: counted[kind] for kind in ErrorClass}
