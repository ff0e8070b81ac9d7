"""What decisions taught: each lesson with the decisions behind it, taken back or counted again."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.learning import lessons
from core.services.learning.lessons import ProjectLesson
from core.services.shared.screen import counted
from pages.components.shared import state
from pages.components.shared.page import acting_orcid

TABLE = "lessons·table"
MOST = 200  # rows


def lesson_table(desk: Desk) -> None:
    """What was learned, today's first line above it; nothing before anything was."""
    known = lessons.project_lessons(desk)
    if not (learned := known.lessons):
        return
    st.markdown("#### What decisions taught")
    today = lessons.learned_since(learned, desk.clock()[:10])
    st.text(f"{today} learned today." if today else "Nothing was learned today.")
    after = f" after {counted(known.left, 'more decision')}" if known.left else ""
    use = (
        f"The next text is read with these{after}. What was"
        " rejected is proposed less, or no more; what was approved is proposed more."
    )
    st.caption(
        (use if known.are_used else f"{lessons.UNUSED[0].upper()}{lessons.UNUSED[1:]}.")
        + " Select one to look at the decisions behind it."
    )
    if known.cut:
        st.caption(f"From the {lessons.MOST_JUDGED:,} decided statements that were proposed last.")
    st.dataframe(
        pd.DataFrame([_row(shown) for shown in learned[:MOST]]),
        hide_index=True,
        key=TABLE,
        on_select="rerun",
        selection_mode="single-row",
    )
    if len(learned) > MOST:
        st.caption(f"The {MOST} that move most of {len(learned):,}.")
    for place in state.selected_rows(TABLE):
        if place < len(learned):
            _behind(desk, learned[place])


def _row(shown: ProjectLesson) -> dict[str, object]:
    return {
        "of": shown.kind,
        "name": shown.name,
        "right": shown.lesson.right,
        "wrong": shown.lesson.wrong,
        "so it is": shown.effect,
        "last decision": shown.time[:10],
    }


def _behind(desk: Desk, shown: ProjectLesson) -> None:
    st.text("\n".join(lessons.behind_lesson(desk, shown.sign)))
    st.button(
        "Count it again" if shown.taken_back else "Take it back",
        key=f"lessons·act·{shown.sign}·{shown.taken_back}",
        icon=":material/redo:" if shown.taken_back else ":material/undo:",
        on_click=_change,
        args=(desk, shown),
    )


def _change(desk: Desk, shown: ProjectLesson) -> None:
    change = lessons.take_up if shown.taken_back else lessons.take_back
    try:
        change(desk, shown.sign, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
