"""What a Completer does."""

from __future__ import annotations

import pytest

from core.llm.completer import Completer, Message, Reply, Request
from core.llm.endpoint_options import EndpointOptions
from core.llm.openai_client import OpenAICompleter
from tests.core.llm.conftest import StandIn

REQUEST = Request((Message("user", "What is the\ncapital?"),))


@pytest.fixture
def completer(stand_in: StandIn) -> Completer:
    return OpenAICompleter("replay", EndpointOptions("k", stand_in.base_url, retries=0))


def test_completer_answers_with_text(completer: Completer) -> None:
    reply = completer.complete(REQUEST)
    assert isinstance(reply, Reply)
    assert (reply.text, reply.finish, reply.calls) == ("Paris", "stop", ())


def test_completer_streams_the_same_text_in_pieces(completer: Completer) -> None:
    heard: list[str] = []
    assert completer.complete(REQUEST, heard.append).text == "".join(heard) == "Paris"


def test_completer_counts_tokens(completer: Completer) -> None:
    usage = completer.complete(REQUEST).usage
    assert usage.tokens_in > 0
    assert usage.tokens_out > 0


def test_completer_names_its_model(completer: Completer) -> None:
    assert completer.model
