"""An answer as JSON and as Markdown: what the command line prints and the page lets people
download.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.codec import to_json
from core.genes.answer import WEAK, AnswerStatus, AnswerStep, AnswerValue, GeneAnswer, RecordProof
from core.model import Json


def answer_row(answer: GeneAnswer, run: str, way: str) -> Json:
    """The stable keys of `ask` (docs/command-line.md), then more."""
    return {
        "question": answer.question,
        "answer": answer.text,
        "status": str(answer.status),
        "unconfirmed": answer.unconfirmed,
        "evidence": evidence_rows(answer),
        "calls": answer.calls,
        "run": run,
        "kind": str(answer.kind),
        "way": way,
        "notes": list(answer.notes),
        "missing": list(answer.missing),
        "complete": is_complete(answer),
        "supported": support_of(answer)["verdict"] == "supports",
        "support": support_of(answer),
        "nearest": list(answer.nearest),
    }


def is_complete(answer: GeneAnswer) -> bool:
    """Whether the question was answered with nothing missing."""
    return answer.status is AnswerStatus.ANSWERED and not answer.missing


def support_of(answer: GeneAnswer) -> Json:
    """Whether the records say the answer: a field that ties each value to the question does; one
    that no record states outright, or that was not confirmed, leaves it open.
    """
    if not answer.values:
        return _verdict("silent", 0.05, "no record says it")
    if answer.unconfirmed or any(value.relation in WEAK for value in answer.values):
        return _verdict("unclear", 0.5, "no field of a record states it outright")
    return _verdict("supports", 0.95, "the record says it in the field quoted")


def _verdict(verdict: str, probability: float, reason: str) -> Json:
    return {
        "verdict": verdict,
        "probability": probability,
        "reasons": [reason],
        "judges": ["record"],
    }


def evidence_rows(answer: GeneAnswer) -> list[Json]:
    """The field that ties each value to the question (`role` tie), then what proves only that the
    things exist (`role` end); one that no field of a record states outright says so.
    """
    rows: dict[tuple[str, str, str, str], Json] = {}
    for value in answer.values:
        own = RecordProof(value.call, value.record, value.field, value.raw)
        fields = [(own, "tie"), *((tie, "tie") for tie in value.ties)]
        fields += [(end, "end") for end in value.proofs]
        for field, role in fields:
            row = {"record": field.record, "field": field.field, "value": field.raw}
            row |= {"call": field.call, "answer": value.value, "role": role}
            row |= {"about": value.subject.label} if value.subject.label else {}
            if value.relation in WEAK:
                row["standing"] = value.relation
            rows.setdefault((value.value, field.record, field.field, field.raw), row)
    return list(rows.values())


def _standing(answer_value: AnswerValue) -> str:
    return f" ({answer_value.relation})" if answer_value.relation in WEAK else ""


def full_answer(answer: GeneAnswer, run: str, way: str) -> Json:
    """Everything, with the steps."""
    return answer_row(answer, run, way) | {"steps": [step_json(step) for step in answer.steps]}


def step_json(step: AnswerStep) -> Json:
    return to_json(step)


def answer_line(answer: GeneAnswer) -> str:
    """The answer as one line of text."""
    if isinstance(answer.text, list):
        return ", ".join(answer.text)
    return str(answer.text)


def answer_report(answer: GeneAnswer, run: str, way: str) -> str:
    """A report for people: the answer, what it rests on, and each call."""
    status = f"{answer.status}, unconfirmed" if answer.unconfirmed else answer.status
    lines = [
        f"# {escape_markdown(answer.question)}",
        "",
        f"**{escape_markdown(answer_line(answer)) or '—'}** ({status})",
        "",
    ]
    if answer.values:
        lines += [
            "## Evidence",
            "",
            "| value | about | record | field | in the record |",
            "|---|---|---|---|---|",
        ]
        lines += [
            f"| {_cell(value.value)}{_standing(value)} | {_cell(value.subject.label)} |"
            f" {_cell(value.record)} | {_cell(value.field)} | {_cell(value.raw)} |"
            for value in answer.values
        ]
        lines.append("")
    if answer.missing:
        lines += ["## Missing", "", *(f"- {escape_markdown(gap)}" for gap in answer.missing), ""]
    if answer.nearest:
        lines += [
            "## What could be asked",
            "",
            *(f"- {escape_markdown(question)}" for question in answer.nearest),
            "",
        ]
    if answer.notes:
        lines += ["## Notes", "", *(f"- {escape_markdown(note)}" for note in answer.notes), ""]
    lines += [
        "## Calls",
        "",
        "| # | origin | call | why | status | records | answer |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [_call(number, step) for number, step in enumerate(answer.steps, 1)]
    lines += ["", f"Run {run}, answered by: {way}. {answer_totals(answer.steps)}.", ""]
    return "\n".join(lines)


def _call(number: int, step: AnswerStep) -> str:
    """One call as a line of the table: what was asked and why, what came of it, what of it is the
    answer.
    """
    arguments = step.arguments.items() if isinstance(step.arguments, dict) else ()
    call_text = f"{step.tool}: " + ", ".join(f"{name} {value}" for name, value in arguments)
    why = f"{step.part} {step.why}".strip()
    status = "; ".join(
        (
            step.error or step.status,
            *step.warnings,
            *(["the answer was cut short"] if step.cut else []),
        )
    )
    used = ", ".join(f"{record} {field}" for record, field in step.used)
    records = len(step.records) or len(step.ids)
    return (
        f"| {number} | {step.origin} | {_cell(call_text)} | {_cell(why)} | {_cell(status)} |"
        f" {records} | {_cell(used)} |"
    )


def answer_totals(steps: Sequence[AnswerStep]) -> str:
    """Calls, seconds and bytes of an answer; what an earlier answer served took no time."""
    fresh_steps = [step for step in steps if not step.reused]
    again = len(steps) - len(fresh_steps)
    seconds, waited = sum(step.seconds for step in fresh_steps), sum(step.waited for step in steps)
    parts = ["1 call" if len(steps) == 1 else f"{len(steps)} calls"]
    parts += [f"{again} answered from the record"] if again else []
    parts += [f"{seconds:.1f} s"] if fresh_steps else []
    parts += [f"{waited:.0f} s of waiting"] if waited >= 0.5 else []
    return " · ".join((*parts, spoken_bytes(sum(step.size for step in steps))))


def spoken_bytes(size: int) -> str:
    """Bytes as people read them: `976 bytes`, `5.3 kB`, `5.0 MB`."""
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1000:.1f} kB" if size < 1_000_000 else f"{size / 1e6:,.1f} MB"


def escape_markdown(text: str) -> str:
    """Markdown signs escaped, one line: the words come from outside."""
    return "".join(f"\\{c}" if c in r"\`*_[]<>|#!$~" else c for c in " ".join(text.split()))


def _cell(text: str) -> str:
    short = " ".join(text.split())
    return escape_markdown(short[:160] + (" …" if len(short) > 160 else ""))
