"""Wraps any client so that every call is a Call (docs/architecture.md, Calls).

A call is committed as started before it is sent, and as done, failed or cut after. Asked again in
the same run, the n-th equal request is answered by the n-th recorded one (so a job resumes by
running again); a good answer of any run may be reused; a replay answers from the record alone and
never goes out. Keys and e-mail addresses are not stored.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

from core.codec import from_json, to_json
from core.errors import (
    GroundworkError,
    NotFound,
    recorded_error,
)
from core.llm.completer import (
    Completer,
    Embedder,
    ModelCapabilities,
    OnText,
    Reply,
    Request,
    capabilities_of,
)
from core.llm.token_count import tokens_in
from core.model import Call, CallState, Json, json_digest, utc_now
from core.web import Fetch, Fetched, Fetcher, is_telling_secret, mask_json, mask_secrets


class CallLog(Protocol):
    """Where calls are kept. Each method commits before it returns, and may be called from any
    thread.
    """

    def begin(self, call: Call) -> None: ...

    def finish(self, call: Call, *, reusable: bool = False) -> None: ...

    def recorded(self, run: str, request_hash: str, occurrence: int) -> Call | None: ...

    def cached(self, request_hash: str) -> Call | None: ...


UNFINISHED = ("cut", "runaway", "length")  # how an answer ends that is asked for again
Price = Callable[[str, int, int], float | None]  # model, tokens in, tokens out → US dollars


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a client gave, as it is stored; `good` when it is whole and not empty."""

    value: Json
    state: CallState = CallState.DONE
    good: bool = True
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None


_ASKED: dict[str, tuple[threading.Lock, int]] = {}  # requests under way, and who waits for them
_ASKED_LOCK = threading.Lock()


@contextmanager
def _one_at_a_time(request_hash: str) -> Iterator[None]:
    """Equal requests of this process one after another."""
    with _ASKED_LOCK:
        lock, waiting = _ASKED.get(request_hash, (threading.Lock(), 0))
        _ASKED[request_hash] = (lock, waiting + 1)
    try:
        with lock:
            yield
    finally:
        with _ASKED_LOCK:
            lock, waiting = _ASKED[request_hash]
            if waiting > 1:
                _ASKED[request_hash] = (lock, waiting - 1)
            else:
                del _ASKED[request_hash]


class Recorder:
    """Records the calls of one run. `replay` is the id of a run to answer from instead of going
    out. What is not `shared` neither answers another run nor is answered by one.
    """

    def __init__(
        self,
        log: CallLog,
        run: str,
        *,
        reuse: bool = True,
        replay: str = "",
        shared: bool = True,
        secrets: Sequence[str] = (),
        price: Price | None = None,
        clock: Callable[[], str] = utc_now,
        new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
    ):
        self.log, self.run, self.reuse, self.replay = log, run, reuse and shared, replay
        self.shared = shared
        self.secrets = tuple(filter(is_telling_secret, secrets))
        self.price, self.clock, self.new_id = price, clock, new_id
        self._seen: Counter[str] = Counter()
        self._lock = threading.Lock()

    def completer(self, completer: Completer) -> Completer:
        return _RecordedCompleter(self, completer)

    def fetcher(self, fetcher: Fetcher) -> Fetcher:
        return _RecordedFetcher(self, fetcher)

    def embedder(self, embedder: Embedder) -> Embedder:
        return _RecordedEmbedder(self, embedder)

    def answer(
        self,
        kind: str,
        payload: Json,
        path: str,
        send: Callable[[], _Answer],
        *,
        fresh: bool = False,
    ) -> tuple[Call, bool]:
        """The call that answers this request, and whether it was sent just now. Raises what the
        client raised.
        """
        payload = mask_json(payload, self.secrets)
        request_hash = json_digest([kind, payload])
        with self._lock:
            occurrence = self._seen[request_hash]
            self._seen[request_hash] += 1
        call = Call(
            self.new_id(),
            self.run,
            path,
            kind=kind,
            request=payload,
            request_hash=request_hash,
            occurrence=occurrence,
            started=self.clock(),
        )
        if self.replay:
            return self._replayed(call), False
        recorded_call = self.log.recorded(self.run, request_hash, occurrence)
        if recorded_call is not None and is_answered(recorded_call):
            return recorded_call, False
        if not self.reuse or fresh:
            return self._send_and_keep(call, send), True
        with _one_at_a_time(request_hash):  # who asks the same meanwhile takes this answer
            earlier = self.log.cached(request_hash)
            if earlier is not None:
                return self._again(call, earlier), False
            return self._send_and_keep(call, send), True

    def answered(self, payload: Json) -> bool:
        """Whether this request to a model has a good answer, of this run or of another."""
        request_hash = self.hash_of("model", payload)
        return self.log.cached(request_hash) is not None or self.is_recorded("model", payload)

    def hash_of(self, kind: str, payload: Json) -> str:
        """What equal requests have in common."""
        return json_digest([kind, mask_json(payload, self.secrets)])

    def is_recorded(self, kind: str, payload: Json) -> bool:
        """Whether this request, asked now, would be answered from the record, and so at once."""
        request_hash = json_digest([kind, mask_json(payload, self.secrets)])
        with self._lock:
            occurrence = self._seen[request_hash]
        if self.replay:
            return True
        recorded_call = self.log.recorded(self.run, request_hash, occurrence)
        return recorded_call is not None and is_answered(recorded_call)

    def _send_and_keep(self, call: Call, send: Callable[[], _Answer]) -> Call:
        self.log.begin(call)
        start = time.monotonic()
        try:
            answer = send()
        except BaseException as error:
            self._failed(call, error, time.monotonic() - start)
            raise
        finished_call = replace(
            call,
            state=answer.state,
            answer=mask_json(answer.value, self.secrets),
            seconds=time.monotonic() - start,
            tokens_in=answer.tokens_in,
            tokens_out=answer.tokens_out,
            cost=answer.cost,
        )
        self.log.finish(finished_call, reusable=answer.good and self.shared)
        return finished_call

    def _failed(self, call: Call, error: BaseException, seconds: float) -> None:
        """Keep the error, and what was received before it broke off."""
        message = str(error) if isinstance(error, GroundworkError) else type(error).__name__
        message = f"{type(error).__name__}: {mask_secrets(message, self.secrets)}"
        partial = getattr(error, "partial", "")
        state = CallState.CUT if partial else CallState.FAILED
        value = {"text": mask_secrets(partial, self.secrets), "finish": "cut"} if partial else None
        if tried := getattr(error, "attempts", ()):  # what each try got, for people to look at
            value = {**(value or {}), "attempts": mask_json(to_json(tuple(tried)), self.secrets)}
        self.log.finish(replace(call, state=state, answer=value, error=message, seconds=seconds))

    def _again(self, call: Call, earlier: Call) -> Call:
        """A call of this run that repeats an earlier answer."""
        used = replace(
            call, state=earlier.state, error=earlier.error, reused=earlier.reused or earlier.id
        )
        self.log.begin(used)
        self.log.finish(used)
        return replace(used, answer=earlier.answer)

    def _replayed(self, call: Call) -> Call:
        earlier = self.log.recorded(self.replay, call.request_hash, call.occurrence)
        if earlier is None:
            raise NotFound(
                f"This request is not in the record of run {self.replay}, so it cannot be"
                " replayed.",
                "The question, text or settings differ from then; run it anew.",
            )
        recorded_call = earlier if self.run == self.replay else self._again(call, earlier)
        if recorded_call.state == CallState.FAILED or recorded_call.answer is None:
            raise recorded_error(recorded_call.error)
        return recorded_call


