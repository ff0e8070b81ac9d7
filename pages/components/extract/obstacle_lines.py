"""What of the project's vocabularies stands in the way of a result: a line each, and the buttons
that mend it.
"""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Category
from core.services.extract.readiness import vocabularies_lacking as lacking_lines
from core.services.extract.result import ExtractionView
from core.services.vocabularies import own_files
from core.services.vocabularies.obstacles import (
    Obstacle,
    Remedy,
    as_problem,
    dated_line,
    schema_obstacles,
)
from core.services.vocabularies.schema_use import (
    kinds_asked,
    unused_lines,
    unused_vocabularies,
    use_words,
)
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid
from pages.components.vocabularies.listing import start_install

MOST = 4  # lines that the header of a result names


def show_obstacles(desk: Desk, run_view: ExtractionView) -> None:
    """Draws nothing where there is no obstacle."""
    standing = schema_obstacles(desk, run_view.schema)
    missing = [as_problem(obstacle) for obstacle in standing if obstacle.help]
    lacking = [*unused_lines(desk, run_view.schema), *lacking_lines(run_view.problems, missing)]
    lines = [f"⚠️ {escaped(line, 400)}" for line in lacking]
    more = len(lines) - MOST
    lines = lines[:MOST]
    if more > 0:
        lines.append(f"And {more} more: see *How it was read*.")
    if dated := dated_line(desk, standing):
        lines.append(f"⚠️ {escaped(dated, 400)}")
    if not lines:
        return
    words, button = st.columns([5, 2], vertical_alignment="center")
    words.caption("  \n".join(lines))
    with button.popover("What helps", icon=":material/library_books:", width="stretch"):
        _actions(desk, standing)
        _own_vocabularies(desk, run_view)


def _own_vocabularies(desk: Desk, run_view: ExtractionView) -> None:
    """Buttons that let the schemas use vocabularies of one's own for a kind of thing."""
    for name in unused_vocabularies(desk):
        for kind in kinds_asked(run_view.schema):
            st.button(
                f"Use {name} for the kind “{kind}”",
                key=f"use·{name}·{kind}",
                on_click=_use,
                args=(desk, name, kind),
                width="stretch",
            )


def _use(desk: Desk, name: str, kind: Category) -> None:
    try:
        own_files.say_kinds(desk, name, [kind], acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"{use_words(desk, name)} Run the text again.")


def _actions(desk: Desk, standing: list[Obstacle]) -> None:
    """A button for each release that can be installed, and the way to the page for the rest."""
    installable = {o.vocabulary: o for o in standing if o.action is Remedy.INSTALL}
    for name, obstacle in installable.items():
        st.button(
            obstacle.button,
            key=f"mend·{name}",
            on_click=start_install,
            args=(desk, name),
            width="stretch",
        )
    if installable:
        st.caption(
            "The download runs in the background; *Vocabularies* shows its progress. Run the text"
            " again once it is installed."
        )
    if st.button("Open Vocabularies", icon=":material/library_books:", width="stretch"):
        st.switch_page("pages/7_Vocabularies.py")
