"""BioPortal, and AgroPortal, which speaks the same: terms of their ontologies by words. Both need a
key.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.grounding.remote.service import MOST, RemoteService, candidate, list_of_objects
from core.model import Candidate, Json
from core.web import Fetch


def ask(words: str, vocabulary: str, base: str, token: str) -> Fetch:
    within = (("ontologies", vocabulary.upper()),) if vocabulary else ()
    params = (("q", words), ("pagesize", str(MOST)), ("include", "prefLabel,synonym"), *within)
    headers = (("Authorization", f"apikey token={token}"),)
    return Fetch(f"{base}/search", params=params, headers=headers, kind="vocabulary")


def read(answer: Json) -> Iterator[Candidate]:
    """{"collection": [{"@id", prefLabel, links: {ontology}}]}"""
    for row in list_of_objects(answer, "collection"):
        links = row.get("links")
        ontology = str(links.get("ontology") or "") if isinstance(links, dict) else ""
        yield from candidate(row.get("@id"), row.get("prefLabel"), ontology.rsplit("/", 1)[-1])


BIOPORTAL = RemoteService(
    "bioportal", "BioPortal", "https://data.bioontology.org", ask=ask, read=read, needs_token=True,
    documentation="https://data.bioontology.org/documentation",
)  # fmt: skip
AGROPORTAL = RemoteService(
    "agroportal", "AgroPortal", "https://data.agroportal.eu", ask=ask, read=read, needs_token=True,
    documentation="https://data.agroportal.eu/documentation",
)  # fmt: skip
