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
from core.desk_parts import HasFolder, HasProject, HasStore
from core.errors import InputError
from core.genes.answer import AnswerStep as AnswerStep  # the page shows steps as they are
from core.genes.error_class import ERROR_DESCRIPTIONS, ErrorClass
from core.genes.export import spoken_bytes as spoken_bytes  # bytes in words
from core.genes.kinds.kind import Topic
from core.genes.kinds.registry import KINDS
from core.genes.question.question import QuestionKind
from core.genes.question.understand import understand_question
from core.genes.strategies import PLANNER
from core.model import Call, Json, Span
from core.services.genes.api_catalogue import find_api
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


def stored_call_of_step(desk: HasProject, step: AnswerStep, run: str = "") -> StepDetail | None:
    """The stored call of a step, also of one that failed (looked up by its place in `run`); None
    where nothing was sent.
    """
    if step.call:
        call = desk.store.calls.get(step.call)
    elif calls := [
        run_call
        for run_call in (desk.store.calls.of_run(run) if run else [])
        if run_call.path == step.path
    ]:
        call = calls[-1]
    else:
        return None
    answer = call.answer if isinstance(call.answer, dict) else {}
    first_call = desk.store.calls.get(call.reused) if call.reused else call
    body = str(answer.get("text", "")) or call.error
    return StepDetail(
        request_line(desk, call),
        body,
        str(call.state),
        first_call.started,
        reused=bool(call.reused),
        age=spoken_age(first_call.started, desk.clock()),
        status=int(answer.get("status") or 0),
        waited=float(answer.get("waited") or 0),
        why_waited=str(answer.get("why_waited") or ""),
        attempts=tuple(from_json(Attempt, attempt) for attempt in answer.get("attempts") or ()),
        used=_used(step, body),
    )


def _used(step: AnswerStep, body: str) -> tuple[tuple[str, Span], ...]:
    """The fields of the answer and where they are in the body."""
    places = []
    for record, pointer in step.used:
        holder = next(
            (step_record for step_record in step.records if step_record.id == record), None
        )
        name = (
            next((name for name, at in holder.pointers.items() if at == pointer), "")
            if holder
            else ""
        )
        words = (holder.raw.get(name) or holder.text(name)) if holder and name else ""
        if (place := pointer_span(body, pointer, words)) is not None:
            places.append((f"{record} {pointer}", place))
    return tuple(places)


def request_line(desk: HasProject, call: Call) -> str:
    """`GET address?…` as it went out; keys and e-mail were never stored, and stand as stars. A form
    follows.
    """
    request = call.request if isinstance(call.request, dict) else {}
    url, form_fields = str(request.get("url", "")), request.get("data") or []
    params = [(str(name), str(value)) for name, value in request.get("params") or []] + _added(
        desk, call, url
    )
    form = [
        (str(pair[0]), str(pair[1]))
        for pair in form_fields
        if isinstance(pair, list) and len(pair) == 2
    ]
    query, body = (urlencode(pairs, safe="*,[]:()") for pairs in (params, form))
    return f"{request.get('method', '')} {url}{'?' + query if query else ''}" + (
        f"\n\n{body}" if body else ""
    )


def _added(desk: HasProject, call: Call, url: str) -> list[tuple[str, str]]:
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
    identification = [
        ("tool", "groundwork"),
        ("email", settings.ncbi_email),
        ("api_key", settings.ncbi_api_key),
    ]
    return [
        (name, MASK if is_private_field(name) else str(value))
        for name, value in identification
        if value
    ]


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


def full_trace(desk: HasStore, question: AskedQuestion) -> str:
    """The answer with its steps and, under `record`, every stored call with its request and answer,
    as JSON.
    """
    record = [to_json(call) for call in desk.store.calls.of_run(question.run)]
    return json.dumps({**question.as_json, "record": record}, ensure_ascii=False, indent=2)


def what_leaves_machine(
    desk: HasFolder, text: str, *, way: str = PLANNER, api: str = "", model: str = ""
) -> str:
    """What will leave this machine when the question is asked, for people to read first; of a
    question that is not known yet (empty) in general.
    """
    where = "NCBI" if not desk.settings.own_ncbi else "the operator's own NCBI address"
    hosts = ", ".join(dict.fromkeys(find_api(desk, name).host for name in api.split(",") if name))
    needs_model = strategy_of(way).needs_model
    asked = asked_at(desk, "interpretation", model)
    if needs_model and not asked:
        return "No model is configured; nothing will be sent."
    if needs_model:
        others = f" and {hosts}" if hosts else ""
        return (
            f"The question will be sent to {asked}, with the records found; the words, ids or"
            f" sequence it looks up, to {where}{others}."
        )
    if hosts:
        if asked:
            return f"The question will be sent to {asked}; its query, to {hosts}."
        return f"What is asked will be sent to {hosts}."
    if not text.strip():
        return f"The names, ids or sequence that you ask about will be sent to {where}."
    try:
        question = understand_question(text)
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


def error_classes() -> dict[str, str]:
    """How an answer can go wrong (E1–E4, O), in words."""
    return {str(kind): words for kind, words in ERROR_DESCRIPTIONS.items()}


def judge_answer(desk: HasStore, run: str, error_class: str) -> None:
    """Keep how an answer went wrong, as a person sees it (E1–E4, O; empty: it did not)."""
    desk.store.runs.save_result(
        run, ErrorClass(error_class).value if error_class else "", "error class"
    )


def judgement_of_answer(desk: HasStore, run: str) -> str:
    return str(desk.store.runs.result(run, "error class") or "")


@dataclass(frozen=True, slots=True)
class AnswerJudgement:
    """How a person classed one answer: `answer` is what was judged."""

    run: str
    question: str
    way: str
    answer: Json
    error: ErrorClass


def all_judgements(desk: HasStore, limit: int = 5000) -> list[AnswerJudgement]:
    """All judgements of this project, newest question first."""
    answer_judgements = []
    for run in desk.store.runs.find("ask", limit=limit):
        if judgement := judgement_of_answer(desk, run.id):
            answer_json = desk.store.runs.result(run.id)
            text = answer_json.get("text", "") if isinstance(answer_json, dict) else ""
            question = str(run.settings.get("question", ""))
            answer_judgements.append(
                AnswerJudgement(
                    run.id, question, run.engine, answer=text, error=ErrorClass(judgement)
                )
            )
    return answer_judgements


def error_counts(desk: HasStore) -> dict[ErrorClass, int]:
    """Judged answers by class, every class named."""
    counted = Counter(judgement.error for judgement in all_judgements(desk))
    return {kind: counted[kind] for kind in ErrorClass}
