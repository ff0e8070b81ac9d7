"""The door of the app: a sign-in by Streamlit's own login (`[auth]` in its secrets), or by the
header of a trusted proxy. Without either the app is for this machine alone and there is no door.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator
from core.services.people import sign_in
from core.services.people.sign_in import SignIn
from pages.components.shared import state
from pages.components.shared.problem import show_error

_GUARDED, _PERSON = "_guarded", "_signed_in"
ORCID = "_first_orcid"


def has_login() -> bool:
    """Whether the operator configured a sign-in provider."""
    try:
        return "auth" in st.secrets
    except (FileNotFoundError, st.errors.StreamlitAPIException):
        return False


def needs_sign_in(desk: Desk) -> bool:
    return has_login() or bool(desk.settings.trusted_header)


def is_guarded() -> bool:
    """Whether who sits here is proven, not said."""
    return bool(state.get(_GUARDED, False)) or has_login()


def signed_in_curator() -> Curator | None:
    curator: Curator | None = state.get(_PERSON)
    return curator


def require_sign_in(desk: Desk) -> None:
    """Go on only with somebody who is signed in and connected to an ORCID iD."""
    state.put(_GUARDED, needs_sign_in(desk))
    if not needs_sign_in(desk):
        return
    state.put(_PERSON, None)
    try:
        signed_in = _sign_in(desk)
        person = sign_in.signed_in_curator(desk, signed_in)
    except GroundworkError as error:
        show_error(error)
        st.stop()
    if person is None:
        _not_connected(desk, signed_in)
    state.put(_PERSON, person)


def sign_out_button(place: DeltaGenerator) -> None:
    if has_login():
        place.button("Sign out", key="_sign_out", type="tertiary", on_click=st.logout)


def _sign_in(desk: Desk) -> SignIn:
    if not has_login():
        return sign_in.sign_in_of_header(st.context.headers.get(desk.settings.trusted_header) or "")
    if not st.user.is_logged_in:
        _ask_to_sign_in()
    return sign_in.sign_in_of_claims(desk.settings, st.user.to_dict())


def _ask_to_sign_in() -> None:
    st.title("Sign in")
    st.text("Decisions carry the name of the person who made them.")
    for name in _providers():
        label = f"Sign in with {name}" if name else "Sign in"
        st.button(
            label,
            type="primary",
            key=f"_sign_in·{name}",
            on_click=st.login,
            args=(name,) if name else (),
            icon=":material/login:",
        )
    st.stop()


def _providers() -> list[str]:
    """The names of the providers; one without a name where the secrets have only one."""
    auth = st.secrets["auth"]
    providers = [str(name) for name, value in auth.items() if isinstance(value, Mapping)]
    providers = [name for name in providers if name != "client_kwargs"]
    return providers or [""]


def _not_connected(desk: Desk, signed_in: SignIn) -> None:
    st.title("Welcome")
    st.text(f"You are signed in as {signed_in.name or signed_in.key}.")
    if not sign_in.may_connect_oneself(desk):
        st.text(
            "Your sign-in is not connected to an ORCID iD in this project yet. An owner of the"
            " project does that on the People page; then open this page again."
        )
        sign_out_button(st.container())
        st.stop()
    st.text(
        "You are the first person here. Enter your ORCID iD to become the owner of the project."
    )
    with st.form("_first", border=False):
        st.text_input("Your ORCID iD", key=ORCID, max_chars=60, placeholder="0000-0002-1825-0097")
        st.form_submit_button(
            "Become the owner of this project", on_click=_own, args=(desk, signed_in)
        )
    for _, message in state.take_messages():
        st.error(message)
    st.stop()


def _own(desk: Desk, signed_in: SignIn) -> None:
    try:
        sign_in.connect_oneself(desk, signed_in, str(state.get(ORCID, "")))
    except GroundworkError as error:
        state.show_message(str(error), "error")
