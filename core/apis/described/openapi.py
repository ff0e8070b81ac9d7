"""One GET operation of an OpenAPI 3 (or Swagger 2) document as a description. Nothing the document
points to is fetched: a reference outside it is a mistake where it is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from core.apis.described.answer import answer
from core.apis.described.parameter import ParameterText, why_unusable
from core.apis.described.reference import resolved, schema_of
from core.apis.described.security import token
from core.apis.json_records import plain_value
from core.errors import InputError
from core.model import Json, Problem, Severity

MAX_OPERATIONS = 500
KINDS = ("string", "integer", "number", "boolean")


def is_openapi(given: Mapping[str, Json]) -> bool:
    return "openapi" in given or "swagger" in given


def operations(given: Mapping[str, Json]) -> dict[str, str]:
    """GET operations by id (or path): their paths and summaries."""
    found = {}
    for path, _, one in _gets(given):
        said = " ".join(str(one.get("summary") or one.get("description") or "").split())[:120]
        found[str(one.get("operationId") or path)] = f"{path}  {said}".strip()
        if len(found) == MAX_OPERATIONS:
            break
    return found


def _gets(
    given: Mapping[str, Json],
) -> Iterator[tuple[str, Mapping[str, Json], Mapping[str, Json]]]:
    """Path, what is said for all its methods, and its GET."""
    paths = given.get("paths")
    for path, item in paths.items() if isinstance(paths, Mapping) else ():
        one = item.get("get") if isinstance(item, Mapping) else None
        if isinstance(one, Mapping):
            yield str(path), item, one


def describe(
    given: Mapping[str, Json], operation: str = ""
) -> tuple[dict[str, Any], list[Problem]]:
    """The description of one operation, and what of it was left out. Raises InputError that lists
    the operations when none is chosen, and for what a description cannot say.
    """
    known = operations(given)
    chosen = operation or (next(iter(known)) if len(known) == 1 else "")
    if chosen not in known:
        said = (
            f"There is no operation {operation[:60]}."
            if operation
            else "Say which operation is meant."
        )
        listed = (
            ", ".join(list(known)[:20])
            or "none that is a GET; others are not made, for they may change something"
        )
        raise InputError(said, f"The document has: {listed}.")
    path, item, one = next(
        get for get in _gets(given) if str(get[2].get("operationId") or get[0]) == chosen
    )
    try:
        return _described(given, path, item, one, chosen)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise InputError(
            "The OpenAPI document is not built as one.", "Check it where it was published."
        ) from error


def _described(
    given: Mapping[str, Json],
    path: str,
    item: Mapping[str, Json],
    one: Mapping[str, Json],
    chosen: str,
) -> tuple[dict[str, Any], list[Problem]]:
    notes: list[Problem] = []
    used = list(_used(given, item, one, notes))
    names = {(each["in"], each["name"]): rename(str(each["name"])) for each in used}
    made = {names[each["in"], each["name"]]: parameter(given, each, notes) for each in used}
    query = {
        str(each["name"]): "{" + names["query", each["name"]] + "}"
        for each in used
        if each["in"] == "query"
    }
    repeat = [str(each["name"]) for each in used if each["in"] == "query" and _repeats(given, each)]
    said_of_all = given.get("info")
    info = said_of_all if isinstance(said_of_all, Mapping) else {}
    title = " ".join(str(info.get("title") or chosen).split())[:100]
    said = [info.get("description"), one.get("summary"), one.get("description")]
    return {
        "name": name_of(title, chosen),
        "title": title,
        "summary": " ".join(str(one.get("summary") or one.get("description") or title).split())[
            :200
        ],
        "base": base_of(given, item, one),
        "documentation": _paragraphs(said),
        **token(given, one, title, notes),
        "parameters": made,
        "request": {
            "path": re.sub(
                r"\{([^}]+)\}",
                lambda found: "{" + names.get(("path", found[1]), found[1]) + "}",
                path,
            ),
            **({"query": query} if query else {}),
            **({"repeat": repeat} if repeat else {}),
        },
        "answer": answer(given, one, notes),
        **_example(given, used, names, str(one.get("summary") or chosen)),
    }, notes


def _example(
    given: Mapping[str, Json],
    used: Sequence[Mapping[str, Json]],
    names: Mapping[Any, str],
    question: str,
) -> dict[str, Any]:
    """The document's own example values as an example, where there is one of all that is needed."""
    found: dict[str, Json] = {}
    for each in used:
        several = each.get("examples")
        first = next(iter(several.values()), None) if isinstance(several, Mapping) else None
        known = (
            each.get("example"),
            _schema(given, each).get("example"),
            resolved(given, first).get("value"),
        )
        value = next(
            (one for one in known if isinstance(one, str | int | float | bool | list)), None
        )
        if value is not None:
            found[names[each["in"], each["name"]]] = value
        elif each.get("required") or each["in"] == "path":
            return {}
    return (
        {"examples": [{"question": " ".join(question.split())[:200], "parameters": found}]}
        if found
        else {}
    )


def _paragraphs(said: Sequence[Json]) -> str:
    lines = [line.rstrip() for text in said if text for line in str(text).splitlines()]
    return "\n".join(dict.fromkeys(filter(None, lines)))[:50_000]


