"""Whether an answer's words stand in a record: each value is bound to a field, or is marked unsupported."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from core.genes.answer import Answer, Asking, Found, Status, Step, Thing
from core.genes.place import chromosome
from core.genes.question import Kind
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
    found = [(value, find(value, asking.steps)) for value in values]
    bound = tuple(one for _, one in found if one is not None)
    missing = [value for value, one in found if one is None]
    shown: str | list[str] = values[0] if len(values) == 1 else values
    if not missing:
        return asking.answer(Status.ANSWERED, shown, bound)
    asking.note("In no record of this run: " + ", ".join(one[:80] for one in missing[:10]) + ".")
    if kind is Kind.CODING and values[0].lower().rstrip(".") in ("yes", "no"):
        asking.note("Yes and no are the model's reading of the records above.")
    return asking.answer(Status.UNSUPPORTED, shown, bound)
