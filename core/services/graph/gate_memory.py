"""The gate over a project, statement by statement: what was examined is kept until what it depends
on changes.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from core.codec import from_json, to_json
from core.desk import APP_VERSION, Desk
from core.errors import StoreError
from core.kb.entry import ExportEntry
from core.kb.gate.gate import (
    RULES,
    Examined,
    ExportRejection,
    GateReport,
    HoldReason,
    ReviewedStatement,
    examine_statement,
    gate_report,
)
from core.model import Decision, Evidence, RecordGround, Statement, Verdict, json_digest
from core.review.fold import still_counts
from core.services.graph.authority import ProjectIds, StoredSources, prefixes
from core.services.review.decision import folded
from core.store import GateResult, StatementRecord

BATCH = 2_000  # records read at a time: memory does not grow with the project


@dataclass(frozen=True, slots=True)
class _Remembered:
    """What the gate said of one version of a statement. `grounds` are the texts and calls there
    were then, where more of them may change it; else empty.
    """

    version: int
    examined: Examined
    grounds: tuple[int, ...] = ()


class GateMemory:
    """What the gate said of each statement, by the statement's version; kept in the project, so
    that a new process need not check again.

    A vocabulary or a schema may change all of it, and clears the memory. Texts and calls are only
    ever added: they can change only what could not be proven. A decision or a piece of evidence
    changes one statement. Safe to share between threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stamp = ""
        self._known: dict[str, _Remembered] = {}

    def report(self, desk: Desk) -> GateReport:
        """Every statement of the project through the gate."""
        with self._lock:
            stamp = rule_stamp(desk)
            if stamp != self._stamp:
                self._stamp, self._known = stamp, recalled(desk, stamp)
            versions = desk.store.queue.versions()
            grounds = tuple(desk.store.queue.grounds())
            gone = [name for name in self._known if name not in versions]
            for name in gone:
                del self._known[name]
            stale = [
                name
                for name, version in versions.items()
                if (known := self._known.get(name)) is None
                or known.version != version
                or known.grounds not in ((), grounds)
            ]
            self._examine(desk, stale, gone, grounds)
            return gate_report(one.examined for one in self._known.values())

    def _examine(
        self, desk: Desk, names: Sequence[str], gone: Sequence[str], grounds: tuple[int, ...]
    ) -> None:
        sources = StoredSources(desk.store)
        ids = ProjectIds(desk)
        own = prefixes(ids.schemas) if names else {}
        for start in range(0, len(names), BATCH):
            part = names[start : start + BATCH]
            records = desk.store.statements.of_ids(part)
            held = {record.id: held for record in records if (held := _grounds(record))}
            ids.records = held
            found = []
            for record in records:
                examined = examine_statement(reviewed(record), sources, ids, own)
                waits = any(fault.why in UNPROVEN for fault in examined.faults)
                known = _Remembered(record.version, examined, grounds if waits else ())
                self._known[examined.id] = known
                found.append(kept(known))
            with suppress(StoreError):  # a full or read-only disk: it is checked again next time
                desk.store.gate_results.put(found, gone, self._stamp)


UNPROVEN = (HoldReason.UNPROVEN, HoldReason.ABSENT)  # what another text or call may prove


def recalled(desk: Desk, stamp: str) -> dict[str, _Remembered]:
    """What the project remembers; nothing where that depends on other rules, and what it holds then
    is forgotten.
    """
    if desk.store.gate_results.stamp() != stamp:
        with suppress(StoreError):
            desk.store.gate_results.clear(stamp)
        return {}
    return {
        gate_result.statement: _read(gate_result) for gate_result in desk.store.gate_results.all()
    }


def kept(known: _Remembered) -> GateResult:
    """A result as it is stored: each noun once."""
    examined, entry = known.examined, known.examined.entry
    body = {"statement": to_json(examined.statement)}
    if entry is not None:
        body["evidence"], body["approvals"] = to_json(entry.evidence), to_json(entry.approvals)
    if examined.faults:
        body["faults"] = [
            [str(export_rejection.why), export_rejection.detail, export_rejection.evidence]
            for export_rejection in examined.faults
        ]
    if known.grounds:
        body["grounds"] = list(known.grounds)
    return GateResult(examined.id, known.version, body)


def _read(result: GateResult) -> _Remembered:
    body = result.body
    statement: Statement = from_json(Statement, body["statement"])
    entry = None
    if "evidence" in body:
        evidence: tuple[Evidence, ...] = from_json(tuple[Evidence, ...], body["evidence"])
        approvals: tuple[Decision, ...] = from_json(tuple[Decision, ...], body["approvals"])
        entry = ExportEntry(statement, evidence, approvals)
    faults = tuple(
        ExportRejection(statement, HoldReason(why), detail, piece)
        for why, detail, piece in body.get("faults", ())
    )
    examined = Examined(result.statement, statement, entry, faults)
    return _Remembered(result.version, examined, tuple(body.get("grounds", ())))


def rule_stamp(desk: Desk) -> str:
    """Changes whenever a vocabulary, a schema or the gate's own rules do."""
    folders = [folder for folder in desk.schemas if folder.is_dir()]
    files = [
        *desk.shelf.files().values(),
        *(path for folder in folders for path in folder.glob("*.y*ml")),
    ]
    stats = [(str(path), path.stat()) for path in sorted(files) if path.is_file()]
    return json_digest(
        [APP_VERSION, RULES, [[path, s.st_size, s.st_mtime_ns] for path, s in stats]]
    )


def ground_stamp(desk: Desk) -> str:
    """Changes whenever a text, a call, a vocabulary or a schema does."""
    return json_digest([desk.store.queue.grounds(), rule_stamp(desk)])


def reviewed(record: StatementRecord) -> ReviewedStatement:
    """A record as review left it."""
    log = folded(record)
    approvals = tuple(
        entry.decision
        for entry in log.history
        if still_counts(entry)
        and entry.decision.verdict is Verdict.APPROVE
        and _in_force(entry.decision.evidence, log.accepted)
    )
    return ReviewedStatement(record.statement, log.state, log.accepted, log.waiting, approvals)


def _in_force(evidence: str, accepted: Sequence[Evidence]) -> bool:
    """Whether an approval is of the statement, or of evidence that counts."""
    return not evidence or any(piece.id == evidence for piece in accepted)


def _grounds(record: StatementRecord) -> list[RecordGround]:
    return [piece.ground for piece in record.evidence if isinstance(piece.ground, RecordGround)]
