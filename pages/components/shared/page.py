"""The frame of every page: `desk = begin_page("Extract")` is its first line.

It sets the page up once, opens the project's desk (shared by all sessions of one project), and
draws the sidebar with the project and the curator, who is asked once and remembered by the browser
in a cookie that holds name and ORCID.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, unquote

import streamlit as st

from core.desk import Desk
from core.errors import Forbidden, GroundworkError, InputError
from core.model import Curator
from core.services.people import roles, sign_in
from core.services.people.orcid import add_curator, checked_curator, name_here
from core.services.shared import added_page, screen
from core.services.vocabularies import preparation
from pages.components.shared import entrance, state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.problem import show_error
from pages.components.shared.style import stylesheet

ICON = str(
    Path(__file__).with_name("icon.svg")
)  # a file: Streamlit fetches :material/…: icons from the web
COOKIE = "groundwork_curator"
YEAR = 365 * 24 * 3600
PAGES = (
    ("app.py", "Home", ":material/home:"),
    ("pages/1_Extract.py", "Extract", ":material/text_snippet:"),
    ("pages/2_Documents.py", "Documents", ":material/library_books:"),
    ("pages/3_Review.py", "Review", ":material/rate_review:"),
    ("pages/4_Knowledge_graph.py", "Knowledge graph", ":material/hub:"),
    ("pages/5_Gene_questions.py", "Gene questions", ":material/genetics:"),
    ("pages/6_Literature.py", "Literature", ":material/menu_book:"),
    ("pages/7_Vocabularies.py", "Vocabularies", ":material/dictionary:"),
    ("pages/9_Engine_quality.py", "Engine quality", ":material/query_stats:"),
    ("pages/9_Schemas.py", "Schemas", ":material/schema:"),
    ("pages/9_People.py", "People", ":material/group:"),
    ("pages/9_Projects.py", "Projects", ":material/folder_open:"),
    ("pages/8_Settings.py", "Settings", ":material/settings:"),
)
ADDED = "pages/9_Added_page.py"  # for each page of another package
WITHOUT_DATABASE = (
    "Home",
    "Settings",
)  # they say themselves what is wrong with it, and offer the rest
_CURATOR = "_curator"
_PROJECT = "_project"
_LEFT = "_curator_left"

# Half a character (a lone surrogate, as some programs copy it) cannot be sent: Streamlit would drop
# everything that is typed after it. It becomes U+FFFD as it enters a field.
WELL_FORMED = """
if (!window.gwWellFormed) {
    window.gwWellFormed = true;
    document.addEventListener("input", (event) => {
        const field = event.composedPath()[0];
        if (typeof field.value !== "string" || field.value.isWellFormed()) return;
        const kind = field.tagName === "TEXTAREA" ? HTMLTextAreaElement : HTMLInputElement;
        const value = Object.getOwnPropertyDescriptor(kind.prototype, "value");
        value.set.call(field, field.value.toWellFormed());
    }, true);
}
"""


# In a table Alt with a letter would write into its cell, and the keys of the page would be dead.
KEYS_BESIDE_A_TABLE = """
if (!window.gwKeysBesideATable) {
    window.gwKeysBesideATable = true;
    for (const kind of ["keydown", "keyup"]) window.addEventListener(kind, (event) => {
        const at = event.target;
        if (!event.altKey || !at.closest?.("[data-testid=stDataFrame]")) return;
        event.stopImmediatePropagation();
        event.preventDefault();
        document.body.dispatchEvent(new KeyboardEvent(kind, event));
    }, true);
}
"""


def begin_page(title: str) -> Desk:
    """Set the page up and give the desk of the session's project. Stops the page with a message
    when it cannot open.
    """
    st.set_page_config(page_title=f"{title} · Groundwork", page_icon=ICON, layout="wide")
    state.keep_url(title)
    st.html(stylesheet(dark=st.context.theme.type == "dark"))
    with st.sidebar:
        _navigation()
        with st.container(key="gw-script"):  # drawn nowhere, so that it moves nothing
            scripts = f"<script>{WELL_FORMED}{KEYS_BESIDE_A_TABLE}</script>"
            st.html(scripts, unsafe_allow_javascript=True)
    try:
        desk = open_desk(screen.project_folder(current_project(), plain_secrets()), plain_secrets())
        if title not in WITHOUT_DATABASE:
            screen.check_database(desk)
            preparation.start_preparing(desk)
    except GroundworkError as error:
        show_error(error)
        st.button("Open the configured project", on_click=use_project, args=("",))
        st.stop()
    state.set_url(project=current_project())
    refused = sign_in.why_not_served(
        desk.settings, str(st.get_option("server.address") or ""), signs_in=entrance.has_login()
    )
    if refused:
        st.error(escaped(refused, 1000))
        st.stop()
    if title not in WITHOUT_DATABASE or entrance.needs_sign_in(desk):
        entrance.require_sign_in(desk)
    with st.sidebar:
        _sidebar(desk)
    st.title(title)
    for kind, message in state.take_messages():
        _show_message(kind, message)
    return desk


def current_curator() -> Curator | None:
    """Who sits at this browser: who signed in, or, on this machine alone, who they said they are;
    None until then.
    """
    if entrance.is_guarded():
        return entrance.signed_in_curator()
    person: Curator | None = state.get(_CURATOR)
    cookie = st.context.cookies.get(COOKIE)
    if person is None and not state.get(_LEFT) and isinstance(cookie, str):
        orcid, _, name = unquote(cookie).partition("|")
        try:
            person = checked_curator(orcid, name)
        except InputError:
            return None
        state.put(_CURATOR, person)
    return person


def curator_orcid() -> str:
    """The ORCID iD of whoever sits here; "" while nobody said who they are."""
    person = current_curator()
    return person.orcid if person else ""


def acting_orcid(desk: Desk) -> str:
    """The ORCID iD of whoever changes something or begins work here; "" in a project without an
    owner, where nobody needs a name for it. Raises Forbidden for a reader, and for somebody without
    a name once there is an owner.
    """
    orcid = curator_orcid()
    roles.require_role(desk, orcid)
    return orcid


def may_change(desk: Desk) -> bool:
    """Whether the current curator may change the project."""
    try:
        acting_orcid(desk)
    except Forbidden:
        return False
    return True


def need_curator() -> str:
    """The curator's ORCID; where it is not known yet the page says so and goes no further."""
    person = current_curator()
    if person is None:
        st.info("Enter your name in the sidebar: decisions carry a name.", icon=":material/person:")
        st.stop()
    return person.orcid


