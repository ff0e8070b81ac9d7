"""Where the records of an answer stand, read from the answer's schema in an OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core.apis.described.openapi_reference import follow_reference, schema_of
from core.model import Json, Problem, Severity

MAX_FIELDS = 15
IDS = ("id", "_id", "identifier", "accession", "curie")
VALUES = ("name", "label", "symbol", "title", "display_name", "value", "term")
LISTS = ("results", "data", "items", "hits", "docs", "records", "list", "response")


def answer(
    spec: Mapping[str, Json], operation: Mapping[str, Json], notes: list[Problem]
) -> dict[str, Any]:
    """The description's `answer`: pointer to the records, their fields, which is the id and which
    answers.
    """
    schema = schema_of(spec, _good(spec, operation))
    pointer, item = _records(spec, schema)
    fields = {
        name: "/" + name.replace("~", "~0").replace("/", "~1")
        for name, kind in (item.get("properties") or {}).items()
        if schema_of(spec, kind).get("type") not in ("object", "array")
        and re.fullmatch(r"\S{1,60}", name)
    }
    fields = dict(list(fields.items())[:MAX_FIELDS])
    if not fields:
        message = (
            "The document does not say what an answer holds, so the fields of its first record are"
            " read."
        )
        notes.append(
            Problem(
                "api-openapi",
                message,
                Severity.WARNING,
                hint="Fill in answer: by hand, with a sample answer.",
            )
        )
        return {"records": pointer}
    identity = next(
        (name for name in IDS if name in fields),
        next((n for n in fields if n.lower().endswith("id")), ""),
    )
    value = next(
        (name for name in VALUES if name in fields),
        next((n for n in fields if n != identity), identity),
    )
    return {
        "records": pointer,
        **({"id": identity} if identity else {}),
        "fields": fields,
        "value": value,
    }


def _good(spec: Mapping[str, Json], operation: Mapping[str, Json]) -> Json:
    """The schema of the answer when all is well."""
    answers = operation.get("responses") or {}
    response = follow_reference(
        spec,
        next((answers[code] for code in ("200", 200, "2XX", "default") if code in answers), {}),
    )
    content = response.get("content")
    if not isinstance(content, Mapping):
        return response.get("schema") or {}
    kind = next((name for name in content if "json" in name), "")
    return (content.get(kind) or {}).get("schema") or {}


def _records(
    spec: Mapping[str, Json], schema: Mapping[str, Json], deep: int = 2
) -> tuple[str, dict[str, Json]]:
    """Pointer to a list of records and the schema of one; the answer itself where it holds no
    list.
    """
    if schema.get("type") == "array" or "items" in schema:
        return "", schema_of(spec, schema.get("items"))
    inside = {
        name: schema_of(spec, kind) for name, kind in (schema.get("properties") or {}).items()
    }
    lists = {
        n: s
        for n, s in inside.items()
        if s.get("type") == "array" and "properties" in schema_of(spec, s.get("items"))
    }
    plain_fields = [n for n, s in inside.items() if s.get("type") not in ("array", "object")]
    name = next(
        (list_name for list_name in LISTS if list_name in lists),
        next(iter(lists), "") if len(lists) == 1 and len(plain_fields) < 4 else "",
    )
    if name:
        return f"/{name}", schema_of(spec, lists[name].get("items"))
    nested = next(
        (list_name for list_name in LISTS if inside.get(list_name, {}).get("type") == "object"), ""
    )
    if nested and deep:
        pointer, item = _records(spec, inside[nested], deep - 1)
        return f"/{nested}{pointer}", item
    return "", dict(schema)
