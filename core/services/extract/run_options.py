"""How a run reads: engine options as a curator sets them, as they are stored with the run, and how
long the parts of a text may be where a model's context is known.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from core.desk_parts import HasFolder, HasModels
from core.extraction.budget import Limits
from core.extraction.engine import EngineSpec
from core.extraction.long_text import OVERLAP, SMALLEST, Room, TextSplit
from core.grounding.recognise.species import taxon_curie
from core.llm.token_count import tokens_in
from core.model import Run
from core.schema.definition import Schema

SPARE = 0.8  # of the characters that fit by the estimate: parts differ in how long their words are
DENSEST = 3.6  # characters a token, at the most
ANSWER = 1000  # tokens that are kept for an answer, a third of the context at the most


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Settings of a run. `size` 0 reads a text at once; otherwise `unit` (sentences or characters)
    is what `size` and `overlap` count. `reuse` takes answers of earlier runs; `replay` is a run
    whose record answers. `taxon` is the species of genes if the text names no organism: an id
    such as NCBITaxon:9606, or a common name. `model` is asked in place of the project's for reading
    texts. `examples` is how many approved statements of other texts a prompt shows, 0 for none.
    """

    depth: int = 5
    calls: int = 0  # 0: the project's limit
    tokens: int = 1_000_000
    context: bool = False
    unit: str = "sentences"
    size: int = 0
    overlap: int = 1
    reuse: bool = True
    replay: str = ""
    taxon: str = ""
    model: str = ""
    examples: int = 0

    @property
    def split(self) -> TextSplit:
        return TextSplit(self.unit, self.size, self.overlap)

    def limits(self, desk: HasFolder) -> Limits:
        settings = desk.settings
        calls = self.calls or settings.max_calls
        return Limits(
            self.depth,
            calls,
            self.tokens,
            parallel=settings.model_parallel,
            context=self.context,
            max_tokens=settings.max_tokens,
        )


def checked_options(options: RunOptions | None) -> RunOptions:
    """The options with their species as an id. Raises InputError for words that name none."""
    options = options or RunOptions()
    return replace(options, taxon=taxon_curie(options.taxon))


def options_of(run: Run) -> RunOptions:
    stored_options = run.settings.get("options", {})
    return RunOptions(
        **{f.name: stored_options[f.name] for f in fields(RunOptions) if f.name in stored_options}
    )


def room_of(  # noqa: PLR0917
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


def fitting_window(  # noqa: PLR0917
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
