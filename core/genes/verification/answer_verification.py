"""Whether a model's last words stand in the records: each value is bound to the field that answers
the question, or is marked unsupported, and it is said where it stands instead.

What a model's searches found and nobody read: a list made of a part is no whole list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.genes.answer import AnswerStatus, AnswerStep, AnswerValue, GeneAnswer, StatementEnd
from core.genes.kinds.coding import verdict
from core.genes.kinds.kind import Topic
from core.genes.kinds.location import chromosome_name
from core.genes.kinds.registry import KINDS
from core.genes.kinds.sequence import SCIENTIFIC
from core.genes.kinds.symbol import ALL_NAMES
from core.genes.question.question import GeneQuestion, QuestionKind
from core.genes.question.understand import understand_question
from core.genes.session import NcbiSession
from core.llm.completer import Reply
from core.llm.tool_text import json_objects
from core.llm.unfinished import unfinished_problem
from core.model import Json


def unread_searches(session: NcbiSession) -> list[str]:
    """`20 of 85 records read that the search "…" of omim finds`, of each search whose results were
    looked at and which has more than the model asked for; nothing where one value is the answer.
    """
    kind = KINDS.get(session.question.kind)
    if kind is None or not kind.listed:
        return []
    searches: dict[tuple[str, str], list[AnswerStep]] = {}
    for step in session.steps:
        if step.tool == "esearch" and step.ids:
            key = (str(step.arguments.get("db")), str(step.arguments.get("term")))
            searches.setdefault(key, []).append(step)
    looked_at = _looked_at(session)
    unread = []
    for (database, term), pages in searches.items():
        read = {id for page in pages for id in page.ids}
        count = max(page.count for page in pages)
        if count > len(read) and any((database, id) in looked_at for id in read):
            unread.append(f"{len(read)} of {count} results read of the search {term[:80]!r}")
    return unread


def _looked_at(session: NcbiSession) -> set[tuple[str, str]]:
    """Database and id of the records that summaries, whole records and links were asked for."""
    return {
        (str(step.arguments.get("dbfrom") or step.arguments.get("db")), id)
        for step in session.steps
        if step.tool in ("esummary", "efetch", "elink")
        for id in str(step.arguments.get("id", "")).split(",")
    }


SENTENCE = 20  # characters: a shorter part of a summary says nothing of what a gene does
PLACES = (QuestionKind.GENE_LOCATION, QuestionKind.SNP_LOCATION)
NOTHING = re.compile(r"(i do not know|not found|unknown|none|null|n/?a)\.?", re.I)
LABEL = re.compile(r"\banswer\s*:\s*", re.I)
_SPLIT = re.compile(r"\s*[,;]\s+|\s+and\s+|\n+")
_SHOWN = 80  # characters of a value in a note


def values_in_records(session: NcbiSession) -> list[AnswerValue] | None:
    """Every value that the records at hand give as an answer, newest first; None for a question
    that no rule knows.
    """
    spec = KINDS.get(session.question.kind)
    return None if spec is None else list(spec.rule(session))


@dataclass(frozen=True, slots=True)
class FinalAnswer:
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
    gene_question = understand_question(text)
    return (
        gene_question
        if gene_question.subject
        else replace(gene_question, kind=QuestionKind.UNKNOWN)
    )


def cut_off(session: NcbiSession, reply: Reply) -> GeneAnswer:
    """What broke off is no answer, even if its last word happens to stand in a record."""
    if problem := unfinished_problem(reply):
        session.note(f"{problem.message} It does not count as an answer. {problem.hint}")
    return session.answer(AnswerStatus.FAILED)


def values_of(text: str, kind: str) -> list[str]:
    """The values of plain last words: what follows `Answer:`, split where the kind has lists."""
    body = LABEL.split(text)[-1].strip().strip("`*\"'").rstrip()
    spec = KINDS.get(kind)
    if (spec and spec.whole_text) or (len(body) > 400 and not (spec and spec.listed)):
        return [body] if body else []
    return [value.strip(" .\"'`") for value in _SPLIT.split(body) if value.strip(" .\"'`")]


def in_prose(text: str) -> bool:
    """Whether last words name no values: neither JSON nor `Answer:` nor that nothing was found."""
    return (
        json_answer(text) is None and not LABEL.search(text) and not NOTHING.fullmatch(text.strip())
    )


def json_answer(text: str) -> FinalAnswer | None:
    """A final answer written as JSON ({answer, evidence, status}); None when there is none."""
    final_json = next(
        (json_object for json_object in json_objects(text) if "answer" in json_object), None
    )
    if final_json is None:
        return None
    answer = final_json["answer"]
    values = [_value_text(value) for value in (answer if isinstance(answer, list) else [answer])]
    evidence = final_json.get("evidence")
    cited = (
        [reference for reference in evidence if isinstance(reference, dict)]
        if isinstance(evidence, list)
        else []
    )
    return FinalAnswer(
        tuple(value for value in values if value),
        str(final_json.get("status", "")),
        tuple(
            (str(reference.get("record", "")), str(reference.get("field", "")))
            for reference in cited
        ),
    )


def _value_text(value: Json) -> str:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return "" if value is None else str(value).strip()


def verify_conclusion(session: NcbiSession, text: str) -> GeneAnswer:
    """The answer that a model's last words make, with every value checked against the records of
    this question.
    """
    kind = session.question.kind
    final = json_answer(text) or FinalAnswer(tuple(values_of(text, kind)))
    if (
        final.status.casefold() == "not found"
        or not final.values
        or NOTHING.fullmatch(final.values[0])
    ):
        return session.not_found("The model found no answer.")
    _note_cited(session, final)
    values = (
        [chromosome_name(value.split()[-1]) for value in final.values]
        if kind in PLACES
        else list(final.values)
    )
    values = list(dict.fromkeys(values))
    answer_values = values_in_records(session)
    bindings = [(value, _bound(session, value, answer_values, final.cited)) for value in values]
    proven = tuple(answer_value for _, answer_value in bindings if answer_value is not None)
    missing = [value for value, answer_value in bindings if answer_value is None]
    shown_values: str | list[str] = values[0] if len(values) == 1 else values
    for unread in unread_searches(session):
        session.lack(unread)
    if missing:
        _note_missing(session, missing)
        return session.answer(AnswerStatus.UNSUPPORTED, shown_values, proven)
    if chosen := [
        answer_value.value for answer_value in proven if answer_value.relation == "unconfirmed"
    ]:
        session.note(
            f"The model chose {', '.join(chosen[:10])[:400]}; no record connects that to what was "
            "asked."
        )
        spec = KINDS.get(kind)
        if spec is not None and spec.topic is Topic.DISEASE and len(chosen) == len(values):
            # a gene of OMIM's first entries is not a gene of the disease because a model says so
            return session.answer(AnswerStatus.UNSUPPORTED, shown_values, proven)
    rivals = _rivals(session, values, answer_values or [])
    if rivals:
        session.note(f"The records fit {', '.join(rivals)} equally well.")
    return session.answer(
        AnswerStatus.AMBIGUOUS if rivals else AnswerStatus.ANSWERED, shown_values, proven
    )


def _bound(
    session: NcbiSession,
    value: str,
    answer_values: Sequence[AnswerValue] | None,
    cited: Sequence[tuple[str, str]],
) -> AnswerValue | None:
    """The field that gives `value`, one in a record that the model named first. A record of an API
    agent has no field of a known meaning: what stands there is unconfirmed.
    """
    if answer_values is None:
        return field_holding(value, session.steps, cited)
    fits = [
        answer_value for answer_value in answer_values if record_says(session, value, answer_value)
    ]
    fits.sort(key=lambda answer_value: answer_value.record not in {record for record, _ in cited})
    if fits:
        return fits[0]
    agents = [step for step in session.steps if all(record.db == "api" for record in step.records)]
    answer_value = field_holding(value, agents, cited)
    return replace(answer_value, relation="unconfirmed") if answer_value else None


def record_says(session: NcbiSession, value: str, recorded: AnswerValue) -> bool:
    """Whether `value` is, in the words of this kind of question, what the record says."""
    kind, claimed_text, recorded_text = (
        session.question.kind,
        value.casefold().rstrip("."),
        recorded.value.casefold(),
    )
    if kind == QuestionKind.CODING:
        return claimed_text == verdict(session.question.text, recorded.value).casefold()
    if kind == QuestionKind.SPECIES_ALIGNMENT:
        return claimed_text in (recorded_text, SCIENTIFIC.get(recorded.value, recorded_text))
    if kind == QuestionKind.SNP_FUNCTION:
        part, summary_text = " ".join(claimed_text.split()), " ".join(recorded_text.split())
        return part == summary_text.rstrip(".") or (len(part) >= SENTENCE and part in summary_text)
    return value.casefold() == recorded_text


def field_holding(
    value: str, steps: Sequence[AnswerStep], cited: Sequence[tuple[str, str]] = ()
) -> AnswerValue | None:
    """A field of any record that holds `value` exactly, whole or as a member of a list: one that
    the model named before the newest.
    """
    spellings = {value.casefold(), value.casefold().removeprefix("chr")}
    places = [
        (record, name, step)
        for step in reversed(steps)
        for record in step.records
        for name, field_value in record.values.items()
        if name in record.pointers and _has_spelling(field_value, spellings)
    ]
    places.sort(
        key=lambda place: (
            (place[0].id, place[1]) not in cited,
            place[0].id not in {record for record, _ in cited},
        )
    )
    for record, name, step in places[:1]:
        raw = record.raw.get(name) or record.text(name)
        subject = StatementEnd(str(record.get("symbol") or record.id), record.id)
        return AnswerValue(
            value,
            record.id,
            record.pointers[name],
            raw=raw,
            call=step.call,
            subject=subject,
            object=StatementEnd(value),
        )
    return None


def _has_spelling(field_value: Json, spellings: set[str]) -> bool:
    parts = field_value if isinstance(field_value, list) else [field_value]
    return any(str(part).casefold() in spellings for part in parts)


def _rivals(
    session: NcbiSession, values: Sequence[str], answer_values: Sequence[AnswerValue]
) -> list[str]:
    """What the records give as well where one value was asked for."""
    spec = KINDS.get(session.question.kind)
    if not (spec and spec.one_value) or len(values) != 1 or ALL_NAMES.search(session.question.text):
        return []
    recorded_values = list(dict.fromkeys(answer_value.value for answer_value in answer_values))
    return recorded_values if len(recorded_values) > 1 else []


def _note_missing(session: NcbiSession, missing: Sequence[str]) -> None:
    """Where unsupported values stand instead, if anywhere."""
    nowhere = []
    for value in missing[:10]:
        if held_elsewhere := field_holding(value, session.steps):
            field = held_elsewhere.field.rpartition("/")[2]
            session.note(
                f"{value[:_SHOWN]} is in {held_elsewhere.record} ({field}), but not as the"
                " answer to this question."
            )
        else:
            nowhere.append(value[:_SHOWN])
    if nowhere:
        session.note("In no record of this run: " + ", ".join(nowhere) + ".")


def _note_cited(session: NcbiSession, final: FinalAnswer) -> None:
    """Records that the model names as evidence and that no call of this run returned."""
    known_ids = {record.id for step in session.steps for record in step.records}
    known_ids |= {record_id.partition(":")[2] for record_id in known_ids}
    if unknown := [record[:40] for record, _ in final.cited if record and record not in known_ids]:
        session.note(f"The model names records that no call returned: {', '.join(unknown[:5])}.")
