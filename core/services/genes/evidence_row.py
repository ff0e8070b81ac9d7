"""The evidence of an answer as a person reads it: what each record says, in words, beside the field
that says it.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.genes.answer import AnswerValue
from core.services.shared.screen import web_link

LINKED = "/linksets/"  # where the entries of NCBI's links stand in an answer


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
    """`NCBI links OMIM:100014 (MADE UP DISEASE 14) to NCBIGene:14` of an entry of a link set; else
    the text of the field.
    """
    if not value.field.startswith(LINKED):
        return value.raw[:400]
    far_end, near_end = value.object, value.subject
    other = far_end if far_end.id != value.record else near_end
    named = f"{other.id} ({other.label})" if other.id and other.label != other.id else other.label
    return f"NCBI links {named or 'what was asked about'} to {value.record}"[:400]


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
