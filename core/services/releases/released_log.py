"""What a release keeps of the decisions: those on its statements, and what was turned down."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import IO

from core.codec import to_json
from core.kb.entry import ExportEntry, KnowledgeBase, LoggedStatement, document_of, logged_entry
from core.model import Evidence, Json, State, TextGround, json_digest
from core.review.statement_state import fold_log

LONGEST_QUOTE = 2_000  # characters: a release holds quotes, never whole articles


@dataclass
class WrittenLog:
    """What `released_log` gives, in a file: its digests, in order, and the papers and people that
    it names.
    """

    file: IO[bytes]
    digests: list[str] = field(default_factory=list)
    papers: set[str] = field(default_factory=set)
    curators: set[str] = field(default_factory=set)

    def add(self, logged: LoggedStatement) -> None:
        body = to_json(logged)
        self.digests.append(json_digest(body))
        self.papers.update(map(document_of, logged.evidence))
        self.curators.update(decision.curator for decision in logged.decisions)
        self.file.write(json.dumps(body).encode() + b"\n")

    def contents(self) -> Iterator[tuple[str, Json]]:
        """Digest and JSON of each."""
        self.file.seek(0)
        return zip(self.digests, map(json.loads, self.file), strict=True)


@contextmanager
def written_log(rows: Iterable[LoggedStatement]) -> Iterator[WrittenLog]:
    """The rows in a file that goes with the block: memory holds one at a time."""
    with tempfile.TemporaryFile() as file:
        log = WrittenLog(file)
        for row in rows:
            log.add(row)
        yield log


def released_log(kb: KnowledgeBase) -> Iterator[LoggedStatement]:
    """Of the log of a knowledge base what its entries do not say by themselves: all decisions on
    them, and the statements that were rejected or replaced. Nothing of what waits for a decision.
    """
    entries = {entry.statement.id: entry for entry in kb.entries}
    for logged in kb.log():
        entry = entries.get(logged.statement.id)
        if entry is None and logged.is_turned_down:
            short = tuple(piece for piece in logged.evidence if not is_long(piece))
            yield replace(logged, evidence=short)
        elif entry is not None:
            decided = _as_released(logged)
            if decided != logged_entry(entry) and _fits(decided, entry):
                yield decided


def is_long(piece: Evidence) -> bool:
    """Whether its quote is more than a release may hold."""
    return isinstance(piece.ground, TextGround) and len(piece.ground.quote) > LONGEST_QUOTE


def _as_released(logged: LoggedStatement) -> LoggedStatement:
    """Without the evidence that came last and waits for judgement."""
    accepted = {piece.id for piece in fold_log(logged.evidence, logged.decisions).accepted}
    judged = accepted | {decision.evidence for decision in logged.decisions}
    evidence = list(logged.evidence)
    while evidence and evidence[-1].id not in judged:
        evidence.pop()
    return replace(logged, evidence=tuple(evidence))


def _fits(decided: LoggedStatement, entry: ExportEntry) -> bool:
    """Whether the log leads to what is released: not where it was decided anew meanwhile."""
    log = fold_log(decided.evidence, decided.decisions)
    return (
        log.state is State.APPROVED
        and set(entry.evidence) <= set(log.accepted)
        and not any(map(is_long, decided.evidence))
    )
