"""Filling a namespace from PubMed, now and again: a job that can be stopped and resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta

from core.desk import Desk
from core.errors import InputError
from core.jobs import JobContext, register
from core.literature.namespace import PubMedQuery, query_of
from core.literature.paper import CORRECTED, DELETED, RETRACTED, Paper
from core.literature.source.pubmed import FIRST_DAY, PubMed, day_of, last_day_of, term_of
from core.model import Job, JobState, Json, Run
from core.ncbi.manners import Careful
from core.services import literature
from core.services.literature import Progress, no_progress
from core.store import Member
from core.web import Fetcher

MARGIN = timedelta(days=2)  # entry dates are set a little before records can be found
Tell = Callable[[str], None]


def start_update(desk: Desk, name: str, curator: str = "") -> Job:
    """Update in the background."""
    _query(desk, name)
    return desk.runner.start("literature-update", {"namespace": name}, curator)


def update_when_opened(desk: Desk, curator: str = "") -> list[Job]:
    """Start the updates of namespaces that are set to it and were not brought up to date today."""
    waiting = desk.store.jobs(name="literature-update", states=(JobState.QUEUED, JobState.RUNNING))
    busy = {str(job.arguments.get("namespace")) for job in waiting}
    today = desk.clock()[:10]
    return [
        start_update(desk, one.name, curator)
        for one in desk.store.namespaces()
        if one.settings.get("when_opened") and one.updated[:10] != today and one.name not in busy
    ]


@register("literature-update")
def work(context: JobContext, arguments: Json) -> Json:
    return update(context.context, str(arguments["namespace"]), run=context.job.id, progress=context.progress)


def update(desk: Desk, name: str, *, run: str = "", progress: Progress = no_progress) -> Json:
    """Read what PubMed entered or changed since the last run, and say what became of what was there.

    The report: read, new, revised, deleted, retracted, corrected (ids), chunks, problems, translation.
    """
    query = _query(desk, name)
    namespace = desk.store.namespace(name)
    today = date.fromisoformat(desk.clock()[:10])
    run = run or desk.new_id()
    desk.store.add_run(
        Run(run, "literature-update", "pubmed", settings={"namespace": name, **query.json()}, created=desk.clock())
    )
    source = PubMed(fetcher(desk, run), desk.settings.ncbi_eutils_url, today)
    before = desk.store.member_bodies(name)
    papers = _entered(source, query, namespace.updated, today)
    if query.full_text:
        papers = source.full_texts(papers)
    seen: dict[str, Paper] = {}
    added = literature.add_papers(desk, name, _watched(papers, seen), progress)
    deleted = _deleted(desk, source, name, before) if namespace.updated else []
    index = literature.index_of(desk, name, progress)
    desk.store.touch_namespace(name, today.isoformat())
    after = desk.store.member_bodies(name)
    report = _report(before, after, seen, deleted)
    report |= {"read": added.read, "chunks": len(index)}
    report["problems"] = [p.message + (f" {p.hint}" if p.hint else "") for p in (*source.problems, *added.problems)][
        :50
    ]
    desk.store.save_result(run, report)
    return report


def fetcher(desk: Desk, run: str) -> Fetcher:
    """NCBI with its manners, every call recorded in `run`."""
    return desk.recorder(run).fetcher(Careful(desk.web("ncbi")))


def _query(desk: Desk, name: str) -> PubMedQuery:
    query = query_of(desk.store.namespace(name).query)
    if query is None:
        raise InputError(f"The namespace {name} has no PubMed query.", "Add files to it, or give it a query.")
    return query


def _entered(source: PubMed, query: PubMedQuery, updated: str, today: date) -> Iterator[Paper]:
    """Everything in the range of publication at first; later what was entered, then what was changed, since then."""
    first, last = day_of(query.since, FIRST_DAY), last_day_of(query.until, today + timedelta(days=730))
    if first > last:
        raise InputError(f"The query ends ({query.until}) before it begins ({query.since}).", "Swap the dates.")
    term = term_of(query)
    if not updated:
        for place, history in enumerate(source.histories(term, "pdat", first, last)):
            yield from source.papers(history, f"f{place}")
        return
    if query.since or query.until:
        term = f"({term}) AND {first:%Y/%m/%d}:{last:%Y/%m/%d}[pdat]"
    since = date.fromisoformat(updated[:10]) - MARGIN
    for kind in ("edat", "mdat"):
        for place, history in enumerate(source.histories(term, kind, since, today, f"{kind}.s")):
            yield from source.papers(history, f"{kind}.f{place}")


def _watched(papers: Iterator[Paper], seen: dict[str, Paper]) -> Iterator[Paper]:
    """Each paper once; what is seen is kept without its text."""
    for paper in papers:
        if paper.id not in seen:
            seen[paper.id] = replace(paper, sections=())
            yield paper


def _deleted(desk: Desk, source: PubMed, name: str, before: dict[str, Json]) -> list[str]:
    """Members that PubMed no longer has. They stay, marked, with what was judged of them and what rests on them."""
    there = [id for id, body in before.items() if DELETED not in body.get("flags", ())]
    pmids = [id.removeprefix("PMID:") for id in there if id.startswith("PMID:")]
    gone = {*source.deleted} & set(there)
    if pmids:
        kept = source.existing(pmids)
        gone |= {f"PMID:{pmid}" for pmid in pmids if pmid not in kept}
    if gone:
        desk.store.add_members(name, [_flagged(one) for one in desk.store.members(name) if one.document.id in gone])
    return sorted(gone)


def _flagged(member: Member) -> Member:
    flags = sorted({*member.body.get("flags", ()), DELETED})
    return replace(member, body=member.body | {"flags": flags})


def _report(before: dict[str, Json], after: dict[str, Json], seen: dict[str, Paper], deleted: list[str]) -> Json:
    def newly(flag: str) -> list[str]:
        return sorted(
            id
            for id, body in after.items()
            if flag in body.get("flags", ()) and flag not in before.get(id, {}).get("flags", ())
        )

    return {
        "new": sorted(set(after) - set(before)),
        "revised": sorted(id for id in set(after) & set(before) & set(seen) if after[id] != before[id]),
        "deleted": deleted,
        "retracted": newly(RETRACTED),
        "corrected": newly(CORRECTED),
    }
