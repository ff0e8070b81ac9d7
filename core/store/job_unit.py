"""A unit of a job: what it is, what it needs when it is taken in, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.model import Document, Json, Run, TextVersion
from core.store.document_notice import NO_DETAILS, DocumentDetails
from core.store.gate_result import GateResults

LONGEST_MESSAGE = 500


class UnitState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    PARTLY = "partly"  # read, with something missing
    FAILED = "failed"
    REFUSED = "refused"  # its text cannot be used
    LEFT = "not begun"  # a limit was reached before


OVER = (
    UnitState.DONE,
    UnitState.PARTLY,
    UnitState.FAILED,
    UnitState.REFUSED,
    UnitState.LEFT,
)
AGAIN = (UnitState.FAILED, UnitState.PARTLY, UnitState.LEFT)


@dataclass(frozen=True, slots=True)
class JobUnit:
    """One document of a job; `number` counts from 0, `run` is empty where its text was refused."""

    job: str
    number: int
    name: str
    run: str = ""
    state: UnitState = UnitState.WAITING
    message: str = ""
    worker: str = ""
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class UnitEntry:
    """A unit as it is taken in, with what it needs; none of that where its text is refused."""

    unit: JobUnit
    document: Document | None = None
    text: TextVersion | None = None
    run: Run | None = None
    details: DocumentDetails = NO_DETAILS


@dataclass(frozen=True, slots=True)
class EndedUnit:
    """How a unit ended; `results` are (kind, JSON) of its run, `gate` is what the gate said."""

    unit: JobUnit
    state: UnitState
    message: str = ""
    results: tuple[tuple[str, Json], ...] = ()
    gate: GateResults | None = None

    def row(self) -> dict[str, Any]:
        return {
            "of_job": self.unit.job,
            "of_number": self.unit.number,
            "state": str(self.state),
            "message": self.message[:LONGEST_MESSAGE],
        }
