from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import NotFound, RateLimited, Stopped, Unreachable
from core.llm.completer import (
    Message,
    ModelCapabilities,
    OnText,
    Reply,
    Request,
    Usage,
    capabilities_of,
)
from core.model import CallState
from core.recorder import Recorder
from core.store import Store
from core.web import Fetch, Fetched, is_telling_secret


class Model:
    """Answers with the number of times it was asked, or raises."""

    def __init__(self, reply: Reply | None = None, error: Exception | None = None):
        self.asked, self.reply, self.error = 0, reply, error
        self._lock = threading.Lock()

    @property
    def model(self) -> str:
        return "m"

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        with self._lock:
            self.asked += 1
        if self.error:
            raise self.error
        if on_text:
            on_text("an")
            on_text("swer")
        return self.reply or Reply(f"answer {self.asked}", usage=Usage(10, 2), model="m")


class Web:
    def __init__(self, answers: Sequence[Fetched]):
        self.answers, self.sent = list(answers), []

    def fetch(self, request: Fetch) -> Fetched:
        self.sent.append(request)
        return self.answers.pop(0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path / 'groundwork.db'}")
    yield opened
    opened.close()


def ask(text: str = "hello", path: str = "a") -> Request:
    return Request((Message("user", text),), path=path)


def test_a_call_is_committed_as_started_before_it_is_sent(store: Store) -> None:
    class Looking(Model):
        def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
            assert [call.state for call in store.calls.of_run("r1")] == [CallState.STARTED]
            return Reply("seen")

    reply = Recorder(store.calls, "r1").completer(Looking()).complete(ask())
    assert store.calls.get(reply.call).state == CallState.DONE
    assert store.calls.get(reply.call).answer["text"] == "seen"


def test_a_failed_call_is_kept_with_its_error_and_raised(store: Store) -> None:
    broken = Model(error=RateLimited("Too many.", "Wait."))
    with pytest.raises(RateLimited):
        Recorder(store.calls, "r1").completer(broken).complete(ask())
    (call,) = store.calls.of_run("r1")
    assert (call.state, call.error) == (CallState.FAILED, "RateLimited: Too many. Wait.")


def test_the_same_run_answers_from_its_record(store: Store) -> None:
    model = Model()
    first = Recorder(store.calls, "r1").completer(model).complete(ask())
    again = Recorder(store.calls, "r1").completer(model).complete(ask())
    assert (model.asked, again) == (1, first)
    assert len(store.calls.of_run("r1")) == 1


def test_equal_requests_of_a_run_are_distinguished_by_their_occurrence(store: Store) -> None:
    model = Model()
    first = Recorder(store.calls, "r1", reuse=False).completer(model)
    texts = [first.complete(ask()).text, first.complete(ask()).text]
    again = Recorder(store.calls, "r1", reuse=False).completer(model)
    assert (
        [again.complete(ask()).text, again.complete(ask()).text]
        == texts
        == ["answer 1", "answer 2"]
    )


def test_a_resumed_run_sends_only_what_failed(store: Store) -> None:
    good, bad = Model(), Model(error=Unreachable("Gone."))
    Recorder(store.calls, "r1").completer(good).complete(ask("one"))
    with pytest.raises(Unreachable):
        Recorder(store.calls, "r1").completer(bad).complete(ask("two"))
    resumed = Recorder(store.calls, "r1").completer(good)
    assert resumed.complete(ask("one")).text == "answer 1"
    assert resumed.complete(ask("two")).text == "answer 2"


def test_another_run_reuses_a_good_answer_and_says_whose_it_is(store: Store) -> None:
    model = Model()
    first = Recorder(store.calls, "r1").completer(model).complete(ask())
    again = Recorder(store.calls, "r2").completer(model).complete(ask(path="elsewhere"))
    assert (model.asked, again.text) == (1, first.text)
    assert store.calls.get(again.call).reused == first.call
    Recorder(store.calls, "r3", reuse=False).completer(model).complete(ask())
    assert model.asked == 2


