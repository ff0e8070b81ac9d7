"""Every use of a model over a server that another author might have written: tests/endpoint.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.llm.connection import Connection
from core.ncbi.example import ExampleFetcher
from core.services.settings import models
from core.settings import Settings
from tests.core.services.extracting import project
from tests.core.services.model_uses import USES, words_for
from tests.endpoint import Endpoint, served


@pytest.fixture(params=[True, False], ids=["counts tokens", "counts none"])
def endpoint(request: pytest.FixtureRequest) -> Iterator[Endpoint]:
    with served(words_for, usage=request.param, tells=True, context=100_000) as endpoint:
        yield endpoint


@pytest.fixture
def desk(tmp_path: Path, endpoint: Endpoint) -> Iterator[Desk]:
    opened_desk, _ = project(tmp_path)
    opened_desk.close()
    there = {"there": Connection("there", endpoint.url, "sk-k")}
    settings = Settings(tmp_path, endpoints=there, model="theirs@there", model_retries=0,
                        embedding_model="vectors@there")  # fmt: skip
    desk = open_desk(settings)
    desk.web = lambda kind="api", hosts=(): ExampleFetcher()  # type: ignore[method-assign,assignment]
    yield desk
    desk.close()


@pytest.mark.parametrize("use", USES)
def test_use_comes_out_right(desk: Desk, use: str) -> None:
    assert USES[use](desk, "theirs@there").startswith("right")


def test_settings_learn_what_it_can(desk: Desk, endpoint: Endpoint) -> None:
    assert models.refresh_models(desk, "there").models == ("theirs@there",)
    profile = models.try_out(desk, "theirs@there")
    assert profile.can("answers") and profile.can("streaming") and profile.can("embeddings")
    assert profile.context == 100_000
    for call in desk.store.calls.of_run(desk.store.runs.find("model test", limit=1)[0].id):
        assert "sk-k" not in str(call)
