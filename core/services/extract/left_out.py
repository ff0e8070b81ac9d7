"""Questions that were not asked yet: those that a limit of calls left out, of one text or of a
batch, and all after the first, which is asked alone because nobody knows how many its answer leads
to. What asking them takes, and asking them. What was answered is taken from the record, not paid
twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.desk_parts import HasEngineJobs, HasProjectModels
from core.errors import NotFound, Refused
from core.extraction.budget import Limits
from core.extraction.engine import Estimate
from core.extraction.registry import engine_spec
from core.extraction.spires.estimate import ANSWER, UNASKED, unasked_questions
from core.llm.token_count import tokens_in
from core.model import Job, Problem, Run
from core.services.extract import spending
from core.services.extract.budget import CostEstimate, budget_of, dollar_words, estimate_preview
from core.services.extract.compare import batch_with, read_with
from core.services.extract.experience import earlier_runs
from core.services.extract.guidance import guidance_of
from core.services.extract.result import ExtractionView, wait_for_job
from core.services.extract.run import schema_of, start_run
from core.services.extract.run_options import RunOptions, options_of
from core.store.unit import UnitState
from core.text.clean import clean_text
from core.text.count import counted

WITH_RUN = UnitState.DONE, UnitState.PARTLY, UnitState.FAILED, UnitState.LEFT


def left_to_ask(desk: HasProjectModels, run_view: ExtractionView) -> Estimate:
    """The questions of a run that a limit left out, and what they would take."""
    run = run_view.run
    return _left_of(desk, run, run_view.problems, _answer_tokens(desk, run))


def left_words(desk: HasProjectModels, run_view: ExtractionView) -> str:
    """`Asking them would take about 900 tokens, $0.002.`; "" where no question was left out."""
    left = left_to_ask(desk, run_view)
    return _takes(desk, run_view.run.model, left) if left.tokens else ""


def ask_rest(desk: HasEngineJobs, run_view: ExtractionView, curator: str = "") -> Job:
    """Read the text of a result once more, so that only what a limit of the run left out is asked:
    as many calls as were counted, or as the project allows if these are more.
    """
    counted_calls = len(run_view.calls) + left_to_ask(desk, run_view).calls
    options = _without_limit(desk, options_of(run_view.run), counted_calls)
    return read_with(desk, run_view, run_view.run.engine, options, curator=curator)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a limit of calls left out of a batch: `questions` (with those that they may lead to in
    turn) of so many `documents`. `calls` is the most that one document takes in all.
    """

    documents: int
    questions: Estimate
    calls: int
    model: str


def left_of_batch(desk: HasProjectModels, job: str) -> LeftOut | None:
    """None where a limit left out no question. A document of which whole parts were not read counts
    with what it is told to take beforehand.
    """
    units = [unit for unit in desk.store.units.all(job) if unit.state is UnitState.PARTLY]
    runs = [desk.store.runs.get(unit.run) for unit in units]
    answer = _answer_tokens(desk, runs[0]) if runs else ANSWER
    estimates, most, model = list[Estimate](), 0, ""
    for run in runs:
        extraction = desk.store.runs.extraction(run.id)
        problems = extraction.problems if extraction else ()
        if not any(problem.code == UNASKED for problem in problems):
            continue
        left = _left_of(desk, run, problems, answer)
        left = left if left.tokens else _beforehand(desk, run)
        estimates.append(left)
        most, model = max(most, 1 + left.calls), run.model
    return LeftOut(len(estimates), sum(estimates, Estimate()), most, model) if estimates else None