def is_answered(call: Call) -> bool:
    """Whether a recorded call need not be sent again: it was answered, and to the end."""
    if call.state not in (CallState.DONE, CallState.CUT) or not isinstance(call.answer, dict):
        return False
    empty = not (call.answer.get("text") or call.answer.get("calls") or call.answer.get("vectors"))
    return not empty and call.answer.get("finish") not in UNFINISHED


class _RecordedCompleter:
    def __init__(self, recorder: Recorder, completer: Completer):
        self._recorder, self._completer = recorder, completer

    @property
    def capabilities(self) -> ModelCapabilities:
        return capabilities_of(self._completer)

    @property
    def model(self) -> str:
        return self._completer.model

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        payload = {"model": self.model} | request.payload()

        def send() -> _Answer:
            reply = self._completer.complete(request, on_text)
            is_complete = reply.whole
            usage = reply.usage
            price = self._recorder.price
            cost = price(self.model, usage.tokens_in, usage.tokens_out) if price else None
            if price and cost is None and reply.model:  # such as a router that chose one
                cost = price(reply.model, usage.tokens_in, usage.tokens_out)
            state = CallState.DONE if is_complete else CallState.CUT
            good = is_complete and bool(reply.text.strip() or reply.calls)
            return _Answer(
                to_json(replace(reply, call="")),
                state,
                good,
                tokens_in=usage.tokens_in,
                tokens_out=usage.tokens_out,
                cost=cost,
            )

        call, was_sent = self._recorder.answer("model", payload, request.path, send)
        reply: Reply = from_json(Reply, call.answer)
        if on_text and not was_sent and reply.text:
            on_text(reply.text)
        return replace(reply, call=call.id)


class _RecordedFetcher:
    def __init__(self, recorder: Recorder, fetcher: Fetcher):
        self._recorder, self._fetcher = recorder, fetcher

    def is_recorded(self, request: Fetch) -> bool:
        return self._recorder.is_recorded(request.kind, request.payload())

    def fetch(self, request: Fetch) -> Fetched:
        def send() -> _Answer:
            fetched = self._fetcher.fetch(request)
            state = CallState.CUT if fetched.cut else CallState.DONE
            return _Answer(
                to_json(replace(fetched, call="")),
                state,
                bool(fetched.text.strip()) and not fetched.cut,
            )

        call, _ = self._recorder.answer(
            request.kind, request.payload(), request.path, send, fresh=request.fresh
        )
        fetched: Fetched = from_json(Fetched, call.answer)
        return replace(fetched, call=call.id, reused=call.reused)


class _RecordedEmbedder:
    def __init__(self, recorder: Recorder, embedder: Embedder):
        self._recorder, self._embedder = recorder, embedder

    @property
    def model(self) -> str:
        return self._embedder.model

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        def send() -> _Answer:
            vectors = self._embedder.embed(texts)
            tokens = sum(map(tokens_in, texts))
            price = self._recorder.price
            cost = price(self.model, tokens, 0) if price else None
            return _Answer({"vectors": vectors}, good=bool(vectors), tokens_in=tokens, cost=cost)

        call, _ = self._recorder.answer(
            "model", {"model": self.model, "embed": list(texts)}, "", send
        )
        return [[float(number) for number in vector] for vector in call.answer["vectors"]]
