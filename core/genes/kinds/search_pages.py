"""A search of NCBI read to its end, or to a limit that is said.

esearch sends a page (`retmax`) of what it counts. Whoever stops at the first page calls half an
answer whole: here the pages that follow are asked for, and where the reading stops before the count
the answer lacks what is left, with numbers.
"""

from __future__ import annotations

from dataclasses import replace

from core.errors import RemoteError
from core.genes.session import NcbiSession
from core.ncbi.call import NcbiDatabase, Search, Summary
from core.ncbi.client import NcbiResponse
from core.ncbi.record import NcbiReading, NcbiRecord

PAGE = 200  # results of a page, and ids of a call


def search_all(
    session: NcbiSession, call: Search, why: str, record_title: str, *, most: int
) -> tuple[str, ...]:
    """The ids that a search finds, page by page, at most `most`; what is left out is said as
    "`record_title`" (`OMIM entries`) on the answer. Raises what the first page raises.
    """
    return read_on(
        session, call, session.ask(call, why).reading, why, record_title=record_title, most=most
    )


def read_on(
    session: NcbiSession,
    call: Search,
    first_page: NcbiReading,
    why: str,
    *,
    record_title: str,
    most: int,
) -> tuple[str, ...]:
    """As `search_all`, where the first page is there."""
    found_ids = dict.fromkeys(first_page.ids)
    count = first_page.count
    reading = first_page
    while reading.ids and len(found_ids) < min(count, most):
        following = replace(call, retstart=len(found_ids))
        try:
            reading = session.ask(following, f"The next page of: {why}").reading
        except RemoteError:
            break
        if not set(reading.ids) - set(found_ids):
            break
        found_ids |= dict.fromkeys(reading.ids)
    ids = tuple(found_ids)[:most]
    if count > len(ids):
        session.lack(f"{len(ids)} of {count} {record_title} read")
    return ids


def summaries_of(
    session: NcbiSession, db: NcbiDatabase, ids: tuple[str, ...], why: str
) -> list[tuple[NcbiRecord, NcbiResponse]]:
    """The summaries of these ids, PAGE at a time, each with the answer that it stands in; records
    that NCBI has and did not send are gaps of the answer.
    """
    summaries: list[tuple[NcbiRecord, NcbiResponse]] = []
    for start in range(0, len(ids), PAGE):
        answer = session.ask(Summary(db, ids[start : start + PAGE]), why)
        session.gaps += [dropped.record for dropped in answer.reading.dropped]
        summaries += [(record, answer) for record in answer.records]
    return summaries
