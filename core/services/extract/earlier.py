"""Earlier batches and extractions of the project, told apart at a glance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import shorten

from core.desk_parts import HasFolder, HasProject, HasStore
from core.model import Job, Run, status_mark
from core.schema.catalogue import schema_title
from core.services.extract.batch import JOB, unread_documents
from core.services.extract.completeness import find_gaps
from core.services.extract.engines import engine_title
from core.services.extract.run import JOB as EXTRACT
from core.text.count import counted

BEGINNING = 70  # characters of a text that a row shows


@dataclass(frozen=True, slots=True)
class RecentRun:
    """An earlier extraction: who read which text, and what was found."""

    run: Run
    schema: str
    engine: str
    found: str
    words: str

    @property
    def label(self) -> str:
        """`2026-11-23 08:41:07 · Recipe · SPIRES · 5 mentions · Mix the flour with …`."""
        time = self.run.created[:19].replace("T", " ")
        return " · ".join(filter(None, (time, self.schema, self.engine, self.found, self.words)))


@dataclass(frozen=True, slots=True)
class RecentBatch:
    """An earlier batch: what was read, and how many of its documents have no whole result."""

    job: Job
    schema: str
    documents: str
    unread: int

    @property
    def label(self) -> str:
        """`2026-11-23 08:41:07 · Recipe · 12 documents · done, 3 without a whole result`."""
        time = self.job.created[:19].replace("T", " ")
        outcome = f"{self.job.state}" + f", {self.unread:,} without a whole result" * bool(
            self.unread
        )
        return " · ".join(filter(None, (time, self.schema, self.documents, outcome)))


def recent_batches(desk: HasProject, limit: int) -> list[RecentBatch]:
    """The newest first."""
    jobs = desk.store.jobs.find(name=JOB, limit=limit)
    return [
        RecentBatch(
            job,
            shown_schema(desk, str(job.arguments["schema"])),
            counted(int(job.arguments.get("documents") or job.total), "document"),
            unread_documents(desk, job.id).again,
        )
        for job in jobs
    ]


def recent_extractions(desk: HasProject, limit: int) -> list[RecentRun]:
    """The newest first."""
    runs = desk.store.runs.find("extract", limit=limit)
    titles = {run.schema: shown_schema(desk, run.schema) for run in runs}
    notices = desk.store.document_overview.notices([run.document for run in runs])
    return [
        RecentRun(
            run,
            titles[run.schema],
            _engine(run),
            found=_found(desk, run),
            words=status_mark(notices.get(run.document, "")) + _beginning(desk, run),
        )
        for run in runs
    ]


def shown_schema(desk: HasFolder, name: str) -> str:
    """The title of a schema."""
    return schema_title(name, desk.schemas, cache_folder=desk.schema_cache_folder)


def _engine(run: Run) -> str:
    title = engine_title(run.engine)
    return f"{title} · {run.model}" if run.model else title


def _found(desk: HasStore, run: Run) -> str:
    extraction = desk.store.runs.extraction(run.id)
    if extraction is None:
        return "not finished"
    mention_count = len(extraction.mentions)
    lost = any(gap.lost for gap in find_gaps(extraction.problems, 0, mention_count))
    return counted(mention_count, "mention") + ", incomplete" * lost


def _beginning(desk: HasStore, run: Run) -> str:
    text = desk.store.documents.text(run.text_version, run.document).text
    words = shorten(text[: 2 * BEGINNING], BEGINNING, placeholder=" …")
    named = run.document and not run.document.startswith("doc:")
    return f"{run.document}: {words}" if named else words


def extract_query(job: Job) -> dict[str, str]:
    """The address on the page Extract of a batch or an extraction; empty for other work."""
    if job.name == JOB:
        return {"batch": job.id}
    run = str(job.arguments.get("run") or "") if isinstance(job.arguments, Mapping) else ""
    return {"run": run, "job": job.id} if job.name == EXTRACT and run else {}
