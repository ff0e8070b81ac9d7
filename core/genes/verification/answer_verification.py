"""Whether a model's last words stand in the records: each value is bound to the field that answers
the question, or is marked unsupported, and it is said where it stands instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.genes.answer import AnswerStatus, AnswerValue, Asking, GeneAnswer, Step, Thing
from core.genes.kinds.coding import verdict
from core.genes.kinds.location import chromosome
from core.genes.kinds.registry import KINDS
from core.genes.kinds.sequence import SCIENTIFIC
from core.genes.kinds.symbol import ALL_NAMES
from core.genes.question.question import GeneQuestion, QuestionKind
from core.genes.question.understand import understand
from core.llm.tool_text import json_objects
from core.model import Json

CUT = ("cut", "length")  # how a reply that is not whole ends
SENTENCE = 20  # characters: a shorter part of a summary says nothing of what a gene does
PLACES = (QuestionKind.GENE_LOCATION, QuestionKind.SNP_LOCATION)
NOTHING = re.compile(r"(i do not know|not found|unknown|none|null|n/?a)\.?", re.I)
LABEL = re.compile(r"\banswer\s*:\s*", re.I)
_SPLIT = re.compile(r"\s*[,;]\s+|\s+and\s+|\n+")
_SHOWN = 80  # characters of a value in a note


def values_in_records(asking: Asking) -> list[AnswerValue] | None:
    """Every value that the records at hand give as an answer, newest first; None for a question
    that no rule knows.
    """
    spec = KINDS.get(asking.question.kind)
    return None if spec is None else list(spec.rule(asking))


@dataclass(frozen=True, slots=True)
class Final:
    """A model's last words as read: values, the status it claims, and the records and fields it
    names.
    """

    values: tuple[str, ...]
    status: str = ""
    cited: tuple[tuple[str, str], ...] = ()


def asked_in(text: str) -> GeneQuestion:
    """The question. Its kind only serves to check the answer: what rules do not understand is the
    model's to do.
    """
    gene_question = understand(text)
    return (
        gene_question
        if gene_question.subject
        else replace(gene_question, kind=QuestionKind.UNKNOWN)
    )


def cut_off(asking: Asking) -> GeneAnswer:
    """What broke off is no answer, even if its last word happens to stand in a record."""
    asking.note(
        "The model's answer was cut off before its end, so it is none. Ask again, or allow longer"
        " answers."
    )
    return asking.answer(AnswerStatus.FAILED)


def values_of(text: str, kind: str) -> list[str]:
    """The values of plain last words: what follows `Answer:`, split where the kind has lists."""
    body = LABEL.split(text)[-1].strip().strip("`*\"'").rstrip()
    spec = KINDS.get(kind)
    if (spec and spec.whole_text) or (len(body) > 400 and not (spec and spec.listed)):
        return [body] if body else []
    return [one.strip(" .\"'`") for one in _SPLIT.split(body) if one.strip(" .\"'`")]


def in_prose(text: str) -> bool:
    """Whether last words name no values: neither JSON nor `Answer:` nor that nothing was found."""
    return (
        json_answer(text) is None and not LABEL.search(text) and not NOTHING.fullmatch(text.strip())
    )


def json_answer(text: str) -> Final | None:
    """A final answer written as JSON ({answer, evidence, status}); None when there is none."""
    given = next((one for one in json_objects(text) if "answer" in one), None)
    if given is None:
        return None
    answer = given["answer"]
    values = [_said(one) for one in (answer if isinstance(answer, list) else [answer])]
    named = given.get("evidence")
    cited = [one for one in named if isinstance(one, dict)] if isinstance(named, list) else []
    return Final(
        tuple(value for value in values if value),
        str(given.get("status", "")),
        tuple((str(one.get("record", "")), str(one.get("field", ""))) for one in cited),
    )


def _said(value: Json) -> str:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return "" if value is None else str(value).strip()


def verify_conclusion(asking: Asking, text: str) -> GeneAnswer:
    """The answer that a model's last words make, with every value checked against the records of
    this question.
    """
    kind = asking.question.kind
    final = json_answer(text) or Final(tuple(values_of(text, kind)))
    if (
        final.status.casefold() == "not found"
        or not final.values
        or NOTHING.fullmatch(final.values[0])
    ):
        return asking.not_found("The model found no answer.")
    _note_cited(asking, final)
    values = (
        [chromosome(value.split()[-1]) for value in final.values]
        if kind in PLACES
        else list(final.values)
    )
    values = list(dict.fromkeys(values))
    answer_values = values_in_records(asking)
    found = [(value, _bound(asking, value, answer_values, final.cited)) for value in values]
    proven = tuple(one for _, one in found if one is not None)
    missing = [value for value, one in found if one is None]
    shown: str | list[str] = values[0] if len(values) == 1 else values
    if missing:
        _note_missing(asking, missing)
        return asking.answer(AnswerStatus.UNSUPPORTED, shown, proven)
    if chosen := [one.value for one in proven if one.relation == "unconfirmed"]:
        asking.note(
            f"The model chose {', '.join(chosen[:10])[:400]}; no record ties that to what was"
            " asked."
        )
    rivals = _rivals(asking, values, answer_values or [])
    if rivals:
        asking.note(f"The records fit {', '.join(rivals)} equally well.")
    return asking.answer(AnswerStatus.AMBIGUOUS if rivals else AnswerStatus.ANSWERED, shown, proven)


def _bound(
    asking: Asking,
    value: str,
    answer_values: Sequence[AnswerValue] | None,
    cited: Sequence[tuple[str, str]],
) -> AnswerValue | None:
    """The field that gives `value`, one in a record that the model named first. A record of an API
    agent has no field of a known meaning: what stands there is unconfirmed.
    """
    if answer_values is None:
        return field_holding(value, asking.steps, cited)
    fits = [one for one in answer_values if record_says(asking, value, one)]
    fits.sort(key=lambda one: one.record not in {record for record, _ in cited})
    if fits:
        return fits[0]
    agents = [
        step
        for step in asking.steps
        if step.records and all(record.db == "api" for record in step.records)
    ]
    answer_value = field_holding(value, agents, cited)
    return replace(answer_value, relation="unconfirmed") if answer_value else None


def record_says(asking: Asking, value: str, found: AnswerValue) -> bool:
    """Whether `value` is, in the words of this kind of question, what the record says."""
    kind, given, there = asking.question.kind, value.casefold().rstrip("."), found.value.casefold()
    if kind == QuestionKind.CODING:
        return given == verdict(asking.question.text, found.value).casefold()
    if kind == QuestionKind.SPECIES_ALIGNMENT:
        return given in (there, SCIENTIFIC.get(found.value, there))
    if kind == QuestionKind.SNP_FUNCTION:
        part, whole = " ".join(given.split()), " ".join(there.split())
        return part == whole.rstrip(".") or (len(part) >= SENTENCE and part in whole)
    return value.casefold() == there


def field_holding(
    value: str, steps: Sequence[Step], cited: Sequence[tuple[str, str]] = ()
) -> AnswerValue | None:
    """A field of any record that holds `value` exactly, whole or as a member of a list: one that
    the model named before the newest.
    """
    wanted = {value.casefold(), value.casefold().removeprefix("chr")}
    places = [
        (record, name, step)
        for step in reversed(steps)
        for record in step.records
        for name, there in record.values.items()
        if name in record.pointers and _holds(there, wanted)
    ]
    places.sort(
        key=lambda one: (
            (one[0].id, one[1]) not in cited,
            one[0].id not in {record for record, _ in cited},
        )
    )
    for record, name, step in places[:1]:
        raw = record.raw.get(name) or record.text(name)
        subject = Thing(str(record.get("symbol") or record.id), record.id)
        return AnswerValue(
            value, record.id, record.pointers[name], raw, step.call, subject, Thing(value)
        )
    return None


def _holds(there: Json, wanted: set[str]) -> bool:
    parts = there if isinstance(there, list) else [there]
    return any(str(part).casefold() in wanted for part in parts)


def _rivals(
    asking: Asking, values: Sequence[str], answer_values: Sequence[AnswerValue]
) -> list[str]:
    """What the records give as well where one value was asked for."""
    spec = KINDS.get(asking.question.kind)
    if not (spec and spec.one_value) or len(values) != 1 or ALL_NAMES.search(asking.question.text):
        return []
    known = list(dict.fromkeys(answer_value.value for answer_value in answer_values))
    return known if len(known) > 1 else []


def _note_missing(asking: Asking, missing: Sequence[str]) -> None:
    """Where unsupported values stand instead, if anywhere."""
    nowhere = []
    for value in missing[:10]:
        if found := field_holding(value, asking.steps):
            field = found.field.rpartition("/")[2]
            asking.note(
                f"{value[:_SHOWN]} stands in {found.record} ({field}), but not as the answer to"
                " this question."
            )
        else:
            nowhere.append(value[:_SHOWN])
    if nowhere:
        asking.note("In no record of this run: " + ", ".join(nowhere) + ".")


def _note_cited(asking: Asking, final: Final) -> None:
    """Records that the model names as evidence and that no call of this run returned."""
    known = {record.id for step in asking.steps for record in step.records}
    known |= {one.partition(":")[2] for one in known}
    if unknown := [record[:40] for record, _ in final.cited if record and record not in known]:
        asking.note(f"The model names records that no call returned: {', '.join(unknown[:5])}.")
