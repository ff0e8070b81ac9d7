"""Asking NCBI: one call in, one read answer out, within a budget of calls and seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from core.errors import NotServed, OverBudget, RemoteError
from core.model import Json
from core.ncbi.address import NcbiAddresses, fetch_of, shown_request
from core.ncbi.call import Align, Alignment, NcbiCall, shown_arguments
from core.ncbi.record import NcbiReading, NcbiRecord
from core.ncbi.response import read_response
from core.web import Fetcher, Pace, RememberingFetcher

POLL = 60.0  # seconds between two looks at a BLAST search (NCBI: at most one a minute)
MAX_WAIT = 1800.0  # seconds a BLAST search may take


@dataclass(frozen=True, slots=True)
class NcbiResponse:
    """An answer as read, with its trace: `request` as shown, `stored` the id of the Call that holds
    it, `reused` that of the earlier call whose answer it is.
    """

    call: NcbiCall
    reading: NcbiReading
    request: Json = None
    text: str = ""
    stored: str = ""
    seconds: float = 0.0
    waited: float = 0.0
    error: str = ""
    reused: str = ""

    @property
    def records(self) -> tuple[NcbiRecord, ...]:
        return self.reading.records


@dataclass(frozen=True, slots=True)
class WaitPolicy:
    """How to wait. `scale` shortens the waits at addresses of one's own; `check` raises Stopped."""

    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    scale: float = 1.0
    check: Callable[[], None] = lambda: None
    tell: Callable[[str], None] = lambda words: None

    def wait(self, seconds: float, why: str) -> None:
        """Wait in slices of a second, so that Stop is noticed and the seconds are seen to go by;
        `why` ends with what comes after them.
        """
        seconds_left = seconds * self.scale
        while seconds_left > 0:
            self.tell(f"{why} in {seconds_left:.0f} s")
            self.check()
            self.sleep(min(1.0, seconds_left))
            seconds_left -= 1.0


@dataclass(slots=True)
class Ncbi:
    """The client of one question. `fetcher` records, keeps the pace and adds the key (see
    `answer_check`).
    """

    fetcher: Fetcher
    addresses: NcbiAddresses = field(default_factory=NcbiAddresses)
    patience: WaitPolicy = field(default_factory=WaitPolicy)
    max_calls: int = 40
    max_seconds: float = 3600.0
    calls: int = 0
    started: float = 0.0
    edits: Mapping[str, NcbiCall] = field(
        default_factory=dict
    )  # place of a step → the call a person put there
    unserved: set[str] = field(default_factory=set)  # tools that the address said it does not offer
    blast_pace: Pace | None = None  # of requests to BLAST, shared by all questions of a process

    def ask(self, call: NcbiCall, path: str = "") -> NcbiResponse:
        """Raises the RemoteError tree, OverBudget and Stopped."""
        self._budget()
        request = shown_request(call, self.addresses)
        if isinstance(call, Align | Alignment):
            self._spaced(call)
        try:
            answer = self.fetcher.fetch(fetch_of(call, self.addresses, path))
        except NotServed:
            self.unserved.add(str(shown_arguments(call)["tool"]))
            raise
        reading = read_response(call, answer.text)
        if answer.cut and not reading.cut:
            reading = replace(
                reading, cut=True, warnings=(*reading.warnings, "The answer was cut off.")
            )
        return NcbiResponse(
            call,
            reading,
            request,
            text=answer.text,
            stored=answer.call,
            seconds=answer.seconds,
            reused=answer.reused,
        )

    def check(self) -> None:
        """Raises Stopped, and OverBudget when the question has taken its seconds; called before
        each request, also before those to a model.
        """
        now = self.patience.clock()
        self.started = self.started or now
        self.patience.check()
        if now - self.started > self.max_seconds:
            raise OverBudget(
                f"This question has used up its {self.max_seconds:.0f} seconds.", "Ask again later."
            )

    def _budget(self) -> None:
        self.check()
        if self.calls >= self.max_calls:
            raise OverBudget(
                f"This question has used up its {self.max_calls} calls.", "Narrow the question."
            )
        self.calls += 1

    def _spaced(self, call: Align | Alignment) -> None:
        """Wait for BLAST's turn, unless the record answers."""
        if self.blast_pace is not None and not self._is_recorded(call):
            self.blast_pace.wait()

    def _wait(self, call: Alignment, seconds: float, why: str) -> None:
        """Wait before a look that goes out; one that the record answers (a job that is resumed)
        needs none.
        """
        if not self._is_recorded(call):
            self.patience.wait(seconds, why)

    def _is_recorded(self, call: Align | Alignment) -> bool:
        fetcher = self.fetcher
        return isinstance(fetcher, RememberingFetcher) and fetcher.is_recorded(
            fetch_of(call, self.addresses)
        )

    def result(
        self, submitted: NcbiResponse, path: str = "", *, is_first: bool = True
    ) -> NcbiResponse:
        """The report of a submitted search: first asked for after BLAST's own estimate, then once a
        minute.
        """
        call = Alignment(submitted.reading.rid)
        searching = f"BLAST is searching (request {call.rid}); waiting for its report"
        if is_first:
            self._wait(call, submitted.reading.estimate, searching)
        waited, number = submitted.reading.estimate if is_first else 0.0, 0
        while (answer := self.ask(call, f"{path}.poll{number}")).reading.pending:
            self.calls -= 1  # a look is not a question
            if waited > MAX_WAIT:
                raise RemoteError(
                    f"BLAST request {call.rid} is still waiting after {waited / 60:.0f} minutes.",
                    "Come back later: the request is kept.",
                )
            self._wait(call, POLL, f"{searching} again")
            waited, number = waited + POLL, number + 1
        return replace(answer, waited=waited * self.patience.scale)


class Aligner:
    """Anything that aligns a sequence. NCBI BLAST is the one there is; another takes its place by
    the same method.
    """

    def __init__(self, ncbi: Ncbi):
        self.ncbi = ncbi

    def align(
        self,
        call: Align,
        path: str = "",
        *,
        on_submitted: Callable[[NcbiResponse], None] = lambda submitted: None,
    ) -> tuple[NcbiResponse, NcbiResponse]:
        """The submission and the report; `on_submitted` hears of the submission before the report
        is waited for.
        """
        submitted = self.ncbi.ask(call, path)
        on_submitted(submitted)
        return submitted, self.ncbi.result(submitted, path)
