"""Looking closer at an answer: what a step asked and got, what leaves the machine, how an answer went wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from core.desk import Desk
from core.errors import InputError
from core.genes.answer import Step
from core.genes.error_class import ErrorClass
from core.genes.question import Kind, understand
from core.model import Json


@dataclass(frozen=True, slots=True)
class Detail:
    """What one step's stored call holds: the exact request (without keys), the body, and where it came from."""

    request: str
    body: str
    state: str
    started: str
    reused_from: str = ""
    cut: bool = False


SHOWN_BODY = 20_000  # characters


def detail(desk: Desk, step: Step, run: str = "") -> Detail | None:
    """The stored call of a step, also of one that failed (looked up by its place in `run`); None where nothing was
    sent."""
    if step.call:
        call = desk.store.call(step.call)
    elif found := [one for one in (desk.store.calls(run) if run else []) if one.path == step.path]:
        call = found[-1]
    else:
        return None
    answer = call.answer if isinstance(call.answer, dict) else {}
    first = desk.store.call(call.reused) if call.reused else call
    body = str(answer.get("text", "")) or call.error
    return Detail(
        _request_line(call.request),
        body[:SHOWN_BODY],
        str(call.state),
        first.started,
        first.started if call.reused else "",
        len(body) > SHOWN_BODY,
    )


def _request_line(request: Json) -> str:
    """`GET address?…` as one line; keys and e-mail were never stored."""
    given = request if isinstance(request, dict) else {}
    pairs = [(str(name), str(value)) for name, value in given.get("params") or []]
    data = given.get("data") or []
    if isinstance(data, list):
        pairs += [(str(one[0]), str(one[1])) for one in data if isinstance(one, list) and len(one) == 2]
    query = urlencode(pairs, safe=",[]:()")
    return f"{given.get('method', '')} {given.get('url', '')}{'?' + query if query else ''}"


def leaves(desk: Desk, text: str, way: str = "planner") -> str:
    """What will leave this machine when the question is asked, for people to read first."""
    if way != "planner":
        host = urlsplit(desk.settings.openai_base_url).hostname or "api.openai.com"
        return f"The question will be sent to the model {desk.settings.model} at {host}; what it looks up, to NCBI."
    try:
        question = understand(text)
    except InputError:
        return ""
    where = "NCBI" if not desk.settings.own_ncbi else "the operator's own NCBI address"
    if question.kind in (Kind.HUMAN_ALIGNMENT, Kind.SPECIES_ALIGNMENT, Kind.SEQUENCE_ALIASES):
        return f"The sequence of {len(question.subject)} bases will be sent to {where} (BLAST)."
    if question.kind is Kind.UNKNOWN:
        return "The planner does not understand it; nothing will be sent."
    return f"The words “{question.subject[:80]}” will be sent to {where}."


def judge(desk: Desk, run: str, error_class: str) -> None:
    """Keep how an answer went wrong, as a person sees it (E1–E4, O; empty: it did not)."""
    desk.store.save_result(run, ErrorClass(error_class).value if error_class else "", "error class")


def judged(desk: Desk, run: str) -> str:
    return str(desk.store.result(run, "error class") or "")


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a person classed one answer: `answer` is what was judged."""

    run: str
    question: str
    way: str
    answer: Json
    error: ErrorClass


def judgements(desk: Desk, limit: int = 5000) -> list[Judgement]:
    """All judgements of this project, newest question first."""
    found = []
    for run in desk.store.runs("ask", limit=limit):
        if said := judged(desk, run.id):
            kept = desk.store.result(run.id)
            text = kept.get("text", "") if isinstance(kept, dict) else ""
            question = str(run.settings.get("question", ""))
            found.append(Judgement(run.id, question, run.engine, text, ErrorClass(said)))
    return found


def error_counts(desk: Desk) -> dict[str, int]:
    """Judged answers by class, every class named."""
    counted = Counter(one.error for one in judgements(desk))
    return {str(kind): counted[kind] for kind in ErrorClass}
