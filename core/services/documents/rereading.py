"""A stored text read once more: by which runs it was read, and what a new run says beside what is
in review.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.desk_parts import HasProject, HasStore, HasTermJobs
from core.errors import NotFound
from core.model import Job
from core.services.extract import result
from core.services.extract.difference import RunDifference, compare_with_queue
from core.services.extract.run import start_run


@dataclass(frozen=True, slots=True)
class ReadingRun:
    """A run over a document's text; `finished` where it has a result to look at."""

    id: str
    schema: str
    engine: str
    model: str
    time: str
    curator: str  # name, or ORCID
    finished: bool


def runs_of(desk: HasStore, document: str, limit: int = 50) -> list[ReadingRun]:
    """The extractions of a document, newest first."""
    own = desk.store.documents.get(document).id
    names = {curator.orcid: curator.name or curator.orcid for curator in desk.store.curators.all()}
    return [
        ReadingRun(
            run.id,
            run.schema,
            run.engine,
            model=run.model,
            time=run.created,
            curator=names.get(run.curator, run.curator),
            finished=result.has_result(desk, run.id),
        )
        for run in desk.store.runs.find("extract", document=own, limit=limit)
    ]


def read_again(  # noqa: PLR0917
    desk: HasTermJobs, document: str, schema: str, engine: str = "auto", curator: str = ""
) -> Job:
    """Let an engine read the newest text of a document. Raises NotFound for one without a text."""
    own = desk.store.documents.get(document).id
    versions = desk.store.documents.texts(own)
    if not versions:
        raise NotFound(f"No text of {own} is stored in this project.", "Add its text first.")
    return start_run(desk, schema, versions[-1].text, source=own, engine=engine, curator=curator)


def compare_with_review(desk: HasProject, run: str) -> RunDifference:
    """What a run says new, no longer or otherwise than what is in review, and what of it was
    rejected before.
    """
    return compare_with_queue(desk, run)
