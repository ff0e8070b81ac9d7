"""What every Completer must do, whoever it is."""

from __future__ import annotations

import pytest

from core.errors import NotFound
from core.llm.completer import Completer, Message, Reply, Request
from core.llm.endpoint_options import EndpointOptions
from core.llm.openai_client import OpenAICompleter
from core.llm.recorded import PastedCompleter, RecordedCompleter
from tests.core.llm.conftest import StandIn


@pytest.fixture(params=["openai", "recorded", "pasted"])
def completer(request: pytest.FixtureRequest) -> Completer:
    if request.param == "recorded":
        return RecordedCompleter({"What is  the capital?": "Paris"})
    if request.param == "pasted":
        return PastedCompleter(["Paris", "Paris"])
    stand_in: StandIn = request.getfixturevalue("stand_in")
    return OpenAICompleter("replay", EndpointOptions("k", stand_in.base_url, retries=0))


class TestCompleter:
    request = Request((Message("user", "What is the\ncapital?"),))

    def test_it_answers_with_text(self, completer: Completer) -> None:
        reply = completer.complete(self.request)
        assert isinstance(reply, Reply)
        assert (reply.text, reply.finish, reply.calls) == ("Paris", "stop", ())

    def test_it_tells_the_same_text_piece_by_piece(self, completer: Completer) -> None:
        heard: list[str] = []
        assert completer.complete(self.request, heard.append).text == "".join(heard) == "Paris"

    def test_it_counts_tokens(self, completer: Completer) -> None:
        usage = completer.complete(self.request).usage
        assert usage.tokens_in > 0
        assert usage.tokens_out > 0

    def test_it_names_its_model(self, completer: Completer) -> None:
        assert completer.model


def test_a_record_is_told_in_order_and_stops_where_it_was_asked_to() -> None:
    found = RecordedCompleter([("q", "one\n\ntwo"), ("q", "three")])
    assert found.complete(Request((Message("user", "q"),), stop=("\n\n",))).text == "one"
    assert [found.complete(Request((Message("user", "q"),))).text for _ in range(2)] == [
        "three",
        "three",
    ]


def test_what_is_not_recorded_is_said_to_be_missing() -> None:
    with pytest.raises(NotFound, match="unheard"):
        RecordedCompleter({}).complete(Request((Message("user", "unheard of"),)))
    with pytest.raises(NotFound):
        PastedCompleter([]).complete(Request((Message("user", "x"),)))
