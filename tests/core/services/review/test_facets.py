"""Facets: counts under the rest of the filter; saved views."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import InputError
from core.kb.gate.gate import HoldReason
from core.model import State, Verdict
from core.services.review import decision, facets
from core.services.review.decision import Judgement
from core.store import ExportBarrier, GateResult, QueueFilter
from tests import reviewing
from tests.reviewing import ANNA, NAUSEA, RELIEVES


@pytest.fixture
def desk(tmp_path):
    extraction = reviewing.filled(tmp_path)
    yield extraction
    extraction.close()


def counts(desk, name, wanted):
    return {value.value: value.count for value in facets.facet_values(desk, name, wanted)}


def all_facets(desk, wanted):
    return {name: facets.facet_values(desk, name, wanted) for name in facets.TITLES}


def test_every_facet_counts_what_its_filter_would_show(desk):
    wanted = QueueFilter(states=(State.PROPOSED,))
    for name, values in all_facets(desk, wanted).items():
        for value in values:
            narrowed = QueueFilter(states=wanted.states, **{name: value.value})
            assert desk.store.queue.count(narrowed) == value.count, (name, value)


def test_counts_follow_the_other_filters_and_not_their_own(desk):
    assert counts(desk, "predicate", QueueFilter(thing=NAUSEA.id)) == {"biolink:treats": 1}
    chosen = QueueFilter(predicate="schema:amount")
    assert counts(desk, "predicate", chosen)["biolink:treats"] == 4
    assert counts(desk, "engine", chosen) == {"dictionary": 1}


def test_facets_read_as_words(desk):
    decision.decide(
        desk, RELIEVES.id, version=1, judgement=Judgement(Verdict.APPROVE), curator=ANNA
    )
    facets_by_name = all_facets(desk, QueueFilter())
    assert ("treats", 4) in [
        (facet_value.label, facet_value.count) for facet_value in facets_by_name["predicate"]
    ]
    assert [facet_value.label for facet_value in facets_by_name["curator"]] == ["Anna"]
    assert [facet_value.label for facet_value in facets_by_name["band"]] == ["0.9 to 1.0"]
    assert [(rejection.value, rejection.count) for rejection in facets_by_name["held"]] == [
        (ExportBarrier.UNGROUNDED, 1)
    ]


def test_one_misnamed_statement_does_not_rename_a_relation_for_everybody(desk):
    misnamed = replace(RELIEVES, predicate=replace(RELIEVES.predicate, label="kills"), negated=True)
    desk.store.statements.propose([(misnamed, [])])
    every_facet = all_facets(desk, QueueFilter())
    assert "treats" in [value.label for value in every_facet["predicate"]]


def test_a_view_needs_a_name(desk):
    with pytest.raises(InputError):
        facets.save_view(desk, "  ", {}, ANNA)


def test_saved_view_keeps_its_filters_and_nothing_else(desk):
    facets.save_view(desk, "Mine", {"text": "bark", "id": "s1-a", "junk": "x"}, ANNA)
    facets.save_view(desk, "Mine", {"order": "score"}, ANNA)
    assert [view.address for view in facets.saved_views(desk)] == [{"order": "score"}]
    facets.remove_view(desk, "Mine", ANNA)
    assert facets.saved_views(desk) == []


def test_gate_reason_filters_only_unchanged_statements(desk):
    """The quote of an approved statement is no longer what the text says."""
    decision.decide(
        desk, RELIEVES.id, version=1, judgement=Judgement(Verdict.APPROVE), curator=ANNA
    )
    reasons = (str(HoldReason.UNPROVEN), str(HoldReason.UNDECIDED))
    desk.store.gate_results.clear("now")
    desk.store.gate_results.put([GateResult(RELIEVES.id, 2, "{}", reasons)], stamp="now")
    assert counts(desk, "held", QueueFilter(predicate="biolink:treats"))[HoldReason.UNPROVEN] == 1
    assert desk.store.queue.count(QueueFilter(held=HoldReason.UNPROVEN)) == 1
    desk.store.gate_results.put([GateResult(RELIEVES.id, 1, "{}", reasons)], stamp="now")
    assert HoldReason.UNPROVEN not in counts(desk, "held", QueueFilter())
    assert desk.store.queue.count(QueueFilter(held=HoldReason.UNPROVEN)) == 0
