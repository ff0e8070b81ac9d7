"""What a batch has cost, what it may cost, and what it will about take in all."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from core.desk_parts import HasModels, HasProjectModels, HasStore
from core.errors import InputError
from core.extraction.registry import engine_spec
from core.jobs.pool import spoken_duration
from core.model import Job
from core.services.extract.budget import dollar_words as dollars_in_words
from core.services.extract.budget import estimate_preview
from core.services.extract.run_options import options_of
from core.services.people import roles
from core.store import CallTotals
from core.store.call import sum_usage
from core.store.unit import JobUnit, UnitState
from core.text.count import counted

LOOK = 0.2  # seconds between two looks at what is under way
MOST = "most dollars"  # kind of a run's result
TELLING = 5  # finished documents from which the rest is told


def provider_run(job: str) -> str:
    """The run that holds what a job handed over to a batch interface, and what that cost."""
    return f"handed-over-{job}"


def dollars_left(desk: HasStore, job: str) -> float:
    """What a batch may still cost; without a limit, any sum."""
    limit = limit_of(desk, job)
    return limit - batch_spending(desk, job).cost if limit else math.inf


def await_room(desk: HasProjectModels, unit: JobUnit, model: str, check: Callable[[], None]) -> str:
    """Waits until a document may be begun (see `has_room`); why it is not begun, or ""."""
    while not has_room(desk, unit, model):
        if reason := limit_reached(desk, unit.job, model):
            return reason
        check()
        time.sleep(LOOK)
    return ""


def has_room(desk: HasProjectModels, unit: JobUnit, model: str) -> bool:
    """Whether a document may be begun now. What is under way counts as if each cost the most that
    it is expected to, so that a batch costs more than its limit by one document at most. Those
    that come earlier in the batch go first.
    """
    limit = limit_of(desk, unit.job)
    if not limit or limit_reached(desk, unit.job, model):
        return not limit
    under_way = desk.store.units.under_way(unit.job)
    worker = next((other.worker for other in under_way if other.number == unit.number), "")
    reading = [
        other.run
        for other in under_way  # a worker reads one at a time: its others do not cost anything now
        if other.number < unit.number and other.worker != worker
    ]
    reserved = sum(
        max(0.0, most - desk.store.calls.usage(run).cost)
        for run, most in _most_of_each(desk, reading).items()
    )
    return batch_spending(desk, unit.job).cost + reserved < limit


def _most_of_each(desk: HasProjectModels, runs: Sequence[str]) -> dict[str, float]:
    """US dollars that reading each document may cost, reckoned once: every worker that waits looks
    at them again and again.
    """
    known = {run: float(most) for run, most in desk.store.runs.results(runs, MOST).items()}
    for run in runs:
        if run not in known:
            known[run] = _most_of(desk, run)
            desk.store.runs.save_result(run, known[run], MOST)
    return known


def _most_of(desk: HasProjectModels, run_id: str) -> float:
    """US dollars that reading a document may cost."""
    run = desk.store.runs.get(run_id)
    text = desk.store.documents.text(run.text_version, run.document).text
    cls = str(run.settings.get("class") or "")
    budget = estimate_preview(
        desk, run.schema, text, engine=run.engine, cls=cls, options=options_of(run)
    )
    return max(budget.cost_most or 0.0, budget.cost or 0.0)


def limit_reached(desk: HasProjectModels, job: str, model: str) -> str:
    """Why no further document of a batch is begun; "" as long as its limit allows one. Raises
    InputError where the price of the model is not known any more.
    """
    limit = limit_of(desk, job)
    check_price(desk, model, limit)
    spent = batch_spending(desk, job).cost if limit else 0.0
    if not limit or spent < limit:
        return ""
    return (
        f"Not begun: the batch has cost {dollars_in_words(spent)}, and its limit is"
        f" {dollars_in_words(limit)}."
    )


def limit_words(desk: HasStore, job: str) -> str:
    """What a limit in dollars left out, and what reading it would about cost; "" where nothing."""
    counts = desk.store.units.counts(job)
    left, read = counts[UnitState.LEFT], counts[UnitState.DONE] + counts[UnitState.PARTLY]
    if not left:
        return ""
    spent, limit = batch_spending(desk, job).cost, limit_of(desk, job)
    words = f"The limit of {dollars_in_words(limit)} was reached" if limit else "It stopped"
    words += (
        f" after {counted(read, 'document')}, for {dollars_in_words(spent)}."
        f" {counted(left, 'document')} {'was' if left == 1 else 'were'} not begun; what was read is"
        " kept."
    )
    if read:
        words += f" The rest will cost about {dollars_in_words(spent / read * left)} more."
    return words


def batch_spending(desk: HasStore, job: str) -> CallTotals:
    """Calls that were sent, tokens and cost of a batch so far; `reused` counts answers of earlier
    runs, `unpriced` calls of unknown price.
    """
    handed = desk.store.calls.usage(run=provider_run(job))
    read = desk.store.calls.usage(job=job)
    reused = max(0, read.reused - handed.calls)  # the batch's own answers are no further calls
    return sum_usage([replace(read, calls=read.calls - read.reused, reused=reused), handed])


def check_price(desk: HasModels, model: str, dollars: float) -> None:
    """Raises InputError for a limit in US dollars (0: none) that cannot be kept, because nobody
    knows what the model costs.
    """
    if dollars and desk.cost(model, tokens_in=1, tokens_out=1) is None:
        limit = dollars_in_words(dollars)
        raise InputError(
            f"The limit of {limit} cannot be kept, because the price of {model} is not known.",
            "Set it under Settings › Models › Price and context length (or with"
            f" `models set {model} --price IN OUT`), or leave out the limit.",
        )


def set_limit(desk: HasProjectModels, job: str, dollars: float, curator: str | None = None) -> None:
    """The most that a batch may cost, in US dollars; 0 is no limit. Raises InputError for one that
    cannot be kept, and Forbidden for a reader.
    """
    roles.require_role(desk, curator)
    if not 0 <= dollars < math.inf:
        raise InputError("A limit in dollars is a number, 0 or more.")
    if units := desk.store.units.all(job, 1):
        run = desk.store.runs.get(units[0].run) if units[0].run else None
        if run is not None and engine_spec(run.engine).needs_model:
            check_price(desk, run.model, dollars)
    desk.store.project.set(f"batch limit {job}", float(dollars))


def limit_of(desk: HasStore, job: str) -> float:
    return float(desk.store.project.get(f"batch limit {job}", 0.0))


def totals_line(desk: HasStore, job: Job) -> str:
    """What a batch has cost and taken so far, in words."""
    used, limit = batch_spending(desk, job.id), limit_of(desk, job.id)
    if not used.calls and not used.reused:
        return ""
    seconds = _elapsed(job.created, job.heartbeat)
    priced = _is_priced(used)
    spent = dollars_in_words(used.cost) if priced else "cost unknown"
    if limit:
        cap = dollars_in_words(limit)
        spent += f" of {cap}" if priced else f": the limit of {cap} cannot be kept"
    parts = [
        counted(used.calls, "call"),
        f"{used.tokens_in + used.tokens_out:,} tokens",
        spent,
        f"{used.unpriced:,} of unknown price" if used.unpriced and priced else "",
        f"{counted(used.reused, 'answer')} from the record" if used.reused else "",
        f"{spoken_duration(seconds)} since it began" if seconds else "",
        spending_outlook(desk, job, used),
    ]
    return " · ".join(part for part in parts if part)


def _is_priced(used: CallTotals) -> bool:
    """Whether the price of some call is known, or none was made."""
    return bool(used.cost) or not used.unpriced


def spending_outlook(desk: HasStore, job: Job, used: CallTotals) -> str:
    """What the whole batch will about take, told by the documents that were read so far: `about
    120 calls, 54,000 tokens, $0.03 in all, $0.01 of it to come`. "" before some are read, and when
    all are.
    """
    counts = desk.store.units.counts(job.id)
    read = counts[UnitState.DONE] + counts[UnitState.PARTLY] + counts[UnitState.FAILED]
    left = counts[UnitState.WAITING] + counts[UnitState.RUNNING]
    if read < TELLING or not left or job.arguments.get("provider"):
        return ""
    half_read = counts[UnitState.RUNNING] / 2  # those in work, as a rule
    whole = (read + left) / (read + half_read)
    tokens = (used.tokens_in + used.tokens_out) * whole
    words = f"about {counted(round(used.calls * whole), 'call')}, {round(tokens):,} tokens"
    if not _is_priced(used):
        return f"{words} in all"
    to_come = dollars_in_words(used.cost * (whole - 1))
    return f"{words}, {dollars_in_words(used.cost * whole)} in all, {to_come} of it to come"


def _elapsed(began: str, last_call: str) -> float:
    try:
        return (datetime.fromisoformat(last_call) - datetime.fromisoformat(began)).total_seconds()
    except ValueError:
        return 0.0
