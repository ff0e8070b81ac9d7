from dataclasses import replace

import pytest

from core.model import Call, CallState
from core.store import Store
from core.store.call import place_order

CALL = Call("c1", "r1", "a[0]", "model", {"messages": []}, "h", started="2026-11-20T12:00:00.000Z")
DONE = replace(
    CALL,
    state=CallState.DONE,
    answer={"text": "yes"},
    seconds=1.5,
    tokens_in=10,
    tokens_out=2,
    cost=0.5,
)


def test_a_started_call_is_there_before_it_ends(store: Store) -> None:
    store.calls.begin(CALL)
    assert store.calls.of_run("r1") == [CALL]
    assert store.calls.recorded("r1", "h", 0) is None


def test_a_finished_call_is_found_by_run_request_and_occurrence(store: Store) -> None:
    store.calls.begin(CALL)
    store.calls.finish(DONE)
    assert store.calls.recorded("r1", "h", 0) == DONE
    assert store.calls.recorded("r1", "h", 1) is None
    assert store.calls.recorded("r2", "h", 0) is None


def test_a_good_try_after_a_failed_one_is_the_recorded_one(store: Store) -> None:
    store.calls.begin(CALL)
    store.calls.finish(DONE)
    store.calls.begin(replace(CALL, id="c2"))
    store.calls.finish(replace(CALL, id="c2", state=CallState.FAILED, error="Unreachable: x"))
    assert store.calls.recorded("r1", "h", 0) == DONE
    assert len(store.calls.of_run("r1")) == 2


@pytest.mark.parametrize("state", [CallState.FAILED, CallState.CUT, CallState.STARTED])
def test_cache_gives_only_complete_answers(store: Store, state: CallState) -> None:
    store.calls.begin(CALL)
    store.calls.finish(replace(DONE, state=state), reusable=True)
    assert store.calls.cached("h") is None


def test_clearing_the_cache_ends_reuse_and_keeps_the_calls(store: Store) -> None:
    store.calls.begin(CALL)
    store.calls.finish(DONE, reusable=True)
    assert store.calls.cached("h") == DONE
    assert (store.calls.cache_size(), store.calls.clear_cache(), store.calls.cache_size()) == (
        1,
        1,
        0,
    )
    assert store.calls.cached("h") is None
    assert store.calls.of_run("r1") == [DONE]


def test_an_answer_found_unfit_is_not_reused(store: Store) -> None:
    store.calls.begin(CALL)
    store.calls.finish(DONE, reusable=True)
    store.calls.unfit("c1")
    assert store.calls.cached("h") is None


def test_a_reused_call_shows_the_answer_of_the_one_it_repeats(store: Store) -> None:
    store.calls.begin(CALL)
    store.calls.finish(DONE, reusable=True)
    again = replace(
        DONE, id="c2", run="r2", reused="c1", seconds=0.0, tokens_in=0, tokens_out=0, cost=None
    )
    store.calls.begin(replace(again, state=CallState.STARTED))
    store.calls.finish(again)
    assert store.calls.of_run("r2")[0].answer == {"text": "yes"}
    assert store.calls.cached("h") == DONE


def test_calls_are_ordered_by_their_place_with_numbers_as_numbers(store: Store) -> None:
    for n, path in enumerate(("steps[10]", "steps[2]", "", "steps[2].text")):
        store.calls.begin(replace(CALL, id=f"c{n}", path=path))
    assert [call.path for call in store.calls.of_run("r1")] == [
        "",
        "steps[2]",
        "steps[2].text",
        "steps[10]",
    ]
    assert place_order("a[2]") < place_order("a[10]")


def test_usage_counts_what_was_sent_and_tells_unknown_prices(store: Store) -> None:
    store.calls.begin(CALL)
    store.calls.finish(DONE)
    store.calls.begin(replace(CALL, id="c2"))
    store.calls.finish(replace(DONE, id="c2", cost=None))
    store.calls.begin(replace(CALL, id="c3", kind="ncbi"))
    store.calls.finish(replace(CALL, id="c3", kind="ncbi", state=CallState.FAILED))
    used = store.calls.usage("r1")
    assert (used.calls, used.failed, used.tokens_in, used.cost, used.unpriced) == (3, 1, 20, 0.5, 1)
    assert set(store.calls.usage_by_kind()) == {"model", "ncbi"}
