"""The project itself: what waits, what is configured, the example project, curators, settings,
cache and jobs.
"""

from __future__ import annotations

import filecmp
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from core import settings as setting
from core.desk_parts import (
    HasFolder,
    HasProjectJobs,
    HasStore,
    HasVocabularies,
)
from core.errors import SettingsError
from core.jobs.order import jobs_in_order
from core.model import Call, Curator, Job, JobState, Role, State
from core.services.people.blind import blind_reader
from core.settings import CODE, Settings
from core.store import CallTotals, QueueFilter

EXAMPLE = "example-project"
EXAMPLES = CODE / "schemas" / "examples"
STARTERS = CODE / "schemas" / "vocabularies"


@dataclass(frozen=True, slots=True)
class Capability:
    """One thing that may be configured: what it is, whether it is there, and what that means for
    the curator.
    """

    name: str
    ready: bool
    says: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class ProjectStatus:
    """What home shows. Counts are of statements unless they say otherwise."""

    waiting: int = 0
    new_evidence: int = 0
    unsure: int = 0
    approved: int = 0
    rejected: int = 0
    documents: int = 0
    runs: int = 0
    interrupted_jobs: int = 0

    @property
    def empty(self) -> bool:
        return not (self.documents or self.runs or self.waiting or self.approved)


@dataclass(frozen=True, slots=True)
class ExampleText:
    """An example document of a schema, written for this app."""

    schema: str
    text: str


def project_status(desk: HasStore, reader: str | None = None) -> ProjectStatus:
    """What waits in this project, as far as `reader` may know."""
    seen = QueueFilter(blind_to=blind_reader(desk, reader))
    tally, jobs = desk.store.queue.state_counts(seen), desk.store.jobs.find(limit=500)
    return ProjectStatus(
        waiting=tally[State.PROPOSED],
        new_evidence=desk.store.queue.count(
            QueueFilter(new_evidence=True, states=(State.APPROVED,))
        ),
        unsure=tally[State.UNSURE],
        approved=tally[State.APPROVED],
        rejected=tally[State.REJECTED],
        documents=desk.store.document_list.count(),
        runs=desk.store.runs.count(),
        interrupted_jobs=sum(job.state == JobState.INTERRUPTED for job in jobs),
    )


def interrupted_jobs(desk: HasStore) -> int:
    """How many jobs were cut short and can be resumed."""
    return sum(job.state == JobState.INTERRUPTED for job in desk.store.jobs.find(limit=500))


def capabilities(desk: HasVocabularies) -> list[Capability]:
    """What this installation can do, and how to make it do more. Never shows a key."""
    settings = desk.settings
    located = settings.located(settings.model)
    where = urlsplit(located[1].address).hostname if located else ""
    offline = "Extraction and questions use the built-in engines, which need no model."
    how = (
        "Choose a model under Settings › Models."
        if settings.connections
        else "Set up an endpoint: Settings › Models shows the two lines for it."
    )
    ncbi = "a key" if settings.ncbi_api_key else "no key: three requests per second"
    return [
        Capability(
            "Language model",
            settings.has_model,
            f"{settings.model} at {where}" if located else offline,
            how,
        ),
        Capability(
            "Embeddings",
            settings.located(settings.embedding_model) is not None,
            settings.embedding_model
            or "Literature is ranked by keywords, which need no embeddings.",
            how,
        ),
        Capability(
            "NCBI",
            bool(settings.ncbi_email),
            f"Asked with {ncbi}." if settings.ncbi_email else f"No e-mail address is set; {ncbi}.",
            "Set NCBI_EMAIL, so that NCBI can write to you before it blocks your requests.",
        ),
        Capability(
            "Vocabularies",
            bool(desk.vocabulary_registry.names()),
            _vocabulary_words(desk),
            "Install or add some on the Vocabularies page.",
        ),
        Capability(
            "Database",
            True,
            (
                "PostgreSQL or another server"
                if settings.database_url
                else "A file in the project folder"
            ),
        ),
    ]


def _vocabulary_words(desk: HasVocabularies) -> str:
    registry = desk.vocabulary_registry
    if own := sorted(registry.own()):
        return ", ".join(own)
    base = registry.base.vocabularies if registry.base else {}
    paths = registry.files()
    of_base = [name for name in base if paths.get(name) == base[name].path]
    if of_base:
        return f"{len(of_base)} from the dated base set that comes with the app."
    return f"{len(paths)} small example vocabularies that come with the app."


# ------------------------------------------------------------------ projects