@pytest.mark.parametrize(
    "reply", [Reply(""), Reply("half", finish="cut"), Reply("long", finish="length")]
)
def test_empty_and_cut_answers_are_never_reused(store: Store, reply: Reply) -> None:
    model = Model(reply)
    Recorder(store.calls, "r1").completer(model).complete(ask())
    Recorder(store.calls, "r2").completer(model).complete(ask())
    assert model.asked == 2


def test_stream_is_stored_whole_and_replayed(store: Store) -> None:
    heard: list[str] = []
    Recorder(store.calls, "r1").completer(Model(Reply("answer"))).complete(ask(), heard.append)
    Recorder(store.calls, "r1").completer(Model()).complete(ask(), heard.append)
    assert heard == ["an", "swer", "answer"]


def test_a_stop_in_the_middle_keeps_what_had_come(store: Store) -> None:
    stopped = Stopped("Stopped.")
    stopped.partial = "an"  # type: ignore[attr-defined]
    with pytest.raises(Stopped):
        Recorder(store.calls, "r1").completer(Model(error=stopped)).complete(ask())
    (call,) = store.calls.of_run("r1")
    assert (call.state, call.answer["text"]) == (CallState.CUT, "an")
    assert Recorder(store.calls, "r1").completer(Model()).complete(ask()).text == "answer 1"


def test_a_replay_needs_no_network_and_gives_the_same(store: Store) -> None:
    first = Recorder(store.calls, "r1").completer(Model()).complete(ask())
    none = Model(error=AssertionError("sent"))
    again = Recorder(store.calls, "r2", replay="r1").completer(none).complete(ask())
    assert again.text == first.text
    assert store.calls.get(again.call).reused == first.call
    assert Recorder(store.calls, "r1", replay="r1").completer(none).complete(ask()) == first
    with pytest.raises(NotFound, match=r"not .* run r1"):
        Recorder(store.calls, "r2", replay="r1").completer(none).complete(ask("other"))


def test_a_replay_fails_where_the_run_failed(store: Store) -> None:
    with pytest.raises(RateLimited):
        Recorder(store.calls, "r1").completer(Model(error=RateLimited("Too many."))).complete(ask())
    with pytest.raises(RateLimited, match="Too many"):
        Recorder(store.calls, "r2", replay="r1").completer(Model()).complete(ask())


def test_keys_and_addresses_are_not_stored(store: Store) -> None:
    request = Fetch(
        "https://x.org/a?api_key=sk-1",
        params=(("email", "me@x.org"), ("term", "BRCA1 sk-9")),
        kind="ncbi",
    )
    web = Web([Fetched(200, "you are me@x.org with sk-9")])
    Recorder(store.calls, "r1", secrets=("sk-9", "me@x.org")).fetcher(web).fetch(request)
    kept = json.dumps(
        [call.request for call in store.calls.of_run("r1")]
        + [call.answer for call in store.calls.of_run("r1")]
    )
    assert not any(secret in kept for secret in ("sk-1", "me@x.org", "sk-9"))
    assert "BRCA1" in kept


def test_a_request_is_the_same_with_another_key(store: Store) -> None:
    web = Web([Fetched(200, "first")])
    for key in ("a", "b"):
        fetched = (
            Recorder(store.calls, f"run {key}")
            .fetcher(web)
            .fetch(Fetch("https://x.org/", params=(("api_key", key),)))
        )
        assert fetched.text == "first"


def test_polls_repeat_and_are_never_answered_from_the_cache(store: Store) -> None:
    poll = Fetch("https://x.org/blast", kind="ncbi", fresh=True)
    web = Recorder(store.calls, "r1").fetcher(Web([Fetched(200, "WAITING"), Fetched(200, "READY")]))
    assert [web.fetch(poll).text, web.fetch(poll).text] == ["WAITING", "READY"]
    replayed = Recorder(store.calls, "r2", replay="r1").fetcher(Web([]))
    assert [replayed.fetch(poll).text, replayed.fetch(poll).text] == ["WAITING", "READY"]


