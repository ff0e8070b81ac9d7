"""One GET operation of an OpenAPI 3 (or Swagger 2) document as a description. Nothing the document
points to is fetched: a reference outside it is a mistake where it is needed.

How an OpenAPI document wants its key: as a header, taken from the operator's GROUNDWORK_TOKEN_…
only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from core.apis.described.answer import answer
from core.apis.described.openapi_reference import follow_reference, schema_of
from core.apis.described.parameter import ParameterText, why_unusable
from core.apis.json_records import plain_value
from core.errors import InputError
from core.model import Json, Problem, Severity


def token_fields(
    spec: Mapping[str, Json], operation: Mapping[str, Json], title: str, notes: list[Problem]
) -> dict[str, Any]:
    """The description's token fields: none where the operation can be asked without a key. Raises
    InputError for a key that can only be sent another way.
    """
    requirements = operation.get("security", spec.get("security")) or []
    schemes = (
        (spec.get("components") or {}).get("securitySchemes")
        or spec.get("securityDefinitions")
        or {}
    )
    if not requirements or {} in requirements:
        return {}
    name = re.sub(r"[^A-Z0-9]+", "_", title.upper()).strip("_")[:30] or "API"
    for choice in requirements:
        requirement_schemes = [schemes.get(scheme) or {} for scheme in choice]
        if (
            len(requirement_schemes) == 1
            and (header := _header(requirement_schemes[0])) is not None
        ):
            message = (
                f"It needs a key, which only your administrator can set, as "
                f"GROUNDWORK_TOKEN_{name}."
            )
            notes.append(Problem("api-openapi", message, Severity.NOTE))
            return {"token": name, **header}
    ways = {
        _scheme_words(schemes.get(scheme) or {})
        for requirement in requirements
        for scheme in requirement
    }
    raise InputError(
        f"It needs a key as {', '.join(sorted(ways))}, which is not supported here.",
        "A key can only be sent in a header: check whether the API accepts that.",
    )


def _header(scheme: Mapping[str, Any]) -> dict[str, str] | None:
    """Which header carries the key, where one does."""
    kind, how = str(scheme.get("type")), str(scheme.get("scheme", "")).lower()
    if kind == "apiKey" and scheme.get("in") == "header":
        return {"token_header": str(scheme.get("name")), "token_prefix": ""}
    return (
        {} if kind in ("oauth2", "openIdConnect") or (kind == "http" and how == "bearer") else None
    )


def _scheme_words(scheme: Mapping[str, Any]) -> str:
    kind = str(scheme.get("type", "something unknown"))
    if kind == "apiKey":
        return f"a part of the {scheme.get('in')}"
    return "user name and password" if kind in ("http", "basic") else kind[:30]


MAX_OPERATIONS = 500
KINDS = ("string", "integer", "number", "boolean")


def is_openapi(spec: Mapping[str, Json]) -> bool:
    return "openapi" in spec or "swagger" in spec


def list_operations(spec: Mapping[str, Json]) -> dict[str, str]:
    """GET operations by id (or path): their paths and summaries."""
    summaries = {}
    for path, _, operation in _gets(spec):
        summary = " ".join(
            str(operation.get("summary") or operation.get("description") or "").split()
        )[:120]
        summaries[str(operation.get("operationId") or path)] = f"{path}  {summary}".strip()
        if len(summaries) == MAX_OPERATIONS:
            break
    return summaries


def _gets(
    spec: Mapping[str, Json],
) -> Iterator[tuple[str, Mapping[str, Json], Mapping[str, Json]]]:
    """Path, what is said for all its methods, and its GET."""
    paths = spec.get("paths")
    for path, item in paths.items() if isinstance(paths, Mapping) else ():
        get_operation = item.get("get") if isinstance(item, Mapping) else None
        if isinstance(get_operation, Mapping):
            yield str(path), item, get_operation


def describe_operation(
    spec: Mapping[str, Json], operation: str = ""
) -> tuple[dict[str, Any], list[Problem]]:
    """The description of one operation, and what of it was left out. Raises InputError that lists
    the operations when none is chosen, and for what a description cannot say.
    """
    summaries = list_operations(spec)
    chosen = operation or (next(iter(summaries)) if len(summaries) == 1 else "")
    if chosen not in summaries:
        message = (
            f"There is no operation {operation[:60]}."
            if operation
            else "Say which operation is meant."
        )
        listed = (
            ", ".join(list(summaries)[:20])
            or "no GET operation; others are not used, because they may change data"
        )
        raise InputError(message, f"The document has: {listed}.")
    path, item, operation_json = next(
        get for get in _gets(spec) if str(get[2].get("operationId") or get[0]) == chosen
    )
    try:
        return _described(spec, path, item, operation_json, chosen=chosen)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise InputError(
            "This OpenAPI document does not follow the specification.",
            "Check it where it was published.",
        ) from error


def _described(
    spec: Mapping[str, Json],
    path: str,
    item: Mapping[str, Json],
    operation: Mapping[str, Json],
    *,
    chosen: str,
) -> tuple[dict[str, Any], list[Problem]]:
    notes: list[Problem] = []
    used = list(_used(spec, item, operation, notes))
    names = {
        (parameter_spec["in"], parameter_spec["name"]): python_name(str(parameter_spec["name"]))
        for parameter_spec in used
    }
    parameters = {
        names[parameter_spec["in"], parameter_spec["name"]]: parameter(spec, parameter_spec, notes)
        for parameter_spec in used
    }
    query = {
        str(parameter_spec["name"]): "{" + names["query", parameter_spec["name"]] + "}"
        for parameter_spec in used
        if parameter_spec["in"] == "query"
    }
    repeat = [
        str(parameter_spec["name"])
        for parameter_spec in used
        if parameter_spec["in"] == "query" and _repeats(spec, parameter_spec)
    ]
    said_of_all = spec.get("info")
    info = said_of_all if isinstance(said_of_all, Mapping) else {}
    title = " ".join(str(info.get("title") or chosen).split())[:100]
    descriptions = [info.get("description"), operation.get("summary"), operation.get("description")]
    return {
        "name": name_of(title, chosen),
        "title": title,
        "summary": " ".join(
            str(operation.get("summary") or operation.get("description") or title).split()
        )[:200],
        "base": base_of(spec, item, operation),
        "documentation": _paragraphs(descriptions),
        **token_fields(spec, operation, title, notes),
        "parameters": parameters,
        "request": {
            "path": re.sub(
                r"\{([^}]+)\}",
                lambda match: "{" + names.get(("path", match[1]), match[1]) + "}",
                path,
            ),
            **({"query": query} if query else {}),
            **({"repeat": repeat} if repeat else {}),
        },
        "answer": answer(spec, operation, notes),
        **_example(spec, used, names, str(operation.get("summary") or chosen)),
    }, notes


def _example(
    spec: Mapping[str, Json],
    used: Sequence[Mapping[str, Json]],
    names: Mapping[Any, str],
    question: str,
) -> dict[str, Any]:
    """The document's own example values as an example, where there is one of all that is needed."""
    values: dict[str, Json] = {}
    for parameter_spec in used:
        several = parameter_spec.get("examples")
        first_example = next(iter(several.values()), None) if isinstance(several, Mapping) else None
        candidates = (
            parameter_spec.get("example"),
            _schema(spec, parameter_spec).get("example"),
            follow_reference(spec, first_example).get("value"),
        )
        value = next(
            (
                candidate
                for candidate in candidates
                if isinstance(candidate, str | int | float | bool | list)
            ),
            None,
        )
        if value is not None:
            values[names[parameter_spec["in"], parameter_spec["name"]]] = value
        elif parameter_spec.get("required") or parameter_spec["in"] == "path":
            return {}
    return (
        {"examples": [{"question": " ".join(question.split())[:200], "parameters": values}]}
        if values
        else {}
    )


