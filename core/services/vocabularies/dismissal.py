"""Installations that ended without success, and that a curator took off the page. The jobs stay in
the record.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.desk_parts import HasFolder
from core.model import Job, JobState
from core.whole_file import whole_file

FILE = ".dismissed.json"  # in the project's folder of vocabularies: ids of jobs
ENDED = (JobState.FAILED, JobState.STOPPED, JobState.INTERRUPTED)
KEPT = 200  # ids that the file holds, the newest


def shown_jobs(desk: HasFolder, jobs: Sequence[Job]) -> list[Job]:
    """The jobs without those that were taken off; one that was resumed elsewhere is shown again."""
    taken_off = set(_dismissed(desk))
    return [job for job in jobs if job.state not in ENDED or job.id not in taken_off]


def dismiss_job(desk: HasFolder, job: str) -> None:
    """Take a job that ended off the page, for everybody in the project."""
    ids = [id for id in _dismissed(desk) if id != job] + [job]
    with whole_file(desk.vocabularies / FILE) as part:
        json.dump(ids[-KEPT:], part)


def _dismissed(desk: HasFolder) -> list[str]:
    try:
        ids = json.loads((desk.vocabularies / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [id for id in ids if isinstance(id, str)] if isinstance(ids, list) else []
