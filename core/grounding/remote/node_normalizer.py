"""Node Normalizer (NCATS Translator): the same thing in other vocabularies, by id. SPIRES uses it
to bring CHEBI, DrugBank and MedDRA to MeSH (Caufield et al. 2024, §3.5).
"""

from __future__ import annotations

from collections.abc import Iterator

from core.grounding.remote.service import RemoteService, candidate, list_of_objects
from core.model import Candidate, Json
from core.web import Fetch


def ask(words: str, vocabulary: str, base: str, token: str) -> Fetch:
    params = (("curie", words.strip()), ("conflate", "true"))
    return Fetch(f"{base}/get_normalized_nodes", params=params, kind="vocabulary")


def read(answer: Json) -> Iterator[Candidate]:
    """{curie: {"equivalent_identifiers": [{identifier, label}]}}"""
    for node in answer.values() if isinstance(answer, dict) else ():
        for row in list_of_objects(node, "equivalent_identifiers"):
            yield from candidate(row.get("identifier"), row.get("label"), "same thing", score=1.0)


SERVICE = RemoteService(
    "node-normalizer",
    "Node Normalizer",
    "https://nodenormalization-sri.renci.org",
    ask=ask,
    read=read,
    takes="an id such as CHEBI:15365",
    documentation="https://nodenormalization-sri.renci.org/docs",
)
