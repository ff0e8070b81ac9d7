"""The graph of a project, kept from decision to decision, and from process to process in a file."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.collector_pause import collector_paused
from core.desk_parts import HasFolder, HasProject, HasStore
from core.errors import NotFound, StoreError
from core.kb.graph.graph import Graph, GraphMemory
from core.kb.graph.snapshot import graph_columns, memory_of_columns
from core.model import Json, State
from core.services.graph.export_file import replace_file
from core.store import QueueFilter

FILE = "graph.json"  # in the project's indexes: it can be made again
KEPT_FROM = 2_000  # statements: a smaller graph is drawn sooner than a file is read
MOST_CHANGES = 2_000  # statements that changed since the file was written, before it is again
APPROVED = QueueFilter(states=(State.APPROVED,))


@dataclass(frozen=True, slots=True)
class _Reached:
    """How far the store had come: its statements, evidence and decisions, and the newest decision,
    which a store of another history does not have.
    """

    rows: tuple[int, int, int] = (0, 0, 0)
    decision: str = ""


class ExploreMemory:
    """The graph of what is approved. Only what was decided since is read, by the same process or by
    one before it. Safe to share between threads.
    """

    def __init__(self) -> None:
        self._memory = GraphMemory()
        self._reached = _Reached()
        self._unkept = 0  # statements that changed since the file was written
        self._lock = threading.Lock()

    def graph(self, desk: HasProject) -> Graph:
        """The graph of what is approved now."""
        with self._lock, collector_paused():
            if self._reached == _Reached():
                self._recall(desk)
            if not (self._is_of(desk) and self._follow(desk)):
                self._draw(desk)
            self._keep(desk)
            return self._memory.graph

    def _follow(self, desk: HasStore) -> bool:
        """Draw what changed; False where the graph is then not of what the store has."""
        queue = desk.store.queue
        rows, changed = queue.changes(self._reached.rows)
        if any(now < before for now, before in zip(rows, self._reached.rows, strict=True)):
            return False
        newest = _newest_decision(desk)
        if changed:
            approved = queue.claims_of(changed, APPROVED)
            self._memory.update(approved.items(), [id for id in changed if id not in approved])
        self._reached = _Reached(rows, newest)
        self._unkept += len(changed)
        return len(self._memory.graph.statements) == queue.count(APPROVED)

    def _draw(self, desk: HasStore) -> None:
        """Draw everything."""
        rows = desk.store.queue.reached()
        newest = _newest_decision(desk)
        self._memory = GraphMemory()
        self._memory.update(desk.store.queue.each_claim(APPROVED))
        self._reached, self._unkept = _Reached(rows, newest), MOST_CHANGES + 1

    def _is_of(self, desk: HasStore) -> bool:
        """Whether the store has the history that the graph was drawn from."""
        if not self._reached.decision:
            return False
        try:
            desk.store.statements.decision(self._reached.decision)
        except NotFound:
            return False
        return True

    def _recall(self, desk: HasFolder) -> None:
        """What an earlier process kept, where it can be read."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept: Json = json.loads(_file(desk).read_bytes())
            memory = memory_of_columns(kept["graph"])
            if memory is not None:
                first, second, third = map(int, kept["rows"])
                reached = _Reached((first, second, third), str(kept["decision"]))
                self._memory, self._reached = memory, reached

    def _keep(self, desk: HasFolder) -> None:
        """Write the file where it has fallen behind; a full disk costs only time."""
        if self._unkept <= MOST_CHANGES or len(self._memory.ends) < KEPT_FROM:
            return
        kept = {"rows": self._reached.rows, "decision": self._reached.decision}
        content = json.dumps(kept | {"graph": graph_columns(self._memory)})
        with suppress(StoreError, OSError):
            desk.indexes.mkdir(parents=True, exist_ok=True)
            replace_file(_file(desk), [content.encode()])
        self._unkept = 0


def _newest_decision(desk: HasStore) -> str:
    return next((decision.id for decision in desk.store.statements.decisions(limit=1)), "")


def _file(desk: HasFolder) -> Path:
    return desk.indexes / FILE