def current_project() -> str:
    """The name of the session's project folder, a sibling of the configured one; "" is the
    configured one itself.
    """
    name = state.url_value("project") or str(state.get(_PROJECT, ""))
    state.put(_PROJECT, name)
    return name


def use_project(folder: str | Path) -> None:
    """Work in another project folder from the next run on; "" goes back to the configured one."""
    name = Path(folder).name if str(folder) else ""
    state.put(_PROJECT, name)
    state.set_url(project=name)


def plain_secrets() -> dict[str, str]:
    """Streamlit's secrets that are plain values, as settings read them. Raises SettingsError for a
    file that cannot be read: without it the app would open as if nothing were set up.
    """
    try:
        return {
            name: str(value)
            for name, value in st.secrets.items()
            if isinstance(value, str | int | float)
        }
    except (FileNotFoundError, KeyError, st.errors.StreamlitAPIException) as error:
        if error.__cause__ is not None:  # there is a file, and it is no TOML
            screen.check_secrets()
        return {}


def open_desk(folder: str, secrets: dict[str, str]) -> Desk:
    """One desk a project for all sessions: it holds nothing of one user. It is opened anew when
    somebody else changed the project's settings, such as `models set` on the command line.
    """
    return _opened(folder, secrets)[0]


@st.cache_resource(
    show_spinner="Opening the project…",
    validate=lambda opened: opened[1] == screen.settings_written(opened[0].folder),
)
def _opened(folder: str, _secrets: dict[str, str]) -> tuple[Desk, int]:
    """The desk, and when the settings that it has were written."""
    written = screen.settings_written(Path(folder))
    return screen.open_project(folder, _secrets), written


