"""Gilda's web service: biomedical entities by words, with scores (Gyori et al. 2022)."""

from __future__ import annotations

from collections.abc import Iterator

from core.grounding.remote.service import MOST, RemoteService, candidate
from core.model import Candidate, Json
from core.web import Fetch


def ask(words: str, vocabulary: str, base: str, token: str) -> Fetch:
    body = {"text": words} | ({"namespaces": [vocabulary.upper()]} if vocabulary else {})
    return Fetch(f"{base}/ground", "POST", data=body, kind="vocabulary")


def read(answer: Json) -> Iterator[Candidate]:
    """[{"term": {db, id, entry_name}, "score"}]"""
    for row in answer[:MOST] if isinstance(answer, list) else ():
        term = row.get("term") if isinstance(row, dict) else None
        if isinstance(term, dict):
            db, id = str(term.get("db") or ""), str(term.get("id") or "")
            curie_or_id = id if ":" in id else f"{db}:{id}"
            yield from candidate(curie_or_id, term.get("entry_name"), db, score=row.get("score"))


SERVICE = RemoteService(
    "gilda", "Gilda", "https://grounding.indra.bio", ask=ask, read=read,
    documentation="https://grounding.indra.bio/apidocs",
)  # fmt: skip
