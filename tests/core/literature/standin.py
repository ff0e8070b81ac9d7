"""A PubMed of a few made-up records, behind the Fetcher protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date

from core.web import Fetch, Fetched

MOST = 9_999  # records that a search hands out


def paper_xml(pmid: int, day: date, title: str = "", flags: str = "", abstract: str = "") -> str:
    notes = f"<CommentsCorrectionsList>{flags}</CommentsCorrectionsList>" if flags else ""
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><Journal><JournalIssue><PubDate>"
        f"<Year>{day.year}</Year></PubDate></JournalIssue></Journal>"
        f"<ArticleTitle>{title or f'Paper {pmid}'}</ArticleTitle>"
        "<Abstract><AbstractText>"
        f"{abstract or f'Tau was seen in sample {pmid}.'}</AbstractText></Abstract></Article>"
        f"{notes}</MedlineCitation><PubmedData>"
        "<ArticleIdList><ArticleId"
        f' IdType="pmc">PMC{pmid}</ArticleId></ArticleIdList></PubmedData></PubmedArticle>'
    )


def _day(text: str) -> date:
    return date(*map(int, text.split("/")))


def _known(entrez: Entrez, parameters: dict[str, str]) -> list[int]:
    return [int(id) for id in parameters["id"].split(",") if int(id) in entrez.days]


class Entrez:
    """`days`: PMID → its date. Searches find all records of their dates; `cut_above` cuts larger
    batches.
    """

    def __init__(
        self,
        days: Mapping[int, date],
        *,
        cut_above: int = 10**9,
        error: str = "",
        garbage: str = "",
        full_text: frozenset[str] | set[str] = frozenset(),
    ):
        self.days, self.cut_above, self.error, self.garbage = dict(days), cut_above, error, garbage
        self.full_text = full_text
        self.records: dict[int, str] = {}
        self.changed: dict[int, date] = {}
        self.entered: dict[int, date] = {}
        self.dois: dict[tuple[str, str], list[int]] = {}  # (database, DOI) → its numbers
        self.asked: list[Fetch] = []
        self._kept: dict[str, list[int]] = {}
        self._forgotten = 0

    def fetch(self, request: Fetch) -> Fetched:
        self.asked.append(request)
        if self.garbage:
            return Fetched(200, self.garbage)
        parameters = dict(request.params) | (
            dict(request.data) if isinstance(request.data, tuple) else {}
        )
        parameters = {"datetype": "pdat"} | parameters
        if "esearch" in request.url:
            return Fetched(200, self._search(parameters))
        if parameters["db"] == "pmc":
            return Fetched(200, self._pmc(parameters))
        if "id" in parameters:
            records = (
                self.records.get(n) or paper_xml(n, self.days[n]) for n in _known(self, parameters)
            )
            return Fetched(200, f"<PubmedArticleSet>{''.join(records)}</PubmedArticleSet>")
        if parameters["WebEnv"] not in self._kept:
            return Fetched(
                200, "<eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>"
            )
        return Fetched(200, self._records(parameters))

    def forget(self) -> None:
        """Lose every search, as the history server does after some hours."""
        self._kept = {}
        self._forgotten += 100  # names are never given twice

    def _search(self, parameters: dict[str, str]) -> str:
        if self.error:
            return json.dumps({"esearchresult": {"ERROR": self.error}})
        numbers = sorted(self.days)
        if parameters["term"].endswith("[doi]"):
            listed = self.dois.get((parameters["db"], parameters["term"].removesuffix("[doi]")), [])
            return json.dumps({"esearchresult": {"idlist": [str(n) for n in listed]}})
        if "[uid]" in parameters["term"]:
            asked = {int(n) for n in re.findall(r"(\d+)\[uid\]", parameters["term"])}
            numbers = [n for n in numbers if n in asked]
        elif parameters.get("mindate"):
            days = {"mdat": self.changed, "edat": self.entered or self.days}.get(
                parameters["datetype"], self.days
            )
            first, last = (_day(parameters[name]) for name in ("mindate", "maxdate"))
            numbers = [n for n in numbers if n in days and first <= days[n] <= last]
        for first, last in re.findall(r"([\d/]{10})(?::([\d/]{10}))?\[pdat\]", parameters["term"]):
            numbers = [n for n in numbers if _day(first) <= self.days[n] <= _day(last or first)]
        name = f"MCID_{self._forgotten + len(self._kept)}"
        self._kept[name] = numbers
        answer = {
            "count": str(len(numbers)),
            "webenv": name,
            "querykey": "1",
            "idlist": [str(n) for n in numbers],
        }
        return json.dumps({"esearchresult": answer})

    def _records(self, parameters: dict[str, str]) -> str:
        start, size = int(parameters["retstart"]), int(parameters["retmax"])
        if start + size > MOST:
            return (
                "<eFetchResult><ERROR>Search Backend failed: retstart is too"
                " large</ERROR></eFetchResult>"
            )
        numbers = self._kept[parameters["WebEnv"]][start : start + size]
        text = "<PubmedArticleSet>" + "".join(
            self.records.get(n) or paper_xml(n, self.days[n]) for n in numbers
        )
        return text[: len(text) // 2] if size > self.cut_above else text + "</PubmedArticleSet>"

    def _pmc(self, parameters: dict[str, str]) -> str:
        bodies = [
            "<article><front><article-meta><article-id"
            f" pub-id-type='pmc'>{id}</article-id></article-meta></front><body>"
            "<sec><title>Results</title><p>All"
            " of it.</p></sec></body></article>"
            for id in (f"PMC{part}" for part in parameters["id"].split(","))
            if id in self.full_text
        ]
        return f"<pmc-articleset>{''.join(bodies)}</pmc-articleset>"
