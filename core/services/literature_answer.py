"""Answers from chunks: asked, stored with their run, rated, and the ratings compared between modes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError, SettingsError
from core.literature.answer import LEAST_HELD, Answer, Template, ask, extract
from core.literature.passage import Chunk
from core.literature.rendering import Line, by_paper, lines, render
from core.llm.completer import OnText
from core.model import Call, Json, Run
from core.store import Rating

__all__ = ["MARKS", "Given", "Line", "answer", "calls", "has_model", "rate", "ratings", "shown_as", "stored"]

MARKS = ("wrong", "poor", "fair", "good", "excellent")  # 0–4: the paper's scale


@dataclass(frozen=True, slots=True)
class Given:
    """A stored answer: its run, the parts (one, or one a paper), the chunks it may cite, and it all as one text."""

    run: str
    answers: tuple[Answer, ...]
    chunks: tuple[Chunk, ...]
    template: Template
    engine: str

    @property
    def text(self) -> str:
        if len(self.answers) == 1 and not self.answers[0].document:
            return render(self.answers[0], self.template, self.chunks)
        return "\n\n".join(f"{a.document}\n{render(a, self.template, self.chunks)}" for a in self.answers)

    def lines(self, answer: Answer) -> list[Line]:
        return lines(answer, self.chunks)


def answer(
    desk: Desk,
    question: str,
    chunks: Sequence[Chunk],
    *,
    template: Template = Template.PARAGRAPH,
    per_paper: bool = False,
    engine: str = "auto",
    mode: str = "",
    curator: str = "",
    on_text: OnText | None = None,
    least: float = LEAST_HELD,
) -> Given:
    """Answer from these chunks only, and keep it. `engine` is auto, model or extractive; `least` is the share of the
    question that an extractive answer must hold."""
    question = " ".join(question.split())
    if not question or not chunks:
        raise InputError("An answer needs a question and at least one chunk.", "Tick chunks, or search first.")
    completer = desk.completer()
    if engine == "model" and completer is None:
        raise SettingsError("No model is configured.", "Set one on the Settings page, or take the extractive answer.")
    use_model = completer is not None and engine != "extractive"
    run = Run(
        desk.new_id(),
        "answer",
        "model" if use_model else "extractive",
        model=completer.model if use_model and completer else "",
        settings={"question": question, "mode": mode, "template": str(template), "chunks": [c.id for c in chunks]},
        created=desk.clock(),
        curator=curator,
    )
    desk.store.add_run(run)
    parts = by_paper(chunks) if per_paper else {"": list(chunks)}
    found = []
    for place, (document, some) in enumerate(parts.items()):
        if use_model and completer is not None:
            recorded = desk.recorder(run.id).completer(completer)
            found.append(ask(recorded, question, some, template, on_text, document, f"answer[{place}]"))
        else:
            found.append(extract(question, some, document=document, least=least))
    given = Given(run.id, tuple(found), tuple(chunks), template, run.engine)
    desk.store.save_result(run.id, {"answers": [to_json(a) for a in found], "chunks": [to_json(c) for c in chunks]})
    return given


def stored(desk: Desk, run: str) -> Given:
    """An answer that was given before. Raises NotFound."""
    found: Run = desk.store.run(run)
    value: dict[str, list[Json]] = desk.store.result(run) or {}
    answers: tuple[Answer, ...] = tuple(from_json(Answer, one) for one in value.get("answers", ()))
    chunks: tuple[Chunk, ...] = tuple(from_json(Chunk, one) for one in value.get("chunks", ()))
    return Given(run, answers, chunks, Template(found.settings.get("template", "paragraph")), found.engine)


def shown_as(given: Given, template: Template) -> Given:
    """The same answer in another template: nothing is asked again."""
    return replace(given, template=template)


def has_model(desk: Desk) -> bool:
    return desk.completer() is not None


def calls(desk: Desk, run: str) -> list[Call]:
    return desk.store.calls(run)


def rate(desk: Desk, run: str, mark: int, curator: str = "") -> None:
    """Rate an answer from wrong (0) to excellent (4)."""
    if mark not in range(len(MARKS)):
        raise InputError("A rating is 0 (wrong) to 4 (excellent).")
    mode = str(desk.store.run(run).settings.get("mode", ""))
    desk.store.add_rating(Rating(run, mode, mark, curator))


def ratings(desk: Desk) -> dict[str, tuple[int, float]]:
    """Mode → how many answers were rated and their mean."""
    marks: dict[str, list[int]] = {}
    for one in desk.store.ratings():
        marks.setdefault(one.mode or "unknown", []).append(one.stars)
    return {mode: (len(some), sum(some) / len(some)) for mode, some in sorted(marks.items())}
