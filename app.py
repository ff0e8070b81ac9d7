"""Home: what this app does, what waits, what is configured, and the example project."""

import streamlit as st

from core.errors import GroundworkError
from core.services.home import project
from core.services.shared.screen import counted
from pages.components.shared import state
from pages.components.shared.markdown_escape import plain
from pages.components.shared.page import begin, secrets, use_project
from pages.components.shared.problem import show_error

EXTRACT, REVIEW, GRAPH = "pages/1_Extract.py", "pages/3_Review.py", "pages/4_Knowledge_graph.py"
WAYS = (
    (
        "1 · Text in",
        "Paste a text, or bring a PDF or PubMed ids. An engine proposes statements.",
        EXTRACT,
        "Extract",
    ),
    (
        "2 · You decide",
        "Each statement shows its sentence. Approve, correct or reject it.",
        REVIEW,
        "Review",
    ),
    (
        "3 · Knowledge out",
        "Approved statements become a graph and files that others can use.",
        GRAPH,
        "Knowledge graph",
    ),
)
MORE = (
    (
        "pages/5_Gene_questions.py",
        "Ask a question about genes; each value comes from an NCBI record.",
        "Gene questions",
    ),
    ("pages/6_Literature.py", "Find the passages that prove a statement.", "Literature"),
    ("pages/7_Vocabularies.py", "Install the terms that words are grounded in.", "Vocabularies"),
)

desk = begin("Home")
st.text(
    "A desk for curators: machines propose statements from texts, you decide, and only what you"
    " approved goes out."
)


def link(page: str, label: str, **query: str) -> None:
    """A link to a page, where the app has that page."""
    try:
        st.page_link(page, label=label, icon=":material/arrow_forward:", query_params=query or None)
    except st.errors.StreamlitAPIException:
        st.text(label)


def open_example() -> None:
    try:
        use_project(str(project.open_example_project(desk.settings, secrets()).project))
    except GroundworkError as error:
        state.say(str(error), "error")


def what_it_does() -> None:
    for column, (title, words, page, label) in zip(st.columns(3), WAYS, strict=True):
        with column.container(border=True, height="stretch"):
            st.markdown(f"##### {title}")
            st.text(words)
            link(page, label)


def what_waits() -> None:
    st.markdown("#### To do")
    found = project.status(desk)
    if found.empty:
        st.text("Nothing yet. Extract from a text, check the result, and send it to review.")
        return
    shown = (
        ("to decide", found.waiting),
        ("new evidence", found.new_evidence),
        ("unsure", found.unsure),
        ("approved", found.approved),
    )
    for column, (label, count) in zip(st.columns(4), shown, strict=True):
        column.metric(label, f"{count:,}")
    if found.waiting:
        link(REVIEW, f"Review {counted(found.waiting, 'proposed statement')}")
    if found.interrupted_jobs or found.open_jobs:
        running = f"{found.open_jobs} running" if found.open_jobs else ""
        broken = f"{found.interrupted_jobs} interrupted" if found.interrupted_jobs else ""
        link(
            "pages/8_Settings.py",
            f"Jobs: {', '.join(filter(None, (running, broken)))}",
            section="Jobs",
        )


def what_is_configured() -> None:
    st.markdown("#### Services")
    for part in project.configured(desk):
        sign = ":material/check_circle:" if part.ready else ":material/radio_button_unchecked:"
        st.markdown(
            f"{sign} **{part.name}** · {plain(part.says)}",
            help=None if part.ready else plain(part.how, 400),
        )


def what_else() -> None:
    st.markdown("#### More tools")
    for column, (page, words, label) in zip(st.columns(3), MORE, strict=True):
        with column:
            link(page, label)
            st.caption(words)


try:
    what_it_does()
    if desk.folder != project.example_folder(desk.settings):
        st.button(
            "Open the example project",
            type="primary",
            icon=":material/school:",
            on_click=open_example,
            help=(
                "A project of its own beside this one, with vocabularies and example texts. Nothing"
                " of yours changes."
            ),
        )
    else:
        names = sorted({example.schema.replace("_", " ") for example in project.examples()})
        words = (
            f"Each of {len(names)} schemas has an example text: {', '.join(names)}."
            if names
            else ""
        )
        st.info(
            f"This is the example project: nothing of yours changes. {words}",
            icon=":material/school:",
        )
        link(EXTRACT, "Extract from an example text")
    waits, configured = st.columns(2, gap="large")
    with waits:
        what_waits()
    with configured:
        what_is_configured()
    what_else()
except GroundworkError as error:
    show_error(error)
