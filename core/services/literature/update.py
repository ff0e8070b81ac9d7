"""Filling a namespace from PubMed, now and again: a job that can be stopped and resumed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta

from core.desk_parts import (
    HasFolder,
    HasProject,
    HasProjectJobs,
    HasProjectNetwork,
    HasStore,
)
from core.documents.paper import CORRECTED, DELETED, RETRACTED, Paper
from core.documents.sources.pubmed import FIRST_DAY, PubMed
from core.errors import InputError, Refused
from core.jobs.runner import JobContext, register_job
from core.literature.namespace import PubMedQuery, index_folder, query_of
from core.literature.pubmed_query import day_of, last_day_of, term_of
from core.model import Job, JobState, Json, Problem, Run, json_digest
from core.services.documents.upload import recorded_fetcher
from core.services.literature import namespaces
from core.services.literature.namespaces import Progress, no_progress
from core.store import Member

MARGIN = timedelta(days=2)  # entry dates are set a little before records can be found
UNLIKELY = 5  # papers that PubMed does not lose all at once
State = dict[str, tuple[str, list[str]]]  # document → digest of what is known of it, flags


def start_update(desk: HasProjectJobs, name: str, curator: str = "") -> Job:
    """Update in the background. One that is under way is not begun again; one that broke off is
    gone on with.
    """
    query = _query(desk, name)
    if busy := _under_way(desk).get(name):
        return busy
    unfinished_run = _broken_off(desk, name, query)
    if unfinished_run and any(
        job.id == unfinished_run for job in desk.store.jobs.find(name="literature-update")
    ):
        return desk.runner.resume(unfinished_run)
    return desk.runner.start("literature-update", {"namespace": name}, curator)


def _under_way(desk: HasStore) -> dict[str, Job]:
    """Namespace → the job that is updating it."""
    waiting = desk.store.jobs.find(
        name="literature-update", states=(JobState.QUEUED, JobState.RUNNING)
    )
    return {str(job.arguments.get("namespace")): job for job in waiting}


def update_when_opened(desk: HasProjectJobs, curator: str = "") -> list[Job]:
    """Start the updates of namespaces that are set to it and were not brought up to date today."""
    busy = _under_way(desk)
    today = desk.clock()[:10]
    return [
        start_update(desk, namespace.name, curator)
        for namespace in desk.store.namespaces.all()
        if namespace.settings.get("when_opened")
        and namespace.updated[:10] != today
        and namespace.name not in busy
    ]


@register_job("literature-update")
def update_from_pubmed(context: JobContext, arguments: Json) -> Json:
    return update_namespace(
        context.context, str(arguments["namespace"]), run=context.job.id, progress=context.progress
    )


def update_namespace(
    desk: HasProjectNetwork, name: str, *, run: str = "", progress: Progress = no_progress
) -> Json:
    """Read what PubMed entered or changed since the last run, and say what became of what was
    there.

    The report: read, new, revised, deleted, retracted, corrected, without_full_text (ids), chunks,
    problems. A run that broke off is gone on with: what it was answered is not asked again.
    """
    query = _query(desk, name)
    with _alone(desk, name):
        run = run or _broken_off(desk, name, query) or desk.new_id()
        settings = {"namespace": name, **query.json()}
        update_run = Run(
            run, "literature-update", "pubmed", settings=settings, created=desk.clock()
        )
        today = date.fromisoformat(
            desk.store.runs.add(update_run).created[:10]
        )  # a resumed run asks what it asked then
        source = PubMed(
            recorded_fetcher(desk, run, reuse=False), desk.settings.ncbi_eutils_url, today
        )
        return _updated(desk, name, run, source, query=query, progress=progress)


def _updated(
    desk: HasProject, name: str, run: str, source: PubMed, *, query: PubMedQuery, progress: Progress
) -> Json:
    namespace, before = desk.store.namespaces.get(name), _before(desk, name, run)

    def on_progress(done: int, total: int, message: str = "") -> None:
        progress(
            done,
            max(total, source.total),
            "Reading papers from PubMed" if source.total else message,
        )

    papers = _entered(source, query, namespace.updated)
    if query.full_text:
        papers = source.full_texts(papers)
    seen_papers: dict[str, Paper] = {}
    added = namespaces.add_papers(desk, name, _watched(papers, seen_papers), on_progress)
    if added.new:
        desk.store.namespaces.note_import(name, "PubMed", run, added.new, new=added.new)
    deleted = _deleted(desk, source, name) if namespace.updated else []
    index = namespaces.open_index_of(desk, name, progress)
    desk.store.namespaces.touch(name, source.today.isoformat())
    report = _report(
        before,
        _state(desk.store.namespaces.member_bodies(name)),
        _stored(desk, seen_papers),
        deleted,
    )
    report |= {
        "read": added.read,
        "chunks": len(index),
        "without_full_text": sorted(source.without_text),
    }
    problems = (*source.problems, *added.problems)
    report["problems"] = [f"{p.where}: {p.message} {p.hint}".strip(": ") for p in problems][:200]
    desk.store.runs.save_result(run, report)
    return report


@contextmanager
def _alone(desk: HasFolder, name: str) -> Iterator[None]:
    """One update of a namespace at a time, in any process; a process that was killed holds
    nothing back.
    """
    place = index_folder(desk.indexes, name).with_suffix(".update")
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("w") as lock_file:
        try:
            import fcntl

            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # Windows: there the jobs alone keep apart
            pass
        except OSError:
            raise Refused(
                f"The namespace {name} is being updated already.", "Wait until that is done."
            ) from None
        yield


def _broken_off(desk: HasStore, name: str, query: PubMedQuery) -> str:
    """The last update of this namespace when it asked the same within a day and never ended; ""
    otherwise.
    """
    settings, since = {"namespace": name, **query.json()}, desk.store.namespaces.get(name).created
    last_run = next(
        (r for r in desk.store.runs.find("literature-update", limit=50) if r.settings == settings),
        None,
    )
    if (
        last_run is None
        or last_run.created < since
        or desk.store.runs.result(last_run.id) is not None
    ):
        return ""
    age = datetime.fromisoformat(desk.clock()) - datetime.fromisoformat(last_run.created)
    return last_run.id if age < timedelta(days=1) else ""


def _before(desk: HasStore, name: str, run: str) -> State:
    """What was there when the run began, also when it is resumed."""
    state_before = desk.store.runs.result(run, "before")
    if state_before is None:
        state_before = _state(desk.store.namespaces.member_bodies(name))
        desk.store.runs.save_result(run, state_before, "before")
    return {
        str(id): (str(updated_at), list(flags)) for id, (updated_at, flags) in state_before.items()
    }


def _state(bodies: dict[str, Json]) -> State:
    return {id: (json_digest(body), list(body.get("flags", ()))) for id, body in bodies.items()}


def _stored(desk: HasStore, seen_papers: dict[str, Paper]) -> set[str]:
    """The ids that the papers have in this project."""
    own_ids = desk.store.documents.own_ids(list(seen_papers))
    return {own_ids.get(id, id) for id in seen_papers}


def _query(desk: HasStore, name: str) -> PubMedQuery:
    query = query_of(desk.store.namespaces.get(name).query)
    if query is None:
        raise InputError(
            f"The namespace {name} has no PubMed query.", "Add files to it, or give it a query."
        )
    return query


def _entered(source: PubMed, query: PubMedQuery, updated: str) -> Iterator[Paper]:
    """Everything in the range of publication at first; later what was entered, then what was
    changed, since then.
    """
    today = source.today
    first_day, last_day = (
        day_of(query.since, FIRST_DAY),
        last_day_of(query.until, today + timedelta(days=730)),
    )
    if first_day > last_day:
        raise InputError(
            f"The query ends ({query.until}) before it begins ({query.since}).", "Swap the dates."
        )
    term = term_of(query)
    if not updated:
        for place, history in enumerate(source.histories(term, "pdat", first_day, last_day)):
            yield from source.papers(history, f"f{place}")
        return
    if query.since or query.until:
        term = f"({term}) AND {first_day:%Y/%m/%d}:{last_day:%Y/%m/%d}[pdat]"
    since = date.fromisoformat(updated[:10]) - MARGIN
    for kind in ("edat", "mdat"):
        for place, history in enumerate(
            source.histories(term, kind, since, today, path=f"{kind}.s")
        ):
            yield from source.papers(history, f"{kind}.f{place}")


def _watched(papers: Iterator[Paper], seen_papers: dict[str, Paper]) -> Iterator[Paper]:
    """Each paper once; papers already seen are remembered without their text."""
    for paper in papers:
        if paper.id not in seen_papers:
            seen_papers[paper.id] = replace(paper, sections=())
            yield paper


def _deleted(desk: HasStore, source: PubMed, name: str) -> list[str]:
    """Members that PubMed no longer has. They stay, marked, with what was judged of them and what
    rests on them.
    """
    member_ids = [
        id
        for id, body in desk.store.namespaces.member_bodies(name).items()
        if DELETED not in body.get("flags", ())
    ]
    pmids = [id.removeprefix("PMID:") for id in member_ids if id.startswith("PMID:")]
    gone = {*source.deleted} & set(member_ids)
    if pmids:
        existing = source.existing(pmids)
        if not existing and len(pmids) >= UNLIKELY:
            message = (
                f"PubMed reports all {len(pmids):,} papers as gone, which is unlikely; none is"
                " marked as deleted."
            )
            source.problems.append(Problem("none-left", message, hint="Update again later."))
        else:
            gone |= {f"PMID:{pmid}" for pmid in pmids if pmid not in existing}
    if gone:
        desk.store.namespaces.add_members(
            name,
            [
                _flagged(member)
                for member in desk.store.namespaces.members(name)
                if member.document.id in gone
            ],
        )
    return sorted(gone)


def _flagged(member: Member) -> Member:
    flags = sorted({*member.body.get("flags", ()), DELETED})
    return replace(member, body=member.body | {"flags": flags})


def _report(before: State, after: State, seen_ids: set[str], deleted: list[str]) -> Json:
    def newly(flag: str) -> list[str]:
        return sorted(
            id
            for id, (_, flags) in after.items()
            if flag in flags and flag not in before.get(id, ("", []))[1]
        )

    return {
        "new": sorted(set(after) - set(before)),
        "revised": sorted(
            id for id in set(after) & set(before) & seen_ids if after[id][0] != before[id][0]
        ),
        "deleted": deleted,
        "retracted": newly(RETRACTED),
        "corrected": newly(CORRECTED),
    }
