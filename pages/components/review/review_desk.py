"""The queue in the browser: the next statements are there before they are asked for, and a key
judges the one on screen at once (`browser/review.js`). What was pressed comes here with an id and
the version that was on screen, is stored in order, and what became of each press is told back.

Keys: a approve, x reject, s unsure, u undo, k and j previous and next; t another term, w swap ends,
n negate, q qualifiers, e the edit form, l all alike; 1–9 and Enter choose in an open panel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Curator, Reason, State
from core.services.review import key_press, queue
from core.services.review.authority import IdRemarks
from core.services.review.card import statement_cards
from core.services.review.queue import QueueView, StatementRow
from core.services.review.reading_desk import AHEAD, LEAST, READY, queue_slice
from core.services.vocabularies.same_things import also_words, not_preferred_words
from pages.components.review.card_row import card_row, slice_row
from pages.components.shared import state
from pages.components.shared.browser_component import browser_component
from pages.components.shared.page import curator_orcid

KEY, MEMORY, OPEN, FRESH, AGAIN = (
    "review-desk",
    "_review_memory",
    "_review_open",
    "_review_fresh",
    "_review_again",
)
MOST_RESULTS = 120  # told back with every key: more than a browser sends at once
_desk = browser_component("review", Path(__file__).parent / "browser")


@dataclass
class DeskMemory:
    """What one session has sent to its browser."""

    view: str = ""
    rows: list[StatementRow] = field(default_factory=list)
    cards: dict[str, dict[str, Any]] = field(default_factory=dict)
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    at: str = ""
    total: int = 0
    uncounted: set[str] = field(default_factory=set)  # rows that the filter leaves out of `total`
    trouble: str = ""
    window: str = ""
    outside: dict[str, Any] = field(default_factory=lambda: {"number": 0, "states": {}})
    asked: int = 0  # the form asked for last
    calm: tuple[str, int] = ("", 0)
    heard: str = ""  # the message that was answered last


def memory() -> DeskMemory:
    desk_memory = state.get(MEMORY)
    if not isinstance(desk_memory, DeskMemory):
        desk_memory = DeskMemory(at=state.url_value("id"))
        state.put(MEMORY, desk_memory)
    return desk_memory


def decided_elsewhere(states: Mapping[str, State]) -> None:
    """Tell the browser what a form of the page decided, so that the queue goes on."""
    desk_memory = memory()
    desk_memory.outside = {
        "number": int(desk_memory.outside["number"]) + 1,
        "states": {id: str(new_state) for id, new_state in states.items()},
        "window": desk_memory.window,
    }
    for id in states:
        desk_memory.cards.pop(id, None)


@st.fragment
def review_desk(desk: Desk, view: QueueView, person: Curator | None) -> None:
    """The bar, the statement in view and the list. A key press redraws this part of the page."""
    if state.get(AGAIN):
        state.drop(AGAIN)
        st.rerun()
    desk_memory = memory()
    _fill(desk, view, desk_memory)
    _desk(
        key=KEY,
        data=_data(desk, view, person, desk_memory),
        on_desk_change=lambda: _heard(desk, person),
    )


def _data(
    desk: Desk, view: QueueView, person: Curator | None, desk_memory: DeskMemory
) -> dict[str, Any]:
    return {
        "project": desk.settings.project.name,
        "view": desk_memory.view,
        "rows": [slice_row(row) for row in desk_memory.rows],
        "cards": _cards(desk, desk_memory, curator_orcid()),
        "heard": desk_memory.heard,  # an answer like the one before is not given to the browser
        "results": desk_memory.results,
        "trouble": desk_memory.trouble,
        "at": desk_memory.at,
        "total": desk_memory.total,
        "more": len(desk_memory.rows) >= AHEAD,
        "leaves": view.leaves,
        "outside": desk_memory.outside,
        "curator": curator_orcid(),
        "off": person is None,
        "reasons": [str(reason) for reason in Reason],
        "empty": view.empty,
    }


def _fill(desk: Desk, view: QueueView, desk_memory: DeskMemory) -> None:
    """Fetch the next statements when few are left, the view is another, or the page is drawn."""
    curator = curator_orcid()
    places = [row.id for row in desk_memory.rows]
    here = places.index(desk_memory.at) if desk_memory.at in places else -1
    changed = desk_memory.view != view.key
    low = here < 0 or (len(places) - here <= LEAST and len(places) >= AHEAD)
    fresh = bool(state.get(FRESH))
    if not (changed or fresh or (low and desk_memory.at)):
        return
    linked = state.url_value("id") if fresh else ""  # a link into the same view
    state.drop(FRESH)
    if linked or (changed and desk_memory.view):
        desk_memory.at = linked or state.url_value("id")
    desk_memory.view = view.key
    desk_memory.rows = queue_slice(
        desk, view.filter, view.order, at=desk_memory.at, curator=curator
    )
    desk_memory.total = queue.count_queue(desk, view.filter)
    states = view.filter.states
    desk_memory.uncounted = {
        row.id for row in desk_memory.rows if states and row.state not in states
    }
    version_by_id = {row.id: row.version for row in desk_memory.rows}
    desk_memory.cards = {
        id: row
        for id, row in desk_memory.cards.items()
        if version_by_id.get(id, row["version"]) == row["version"]
    }
    if fresh:  # what a card says of its papers and rules may have changed on another page
        desk_memory.cards.clear()


def _cards(desk: Desk, desk_memory: DeskMemory, reader: str) -> list[dict[str, Any]]:
    """The statement in view and its neighbours with everything on them, each made once."""
    places = [row.id for row in desk_memory.rows]
    here = places.index(desk_memory.at) if desk_memory.at in places else 0
    ids = dict.fromkeys([*places[max(here - 2, 0) : here + READY], desk_memory.at])
    card_ids = [id for id in ids if id]
    new_cards = statement_cards(
        desk, [id for id in card_ids if id not in desk_memory.cards], reader
    )
    remarks = IdRemarks(desk, [card.record for card in new_cards])
    for card in new_cards:
        problems = remarks.problems(card.record.statement)
        words = [f"{problem.message} The export will hold it back." for problem in problems]
        words += also_words(desk, card.record.statement)
        words += not_preferred_words(desk, card.record)
        desk_memory.cards[card.record.id] = card_row(card, words)
    desk_memory.cards = {id: desk_memory.cards[id] for id in list(desk_memory.cards)[-4 * AHEAD :]}
    return [desk_memory.cards[id] for id in card_ids if id in desk_memory.cards]


def _heard(desk: Desk, person: Curator | None) -> None:
    """Store what was pressed, then do what was asked for."""
    now: Mapping[str, Any] = (state.get(KEY) or {}).get("desk") or {}
    desk_memory = memory()
    desk_memory.window = str(now.get("window"))[:40]
    desk_memory.heard = f"{desk_memory.window} {now.get('number')}"[:60]
    desk_memory.at = str(now.get("at") or "")[:100]
    new_presses = [
        press
        for press in key_press.presses_of_message(now.get("presses"))
        if press.id not in desk_memory.results
    ]
    desk_memory.trouble = ""
    if new_presses and person is not None:
        try:
            _take(desk, person, desk_memory, new_presses)
        except GroundworkError as error:
            desk_memory.trouble = str(error)
    state.set_url(id=desk_memory.at)
    calm = (desk_memory.window, int(now.get("calm") or 0))
    if calm != desk_memory.calm:
        desk_memory.calm = calm
        state.put(AGAIN, bool(calm[1]))
    _open_form(now.get("open"), desk_memory)


def _take(
    desk: Desk, person: Curator, desk_memory: DeskMemory, new_presses: list[key_press.KeyPress]
) -> None:
    for earlier in desk_memory.results.values():
        earlier.pop("undone", None)  # the browser has heard of them
    for press in new_presses:
        (result,) = key_press.store_presses(desk, [press], person)
        desk_memory.results[press.id] = {
            "saved": result.saved,
            "words": result.words,
            "statement": result.statement,
            "version": result.version,
            "state": result.state,
        }
        for id in (press.statement, result.statement):
            desk_memory.cards.pop(id, None)
        if result.undone:
            desk_memory.results[press.id]["undone"] = list(result.undone)
        if result.undone or not result.saved:
            state.put(FRESH, True)  # rows are at other versions than those that were sent
        if result.saved and not press.target and press.kind == key_press.UNDO:
            desk_memory.at = result.statement
        elif result.saved and press.statement not in desk_memory.uncounted:
            desk_memory.total += (
                1 if press.kind == key_press.UNDO else -1 if not press.evidence else 0
            )
    while len(desk_memory.results) > MOST_RESULTS:
        desk_memory.results.pop(next(iter(desk_memory.results)))


def _open_form(message: Any, desk_memory: DeskMemory) -> None:
    """A form that the browser asks for is opened once, by the page."""
    number = message.get("number") if isinstance(message, Mapping) else None
    if not isinstance(number, int) or not isinstance(message, Mapping):
        return
    token = hash((desk_memory.window, number))
    if token == desk_memory.asked:
        return
    desk_memory.asked = token
    state.put(OPEN, dict(message))
    state.put(AGAIN, True)
