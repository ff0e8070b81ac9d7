"""Answers from chunks: asked, stored with their run, rated, and the ratings compared between
modes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError, SettingsError
from core.jobs.runner import JobContext, register
from core.literature.answers.answer import AnswerTemplate, CitedAnswer, ask_model
from core.literature.answers.extractive import QuestionWeights, extract, weights_of
from core.literature.answers.rendering import AnswerLine, by_paper, lines, render
from core.literature.chunk import Chunk
from core.literature.query.plan import QueryPlan
from core.literature.ranking.search import SearchResults
from core.llm.completer import OnText
from core.model import Call, Job, Json, Run
from core.store import Rating

__all__ = [
    "MARKS",
    "AnswerLine",
    "StoredAnswer",
    "answer_run",
    "at_once",
    "begin",
    "calls",
    "has_model",
    "rate",
    "ratings",
    "shown_as",
    "start",
    "stored",
    "words_so_far",
]

JOB = "literature answer"
EVERY, SHOWN = (
    0.5,
    4000,
)  # seconds between looks at a growing answer, characters of it that are shown
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

    @property
    def text(self) -> str:
        if len(self.answers) == 1 and not self.answers[0].document:
            return render(self.answers[0], self.template, self.chunks)
        return "\n\n".join(
            f"{a.document}\n{render(a, self.template, self.chunks)}" for a in self.answers
        )

    def lines(self, answer: CitedAnswer) -> list[AnswerLine]:
        return lines(answer, self.chunks)


def begin(
    desk: Desk,
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
) -> str:
    """Keep a question with the chunks that it may be answered from, without answering it yet: its
    run. `engine` is auto, model or extractive; `model` is asked in place of the project's; `plan`
    says how rare the question's words are in the corpus. Raises
    InputError and SettingsError.
    """
    question = " ".join(question.split())
    if not question or not chunks:
        raise InputError(
            "An answer needs a question and at least one chunk.", "Tick chunks, or search first."
        )
    completer = desk.completer("answers", model)
    if engine == "model" and completer is None:
        raise SettingsError(
            "No model is configured.",
            "Set one on the Settings page, or take the extractive answer.",
        )
    answering = completer.model if completer is not None and engine != "extractive" else ""
    settings = {
        "question": question,
        "mode": mode,
        "template": str(template),
        "chunks": [c.id for c in chunks],
    }
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


def _weighed(plan: QueryPlan | None) -> Json:
    return {"weights": to_json(weights_of(plan))} if plan else {}


def at_once(found: SearchResults, most: int) -> StoredAnswer:
    """The best sentences of the first chunks found, without a model; not kept."""
    chunks = tuple(hit.chunk for hit in found.results[:most])
    weights = weights_of(found.plan) if found.plan else None
    given = extract(found.question.text, chunks, weights)
    return StoredAnswer("", (given,), chunks, AnswerTemplate.PARAGRAPH, "extractive")


def answer_run(
    desk: Desk, run: str, on_text: OnText | None = None, always: bool = False
) -> StoredAnswer:
    """Answer what a run asks, from its chunks only, and keep it. `always`: the best sentences are
    the answer, whatever they hold of the question.
    """
    asked, chunks = desk.store.runs.get(run), stored(desk, run).chunks
    question, template = str(asked.settings["question"]), AnswerTemplate(asked.settings["template"])
    kept = asked.settings.get("weights")
    weights = from_json(QuestionWeights, kept) if kept else None
    completer = desk.completer("answers", asked.model) if asked.engine == "model" else None
    parts = by_paper(chunks) if asked.settings.get("per_paper") else {"": list(chunks)}
    found = []
    for place, (document, some) in enumerate(parts.items()):
        if completer is not None:
            recorded = desk.recorder(run).completer(completer)
            found.append(
                ask_model(recorded, question, some, template, on_text, document, f"answer[{place}]")
            )
        else:
            found.append(extract(question, some, weights, document=document, always=always))
    desk.store.runs.save_result(
        run, {"answers": [to_json(a) for a in found], "chunks": [to_json(c) for c in chunks]}
    )
    return StoredAnswer(run, tuple(found), chunks, template, asked.engine)


def start(desk: Desk, run: str, curator: str = "", always: bool = False) -> Job:
    """Answer what a run asks in the background; `said` tells how far it is."""
    return desk.runner.start(JOB, {"run": run, "always": always}, curator)


def words_so_far(desk: Desk, run: str) -> str:
    """The words of the model that have come so far."""
    return str(desk.store.runs.result(run, "said") or "")


@register(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    run, words, told = arguments["run"], list[str](), 0.0

    def on_text(piece: str) -> None:
        nonlocal told
        words.append(piece)
        context.check()
        if time.monotonic() - told > EVERY:
            told = time.monotonic()
            context.context.store.runs.save_result(run, "".join(words)[-SHOWN:], "said")

    context.progress(0, 0, "the model reads the chunks")
    answer_run(context.context, run, on_text, bool(arguments.get("always")))
    return {"run": run}


def stored(desk: Desk, run: str) -> StoredAnswer:
    """An answer that was given before. Raises NotFound."""
    found: Run = desk.store.runs.get(run)
    value: dict[str, list[Json]] = desk.store.runs.result(run) or {}
    answers: tuple[CitedAnswer, ...] = tuple(
        from_json(CitedAnswer, answer) for answer in value.get("answers", ())
    )
    chunks: tuple[Chunk, ...] = tuple(from_json(Chunk, chunk) for chunk in value.get("chunks", ()))
    return StoredAnswer(
        run,
        answers,
        chunks,
        AnswerTemplate(found.settings.get("template", "paragraph")),
        found.engine,
    )


def shown_as(stored_answer: StoredAnswer, template: AnswerTemplate) -> StoredAnswer:
    """The same answer in another template: nothing is asked again."""
    return replace(stored_answer, template=template)


def has_model(desk: Desk) -> bool:
    return desk.completer("answers") is not None


def calls(desk: Desk, run: str) -> list[Call]:
    return desk.store.calls.of_run(run)


def rate(desk: Desk, run: str, mark: int, curator: str = "") -> None:
    """Rate an answer from wrong (0) to excellent (4)."""
    if mark not in range(len(MARKS)):
        raise InputError("A rating is 0 (wrong) to 4 (excellent).")
    mode = str(desk.store.runs.get(run).settings.get("mode", ""))
    desk.store.namespaces.add_rating(Rating(run, mode, mark, curator))


def ratings(desk: Desk) -> dict[str, tuple[int, float]]:
    """Mode → how many answers were rated and their mean."""
    marks: dict[str, list[int]] = {}
    for rating in desk.store.namespaces.ratings():
        marks.setdefault(rating.mode or "unknown", []).append(rating.stars)
    return {mode: (len(some), sum(some) / len(some)) for mode, some in sorted(marks.items())}
