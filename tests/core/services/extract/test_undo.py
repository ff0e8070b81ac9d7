"""Choices on mentions taken back, one gesture at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.extraction.choice import with_choices
from core.model import Outcome, Term
from core.services.extract.mention_choice import take_back_choice, undoable_slots
from core.store.run import MentionChoice
from tests import reviewing
from tests.reviewing import ANNA, BEN


def opened(tmp_path: Path):  # type: ignore[no-untyped-def]
    desk = reviewing.filled(tmp_path)
    mention = desk.store.runs.extraction("r1").mentions[0]
    return desk, "r1", mention


def choose(desk, slot: str, curator: str, term: Term | None) -> None:  # type: ignore[no-untyped-def]
    outcome = Outcome.GROUNDED if term else Outcome.NO_TERM_FITS
    desk.store.runs.add_choice(MentionChoice("r1", slot, outcome, term, curator, desk.clock()))
    if term:
        desk.store.synonyms.add("Aspirin", "aspirin", term, curator)


def standing(desk):  # type: ignore[no-untyped-def]
    return with_choices(desk.store.runs.extraction("r1"), desk.store.runs.choices("r1")).mentions[0]


def test_undo_restores_the_engines_term_and_label(tmp_path: Path) -> None:
    desk, run, before = opened(tmp_path)
    choose(desk, before.slot, ANNA.orcid, None)
    assert undoable_slots(desk, run) == {before.slot}
    assert take_back_choice(desk, run, before.slot) == (before.slot,)
    assert standing(desk) == before
    assert not undoable_slots(desk, run)


def test_each_choice_can_be_taken_back_in_turn(tmp_path: Path) -> None:
    desk, run, before = opened(tmp_path)
    choose(desk, before.slot, ANNA.orcid, None)
    choose(desk, before.slot, BEN.orcid, before.chosen)
    take_back_choice(desk, run, before.slot)
    mention = standing(desk)
    assert (mention.outcome, mention.chosen_by) == (Outcome.NO_TERM_FITS, ANNA.orcid)
    take_back_choice(desk, run, before.slot)
    with pytest.raises(InputError):
        take_back_choice(desk, run, before.slot)


def test_the_synonym_that_a_choice_made_is_forgotten_and_an_older_one_stays(tmp_path: Path) -> None:
    desk, run, before = opened(tmp_path)
    assert before.chosen
    choose(desk, before.slot, ANNA.orcid, before.chosen)
    assert desk.store.synonyms.lookup("aspirin") == [before.chosen]
    take_back_choice(desk, run, before.slot)
    assert desk.store.synonyms.lookup("aspirin") == []
    desk.store.synonyms.add("aspirin", "aspirin", before.chosen, ANNA.orcid)
    choose(desk, before.slot, ANNA.orcid, before.chosen)
    take_back_choice(desk, run, before.slot)
    assert desk.store.synonyms.lookup("aspirin") == [before.chosen]
