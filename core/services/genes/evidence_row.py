"""The evidence of an answer as a person reads it: what each record says, in words, beside the field
that says it.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.genes.answer import AnswerValue
from core.kb.record_words import record_words
from core.model import RecordGround
from core.services.shared.screen import web_link

MOST_CHARACTERS = 400  # of what a record says, in a row of the table


def evidence_rows(values: Sequence[AnswerValue]) -> list[dict[str, str]]:
    """A row for each value: value, what it is about, what the record says, record, link, field."""
    return [
        {
            "value": value.value,
            "about": value.subject.label[:80],
            "what the record says": what_record_says(value),
            "record": value.record,
            "source": web_link(value.record),
            "field": value.field,
        }
        for value in values
    ]


def what_record_says(value: AnswerValue) -> str:
    ground = RecordGround(value.call, value.record, value.field, value.raw)
    ends = ((end.id, end.label) for end in (value.subject, value.object))
    words = record_words(ground, *ends)
    return words if len(words) <= MOST_CHARACTERS else f"{words[:MOST_CHARACTERS]} …"


def held_lines(held: Sequence[tuple[str, str]], most_named: int = 8) -> list[str]:
    """`AAA1, AAA2 and 17 more: the answer is incomplete` of values held back for one reason."""
    by_reason: dict[str, list[str]] = {}
    for value, reason in held:
        by_reason.setdefault(reason, []).append(value[:80])
    lines = []
    for reason, values in by_reason.items():
        named, more = ", ".join(values[:most_named]), len(values) - most_named
        lines.append(f"{named}{f' and {more} more' if more > 0 else ''}: {reason}.")
    return lines
