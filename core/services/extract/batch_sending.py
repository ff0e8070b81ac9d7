"""What a batch found, sent to review at once: only of documents that came about whole."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.codec import from_json, stored_as
from core.desk_parts import HasProjectJobs, HasProjectTerms
from core.jobs.runner import JobContext, register_job
from core.model import Job, Json, Role
from core.services.extract import batch
from core.services.extract.result import send_to_review
from core.store.job_unit import UnitState

JOB = "send batch"


@dataclass(frozen=True, slots=True)
class BatchSending:
    """What was sent: how many statements were new, already in the project, or held back; and how
    many documents were left out because a part of them failed.
    """

    documents: int = 0
    new: int = 0
    already_known: int = field(default=0, metadata=stored_as("known"))
    held_back: int = field(default=0, metadata=stored_as("held"))
    left_out: int = 0


def start_sending(desk: HasProjectJobs, job: str, curator: str) -> Job:
    """Send everything that a batch found and that has its terms. Raises Forbidden for a reader."""
    desk.store.curators.need(curator, Role.CURATOR)
    return desk.runner.start(JOB, {"batch": job, "curator": curator}, curator)


@register_job(JOB)
def send_batch_to_review(context: JobContext, arguments: Json) -> Json:
    """The job. Run again, it changes nothing: what is in review already stays as it is."""
    desk: HasProjectTerms = context.context
    units = batch.batch_items(desk, desk.store.jobs.get(str(arguments["batch"])))
    counts = dict.fromkeys(("documents", "new", "known", "held", "left_out"), 0)
    for place, unit in enumerate(units):
        context.progress(place, len(units), f"{counts['new']:,} statements sent")
        if unit.state is not UnitState.DONE:
            counts["left_out"] += 1
            continue
        send_result = send_to_review(desk, unit.run, str(arguments["curator"]))
        counts["documents"] += 1
        counts["new"] += len(send_result.new)
        counts["known"] += len(send_result.already_known)
        counts["held"] += len(send_result.held_back)
    context.progress(len(units), len(units), f"{counts['new']:,} statements sent")
    return counts


def sending_result(job: Job) -> BatchSending:
    """What a finished job sent."""
    return from_json(BatchSending, job.result or {})
