"""Gene questions as a use case: ask one, watch it, replay it, change a step.

What the page and the command line call. An answer is a run: its calls are recorded, so that it can
be replayed without a network, and its result is kept as JSON beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from core.codec import from_json, to_json
from core.desk import APP_VERSION
from core.desk_parts import HasProject, HasProjectJobs, HasProjectModels, HasStore
from core.errors import NotFound
from core.genes.answer import AnswerStatus, AnswerStep, GeneAnswer
from core.genes.export import answer_line, answer_report, answer_row, answer_totals, full_answer
from core.genes.kinds.registry import KINDS
from core.genes.question.understand import understand_question
from core.genes.session import OnStep
from core.genes.strategies.toolbox import call_of
from core.jobs.runner import JobContext, register_job
from core.model import Call, Job, Json, Run
from core.ncbi.client import WaitPolicy
from core.services.genes.api_agents import checked_parameters
from core.services.genes.options import AskOptions
from core.services.genes.strategy import (
    answer_by_strategy,
    as_served,
    ncbi_addresses,
    recorded_ncbi_client,
    remember_unserved,
    strategy_model,
    strategy_of,
    wait_scale,
)

JOB = "gene question"


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """An answer and the run that holds its calls."""

    run: str
    way: str
    answer: GeneAnswer

    @property
    def row(self) -> Json:
        return answer_row(self.answer, self.run, self.way)

    @property
    def answer_line(self) -> str:
        """The answer as one line of text."""
        return answer_line(self.answer)

    @property
    def totals(self) -> str:
        """Calls, seconds and bytes in one line."""
        return answer_totals(self.answer.steps)

    @property
    def failed(self) -> bool:
        return self.answer.status is AnswerStatus.FAILED

    @property
    def as_json(self) -> Json:
        return full_answer(self.answer, self.run, self.way)

    @property
    def markdown(self) -> str:
        return answer_report(self.answer, self.run, self.way)


Check = Callable[[], None]
Tell = Callable[[str], None]


def ask_gene_question(
    desk: HasProjectModels,
    text: str,
    options: AskOptions | None = None,
    *,
    curator: str = "",
    run: str = "",
    watch: OnStep = lambda step: None,
    check: Check = lambda: None,
    tell: Tell = lambda words: None,
) -> AskedQuestion:
    """Ask one question and keep the answer. Raises InputError, SettingsError (no model for a way
    that needs one) and Stopped; what NCBI did not answer is in the answer.
    """
    options = as_served(desk, options or AskOptions())
    if not options.api:
        understand_question(text)
    if strategy_of(options.way).needs_model:
        strategy_model(desk, options)  # before anything is kept
    stored_run = desk.store.runs.add(_run(desk, text, options, curator, id=run or desk.new_id()))
    steps_so_far: list[AnswerStep] = []

    def saw(step: AnswerStep) -> None:
        steps_so_far.append(step)
        desk.store.runs.save_result(
            stored_run.id, [to_json(seen_step) for seen_step in steps_so_far], "steps"
        )
        watch(step)

    patience = WaitPolicy(check=check, tell=tell, scale=0.0 if options.replay else wait_scale(desk))
    source = desk.store.runs.get(options.replay) if options.replay else stored_run
    ncbi = recorded_ncbi_client(desk, stored_run.id, source, options, patience=patience)
    gene_answer = answer_by_strategy(desk, ncbi, stored_run, options, watch=saw)
    remember_unserved(desk, ncbi, gene_answer)
    desk.store.runs.save_result(stored_run.id, to_json(gene_answer))
    return AskedQuestion(stored_run.id, options.name, gene_answer)


def create_run(desk: HasProject, text: str, options: AskOptions, curator: str = "") -> str:
    """A new run of this question, without asking it yet: its id."""
    return desk.store.runs.add(_run(desk, text, options, curator, id=desk.new_id())).id


def _run(desk: HasProject, text: str, options: AskOptions, curator: str, *, id: str) -> Run:
    """What is needed to repeat the run; a replay keeps the model and the addresses of the run that
    it repeats.
    """
    ncbi = ncbi_addresses(desk)
    where_asked: dict[str, Json] = {
        "eutils": ncbi.eutils,
        "blast": ncbi.blast,
        "datasets": ncbi.datasets,
    }
    model_name = options.model or desk.settings.model_for("interpretation")
    if options.replay:
        source = desk.store.runs.get(options.replay)
        where_asked, model_name = (
            where_asked | {name: source.settings.get(name) for name in (*where_asked, "examples")},
            source.model,
        )
    return Run(
        id,
        "ask",
        options.name,
        model=model_name if strategy_of(options.way).needs_model else "",
        settings={"question": text, **to_json(options), **where_asked},
        app_version=APP_VERSION,
        created=desk.clock(),
        curator=curator,
    )


def example_questions() -> dict[str, str]:
    """An example of each kind of question, by the kind's name."""
    return {kind.name: kind.example for kind in KINDS.values()}


