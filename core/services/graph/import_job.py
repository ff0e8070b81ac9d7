"""The import of a large file as a job, with progress, Stop and Resume. Every part that was stored
stays; a job that is resumed passes over what is known by then.
"""

from __future__ import annotations

from pathlib import PurePath

from core.codec import from_json, to_json
from core.desk_parts import HasProjectJobs, HasProjectTerms
from core.errors import InputError
from core.jobs.runner import JobContext, register_job
from core.model import Job, Json, Problem
from core.services.graph.statement_import import import_file, restore_bundle
from core.services.shared.uploaded_file import store_upload

JOB = "import"
AT_ONCE = 1_000_000  # bytes of a file that is imported at the click
MOST_PROBLEMS = 1_000  # that are kept


def start_import(
    desk: HasProjectJobs, name: str, content: bytes, curator: str = "", *, decisions: bool = False
) -> Job:
    """Keep the file and import it in the background; with `decisions`, those of a bundle too."""
    arguments = {
        "name": PurePath(name).name[-120:] or "file",
        "path": store_upload(desk, "statements", content),
        "decisions": decisions,
    }
    return desk.runner.start(JOB, arguments, curator)


def import_problems(job: Job) -> tuple[Problem, ...]:
    """What a finished job could not read of its file, as far as that is stored."""
    kept: tuple[Problem, ...] = from_json(tuple[Problem, ...], (job.result or {})["problems"])
    return kept


@register_job(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    desk: HasProjectTerms = context.context
    file = desk.folder / str(arguments["path"])
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError("The uploaded file is gone.", "Import it again.") from error
    context.progress(0, 0, "reading the file")

    def on_progress(done: int, total: int) -> None:
        context.progress(done, total, "statements")

    take = restore_bundle if arguments["decisions"] else import_file
    imported = take(desk, str(arguments["name"]), content, context.job.curator, on_progress)
    file.unlink(missing_ok=True)
    kept = to_json(imported.problems[:MOST_PROBLEMS])
    return {"words": imported.words, "remark": imported.remark, "problems": kept}
