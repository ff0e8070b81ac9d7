"""JSON answers as records with evidence: each field's text and the JSON pointer where it really
stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import BadAnswer, InputError
from core.model import Json
from core.web import Fetched


@dataclass(frozen=True, slots=True)
class ApiRecord:
    """A record of an answer: its id, fields as text, and the JSON pointer (or line) of each."""

    id: str
    fields: Mapping[str, str]
    pointers: Mapping[str, str]


def json_body(answer: Fetched, title: str) -> Json:
    """The answer as JSON. Raises BadAnswer."""
    if answer.cut:
        raise BadAnswer(
            f"{title} sent more than is read, so its answer was cut off.", "Ask for fewer records."
        )
    try:
        return json.loads(answer.text, strict=False)
    except (ValueError, RecursionError) as error:
        sent_instead = (
            "a web page" if answer.text.lstrip()[:1] == "<" else "something that is not JSON"
        )
        raise BadAnswer(
            f"{title} sent {sent_instead}.", "Try again later, or look at its documentation."
        ) from error


def list_items(answer: Fetched, pointer: str, title: str, words: bool = False) -> list[Json]:
    """The list of records (or, where that is meant, of words) at a pointer of the answer (empty:
    the answer itself); null is an empty list. Raises BadAnswer when something else stands there.
    """
    body = json_body(answer, title)
    place, items = resolve_pointer(body, pointer)
    if place is None or not (items is None or isinstance(items, list)):
        raise _another_shape(title, f"a list{f' at {pointer}' if pointer else ''}", body)
    if items and not words and not any(isinstance(item, Mapping) for item in items):
        raise _another_shape(title, "records", body)
    return items or []


def single_record(answer: Fetched, title: str, needed: str = "") -> Mapping[str, Json]:
    """The answer as one record, with the field that such a record always has. Raises BadAnswer when
    it is something else.
    """
    body = json_body(answer, title)
    if not isinstance(body, Mapping) or (needed and needed not in body):
        raise _another_shape(title, f"a record{f' with {needed}' if needed else ''}", body)
    return body


def _another_shape(title: str, expected: str, body: Json) -> BadAnswer:
    excerpt = " ".join(json.dumps(body, ensure_ascii=False).split())[:120]
    return BadAnswer(
        f"{title} did not send {expected}, but: {excerpt}", "Its format may have changed."
    )


def list_hits(
    listed: Sequence[Json], at: str, fields: Mapping[str, str], id_field: str, *, prefix: str = ""
) -> tuple[ApiRecord, ...]:
    """A hit an item of the list at pointer `at`; `fields` maps names to JSON pointers within an
    item.
    """
    return tuple(
        record_hit(item, f"{at}/{number}", fields, id_field, prefix=prefix)
        for number, item in enumerate(listed)
        if isinstance(item, Mapping)
    )


def record_hit(
    item: Mapping[str, Json], at: str, fields: Mapping[str, str], id_field: str, *, prefix: str = ""
) -> ApiRecord:
    """One record, which stands at pointer `at` of the answer. One without an id is called by its
    place: no CURIE is made up.
    """
    values, pointers = {}, {}
    for name, pointer in fields.items():
        place, value = resolve_pointer(item, pointer)
        if place is not None and (text := plain_value(value)):
            values[name], pointers[name] = text, at + place
    identity = values.get(id_field) or plain_value(
        resolve_pointer(item, "/" + id_field)[1] if id_field else None
    )
    if prefix and identity and not identity.startswith(prefix + ":"):
        identity = f"{prefix}:{identity}"
    return ApiRecord(identity or at or "/", values, pointers)


def resolve_pointer(value: Json, pointer: str) -> tuple[str | None, Json]:
    """Where a JSON pointer leads, and the value there; (None, None) where it leads nowhere. In a
    list a name is looked up in the first member that has it, and the place says which that was.
    """
    place = ""
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and not name.isdigit():
            number = next(
                (n for n, item in enumerate(value) if isinstance(item, Mapping) and name in item),
                None,
            )
            if number is None:
                return None, None
            place, value = f"{place}/{number}", value[number]
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None, None
        place += "/" + part
    return place, value


def is_pointer_absent(value: Json, pointer: str) -> bool:
    """Whether a name of the pointer is nowhere in the value. What is null or an empty list on the
    way there lacks nothing: the service has the field and says nothing in it.
    """
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            if name.isdigit():
                value = value[int(name)] if int(name) < len(value) else None
                continue
            holding = [item for item in value if isinstance(item, Mapping) and name in item]
            if value and not holding:
                return True
            value = holding[0][name] if holding else None
        elif isinstance(value, Mapping):
            if name not in value:
                return True
            value = value[name]
        else:
            return value is not None
    return False


def plain_value(value: Json) -> str:
    """A value as text, as JSON writes it: lists with commas, objects as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(plain_value(item) for item in value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else str(value)


def safe_path_part(text: str) -> str:
    """A value as a part of a path: nothing that could end it."""
    if not re.fullmatch(r"[\w.:@+-]{1,100}", text) or set(text) == {"."}:
        raise InputError(f"{text[:40]!r} is not allowed in an address.")
    return text
