"""Answers from chunks: asked, stored with their run, rated, and the ratings compared between
modes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.codec import from_json, to_json
from core.desk_parts import HasJobs, HasModels, HasProjectModels, HasStore
from core.errors import InputError, SettingsError
from core.jobs.runner import JobContext, register_job
from core.literature.answers.answer import AnswerTemplate, CitedAnswer
from core.literature.answers.certainty import QuestionWeights, question_weights
from core.literature.answers.extractive import extract_sentences
from core.literature.answers.model_answer import ask_model
from core.literature.answers.rendering import (
    AnswerLine,
    answer_lines,
    chunks_by_paper,
    render_answer,
)
from core.literature.answers.soundness import (
    AnswerSoundness,
    SoundSentence,
    sound_sentences,
    soundness,
    verdict_json,
    verdict_words,
)
from core.literature.answers.yes_or_no import AnswerVerdict, verdict_of_passages
from core.literature.chunk import Chunk
from core.literature.query.plan import QueryPlan
from core.literature.ranking.search import SearchResults
from core.llm.completer import Completer, OnText
from core.llm.parallel import results_in_order
from core.model import Call, Job, Json, Run, Support, SupportVerdict, is_withdrawn
from core.services.settings.models import checked_model
from core.store import AnswerRating

__all__ = [
    "MARKS",
    "AnswerLine",
    "AnswerSoundness",
    "AnswerVerdict",
    "OnlyWithdrawn",
    "SoundSentence",
    "StoredAnswer",
    "answer_in_template",
    "answer_ratings",
    "answer_run",
    "asked_before",
    "begin_answer",
    "follow_up",
    "has_model",
    "kept_answer",
    "literature_answer_calls",
    "quick_answer",
    "rate_answer",
    "run_of_answer",
    "start_answer",
    "verdict_json",
    "verdict_words",
    "words_so_far",
]

JOB = "literature answer"
EVERY, SHOWN = (
    0.5,
    4000,
)  # seconds between looks at a growing answer, characters of it that are shown
MOST_EARLIER = 3  # questions that a further one is told of
MARKS = ("wrong", "poor", "fair", "good", "excellent")  # 0–4: the paper's scale


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """A stored answer: its run, the parts (one, or one a paper), the chunks it may cite, and it all
    as one text.
    """

    run: str
    answers: tuple[CitedAnswer, ...]
    chunks: tuple[Chunk, ...]
    template: AnswerTemplate
    engine: str
    question: str = ""
    weights: QuestionWeights | None = None
    left_out: tuple[str, ...] = ()  # retracted papers whose passages were not read, with why

    @property
    def withdrawn(self) -> dict[str, str]:
        """The papers that it cites and that have a status → that status, as it is now."""
        cited = {id for answer in self.answers for s in answer.sentences for id in s.chunks}
        return {c.document: c.status for c in self.chunks if c.id in cited and c.status}

    @property
    def verdict(self) -> AnswerVerdict | None:
        """What the papers say to a question that is answered by yes or no; None for any other. It
        is unclear where the passages do not answer.
        """
        verdict = verdict_of_passages(self.question, self.chunks, self.weights)
        known = any(not answer.unknown for answer in self.answers)
        return verdict if verdict is None or known else verdict.without_answer

    @property
    def soundness(self) -> AnswerSoundness:
        """What can be relied on in all of it."""
        return soundness(self.answers, self.chunks, self.verdict)

    def sound_sentences(self, answer: CitedAnswer) -> tuple[SoundSentence, ...]:
        """The sentences of a part, each with its stance and what its quotes carry."""
        return sound_sentences(answer, self.chunks)

    @property
    def text(self) -> str:
        if len(self.answers) == 1 and not self.answers[0].document:
            return render_answer(self.answers[0], self.template, self.chunks)
        return "\n\n".join(
            f"{a.document}\n{render_answer(a, self.template, self.chunks)}" for a in self.answers
        )

    def lines(self, answer: CitedAnswer) -> list[AnswerLine]:
        return answer_lines(answer, self.chunks)


def support_of_answer(stored: StoredAnswer) -> Support | None:
    """The least supported sentence of an answer decides; None where it says nothing."""
    judged = [
        sound.support.verdict
        for answer in stored.answers
        if not answer.unknown
        for sound in stored.sound_sentences(answer)
    ]
    order = list(SupportVerdict)
    return max(judged, key=lambda support: order.index(support.verdict), default=None)


def begin_answer(
    desk: HasProjectModels,
    question: str,
    chunks: Sequence[Chunk],
    *,
    template: AnswerTemplate = AnswerTemplate.PARAGRAPH,
    per_paper: bool = False,
    engine: str = "auto",
    mode: str = "",
    curator: str = "",
    model: str = "",
    plan: QueryPlan | None = None,
    after: str = "",
    with_withdrawn: bool = False,
) -> str:
    """Keep a question with the chunks that it may be answered from, without answering it yet: its
    run. `engine` is auto, model or extractive; `model` is asked in place of the project's; `plan`
    says how rare the question's words are in the corpus; `after` is the answer that the question
    follows up, which the model is told of. Passages of retracted papers are left out unless
    `with_withdrawn`; the run says which. Raises InputError and SettingsError.
    """
    chunks, left_out = _standing(desk, chunks, with_withdrawn)
    question = " ".join(question.split())
    if not question or not chunks:
        raise InputError(
            "An answer needs a question and at least one passage.",
            "Tick passages, or search first.",
        )
    completer = desk.completer("answers", checked_model(desk, model))
    if engine == "model" and completer is None:
        raise SettingsError(
            "No model is configured.",
            "Set one on the Settings page, or choose the best sentences instead.",
        )
    answering = completer.model if completer is not None and engine != "extractive" else ""
    settings = (
        {
            "question": question,
            "mode": mode,
            "template": str(template),
            "chunks": [c.id for c in chunks],
        }
        | ({"after": after} if after else {})
        | ({"left_out": left_out} if left_out else {})
    )
    run = Run(
        desk.new_id(),
        "answer",
        "model" if answering else "extractive",
        model=answering,
        settings={**settings, "per_paper": per_paper, **_weighed(plan)},
        created=desk.clock(),
        curator=curator,
    )
    desk.store.runs.add(run)
    desk.store.runs.save_result(
        run.id, {"answers": [], "chunks": [to_json(chunk) for chunk in chunks]}
    )
    return run.id


class OnlyWithdrawn(InputError):
    """Every passage is of a paper that was retracted or deleted."""


def _standing(
    desk: HasStore, chunks: Sequence[Chunk], with_withdrawn: bool
) -> tuple[list[Chunk], list[str]]:
    """The passages that an answer may rest on, each with what happened to its paper since; and the
    papers that are left out, each with its status.
    """
    marked = with_statuses(desk, chunks)
    kept = [chunk for chunk in marked if with_withdrawn or not is_withdrawn(chunk.status)]
    gone = list(dict.fromkeys(f"{c.document} ({c.status})" for c in marked if c not in kept))
    if gone and not kept:
        raise OnlyWithdrawn(
            f"Only retracted papers answer this: {', '.join(gone)}.",
            "Answers do not rest on them unless you ask for it.",
        )
    return kept, gone


def with_statuses(desk: HasStore, chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """Passages with what the project knows now of their papers."""
    notices = desk.store.document_overview.notices([chunk.document for chunk in chunks])
    return tuple(replace(chunk, status=notices.get(chunk.document, "")) for chunk in chunks)


def _weighed(plan: QueryPlan | None) -> Json:
    return {"weights": to_json(question_weights(plan))} if plan else {}


def _weights_of(run: Run) -> QuestionWeights | None:
    stored_weights = run.settings.get("weights")
    return from_json(QuestionWeights, stored_weights) if stored_weights else None


def quick_answer(search_results: SearchResults, most: int) -> StoredAnswer:
    """The best sentences of the first chunks found, without a model; not stored."""
    hits = [hit for hit in search_results.results if not is_withdrawn(hit.chunk.status)]
    chunks = tuple(hit.chunk for hit in hits[:most])
    gone = (hit.chunk for hit in search_results.results[:most] if hit not in hits)
    left_out = dict.fromkeys(f"{chunk.document} ({chunk.status})" for chunk in gone)
    weights = question_weights(search_results.plan) if search_results.plan else None
    cited_answer = extract_sentences(search_results.question.text, chunks, weights)
    return StoredAnswer(
        "",
        (cited_answer,),
        chunks,
        template=AnswerTemplate.PARAGRAPH,
        engine="extractive",
        question=search_results.question.text,
        weights=weights,
        left_out=tuple(left_out),
    )


def answer_run(
    desk: HasProjectModels,
    run: str,
    *,
    on_text: OnText | None = None,
    always: bool = False,
    on_part: Callable[[int, int], None] | None = None,
) -> StoredAnswer:
    """Answer what a run asks, from its chunks only, and keep it. `always`: the best sentences are
    the answer, whatever they hold of the question. `on_part` is told, before each paper that is
    asked alone, how many were asked and how many there are; a model is asked of several papers at
    once, as many as its endpoint takes.
    """
    answer_request, chunks = desk.store.runs.get(run), kept_answer(desk, run).chunks
    question, template = (
        str(answer_request.settings["question"]),
        AnswerTemplate(answer_request.settings["template"]),
    )
    weights = _weights_of(answer_request)
    completer = _model_of(desk, answer_request) if answer_request.engine == "model" else None
    earlier = asked_before(desk, answer_request) if completer is not None else []
    parts = (
        chunks_by_paper(chunks) if answer_request.settings.get("per_paper") else {"": list(chunks)}
    )
    part_progress = _CountedParts(on_part, len(parts))
    said = on_text if len(parts) == 1 else None  # words of several answers at once say nothing

    def answered(part: tuple[int, tuple[str, list[Chunk]]]) -> CitedAnswer:
        place, (document, chunks) = part
        part_progress.begin()
        if completer is None:
            return extract_sentences(question, chunks, weights, document=document, always=always)
        recorded = desk.recorder(run).completer(completer)
        path = f"answer[{place}]"
        return ask_model(
            recorded,
            question,
            chunks,
            template=template,
            on_text=said,
            document=document,
            path=path,
            earlier=earlier,
        )

    parallel = desk.settings.model_parallel if completer is not None else 1
    cited_answers = results_in_order(answered, enumerate(parts.items()), parallel)
    answers = [to_json(answer) for answer in cited_answers]
    desk.store.runs.save_result(run, {"answers": answers, "chunks": list(map(to_json, chunks))})
    return StoredAnswer(
        run,
        tuple(cited_answers),
        chunks,
        template=template,
        engine=answer_request.engine,
        question=question,
        weights=weights,
        left_out=_left_out(answer_request),
    )


def _left_out(run: Run) -> tuple[str, ...]:
    """The retracted papers that the answer of a run does not rest on."""
    return tuple(run.settings.get("left_out", ()))


class _CountedParts:
    """Tells of each part that is begun, one at a time."""

    def __init__(self, tell: Callable[[int, int], None] | None, total: int):
        self._tell, self._total, self._begun = tell, total, 0
        self._lock = threading.Lock()

    def begin(self) -> None:
        with self._lock:
            if self._tell:
                self._tell(self._begun, self._total)
            self._begun += 1


def _model_of(desk: HasModels, run: Run) -> Completer:
    """The model of a run that is asked. Raises SettingsError where it has no endpoint any more."""
    completer = desk.completer("answers", run.model)
    if completer is None:
        raise SettingsError(
            f"The model {run.model[:80]} has no endpoint any more.", "Ask again with another."
        )
    return completer


def follow_up(
    desk: HasProjectModels,
    run: str,
    question: str,
    *,
    curator: str = "",
    model: str = "",
    engine: str = "auto",
) -> str:
    """A further question over the passages of an answer, with its form: its run, not asked yet.
    Raises InputError and NotFound.
    """
    before, earlier_answer = desk.store.runs.get(run), kept_answer(desk, run)
    return begin_answer(
        desk,
        question,
        earlier_answer.chunks,
        template=earlier_answer.template,
        per_paper=bool(before.settings.get("per_paper")),
        engine=engine,
        mode=str(before.settings.get("mode", "")),
        curator=curator,
        model=model or before.model,
        after=run,
    )


def asked_before(desk: HasStore, run: Run) -> list[tuple[str, str]]:
    """The questions that a run follows up with their answers, first one first."""
    earlier_pairs: list[tuple[str, str]] = []
    while (after := str(run.settings.get("after") or "")) and len(earlier_pairs) < MOST_EARLIER:
        run = desk.store.runs.get(after)
        earlier_pairs.append((str(run.settings["question"]), kept_answer(desk, after).text))
    return earlier_pairs[::-1]


def start_answer(desk: HasJobs, run: str, curator: str = "", always: bool = False) -> Job:
    """Answer what a run asks in the background; `said` reports its progress."""
    return desk.runner.start(JOB, {"run": run, "always": always}, curator)


def words_so_far(desk: HasStore, run: str) -> str:
    """The words of the model that have come so far."""
    return str(desk.store.runs.result(run, "said") or "")


@register_job(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    run, words, last_saved = arguments["run"], list[str](), 0.0

    def on_text(piece: str) -> None:
        nonlocal last_saved
        words.append(piece)
        context.check()
        if time.monotonic() - last_saved > EVERY:
            last_saved = time.monotonic()
            context.context.store.runs.save_result(run, "".join(words)[-SHOWN:], "said")

    context.progress(0, 0, "the model reads the passages")

    def on_part(done: int, total: int) -> None:
        if total > 1:
            context.progress(done, total, "papers asked")

    answer_run(
        context.context, run, on_text=on_text, always=bool(arguments.get("always")), on_part=on_part
    )
    return {"run": run}


def kept_answer(desk: HasStore, run: str) -> StoredAnswer:
    """An answer that was given before. Raises NotFound."""
    stored_run: Run = desk.store.runs.get(run)
    value: dict[str, list[Json]] = desk.store.runs.result(run) or {}
    answers: tuple[CitedAnswer, ...] = tuple(
        from_json(CitedAnswer, answer) for answer in value.get("answers", ())
    )
    kept: list[Chunk] = [from_json(Chunk, chunk) for chunk in value.get("chunks", ())]
    chunks = with_statuses(desk, kept)
    return StoredAnswer(
        run,
        answers,
        chunks,
        template=AnswerTemplate(stored_run.settings.get("template", "paragraph")),
        engine=stored_run.engine,
        question=str(stored_run.settings.get("question", "")),
        weights=_weights_of(stored_run),
        left_out=_left_out(stored_run),
    )


def answer_in_template(stored_answer: StoredAnswer, template: AnswerTemplate) -> StoredAnswer:
    """The same answer in another template: nothing is asked again."""
    return replace(stored_answer, template=template)


def run_of_answer(desk: HasStore, run: str) -> Run:
    """The question as it was asked, and by which model."""
    return desk.store.runs.get(run)


def has_model(desk: HasModels) -> bool:
    return desk.completer("answers") is not None


def literature_answer_calls(desk: HasStore, run: str) -> list[Call]:
    return desk.store.calls.of_run(run)


def rate_answer(desk: HasStore, run: str, mark: int, curator: str = "") -> None:
    """Rate an answer from wrong (0) to excellent (4)."""
    if mark not in range(len(MARKS)):
        raise InputError("A rating is 0 (wrong) to 4 (excellent).")
    mode = str(desk.store.runs.get(run).settings.get("mode", ""))
    desk.store.judgements.add_rating(AnswerRating(run, mode, mark, curator))


def answer_ratings(desk: HasStore) -> dict[str, tuple[int, float]]:
    """Mode → how many answers were rated and their mean."""
    marks: dict[str, list[int]] = {}
    for rating in desk.store.judgements.ratings():
        marks.setdefault(rating.mode or "unknown", []).append(rating.stars)
    return {
        mode: (len(marks_of_mode), sum(marks_of_mode) / len(marks_of_mode))
        for mode, marks_of_mode in sorted(marks.items())
    }
