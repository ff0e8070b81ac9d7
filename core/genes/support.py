"""Whether an answer's words stand in a record: each value is bound to a field, or is marked unsupported."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from core.genes.answer import Answer, Asking, Found, Status, Step, Thing, bound
from core.genes.coding import inferred_type
from core.genes.place import chromosome
from core.genes.question import Kind
from core.genes.symbol import match, thing
from core.model import Json

_SPLIT = re.compile(r"\s*[,;]\s+|\s+and\s+|\n+")


def values_of(text: str, kind: Kind) -> list[str]:
    """The values of a model's final words: what follows `Answer:`, split where the kind has lists."""
    body = re.split(r"\banswer\s*:\s*", text, flags=re.I)[-1].strip().strip("`*\"'").rstrip()
    if kind in (Kind.SNP_FUNCTION, Kind.HUMAN_ALIGNMENT) or len(body) > 400:
        return [body] if body else []
    return [one.strip(" .\"'`") for one in _SPLIT.split(body) if one.strip(" .\"'`")]


def json_answer(text: str) -> tuple[list[str], str] | None:
    """Values and status of a final answer written as JSON ({answer, evidence, status}); None when it is not JSON."""
    found = re.search(r"\{.*\}", text, re.S)
    try:
        given: Json = json.loads(found[0]) if found else None
    except ValueError:
        return None
    if not isinstance(given, dict) or "answer" not in given:
        return None
    answer = given["answer"]
    values = answer if isinstance(answer, list) else [answer]
    return [str(one).strip() for one in values if str(one).strip()], str(given.get("status", ""))


def find(value: str, steps: Sequence[Step]) -> Found | None:
    """The first field of a recorded record that holds `value` exactly: whole, or as a member of a list."""
    wanted = {value.casefold(), value.casefold().removeprefix("chr")}
    for step in reversed(steps):
        for record in step.records:
            for name, held in record.values.items():
                if name in record.pointers and _holds(held, wanted):
                    raw = record.raw.get(name) or record.text(name)
                    ends = Thing(str(record.get("symbol") or record.id), record.id)
                    return Found(value, record.id, record.pointers[name], raw, step.call, ends, Thing(value))
    return None


def find_derived(value: str, asking: Asking) -> Found | None:
    """A value that records say in other words: yes or no of a gene's type, coordinates of a GRCh38 hit."""
    kind, records = asking.question.kind, [(one, step.call) for step in asking.steps for one in step.records]
    if kind is Kind.CODING and (said := value.lower().rstrip(".")) in ("yes", "no"):
        for record, call in records:
            if record.db == "gene" and match(record, asking.question.subject) is not None:
                name, field = (str(record.get("type")), "type") if record.get("type") else inferred_type(record)
                if name and (name == "protein-coding") == (said == "yes"):
                    ends = {
                        "subject": thing(record),
                        "object": Thing(name),
                        "relation": "" if field == "type" else "inferred",
                    }
                    return bound(record, field, value, call, **ends)
    if kind is Kind.HUMAN_ALIGNMENT:
        for record, call in records:
            if record.get("kind") == "GRCh38 chromosome" and record.get("subject"):
                low, high = sorted(record.get("subject"))
                if value == f"{chromosome(str(record.get('chromosome')))}:{low}-{high}":
                    return bound(record, "subject", value, call, object=Thing(str(record.get("location"))))
    return None


def _holds(held: Json, wanted: set[str]) -> bool:
    parts = held if isinstance(held, list) else [held]
    return any(str(one).casefold() in wanted for one in parts)


def conclude(asking: Asking, text: str) -> Answer:
    """The answer that a model's last words make, with every value checked against the records of this question."""
    kind = asking.question.kind
    values, said = json_answer(text) or (values_of(text, kind), "")
    if (
        said == "not found"
        or not values
        or re.fullmatch(r"(i do not know|not found|unknown|none|n/?a)\.?", values[0], re.I)
    ):
        return asking.not_found("The model found no answer.")
    if kind in (Kind.GENE_LOCATION, Kind.SNP_LOCATION):
        values = [chromosome(one.split()[-1]) for one in values]
    found = [(value, find(value, asking.steps) or find_derived(value, asking)) for value in values]
    proven = tuple(one for _, one in found if one is not None)
    missing = [value for value, one in found if one is None]
    shown: str | list[str] = values[0] if len(values) == 1 else values
    if not missing:
        return asking.answer(Status.ANSWERED, shown, proven)
    asking.note("In no record of this run: " + ", ".join(one[:80] for one in missing[:10]) + ".")
    return asking.answer(Status.UNSUPPORTED, shown, proven)


CUT = ("cut", "length")  # how a reply that is not whole ends


def cut_off(asking: Asking) -> Answer:
    """What broke off is no answer, even if its last word happens to stand in a record."""
    asking.note("The model's answer was cut off before its end, so it is none. Ask again, or allow longer answers.")
    return asking.answer(Status.FAILED)
