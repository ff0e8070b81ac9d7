"""Extraction without an endpoint: the desk gives the prompts, a person pastes a model's answers.

Each answer is stored as a call of the run, so that a run that was pasted looks and replays like any
other.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, replace

from core.desk_parts import HasEngines, HasProject, HasStore
from core.errors import InputError, NotFound
from core.extraction.one_call.engine import INSTRUCTION
from core.extraction.one_call.json_schema import json_schema
from core.extraction.species import with_species
from core.extraction.spires.engine import Spires
from core.extraction.spires.field import SlotNames
from core.extraction.spires.json_answer import read_json
from core.extraction.spires.prompt import class_of
from core.extraction.spires.spec import SPEC as SPIRES
from core.extraction.tree import Extraction
from core.llm.completer import Completer, Message, OnText, Reply, Request
from core.model import CallState, Json, Run
from core.services.extract.guidance import guidance_of
from core.services.extract.run import grounding_of, keep_text, new_run, schema_of
from core.services.extract.run_options import RunOptions, checked_options, options_of

KIND = "pasted"
ENGINE = SPIRES.name  # the engine whose questions a person takes elsewhere
MODEL = "pasted"


@dataclass(frozen=True, slots=True)
class UnansweredPrompt:
    """A prompt that waits for its answer; `path` is its place in the tree."""

    path: str
    prompt: str


@dataclass(frozen=True, slots=True)
class PastedRun:
    """A run that is being pasted together: what waits, and whether it is whole."""

    run: str
    waiting: tuple[UnansweredPrompt, ...]
    answered: int = 0

    @property
    def done(self) -> bool:
        return not self.waiting


def begin_pasting(
    desk: HasEngines,
    schema: str,
    text: str | bytes,
    *,
    source: str = "",
    cls: str = "",
    curator: str = "",
    options: RunOptions | None = None,
) -> PastedRun:
    """A run whose answers will be pasted, and its first prompt."""
    entered = keep_text(desk, schema, text, source=source, cls=cls)
    run = new_run(desk, entered, ENGINE, curator, options=checked_options(options), model=MODEL)
    return pasting_state(desk, run.id)


def pasting_state(desk: HasEngines, run_id: str) -> PastedRun:
    """What a pasted run still waits for."""
    run = desk.store.runs.get(run_id)
    answers = _answers(desk, run)
    waiting, _ = _extract(desk, run, answers)
    return PastedRun(run_id, waiting, len(answers))


def whole_prompt(desk: HasProject, run_id: str) -> str:
    """One prompt for the whole schema, in place of a run's first: its answer is one JSON object,
    which is pasted where the first answer goes.
    """
    run = desk.store.runs.get(run_id)
    text = desk.store.documents.text(run.text_version, run.document).text
    shape = json_schema(schema_of(desk, run), run.settings["class"])
    words = json.dumps(shape, ensure_ascii=False, indent=1)
    return f"{INSTRUCTION}\n\nSchema:\n{words}\n\n{guidance_of(run).first}Text:\n{text}\n\n===\n"


def paste_answer(
    desk: HasEngines, run_id: str, path: str, answer: str, *, as_json: bool = False
) -> PastedRun:
    """Take the answer to the prompt at `path`, or (`as_json`) to the one prompt for the whole
    schema. What is known so far is kept as the run's extraction. Raises InputError for an answer
    that is empty, or is not the JSON that was asked for.
    """
    run, words = desk.store.runs.get(run_id), answer.strip()
    if not words:
        raise InputError("The answer is empty.", "Paste what the model wrote, all of it.")
    if as_json:
        names = SlotNames(class_of(schema_of(desk, run), run.settings["class"]))
        if read_json(words, names) is None:
            raise InputError(
                "The answer holds no whole JSON object with fields of the schema.",
                "Paste all of it, from the first brace to the last, or ask question by question.",
            )
    answers = _answers(desk, run)
    waiting, _ = _extract(desk, run, answers)
    prompt = next((p.prompt for p in waiting if p.path == path), None)
    if prompt is None:
        raise NotFound(
            f"There is no unanswered prompt for “{path or 'the root'}”.",
            "It was answered already, or its parent changed.",
        )
    answers[prompt] = words
    return _keep_answers(desk, run, answers)


def take_back_answer(desk: HasEngines, run_id: str) -> tuple[UnansweredPrompt, str]:
    """Take back the answer that was pasted last: its prompt waits again. Gives both, so that it can
    be mended. The call stays in the record as one that failed.
    """
    run = desk.store.runs.get(run_id)
    answers = _answers(desk, run)
    if not answers:
        raise InputError("Nothing has been pasted yet.", "There is nothing to take back.")
    prompt, words = answers.popitem()
    for call in desk.store.calls.of_run(run_id):
        if call.state is CallState.DONE and call.request["messages"][-1]["content"] == prompt:
            desk.store.calls.finish(
                replace(
                    call, state=CallState.FAILED, error="Taken back by the person who pasted it."
                )
            )
    waiting = _keep_answers(desk, run, answers).waiting
    return next(pending for pending in waiting if pending.prompt == prompt), words


def _keep_answers(desk: HasEngines, run: Run, answers: dict[str, str]) -> PastedRun:
    """Keep the answers, and what follows from them."""
    desk.store.runs.save_result(run.id, answers, KIND)
    waiting, extraction = _extract(desk, run, answers)
    if extraction is not None:
        desk.store.runs.save_extraction(run.id, extraction)
    else:
        desk.store.runs.save_result(run.id, None, "extraction")
    return PastedRun(run.id, waiting, len(answers))


def _answers(desk: HasStore, run: Run) -> dict[str, str]:
    if run.model != MODEL:
        raise InputError(f"Run {run.id} asks a model itself; there is nothing to paste.")
    stored_answers: Json = desk.store.runs.result(run.id, KIND)
    return dict(stored_answers or {})


def _extract(
    desk: HasEngines, run: Run, answers: dict[str, str]
) -> tuple[tuple[UnansweredPrompt, ...], Extraction | None]:
    """What the answers so far give, and which prompts are open. None while the first is."""
    schema, options = schema_of(desk, run), options_of(run)
    recorded = desk.recorder(run.id, reuse=False).completer(_Pasted(answers))
    asking = _Asking(recorded, answers)
    look_up = grounding_of(desk, schema, options)
    engine = Spires(
        asking, grounding=look_up, limits=options.limits(desk), guidance=guidance_of(run)
    )
    text = desk.store.documents.text(run.text_version, run.document).text
    try:
        extraction = with_species(
            engine.extract(schema, run.settings["class"], text), text, look_up
        )
    except NotFound:
        if not asking.open:
            raise
        extraction = None
    return tuple(
        UnansweredPrompt(path, prompt)
        for prompt, path in sorted(asking.open.items(), key=lambda p: p[1])
    ), extraction


class _Pasted:
    """Answers each prompt with what was pasted for it."""

    model = MODEL

    def __init__(self, answers: dict[str, str]):
        self.answers = answers

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        return Reply(self.answers[text_to_copy(request)], model=MODEL)


class _Asking:
    """Lets through prompts that have an answer, so that only those become calls, and notes the
    others.
    """

    model = MODEL

    def __init__(self, inner: Completer, answers: dict[str, str]):
        self.inner, self.answers = inner, answers
        self.open: dict[str, str] = {}
        self._lock = threading.Lock()

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        prompt = text_to_copy(request)
        if prompt in self.answers:
            return self.inner.complete(request, on_text)
        with self._lock:
            self.open[prompt] = min(request.path, self.open.get(prompt, request.path))
        raise NotFound("This prompt is waiting for its answer.", "Paste it.")


def text_to_copy(request: Request) -> str:
    last_message: Message = request.messages[-1]
    return last_message.content
