"""The gate over a project, statement by statement: what was examined is kept until what it depends
on changes.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from core.desk import Desk
from core.kb.gate.gate import Examined, GateReport, ReviewedStatement, examine, report
from core.model import Evidence, RecordGround, Verdict, digest
from core.review.fold import counts
from core.services.graph.authority import ProjectIds, StoredSources, prefixes
from core.services.review.decision import folded
from core.store import StatementRecord

BATCH = 2_000  # records read at a time: memory does not grow with the project


class GateMemory:
    """What the gate said of each statement, by the statement's version.

    A new text, call, vocabulary or schema may change any of it, and clears the memory; a decision
    or a piece of evidence changes one statement. Safe to share between threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stamp = ""
        self._known: dict[str, tuple[int, Examined]] = {}

    def report(self, desk: Desk) -> GateReport:
        """Every statement of the project through the gate."""
        with self._lock:
            stamp = ground_stamp(desk)
            if stamp != self._stamp:
                self._stamp, self._known = stamp, {}
            versions = desk.store.queue.versions()
            known = self._known
            self._known = {
                name: known[name]
                for name, version in versions.items()
                if name in known and known[name][0] == version
            }
            self._examine(desk, [name for name in versions if name not in self._known])
            return report(examined for _, examined in self._known.values())

    def _examine(self, desk: Desk, names: Sequence[str]) -> None:
        sources = StoredSources(desk.store)
        ids = ProjectIds(desk)
        own = prefixes(ids.schemas) if names else {}
        for start in range(0, len(names), BATCH):
            records = desk.store.statements.of_ids(names[start : start + BATCH])
            ids.records = {record.id: _grounds(record) for record in records}
            for record in records:
                examined = examine(reviewed(record), sources, ids, own)
                self._known[examined.id] = (record.version, examined)


def ground_stamp(desk: Desk) -> str:
    """Changes whenever a text, a call, a vocabulary or a schema does."""
    folders = [folder for folder in desk.schemas if folder.is_dir()]
    files = [
        *desk.shelf.files().values(),
        *(path for folder in folders for path in folder.glob("*.y*ml")),
    ]
    stats = [(str(path), path.stat()) for path in sorted(files) if path.is_file()]
    return digest(
        [desk.store.queue.grounds(), [[path, s.st_size, s.st_mtime_ns] for path, s in stats]]
    )


def reviewed(record: StatementRecord) -> ReviewedStatement:
    """A record as review left it."""
    log = folded(record)
    approvals = tuple(
        entry.decision
        for entry in log.history
        if counts(entry)
        and entry.decision.verdict is Verdict.APPROVE
        and _in_force(entry.decision.evidence, log.accepted)
    )
    return ReviewedStatement(record.statement, log.state, log.accepted, log.waiting, approvals)


def _in_force(evidence: str, accepted: Sequence[Evidence]) -> bool:
    """Whether an approval is of the statement, or of evidence that counts."""
    return not evidence or any(piece.id == evidence for piece in accepted)


def _grounds(record: StatementRecord) -> list[RecordGround]:
    return [piece.ground for piece in record.evidence if isinstance(piece.ground, RecordGround)]
