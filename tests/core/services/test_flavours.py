"""Every use of a model over servers that answer like vLLM, Ollama, llama.cpp, OpenRouter and
Azure (tests/flavours.py), and what their refusals are said to be.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.desk import Desk, open_desk
from core.errors import (
    BadAnswer,
    ContextExceeded,
    Filtered,
    RateLimited,
    RemoteError,
    Unauthorised,
    Unreachable,
)
from core.llm.completer import Message, Request
from core.llm.connection import Connection
from core.ncbi.example import ExampleFetcher
from core.services.settings import models
from core.settings import Settings
from tests.core.services.extracting import project
from tests.core.services.model_uses import USES, words_for
from tests.flavours import REFUSALS, Flavour, flavoured

KEY = "sk-very-secret-key"
NAMES = sorted(REFUSALS)
QUESTION = Request((Message("user", "Which organ pumps the blood of a whale?"),))
KINDS: dict[str, type[RemoteError] | tuple[type[RemoteError], ...]] = {
    "context": ContextExceeded,
    "quota": RateLimited,
    "model": BadAnswer,
    "filter": Filtered,
    "key": Unauthorised,
    "broken": Unreachable,
    "busy": (RateLimited, Unreachable),
}


@contextmanager
def desk_at(folder: Path, name: str, **how: Any) -> Iterator[tuple[Desk, Flavour]]:
    with flavoured(name, words_for, **how) as flavour:
        project(folder)[0].close()
        there = {"there": Connection("there", flavour.url, KEY)}
        desk = open_desk(
            Settings(folder, endpoints=there, model="m@there", model_retries=0, max_tokens=4000)
        )
        desk.web = lambda kind="api", hosts=(): ExampleFetcher()  # type: ignore[method-assign]
        try:
            yield desk, flavour
        finally:
            desk.close()


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", NAMES)
def test_endpoint_flavours_give_the_right_result_for_each_use(
    name: str, use: str, tmp_path: Path
) -> None:
    with desk_at(tmp_path, name) as (desk, _):
        assert USES[use](desk, "m@there").startswith("right")


@pytest.mark.parametrize(
    ("name", "refusal"), [(name, refusal) for name in NAMES for refusal in REFUSALS[name]]
)
def test_refusals_of_servers_are_explained_without_key_or_prompt(
    name: str, refusal: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with desk_at(tmp_path, name, refuses=refusal) as (desk, _):
        completer = desk.completer()
        assert completer is not None
        with pytest.raises(RemoteError) as error:
            completer.complete(QUESTION)
    assert isinstance(error.value, KINDS[refusal])
    if refusal == "context":
        assert error.value.limit == 2048  # type: ignore[attr-defined]
    assert error.value.hint
    message = f"{error.value} {error.value.hint}"
    ours = "\n".join(r.getMessage() for r in caplog.records if r.name.startswith("core"))
    assert KEY not in message + caplog.text and "whale" not in message + ours


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("how", ["drops", "breaks"])
def test_a_stream_that_ends_early_is_not_a_whole_answer(
    name: str, how: str, tmp_path: Path
) -> None:
    with desk_at(tmp_path, name, **{how: True}) as (desk, _):
        completer = desk.completer()
        assert completer is not None
        heard: list[str] = []
        request = Request((Message("user", "the numbered passages"),))
        reply = completer.complete(request, heard.append)
    assert reply.finish == "cut" and reply.text and "".join(heard) == reply.text


@pytest.mark.parametrize("name", NAMES)
def test_a_test_finds_what_it_can_do(name: str, tmp_path: Path) -> None:
    with desk_at(tmp_path, name) as (desk, _):
        assert models.refresh_models(desk, "there").models == ("m@there",)
        profile = models.try_out(desk, "m@there")
    assert profile.can("answers") and profile.can("streaming")
    context_sizes = {"vllm": 32_768, "llamacpp": 16_384, "openrouter": 65_536}
    assert profile.context == context_sizes.get(name, 0)
    assert profile.price == ((0.5, 2.0) if name == "openrouter" else None)
