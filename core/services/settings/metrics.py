"""Numbers of a project for monitoring, in the text format of Prometheus
(https://prometheus.io/docs/instrumenting/exposition_formats/).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from core.desk_parts import HasProject
from core.model import JobState


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure; several of one name differ in their labels."""

    name: str  # without the app's prefix
    help: str
    value: float
    labels: Mapping[str, str] = field(default_factory=dict)
    kind: str = "gauge"  # or "counter": only ever grows


def project_metrics(desk: HasProject) -> Iterator[Metric]:
    """What is counted. Raises StoreError when the database does not answer."""
    for state, count in desk.store.queue.state_counts().items():
        yield Metric("statements", "Statements by their state.", count, {"state": str(state)})
    yield Metric("runs", "Extractions, questions and other runs.", desk.store.runs.count())
    states = desk.store.jobs.counts()
    for job_state in JobState:
        count = states.get(job_state, 0)
        yield Metric("jobs", "Jobs by their state.", count, {"state": str(job_state)})
    for kind, used in desk.store.calls.usage_by_kind().items():
        label = {"kind": kind}
        for name, help_text, value in (
            ("calls_total", "Calls of models and web services.", used.calls),
            ("calls_failed_total", "Calls that failed.", used.failed),
            ("tokens_in_total", "Tokens sent to models.", used.tokens_in),
            ("tokens_out_total", "Tokens that models wrote.", used.tokens_out),
            ("cost_dollars_total", "What calls cost, as far as prices are known.", used.cost),
        ):
            yield Metric(name, help_text, value, labels=label, kind="counter")
    free = shutil.disk_usage(desk.folder).free
    yield Metric("disk_free_bytes", "What is free on the disk of the project's folder.", free)


def metrics_text(desk: HasProject) -> str:
    """The metrics as text: a HELP and a TYPE line for each name, then its figures."""
    lines: list[str] = []
    described: set[str] = set()
    for metric in sorted(project_metrics(desk), key=lambda metric: metric.name):
        name = f"groundwork_{metric.name}"
        if name not in described:
            described.add(name)
            lines += [f"# HELP {name} {metric.help}", f"# TYPE {name} {metric.kind}"]
        labels = ",".join(f'{key}="{_escaped(value)}"' for key, value in metric.labels.items())
        lines.append(f"{name}{{{labels}}} {metric.value!r}" if labels else
                     f"{name} {metric.value!r}")  # fmt: skip
    return "\n".join(lines) + "\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
