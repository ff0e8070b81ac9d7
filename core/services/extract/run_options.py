"""How a run reads: engine options as a curator sets them, as they are stored with the run."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from core.desk_parts import HasFolder
from core.extraction.budget import Limits
from core.extraction.long_text import TextSplit
from core.grounding.recognise.species import taxon_curie
from core.model import Run


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
            settings.model_parallel,
            self.context,
            settings.max_tokens,
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
