"""People: who works here and in which role, what reviews are asked, and where people disagree."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.errors import GroundworkError
from core.model import Reason, ReviewPolicy, Role, relation_words, thing_words
from core.services.people import agreement, roles, sign_in
from core.services.people.agreement import DifferentReadings
from pages.components.shared import state
from pages.components.shared.page import begin_page, curator_orcid
from pages.components.shared.sections import draw_sections

ROLES = {
    Role.READER: "reader: looks",
    Role.CURATOR: "curator: proposes and decides",
    Role.REVIEWER: "reviewer: also takes back the decisions of others",
    Role.OWNER: "owner: also assigns roles and sets the rules for reviews",
}
MOST = 50
QUOTES, LONGEST = 3, 400  # sentences shown of a statement to settle, and characters of each

desk = begin_page("People")


def people_table() -> None:
    people = roles.list_people(desk)
    if not people:
        st.text("Nobody yet. Everyone who enters a name in the sidebar will be listed here.")
        return
    owned = roles.has_owner(desk)
    rows = [
        {
            "name": person.name or "",
            "ORCID iD": person.orcid,
            "role": str(person.role) if owned else "no role yet: may do everything",
        }
        for person in people
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True)
    if not owned:
        st.caption(
            "The project has no owner yet, so everyone may do everything. Give someone the role"
            " of owner; from then on roles apply."
        )


def person_form() -> None:
    st.markdown("#### Add a person, or change a role")
    with st.form("person", border=False):
        st.text_input("Name", key="person·name", max_chars=100)
        st.text_input(
            "ORCID iD", key="person·orcid", max_chars=60, placeholder="0000-0002-1825-0097"
        )
        st.selectbox(
            "Role", list(ROLES), index=1, format_func=lambda role: ROLES[role], key="person·role"
        )
        st.form_submit_button("Save", type="primary", on_click=save_person)
    if noted := sign_in.waiting_sign_ins(desk):
        st.markdown("#### Signed in but not connected to an ORCID iD")
        for key, name in noted.items():
            waiting_row(key, name)


def waiting_row(key: str, name: str) -> None:
    who, orcid, act = st.columns([3, 3, 1], vertical_alignment="bottom")
    who.text(name or key, help=key)
    orcid.text_input("ORCID iD", key=f"connect·{key}", max_chars=60)
    act.button("Connect", key=f"connect now·{key}", on_click=connect_sign_in, args=(key,))


def connect_sign_in(key: str) -> None:
    try:
        person = sign_in.connect_sign_in(
            desk, key, str(state.get(f"connect·{key}", "")), curator_orcid()
        )
        state.show_message(f"This sign-in is {person.name or person.orcid} from now on.")
    except GroundworkError as error:
        state.show_message(str(error), "error")


def save_person() -> None:
    orcid, name = str(state.get("person·orcid", "")), str(state.get("person·name", ""))
    role = state.get("person·role")
    try:
        person = roles.add_person(desk, orcid, name, role, owner=curator_orcid())
        state.show_message(f"{person.name or person.orcid} is {role} in this project.")
    except GroundworkError as error:
        state.show_message(str(error), "error")


def review_rules() -> None:
    now = roles.review_policy(desk)
    with st.form("policy", border=False):
        st.number_input(
            "People who must approve a statement",
            1,
            roles.MOST_APPROVALS,
            now.approvals,
            key="policy·approvals",
        )
        st.checkbox(
            "Curators may approve what they marked or corrected themselves",
            now.own_approval,
            key="policy·own",
        )
        st.checkbox(
            "Hide how others judged a statement until the curator has judged it",
            now.blind,
            key="policy·blind",
        )
        st.selectbox(
            "Role of people who have none yet",
            list(ROLES),
            list(ROLES).index(now.newcomer),
            format_func=lambda role: ROLES[role],
            key="policy·newcomer",
        )
        st.form_submit_button("Save", type="primary", on_click=save_policy)
    st.caption("It applies to decisions from now on; earlier decisions stay as they are.")


def save_policy() -> None:
    policy = ReviewPolicy(
        int(state.get("policy·approvals", 1)),
        bool(state.get("policy·own", True)),
        bool(state.get("policy·blind", False)),
        Role(state.get("policy·newcomer", Role.CURATOR)),
    )
    try:
        roles.set_policy(desk, policy, curator_orcid())
        state.show_message("Saved.")
    except GroundworkError as error:
        state.show_message(str(error), "error")


def disagreement_list() -> None:
    all_different = agreement.to_settle(desk, curator_orcid())
    if not all_different:
        st.text("Nothing to settle: no two people disagree about a statement.")
        return
    st.caption("Settled once they agree, or once a reviewer who is neither of them decides.")
    names = {person.orcid: person.name or person.orcid for person in roles.list_people(desk)}
    for different_readings in all_different[:MOST]:
        both_readings(different_readings, names)
    if len(all_different) > MOST:
        st.caption(f"The first {MOST} of {len(all_different)}.")


def both_readings(different_readings: DifferentReadings, names: dict[str, str]) -> None:
    """Both readings side by side, and the way to the statement."""
    with st.container(border=True):
        claim = different_readings.statement
        words = (
            thing_words(claim.subject),
            relation_words(claim.predicate),
            thing_words(claim.object),
        )
        st.text(" · ".join(words) + (" (denied)" if claim.negated else ""))
        for quote in different_readings.quotes[:QUOTES]:
            st.text(f"“{quote[:LONGEST]}”")
        for column, judgement in zip(
            st.columns(len(different_readings.readings)), different_readings.readings, strict=True
        ):
            name = judgement.curator_name or names.get(judgement.curator, judgement.curator)
            reason = f": {Reason(judgement.reason)}" if judgement.reason else ""
            column.text(f"{name}\n{judgement.verdict}{reason}\n{judgement.note}".strip())
        try:
            st.page_link(
                "pages/3_Review.py",
                label="Settle it",
                icon=":material/arrow_forward:",
                query_params={"id": claim.id, "state": "all"},
            )
        except (st.errors.StreamlitAPIException, KeyError):
            st.caption(claim.id)


def agreement_table() -> None:
    rows = agreement.agreement_of_pairs(desk)
    if not rows:
        st.text("No statement has been judged by two people yet.")
        return
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "first person": row.first_person,
                    "second person": row.second_person,
                    "predicate": row.predicate or "all",
                    "judged by both": row.both,
                    "alike": f"{100 * row.share:.0f} %",
                    "Cohen's kappa": "–" if row.kappa is None else f"{row.kappa:.2f}",
                }
                for row in rows
            ]
        ),
        hide_index=True,
    )
    st.caption(
        "Cohen's kappa is agreement beyond chance: 1 is perfect, 0 is chance, and – means that"
        " both always gave the same verdict, so that it cannot be computed."
    )


def people_tab() -> None:
    listed, form = st.columns([3, 2], gap="large")
    with listed:
        people_table()
    with form:
        person_form()


SECTIONS = (
    ("People", people_tab),
    ("Reviews", review_rules),
    ("To settle", disagreement_list),
    ("Agreement", agreement_table),
)
draw_sections(SECTIONS)
