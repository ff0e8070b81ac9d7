"""Papers into a namespace by their identifiers, one or thousands: a job that can be stopped and
gone on with, as finished calls answer from the record.
"""

from __future__ import annotations

from datetime import date

from core.desk_parts import HasProjectJobs, HasProjectNetwork
from core.documents.sources.identified import IdentifiedPapers
from core.documents.sources.pubmed import PubMed
from core.errors import InputError
from core.jobs.runner import JobContext, register_job
from core.model import Job, Json, Run, json_digest
from core.services.documents.intake import identifiers_in
from core.services.documents.upload import recorded_fetcher
from core.services.literature import namespaces
from core.services.literature.namespaces import Progress, no_progress

JOB = "literature-identifiers"
MOST = 20_000  # at once
MOST_TOLD = 200


def start_fetching(
    desk: HasProjectJobs, name: str, words: str, *, full_text: bool, curator: str = ""
) -> Job:
    """Fetch the papers in the background. Raises InputError where no word names a paper."""
    desk.store.namespaces.get(name)
    _paper_ids(words)
    arguments = {"namespace": name, "words": words, "full_text": full_text}
    return desk.runner.start(JOB, arguments, curator)


@register_job(JOB)
def add_identified_papers(context: JobContext, arguments: Json) -> Json:
    return add_identified(
        context.context,
        str(arguments["namespace"]),
        str(arguments["words"]),
        bool(arguments["full_text"]),
        run=context.job.id,
        progress=context.progress,
    )


def add_identified(
    desk: HasProjectNetwork,
    name: str,
    words: str,
    full_text: bool = True,
    *,
    run: str = "",
    progress: Progress = no_progress,
) -> Json:
    """Add the papers that PMIDs, PMC ids, DOIs or addresses of PubMed, PMC and doi.org name; with
    `full_text` as PMC gives them. The report: asked, read, new, missing, strange (words that name
    no paper), without_full_text, chunks, problems.
    """
    curies, strange = _paper_ids(words)
    run = run or desk.new_id()
    settings = {"namespace": name, "identifiers": len(curies), "full_text": full_text}
    identifier_run = Run(
        run, "literature-identifiers", "NCBI", settings=settings, created=desk.clock()
    )
    today = date.fromisoformat(desk.store.runs.add(identifier_run).created[:10])
    source = PubMed(recorded_fetcher(desk, run), desk.settings.ncbi_eutils_url, today)
    identified_papers = IdentifiedPapers(source)

    def on_progress(done_now: int, total: int, message: str = "") -> None:
        progress(done_now, len(curies), message)

    added = namespaces.add_papers(
        desk,
        name,
        identified_papers.papers(curies, full_text),
        on_progress,
        source="identifiers",
        digest=json_digest(sorted(curies)),
    )
    chunks = len(namespaces.open_index_of(desk, name, progress))
    problems = (*source.problems, *added.problems)
    return {
        "asked": len(curies),
        "read": added.read,
        "new": added.new,
        "missing": identified_papers.missing[:MOST_TOLD],
        "strange": strange[:MOST_TOLD],
        "without_full_text": sorted(source.without_text)[:MOST_TOLD],
        "chunks": chunks,
        "problems": [f"{p.where}: {p.message} {p.hint}".strip(": ") for p in problems][:MOST_TOLD],
    }


def _paper_ids(words: str) -> tuple[list[str], list[str]]:
    curies, strange = identifiers_in(words)
    if not curies:
        raise InputError(
            "Nothing here names a paper.",
            "Give PMIDs, PMC ids, DOIs or addresses of PubMed and PMC.",
        )
    if len(curies) > MOST:
        raise InputError(f"At most {MOST:,} papers at once.", "Add them in several batches.")
    return curies, strange
