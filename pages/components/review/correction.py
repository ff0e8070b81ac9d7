"""Correcting a statement: its parts with the ranked candidates and a search."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import (
    Candidate,
    Curator,
    Literal,
    Modality,
    Qualifier,
    State,
    Statement,
    Term,
    Thing,
    relation_words,
)
from core.services.review import decision, queue
from core.services.review.card import StatementCard
from core.services.vocabularies.same_things import preferred_term
from pages.components.review.review_desk import OPEN, decided_elsewhere
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.term import thing_label


def correction_form(desk: Desk, card: StatementCard, person: Curator) -> None:
    """The statement's parts with the ranked candidates and a search; what is saved takes the old
    one's place.
    """
    statement, name = card.record.statement, card.record.id
    with st.container():
        st.caption("The corrected statement replaces this one, which stays in the history.")
        subject = _thing(desk, card, "subject", statement.subject)
        predicate = _predicate(desk, statement)
        object_ = _thing(desk, card, "object", statement.object)
        left, right = st.columns(2)
        negated = left.checkbox(
            "Negated (the text says it is *not* so)", statement.negated, key=f"not·{name}"
        )
        modality = right.selectbox(
            "Modality",
            list(Modality),
            list(Modality).index(statement.modality),
            key=f"modality·{name}",
        )
        note = st.text_input("Note", key=f"why-corrected·{name}", max_chars=500)
        changed = replace(
            statement,
            subject=subject if not isinstance(subject, Literal) else statement.subject,
            predicate=predicate,
            object=object_,
            negated=negated,
            modality=Modality(modality or statement.modality),
            qualifiers=_qualifiers(statement),
        )
        same = changed.id == name
        with st.container(horizontal=True):
            args = (desk, name, card.record.version, changed, person, note)
            st.button(
                "Save and approve",
                type="primary",
                disabled=same,
                on_click=_save,
                args=(*args, True),
                key="save·yes",
            )
            st.button(
                "Save for review",
                disabled=same,
                on_click=_save,
                args=(*args, False),
                key="save·later",
            )
            st.button("Cancel", type="tertiary", on_click=state.drop, args=(OPEN,), key="save·no")


def _qualifiers(statement: Statement) -> tuple[Qualifier, ...]:
    """Those that stay; one that the text does not say is unticked."""
    qualifiers = []
    for number, qualifier in enumerate(statement.qualifiers):
        words = escaped(f"{qualifier.name.replace('_', ' ')}: {thing_label(qualifier.value)}")
        if st.checkbox(words, True, key=f"qualifier·{number}·{statement.id}"):
            qualifiers.append(qualifier)
    return tuple(qualifiers)


def _thing(desk: Desk, card: StatementCard, role: str, thing: Thing) -> Thing:
    """A value is typed; a term is chosen among its candidates or searched for."""
    name = card.record.id
    if isinstance(thing, Literal):
        left, right = st.columns([3, 1])
        value = left.text_input(
            role.capitalize(), thing.value, key=f"{role}·value·{name}", max_chars=1000
        )
        unit = right.text_input("Unit (UCUM)", thing.unit, key=f"{role}·unit·{name}", max_chars=40)
        return replace(thing, value=value.strip() or thing.value, unit=unit.strip())
    if not isinstance(thing, Term):
        st.text(f"{role.capitalize()}: {thing_label(thing)}")
        return thing
    left, right = st.columns([1, 2])
    words = left.text_input(
        f"Search {role}", key=f"{role}·search·{name}", placeholder=thing.label[:60], max_chars=200
    )
    options = _options(desk, card, thing, words)
    labels = [_option(option, option == thing) for option in options]
    at = right.selectbox(
        role.capitalize(),
        range(len(options)),
        format_func=lambda n: labels[n],
        key=f"{role}·{name}·{words}",
    )
    return options[at or 0]


def _options(desk: Desk, card: StatementCard, thing: Term, words: str) -> list[Term]:
    candidates_read = [
        c for reading in card.readings for c in reading.candidates if _of(reading.words, thing, c)
    ]
    searched = [
        candidate.term
        for candidate in (
            *queue.term_candidates(desk, words, category=thing.category),
            *candidates_read,
        )
    ]
    best = preferred_term(desk, thing) if thing.id else None
    thing_first = [] if words and searched else [thing, *([best] if best else [])]
    return list(dict.fromkeys([*thing_first, *searched, thing]))


def _of(words: str, thing: Term, candidate: Candidate) -> bool:
    return candidate.term.category is thing.category or words.casefold() == thing.label.casefold()


def _option(term: Term, is_current: bool) -> str:
    return f"{term.label} ({term.id or 'no id'})" + " · current" * is_current


def _predicate(desk: Desk, statement: Statement) -> Term:
    options = list(dict.fromkeys([statement.predicate, *queue.project_predicates(desk)]))
    labels = [
        _option(replace(option, label=relation_words(option)), option == statement.predicate)
        for option in options
    ]
    at = st.selectbox(
        "Predicate",
        range(len(options)),
        format_func=lambda n: labels[n],
        key=f"predicate·{statement.id}",
    )
    return options[at or 0]


def _save(  # noqa: PLR0917
    desk: Desk,
    name: str,
    version: int,
    changed: Statement,
    person: Curator,
    note: str,
    approve: bool,
) -> None:
    try:
        decision.correct(desk, name, version, changed, curator=person, approve=approve, note=note)
    except GroundworkError as error:
        state.show_message(str(error), "warning")
        return
    state.show_message(
        "Corrected" + (" and approved." if approve else "; it is in the queue."), "toast"
    )
    state.drop(OPEN)
    decided_elsewhere({name: State.SUPERSEDED})
