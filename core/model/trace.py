"""Calls to the outside, the runs that made them, and jobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.model.value import Json


class CallState(StrEnum):
    STARTED = "started"
    DONE = "done"
    FAILED = "failed"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Call:
    """One request to something outside, and its answer. `request` never holds keys or e-mail
    addresses.

    `path` is the place in the run's tree, which orders calls; `occurrence` counts equal requests in
    one run from 0.
    """

    id: str
    run: str
    path: str
    kind: str  # model, ncbi, api, ontology
    request: Json
    request_hash: str
    occurrence: int = 0
    state: CallState = CallState.STARTED
    answer: Json = None
    error: str = ""
    started: str = ""
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None  # US dollars; None: the model's price is not known
    reused: str = ""  # id of the earlier call whose answer this is


@dataclass(frozen=True, slots=True)
class Run:
    """What is needed to repeat a piece of work without a network; its calls are stored with it."""

    id: str
    kind: str  # extract, ask, answer, …
    engine: str
    schema: str = ""  # name
    schema_text: str = ""
    document: str = ""
    text_version: str = ""
    model: str = ""
    settings: Mapping[str, Json] = field(default_factory=dict)
    vocabularies: Mapping[str, str] = field(default_factory=dict)  # name → version
    app_version: str = ""
    created: str = ""
    curator: str = ""


class JobState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"  # running, but its heartbeat is dead


@dataclass(frozen=True, slots=True)
class Job:
    """Long work as a row. `done` of `total` units; `total` 0 means not known yet."""

    id: str
    name: str
    arguments: Json
    state: JobState = JobState.QUEUED
    heartbeat: str = ""
    done: int = 0
    total: int = 0
    message: str = ""
    result: Json = None
    error: str = ""
    created: str = ""
    curator: str = ""
