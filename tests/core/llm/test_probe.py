"""A test of a model finds out what it can do."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from core.errors import ContextExceeded, NotServed, Stopped, Unreachable
from core.llm.completer import ModelCapabilities, OnText, Reply, Request, ToolCall, Usage
from core.llm.probe import WORD, probe_model
from core.llm.profile import FOUND, ModelProfile


class Model:
    """Answers as told; reads `context` tokens at once."""

    model = "m"

    def __init__(self, context: int = 100_000, schema: bool = True, tools: bool = True):
        self.context, self.schema, self.tools = context, schema, tools
        self.capabilities = ModelCapabilities()
        self.asked = 0

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        self.asked += 1
        tokens = sum(len(message.content) for message in request.messages) // 4
        if tokens > self.context:
            raise ContextExceeded("Too long.", limit=self.context)
        if request.response_schema is not None:
            return Reply(json.dumps({"organ": "heart"}) if self.schema else "The heart.")
        if request.tools and self.tools:
            return Reply("", (ToolCall("1", "find_gene", "{}"),))
        return Reply(WORD, usage=Usage(tokens, 1))


def test_probe_finds_a_models_capabilities() -> None:
    probe = probe_model(Model(context=4096), ModelProfile("m"), "2026-11-22T08:00:00Z")
    assert {check.name: check.works for check in probe.checks} == {
        "answers": True, "schema": True, "tools": True, "streaming": True, "embeddings": None,
        "context": True,
    }  # fmt: skip
    assert (probe.context, probe.context_from, probe.tested[:10]) == (4096, FOUND, "2026-11-22")


def test_a_schema_that_is_ignored_is_not_a_schema() -> None:
    probe = probe_model(Model(schema=False, tools=False), ModelProfile("m"), "")
    assert (probe.can("schema"), probe.can("tools")) == (False, False)


def test_a_context_without_an_end_in_sight_is_not_a_limit() -> None:
    probe = probe_model(Model(), ModelProfile("m"), "")
    assert (probe.context, probe.can("context")) == (0, True)
    assert probe.at_least >= 16_000


def test_announced_length_above_the_limit_is_not_read() -> None:
    model = Model()
    assert probe_model(model, ModelProfile("m", context=8192), "").context == 8192
    assert model.asked == 4


def test_a_model_that_does_not_answer_is_tried_no_further() -> None:
    class Silent(Model):
        def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
            raise Unreachable("Nobody there.")

    probe = probe_model(Silent(), ModelProfile("m"), "")
    assert [(check.name, check.works) for check in probe.checks] == [("answers", False)]


def test_a_model_that_makes_vectors_and_answers_nothing_is_tried_for_embeddings() -> None:
    class Vectors(Model):
        def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
            raise NotServed("No chat.")

        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            return [[0.5, 0.5] for _ in texts]

    probe = probe_model(Vectors(), ModelProfile("m"), time_of="", embedder=Vectors())
    assert [(check.name, check.works) for check in probe.checks] == [
        ("answers", False), ("embeddings", True),
    ]  # fmt: skip


def test_embeddings_that_were_not_tried_say_how_to_try_them() -> None:
    probe = probe_model(Model(), ModelProfile("m"), "")
    words = next(check.says for check in probe.checks if check.name == "embeddings")
    assert "this endpoint is" in words


def test_a_test_can_be_stopped_between_questions() -> None:
    def stop() -> None:
        raise Stopped("Stopped.")

    model = Model()
    with pytest.raises(Stopped):
        probe_model(model, ModelProfile("m"), "", check=stop)
    assert model.asked == 1


@pytest.mark.parametrize(
    "finish, reason", [("cut", "broke off"), ("runaway", "did not stop writing")]
)
def test_an_answer_without_an_end_does_not_count_as_answering(finish: str, reason: str) -> None:
    class Cut(Model):
        def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
            return Reply("rea", finish=finish)

    probe = probe_model(Cut(), ModelProfile("m"), "")
    assert probe.can("answers") is False
    assert "Began “rea”." in probe.checks[0].says and reason in probe.checks[0].says
