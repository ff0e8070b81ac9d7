"""The parts of a schema's form: each is a list of what there is, and a small form that adds to it.
Whatever is added is kept at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from core.desk import Desk
from core.errors import InputError
from core.services.extract import schema_building
from core.services.extract.schema_building import (
    PLAIN,
    Category,
    FieldForm,
    PartForm,
    PredicateForm,
    RelationForm,
    SchemaForm,
    ThingForm,
)
from core.services.vocabularies.relations import predicate_by_curie, relation_choices
from pages.components.shared import state

T = TypeVar("T")
Change = Callable[[SchemaForm], None]
SHOWN = "schema·form"


def thing_rows(desk: Desk, form: SchemaForm, change: Change) -> None:
    st.markdown("##### 1 · Things that your texts name")
    for number, thing in enumerate(form.things):
        facts = [str(thing.category), ", ".join(thing.vocabularies), thing.branch]
        _row("thing", number, thing.name, " · ".join(filter(None, facts)), form=form, change=change)
    name, kind = st.columns(2)
    name.text_input(
        "Name",
        key="thing·name",
        max_chars=60,
        placeholder="Gene",
        on_change=_guess_kind,
        args=(desk,),
    )
    kind.selectbox(
        "Kind", schema_building.thing_kinds(), key="thing·kind", on_change=_usual, args=(desk,)
    )
    if state.get("thing·vocabularies") is None:
        _usual(desk)
    st.multiselect(
        "Vocabularies, in order of preference",
        schema_building.vocabulary_names(desk),
        key="thing·vocabularies",
        help="Where its terms come from. More are installed on the Vocabularies page.",
        select_all=False,
    )
    branch, example = st.columns(2)
    branch.text_input(
        "Only below this term (optional)",
        key="thing·branch",
        max_chars=60,
        placeholder="HP:0000118",
    )
    example.text_input("Example (optional)", key="thing·example", max_chars=100)
    st.button("Add this thing", key="thing·add", on_click=_add_thing, args=(form, change))


def relation_rows(form: SchemaForm, change: Change) -> None:
    st.markdown("##### 2 · Relations between them")
    for number, relation in enumerate(form.relations):
        predicate_names = ", ".join(predicate.name for predicate in relation.predicates)
        more = f"with {', '.join(relation.qualifiers)}" if relation.qualifiers else ""
        title = f"{relation.subject} → {relation.object}"
        _row(
            "relation",
            number,
            title,
            " · ".join(filter(None, (predicate_names, more))),
            form=form,
            change=change,
        )
    names = [thing.name for thing in form.things]
    if not names:
        st.caption("Add a thing first.")
        return
    subject, object_ = st.columns(2)
    subject.selectbox("Subject", names, key="relation·subject")
    object_.selectbox("Object", names, index=min(1, len(names) - 1), key="relation·object")
    st.multiselect(
        "Predicates: search, or type one of your own",
        _predicates(),
        key="relation·predicates",
        accept_new_options=True,
        filter_mode="contains",  # fuzzy finds *indirectly physically …* for inhibits
        select_all=False,
    )
    st.multiselect(
        "Qualifiers (optional): type each, such as population",
        [],
        key="relation·qualifiers",
        accept_new_options=True,
        select_all=False,
    )
    st.button("Add this relation", key="relation·add", on_click=_add_relation, args=(form, change))


def part_rows(form: SchemaForm, change: Change) -> None:
    with st.expander(
        "3 · Parts that occur more than once in a text (optional)", expanded=bool(form.parts)
    ):
        st.caption("Such as doses, each with an amount and a unit; or patients, each with an age.")
        for number, part in enumerate(form.parts):
            fields = ", ".join(f"{field.name}: {field.holds}" for field in part.fields)
            _row("part", number, part.name, fields, form=form, change=change)
        st.text_input("Name of the part", key="part·name", max_chars=60, placeholder="Dose")
        holds = [*PLAIN, *(thing.name for thing in form.things)]
        st.multiselect(
            "Its fields: type each as name: kind",
            [f"{thing.name.lower()}: {thing.name}" for thing in form.things],
            key="part·fields",
            accept_new_options=True,
            help=f"Kinds are {', '.join(holds)}. Without a kind it is text.",
            select_all=False,
        )
        st.button("Add this part", key="part·add", on_click=_add_part, args=(form, change))


def _row(
    kind: str, number: int, title: str, facts: str, *, form: SchemaForm, change: Change
) -> None:
    words, again, away = st.columns([6, 1, 1], vertical_alignment="center")
    words.text(f"{title}  ({facts})" if facts else title)
    again.button(
        "Change",
        key=f"{kind}·change·{number}",
        type="tertiary",
        on_click=_take_out,
        args=(kind, number, form, change, True),
    )
    away.button(
        "Remove",
        key=f"{kind}·remove·{number}",
        type="tertiary",
        on_click=_take_out,
        args=(kind, number, form, change, False),
    )


def _take_out(kind: str, number: int, form: SchemaForm, change: Change, again: bool) -> None:  # noqa: PLR0917
    """Take an entry out of the form; with `again` it goes back into the fields to be changed."""
    if kind == "thing":
        thing = form.things[number]
        if again:
            state.put("thing·name", thing.name)
            state.put("thing·kind", thing.category)
            state.put("thing·vocabularies", list(thing.vocabularies))
            state.put("thing·branch", thing.branch)
            state.put("thing·example", thing.example)
        change(replace(form, things=_without(form.things, number)))
    elif kind == "relation":
        relation = form.relations[number]
        if again:
            state.put("relation·subject", relation.subject)
            state.put("relation·object", relation.object)
            state.put(
                "relation·predicates",
                [_predicate_words(predicate) for predicate in relation.predicates],
            )
            state.put("relation·qualifiers", list(relation.qualifiers))
        change(replace(form, relations=_without(form.relations, number)))
    else:
        part = form.parts[number]
        if again:
            state.put("part·name", part.name)
            state.put("part·fields", [f"{field.name}: {field.holds}" for field in part.fields])
        change(replace(form, parts=_without(form.parts, number)))


def _without(entries: tuple[T, ...], number: int) -> tuple[T, ...]:
    return entries[:number] + entries[number + 1 :]


def _usual(desk: Desk) -> None:
    """The vocabularies that things of this kind are usually found in."""
    kind = state.get("thing·kind") or schema_building.thing_kinds()[0]
    state.put("thing·vocabularies", schema_building.vocabularies_of(desk, Category(kind)))


def _guess_kind(desk: Desk) -> None:
    """A thing called *Disease* is a disease, until another kind is chosen."""
    guessed = schema_building.kind_of(str(state.get("thing·name") or ""))
    if guessed is not None:
        state.put("thing·kind", guessed)
        _usual(desk)


def _add_thing(form: SchemaForm, change: Change) -> None:
    name = str(state.get("thing·name") or "").strip()
    if not name:
        state.show_message("Give the thing a name.", "error")
        return
    try:
        name = schema_building.checked_name(name)
    except InputError as error:
        state.show_message(str(error), "error")
        return
    thing = ThingForm(
        name,
        Category(state.get("thing·kind")),
        tuple(state.get("thing·vocabularies") or ()),
        branch=str(state.get("thing·branch") or "").strip(),
        example=str(state.get("thing·example") or "").strip(),
    )
    change(replace(form, things=(*form.things, thing)))
    if len(form.things) == 1:  # a relation is between the first and the second, until chosen
        state.put("relation·object", name)
    for field in ("name", "branch", "example"):
        state.put(f"thing·{field}", "")


def _add_relation(form: SchemaForm, change: Change) -> None:
    chosen = [str(words) for words in state.get("relation·predicates") or ()]
    if not chosen:
        state.show_message("Choose a predicate, or type one of your own.", "error")
        return
    relation = RelationForm(
        str(state.get("relation·subject")),
        tuple(_predicate(words) for words in chosen),
        str(state.get("relation·object")),
        tuple(str(words).strip() for words in state.get("relation·qualifiers") or ()),
    )
    change(replace(form, relations=_with(form.relations, relation)))
    state.put("relation·predicates", [])
    state.put("relation·qualifiers", [])


def _with(relations: tuple[RelationForm, ...], added: RelationForm) -> tuple[RelationForm, ...]:
    """Between the same two things there is one relation, with all its predicates."""
    for number, relation in enumerate(relations):
        if (relation.subject, relation.object) == (added.subject, added.object):
            joined = replace(
                relation,
                predicates=tuple(dict.fromkeys((*relation.predicates, *added.predicates))),
                qualifiers=tuple(dict.fromkeys((*relation.qualifiers, *added.qualifiers))),
            )
            return (*relations[:number], joined, *relations[number + 1 :])
    return (*relations, added)


def _add_part(form: SchemaForm, change: Change) -> None:
    name = str(state.get("part·name") or "").strip()
    field_words = [str(words).partition(":") for words in state.get("part·fields") or ()]
    range_by_words = {
        words.lower(): words for words in (*PLAIN, *(thing.name for thing in form.things))
    }
    fields = tuple(
        FieldForm(field.strip(), range_by_words.get(holds.strip().lower(), PLAIN[0]))
        for field, _, holds in field_words
        if field.strip()
    )
    if not name or not fields:
        state.show_message("Give the part a name and at least one field.", "error")
        return
    try:
        name = schema_building.checked_name(name)
    except InputError as error:
        state.show_message(str(error), "error")
        return
    change(replace(form, parts=(*form.parts, PartForm(name, fields))))
    state.put("part·name", "")
    state.put("part·fields", [])


def _predicates() -> list[str]:
    """Short names first: who types *treats* and Enter means *treats*."""
    listed = relation_choices()
    by_length = sorted(listed, key=lambda predicate: (len(predicate.name), predicate.name))
    return [_predicate_words(predicate) for predicate in by_length]


def _predicate_words(predicate: PredicateForm) -> str:
    """`directly positively regulates activity of (activates) · RO:0002450`; of the curator's own
    only its name.
    """
    listed = predicate_by_curie().get(predicate.curie)
    words = listed.words if listed is not None and listed.name == predicate.name else ()
    also = f" ({', '.join(words)})" if words else ""
    return f"{predicate.name}{also} · {predicate.curie}" if predicate.curie else predicate.name


def _predicate(words: str) -> PredicateForm:
    """A predicate of the list, or one of the curator's own."""
    name, _, curie = (part.strip() for part in words.rpartition(" · "))
    listed = predicate_by_curie().get(curie)
    if listed is not None and words == _predicate_words(listed):
        return listed
    return PredicateForm(name, curie) if name else PredicateForm(words.strip())
