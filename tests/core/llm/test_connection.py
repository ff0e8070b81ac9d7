"""Endpoints that the operator named, what they list, and what is known of their models."""

from __future__ import annotations

import shlex
import tomllib

import pytest

from core.llm.connection import MAIN, PRESETS, Connection, connections_in, locate_model
from core.llm.openai_client import OfferedModel, offered_model, offered_models
from core.llm.profile import SET, TOLD, KnownModels, ModelProfile
from core.model import Json

NEAR = {
    "GROUNDWORK_ENDPOINT_NEAR_URL": "http://127.0.0.1/v1",
    "GROUNDWORK_ENDPOINT_NEAR_KEY": "k-secret",
}


def test_an_endpoint_is_named_by_its_variables_and_never_shows_its_key() -> None:
    connections = connections_in(NEAR | {"PATH": "/bin"})
    assert connections == {"near": Connection("near", "http://127.0.0.1/v1", "k-secret")}
    assert "k-secret" not in repr(connections)


@pytest.mark.parametrize(
    "variables",
    [
        {"GROUNDWORK_ENDPOINT_NEAR_KEY": "k"},
        {"GROUNDWORK_ENDPOINT_NEAR_ADDRESS": "x"},
        {"GROUNDWORK_ENDPOINT_MAIN_URL": "http://127.0.0.1"},
    ],
)
def test_half_an_endpoint_is_refused_by_its_variable(variables: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="GROUNDWORK_ENDPOINT_"):
        connections_in(variables)


@pytest.mark.parametrize(
    ("model", "name", "endpoint"),
    [
        ("gpt-4o", "gpt-4o", MAIN),
        ("llama3:8b@near", "llama3:8b", "near"),
        ("@cf/meta/llama", "@cf/meta/llama", MAIN),
        ("claude@20250101", "claude@20250101", MAIN),
    ],
)
def test_a_model_is_found_at_its_endpoint(model: str, name: str, endpoint: str) -> None:
    known = {MAIN: Connection(MAIN, key="k")} | connections_in(NEAR)
    place = locate_model(model, known)
    assert place is not None and (place[0], place[1].name) == (name, endpoint)


def test_the_only_endpoint_serves_models_without_one() -> None:
    place = locate_model("llama3", connections_in(NEAR))
    assert place is not None and place[1].name == "near"
    assert locate_model("llama3", {}) is None


def test_presets_are_two_lines_that_the_settings_read() -> None:
    for preset in PRESETS:
        assert len(preset.lines) == 2 and all("=" in line for line in preset.lines)
        variables = tomllib.loads("\n".join(preset.lines))
        assert variables == dict(shlex.split(line)[0].split("=", 1) for line in preset.lines)
        assert preset.name == "openai" or list(connections_in(variables)) == [preset.name]


@pytest.mark.parametrize(
    ("row", "offered"),
    [
        ({"id": "a"}, OfferedModel("a")),
        ({"id": "a", "max_model_len": 8192}, OfferedModel("a", 8192)),
        (
            {"id": "a", "context_length": 4096,
             "pricing": {"prompt": "0.0000025", "completion": "0.00001"}},
            OfferedModel("a", 4096, (2.5, 10.0)),
        ),
        ({"id": "a", "meta": {"n_ctx": 2048}}, OfferedModel("a", 2048)),
        ({"id": "a", "context_length": "many", "pricing": {"prompt": "-1", "completion": "x"}},
         OfferedModel("a")),
        ("nonsense", OfferedModel("")),
    ],
)  # fmt: skip
def test_a_list_of_models_is_read_as_endpoints_write_it(row: Json, offered: OfferedModel) -> None:
    assert offered_model(row) == offered


def test_context_length_set_in_the_project_overrides_the_endpoints() -> None:
    kept = {
        "endpoint near": {"models": [{"id": "m", "context": 4096, "price": [1.0, 2.0]}]},
        "model m@near": {"model": "m@near", "context": 2048, "tested": "2026-11-22"},
    }
    known = connections_in(NEAR)

    def place(model: str) -> tuple[str, Connection] | None:
        return locate_model(model, known)

    profile = KnownModels(kept.get, place, {}, {}).profile("m@near")
    assert (profile.context, profile.context_from, profile.price) == (4096, TOLD, (1.0, 2.0))
    own = KnownModels(kept.get, place, {"m@near": (3.0, 3.0)}, {"m@near": 512}).profile("m@near")
    assert (own.context, own.context_from, own.price_from) == (512, SET, SET)
    assert KnownModels(kept.get, place, {}, {}).profile("x@near") == ModelProfile("x@near")


@pytest.mark.parametrize("wrapped", [True, False])
def test_a_row_that_cannot_be_read_leaves_the_others_listed(wrapped: bool) -> None:
    rows: list[Json] = ["m", 5, None, {"id": ["a"]}, {"id": None}, {"id": "b"}]
    rows += [{"id": "a\n1"}, {"id": "\u202egnp.exe"}, {"id": " c "}]
    listed = offered_models({"data": rows} if wrapped else rows)
    assert [model.id for model in listed] == ["b", "c"]


@pytest.mark.parametrize("body", ["text", {}, {"data": {"id": "m"}}, None])
def test_endpoint_answer_without_a_model_list_is_refused(body: Json) -> None:
    with pytest.raises(ValueError, match="not a list"):
        offered_models(body)


def test_batch_price_share_is_known_for_listed_and_configured_models() -> None:
    prices = {"own": (2.0, 2.0)}
    known = KnownModels(
        lambda name: None,
        lambda model: (model, Connection("main")),
        prices,
        {},
        batch_shares={"own": 0.2},
    )
    assert known.profile("gpt-4.1").batch_share == 0.5
    assert known.batch_cost("own", 500_000, 500_000) == pytest.approx(0.4)
    unknown = KnownModels(lambda name: None, lambda model: None, prices, {})
    assert unknown.profile("own").batch_share is None
    assert unknown.batch_cost("own", 500_000, 500_000) == unknown.cost("own", 500_000, 500_000)