def example_folder(settings: Settings) -> Path:
    """Where the example project is, next to this one."""
    return (
        settings.project if settings.project.name == EXAMPLE else settings.project.parent / EXAMPLE
    )


def is_example(desk: HasFolder) -> bool:
    """Whether this is the example project itself."""
    return desk.folder == example_folder(desk.settings)


def open_example_project(settings: Settings, environ: Mapping[str, str] | None = None) -> Settings:
    """Make the example project if it is not there, and give its settings. Its vocabularies are
    those that come with the app, as in any project.

    What a curator did in it before stays; copies of the starters that an earlier version made go,
    because they would stand in the way of the base set. Raises SettingsError.
    """
    folder = example_folder(settings)
    try:
        (folder / "vocabularies").mkdir(parents=True, exist_ok=True)
        for source in sorted(STARTERS.glob("*.tsv")) if STARTERS.is_dir() else ():
            copy = folder / "vocabularies" / source.name
            if copy.is_file() and filecmp.cmp(source, copy, shallow=False):
                copy.unlink()
        if not (folder / "project.toml").exists():
            setting.save_settings(Settings(folder), {"project_name": "Example project"})
    except OSError as error:
        raise SettingsError(
            f"The example project cannot be made in {folder}: {error.strerror}.",
            "Check the permissions of that folder.",
        ) from error
    return setting.load_settings(folder, environ)


def project_examples() -> list[ExampleText]:
    """The example documents, one or more a schema, sorted by schema."""
    files = sorted(EXAMPLES.glob("*.txt")) if EXAMPLES.is_dir() else []
    return [
        ExampleText(re.sub(r"[-._]\d+$", "", file.stem), file.read_text(encoding="utf-8"))
        for file in files
    ]


# ------------------------------------------------------------------ curators, settings


def project_curators(desk: HasStore) -> list[Curator]:
    """Everyone who works on this project, in the order they came."""
    return desk.store.curators.all()


def curator_names(desk: HasStore) -> dict[str, str]:
    """ORCID → name (or the ORCID again) of everyone who works on this project."""
    return {curator.orcid: curator.name or curator.orcid for curator in project_curators(desk)}


def base_iri(desk: HasStore) -> str:
    """The IRI prefix of what this project mints; "" while it has none."""
    return desk.store.project.base_iri


# ------------------------------------------------------------------ cache, usage, jobs


def project_usage(desk: HasStore) -> dict[str, CallTotals]:
    """Totals of the project by kind of call."""
    return desk.store.calls.usage_by_kind()


def cache_size(desk: HasStore) -> int:
    """How many recorded answers may be used again."""
    return desk.store.calls.cache_size()


def cached_calls(desk: HasStore, limit: int = 20) -> list[Call]:
    """The newest calls whose answers may be used again."""
    return desk.store.calls.cache(limit=limit)


def clear_cache(desk: HasStore, curator: str) -> int:
    """End the reuse of recorded answers; how many. The calls stay in their runs. Raises Forbidden
    for a reader.
    """
    desk.store.curators.need(curator, Role.CURATOR)
    return desk.store.calls.clear_cache()


def project_jobs(desk: HasStore, limit: int = 50) -> list[Job]:
    """The project's jobs, newest first."""
    return desk.store.jobs.find(limit=limit)


def resume_job(desk: HasProjectJobs, id: str, curator: str) -> Job:
    """Run a stopped, failed or interrupted job again. Raises Refused for one that is done, and
    Forbidden for a reader.
    """
    desk.store.curators.need(curator, Role.CURATOR)
    return desk.runner.resume(id)


def stop_job(desk: HasProjectJobs, id: str, curator: str) -> Job:
    """Stop a job at its next step; finished work is kept. Raises Forbidden for a reader."""
    desk.store.curators.need(curator, Role.CURATOR)
    return desk.runner.stop(id)


def put_first(desk: HasProjectJobs, id: str, curator: str) -> Job:
    """Begin a waiting job before the others. Raises Refused for one that does not wait, and
    Forbidden for a reader.
    """
    desk.store.curators.need(curator, Role.CURATOR)
    return desk.runner.put_first(id)


def may_go_first(desk: HasStore, job: Job) -> bool:
    """Whether the job waits, and others that wait are begun before it."""
    if job.state is not JobState.QUEUED:
        return False
    waiting = jobs_in_order(desk.store.jobs.find(states=(JobState.QUEUED,)))
    return bool(waiting) and waiting[0].id != job.id