# ------------------------------------------------------------------ what is kept
def stored_answer(desk: HasStore, run: str) -> AskedQuestion:
    """A stored answer. Raises NotFound while it is not finished."""
    options, value = options_of(desk, run), desk.store.runs.result(run)
    if value is None:
        raise NotFound("This question has no answer yet.", "Look at its steps, or resume it.")
    return AskedQuestion(run, options.name, from_json(GeneAnswer, value))


def answer_outcome(desk: HasStore, run: str) -> tuple[AnswerStatus | None, str]:
    """Status and answer of a run in a list of many; no status while it is not finished."""
    value = desk.store.runs.result(run)
    if not isinstance(value, dict):
        return None, ""
    text = value.get("text", "")
    return AnswerStatus(value["status"]), ", ".join(map(str, text)) if isinstance(
        text, list
    ) else str(text)


def question_of(desk: HasStore, run: str, job: str = "") -> str:
    """What was asked, also before the job that asks it has begun."""
    try:
        return str(desk.store.runs.get(run).settings.get("question", ""))
    except NotFound:
        return str(desk.store.jobs.get(job).arguments.get("question", "")) if job else ""


def answer_steps(desk: HasStore, run: str) -> list[AnswerStep]:
    """The steps so far of a run that may still be going on."""
    return [from_json(AnswerStep, step) for step in desk.store.runs.result(run, "steps") or []]


def gene_answer_calls(desk: HasStore, run: str) -> list[Call]:
    return desk.store.calls.of_run(run)


def asked_runs(desk: HasStore, limit: int = 50) -> list[Run]:
    """Questions asked in this project, newest first."""
    return desk.store.runs.find("ask", limit=limit)


def options_of(desk: HasStore, run: str) -> AskOptions:
    """How a run was asked, to ask it again."""
    options: AskOptions = from_json(AskOptions, dict(desk.store.runs.get(run).settings))
    return replace(options, replay="")


def replay_question(desk: HasProjectModels, run: str, curator: str = "") -> AskedQuestion:
    """The same question answered from the record alone; nothing goes out. Raises NotFound where a
    call is missing.
    """
    source = desk.store.runs.get(run)
    options: AskOptions = replace(from_json(AskOptions, dict(source.settings)), replay=run)
    return ask_gene_question(desk, str(source.settings["question"]), options, curator=curator)


def edited_options(
    desk: HasProject, run: str, place: str, tool: str, *, arguments: Mapping[str, Json]
) -> AskOptions:
    """Options that run a question again from one step on, with other arguments there. Raises
    InputError for arguments that are no call; earlier steps answer from the cache.
    """
    options = options_of(desk, run)
    if options.api and tool == options.api:
        checked_parameters(desk, tool, arguments)
    else:
        call_of(tool, arguments)
    return replace(
        options,
        reuse=True,
        edits={**options.edits, place: {"tool": tool, "arguments": dict(arguments)}},
    )


def same_answer(gene_answer: GeneAnswer, other_answer: GeneAnswer) -> bool:
    """Whether two answers say the same, whatever the order of their values."""
    return gene_answer.status == other_answer.status and sorted(_values(gene_answer)) == sorted(
        _values(other_answer)
    )


def answer_difference(gene_answer: GeneAnswer, other_answer: GeneAnswer) -> str:
    """In a line: whether two answers agree, or what only one of them says."""
    first_values, second = _values(gene_answer), _values(other_answer)
    if same_answer(gene_answer, other_answer):
        return "Both agree."
    both = [value for value in first_values if value in second]
    parts = (("both", both), ("only this", [v for v in first_values if v not in both]),
             ("only the other", [v for v in second if v not in both]))  # fmt: skip
    differences = "; ".join(
        f"{name}: {', '.join(value[:80] for value in values)}" for name, values in parts if values
    )
    return (
        f"They differ ({gene_answer.status}, {other_answer.status}):"
        f" {differences or 'neither has a value'}."
    )


def _values(answer: GeneAnswer) -> list[str]:
    return [
        str(value)
        for value in (answer.text if isinstance(answer.text, list) else [answer.text])
        if value
    ]


# ------------------------------------------------------------------ jobs
def start_gene_question(
    desk: HasProjectJobs, text: str, options: AskOptions | None = None, curator: str = ""
) -> tuple[Job, str]:
    """Ask in the background: the job, and the run whose steps can be watched."""
    if not (options and options.api):
        understand_question(text)
    run = desk.new_id()
    arguments = {"question": text, "options": to_json(options or AskOptions()), "run": run}
    return desk.runner.start(JOB, arguments, curator), run


@register_job(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    count = 0
    context.progress(0, 0, "the first call is under way")

    def watch(step: AnswerStep) -> None:
        nonlocal count
        count += 1
        context.progress(count, 0, f"{step.tool}: {step.why}")

    asked_question = ask_gene_question(
        context.context,
        arguments["question"],
        from_json(AskOptions, arguments["options"]),
        curator=context.job.curator,
        run=arguments["run"],
        watch=watch,
        check=context.check,
        tell=lambda words: context.progress(count, 0, words),
    )
    return {"run": asked_question.run, "status": str(asked_question.answer.status)}
