"""A job in two lines: what it is and how far, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping

from core.model import Job, JobState
from core.services.extract.job_name import EXTRACT, EXTRACT_BATCH
from core.text.count import counted

_PLURAL = {"mentions": "mention", "problems": "note", "chunks": "passage", "read": "paper"}


def job_line(job: Job, person: str = "") -> str:
    """`extract · running · 3 of 12 · Anna Alder · 2026-11-22 06:30`. A job that is done has no
    count: it is all done, and what it counted (characters, calls) says nothing any more.
    """
    name = job.name.replace("-", " ")
    begun = " · ".join(filter(None, (person, job.created[:16].replace("T", " "))))
    count = f" · {job.done:,} of {job.total:,}" if job.total and job.state != JobState.DONE else ""
    return f"{name} · {job.state}{count} · {begun}"


def job_outcome(job: Job) -> str:
    """Why it ended, what it says of itself, or what a finished one gave: `6 mentions, 1 note`. How
    fast an interrupted one was says nothing of when it will be done.
    """
    if job.state == JobState.INTERRUPTED:
        return job.error
    if job.state != JobState.DONE:
        return job.error or job.message
    result = job.result if isinstance(job.result, Mapping) else {}
    counts = {name: n for name, n in result.items() if isinstance(n, int) and n}
    return ", ".join(
        counted(n, _PLURAL[name]) if name in _PLURAL else f"{n:,} {name}"
        for name, n in counts.items()
    )


def extract_query(job: Job) -> dict[str, str]:
    """The address on the page Extract of a batch or an extraction; empty for other work."""
    if job.name == EXTRACT_BATCH:
        return {"batch": job.id}
    run = str(job.arguments.get("run") or "") if isinstance(job.arguments, Mapping) else ""
    return {"run": run, "job": job.id} if job.name == EXTRACT and run else {}
