"""How an OpenAPI document wants its key: as a header, taken from the operator's GROUNDWORK_TOKEN_…
only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

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
