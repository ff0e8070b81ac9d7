"""Two ways of reading compared, on one text or on many: what both say, what only one of them says,
what each cost, and how right each was where curators have decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.desk_parts import HasEngineJobs, HasProjectModels, HasStore, HasTermJobs
from core.errors import InputError, NotFound
from core.model import Job, Run, State, Statement
from core.services.extract import batch, spending
from core.services.extract.difference import result_difference
from core.services.extract.engines import engine_line
from core.services.extract.guidance import statement_in_words
from core.services.extract.result import ExtractionView, result_of_run
from core.services.extract.run import start_part, start_run
from core.services.extract.run_options import RunOptions, options_of

READ = ("done", "partly")


@dataclass(frozen=True, slots=True)
class ComparedReading:
    """One way of reading: what it gave, took and cost. `cost` is US dollars, None where a price is
    not known; `seconds` are those of its calls together; `approved` and `rejected` count what
    curators have decided of its statements.
    """

    title: str
    statements: int = 0
    calls: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0
    approved: int = 0
    rejected: int = 0

    @property
    def precision(self) -> float | None:
        """The share of what is decided that was approved, 0 to 1; None where nothing is."""
        decided = self.approved + self.rejected
        return self.approved / decided if decided else None


class ReadingAgreement(StrEnum):
    """What two readings say of a statement, in the order in which they are listed."""

    DIFFERS = "differs"
    LEFT = "only left"
    RIGHT = "only right"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class ComparedStatement:
    """A statement of a document beside the other side's; None where that side has none."""

    document: str
    left: Statement | None
    right: Statement | None

    @property
    def kind(self) -> ReadingAgreement:
        if self.left is None or self.right is None:
            return ReadingAgreement.LEFT if self.right is None else ReadingAgreement.RIGHT
        return ReadingAgreement.SAME if self.left.id == self.right.id else ReadingAgreement.DIFFERS


@dataclass(frozen=True, slots=True)
class ReadingComparison:
    """Counts of statements over `texts` texts that both have read, and the statements: those that
    differ first, then those of one side, then those of both.
    """

    left: ComparedReading
    right: ComparedReading
    texts: int = 0
    same: int = 0
    changed: int = 0
    only_left: int = 0
    only_right: int = 0
    statements: tuple[ComparedStatement, ...] = ()


def compare_runs(desk: HasProjectModels, first_id: str, right: str) -> ReadingComparison:
    """Two runs, or two batches, by their ids. Raises NotFound, and InputError for texts that have
    nothing in common.
    """
    ours, theirs = runs_of(desk, first_id), runs_of(desk, right)
    second_runs = {(run.document, run.text_version): run for run in theirs}
    pairs = [
        (run, second_runs[run.document, run.text_version])
        for run in ours
        if (run.document, run.text_version) in second_runs
    ]
    if not pairs:
        raise InputError("These two readings have no text in common.", "Read the same texts twice.")
    total: ReadingComparison | None = None
    for first_run, second_run in pairs:
        pair_comparison = compare_results(
            desk, result_of_run(desk, first_run.id), result_of_run(desk, second_run.id)
        )
        total = pair_comparison if total is None else compare_batches(total, pair_comparison)
    assert total is not None
    return total


def told_apart(comparison: ReadingComparison) -> ReadingComparison:
    """With titles of its sides that are never equal."""
    if comparison.left.title != comparison.right.title:
        return comparison
    right = replace(comparison.right, title=f"{comparison.right.title} (again)")
    return replace(comparison, right=right)


def runs_of(desk: HasStore, id: str) -> list[Run]:
    """The run of this id, or the finished runs of the batch of this id. Raises NotFound."""
    try:
        return [desk.store.runs.get(id)]
    except NotFound:
        units = batch.batch_items(desk, desk.store.jobs.get(id))
    return [desk.store.runs.get(unit.run) for unit in units if unit.state in READ]


def compare_results(
    desk: HasProjectModels, first_view: ExtractionView, right: ExtractionView
) -> ReadingComparison:
    """Two results over one text."""
    apart = result_difference(first_view.statements, right.statements)
    counts = (len(apart.same), len(apart.changed), len(apart.gone), len(apart.new))
    sides = reading_side(desk, first_view), reading_side(desk, right)
    document = first_view.document.id
    pairs: list[tuple[Statement | None, Statement | None]] = [*apart.changed]
    pairs += [(gone, None) for gone in apart.gone]
    pairs += [(None, new) for new in apart.new]
    pairs += [(same, same) for same in apart.same]
    listed = tuple(ComparedStatement(document, *pair) for pair in pairs)
    return told_apart(ReadingComparison(*sides, 1, *counts, listed))


def reading_side(desk: HasProjectModels, run_view: ExtractionView) -> ComparedReading:
    """What one run gave, took and cost. Calls that repeat an earlier answer count with what that
    answer took, so that both sides are measured alike; those from before a price was set count at
    that price.
    """
    ids = [statement.id for statement, _ in run_view.statements]
    states = [record.state for record in desk.store.statements.of_ids(ids)]
    calls = [desk.store.calls.get(call.reused) if call.reused else call for call in run_view.calls]
    costs = [
        desk.cost(run_view.run.model, call.tokens_in, call.tokens_out)
        if call.cost is None
        else call.cost
        for call in calls
    ]
    return ComparedReading(
        engine_line(run_view.run.engine, run_view.run.model),
        len(ids),
        len(calls),
        tokens=sum(call.tokens_in + call.tokens_out for call in calls),
        cost=_sum(costs),
        seconds=sum(call.seconds for call in calls),
        approved=sum(state is State.APPROVED for state in states),
        rejected=sum(state is State.REJECTED for state in states),
    )