@pytest.mark.parametrize("bad", [Fetched(200, ""), Fetched(200, "half", cut=True)])
def test_empty_and_cut_pages_are_never_reused(store: Store, bad: Fetched) -> None:
    web = Web([bad, Fetched(200, "whole")])
    Recorder(store.calls, "r1").fetcher(web).fetch(Fetch("https://x.org/"))
    assert Recorder(store.calls, "r2").fetcher(web).fetch(Fetch("https://x.org/")).text == "whole"


def test_a_reused_page_names_the_earlier_call(store: Store) -> None:
    web = Web([Fetched(200, "page", {"content-type": "text/plain"})])
    first = Recorder(store.calls, "r1").fetcher(web).fetch(Fetch("https://x.org/"))
    again = Recorder(store.calls, "r2").fetcher(web).fetch(Fetch("https://x.org/"))
    assert (again.reused, again.headers) == (first.call, {"content-type": "text/plain"})


def test_costs_are_kept_where_the_price_is_known(store: Store) -> None:
    Recorder(store.calls, "r1", price=lambda model, i, o: i * 1.0).completer(Model()).complete(
        ask()
    )
    Recorder(store.calls, "r2", price=lambda model, i, o: None, reuse=False).completer(
        Model()
    ).complete(ask())
    assert (
        store.calls.usage("r1").cost,
        store.calls.usage("r2").cost,
        store.calls.usage("r2").unpriced,
    ) == (
        10.0,
        0.0,
        1,
    )


def test_calls_for_vectors_are_recorded(store: Store) -> None:
    class Vectors:
        model, asked = "e", 0

        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            self.asked += 1
            return [[float(len(text)), 0.5] for text in texts]

    vectors = Vectors()
    for run in ("r1", "r2"):
        assert Recorder(store.calls, run).embedder(vectors).embed(["ab", "c"]) == [
            [2.0, 0.5],
            [1.0, 0.5],
        ]
    assert vectors.asked == 1


def test_recorder_loses_no_call_of_many_threads(store: Store) -> None:
    model = Model()
    recorded = Recorder(store.calls, "r1").completer(model)
    with ThreadPoolExecutor(4) as pool:
        replies = list(
            pool.map(lambda n: recorded.complete(ask(f"question {n % 10}", f"a[{n}]")), range(40))
        )
    assert len({reply.call for reply in replies}) == 40
    calls = store.calls.of_run("r1")
    assert [call.path for call in calls] == [f"a[{n}]" for n in range(40)]
    assert all(call.state == CallState.DONE for call in calls)


def test_recorder_passes_on_the_completers_description(store: Store) -> None:
    model = Model()
    model.capabilities = ModelCapabilities(tools=False)  # type: ignore[attr-defined]
    assert not capabilities_of(Recorder(store.calls, "r1").completer(model)).tools


def test_the_place_of_a_call_is_not_part_of_the_request(store: Store) -> None:
    model = Model()
    Recorder(store.calls, "r1").completer(model).complete(ask(path="a"))
    Recorder(store.calls, "r2").completer(model).complete(replace(ask(), path="b"))
    assert model.asked == 1


def test_a_plain_word_as_key_spoils_no_answer() -> None:
    assert [
        key
        for key in ("x", "none", "EMPTY", "Test", "sk-9", "me@x.org", "0123abcd")
        if is_telling_secret(key)
    ] == [
        "sk-9",
        "me@x.org",
        "0123abcd",
    ]


def test_key_of_letters_that_are_no_word_is_masked() -> None:
    assert is_telling_secret("QVXTOKENKEY") and is_telling_secret("hGtsLmwQ")


def test_recorder_knows_beforehand_which_requests_are_cached(store: Store) -> None:
    request = Fetch("http://x/", fresh=True)
    first = Recorder(store.calls, "r1", reuse=False).fetcher(Web([Fetched(200, "waiting")]))
    assert not first.is_recorded(request)
    first.fetch(request)
    again = Recorder(store.calls, "r1", reuse=False).fetcher(Web([Fetched(200, "ready")]))
    assert again.is_recorded(request) and again.fetch(request).text == "waiting"
    assert not again.is_recorded(request) and again.fetch(request).text == "ready"
