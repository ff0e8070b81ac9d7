"""EBI's Ontology Lookup Service 4: terms of 270 ontologies by words."""

from __future__ import annotations

from collections.abc import Iterator

from core.grounding.remote.service import MOST, RemoteService, candidate, list_of_objects
from core.model import Candidate, Json
from core.web import Fetch


def ask(words: str, vocabulary: str, base: str, token: str) -> Fetch:
    within = (("ontology", vocabulary.lower()),) if vocabulary else ()
    params = (("q", words), ("rows", str(MOST)), ("obsoletes", "false"), *within)
    return Fetch(f"{base}/api/search", params=params, kind="vocabulary")


def read(answer: Json) -> Iterator[Candidate]:
    """{"response": {"docs": [{obo_id, label, ontology_name}]}}"""
    for row in list_of_objects(answer, "response", "docs"):
        id = row.get("obo_id") or row.get("iri")
        yield from candidate(id, row.get("label"), str(row.get("ontology_name") or "ols"))


SERVICE = RemoteService(
    "ols", "Ontology Lookup Service", "https://www.ebi.ac.uk/ols4", ask=ask, read=read,
    documentation="https://www.ebi.ac.uk/ols4/help",
)  # fmt: skip
