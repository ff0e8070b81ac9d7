"""A job in two lines: what it is and how far, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.desk_parts import HasStore
from core.errors import NotFound
from core.jobs.runner import UNUSABLE
from core.model import Job, JobState
from core.text.count import counted

OF_ONE_FILE = ("import", "vocabulary-add")  # jobs whose whole input is one uploaded file
CUT_SHORT = (JobState.STOPPED, JobState.FAILED, JobState.INTERRUPTED)
_PLURAL = {"mentions": "mention", "problems": "note", "chunks": "passage", "read": "paper"}


def job_line(job: Job, person: str = "") -> str:
    """`extract · running · 3 of 12 · Anna Alder · 2026-11-22 06:30`. A job that is done has no
    count: it is all done, and what it counted (characters, calls) says nothing any more.
    """
    name = job.name.replace("-", " ")
    begun = " · ".join(filter(None, (person, job.created[:16].replace("T", " "))))
    count = f" · {job.done:,} of {job.total:,}" if job.total and job.state != JobState.DONE else ""
    return f"{name} · {job.state}{count} · {begun}"


def job_subject(desk: HasStore, job: Job) -> str:
    """The text or the files that it works on, and the schema: `Ulcerative colitis ·
    disease_treatment`; empty where it names none.
    """
    arguments = job.arguments if isinstance(job.arguments, Mapping) else {}
    words = (_title(desk, str(arguments.get("run") or "")), _files(arguments.get("items")),
             _schema(arguments.get("schema")))  # fmt: skip
    return " · ".join(filter(None, words))


def _title(desk: HasStore, run: str) -> str:
    try:
        return desk.store.documents.get(desk.store.runs.get(run).document).title if run else ""
    except NotFound:  # it was stopped before it began
        return ""


def _files(items: Any) -> str:
    names = [str(item.get("name") or "") for item in items or () if isinstance(item, Mapping)]
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    return f"{names[0][:80]}{more}" if names and names[0] else ""


def _schema(schema: Any) -> str:
    """A shipped or saved schema by its name; one that was pasted is a whole text."""
    return schema if isinstance(schema, str) and len(schema) < 80 and "\n" not in schema else ""


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


def may_help_again(job: Job) -> bool:
    """Whether running a job again that ended too early can help: not where its file cannot be
    read, as that stays so.
    """
    result = job.result if isinstance(job.result, Mapping) else {}
    is_unreadable = job.name in OF_ONE_FILE and bool(result.get(UNUSABLE))
    return job.state in CUT_SHORT and not is_unreadable