def _paragraphs(texts: Sequence[Json]) -> str:
    lines = [line.rstrip() for text in texts if text for line in str(text).splitlines()]
    return "\n".join(dict.fromkeys(filter(None, lines)))[:50_000]


def note(message: str, hint: str = "") -> Problem:
    return Problem("api-openapi", message, Severity.WARNING, hint=hint)


def _used(
    spec: Mapping[str, Json],
    item: Mapping[str, Json],
    operation: Mapping[str, Json],
    notes: list[Problem],
) -> Iterator[dict[str, Json]]:
    """The parameters of path and query; an operation's own go before those of its path."""
    own: dict[tuple[str, str], dict[str, Json]] = {}
    for written in [*(item.get("parameters") or []), *(operation.get("parameters") or [])]:
        parameter_spec = follow_reference(spec, written)
        own[str(parameter_spec["in"]), str(parameter_spec["name"])] = parameter_spec
    for (where, name), parameter_spec in own.items():
        if where in ("path", "query"):
            yield parameter_spec
        elif where == "body" or (
            parameter_spec.get("required") and name.lower() not in ("accept", "authorization")
        ):
            raise InputError(
                f"{name} is sent as a {where}, which is not supported here.",
                "Choose another operation.",
            )
        elif name.lower() not in ("accept", "authorization"):
            notes.append(note(f"{name[:40]} ({where}) is left out: only path and query are sent."))


