"""The first question alone. What a text takes is told badly beforehand, because nobody knows how
many questions its first answer leads to. Once it is there they are counted; it is not paid twice.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from core.desk_parts import HasEngineJobs
from core.extraction.registry import engine_spec
from core.llm.token_count import tokens_in
from core.services.extract.budget import CostEstimate, budget_of, estimate_preview
from core.services.extract.left_out import left_to_ask
from core.services.extract.result import wait_for_job
from core.services.extract.run import start_run
from core.services.extract.run_options import RunOptions
from core.text.clean import clean_text


def count_first(
    desk: HasEngineJobs,
    schema: str,
    text: str | bytes,
    *,
    source: str = "",
    engine: str = "auto",
    cls: str = "",
    curator: str = "",
    options: RunOptions | None = None,
) -> CostEstimate:
    """Asks the first question about a text, and says what the run takes with all that its answer
    leads to. A text that is read in parts, and an engine without a model, are told beforehand.
    """
    options = options or RunOptions()
    beforehand = estimate_preview(
        desk, schema, clean_text(text), engine=engine, cls=cls, options=options
    )
    if not engine_spec(beforehand.engine).needs_model or beforehand.parts > 1:
        return beforehand
    first = replace(options, calls=1)
    job = start_run(
        desk, schema, text, source=source, engine=engine, cls=cls, curator=curator, options=first
    )
    run_view = wait_for_job(desk, job)
    left = left_to_ask(desk, run_view)
    asked = sum(call.tokens_in for call in run_view.calls)
    said = sum(call.tokens_out for call in run_view.calls)
    whole = replace(
        left,
        roots=1,
        root_in=asked or beforehand.tokens_in,
        root_out=said or tokens_in(str(run_view.calls[0].answer)),
        least=1,
        most=left.calls + 1,
    )
    limits = options.limits(desk)
    cost_of = partial(desk.cost, options.model or desk.settings.model_for("extraction"))
    limited = whole.within(limits.calls, limits.tokens)
    reckoned = budget_of(beforehand.engine, whole, limited, limited, cost_of=cost_of)
    return replace(
        reckoned,
        least=reckoned.calls,
        most=reckoned.calls,
        limited=limited.calls < whole.calls,
        counted=True,
        tokens_least=reckoned.tokens,
        tokens_most=reckoned.tokens,
        cost_least=reckoned.cost,
        cost_most=reckoned.cost,
    )
