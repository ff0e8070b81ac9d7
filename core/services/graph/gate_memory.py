"""The gate over a project, statement by statement: what was examined is kept until what it depends
on changes.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import overload

from core.codec import from_json, to_json
from core.collector_pause import collector_paused
from core.desk import APP_VERSION
from core.desk_parts import HasFolder, HasProjectTerms, HasStore, HasTermJobs, HasVocabularies
from core.errors import StoreError
from core.jobs.pool import processes_for, run_units
from core.jobs.runner import JobContext, register_job
from core.jobs.units import UnitResult, register_units
from core.kb.entry import ExportEntry
from core.kb.gate.gate import (
    RULES,
    ExaminedStatement,
    ExportRejection,
    Gate,
    GateReport,
    HoldReason,
    ReviewedStatement,
    gate_report,
)
from core.model import Decision, Evidence, Json, State, Statement, Verdict, json_digest
from core.review.statement_state import folded_state, still_counts
from core.services.review.authority import ProjectIds, StoredSources, prefixes_of_schemas
from core.services.review.meaning import ProjectMeaning
from core.services.shared.unit_task import DaskCluster, worker_command, worker_environment
from core.services.vocabularies.prefix_context import FILE as PREFIXES
from core.services.vocabularies.prefix_context import said_prefixes
from core.store import GateResult, StatementRecord
from core.store.gate_result import GateResults, PlainApproval
from core.store.unit import JobUnit, UnitState
from core.support.verdict import VERSION
from core.text.count import counted

BATCH = 2_000  # records read at a time: memory does not grow with the project


@dataclass(slots=True)
class _Remembered:
    """What the gate said of one version of a statement. `body` is its entry as JSON where the
    statement passes by itself and names no node; else `examined` is there. `grounds` are the texts
    and calls there were then, where more of them may change it; else empty.
    """

    version: int
    body: str = ""
    examined: ExaminedStatement | None = None
    grounds: tuple[int, ...] = ()


class StoredEntries(Sequence[ExportEntry]):
    """Entries that are made when they are asked for: as JSON they take a third of the memory, and
    most who ask for a report want its counts. Who goes through them more than once makes a tuple.
    """

    def __init__(self, stored: Sequence[str | ExportEntry]):
        self._stored = stored

    def __len__(self) -> int:
        return len(self._stored)

    @overload
    def __getitem__(self, at: int) -> ExportEntry: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[ExportEntry]: ...
    def __getitem__(self, at: int | slice) -> ExportEntry | Sequence[ExportEntry]:
        if isinstance(at, slice):
            return StoredEntries(self._stored[at])
        stored = self._stored[at]
        return stored if isinstance(stored, ExportEntry) else read_entry(stored)

    def __eq__(self, other_memory: object) -> bool:
        return isinstance(other_memory, Sequence) and tuple(self) == tuple(other_memory)

    __hash__ = None  # type: ignore[assignment]


class GateMemory:
    """What the gate said of each statement, by the statement's version; kept in the project, so
    that a new process need not check again.

    A vocabulary or a schema may change all of it, and clears the memory. Texts and calls are only
    ever added: they can change only what could not be proven. A decision or a piece of evidence
    changes one statement. Safe to share between threads.

    One that is not `kept` writes nothing: it is for those who may only read the project.
    """

    def __init__(self, kept: bool = True) -> None:
        self._kept = kept
        self._lock = threading.Lock()
        self._stamp = ""
        self._known: dict[str, _Remembered] = {}
        self._reached = (0, 0, 0)  # statements, evidence, decisions that were seen
        self._versions = 0  # of what is known, summed up

    def report(self, desk: HasProjectTerms) -> GateReport:
        """Every statement of the project through the gate."""
        with self._lock, collector_paused():
            stamp = rule_stamp(desk)
            if stamp != self._stamp:
                self._stamp, self._known = stamp, recalled_results(desk, stamp, self._kept)
                self._reached = (0, 0, 0)
            grounds = tuple(desk.store.queue.grounds())
            stale, gone = self._changed(desk)
            stale += [
                name
                for name, result in self._known.items()
                if result.grounds and result.grounds != grounds
            ]
            self._examine(desk, list(dict.fromkeys(stale)), gone, grounds)
            self._versions = sum(result.version for result in self._known.values())
            return self._report()

    def _changed(self, desk: HasStore) -> tuple[list[str], list[str]]:
        """Statements that are not known as they are now, and known ones that are there no more."""
        queue = desk.store.queue
        before = self._reached
        self._reached, names = queue.changes(before)
        known_results = self._known
        count, versions = queue.version_sum()
        fresh = len([name for name in names if name not in known_results])
        if any(before) and count == len(known_results) + fresh:
            records = queue.versions(names)
            more = sum(
                v - (known_results[n].version if n in known_results else 0)
                for n, v in records.items()
            )
            if self._versions + more == versions:
                return [
                    n
                    for n, v in records.items()
                    if n not in known_results or known_results[n].version != v
                ], []
        current_versions = queue.versions()
        gone = [name for name in known_results if name not in current_versions]
        for name in gone:
            del known_results[name]
        return [
            n
            for n, v in current_versions.items()
            if n not in known_results or known_results[n].version != v
        ], gone

    def _examine(
        self,
        desk: HasProjectTerms,
        names: Sequence[str],
        gone: Sequence[str],
        grounds: tuple[int, ...],
    ) -> None:
        for new_results in gate_results_of(desk, names, grounds):
            self._known |= {result.statement: _remembered_result(result) for result in new_results}
            if not self._kept:
                continue
            with suppress(StoreError):  # a full or read-only disk: it is checked again next time
                desk.store.gate_results.put(new_results, gone, self._stamp)

    def _report(self) -> GateReport:
        """What passes when all statements are seen together."""
        looked_at = [
            result.examined for result in self._known.values() if result.examined is not None
        ]
        report = gate_report(looked_at)
        passing: dict[str, str | ExportEntry] = {
            name: result.body for name, result in self._known.items() if result.examined is None
        }
        passing |= {entry.statement.id: entry for entry in report.entries}
        return replace(report, entries=StoredEntries([passing[name] for name in sorted(passing)]))


@dataclass(frozen=True, slots=True)
class _Unexamined:
    """A statement that waits for the gate. `body` is its result where it passes with nothing left
    out: the rows of the store as they are, which need not be written again.
    """

    reviewed: ReviewedStatement
    version: int
    body: str = ""

    def result(self, gate: Gate, grounds: tuple[int, ...]) -> GateResult:
        examined = gate.examine(self.reviewed)
        if self.body and not examined.faults:
            return GateResult(examined.id, self.version, self.body)
        waits = any(fault.why in UNPROVEN for fault in examined.faults)
        return stored_result(examined, self.version, grounds if waits else ())


def gate_results_of(
    desk: HasProjectTerms, names: Sequence[str], grounds: tuple[int, ...]
) -> Iterator[list[GateResult]]:
    """What the gate says of these statements, `BATCH` at a time. `grounds` are the texts and calls
    that there are.
    """
    ids = ProjectIds(desk)
    prefixes = said_prefixes(desk) | prefixes_of_schemas(ids.schemas) if names else {}
    meaning = ProjectMeaning(desk, ids)
    gate = Gate(StoredSources(desk.store), ids, prefixes, meaning)
    for start in range(0, len(names), BATCH):
        unexamined = _unexamined(desk, names[start : start + BATCH])
        ids.expect(item.reviewed for item in unexamined)
        meaning.expect(item.reviewed.id or item.reviewed.statement.id for item in unexamined)
        yield [item.result(gate, grounds) for item in unexamined]


def _unexamined(desk: HasStore, names: Sequence[str]) -> list[_Unexamined]:
    """These statements as review left them. What one decision approved, as most of a knowledge base
    is, needs no log to be folded.
    """
    items = [_of_approval(approval) for approval in desk.store.plain_approvals.of_ids(names)]
    known = {item.reviewed.id for item in items}
    records = desk.store.statements.of_ids([name for name in names if name not in known])
    return items + [_Unexamined(reviewed_record(record), record.version) for record in records]


def _of_approval(approval: PlainApproval) -> _Unexamined:
    body = (
        f'{{"statement":{approval.statement},"evidence":[{",".join(approval.evidence)}],'
        f'"approvals":[{approval.decision}]}}'
    )
    entry = read_entry(body)
    reviewed = ReviewedStatement(
        entry.statement, State.APPROVED, entry.evidence, approvals=entry.approvals, id=approval.id
    )
    return _Unexamined(reviewed, approval.version, body)


UNPROVEN = (HoldReason.UNPROVEN, HoldReason.ABSENT)  # what another text or call may prove
# Keys of a stored result that need a look at once; within a text their quotes would be escaped.
FAULTS, NODE = '"faults":', '"type":"Node"'


def recalled_results(desk: HasStore, stamp: str, kept: bool = True) -> dict[str, _Remembered]:
    """What the project remembers; nothing where that depends on other rules, and what it holds then
    is forgotten if new results are `kept`.
    """
    if kept:
        with suppress(StoreError):
            forget_other_rules(desk, stamp)
    if desk.store.gate_results.stamp() != stamp:
        return {}
    return {
        gate_result.statement: _remembered_result(gate_result)
        for gate_result in desk.store.gate_results.all()
    }


def forget_other_rules(desk: HasStore, stamp: str) -> None:
    """Keep no result that depends on other rules than these."""
    if desk.store.gate_results.stamp() != stamp:
        desk.store.gate_results.clear(stamp)


def stored_result(
    examined: ExaminedStatement, version: int, grounds: tuple[int, ...]
) -> GateResult:
    """A result as it is stored: each noun once."""
    entry = examined.entry
    body = {"statement": to_json(examined.statement)}
    if entry is not None:
        body["evidence"], body["approvals"] = to_json(entry.evidence), to_json(entry.approvals)
    if examined.faults:
        body["faults"] = [
            [str(export_rejection.why), export_rejection.detail, export_rejection.evidence]
            for export_rejection in examined.faults
        ]
    if grounds:
        body["grounds"] = list(grounds)
    reasons = tuple(str(fault.why) for fault in examined.faults)
    return GateResult(examined.id, version, json.dumps(body, separators=(",", ":")), reasons)


def _remembered_result(result: GateResult) -> _Remembered:
    if FAULTS not in result.body and NODE not in result.body:
        return _Remembered(result.version, result.body)
    body = json.loads(result.body)
    statement: Statement = from_json(Statement, body["statement"])
    entry = _entry(body, statement) if "evidence" in body else None
    faults = tuple(
        ExportRejection(statement, HoldReason(why), detail, piece)
        for why, detail, piece in body.get("faults", ())
    )
    examined = ExaminedStatement(result.statement, statement, entry, faults)
    return _Remembered(result.version, "", examined, tuple(body.get("grounds", ())))


def read_entry(body: str) -> ExportEntry:
    """The entry of a statement that passes."""
    entry_json = json.loads(body)
    return _entry(entry_json, from_json(Statement, entry_json["statement"]))


def _entry(body: Json, statement: Statement) -> ExportEntry:
    return ExportEntry(
        statement,
        tuple(from_json(Evidence, piece) for piece in body["evidence"]),
        tuple(from_json(Decision, decision) for decision in body["approvals"]),
    )


def rule_stamp(desk: HasVocabularies) -> str:
    """Changes whenever a vocabulary, a schema or the gate's own rules do."""
    folders = [folder for folder in desk.schemas if folder.is_dir()]
    files = [
        *desk.vocabulary_registry.files().values(),
        desk.vocabularies / PREFIXES,
        *(path for folder in folders for path in folder.glob("*.y*ml")),
    ]
    stats = [(str(path), path.stat()) for path in sorted(files) if path.is_file()]
    return json_digest(
        [APP_VERSION, RULES, VERSION, [[path, s.st_size, s.st_mtime_ns] for path, s in stats]]
    )


def ground_stamp(desk: HasProjectTerms) -> str:
    """Changes whenever a text, a call, a vocabulary or a schema does."""
    return json_digest([desk.store.queue.grounds(), rule_stamp(desk)])


def reviewed_record(record: StatementRecord) -> ReviewedStatement:
    """A record as review left it."""
    log = folded_state(record)
    approvals = tuple(
        entry.decision
        for entry in log.history
        if still_counts(entry)
        and entry.decision.verdict is Verdict.APPROVE
        and _in_force(entry.decision.evidence, log.accepted)
    )
    return ReviewedStatement(
        record.statement,
        log.state,
        log.accepted,
        log.waiting,
        approvals=approvals,
        id=record.id,
    )


def _in_force(evidence: str, accepted: Sequence[Evidence]) -> bool:
    """Whether an approval is of the statement, or of evidence that counts."""
    return not evidence or any(piece.id == evidence for piece in accepted)


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
