"""The graph of a project, kept from decision to decision, and from process to process in a file."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.collector_pause import collector_paused
from core.curie import is_curie
from core.desk_parts import HasFolder, HasProjectTerms, HasStore
from core.errors import NotFound, StoreError
from core.grounding.equivalents import Equivalents
from core.kb.graph.graph import Graph, GraphMemory, GraphNode
from core.kb.graph.one_point import OnePointEach
from core.kb.graph.snapshot import graph_columns, memory_of_columns
from core.model import Json, State, Statement, Term
from core.services.graph.export_file import replace_file
from core.services.vocabularies.same_things import preferred_of
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
        self._points: OnePointEach | None = None
        self._same: Equivalents | None = None  # that points were chosen by
        self._redraws = False  # a term that was drawn stands under another id now
        self._unkept = 0  # statements that changed since the file was written
        self._lock = threading.Lock()

    def graph(self, desk: HasProjectTerms) -> Graph:
        """The graph of what is approved now: one point for a thing, whatever its ids."""
        with self._lock, collector_paused():
            if self._reached == _Reached():
                self._recall(desk)
            if not (self._is_of(desk) and self._follow(desk)):
                self._draw(desk)
                if self._redraws:
                    self._draw(desk, self._points)
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
            drawn = list(self._drawn(approved.items()))
            if self._redraws:
                return False
            self._memory.update(drawn, [id for id in changed if id not in approved])
        self._reached = _Reached(rows, newest)
        self._unkept += len(changed)
        return len(self._memory.graph.statements) == queue.count(APPROVED)

    def _draw(self, desk: HasProjectTerms, points: OnePointEach | None = None) -> None:
        """Draw everything; `points` know all terms already."""
        rows = desk.store.queue.reached()
        newest = _newest_decision(desk)
        self._begin(desk, points)
        self._memory.update(self._drawn(desk.store.queue.each_claim(APPROVED)))
        self._reached, self._unkept = _Reached(rows, newest), MOST_CHANGES + 1

    def _begin(self, desk: HasProjectTerms, points: OnePointEach | None = None) -> None:
        """An empty graph, and what chooses one point for each thing."""
        self._same, self._redraws = desk.equivalents(), False
        self._points = points or OnePointEach(self._same, partial(preferred_of, desk))
        self._memory = GraphMemory(also=self._points.also)

    def _drawn(self, claims: Iterable[tuple[str, Statement]]) -> Iterator[tuple[str, Statement]]:
        """Statements as they are drawn, each with its id."""
        assert self._points is not None
        for id, statement in claims:
            if self._points.meet((statement.subject, statement.object)):
                self._redraws = True
            yield id, self._points.drawn(statement)

    def _is_of(self, desk: HasProjectTerms) -> bool:
        """Whether the store has the history that the graph was drawn from, and things the same ids
        as then.
        """
        if not self._reached.decision or self._same is not desk.equivalents():
            return False
        try:
            desk.store.statements.decision(self._reached.decision)
        except NotFound:
            return False
        return True

    def _recall(self, desk: HasProjectTerms) -> None:
        """What an earlier process kept, where it can be read, and no thing has several ids now."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept: Json = json.loads(_file(desk).read_bytes())
            memory = memory_of_columns(kept["graph"])
            if memory is not None:
                first, second, third = map(int, kept["rows"])
                reached = _Reached((first, second, third), str(kept["decision"]))
                self._begin(desk)
                assert self._points is not None
                self._points.meet(_term(end) for ends in memory.ends.values() for end in ends)
                if not self._points.merges:
                    memory.also = self._points.also
                    self._memory, self._reached = memory, reached

    def _keep(self, desk: HasFolder) -> None:
        """Write the file where it has fallen behind; a full disk costs only time."""
        if self._unkept <= MOST_CHANGES or len(self._memory.ends) < KEPT_FROM:
            return
        if self._points is not None and self._points.merges:
            return  # which ids were drawn as one is not kept
        kept = {"rows": self._reached.rows, "decision": self._reached.decision}
        content = json.dumps(kept | {"graph": graph_columns(self._memory)})
        with suppress(StoreError, OSError):
            desk.indexes.mkdir(parents=True, exist_ok=True)
            replace_file(_file(desk), [content.encode()])
        self._unkept = 0


def _term(end: GraphNode) -> Term:
    """An end as a term; without an id where it is none."""
    return Term(
        end.key if end.kind == "term" and is_curie(end.key) else "", end.label, end.category
    )


def _newest_decision(desk: HasStore) -> str:
    return next((decision.id for decision in desk.store.statements.decisions(limit=1)), "")


def _file(desk: HasFolder) -> Path:
    return desk.indexes / FILE
