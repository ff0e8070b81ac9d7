"""The form beside the grounding table: one mention in its sentence, its ranked candidates, a
search, and outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.errors import GroundworkError
from core.model import Candidate, Mention, Outcome, Span, fold_words
from core.services.extract.result import place_words
from pages.components.extract.mention_table import (
    MentionServices,
    everywhere_key,
    label_of,
    mention_status,
    mention_text,
    move_focus,
    only_here_key,
    try_choice,
    undo_choice,
)
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.term import curie_html
from pages.components.shared.text import MarkedWords, excerpt, highlighted_html

SHOWN = 8  # candidates with a button of their own, and a key
MODIFIER = (  # with every key: a sign alone may be part of an id that is being typed into the table
    "Alt"
)


def mention_form(
    mention: Mention, mentions: Sequence[Mention], text: str, run: str, *, choosing: MentionServices
) -> None:
    """Choices by key, all with Alt: 1–8 a candidate, 0 no term fits, Z takes back, J and K the next
    and the one before. No key alone does anything, so that none fires while an id is typed.
    """
    back_column, on = st.columns(2)
    back_column.button(
        "Back",
        key="mention·k",
        shortcut=f"{MODIFIER}+K",
        on_click=move_focus,
        args=(mentions, run, -1),
        width="stretch",
    )
    on.button(
        "Next",
        key="mention·j",
        shortcut=f"{MODIFIER}+J",
        on_click=move_focus,
        args=(mentions, run, 1),
        width="stretch",
    )
    _where(mention, text)
    words = (mention.cls, place_words(mention.slot), mention_status(mention))
    st.caption(" · ".join(escaped(part) for part in words))
    everywhere = _everywhere(mention, mentions, run)
    if any(candidate.taxon for candidate in mention.candidates):
        species_choice(mention, run, choosing, everywhere)
    for number, candidate in enumerate(mention.candidates[:SHOWN], 1):
        _offer(mention, candidate, choosing, everywhere=everywhere, key=f"{MODIFIER}+{number}")
    if not mention.candidates:
        st.caption(
            "No vocabulary has a term like these words. Search, type an id in the table, or say"
            " that no term fits."
        )
    st.button(
        f"{Outcome.NO_TERM_FITS.capitalize()}",
        key=state.key("none", mention.slot),
        shortcut=f"{MODIFIER}+0",
        on_click=try_choice,
        args=(choosing, mention.slot, "", Outcome.NO_TERM_FITS, everywhere),
        width="stretch",
        icon=":material/block:",
    )
    if mention.slot in choosing.takeable:
        st.button(
            "Take back",
            key=state.key("back", mention.slot),
            shortcut=f"{MODIFIER}+Z",
            on_click=undo_choice,
            args=(choosing, mention.slot),
            width="stretch",
            icon=":material/undo:",
            help="Restores the choice before the last one.",
        )
    _search(mention, run, choosing, everywhere)


def _where(mention: Mention, text: str) -> None:
    if not mention.spans:
        st.text(mention_text(mention, text))
        st.warning("Not found in the text. Check before approving.", icon=":material/search_off:")
        return
    words, offset = excerpt(text, mention.spans[0], 70)
    span = Span(mention.spans[0].start - offset, mention.spans[0].end - offset)
    flat = "".join(
        " " if sign.isspace() else sign for sign in words
    )  # one line, and the offsets stay
    st.html(
        highlighted_html(
            flat,
            [
                MarkedWords(
                    span, mention.category, str(mention.category), state=mention.outcome, focus=True
                )
            ],
        )
    )


def _everywhere(mention: Mention, mentions: Sequence[Mention], run: str) -> bool:
    st.checkbox(
        "Only in this text",
        key=only_here_key(run),
        help="The term you choose is not remembered for these words in other texts.",
    )
    same = [
        m
        for m in mentions
        if m.cls == mention.cls and fold_words(m.text) == fold_words(mention.text)
    ]
    if len(same) < 2:
        return False
    return st.checkbox(
        f"Use for all {len(same)} identical mentions", value=True, key=everywhere_key(run)
    )


def _offer(
    mention: Mention,
    candidate: Candidate,
    choosing: MentionServices,
    *,
    everywhere: bool,
    key: str = "",
) -> None:
    """One candidate: a button with its label, and under it what it is and why it matched."""
    term = candidate.term
    chosen = mention.chosen is not None and mention.chosen.id == term.id
    kind = choosing.kinds(mention.cls, candidate)
    st.button(
        escaped(f"{'✓ ' if chosen else ''}{label_of(term, mention.category)}", 80),
        key=state.key("take", mention.slot, term.id, key or "found"),
        shortcut=key or None,
        type="primary" if chosen else "secondary",
        on_click=try_choice,
        args=(choosing, mention.slot, term.id, None, everywhere),
        width="stretch",
    )
    st.html(f'<div class="gw-why">{curie_html(term.id)} {_why(candidate, kind)}</div>')


def _why(candidate: Candidate, kind: str) -> str:
    parts = [kind, f"{candidate.match} {candidate.score:.2f}"]
    surface = fold_words(candidate.surface)
    parts += (
        [f"as “{candidate.surface}”"]
        if surface and surface != fold_words(candidate.term.label)
        else []
    )
    parts += [f"differs in {candidate.differed}"] if candidate.differed else []
    parts += [f"{candidate.vocabulary} {candidate.version}".strip()] if candidate.vocabulary else []
    parts += [candidate.taxon] if candidate.taxon else []
    if candidate.obsolete:
        parts.append(
            f"obsolete, use {candidate.replaced_by}" if candidate.replaced_by else "obsolete"
        )
    return escape(" · ".join(part for part in parts if part))


def _search(mention: Mention, run: str, choosing: MentionServices, everywhere: bool) -> None:
    words = st.text_input(
        "Search the vocabularies",
        key=state.key("find", run, mention.slot),
        type="search",
        max_chars=200,
    )
    if choosing.services:
        _ask_service(
            mention,
            run,
            choosing,
            everywhere=everywhere,
            words=words.strip() or _own_words(mention),
        )
    if not words.strip():
        return
    try:
        match = choosing.search(mention.cls, words)
    except GroundworkError as error:
        st.text(f"✕ {error}")
        return
    if not match:
        st.caption("Nothing found. Try fewer words, or another spelling.")
    for candidate in match[:SHOWN]:
        _offer(mention, candidate, choosing, everywhere=everywhere)


def _own_words(mention: Mention) -> str:
    return " ".join(mention.text.split())[:200]


def _ask_service(
    mention: Mention, run: str, choosing: MentionServices, *, everywhere: bool, words: str
) -> None:
    """Ask a remote service, only when the button is pressed; what it offers can be chosen."""
    with st.expander("Ask a remote service", icon=":material/travel_explore:"):
        service = st.selectbox(
            "Service",
            list(choosing.services),
            format_func=choosing.services.__getitem__,
            key=state.key("service", run),
        )
        st.caption(f"Sends “{escaped(words)}” to the service. The answer is recorded.")
        if not st.button("Ask", key=state.key("ask", run, mention.slot)) or not service:
            return
        try:
            offered = choosing.ask(service, mention.cls, words)
        except GroundworkError as error:
            st.text(f"✕ {error}")
            return
        if not offered:
            st.caption("The service offers no term that fits here.")
        for candidate in offered[:SHOWN]:
            _offer(mention, candidate, choosing, everywhere=everywhere)


WHENCE = {"": "", "text": "named in the text", "document": "the default of this run"}


def species_choice(mention: Mention, run: str, choosing: MentionServices, everywhere: bool) -> None:
    """The species of this gene, of equal mentions where `everywhere`, or of every gene of the
    text.
    """
    options = list(
        dict.fromkeys(["", *([mention.taxon] if mention.taxon else []), *choosing.species])
    )
    names = {"": "not known", **choosing.species}
    key = state.key("species", run, mention.slot, mention.taxon, mention.taxon_by)
    every_gene = st.checkbox("For every gene of this text", key=state.key("species-all", run))
    st.selectbox(
        "Species",
        options,
        index=options.index(mention.taxon),
        key=key,
        format_func=lambda taxon: names.get(taxon, taxon),
        on_change=_set,
        args=(key, mention.slot, choosing, everywhere, every_gene),
    )
    whence = WHENCE.get(mention.taxon_by, "set by hand")
    if whence:
        st.caption(f"Species: {whence}.")


def _set(  # noqa: PLR0917
    key: str, slot: str, choosing: MentionServices, everywhere: bool, every_gene: bool
) -> None:
    try:
        choosing.set_species("" if every_gene else slot, str(state.get(key) or ""), everywhere)
    except GroundworkError as error:
        state.show_message(str(error), "error")
