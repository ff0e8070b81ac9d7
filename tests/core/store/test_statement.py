from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.errors import NotFound, StaleVersion
from core.model import Category, ReferenceGround, State, Term, Verdict
from core.store import QueueFilter, Store
from tests.core.store.conftest import claim, ground, verdict


def test_proposing_again_changes_nothing(store: Store) -> None:
    statement = claim()
    first = store.statements.propose([(statement, [ground(statement)])], "r1")
    again = store.statements.propose([(statement, [ground(statement)])], "r2")
    assert (first.new, first.evidence) == ((statement.id,), (ground(statement).id,))
    assert (again.new, again.already_known, again.evidence) == ((), (statement.id,), ())
    assert store.statements.get(statement.id).version == 1
    assert store.statements.get(statement.id).runs == ("r1", "r2")


def test_the_version_counts_evidence_and_decisions(store: Store) -> None:
    statement = claim()
    store.statements.propose([(statement, [ground(statement), ground(statement, 20)])])
    assert store.statements.decide(verdict(statement, 2), State.APPROVED).version == 3


def test_a_run_again_leaves_the_decision_and_its_new_evidence_waits(store: Store) -> None:
    statement = claim()
    store.statements.propose([(statement, [ground(statement)])], "r1")
    store.statements.decide(verdict(statement, 1), State.APPROVED)
    added = store.statements.propose(
        [(statement, [ground(statement), ground(statement, 30)])], "r2"
    )
    record = store.statements.get(statement.id)
    assert added.strengthened == (statement.id,)
    assert (record.state, record.new_evidence, record.version) == (State.APPROVED, True, 3)
    assert store.queue.count(QueueFilter(new_evidence=True)) == 1


def test_a_decision_on_an_old_version_is_refused_and_says_what_happened(store: Store) -> None:
    statement = claim()
    store.statements.propose([(statement, [ground(statement)])])
    store.statements.decide(verdict(statement, 1), State.APPROVED)
    happened = r"0000-0002-1825-0097 decided “approve” on it on \d{4}-\d\d-\d\d at \d\d:\d\d UTC\."
    with pytest.raises(StaleVersion, match=happened):
        store.statements.decide(verdict(statement, 1, Verdict.REJECT, "d2"), State.REJECTED)
    assert store.statements.get(statement.id).state == State.APPROVED


def test_a_version_that_is_not_there_yet_is_named(store: Store) -> None:
    statement = claim()
    store.statements.propose([(statement, [ground(statement)])])
    with pytest.raises(StaleVersion, match=r"at version 1; .*version 9 yet"):
        store.statements.decide(verdict(statement, 9), State.APPROVED)


def test_evidence_that_came_meanwhile_is_named_too(store: Store) -> None:
    statement = claim()
    store.statements.propose([(statement, [ground(statement)])])
    store.statements.propose([(statement, [ground(statement, 50)])])
    with pytest.raises(StaleVersion, match="new evidence"):
        store.statements.decide(verdict(statement, 1), State.APPROVED)


def test_exactly_one_of_two_simultaneous_decisions_wins(store: Store) -> None:
    claims = [claim(n) for n in range(20)]
    store.statements.propose([(statement, [ground(statement)]) for statement in claims])

    def decide(work: tuple[int, int]) -> bool:
        n, who = work
        try:
            store.statements.decide(verdict(claims[n], 1, id=f"d{n}-{who}"), State.APPROVED)
        except StaleVersion:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        won = list(pool.map(decide, [(n, who) for n in range(20) for who in range(3)]))
    assert sum(won) == 20
    assert all(len(store.statements.decisions(statement.id)) == 1 for statement in claims)


def test_decisions_are_kept_in_order_and_undo_names_one_of_them(store: Store) -> None:
    statement = claim()
    store.statements.propose([(statement, [ground(statement)])])
    store.statements.decide(verdict(statement, 1), State.APPROVED)
    store.statements.decide(
        replace(verdict(statement, 2, Verdict.UNDO, "d2"), undoes="d1"), State.PROPOSED
    )
    assert [d.id for d in store.statements.decisions(statement.id)] == ["d1", "d2"]
    with pytest.raises(NotFound, match="undo"):
        store.statements.decide(
            replace(verdict(statement, 3, Verdict.UNDO, "d3"), undoes="nothing"), State.PROPOSED
        )
    assert store.statements.get(statement.id).version == 3


def test_a_correction_and_the_decision_on_the_old_one_are_stored_together(store: Store) -> None:
    old, new = claim(1), claim(2)
    store.statements.propose([(old, [ground(old)])])
    correction = replace(verdict(old, 1, Verdict.SUPERSEDE), replacement=new.id)
    store.statements.decide(correction, State.SUPERSEDED, also=[(new, [ground(new)])])
    assert store.statements.get(new.id).state == State.PROPOSED
    with pytest.raises(StaleVersion):
        store.statements.decide(
            replace(correction, id="d9"), State.SUPERSEDED, also=[(claim(3), [])]
        )
    assert store.queue.count() == 2


def test_a_typed_reference_is_not_a_proof(store: Store) -> None:
    statement = claim()
    typed = replace(ground(statement), ground=ReferenceGround("PMID:1", "Fig 3B"))
    store.statements.propose([(statement, [typed])])
    assert store.statements.get(statement.id).unsupported
    store.statements.propose([(statement, [ground(statement)])])
    assert not store.statements.get(statement.id).unsupported


def test_evidence_for_an_unknown_statement_is_refused_and_nothing_is_kept(store: Store) -> None:
    with pytest.raises(NotFound):
        store.statements.propose([(claim(1), [ground(claim(2))])])
    assert store.queue.count() == 0


def test_unknown_ids_are_reported_as_missing(store: Store) -> None:
    with pytest.raises(NotFound):
        store.statements.get("s1-nothing")
    with pytest.raises(NotFound):
        store.statements.decide(verdict(claim(9), 0), State.APPROVED)


@given(label=st.text(st.characters(exclude_categories=()), min_size=1, max_size=8))
@example(label="\ud800")
@example(label="x\x00y")
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_json_text_as_a_label_is_stored_as_text_that_can_be_shown(
    store: Store, label: str
) -> None:
    statement = replace(claim(), subject=Term("", label, Category.CHEMICAL))
    proposal = store.statements.propose([(statement, [ground(statement)])])
    (kept,) = proposal.new + proposal.already_known
    record = store.statements.get(kept)
    assert record.id == kept and record.evidence
    record.statement.subject.label.encode("utf-8")


def test_no_label_turns_a_statement_around(store: Store) -> None:
    """U+202E in a subject's label showed the object before it."""
    statement = replace(claim(), subject=Term("CHEBI:1", "\u202easpirin\u2066", Category.CHEMICAL))
    (kept,) = store.statements.propose([(statement, [ground(statement)])]).new
    assert store.statements.get(kept).statement.subject.label == "aspirin"
