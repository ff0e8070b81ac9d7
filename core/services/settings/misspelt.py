"""Settings that nothing reads: most are misspelt names of others."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from core.llm.connection import PREFIX as ENDPOINT
from core.project_file import read_project_file
from core.settings import EDITABLE, ENVIRONMENT, TOKEN, URL

OURS = "GROUNDWORK_"
NAMED_BY_OPERATOR = (TOKEN, URL, ENDPOINT)  # what follows is a name of the operator's own


def misspelt_variables(names: Iterable[str]) -> list[str]:
    """`GROUNDWORK_MODLE (GROUNDWORK_MODEL?)` for each variable of our prefix that nothing reads."""
    known = {*ENVIRONMENT, f"{OURS}PROJECT"}
    return [
        _with_nearest(name, known)
        for name in sorted(names)
        if name.startswith(OURS) and name not in known and not name.startswith(NAMED_BY_OPERATOR)
    ]


def misspelt_in_file(path: Path) -> list[str]:
    """The same for the lines of a project's file. Raises SettingsError for one that is no TOML."""
    return [
        _with_nearest(name, EDITABLE) for name in read_project_file(path) if name not in EDITABLE
    ]


def _with_nearest(name: str, known: Iterable[str]) -> str:
    nearest = get_close_matches(name, known, 1, 0.8)
    return f"{name} ({nearest[0]}?)" if nearest else name
