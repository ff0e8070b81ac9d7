"""The project's own relation rules: made from two marked examples, previewed, kept, taken back."""

from __future__ import annotations

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.learning import own_rules
from core.services.learning.own_rules import RulePreview
from core.services.shared.screen import counted
from pages.components.shared import state
from pages.components.shared.page import acting_orcid

PREVIEW = "own_rules·preview"
EXAMPLES = ("own_rules·first", "own_rules·second")
RELATION = "own_rules·relation"


def own_rule_desk(desk: Desk) -> None:
    """The form, what the rule would find, and the rules that the project has."""
    st.markdown("#### Rules of this project")
    st.caption(
        "Mark two sentences that say the same in the same words: <…> around what acts, [...] around"
        " what it acts on. Every text read from then on is read with the rule."
    )
    st.selectbox("Relation", own_rules.RELATIONS, key=RELATION)
    for key, words in zip(EXAMPLES, ("One sentence", "Another one"), strict=True):
        st.text_input(words, key=key, placeholder="<Gefitinib> abrogates [EGFR] signalling.")
    st.button("Show what it would find", on_click=_look, args=(desk,), icon=":material/search:")
    if isinstance(preview := state.get(PREVIEW), RulePreview):
        _found(desk, preview)
    for rule in own_rules.own_rules(desk):
        shown, button = st.columns([5, 1], vertical_alignment="center")
        shown.text(f"{own_rules.rule_words(rule)}\n{rule.example}")
        button.button(
            "Take back",
            key=f"own_rules·remove·{rule.name}",
            on_click=_remove,
            args=(desk, rule.name),
        )


def _found(desk: Desk, preview: RulePreview) -> None:
    more = "At least " if preview.cut else ""
    st.text(
        f"{own_rules.rule_words(preview.rule)}: {more}"
        f"{counted(len(preview.found), 'sentence')} in {preview.read:,} of"
        f" {counted(preview.texts, 'text')}."
    )
    if preview.found:
        st.dataframe(
            [{"document": document, "sentence": words} for document, words in preview.found],
            hide_index=True,
        )
    st.button("Keep this rule", on_click=_keep, args=(desk, preview), type="primary")


def _look(desk: Desk) -> None:
    examples = [str(state.get(key, "")) for key in EXAMPLES]
    state.drop(PREVIEW)
    try:
        rule = own_rules.rule_of_examples(str(state.get(RELATION)), examples)
        state.put(PREVIEW, own_rules.preview_rule(desk, rule))
    except GroundworkError as error:
        state.show_message(str(error), "error")


def _keep(desk: Desk, preview: RulePreview) -> None:
    try:
        own_rules.add_rule(desk, preview.rule, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.drop(PREVIEW)


def _remove(desk: Desk, name: str) -> None:
    try:
        own_rules.remove_rule(desk, name, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
