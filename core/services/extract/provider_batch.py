"""Reading many documents through the batch interface of an endpoint.

What is asked about a text depends on what was answered before, so requests go in waves: the first
questions of all documents, then those that their answers lead to. Answers are kept as calls, and
the documents are read from the record in the end. Equal requests are handed over once. A wave is
written down before and after it is handed over, so that no restart hands it over twice. A limit in
dollars leaves out of a wave what it would not pay for.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace

from core.codec import from_json
from core.desk_parts import HasEngines, HasModels, HasProjectModels
from core.errors import GroundworkError, NotFound, RemoteError, SettingsError
from core.extraction.engine import Check
from core.extraction.registry import engine_spec
from core.jobs.runner import JobContext
from core.llm.completer import Completer, ModelCapabilities, OnText, Reply, Request, capabilities_of
from core.llm.provider_batch import ProviderBatches, SubmittedBatch
from core.llm.token_count import tokens_in
from core.model import Run
from core.recorder import Recorder
from core.services.extract.run import extract_in_thread
from core.services.extract.run_options import options_of
from core.services.extract.spending import dollars_left, provider_run
from core.store.unit import UnitState
from core.text.count import counted

MOST_WAVES = 12
TOGETHER = 20_000  # requests of one wave: endpoints take 50,000
ANSWER = 100  # tokens of an answer, about
FIRST_LOOK, LONGEST_LOOK = 1.0, 60.0  # seconds between two looks at a batch


def needs_endpoint(desk: HasModels, engine: str, model: str) -> None:
    """Raises SettingsError where an engine asks no model, or the model is no endpoint."""
    if not engine_spec(engine).needs_model:
        raise SettingsError(
            f"The engine {engine} uses no model.", "Run it without the batch interface."
        )
    completer = desk.completer("extraction", model)
    if completer is None:
        raise SettingsError("No model is configured.", "See Settings, Models.")
    ProviderBatches(completer)


def hand_over(context: JobContext, model: str) -> None:
    """Have everything answered that the waiting documents of a job ask. Raises the RemoteError
    tree where the endpoint has no batch interface or the batch as a whole failed, and Stopped;
    requests that failed by themselves are left to be asked one by one.
    """
    desk, job = context.context, context.job
    completer = desk.completer("extraction", model)
    if completer is None:
        raise SettingsError("The model has no endpoint any more.", "See Settings, Models.")
    work = _Waves(context, desk, job.id, completer)
    for number in range(MOST_WAVES):
        if not work.wave(number):
            return


@dataclass(frozen=True, slots=True)
class _Wave:
    """What is written down of a wave: `batch` is empty until the endpoint has taken it, `asked` are
    the names of its requests. `lacking`: answers were missing when they were fetched, and a person
    was told so. `called_off`: a person stopped the job.
    """

    batch: str = ""
    asked: tuple[str, ...] = ()
    over: bool = False
    lacking: bool = False
    called_off: bool = False


class _Waves:
    def __init__(self, context: JobContext, desk: HasEngines, job: str, completer: Completer):
        self.context, self.desk, self.job, self.completer = context, desk, job, completer
        self.batches = ProviderBatches(completer)
        run = Run(provider_run(job), "provider batch", "batch", model=completer.model)
        self.run = desk.store.runs.add(replace(run, created=desk.clock()))
        self.refused: set[str] = set()

    def wave(self, number: int) -> bool:
        """Hand one wave over and take its answers in; False when nothing was left to ask."""
        wave = self._stored_wave(number)
        if wave.over:
            return True
        open_requests = self._gather()
        if not open_requests:
            return False
        wave = self._handed(number, wave, open_requests)
        # Of an earlier batch some answers may be here already, and have led to further questions.
        asked = {n: open_requests[n] for n in wave.asked if n in open_requests}
        state = self._await(number, wave)
        unanswered = self._take_in(state, asked)
        if not wave.lacking and len(unanswered) > state.unprocessed:
            self._write(number, replace(wave, lacking=True))
            raise _incomplete(len(unanswered), len(wave.asked))
        self._write(number, replace(wave, over=True))
        if state.status == "cancelled" and wave.called_off:
            return True  # the rest goes with the next wave
        if not state.answered:
            raise _ended(state)
        self.refused |= unanswered
        return True

    def _take_in(self, state: SubmittedBatch, requests: dict[str, Request]) -> set[str]:
        """Keep the answers of a batch; the requests that came back in no form."""
        recorder = self.desk.recorder(self.run.id)
        recorder.price = self.desk.models.batch_cost
        refused, kept = set[str](), set[str]()
        for name, reply in self.batches.replies(state, requests):
            if not isinstance(reply, Reply):
                refused.add(name)
            elif name not in kept:
                _keep(recorder, self.completer.model, requests[name], reply)
                kept.add(name)
        self.refused |= refused - kept
        return requests.keys() - refused - kept

    def _gather(self) -> dict[str, Request]:
        """What the waiting documents ask and nobody has answered, by the hash of the request."""
        asking = _Gathering(self.desk, self.completer, self.refused)
        room = dollars_left(self.desk, self.job)
        units = self.desk.store.units.all(self.job)
        waiting = [unit for unit in units if unit.state is UnitState.WAITING and unit.run]
        for units_seen, unit in enumerate(waiting):
            if len(asking.open) >= TOGETHER or asking.cost >= room:
                break
            self.context.check()
            self.context.progress(units_seen, len(waiting), "preparing the questions")
            run = self.desk.store.runs.get(unit.run)
            with suppress(GroundworkError):  # it is told where the document is read
                extract_in_thread(self.desk, run, check=self.context.check, completer=asking)
            self.context.check()
        return asking.open

    def _handed(self, number: int, wave: _Wave, requests: dict[str, Request]) -> _Wave:
        """The wave with its batch, handed over now unless it was before."""
        mark = f"{self.job}-{number}"
        if wave.batch:
            return wave if wave.asked else replace(wave, asked=tuple(requests))
        begun = self.desk.store.runs.result(self.run.id, f"wave {number}") is not None
        batch = self.batches.find(mark) if begun else ""
        if not batch:
            wave = _Wave(asked=tuple(requests))
            self._write(number, wave)
            batch = self.batches.submit(requests, mark)
        wave = replace(wave, batch=batch, asked=wave.asked or tuple(requests))
        self._write(number, wave)
        return wave

    def _await(self, number: int, wave: _Wave) -> SubmittedBatch:
        """The batch when it is over. Stopped by a person, it is called off. An endpoint that has
        not looked at it yet counts none of its requests.
        """
        pause = FIRST_LOOK
        while (state := self.batches.state(wave.batch)).going:
            total = max(state.total, len(wave.asked))
            progress_note = f"{counted(total, 'request')} at the endpoint, {state.done:,} answered"
            try:
                self.context.progress(state.done, total, progress_note)
                self._sleep(pause)
            except GroundworkError:
                self._call_off(number, wave)
                raise
            pause = min(LONGEST_LOOK, pause * 1.5)
        if not state.ended:
            raise RemoteError(
                f"The endpoint reports “{state.status}” for its batch, which is neither running nor"
                " finished.",
                "Resume to check again.",
            )
        return state

    def _sleep(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.context.check()
            time.sleep(min(0.2, seconds))

    def _call_off(self, number: int, wave: _Wave) -> None:
        if not self.desk.store.jobs.is_stopping(self.job):
            return  # the app ends: another process goes on with it
        with suppress(RemoteError):
            self.batches.cancel(wave.batch)
            self._write(number, replace(wave, called_off=True))

    def _stored_wave(self, number: int) -> _Wave:
        stored = self.desk.store.runs.result(self.run.id, f"wave {number}") or {}
        return _Wave(
            str(stored.get("batch") or ""),
            tuple(stored.get("asked") or ()),
            *(bool(stored.get(name)) for name in ("over", "lacking", "called_off")),
        )

    def _write(self, number: int, wave: _Wave) -> None:
        self.desk.store.runs.save_result(self.run.id, asdict(wave), f"wave {number}")


def _incomplete(lacking: int, asked: int) -> RemoteError:
    read = asked - lacking
    return RemoteError(
        f"Only {read:,} of the {asked:,} answers of the endpoint's batch can be read: its file of"
        " answers is missing or damaged.",
        "Resume to fetch it again. Answers that are still missing then are asked for one by one,"
        " which costs again.",
    )


def _ended(state: SubmittedBatch) -> RemoteError:
    why = f": {state.why}" if state.why else ""
    return RemoteError(
        f"The endpoint ended the batch as {state.status}{why}.",
        "Resume to hand the questions over again, or read the documents without the batch"
        " interface.",
    )


class _Gathering:
    """Answers from the record; what has no answer is noted and not asked."""

    def __init__(self, desk: HasProjectModels, completer: Completer, refused: set[str]):
        self._log = desk.recorder(NOWHERE)
        self._completer, self._refused = completer, refused
        self._cached = desk.store.calls.cached
        self._cost_of = desk.models.batch_cost
        self.open: dict[str, Request] = {}
        self._lock = threading.Lock()

    @property
    def cost(self) -> float:
        """US dollars that what is open will about cost; 0 where no price is known."""
        with self._lock:
            prompts = [message.content for r in self.open.values() for message in r.messages]
            answers = ANSWER * len(self.open)
        return self._cost_of(self.model, sum(map(tokens_in, prompts)), answers) or 0.0

    @property
    def capabilities(self) -> ModelCapabilities:
        return capabilities_of(self._completer)

    @property
    def model(self) -> str:
        return self._completer.model

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        name = self._log.hash_of("model", {"model": self.model} | request.payload())
        if (answered_call := self._cached(name)) is not None:
            return from_json(Reply, answered_call.answer)
        if name in self._refused:
            raise RemoteError("The endpoint's batch contains no answer to this.", "")
        with self._lock:
            self.open[name] = request
        raise NotFound("This is waiting for the batch.", "")


NOWHERE = "nowhere"  # a run that no call is written to


def is_answered(desk: HasEngines, run: Run, check: Check) -> bool:
    """Whether the record answers all that reading a document asks: then it costs nothing."""
    completer = desk.completer("extraction", run.model)
    if completer is None or not options_of(run).reuse:
        return False
    asking = _Gathering(desk, completer, set())
    with suppress(GroundworkError):
        extract_in_thread(desk, run, check=check, completer=asking)
    return not asking.open


def _keep(recorder: Recorder, model: str, request: Request, reply: Reply) -> None:
    """Write an answer down as a call of the record, which any run may reuse."""
    recorder.completer(_Given(model, reply)).complete(request)


@dataclass(frozen=True, slots=True)
class _Given:
    model: str
    reply: Reply

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        return self.reply
