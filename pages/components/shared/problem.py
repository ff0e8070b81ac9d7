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
    problems: Iterable[Problem],
    singular: str = "problem",
    many: str = "",
    *,
    expanded: bool = False,
) -> None:
    """A folded list, gravest first, headed by `1 problem` or `2 problems`; nothing at all when
    there is none.
    """
    by_severity = sorted(problems, key=lambda problem: list(Severity).index(problem.severity))
    if not by_severity:
        return
    with st.expander(counted(len(by_severity), singular, many), expanded=expanded):
        for problem in by_severity[:SHOWN]:
            st.text(problem_line(problem))
        if len(by_severity) > SHOWN:
            st.caption(f"The first {SHOWN} of {len(by_severity)} are shown.")


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
