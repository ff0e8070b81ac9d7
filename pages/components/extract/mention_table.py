"""The grounding table: one row a mention, its id editable in place, each edit kept at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from core.errors import GroundworkError
from core.model import Candidate, Category, MatchKind, Mention, Outcome, Term, relation_words
from core.services.extract.engines import chosen_by_hand
from core.services.extract.mention_choice import margin_to_second, tie_words
from core.services.extract.result import place_words
from pages.components.shared import state
from pages.components.shared.term import OUTCOME_ICONS

PAGE = 25  # rows; so the table never scrolls inside itself
FILTERS: dict[str, Callable[[Mention], bool]] = {
    "all": lambda mention: True,
    "need a look": lambda mention: (
        mention.outcome in (Outcome.AMBIGUOUS, Outcome.UNGROUNDED) or bool(mention.flags)
    ),
    "without id": lambda mention: mention.chosen is None,
    "not in text": lambda mention: "not in text" in mention.flags,
}


class MentionServices(NamedTuple):
    """What the table and the form may ask of the services; both raise GroundworkError with words
    for the curator.

    `choose(slot, id, outcome, everywhere)` keeps a choice; `search(class, words)` looks for terms
    that fit the class. `choose` gives how many mentions it changed. `take_back(slot)` undoes the
    last choice of one of `takeable`. `set_species(slot, taxon, everywhere)` says of which of
    `species` (id → name) a gene is; slot "" is the whole text. `ask(service, class, words)` asks
    one of the remote `services` (name → title) for terms. `kinds(class, candidate)` says of which
    kind a term is, where a class stands for several.
    """

    choose: Callable[[str, str, Outcome | None, bool], int]
    search: Callable[[str, str], Sequence[Candidate]]
    set_species: Callable[[str, str, bool], None] = lambda slot, taxon, everywhere: None
    species: Mapping[str, str] = {}
    take_back: Callable[[str], int] = lambda slot: 0
    takeable: frozenset[str] = frozenset()
    ask: Callable[[str, str, str], Sequence[Candidate]] = lambda service, cls, words: ()
    services: Mapping[str, str] = {}
    kinds: Callable[[str, Candidate], str] = lambda cls, candidate: ""


def mention_table(
    mentions: Sequence[Mention],
    run: str,
    version: object,
    choosing: MentionServices,
    *,
    text: str = "",
) -> Mention | None:
    """Draw the table and give the mention in focus. `version` changes whenever what the store holds
    of it changes; `text` is what the spans of the mentions are of.
    """
    mentions_shown, part = _filtered(mentions, run)
    if not mentions_shown:
        st.caption("There are no mentions of this kind.")
        return None
    focus = _focus(mentions_shown, run)
    rows = mentions_shown[part * PAGE : part * PAGE + PAGE]
    slots = [mention.slot for mention in rows]
    edits = state.get(_key(run, "edits"), 0)
    key = state.key(
        "mentions", run, state.get(_key(run, "filter"), "all"), part, version, focus.slot, edits
    )
    st.data_editor(
        pd.DataFrame(
            [_row(mention, mention.slot == focus.slot, text) for mention in rows], index=slots
        ),
        key=key,
        hide_index=True,
        disabled=["words", "label", "match", "score", "margin", "status", "place", "flags"],
        column_config=_columns(),
        height=38 + 35 * len(rows),
        on_change=_edited,
        args=(key, slots, run, choosing),
    )
    return focus


def move_focus(mentions: Sequence[Mention], run: str, step: int) -> None:
    """Put the focus on the next (1) or previous (-1) mention of the filter, and turn to its part of
    the table.
    """
    mentions_shown, _ = _filtered_only(mentions, run)
    focus = _focus(mentions_shown, run) if mentions_shown else None
    if focus is not None:
        at = min(max(mentions_shown.index(focus) + step, 0), len(mentions_shown) - 1)
        state.put(_key(run, "focus"), mentions_shown[at].slot)
        state.put(_key(run, "part"), at // PAGE + 1)


def mention_status(mention: Mention) -> str:
    """`✓ grounded`, `≟ 2 terms fit equally well`, …; a curator's choice says so."""
    if tie := tie_words(mention):
        return f"{OUTCOME_ICONS[mention.outcome]} {tie}"
    by = " by hand" if chosen_by_hand(mention.chosen_by) else ""
    return f"{OUTCOME_ICONS[mention.outcome]} {mention.outcome}{by if mention.chosen else ''}"


def _key(run: str, name: str) -> str:
    return state.key("mentions", run, name)


def _filtered_only(mentions: Sequence[Mention], run: str) -> tuple[list[Mention], str]:
    chosen = state.get(_key(run, "filter")) or "all"
    return [mention for mention in mentions if FILTERS[chosen](mention)], chosen


