"""What an extraction will about take, before it starts: of one text, or of many."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.desk import Desk
from core.errors import InputError
from core.extraction.registry import engine_spec
from core.services.extract.run import RunOptions, find_schema, resolve_engine
from core.services.extract.window import fitting, room_of
from core.text.clean import clean_text

INPUT = 0.8  # of all tokens, about: questions carry the text, answers are short


@dataclass(frozen=True, slots=True)
class Budget:
    """Calls and tokens that a run will about take, with the fewest and the most calls that the text
    gives reason to expect. `cost` is US dollars, None where no price is known; `limited`: the limit
    of calls may end the run.
    """

    engine: str
    calls: int = 0
    tokens: int = 0
    cost: float | None = None
    least: int = 0
    most: int = 0
    limited: bool = False


def preview(
    desk: Desk,
    schema: str,
    text: str,
    engine: str = "auto",
    cls: str = "",
    options: RunOptions | None = None,
) -> Budget:
    name, options = resolve_engine(desk, engine), options or RunOptions()
    spec = engine_spec(name)
    if not spec.needs_model:
        return Budget(name)
    model = options.model or desk.settings.model_for("extraction")
    found, limits = find_schema(desk, schema), options.limits(desk)
    split = options.split
    if not spec.reads_whole:
        room = room_of(spec, found, cls or found.root, desk.settings.max_tokens)
        split = fitting(desk, split, model, room, len(text))
    parts = [part.quote(text) for part in split.parts(text)]
    every = [spec.estimate(found, cls or found.root, part, limits) for part in parts]
    calls, least, most = (
        min(sum(n), limits.calls)
        for n in zip(*((e.calls, e.least, e.most) for e in every), strict=True)
    )
    tokens = min(sum(estimate.tokens for estimate in every), limits.tokens)
    cost = desk.cost(model, int(tokens * INPUT), int(tokens * (1 - INPUT)))
    return Budget(name, calls, tokens, cost, least, most, most >= limits.calls)


def preview_many(
    desk: Desk,
    schema: str,
    texts: Iterable[str | bytes],
    engine: str = "auto",
    options: RunOptions | None = None,
) -> Budget:
    """The same for a batch: each text has the limits of a run. What cannot be read will not be
    asked about.
    """
    every = [
        preview(desk, schema, text, engine, options=options)
        for text in map(readable, texts)
        if text
    ]
    if not every:
        return Budget(resolve_engine(desk, engine))
    calls, tokens, least, most = (
        sum(numbers)
        for numbers in zip(*((b.calls, b.tokens, b.least, b.most) for b in every), strict=True)
    )
    costs = [one.cost for one in every if one.cost is not None]
    cost = sum(costs) if len(costs) == len(every) else None
    return Budget(
        every[0].engine, calls, tokens, cost, least, most, any(one.limited for one in every)
    )


def readable(text: str | bytes) -> str:
    try:
        return clean_text(text)
    except InputError:
        return ""
