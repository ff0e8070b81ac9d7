"""One GET operation of an OpenAPI 3 (or Swagger 2) document as an API description."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from core.errors import InputError
from core.model import Json


def operations(given: Mapping[str, Json]) -> dict[str, str]:
    """GET operations by id (or path): their summaries."""
    found = {}
    for path, methods in (given.get("paths") or {}).items():
        one = methods.get("get") if isinstance(methods, Mapping) else None
        if isinstance(one, Mapping):
            found[str(one.get("operationId") or path)] = str(one.get("summary") or one.get("description") or path)[:200]
    return found


def description(given: Mapping[str, Json], operation: str = "") -> dict[str, Any]:
    """The description of one operation. Raises InputError that lists them when none is chosen."""
    known = operations(given)
    chosen = operation or (next(iter(known)) if len(known) == 1 else "")
    if chosen not in known:
        listed = ", ".join(list(known)[:20]) or "none"
        raise InputError("Say which operation of the OpenAPI document is meant.", f"It has: {listed}.")
    path: str
    one: dict[str, Any]
    path, one = next(
        (str(path), dict(methods["get"]))
        for path, methods in given["paths"].items()
        if isinstance(methods, Mapping) and "get" in methods and (methods["get"].get("operationId") or path) == chosen
    )
    each_of = [*(given["paths"][path].get("parameters") or []), *(one.get("parameters") or [])]
    parameters = [resolved(given, each) for each in each_of]
    used = [each for each in parameters if each.get("in") in ("path", "query")]
    info = given.get("info") or {}
    return {
        "name": name_of(str(info.get("title") or "api"), chosen),
        "title": str(info.get("title") or chosen)[:100],
        "summary": known[chosen],
        "base": base_of(given),
        "documentation": "\n".join(
            filter(None, [str(info.get("description") or ""), str(one.get("description") or "")])
        ),
        "parameters": {rename(str(each["name"])): parameter(each) for each in used},
        "request": {
            "path": re.sub(r"\{([^}]+)\}", lambda found: "{" + rename(found[1]) + "}", path),
            "query": {
                str(each["name"]): "{" + rename(str(each["name"])) + "}" for each in used if each["in"] == "query"
            },
        },
    }


def resolved(given: Mapping[str, Json], value: Mapping[str, Json]) -> dict[str, Json]:
    """A parameter with its `$ref` followed inside the document."""
    for _ in range(5):
        reference = value.get("$ref")
        if not isinstance(reference, str):
            return dict(value)
        if not reference.startswith("#/"):
            raise InputError("The OpenAPI document points outside itself.", "Give one that is whole.")
        found: Json = given
        for part in reference[2:].split("/"):
            found = found.get(part.replace("~1", "/").replace("~0", "~"), {}) if isinstance(found, Mapping) else {}
        value = found
    raise InputError("The OpenAPI document's references go in a circle.")


def parameter(given: Mapping[str, Json]) -> dict[str, Json]:
    said = given.get("schema")
    schema: Mapping[str, Json] = said if isinstance(said, Mapping) else given
    kind = schema.get("type", "string")
    found: dict[str, Json] = {
        "type": kind if kind in ("string", "integer", "number", "boolean") else "string",
        "description": str(given.get("description") or "")[:500],
        "required": bool(given.get("required")) or given.get("in") == "path",
    }
    if isinstance(schema.get("enum"), list) and found["type"] == "string":
        found["enum"] = [str(one) for one in schema["enum"]]
    for name in ("minimum", "maximum", "default"):
        if schema.get(name) is not None:
            found[name] = schema[name]
    if isinstance(schema.get("pattern"), str) and "enum" not in found and found["type"] == "string":
        found["pattern"] = schema["pattern"]
    return found


def base_of(given: Mapping[str, Json]) -> str:
    servers = given.get("servers")
    if isinstance(servers, list) and servers and isinstance(servers[0], Mapping):
        return str(servers[0].get("url", ""))
    if given.get("host"):
        return f"https://{given['host']}{given.get('basePath') or ''}"
    raise InputError("The OpenAPI document names no server.", "Add servers: [{url: https://…}].")


def name_of(title: str, operation: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", f"{title}-{operation}".lower()).strip("-")
    return (words if words[:1].isalpha() else "api-" + words)[:30].rstrip("-")


def rename(name: str) -> str:
    """A parameter's name as a Python name."""
    found = re.sub(r"\W", "_", name)
    if hasattr(BaseModel, found) or found.startswith("model_"):
        found = "_" + found
    return found if found[:1].isalpha() else "p" + found
