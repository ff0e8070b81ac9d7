"""PubTator 3: the id of an entity by its name, then the papers that name it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from core.apis.agent import Api, Example, Interpretation, Parameters, body, hits
from core.model import Json
from core.web import Fetch, Fetched

BASE = "https://www.ncbi.nlm.nih.gov/research/pubtator3-api"
ENTITY = {"name": "/name", "id": "/_id", "type": "/biotype", "database": "/db", "identifier": "/db_id"}
PAPER = {"title": "/title", "pmid": "/pmid", "journal": "/journal", "date": "/date"}


class Query(Parameters):
    query: str = Field(description="the name of a gene, disease, chemical or variant", min_length=2, max_length=100)
    concept: Literal["", "gene", "disease", "chemical", "species", "variant"] = Field(
        "", description="what kind of entity"
    )
    papers: bool = Field(False, description="whether papers that name the entity are wanted")


def first(given: Query) -> Fetch:
    extra = (("concept", given.concept),) if given.concept else ()
    return Fetch(f"{BASE}/entity/autocomplete/", params=(("query", given.query), *extra, ("limit", "10")))


def second(given: Query, answer: Fetched) -> Fetch | None:
    found = body(answer, "PubTator 3")
    if not given.papers or not isinstance(found, list) or not found:
        return None
    return Fetch(f"{BASE}/search/", params=(("text", str(found[0].get("_id", ""))), ("page", "1")))


def interpret(given: Query, answers: Sequence[Fetched]) -> Interpretation:
    if len(answers) == 2:
        found = hits(body(answers[1], "PubTator 3").get("results") or [], "/results", PAPER, "pmid", "PMID")
        return Interpretation(tuple(one.id for one in found), found, "pmid")
    read = body(answers[0], "PubTator 3")
    found = hits(read if isinstance(read, list) else [], "", ENTITY, "id")
    return Interpretation(tuple(one.fields.get("name", "") for one in found), found, "name")


def guess(question: str) -> Mapping[str, Json] | None:
    papers = bool(re.search(r"\bpapers?|articles?|publications?\b", question, re.I))
    found = re.search(r"\b(?:on|about|of|mention(?:ing)?|name)\s+([\w -]{2,60}?)[?.]*$", question)
    return {"query": found[1], "papers": papers} if found else None


API = Api(
    "pubtator",
    "PubTator 3",
    "Entities named in papers, and the papers that name them",
    BASE,
    Query,
    first,
    interpret,
    second=second,
    guess=guess,
    kind="ncbi",
    documentation="GET /entity/autocomplete/?query=…&concept=… gives ids such as @GENE_BRAF; "
    "GET /search/?text=@GENE_BRAF gives papers.",
    examples=(Example("Find papers about BRAF", {"query": "BRAF", "concept": "gene", "papers": True}),),
)
