from __future__ import annotations

import threading

import pytest

from core.llm.connection import Connection, locate_model
from core.llm.parallel import ParallelLimit, results_in_order
from core.llm.profile import KnownModels, list_price, price_of


def test_results_come_in_the_order_of_the_items() -> None:
    gates = [threading.Event() for _ in range(3)]

    def work(n: int) -> int:
        if n < 2:
            gates[n + 1].wait(5)  # the last one ends first
        gates[n].set()
        return n * n

    assert results_in_order(work, range(3), 3) == [0, 1, 4]


def test_the_first_failure_is_raised_and_no_further_work_begun() -> None:
    begun: list[int] = []
    never = threading.Event()

    def work(n: int) -> int:
        begun.append(n)
        if n:
            never.wait(0.05)  # slow enough that the failure is seen before the others are through
        raise ValueError(n)

    with pytest.raises(ValueError, match="0"):
        results_in_order(work, range(100), 2)
    assert len(begun) < 100


def test_single_item_is_worked_on_without_a_thread() -> None:
    assert results_in_order(lambda _: threading.current_thread().name, [1]) == [
        threading.current_thread().name
    ]
    assert results_in_order(str, []) == []


def test_all_users_of_an_endpoint_share_its_limit() -> None:
    assert ParallelLimit.of("https://a.example", 3) is ParallelLimit.of("https://a.example", 3)
    assert ParallelLimit.of("https://a.example", 3) is not ParallelLimit.of("https://b.example", 3)


def test_a_cost_is_known_by_name_date_or_the_projects_own_price() -> None:
    def cost(model: str, tokens_in: int, own: dict[str, tuple[float, float]]) -> float | None:
        known = KnownModels(lambda name: None, lambda model: (model, Connection("main")), own, {})
        return known.cost(model, tokens_in, 0)

    assert cost("gpt-4o", 1_000_000, {}) == 2.5
    assert price_of("gpt-4o-2024-08-06") == price_of("openai/gpt-4o") == price_of("gpt-4o")
    assert cost("gpt-4o", 1_000_000, {"gpt-4o": (1.0, 1.0)}) == 1.0
    assert cost("a-local-model", 5, {}) is None


@pytest.mark.parametrize(
    ("model", "address", "known"),
    [
        ("gpt-4.1", "https://api.openai.com/v1", True),
        ("gpt-4.1", "https://lab.openai.azure.com/openai/v1", True),
        ("gpt-4.1-2025-04-14", "https://api.openai.com/v1", True),
        ("claude-haiku-4-5", "https://api.anthropic.com/v1", True),
        ("claude-haiku-4-5", "https://api.openai.com/v1", False),
        ("gpt-4", "http://127.0.0.1:8000/v1", False),
        ("gpt-4", "https://api.openai.com.example.org/v1", False),
        ("openai/gpt-4o", "https://openrouter.ai/api/v1", False),
        ("gpt-4", "", False),
    ],
)
def test_a_list_price_holds_at_the_address_of_the_maker(
    model: str, address: str, known: bool
) -> None:
    assert (list_price(model, address) is not None) is known


def test_a_model_of_the_same_name_elsewhere_has_no_known_price() -> None:
    places = {"main": Connection("main"), "lab": Connection("lab", "http://127.0.0.1:9/v1")}
    known = KnownModels(lambda name: None, lambda model: locate_model(model, places), {}, {})
    assert known.cost("gpt-4", 1_000_000, 0) == 30
    assert known.profile("gpt-4@lab").price is None
    assert known.profile("gpt-4@lab").batch_share is None


def test_a_price_that_the_project_sets_holds_for_one_endpoint() -> None:
    places = {"main": Connection("main"), "lab": Connection("lab", "http://127.0.0.1:9/v1")}
    own = {"llama@lab": (1.0, 1.0), "gpt-4": (2.0, 2.0)}
    known = KnownModels(lambda name: None, lambda model: locate_model(model, places), own, {})
    assert known.cost("llama@lab", 1_000_000, 0) == 1
    assert known.cost("gpt-4@lab", 1_000_000, 0) is None
    assert known.cost("gpt-4@main", 1_000_000, 0) == 2
    alone = {"lab": places["lab"]}
    only = KnownModels(lambda name: None, lambda model: locate_model(model, alone), own, {})
    assert only.cost("llama", 1_000_000, 0) == 1  # the same model of the only endpoint
