"""Parts of an OpenAPI document by reference, inside the document only."""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import InputError
from core.model import Json


def resolved(given: Mapping[str, Json], value: Json) -> dict[str, Json]:
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
        found: Json = given
        for part in reference[2:].split("/"):
            found = (
                found.get(part.replace("~1", "/").replace("~0", "~"))
                if isinstance(found, Mapping)
                else None
            )
        if found is None:
            raise InputError(
                f"The document points to {reference[:60]}, which is not in it.", "Paste it whole."
            )
        value = found
    raise InputError(
        "The document's references go in a circle.", "Check it where it was published."
    )


def schema_of(given: Mapping[str, Json], value: Json) -> dict[str, Json]:
    """A schema in its plainest form: references followed, `allOf` joined, the first kind of `anyOf`
    taken.
    """
    found = resolved(given, value)
    for _ in range(5):
        for part in found.pop("allOf", None) or []:
            part = resolved(given, part)
            joined = {**(part.get("properties") or {}), **(found.get("properties") or {})}
            found = {**part, **found, **({"properties": joined} if joined else {})}
        kinds = [
            resolved(given, one)
            for one in [*(found.pop("anyOf", None) or []), *(found.pop("oneOf", None) or [])]
        ]
        if kinds:
            found = {**next((kind for kind in kinds if kind.get("type") != "null"), {}), **found}
    if isinstance(found.get("type"), list):
        found["type"] = next((one for one in found["type"] if one != "null"), "string")
    return found
