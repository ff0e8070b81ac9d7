"""How an OpenAPI document wants its key: as a header, taken from the operator's GROUNDWORK_TOKEN_…
only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core.errors import InputError
from core.model import Json, Problem, Severity


def token(
    given: Mapping[str, Json], one: Mapping[str, Json], title: str, notes: list[Problem]
) -> dict[str, Any]:
    """The description's token fields: none where the operation can be asked without a key. Raises
    InputError for a key that can only be sent another way.
    """
    wanted = one.get("security", given.get("security")) or []
    schemes = (
        (given.get("components") or {}).get("securitySchemes")
        or given.get("securityDefinitions")
        or {}
    )
    if not wanted or {} in wanted:
        return {}
    name = re.sub(r"[^A-Z0-9]+", "_", title.upper()).strip("_")[:30] or "API"
    for choice in wanted:
        known = [schemes.get(each) or {} for each in choice]
        if len(known) == 1 and (found := _header(known[0])) is not None:
            said = f"It needs a key, which only the operator can set, as GROUNDWORK_TOKEN_{name}."
            notes.append(Problem("api-openapi", said, Severity.NOTE))
            return {"token": name, **found}
    raise InputError(
        "It wants a key as"
        f" {', '.join(sorted({_said(schemes.get(each) or {}) for one in wanted for each in one}))},"
        " which is not done here.",
        "Only one key in a header is sent: look whether the API takes it so.",
    )


def _header(scheme: Mapping[str, Any]) -> dict[str, str] | None:
    """Which header carries the key, where one does."""
    kind, how = str(scheme.get("type")), str(scheme.get("scheme", "")).lower()
    if kind == "apiKey" and scheme.get("in") == "header":
        return {"token_header": str(scheme.get("name")), "token_prefix": ""}
    return (
        {} if kind in ("oauth2", "openIdConnect") or (kind == "http" and how == "bearer") else None
    )


def _said(scheme: Mapping[str, Any]) -> str:
    kind = str(scheme.get("type", "something unknown"))
    if kind == "apiKey":
        return f"a part of the {scheme.get('in')}"
    return "user name and password" if kind in ("http", "basic") else kind[:30]
