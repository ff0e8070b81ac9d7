from __future__ import annotations

import pytest

from core.model import Category, Literal, Node, Qualifier, Run, State, Statement, Term, Verdict
from core.store import QueueFilter, Store
from tests.core.store.conftest import TREATS, claim, ground, verdict


@pytest.fixture
def filled(store: Store) -> Store:
    """Ten claims of two runs; number 3 approved, number 4 without evidence, one about a node."""
    store.runs.add(Run("r1", "extract", "builtin", schema="disease_treatment", document="doc:1"))
    store.runs.add(Run("r2", "extract", "spires", schema="recipe", document="doc:2"))
    store.statements.propose(
        [(claim(n), [] if n == 4 else [ground(claim(n))]) for n in range(8)], "r1"
    )
    node = Node("n1-a", "Ingredient", "2 cups of flour", Category.FOOD)
    amount = Statement(node, Term("UO:1", "amount"), Literal("2", "xsd:decimal", "[cup_us]"))
    spoken = Statement(Term("", '100 % "fat_free"', Category.FOOD), TREATS, node, document="doc:2")
    store.statements.propose(
        [(amount, [ground(amount, 0, "doc:2")]), (spoken, [ground(spoken, 9, "doc:2")])], "r2"
    )
    store.statements.decide(verdict(claim(3), 1), State.APPROVED)
    return store


@pytest.mark.parametrize(
    ("filter", "count"),
    [
        (QueueFilter(), 10),
        (QueueFilter(states=(State.APPROVED,)), 1),
        (QueueFilter(states=(State.APPROVED, State.PROPOSED)), 10),
        (QueueFilter(schema="recipe"), 2),
        (QueueFilter(run="r1"), 8),
        (QueueFilter(document="doc:2"), 2),
        (QueueFilter(category="food"), 2),
        (QueueFilter(predicate="biolink:treats"), 9),
        (QueueFilter(curator="0000-0002-1825-0097"), 1),
        (QueueFilter(thing="n1-a"), 2),
        (QueueFilter(thing="MONDO:3"), 1),
        (QueueFilter(text="ASPIRIN mondo:5"), 1),
        (QueueFilter(text="100 %"), 1),
        (QueueFilter(text="fat_free"), 1),
        (QueueFilter(text="fatxfree"), 0),
        (QueueFilter(unsupported=True), 1),
        (QueueFilter(unsupported=False, states=(State.PROPOSED,)), 8),
        (QueueFilter(new_evidence=True), 0),
    ],
)
def test_a_filter_passes_what_it_names(filled: Store, filter: QueueFilter, count: int) -> None:
    assert filled.queue.count(filter) == count
    assert len(filled.queue.records(filter)) == count


def test_records_come_in_the_order_proposed_and_in_pages(filled: Store) -> None:
    everything = filled.queue.ids()
    assert everything[:8] == [claim(n).id for n in range(8)]
    assert [record.id for record in filled.queue.records(limit=3, offset=2)] == everything[2:5]
    assert [record.id for record in filled.queue.records(newest=True, limit=2)] == everything[
        :-3:-1
    ]
    assert filled.queue.ids(offset=8) == everything[8:]


def test_a_place_in_the_queue_knows_its_neighbours(filled: Store) -> None:
    waiting = QueueFilter(states=(State.PROPOSED,))
    assert filled.queue.place(claim(3).id, waiting) == (3, claim(2).id, claim(4).id)
    assert filled.queue.place(claim(0).id, waiting) == (0, "", claim(1).id)


def test_the_tally_names_every_state(filled: Store) -> None:
    filled.statements.decide(verdict(claim(1), 1, Verdict.REJECT, "d2"), State.REJECTED)
    tally = filled.queue.state_counts()
    assert (
        tally[State.PROPOSED],
        tally[State.APPROVED],
        tally[State.REJECTED],
        tally[State.UNSURE],
    ) == (8, 1, 1, 0)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("schema", ["disease_treatment", "recipe"]),
        ("document", ["doc:1", "doc:2"]),
        ("predicate", ["UO:1", "biolink:treats"]),
        ("category", ["chemical", "disease", "food"]),
        ("curator", ["0000-0002-1825-0097"]),
        ("run", ["r1", "r2"]),
    ],
)
def test_a_filter_can_offer_its_values(filled: Store, name: str, values: list[str]) -> None:
    assert filled.queue.values(name) == values


def test_values_within_a_filter(filled: Store) -> None:
    assert filled.queue.values("schema", QueueFilter(states=(State.APPROVED,))) == [
        "disease_treatment"
    ]


def test_qualifiers_are_searched_too(store: Store) -> None:
    store.statements.propose(
        [(claim(qualifiers=(Qualifier("dose", Literal("75", "xsd:decimal", "mg")),)), [])]
    )
    assert store.queue.count(QueueFilter(text="75 mg")) == 1