def counted_batch(desk: HasProjectModels, job: str) -> CostEstimate:
    """What a batch takes in all whose first questions were asked: those, and what they lead to."""
    left, used = left_of_batch(desk, job), spending.batch_spending(desk, job)
    questions = left.questions if left else Estimate()
    tokens_in, tokens_out = (
        used.tokens_in + questions.tokens_in,
        used.tokens_out + questions.tokens_out,
    )
    calls = used.calls + used.reused + questions.calls
    tokens = tokens_in + tokens_out
    cost = desk.cost(left.model, questions.tokens_in, questions.tokens_out) if left else 0.0
    cost = None if cost is None or used.unpriced else cost + used.cost
    units = desk.store.units.all(job)
    engine = str(desk.store.jobs.get(job).arguments["engine"])
    return CostEstimate(
        engine,
        calls,
        tokens,
        cost,
        *(calls, calls),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        tokens_least=tokens,
        tokens_most=tokens,
        cost_least=cost,
        cost_most=cost,
        texts=len(units),
        counted=True,
    )


def left_of_batch_words(desk: HasProjectModels, left: LeftOut) -> str:
    """`The limit of calls left out questions about 12 documents. To ask them …`"""
    documents = counted(left.documents, "document")
    words = f"The limit of calls left out questions about {documents}."
    return f"{words} {_takes(desk, left.model, left.questions)}"


def ask_rest_of_batch(desk: HasEngineJobs, job: str, left: LeftOut, curator: str = "") -> Job:
    """Read the documents of a batch once more, so that what a limit of calls left out is asked; its
    limit in dollars, less what was spent, holds for the rest. Raises Refused where that is used up.
    """
    runs = [
        desk.store.runs.get(unit.run)
        for unit in desk.store.units.all(job)
        if unit.run and unit.state in WITH_RUN
    ]
    if not runs:
        raise NotFound("This batch has no documents that can be read.")
    limit = spending.limit_of(desk, job)
    if limit and spending.dollars_left(desk, job) <= 0:
        raise Refused(
            f"The limit of {dollar_words(limit)} is used up.",
            "Start the batch with a higher limit.",
        )
    options = _without_limit(desk, options_of(runs[0]), left.calls)
    dollars_left = spending.dollars_left(desk, job) if limit else 0.0
    provider = bool(desk.store.jobs.get(job).arguments.get("provider"))
    return batch_with(
        desk,
        job,
        runs,
        runs[0].engine,
        options=options,
        curator=curator,
        dollars=dollars_left,
        provider=provider,
    )


def _without_limit(desk: HasProjectModels, options: RunOptions, calls: int) -> RunOptions:
    calls = calls if calls > desk.settings.max_calls else 0
    tokens = max(options.tokens, RunOptions().tokens)
    return replace(options, calls=calls, tokens=tokens, replay="", reuse=True)


def _answer_tokens(desk: HasProjectModels, run: Run) -> int:
    """Tokens of an answer to a nested question, as earlier runs of the schema had."""
    cls = str(run.settings.get("class") or schema_of(desk, run).root)
    earlier = earlier_runs(desk, run.schema, cls, run.engine, model=run.model)
    asked = sum(run.took.nested for run in earlier)
    return round(sum(run.took.nested_out for run in earlier) / asked) if asked else ANSWER


def _left_of(
    desk: HasProjectModels, run: Run, problems: Sequence[Problem], answer: int
) -> Estimate:
    schema = schema_of(desk, run)
    cls = str(run.settings.get("class") or schema.root)
    left = unasked_questions(
        schema, cls, problems, Limits(depth=options_of(run).depth), answer=answer
    )
    beside = tokens_in(guidance_of(run).everywhere)
    return replace(left, nested_in=left.nested_in + round(left.nested * beside))


def _beforehand(desk: HasProjectModels, run: Run) -> Estimate:
    text = desk.store.documents.text(run.text_version, run.document).text
    options = replace(options_of(run), calls=0)
    preview = estimate_preview(
        desk,
        run.schema,
        text,
        engine=run.engine,
        cls=str(run.settings.get("class") or ""),
        options=options,
    )
    return Estimate(
        nested=preview.mean_calls, nested_in=preview.mean_in, nested_out=preview.mean_out
    )


def _takes(desk: HasProjectModels, model: str, left: Estimate) -> str:
    cost = desk.cost(model, left.tokens_in, left.tokens_out)
    price = dollar_words(cost) if cost is not None else "price not known"
    return f"Asking them would take about {counted(left.tokens, 'token')}, {price}."


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
