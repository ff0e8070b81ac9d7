"""The vectors of a namespace's passages, made ahead of the first search: a job with progress that
can be stopped and gone on with. What did not change is not asked for again.
"""

from __future__ import annotations

from core.desk_parts import HasEngineJobs, HasEngines, HasFolder, HasModels
from core.errors import SettingsError
from core.jobs.runner import JobContext, register_job
from core.literature.ranking.registry import mode_of
from core.model import Job, JobState, Json
from core.services.literature import searching
from core.services.literature.namespaces import Progress, no_progress
from core.services.settings.models import asked_at

JOB = "literature-vectors"


def embedding_offered(desk: HasModels) -> bool:
    """Whether an embedding model is configured."""
    return desk.embedder() is not None


def embedding_place(desk: HasFolder, mode: str = "") -> str:
    """Which model makes vectors and at which host, for people to read before anything is sent; ""
    where there is none, or where the ranking `mode` needs none.
    """
    own = desk.settings.embedding_model
    if not own or (mode and not mode_of(mode).needs_vectors):
        return ""
    return asked_at(desk, "", own)


def start_embedding(desk: HasEngineJobs, name: str, curator: str = "") -> Job:
    """Make them in the background; one that is under way is not begun again. Raises SettingsError
    without an embedding model.
    """
    desk.store.namespaces.get(name)
    _needed(desk)
    for job in desk.store.jobs.find(name=JOB, states=(JobState.QUEUED, JobState.RUNNING)):
        if job.arguments.get("namespace") == name:
            return job
    return desk.runner.start(JOB, {"namespace": name}, curator)


@register_job(JOB)
def make_passage_vectors(context: JobContext, arguments: Json) -> Json:
    return {"chunks": make_vectors(context.context, arguments["namespace"], context.progress)}


def make_vectors(desk: HasEngines, name: str, progress: Progress = no_progress) -> int:
    """Make what is missing; the count of passages that have a vector then. Raises SettingsError,
    RemoteError.
    """
    _needed(desk)
    searcher = searching.namespace_searcher(desk, [name], progress)
    vectors = searcher.corpus.vectors
    if vectors is None:
        return 0
    return sum(
        vectors.make(
            part, lambda vectors_made, total: progress(vectors_made, total, "passages embedded")
        )
        for part in searcher.parts
    )


def _needed(desk: HasModels) -> None:
    if not embedding_offered(desk):
        raise SettingsError(
            "No embedding model is configured.",
            "Choose one for ranking literature by meaning (Settings, Models).",
        )
