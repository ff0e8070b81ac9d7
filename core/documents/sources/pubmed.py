"""PubMed and PMC through the E-utilities: searches on the history server, records in batches.

A search hands out at most MOST records; a larger one is cut in two by date until each part fits. A
batch that NCBI does not answer whole is asked for in halves. Dates are YYYY/MM/DD; `pdat` is
publication, `edat` entry, `mdat` the last change.

A PubMed record and the full text of the same paper in PMC, as one paper.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from core.documents.paper import FULL_TEXT, Paper
from core.documents.readers import jats, pubmed_xml
from core.documents.readers.xml import parse_xml
from core.errors import BadAnswer, InputError, RateLimited, RemoteError, Unauthorised, Unreachable
from core.model import Problem, Severity
from core.web import Fetch, Fetcher

FIRST_DAY = date(1781, 1, 1)  # the oldest paper in PubMed


def merge_full_text(paper: Paper, body: Paper) -> Paper:
    """A PubMed record with its full text: the record's data, the body's sections (before them the
    record's abstract, where the body does not hold its words), the flags of both.
    """
    flags = tuple(sorted({*paper.flags, *body.flags}))
    ids = tuple(sorted({*paper.ids, *body.ids}))
    body_words = {word for section in body.sections for word in section.text.split()}
    own = [word for section in paper.sections for word in section.text.split()]
    abstract = () if sum(word in body_words for word in own) >= 0.9 * len(own) else paper.sections
    sections = (
        *(replace(section, name=section.name or "Abstract") for section in abstract),
        *body.sections,
    )
    title = paper.title or body.title
    return replace(paper, sections=sections, kind=FULL_TEXT, ids=ids, flags=flags, title=title)


def pmc_number(paper: Paper) -> str:
    """The number in a paper's PMC id (PMCID:PMC12 → 12), or "" for one that PMC does not hold."""
    return next(
        (id.removeprefix("PMCID:PMC") for id in paper.ids if id.startswith("PMCID:PMC")), ""
    )


MOST = 9_999  # records that one search hands out
BATCH = 200
FULL_TEXTS = 10  # full texts a request
LONGEST_ADDRESS = 1500  # characters of a query that still go into an address
CHECKED = 200  # ids looked up a request
BYTES = 60_000_000
LASTING = 5  # unreadable records one after another
RENEWALS = 3  # times that a forgotten search is made again
_FORGOTTEN = re.compile(
    r"unable to obtain query|web ?env|query_?key|query #?\d|history|answered 400", re.I
)


@dataclass(frozen=True, slots=True)
class SearchHistory:
    """A search kept on the history server. `translation` is what PubMed made of the query;
    `parameters` is what it was asked (term, kind, first and last day, path), so that it can be
    asked again when the server has forgotten it.
    """

    count: int
    web_env: str
    key: str
    translation: str = ""
    warnings: tuple[str, ...] = ()
    parameters: tuple[str, str, str, str, str] = ("", "", "", "", "")


class ExpiredSearch(BadAnswer):
    """The history server no longer knows a search: it keeps them for hours only."""


@dataclass(slots=True)
class PubMed:
    """PubMed as one source. `fetcher` keeps NCBI's rules and records; `base` ends in …/eutils."""

    fetcher: Fetcher
    base: str
    today: date
    problems: list[Problem] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    without_text: set[str] = field(
        default_factory=set
    )  # papers of PMC whose full text it does not give
    total: int = 0  # records found so far
    failed: int = 0  # records one after another that did not come whole

    def search(  # noqa: PLR0917
        self,
        term: str,
        kind: str = "",
        since: str = "",
        until: str = "",
        path: str = "",
        *,
        fresh: bool = False,
    ) -> SearchHistory:
        """Keep a search on the history server; `fresh` takes no answer of an earlier run. Raises
        InputError when PubMed finds the query wrong.
        """
        params = [
            ("db", "pubmed"),
            ("term", term),
            ("usehistory", "y"),
            ("retmax", "0"),
            ("retmode", "json"),
        ]
        if kind:
            params += [("datetype", kind), ("mindate", since), ("maxdate", until)]
        long = len(term) > LONGEST_ADDRESS
        sending = {"method": "POST", "data": tuple(params)} if long else {"params": tuple(params)}
        request = Fetch(f"{self.base}/esearch.fcgi", kind="ncbi", path=path, fresh=fresh, **sending)
        answer = self.fetcher.fetch(request)
        try:
            search_result = json.loads(answer.text, strict=False)["esearchresult"]
            if "ERROR" in search_result:
                raise InputError(
                    f"PubMed refused the query: {str(search_result['ERROR'])[:200]}",
                    "Check its terms and fields.",
                )
            lists = search_result.get("errorlist") or {}
            warnings = tuple(
                str(w)
                for name in ("phrasesnotfound", "fieldsnotfound")
                for w in lists.get(name, ())
            )
            return SearchHistory(
                int(search_result["count"]),
                str(search_result.get("webenv", "")),
                str(search_result.get("querykey", "1")),
                translation=str(search_result.get("querytranslation", "")),
                warnings=warnings,
                parameters=(term, kind, since, until, path),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadAnswer(
                "PubMed's answer to a search cannot be read.", "Try again in a minute."
            ) from error

    def histories(
        self, term: str, kind: str, since: date, until: date, *, path: str = "s"
    ) -> Iterator[SearchHistory]:
        """Searches that together hand out every record between two days, both in."""
        match = self.search(term, kind, day_for_ncbi(since), until=day_for_ncbi(until), path=path)
        self.total += match.count
        yield from self._parts(match, since, until)

    def _parts(self, history: SearchHistory, since: date, until: date) -> Iterator[SearchHistory]:
        """A search, or those of the halves of its days, until each hands out all that it finds. The
        papers of one day are cut by the day of their entry.
        """
        term, kind, _, _, path = history.parameters
        if history.count <= MOST:
            if history.count:
                yield history
            return
        if since < until:
            middle = since + (until - since) // 2
            days = [(since, middle), (middle + timedelta(days=1), until)]
        elif kind == "pdat":
            term, kind = f"({term}) AND {day_for_ncbi(since)}[pdat]", "edat"
            days = [(FIRST_DAY, self.today + timedelta(days=1))]
        else:
            message = (
                f"On {day_for_ncbi(since)} PubMed has {history.count:,} records; the first"
                f" {MOST:,} are read."
            )
            self.problems.append(
                Problem("too-many-a-day", message, Severity.WARNING, hint="Narrow the query.")
            )
            yield replace(history, count=MOST)
            return
        halves = [
            self.search(term, kind, day_for_ncbi(a), until=day_for_ncbi(b), path=f"{path}.{n}")
            for n, (a, b) in enumerate(days)
        ]
        if len(halves) > 1 and all(half.count == history.count for half in halves):
            raise BadAnswer(
                "PubMed finds the same number of records for every range of dates.",
                "Narrow the query.",
            )
        for half, (first_day, last_day) in zip(halves, days, strict=True):
            yield from self._parts(half, first_day, last_day)

    def papers(self, history: SearchHistory, path: str = "f") -> Iterator[Paper]:
        """The records of a search, in its order. A search that the server has forgotten (a run
        resumed later) is made again, and read on from where it was, or from its beginning when it
        finds another number of records now.
        """
        start, renewals = 0, 0
        while start < history.count:
            size = min(BATCH, history.count - start)
            try:
                batch_papers = self._batch(history, start, size, f"{path}.{start}")
            except ExpiredSearch:
                renewals += 1
                if renewals > RENEWALS:
                    raise
                again = self._renewed(history)
                start, history = (start if again.count == history.count else 0), again
                continue
            yield from batch_papers
            start += BATCH

    def _renewed(self, history: SearchHistory) -> SearchHistory:
        term, kind, since, until, path = history.parameters
        match = self.search(term, kind, since, until=until, path=f"{path}.again", fresh=True)
        return replace(match, count=min(match.count, MOST), parameters=history.parameters)

    def _batch(self, history: SearchHistory, start: int, size: int, path: str) -> list[Paper]:
        params = (
            ("db", "pubmed"),
            ("WebEnv", history.web_env),
            ("query_key", history.key),
            ("retstart", str(start)),
            ("retmax", str(size)),
            ("retmode", "xml"),
        )
        request = Fetch(
            f"{self.base}/efetch.fcgi",
            params=params,
            kind="ncbi",
            path=path,
            max_bytes=BYTES,
            timeout=120,
        )
        try:
            return self._papers_of_xml(self.fetcher.fetch(request).text, size)
        except ExpiredSearch:
            raise
        except RemoteError as error:
            if _forgotten(error):
                raise ExpiredSearch(
                    "PubMed no longer knows this search.", "Update the namespace again."
                ) from error
            if not isinstance(error, BadAnswer):
                raise
            if size == 1:
                self._unreadable(
                    error, Problem("record-unreadable", error.message, where=f"record {start + 1}")
                )
                return []
            half = size // 2
            first_half = self._batch(history, start, half, f"{path}.0")
            return first_half + self._batch(history, start + half, size - half, f"{path}.1")

    def _unreadable(self, error: RemoteError | InputError, problem: Problem) -> None:
        """Note a record that does not come whole; when one after another does not, it is the
        server: raise.
        """
        self.problems.append(problem)
        self.failed += isinstance(error, BadAnswer)
        if self.failed >= LASTING:
            raise BadAnswer(
                f"{error.message} This happens with every record.", "Update again later."
            ) from error

    def _papers_of_xml(self, text: str, size: int) -> list[Paper]:
        try:
            root, cut = parse_xml(text)
        except InputError as error:
            raise BadAnswer("PubMed sent records that are not XML.") from error
        if cut:
            raise BadAnswer("PubMed's answer was cut off.", "Try again in a minute.")
        if (error_element := root.find(".//ERROR")) is not None:
            refusal = RemoteError(
                f"PubMed says: {' '.join((error_element.text or '').split())[:200]}.",
                "Try again later.",
            )
            raise ExpiredSearch(refusal.message) if _forgotten(refusal) else refusal
        self.failed = 0
        self.deleted += pubmed_xml.deleted(root)
        papers = list(pubmed_xml.papers(root))
        if len(papers) < size:
            message = f"{size - len(papers)} of {size} records were not sent or have no PMID."
            self.problems.append(Problem("records-missing", message, Severity.NOTE))
        return papers

    def existing(self, pmids: Sequence[str]) -> set[str]:
        """Which of these PMIDs PubMed still has."""
        standing: set[str] = set()
        for start in range(0, len(pmids), CHECKED):
            pmids_together = pmids[start : start + CHECKED]
            params = (
                ("db", "pubmed"),
                ("term", " OR ".join(f"{pmid}[uid]" for pmid in pmids_together)),
                ("retmax", str(len(pmids_together))),
                ("retmode", "json"),
            )
            answer = self.fetcher.fetch(
                Fetch(
                    f"{self.base}/esearch.fcgi",
                    "POST",
                    data=params,
                    kind="ncbi",
                    path=f"known.{start}",
                )
            )
            try:
                search_result = json.loads(answer.text, strict=False)["esearchresult"]
                if "ERROR" in search_result:
                    raise BadAnswer(
                        "PubMed did not say which records it still has.", "Try again in a minute."
                    )
                standing |= set(search_result["idlist"])
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise BadAnswer("PubMed's answer about known records cannot be read.") from error
        return standing

    def full_texts(self, papers: Iterable[Paper]) -> Iterator[Paper]:
        """The papers again, with their PMC full text where PMC gives it."""
        waiting: list[Paper] = []
        for paper in papers:
            waiting.append(paper)
            if sum(1 for paper in waiting if pmc_number(paper)) >= FULL_TEXTS:
                yield from self._with_bodies(waiting)
                waiting = []
        yield from self._with_bodies(waiting)

    def _with_bodies(self, papers: Sequence[Paper]) -> Iterator[Paper]:
        ids = [pmc for paper in papers if (pmc := pmc_number(paper))]
        bodies: dict[str, Paper] = {}
        if ids:
            for body in self.pmc_articles(ids):
                for id in body.ids:
                    if id.startswith("PMCID:") and body.kind == FULL_TEXT:
                        bodies[id.removeprefix("PMCID:PMC")] = body
        for paper in papers:
            full = bodies.get(pmc_number(paper))
            if full is None and pmc_number(paper):
                self.without_text.add(paper.id)
            yield merge_full_text(paper, full) if full else paper

    def pmc_articles(self, ids: Sequence[str]) -> list[Paper]:
        """What PMC gives of these; an answer that cannot be read is asked for in halves."""
        params = (("db", "pmc"), ("id", ",".join(ids)), ("retmode", "xml"))
        request = Fetch(
            f"{self.base}/efetch.fcgi",
            params=params,
            kind="ncbi",
            path=f"pmc.{ids[0]}",
            max_bytes=BYTES,
            timeout=180,
        )
        try:
            root, cut = parse_xml(self.fetcher.fetch(request).text)
            if cut:
                raise BadAnswer("PMC's answer was cut off.")
        except (Unreachable, RateLimited, Unauthorised):
            raise
        except (RemoteError, InputError) as error:
            if len(ids) == 1:
                self._unreadable(
                    error,
                    Problem("full-text-unreadable", error.message, where=f"PMCID:PMC{ids[0]}"),
                )
                return []
            half = len(ids) // 2
            return self.pmc_articles(ids[:half]) + self.pmc_articles(ids[half:])
        self.failed = 0
        return list(jats.papers(root))


def _forgotten(error: RemoteError) -> bool:
    return bool(_FORGOTTEN.search(error.message))


def day_for_ncbi(day: date) -> str:
    """YYYY/MM/DD with four digits of the year, as the E-utilities want it."""
    return day.strftime("%Y/%m/%d").zfill(10)
