"""Texts that are longer than a model reads at once: how long a part may be, where the context is
known.
"""

from __future__ import annotations

from core.desk_parts import HasModels
from core.extraction.engine import EngineSpec
from core.extraction.long_text import OVERLAP, SMALLEST, Room, TextSplit
from core.llm.token_count import tokens_in
from core.schema.definition import Schema

SPARE = 0.8  # of the characters that fit by the estimate: parts differ in how long their words are
DENSEST = 3.6  # characters a token, at the most
ANSWER = 1000  # tokens that are kept for an answer, a third of the context at the most


def room_of(
    spec: EngineSpec, schema: Schema, cls: str, text: str, answer: int = 0, beside: int = 0
) -> Room:
    """How many characters of this text fit beside a question of this engine. `answer` is the
    tokens that an answer may have, 0 where the endpoint decides; `beside` those of what the project
    adds to a prompt.
    """
    letters = min(DENSEST, SPARE * len(text) / max(1, tokens_in(text)))
    overhead = spec.overhead(schema, cls) + beside if spec.needs_model else 0

    def room(context: int) -> int:
        answer_tokens = min(answer or ANSWER, context // 3)
        return max(SMALLEST, int((context - overhead - answer_tokens) * letters))

    return room


def fitting_window(
    desk: HasModels, split: TextSplit, model: str, room: Room, length: int
) -> TextSplit:
    """How a text of `length` characters is cut so that each part fits: as asked, or smaller where
    the model's context is known and asks for it.
    """
    context = desk.models.profile(model).context if model else 0
    if not context:
        return split
    most = room(context)
    size = split.size if split.unit == "characters" and split.size else length
    if size <= most or (split.unit == "sentences" and split.size):
        return split
    return TextSplit("characters", most, min(OVERLAP, most // 10))
