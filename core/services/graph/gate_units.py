"""The gate in parts: where many statements wait to be checked, ranges of them are units of a job,
which every core of this machine, or every worker of a cluster, takes.

Only the work is shared. What the gate says of a part is stored in one transaction with the part's
state, and whoever asks for a report finds it there (`gate_memory`) and checks what is missing: a
report is the same however many worked.
"""

from __future__ import annotations

from collections.abc import Callable

from core.desk_parts import HasFolder, HasProjectTerms, HasTermJobs
from core.jobs.pool import processes_for, run_units
from core.jobs.runner import JobContext, register_job
from core.jobs.units import UnitResult, register_units
from core.model import Json
from core.services.graph.gate_memory import BATCH, forget_other_rules, gate_results_of, rule_stamp
from core.services.shared.unit_task import DaskCluster, worker_command, worker_environment
from core.store.gate_result import GateResults
from core.store.job_unit import JobUnit, UnitState
from core.text.count import counted

JOB = "gate"
WORTH = 12  # parts of which checking takes longer than a process takes to begin
NOUN = f"parts of {BATCH:,} statements to check"


def check_ahead(desk: HasTermJobs) -> None:
    """Check what the gate does not know yet on every core, where it is enough to be worth it."""
    forget_other_rules(desk, rule_stamp(desk))
    if is_shared(desk, len(_parts(desk.store.gate_results.unchecked()))):
        desk.runner.wait(desk.runner.start(JOB, {}).id)


def check_in_parts(context: JobContext) -> None:
    """The same within a job that goes on with the report. Raises Stopped."""
    desk: HasProjectTerms = context.context
    units, job = desk.store.units, context.job.id
    forget_other_rules(desk, rule_stamp(desk))
    units.free(job)
    units.retry(job)
    counts = units.counts(job)
    if not counts[UnitState.WAITING]:
        start, parts = sum(counts.values()), _parts(desk.store.gate_results.unchecked())
        if not is_shared(desk, len(parts)):
            return
        units.add([JobUnit(job, start + n, " ".join(part)) for n, part in enumerate(parts)])
        counts = units.counts(job)
    run_units(
        context,
        units,
        processes=processes_for(counts[UnitState.WAITING], WORTH),
        command=worker_command(desk, job),
        environment=worker_environment(desk),
        cluster=DaskCluster(desk) if desk.settings.scheduler else None,
        noun=NOUN,
        worth=WORTH,
    )


def is_shared(desk: HasFolder, parts: int) -> bool:
    """Whether so many parts are worth a process, or a cluster is there that waits for them."""
    return bool(processes_for(parts, WORTH)) or bool(desk.settings.scheduler and parts > 1)


def _parts(names: list[str]) -> list[tuple[str, str]]:
    """The first and last of each part of these sorted statements."""
    parts = [names[start : start + BATCH] for start in range(0, len(names), BATCH)]
    return [(part[0], part[-1]) for part in parts]


@register_job(JOB)
def _check(context: JobContext, arguments: Json) -> Json:
    check_in_parts(context)
    return {}


@register_units(JOB)
def check_part(desk: HasProjectTerms, unit: JobUnit, check: Callable[[], None]) -> UnitResult:
    """What the gate says of the statements from one to another."""
    check()
    first, last = unit.name.split()
    stamp, grounds = rule_stamp(desk), tuple(desk.store.queue.grounds())
    names = desk.store.gate_results.unchecked(first, last)
    results = [result for part in gate_results_of(desk, names, grounds) for result in part]
    words = counted(len(results), "statement")
    return UnitResult(UnitState.DONE, words, gate=GateResults(stamp, tuple(results)))