def note(said: str, hint: str = "") -> Problem:
    return Problem("api-openapi", said, Severity.WARNING, "", hint)


def _used(
    given: Mapping[str, Json],
    item: Mapping[str, Json],
    one: Mapping[str, Json],
    notes: list[Problem],
) -> Iterator[dict[str, Json]]:
    """The parameters of path and query; an operation's own go before those of its path."""
    own: dict[tuple[str, str], dict[str, Json]] = {}
    for written in [*(item.get("parameters") or []), *(one.get("parameters") or [])]:
        each = resolved(given, written)
        own[str(each["in"]), str(each["name"])] = each
    for (where, name), each in own.items():
        if where in ("path", "query"):
            yield each
        elif where == "body" or (
            each.get("required") and name.lower() not in ("accept", "authorization")
        ):
            raise InputError(
                f"{name} is sent as a {where}, which is not done here.", "Choose another operation."
            )
        elif name.lower() not in ("accept", "authorization"):
            notes.append(note(f"{name[:40]} ({where}) is left out: only path and query are sent."))


def _schema(given: Mapping[str, Json], each: Mapping[str, Json]) -> dict[str, Json]:
    return (
        schema_of(given, each["schema"]) if isinstance(each.get("schema"), Mapping) else dict(each)
    )


def _repeats(given: Mapping[str, Json], each: Mapping[str, Json]) -> bool:
    """Whether a list is sent as `a=1&a=2` (OpenAPI 3: unless said otherwise) and not as `a=1,2`."""
    if _schema(given, each).get("type") != "array":
        return False
    if "swagger" in given:
        return each.get("collectionFormat") == "multi"
    return bool(each.get("explode", each.get("style", "form") == "form"))


def parameter(
    given: Mapping[str, Json], each: Mapping[str, Json], notes: list[Problem]
) -> dict[str, Json]:
    """One parameter of a description; a limit that cannot be used is left out and said."""
    schema = _schema(given, each)
    kind = schema.get("type")
    inner = schema_of(given, schema.get("items")) if kind == "array" else schema
    said = " ".join(str(each.get("description") or schema.get("description") or "").split())[:500]
    found: dict[str, Any] = {
        "type": "list" if kind == "array" else kind if kind in KINDS else "string",
        **({"description": said} if said else {}),
        **({"required": True} if each.get("required") or each.get("in") == "path" else {}),
    }
    if isinstance(inner.get("enum"), list):
        found["enum"] = [plain_value(one) for one in inner["enum"] if one is not None][:300]
    for name in ("minimum", "maximum", "default"):
        if schema.get(name) is not None:
            found[name] = schema[name]
    if (
        isinstance(inner.get("pattern"), str)
        and found["type"] in ("string", "list")
        and "enum" not in found
    ):
        found["pattern"] = inner["pattern"]
    for name in ("pattern", "default", "minimum", "maximum", "enum"):
        if name in found and (wrong := why_unusable(rename(str(each["name"])), _as_text(found))):
            del found[name]
            notes.append(note(f"{each['name']}: its {name} is left out. {wrong}"))
    return found


def _as_text(found: Mapping[str, Any]) -> ParameterText:
    try:
        return ParameterText.model_validate(found)
    except ValueError:
        return ParameterText.model_validate(
            {"pattern": "("}
        )  # unusable: the caller takes parts out until what is left fits


def base_of(given: Mapping[str, Json], *nearer: Mapping[str, Json]) -> str:
    """The first server over https, of the operation, its path or the document; `{variables}` at
    their default.
    """
    if given.get("host"):
        return f"https://{given['host']}{given.get('basePath') or ''}".rstrip("/")
    lists = (one.get("servers") for one in (*reversed(nearer), given))
    servers: Sequence[Mapping[str, Any]] = next(
        (one for one in lists if isinstance(one, list) and one), []
    )
    if not servers:
        raise InputError(
            "The document names no server.", "Add a line servers: [{url: https://…}] to it."
        )
    found = [_server(server) for server in servers]
    if all(url.startswith("/") or "://" not in url for url in found):
        raise InputError(
            f"The document names its server only as {found[0][:60]!r}, without a host.",
            "Write the whole address under servers, as in https://host" + found[0][:60],
        )
    return next((url for url in found if url.startswith("https://")), found[0]).rstrip("/")


def _server(one: Mapping[str, Any]) -> str:
    known = one.get("variables") or {}
    return re.sub(
        r"\{([^}]+)\}",
        lambda found: str((known.get(found[1]) or {}).get("default", found[0])),
        str(one.get("url", "")),
    )


def name_of(title: str, operation: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", f"{title}-{operation}".lower()).strip("-")
    if len(words) > 31:
        words = re.sub(r"[^a-z0-9]+", "-", operation.lower()).strip("-")
    return (words if words[:1].isalpha() else "api-" + words)[:31].rstrip("-").ljust(2, "1")


def rename(name: str) -> str:
    """A parameter's name as a Python name."""
    found = re.sub(r"[^A-Za-z0-9_]", "_", name)[:36]
    if hasattr(BaseModel, found) or found.startswith("model_") or not found[:1].isalpha():
        found = "p_" + found.lstrip("_")
    return found