def _schema(spec: Mapping[str, Json], parameter_spec: Mapping[str, Json]) -> dict[str, Json]:
    return (
        schema_of(spec, parameter_spec["schema"])
        if isinstance(parameter_spec.get("schema"), Mapping)
        else dict(parameter_spec)
    )


def _repeats(spec: Mapping[str, Json], parameter_spec: Mapping[str, Json]) -> bool:
    """Whether a list is sent as `a=1&a=2` (OpenAPI 3: unless said otherwise) and not as `a=1,2`."""
    if _schema(spec, parameter_spec).get("type") != "array":
        return False
    if "swagger" in spec:
        return parameter_spec.get("collectionFormat") == "multi"
    return bool(parameter_spec.get("explode", parameter_spec.get("style", "form") == "form"))


def parameter(
    spec: Mapping[str, Json], parameter_spec: Mapping[str, Json], notes: list[Problem]
) -> dict[str, Json]:
    """One parameter of a description; a limit that cannot be used is left out and said."""
    schema = _schema(spec, parameter_spec)
    kind = schema.get("type")
    inner = schema_of(spec, schema.get("items")) if kind == "array" else schema
    description = " ".join(
        str(parameter_spec.get("description") or schema.get("description") or "").split()
    )[:500]
    described: dict[str, Any] = {
        "type": "list" if kind == "array" else kind if kind in KINDS else "string",
        **({"description": description} if description else {}),
        **(
            {"required": True}
            if parameter_spec.get("required") or parameter_spec.get("in") == "path"
            else {}
        ),
    }
    if isinstance(inner.get("enum"), list):
        described["enum"] = [plain_value(value) for value in inner["enum"] if value is not None][
            :300
        ]
    for name in ("minimum", "maximum", "default"):
        if schema.get(name) is not None:
            described[name] = schema[name]
    if (
        isinstance(inner.get("pattern"), str)
        and described["type"] in ("string", "list")
        and "enum" not in described
    ):
        described["pattern"] = inner["pattern"]
    for name in ("pattern", "default", "minimum", "maximum", "enum"):
        if name in described and (
            wrong := why_unusable(python_name(str(parameter_spec["name"])), _as_text(described))
        ):
            del described[name]
            notes.append(note(f"{parameter_spec['name']}: its {name} is left out. {wrong}"))
    return described


def _as_text(described: Mapping[str, Any]) -> ParameterText:
    try:
        return ParameterText.model_validate(described)
    except ValueError:
        return ParameterText.model_validate(
            {"pattern": "("}
        )  # unusable: the caller takes parts out until what is left fits


def base_of(spec: Mapping[str, Json], *nearer: Mapping[str, Json]) -> str:
    """The first server over https, of the operation, its path or the document; `{variables}` at
    their default.
    """
    if spec.get("host"):
        return f"https://{spec['host']}{spec.get('basePath') or ''}".rstrip("/")
    lists = (level.get("servers") for level in (*reversed(nearer), spec))
    servers: Sequence[Mapping[str, Any]] = next(
        (server_list for server_list in lists if isinstance(server_list, list) and server_list), []
    )
    if not servers:
        raise InputError(
            "The document names no server.", "Add a line servers: [{url: https://…}] to it."
        )
    addresses = [_server(server) for server in servers]
    if all(url.startswith("/") or "://" not in url for url in addresses):
        raise InputError(
            f"The document names its server only as {addresses[0][:60]!r}, without a host.",
            "Write the whole address under servers, as in https://host" + addresses[0][:60],
        )
    return next((url for url in addresses if url.startswith("https://")), addresses[0]).rstrip("/")


def _server(server: Mapping[str, Any]) -> str:
    variables = server.get("variables") or {}
    return re.sub(
        r"\{([^}]+)\}",
        lambda match: str((variables.get(match[1]) or {}).get("default", match[0])),
        str(server.get("url", "")),
    )


def name_of(title: str, operation: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", f"{title}-{operation}".lower()).strip("-")
    if len(words) > 31:
        words = re.sub(r"[^a-z0-9]+", "-", operation.lower()).strip("-")
    return (words if words[:1].isalpha() else "api-" + words)[:31].rstrip("-").ljust(2, "1")


def python_name(name: str) -> str:
    """A parameter's name as a Python name."""
    identifier = re.sub(r"[^A-Za-z0-9_]", "_", name)[:36]
    if (
        hasattr(BaseModel, identifier)
        or identifier.startswith("model_")
        or not identifier[:1].isalpha()
    ):
        identifier = "p_" + identifier.lstrip("_")
    return identifier
