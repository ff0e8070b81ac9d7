"""The grounding table: what a typed id changes, where a mistake is told, and how relations read."""

from __future__ import annotations

from dataclasses import replace

import pytest
import streamlit as st

from core.errors import InputError
from core.model import Candidate, Category, MatchKind, Mention, Outcome, Span, Term
from pages.components.extract import mention_table
from pages.components.extract.mention_table import MentionServices, everywhere_key
from pages.components.shared import state


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    session_state: dict[str, object] = {"editor": {"edited_rows": {"0": {"id": " MESH:D008727 "}}}}
    monkeypatch.setattr(st, "session_state", session_state)
    return session_state


def type_into(choose) -> None:  # type: ignore[no-untyped-def]
    mention_table._edited("editor", ["a"], "run", MentionServices(choose, lambda cls, words: ()))


@pytest.mark.parametrize(("ticked", "everywhere"), [(None, True), (True, True), (False, False)])
def test_a_typed_id_follows_the_tick_box(session, ticked, everywhere) -> None:  # type: ignore[no-untyped-def]
    changes: list[tuple[object, ...]] = []
    if ticked is not None:
        session[everywhere_key("run")] = ticked
    type_into(lambda *arguments: changes.append(arguments) or 1)
    assert changes == [("a", "MESH:D008727", None, everywhere)]


def test_mention_table_says_how_many_mentions_changed() -> None:
    type_into(lambda *arguments: 3)
    assert state.take_messages() == [("toast", "3 identical mentions were changed.")]


def test_bad_id_is_reported_without_moving_the_page() -> None:
    def choose(*arguments: object) -> int:
        raise InputError("There is no MESH:D008727.")

    type_into(choose)
    assert [kind for kind, _ in state.take_messages()] == ["toast"]


def test_a_relation_is_shown_in_the_words_of_the_text() -> None:
    relation = Term("RO:0003302", "HAS_EFFECT_ON")
    mention = Mention(
        "HAS_EFFECT_ON",
        "p",
        "P",
        Category.RELATION,
        (Span(2, 10),),
        (),
        relation,
        "engine",
        Outcome.GROUNDED,
    )
    row = mention_table._row(mention, False, "A acts\n on B.")
    assert (row["words"], row["label"]) == ("acts on", "has effect on")


def offered(*scores: float, outcome: Outcome = Outcome.AMBIGUOUS) -> Mention:
    terms = [Candidate(Term(f"M:{n}", f"m{n}"), MatchKind.EXACT, s) for n, s in enumerate(scores)]
    return Mention("m", "a", "Thing", candidates=tuple(terms), outcome=outcome)


def test_the_number_of_equally_good_terms_is_shown() -> None:
    tied = offered(0.95, 0.95, 0.6)
    assert mention_table.mention_status(tied) == "≟ 2 terms fit equally well"
    assert mention_table.FILTERS["need a look"](tied)
    assert mention_table._row(tied, False, "")["margin"] == 0


def test_the_margin_is_the_distance_to_a_second_candidate_if_any() -> None:
    clear = replace(offered(0.95, 0.6, outcome=Outcome.GROUNDED), chosen=Term("M:0", "m0"))
    assert mention_table._row(clear, False, "")["margin"] == 0.35
    assert mention_table._row(offered(0.95), False, "")["margin"] is None
    by_hand = replace(clear, chosen=Term("M:1", "m1"), chosen_by="0000-0002-1825-0097")
    assert mention_table._row(by_hand, False, "")["margin"] is None
