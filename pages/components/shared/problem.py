"""Problems and errors on screen: what happened, where, what to do. Words from outside never become
markup.
"""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from core.errors import GroundworkError
from core.model import Problem, Severity
from core.services.shared.screen import counted

ICONS = {Severity.ERROR: "✕", Severity.WARNING: "⚠️", Severity.NOTE: "·"}
SHOWN = 200


def show_problems(
    problems: Iterable[Problem], one: str = "problem", many: str = "", *, expanded: bool = False
) -> None:
    """A folded list, gravest first, headed by `1 problem` or `2 problems`; nothing at all when
    there is none.
    """
    found = sorted(problems, key=lambda problem: list(Severity).index(problem.severity))
    if not found:
        return
    with st.expander(counted(len(found), one, many), expanded=expanded):
        for problem in found[:SHOWN]:
            st.text(problem_line(problem))
        if len(found) > SHOWN:
            st.caption(f"The first {SHOWN} of {len(found)} are shown.")


def problem_line(problem: Problem) -> str:
    where = f"{problem.where}: " if problem.where else ""
    hint = f" {problem.hint}" if problem.hint else ""
    return f"{ICONS[problem.severity]} {where}{problem.message}{hint}"


def show_error(error: GroundworkError) -> None:
    """What went wrong, in a red frame, as plain text."""
    with st.container(border=True):
        st.text(f"✕ {error.message}")
        if error.hint:
            st.text(error.hint)