def compare_batches(
    reading_comparison: ReadingComparison, other_comparison: ReadingComparison
) -> ReadingComparison:
    return ReadingComparison(
        _both(reading_comparison.left, other_comparison.left),
        _both(reading_comparison.right, other_comparison.right),
        reading_comparison.texts + other_comparison.texts,
        same=reading_comparison.same + other_comparison.same,
        changed=reading_comparison.changed + other_comparison.changed,
        only_left=reading_comparison.only_left + other_comparison.only_left,
        only_right=reading_comparison.only_right + other_comparison.only_right,
        statements=tuple(
            sorted(
                reading_comparison.statements + other_comparison.statements,
                key=lambda pair: list(ReadingAgreement).index(pair.kind),
            )
        ),
    )


def _both(reading_side: ComparedReading, other_side: ComparedReading) -> ComparedReading:
    return ComparedReading(
        reading_side.title,
        reading_side.statements + other_side.statements,
        reading_side.calls + other_side.calls,
        tokens=reading_side.tokens + other_side.tokens,
        cost=_sum([reading_side.cost, other_side.cost]),
        seconds=reading_side.seconds + other_side.seconds,
        approved=reading_side.approved + other_side.approved,
        rejected=reading_side.rejected + other_side.rejected,
    )


def _sum(costs: Iterable[float | None]) -> float | None:
    all_costs = list(costs)
    return None if None in all_costs else sum(cost or 0.0 for cost in all_costs)


def comparison_rows(comparison: ReadingComparison) -> list[tuple[str, str, str]]:
    """The comparison as a table: what, on the left, on the right."""
    left_side, right = comparison.left, comparison.right

    def line(name: str, left_value: object, right_value: object) -> tuple[str, str, str]:
        return name, str(left_value), str(right_value)

    def precision(reading_side: ComparedReading) -> str:
        if reading_side.precision is None:
            return "nothing decided yet"
        return f"{reading_side.precision:.0%} of {reading_side.approved + reading_side.rejected}"

    return [
        line("statements", left_side.statements, right.statements),
        line("the same in both", comparison.same, comparison.same),
        line("about the same words, but different", comparison.changed, comparison.changed),
        line("only here", comparison.only_left, comparison.only_right),
        line("approved, of those decided", precision(left_side), precision(right)),
        line("calls", left_side.calls, right.calls),
        line("tokens", f"{left_side.tokens:,}", f"{right.tokens:,}"),
        line("cost", _dollars(left_side.cost), _dollars(right.cost)),
        line("seconds of its calls", f"{left_side.seconds:.1f}", f"{right.seconds:.1f}"),
    ]


def statement_rows(comparison: ReadingComparison) -> list[dict[str, str]]:
    """Each statement as {document, kind, left, right}, the sides in words."""
    return [
        {
            "document": pair.document,
            "kind": str(pair.kind),
            "left": statement_in_words(pair.left, {}) if pair.left else "",
            "right": statement_in_words(pair.right, {}) if pair.right else "",
        }
        for pair in comparison.statements
    ]


def _dollars(cost: float | None) -> str:
    return "unknown" if cost is None else f"${cost:.4f}"


# ------------------------------------------------------------------ reading once more


def read_again(  # noqa: PLR0917
    desk: HasTermJobs, run_view: ExtractionView, engine: str, model: str = "", curator: str = ""
) -> Job:
    """Read the text of a result once more with another engine or model, and the run's settings."""
    options = replace(options_of(run_view.run), model=model, replay="")
    return read_with(desk, run_view, engine, options, curator=curator)


def read_with(
    desk: HasTermJobs, run_view: ExtractionView, engine: str, options: RunOptions, *, curator: str
) -> Job:
    schema, document = run_view.run.schema, run_view.document.id
    if run_view.part:
        return start_part(
            desk,
            schema,
            document,
            run_view.text.sha,
            part=run_view.part,
            engine=engine,
            curator=curator,
            options=options,
        )
    cls = str(run_view.run.settings["class"])
    return start_run(
        desk,
        schema,
        run_view.text.text,
        source=document,
        engine=engine,
        cls=cls,
        curator=curator,
        options=options,
    )


def batch_again(
    desk: HasEngineJobs, job: str, engine: str, *, model: str = "", curator: str = ""
) -> Job:
    """Read the texts of a batch once more with another engine or model, and its settings. Raises
    InputError where it has read none.
    """
    runs = runs_of(desk, job)
    if not runs:
        raise InputError("This batch has read no text yet.", "Wait for it, or try again.")
    options = replace(options_of(runs[0]), model=model, replay="")
    return batch_with(
        desk,
        job,
        runs,
        engine,
        options=options,
        curator=curator,
        dollars=spending.limit_of(desk, job),
    )


def batch_with(
    desk: HasEngineJobs,
    job: str,
    runs: Sequence[Run],
    engine: str,
    *,
    options: RunOptions,
    curator: str,
    dollars: float = 0.0,
    provider: bool = False,
) -> Job:
    """The texts of these runs of a batch as a batch of their own."""
    documents = desk.store.documents
    texts = (
        (
            run.document,
            documents.text(run.text_version, run.document).text,
            documents.get(run.document).title,
        )
        for run in runs
    )
    schema = desk.store.jobs.get(job).arguments["schema"]
    cls = str(runs[0].settings["class"])
    return batch.start_batch(
        desk,
        schema,
        texts,
        engine=engine,
        cls=cls,
        curator=curator,
        options=options,
        dollars=dollars,
        provider=provider,
    )
