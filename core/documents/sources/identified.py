"""Papers by their identifiers: PMIDs a hundred at a time from PubMed, PMC's articles by theirs, and
DOIs by way of PubMed or, where it does not have them, of PMC.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.documents.paper import Paper
from core.documents.readers import pubmed_xml
from core.documents.readers.xml import parse_xml
from core.documents.sources.pubmed import BYTES, FULL_TEXTS, PubMed
from core.errors import BadAnswer, InputError
from core.web import Fetch

TOGETHER = 100  # PMIDs in one request


@dataclass(slots=True)
class IdentifiedPapers:
    """Papers that identifiers name, as `source` gives them. `missing`: identifiers that neither
    PubMed nor PMC has.
    """

    source: PubMed
    missing: list[str] = field(default_factory=list)

    def papers(self, curies: Sequence[str], full_text: bool = True) -> Iterator[Paper]:
        """The papers of CURIEs (PMID:…, PMCID:PMC…, DOI:…), those of PubMed first; with `full_text`
        as PMC gives it.
        """
        pmids = dict.fromkeys(_local(id) for id in curies if id.startswith("PMID:"))
        pmcs = dict.fromkeys(_local(id)[3:] for id in curies if id.startswith("PMCID:"))
        for id in curies:
            if id.startswith("DOI:"):
                if number := self._number("pubmed", id):
                    pmids[number] = None
                elif number := self._number("pmc", id):
                    pmcs[number] = None
                else:
                    self.missing.append(id)
        records = self._of_pubmed(list(pmids))
        yield from self.source.full_texts(records) if full_text else records
        yield from self._of_pmc(list(pmcs))

    def _number(self, database: str, doi: str) -> str:
        """The number of a DOI's paper in a database; "" where it has none, or several."""
        term = f"{_local(doi).rstrip('.,;')}[doi]"
        params = (("db", database), ("term", term), ("retmode", "json"))
        answer = self._ask("esearch", params, f"{database}.{doi}")
        try:
            listed = [str(number) for number in json.loads(answer)["esearchresult"]["idlist"]]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise BadAnswer("NCBI's answer about a DOI cannot be read.") from error
        return listed[0] if len(listed) == 1 and re.fullmatch(r"[0-9]{1,9}", listed[0]) else ""

    def _of_pubmed(self, pmids: Sequence[str]) -> Iterator[Paper]:
        for start in range(0, len(pmids), TOGETHER):
            pmids_together = pmids[start : start + TOGETHER]
            params = (("db", "pubmed"), ("id", ",".join(pmids_together)), ("retmode", "xml"))
            try:
                root, cut = parse_xml(self._ask("efetch", params, f"pubmed.{pmids_together[0]}"))
            except InputError as error:
                raise BadAnswer("PubMed sent records that are not XML.") from error
            if cut:
                raise BadAnswer("PubMed's answer was cut off.", "Try again in a minute.")
            papers = list(pubmed_xml.papers(root))
            yield from papers
            received_ids = {id for paper in papers for id in paper.ids}
            self.missing += [
                f"PMID:{pmid}" for pmid in pmids_together if f"PMID:{pmid}" not in received_ids
            ]

    def _of_pmc(self, numbers: Sequence[str]) -> Iterator[Paper]:
        for start in range(0, len(numbers), FULL_TEXTS):
            numbers_together = numbers[start : start + FULL_TEXTS]
            papers = [
                paper for paper in self.source.pmc_articles(numbers_together) if not paper.empty
            ]
            yield from papers
            received_ids = {id for paper in papers for id in paper.ids}
            self.missing += [
                f"PMCID:PMC{n}" for n in numbers_together if f"PMCID:PMC{n}" not in received_ids
            ]

    def _ask(self, tool: str, params: tuple[tuple[str, str], ...], path: str) -> str:
        url = f"{self.source.base}/{tool}.fcgi"
        request = Fetch(url, params=params, kind="ncbi", path=path, max_bytes=BYTES, timeout=120)
        return self.source.fetcher.fetch(request).text


def _local(curie: str) -> str:
    return curie.partition(":")[2]
