"""PubTator 3: the id of an entity by its name, the papers that name it, and what a paper's abstract
names (https://www.ncbi.nlm.nih.gov/research/pubtator3/api).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field, model_validator

from core.apis.agent import Api, ApiExample, Interpretation, Parameters
from core.apis.json_records import ApiRecord, list_hits, list_items, record_hit
from core.model import Json
from core.web import Fetch, Fetched

BASE = "https://www.ncbi.nlm.nih.gov/research/pubtator3-api"
ENTITY = {
    "name": "/name",
    "id": "/_id",
    "type": "/biotype",
    "database": "/db",
    "identifier": "/db_id",
}
PAPER = {"title": "/title", "pmid": "/pmid", "journal": "/journal", "date": "/date", "doi": "/doi"}
NAMED = {
    "words": "/text",
    "name": "/infons/name",
    "type": "/infons/type",
    "identifier": "/infons/identifier",
    "accession": "/infons/accession",
}
PMIDS = r"\d{1,8}(?:\s*,\s*\d{1,8}){0,19}"


class PubtatorQuery(Parameters):
    query: str = Field(
        description=(
            "the name of a gene, disease, chemical, species or variant; for annotations PMIDs, with"
            " commas"
        ),
        min_length=2,
        max_length=200,
    )
    what: Literal["entities", "papers", "annotations"] = Field(
        "entities",
        description=(
            "entities: ids that the name may mean; papers: papers that name it; annotations: what"
            " the abstracts of these PMIDs name"
        ),
    )
    concept: Literal["", "gene", "disease", "chemical", "species", "variant"] = Field(
        "", description="what kind of entity"
    )

    @model_validator(mode="after")
    def fits(self) -> PubtatorQuery:
        if self.what == "annotations" and not re.fullmatch(PMIDS, self.query):
            raise ValueError("for annotations query must be PMIDs, at most 20, with commas between")
        return self


def first_request(pubtator_query: PubtatorQuery) -> Fetch:
    if pubtator_query.what == "annotations":
        pmids = ",".join(re.findall(r"\d+", pubtator_query.query))
        return Fetch(f"{BASE}/publications/export/biocjson", params=(("pmids", pmids),))
    extra = (("concept", pubtator_query.concept),) if pubtator_query.concept else ()
    return Fetch(
        f"{BASE}/entity/autocomplete/",
        params=(("query", pubtator_query.query), *extra, ("limit", "10")),
    )


def second_request(pubtator_query: PubtatorQuery, answer: Fetched) -> Fetch | None:
    """Papers of the likeliest entity; of the words themselves where no entity has that name."""
    if pubtator_query.what != "papers":
        return None
    entities = list_hits(list_items(answer, "", "PubTator 3"), "", ENTITY, "id")
    text = entities[0].fields.get("id", pubtator_query.query) if entities else pubtator_query.query
    return Fetch(f"{BASE}/search/", params=(("text", text), ("page", "1")))


def interpret(pubtator_query: PubtatorQuery, answers: Sequence[Fetched]) -> Interpretation:
    if pubtator_query.what == "annotations":
        return Interpretation(_annotations(answers[0]), "words")
    if pubtator_query.what == "papers":
        papers = list_hits(
            list_items(answers[-1], "/results", "PubTator 3"),
            "/results",
            PAPER,
            "pmid",
            prefix="PMID",
        )
        return Interpretation(
            papers, "pmid", f"the first {len(papers)} papers, most relevant first"
        )
    return Interpretation(
        list_hits(list_items(answers[0], "", "PubTator 3"), "", ENTITY, "id"), "name"
    )


def _annotations(answer: Fetched) -> tuple[ApiRecord, ...]:
    """Each thing named, once, at its first mention."""
    api_records: dict[tuple[str, str], ApiRecord] = {}
    for n, paper in enumerate(list_items(answer, "/PubTator3", "PubTator 3")):
        for m, passage in enumerate(_list(paper, "passages")):
            for k, annotation in enumerate(_list(passage, "annotations")):
                if isinstance(annotation, Mapping):
                    record = record_hit(
                        annotation,
                        f"/PubTator3/{n}/passages/{m}/annotations/{k}",
                        NAMED,
                        "accession",
                    )
                    key = record.fields.get("identifier", ""), record.fields.get("type", record.id)
                    api_records.setdefault(key, record)
    return tuple(api_records.values())


def _list(item: Json, name: str) -> Sequence[Json]:
    items = item.get(name) if isinstance(item, Mapping) else None
    return items if isinstance(items, list) else []


def guess(question: str) -> Mapping[str, Json] | None:
    if match := re.search(rf"\bPMIDs?:?\s*({PMIDS})", question, re.I):
        return {"query": match[1], "what": "annotations"}
    papers = re.search(r"\b(?:papers?|articles?|publications?)\b", question, re.I)
    match = re.search(
        r"\b(?:on|about|of|for|mention(?:ing)?|name)\s+([\w -]{2,60}?)[?.]*$", question
    )
    return {"query": match[1], "what": "papers" if papers else "entities"} if match else None


API = Api(
    "pubtator",
    "PubTator 3",
    "Entities named in papers, and the papers that name them",
    base=BASE,
    parameters=PubtatorQuery,
    first=first_request,
    interpret=interpret,
    second=second_request,
    guess=guess,
    kind="ncbi",
    documentation=(
        "GET /entity/autocomplete/?query=…&concept=… gives ids such as @GENE_BRAF; GET"
        " /search/?text=@GENE_BRAF gives papers, most relevant first; GET"
        " /publications/export/biocjson?pmids=… gives what their abstracts name."
    ),
    examples=(
        ApiExample(
            "Find papers about BRAF", {"query": "BRAF", "concept": "gene", "what": "papers"}
        ),
        ApiExample(
            "Which id has the disease Meesmann corneal dystrophy?",
            {"query": "Meesmann corneal dystrophy"},
        ),
        ApiExample("What does PMID 29355051 name?", {"query": "29355051", "what": "annotations"}),
    ),
)