def reopen_desks() -> None:
    """Forget open desks, so that changed settings are read again."""
    _opened.clear()


def _navigation() -> None:
    for file, label, icon in PAGES:
        with suppress(
            st.errors.StreamlitAPIException, KeyError
        ):  # a page that is not there has no link
            st.page_link(file, label=label, icon=icon)
    for page in added_page.PAGES.values():
        with suppress(st.errors.StreamlitAPIException, KeyError):
            st.page_link(ADDED, label=page.title, icon=page.icon, query_params={"page": page.name})
    st.divider()


def _sidebar(desk: Desk) -> None:
    """One line for the project and one for the person, once they are known."""
    st.text(f"Project: {desk.settings.project_name or desk.settings.project.name}")
    person = current_curator()
    if person is None:
        _ask(desk)
        return
    name, leave = st.columns([3, 2], vertical_alignment="center")
    name.text(person.name or person.orcid, help=f"ORCID iD {person.orcid}")
    if entrance.is_guarded():
        entrance.sign_out_button(leave)
        return
    leave.button("Switch", key="_curator_other", type="tertiary", on_click=_forget)
    _introduce(desk, person)
    _remember(person)


def _ask(desk: Desk) -> None:
    with st.form("_curator_form", border=False):
        st.text_input("Your name", key="_curator_name", max_chars=100)
        st.text_input(
            "Your ORCID iD",
            key="_curator_orcid",
            max_chars=60,
            placeholder="0000-0002-1825-0097",
        )
        st.form_submit_button(
            "Save",
            on_click=_answered,
            args=(desk,),
            width="stretch",
            help="Remembered by this browser and stored with your decisions. Not sent anywhere.",
        )


def _answered(desk: Desk) -> None:
    try:
        orcid, name = state.get("_curator_orcid", ""), state.get("_curator_name", "")
        told = checked_curator(str(orcid), str(name))
        before = name_here(desk, told.orcid)
        state.put(_CURATOR, add_curator(desk, told.orcid, told.name))
        if before and told.name and before != told.name:
            state.show_message(
                f"Until now {told.orcid} was {before} in this project. If that is not"
                " you, press Switch and enter your own ORCID iD.",
                "toast",
            )
    except GroundworkError as error:
        state.show_message(str(error), "error")


def _forget() -> None:
    state.put(_CURATOR, None)
    state.put(_LEFT, True)
    state.drop("_cookie")


def _introduce(desk: Desk, person: Curator) -> None:
    """Who is known from another project is named in this one too, once a session."""
    place = f"_introduced·{desk.folder}"
    if person.name and state.get(place) != person.orcid:
        with suppress(GroundworkError):  # a read-only project is looked at all the same
            add_curator(desk, person.orcid, person.name)
        state.put(place, person.orcid)


def _remember(person: Curator) -> None:
    """Write the cookie in the browser, once a session. Percent-encoding leaves nothing that a
    script could end on.
    """
    if state.get("_cookie") == person.orcid:
        return
    state.put("_cookie", person.orcid)
    value = quote(f"{person.orcid}|{person.name}", safe="")
    st.html(
        f"<script>document.cookie='{COOKIE}={value}; path=/; max-age={YEAR};"
        " SameSite=Strict'</script>",
        unsafe_allow_javascript=True,
    )


def _show_message(kind: str, message: str) -> None:
    if kind == "toast":
        st.toast(escaped(message, 1000), duration="long")
        return
    show = {"success": st.success, "info": st.info, "warning": st.warning, "error": st.error}.get(
        kind, st.info
    )
    show(escaped(message, 1000))