def _filtered(mentions: Sequence[Mention], run: str) -> tuple[list[Mention], int]:
    """The mentions of the chosen filter, and the part of the table in view (from 0)."""
    counts = {name: sum(map(rule, mentions)) for name, rule in FILTERS.items()}
    left, right = st.columns([5, 2], vertical_alignment="bottom")
    left.segmented_control(
        "Show",
        list(FILTERS),
        default="all",
        required=True,
        key=_key(run, "filter"),
        format_func=lambda name: f"{name} ({counts[name]})",
        label_visibility="collapsed",
        wrap=True,
    )
    mentions_shown, _ = _filtered_only(mentions, run)
    parts = max(1, -(-len(mentions_shown) // PAGE))
    if parts == 1:
        return mentions_shown, 0
    state.put(_key(run, "part"), min(int(state.get(_key(run, "part")) or 1), parts))
    right.number_input(f"Part (of {parts})", 1, parts, key=_key(run, "part"))
    return mentions_shown, int(state.get(_key(run, "part"))) - 1


def _focus(mentions_shown: Sequence[Mention], run: str) -> Mention:
    slot = state.get(_key(run, "focus"), "")
    return next((mention for mention in mentions_shown if mention.slot == slot), mentions_shown[0])


def mention_text(mention: Mention, text: str) -> str:
    """The words of the text; a relation that a schema names in capitals has other words there."""
    if mention.category is not Category.RELATION:
        return mention.text
    quote = " ".join(mention.spans[0].quote(text).split()) if mention.spans else ""
    return quote or relation_words(Term("", mention.text))


def label_of(term: Term, category: Category) -> str:
    """A term's label, a relation's as it reads."""
    return relation_words(term) if category is Category.RELATION else term.label


def _row(mention: Mention, open_: bool, text: str) -> dict[str, Any]:
    chosen = mention.chosen
    best = next((c for c in mention.candidates if chosen and c.term.id == chosen.id), None)
    best = best or (mention.candidates[0] if mention.candidates and not chosen else None)
    hand = chosen is not None and (best is None or best.term.id != chosen.id)
    return {
        "open": open_,
        "words": mention_text(mention, text),
        "id": chosen.id if chosen else "",
        "label": label_of(chosen, mention.category) if chosen else "",
        "status": mention_status(mention),
        "match": str(MatchKind.CURATOR) if hand else str(best.match) if best else "",
        "score": best.score if best and not hand else None,
        "margin": margin_to_second(mention),
        "flags": ", ".join(mention.flags),
        "place": place_words(mention.slot),
    }


def _columns() -> dict[str, Any]:
    column = st.column_config
    return {
        "open": column.CheckboxColumn(
            "Look", help="Tick to see the candidates of this row", width=70
        ),
        "words": column.TextColumn("Words", width=150),
        "id": column.TextColumn(
            "Id", help="Type an id such as MESH:D008750; it is checked immediately", max_chars=80
        ),
        "label": column.TextColumn("Label", width=150),
        "status": column.TextColumn("Status", width=190),
        "match": column.TextColumn("Match", width=110),
        "score": column.NumberColumn("Score", format="%.2f", width=60),
        "margin": column.NumberColumn(
            "Margin",
            help=(
                "How much better the first candidate scores than the second. If it is 0, the order"
                " of the vocabularies decided between equals."
            ),
            format="%.2f",
            width=64,
        ),
        "flags": column.TextColumn("Flags", width=90),
        "place": column.TextColumn("Place", width="medium"),
    }


def _edited(key: str, slots: Sequence[str], run: str, choosing: MentionServices) -> None:
    """Keep each changed cell in the store before anything else is drawn."""
    state.put(_key(run, "edits"), state.get(_key(run, "edits"), 0) + 1)
    for row, cells in sorted(state.cell_edits(key).items()):
        if row >= len(slots):
            continue
        state.put(_key(run, "focus"), slots[row])
        if "id" in cells:
            try_choice(
                choosing,
                slots[row],
                str(cells["id"] or "").strip(),
                everywhere=state.get(everywhere_key(run), True),
            )


def only_here_key(run: str) -> str:
    """Where the form keeps whether a choice holds for this text only."""
    return _key(run, "only-here")


def everywhere_key(run: str) -> str:
    """The tick box “Use for all identical mentions”: a typed id follows it as a button does."""
    return state.key("all", run)


def try_choice(  # noqa: PLR0917
    choosing: MentionServices,
    slot: str,
    term: str,
    outcome: Outcome | None = None,
    everywhere: bool = False,
) -> None:
    """Keep a choice, and say in words, where nothing on the page moves, what happened."""
    try:
        changed = choosing.choose(slot, term, outcome if term == "" else None, everywhere)
    except GroundworkError as error:
        state.show_message(f"✕ {error}", "toast")
        return
    if changed > 1:
        state.show_message(f"{changed} identical mentions were changed.", "toast")


def undo_choice(choosing: MentionServices, slot: str) -> None:
    """Take the last choice on a mention back, with all that were made in the same gesture."""
    try:
        changed = choosing.take_back(slot)
    except GroundworkError as error:
        state.show_message(f"✕ {error}", "toast")
        return
    if changed:
        state.show_message(f"Undone for {changed} mention{'' if changed == 1 else 's'}.", "toast")
