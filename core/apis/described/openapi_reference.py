"""Parts of an OpenAPI document by reference, inside the document only."""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import InputError
from core.model import Json


def follow_reference(spec: Mapping[str, Json], value: Json) -> dict[str, Json]:
    """A part with its `$ref` followed inside the document."""
    for _ in range(10):
        if not isinstance(value, Mapping):
            return {}
        reference = value.get("$ref")
        if not isinstance(reference, str):
            return dict(value)
        if not reference.startswith("#/"):
            raise InputError(
                f"The document points outside itself ({reference[:60]}), and nothing outside is"
                " fetched.",
                "Paste the document with that part inside (“bundled” or “dereferenced”).",
            )
        target: Json = spec
        for part in reference[2:].split("/"):
            target = (
                target.get(part.replace("~1", "/").replace("~0", "~"))
                if isinstance(target, Mapping)
                else None
            )
        if target is None:
            raise InputError(
                f"The document points to {reference[:60]}, which is not in it.", "Paste it whole."
            )
        value = target
    raise InputError(
        "The document's references go in a circle.", "Check it where it was published."
    )


def schema_of(spec: Mapping[str, Json], value: Json) -> dict[str, Json]:
    """A schema in its plainest form: references followed, `allOf` joined, the first kind of `anyOf`
    taken.
    """
    schema = follow_reference(spec, value)
    for _ in range(5):
        for part in schema.pop("allOf", None) or []:
            part = follow_reference(spec, part)
            joined = {**(part.get("properties") or {}), **(schema.get("properties") or {})}
            schema = {**part, **schema, **({"properties": joined} if joined else {})}
        kinds = [
            follow_reference(spec, alternative)
            for alternative in [
                *(schema.pop("anyOf", None) or []),
                *(schema.pop("oneOf", None) or []),
            ]
        ]
        if kinds:
            schema = {**next((kind for kind in kinds if kind.get("type") != "null"), {}), **schema}
    if isinstance(schema.get("type"), list):
        schema["type"] = next(
            (type_name for type_name in schema["type"] if type_name != "null"), "string"
        )
    return schema
