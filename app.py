"""Home: the project's day. What to do next, how far it is, what came last; in an empty project, how
to begin.
"""

from datetime import UTC, datetime

import streamlit as st

from core.errors import GroundworkError
from core.model import State, status_mark
from core.services.home import project, project_day
from core.services.home.project import ProjectStatus
from pages.components.home.progress import progress_picture
from pages.components.shared import state
from pages.components.shared.engine_figures import engine_quality
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import begin_page, curator_orcid, plain_secrets, use_project
from pages.components.shared.problem import show_error

EXTRACT, REVIEW, GRAPH = "pages/1_Extract.py", "pages/3_Review.py", "pages/4_Knowledge_graph.py"
WAYS = (
    (
        "1 · Text in",
        "Paste a text, or add a PDF or PubMed ids. An engine proposes statements.",
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
PAGES = {
    "Extract": EXTRACT,
    "Review": REVIEW,
    "Knowledge graph": GRAPH,
    "People": "pages/9_People.py",
    "Settings": "pages/8_Settings.py",
}
QUALITY = "pages/9_Engine_quality.py"

desk = begin_page("Home")
st.text(
    "A desk for curators: machines propose statements from texts, you decide, and only what you "
    "approve is published."
)


def page_link(page: str, label: str, **query: str) -> None:
    """A link to a page, where the app has that page."""
    try:
        st.page_link(page, label=label, icon=":material/arrow_forward:", query_params=query or None)
    except st.errors.StreamlitAPIException:
        st.text(label)


def open_example() -> None:
    try:
        use_project(str(project.open_example_project(desk.settings, plain_secrets()).project))
    except GroundworkError as error:
        state.show_message(str(error), "error")


def what_it_does() -> None:
    for column, (title, words, page, label) in zip(st.columns(3), WAYS, strict=True):
        with column.container(border=True, height="stretch"):
            st.markdown(f"##### {title}")
            st.text(words)
            page_link(page, label)


def status_numbers(now: ProjectStatus) -> None:
    counts_shown = (
        ("to decide", now.waiting),
        ("new evidence", now.new_evidence),
        ("unsure", now.unsure),
        ("approved", now.approved),
        ("documents", now.documents),
    )
    for column, (label, count) in zip(st.columns(len(counts_shown)), counts_shown, strict=True):
        column.metric(label, f"{count:,}")


def to_do(now: ProjectStatus) -> None:
    st.markdown("#### To do")
    tasks = project_day.tasks_to_do(desk, now, curator_orcid())
    if not tasks:
        st.text("Nothing yet. Extract from a text, check the result, and send it to review.")
        page_link(EXTRACT, "Extract")
    for task in tasks:
        page_link(PAGES[task.page], task.words, **dict(task.query))


def week_progress() -> None:
    st.markdown("#### Progress")
    progress_picture(project_day.weekly_progress(desk, datetime.now(UTC).date(), curator_orcid()))


def recent_documents() -> None:
    st.markdown("#### Latest documents")
    for row in project_day.recent_documents(desk, curator_orcid()):
        waits = row.counts.get(State.PROPOSED, 0)
        title = escaped(f"{status_mark(row.status)}{row.title or row.id}", 90)
        page_link("pages/2_Documents.py", f"{waits:,} to decide · {title}", document=row.id)


def engine_line() -> None:
    st.markdown("#### Engines")
    engine_figures = engine_quality(desk)
    if not engine_figures.decided:
        st.text("Nothing that an engine proposed has been decided yet.")
        return
    share, low, high = (
        f"{100 * part:.0f} %"
        for part in (
            engine_figures.overall.share,
            engine_figures.overall.low,
            engine_figures.overall.high,
        )
    )
    st.text(
        f"{share} of {engine_figures.decided:,} proposals were right as proposed ({low} to {high})."
    )
    page_link(QUALITY, "How good are the engines?")


def what_is_configured() -> None:
    with st.expander("Services"):
        for part in project.capabilities(desk):
            sign = ":material/check_circle:" if part.ready else ":material/radio_button_unchecked:"
            st.markdown(
                f"{sign} **{part.name}** · {escaped(part.says)}",
                help=None if part.ready else escaped(part.how, 400),
            )


def example_project(*, first: bool) -> None:
    """The way into the example project; `first` where there is nothing else to do yet."""
    if not project.is_example(desk):
        st.button(
            "Open the example project",
            type="primary" if first else "secondary",
            icon=":material/school:",
            on_click=open_example,
            help=(
                "A project of its own beside this one, with vocabularies and example texts. Nothing"
                " of yours changes."
            ),
        )
        return
    names = sorted({example.schema.replace("_", " ") for example in project.project_examples()})
    words = f"Each of {len(names)} schemas has an example text: {', '.join(names)}." * bool(names)
    st.info(
        f"This is the example project: nothing of yours changes. {words}",
        icon=":material/school:",
    )
    page_link(EXTRACT, "Extract from an example text")


try:
    now = project.project_status(desk, curator_orcid())
    if now.empty:
        what_it_does()
        example_project(first=True)
        to_do(now)
    else:
        status_numbers(now)
        left, right = st.columns([3, 2], gap="large")
        with left:
            to_do(now)
            week_progress()
        with right:
            recent_documents()
            engine_line()
            example_project(first=False)
    what_is_configured()
except GroundworkError as error:
    show_error(error)
