"""A language model is asked what texts say: only when a person asks for it, within a budget, every
call recorded. Its verdict is combined with those of the other judges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.desk import APP_VERSION
from core.desk_parts import HasJobs, HasProjectModels, HasStore
from core.errors import RateLimited, SettingsError, Unauthorised, Unreachable
from core.extraction.budget import BudgetMeter, Limits
from core.jobs.runner import JobContext, register_job
from core.llm.completer import Request
from core.llm.parallel import results_in_order
from core.llm.token_count import tokens_in
from core.model import ENDS, Evidence, Job, Json, Literal, Node, Run, Statement, Support, TextGround
from core.services.settings.models import checked_model
from core.services.support.evidence_support import EvidenceJudge
from core.store import QueueFilter
from core.support.judges.model import AskedCount, ModelJudge
from core.support.registry import judges_named

JOB = "judge by model"
KIND = "support"  # of the runs, and what Settings calls the kind of work
MOST_AT_ONCE = 500  # statements of a view that one press asks about
AT_ONCE = 24  # statements that are judged before their verdicts are stored
ANSWER = 60  # tokens of a verdict with its reason, about
AROUND = 330  # tokens of the instruction, the claim and what stands before a quote, about


@dataclass(frozen=True, slots=True)
class ModelJudgement:
    """What became of the pieces of evidence. `spared`: the rules were sure, so no question was
    asked; `stopped` says why no further one was, else "".
    """

    run: str
    answered: int
    unread: int
    left: int
    spared: int
    stopped: str = ""

    @property
    def words(self) -> str:
        parts = [
            f"{self.answered:,} answered",
            f"{self.unread:,} without a verdict that could be read" if self.unread else "",
            f"{self.left:,} not asked, as the budget was used up" if self.left else "",
            f"{self.spared:,} needed no question" if self.spared else "",
            self.stopped,
        ]
        return "; ".join(part for part in parts if part)

    def json(self) -> Json:
        return {
            "run": self.run,
            "answered": self.answered,
            "unread": self.unread,
            "left": self.left,
            "spared": self.spared,
            "complete": not (self.left or self.unread or self.stopped),
            "stopped": self.stopped,
        }


@dataclass(frozen=True, slots=True)
class JudgingEstimate:
    """The most that judging takes: one call a piece of evidence. `cost` in US dollars, None where
    the model's price is not known.
    """

    calls: int
    tokens: int
    cost: float | None


def open_model_judge(
    desk: HasProjectModels, *, model: str = "", calls: int = 0, curator: str = ""
) -> tuple[str, ModelJudge]:
    """A run, and a judge that records its calls there and keeps to `calls` (0: the project's limit
    of a run). Raises SettingsError where no model is configured.
    """
    completer = desk.completer(KIND, checked_model(desk, model))
    if completer is None:
        raise SettingsError(
            "No model is configured that could judge.",
            "Set one on the Settings page, or name it: model@endpoint.",
        )
    meter = BudgetMeter(Limits(calls=calls or desk.settings.max_calls))
    run = desk.store.runs.add(
        Run(
            desk.new_id(),
            KIND,
            "model",
            model=completer.model,
            settings={"calls": meter.limits.calls},
            app_version=APP_VERSION,
            created=desk.clock(),
            curator=curator,
        )
    )
    recorded = desk.recorder(run.id).completer(completer)
    return run.id, ModelJudge(recorded, lambda request: meter.take(_tokens(request)))


def _tokens(request: Request) -> int:
    return sum(tokens_in(message.content) for message in request.messages) + ANSWER


def askable(statement: Statement, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The pieces of a statement's evidence that a model can be asked about: quotes of a text that
    are to say a relation of two named things.
    """
    if isinstance(statement.subject, Node) or isinstance(statement.object, Node | Literal):
        return []
    return [e for e in evidence if isinstance(e.ground, TextGround) and e.path != ENDS]


def statements_to_ask(desk: HasStore, filter: QueueFilter) -> list[str]:
    """The statements of a view of the queue that one press asks about, as proposed."""
    return desk.store.queue.ids(filter, limit=MOST_AT_ONCE)


def estimate_judging(
    desk: HasProjectModels, ids: Sequence[str], model: str = ""
) -> JudgingEstimate:
    """What asking about these statements takes at most."""
    quotes = [
        piece.ground.quote
        for record in desk.store.statements.of_ids(list(ids))
        for piece in askable(record.statement, record.evidence)
        if isinstance(piece.ground, TextGround)
    ]
    asked = sum(tokens_in(quote) + AROUND for quote in quotes)
    answered = ANSWER * len(quotes)
    name = model or desk.settings.model_for(KIND)
    return JudgingEstimate(len(quotes), asked + answered, desk.cost(name, asked, answered))


def judge_by_model(
    desk: HasProjectModels,
    ids: Iterable[str],
    *,
    model: str = "",
    calls: int = 0,
    curator: str = "",
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> ModelJudgement:
    """Ask a model about the evidence of these statements, and keep the combined verdicts, also
    those that came before the asking had to stop. What was answered before is answered from the
    record. Raises NotFound for a statement that is not stored, and SettingsError.
    """
    wanted = list(dict.fromkeys(ids))
    for id in wanted:
        desk.store.statements.get(id)
    run, judge = open_model_judge(desk, model=model, calls=calls, curator=curator)
    asker = EvidenceJudge(desk, judges=(*judges_named(()), judge))
    judged, faults = 0, list[str]()

    def verdict_on(pair: tuple[Statement, Evidence]) -> Support | None:
        if faults:
            return None
        try:
            return asker.support_of(*pair)
        except (RateLimited, Unauthorised, Unreachable) as error:
            faults.append(str(error))
            return None

    for start in range(0, len(wanted), AT_ONCE):
        progress(start, len(wanted))
        work = [
            (record.statement, piece)
            for record in desk.store.statements.of_ids(wanted[start : start + AT_ONCE])
            for piece in askable(record.statement, record.evidence)
        ]
        verdicts = results_in_order(verdict_on, work, desk.settings.model_parallel)
        fresh = {
            piece.id: (statement.id, verdict)
            for (statement, piece), verdict in zip(work, verdicts, strict=True)
            if verdict
        }
        desk.store.support.put(fresh)
        judged += len(fresh)
        if faults:
            break
    count: AskedCount = judge.count
    spared = judged - count.answered - count.unread - count.left
    made = ModelJudgement(
        run,
        count.answered,
        count.unread,
        left=count.left,
        spared=spared,
        stopped=faults[0] if faults else "",
    )
    desk.store.runs.save_result(run, made.json())
    return made


def start_judging(
    desk: HasJobs, ids: Sequence[str], *, model: str = "", calls: int = 0, curator: str = ""
) -> Job:
    """The same in the background; progress is in statements."""
    return desk.runner.start(
        JOB, {"statements": list(ids), "model": model, "calls": calls}, curator
    )


@register_job(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    made = judge_by_model(
        context.context,
        [str(id) for id in arguments["statements"]],
        model=str(arguments["model"]),
        calls=int(arguments["calls"]),
        curator=context.job.curator,
        progress=lambda done, total: context.progress(done, total, "statements"),
    )
    return {**made.json(), "words": made.words}
