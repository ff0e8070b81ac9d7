"""MyGene.info: genes by symbol, name or id, from many sources (https://docs.mygene.info)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from core.apis.agent import Api, ApiExample, Interpretation, Parameters
from core.apis.json_records import list_hits, list_items
from core.model import Json
from core.web import Fetch, Fetched

BASE = "https://mygene.info/v3"
FIELDS = {
    "symbol": "/symbol",
    "name": "/name",
    "gene": "/entrezgene",
    "ensembl": "/ensembl/gene",
    "type": "/type_of_gene",
    "alias": "/alias",
    "taxid": "/taxid",
}


class MygeneQuery(Parameters):
    q: str = Field(
        description=(
            "search words: a symbol, a name, or a field such as ensembl.gene:ENSG00000141510"
        ),
        max_length=200,
        min_length=1,
    )
    species: Literal["human", "mouse", "rat", "zebrafish", "fruitfly", "nematode", "all"] = Field(
        "human", description="whose genes"
    )
    size: int = Field(10, description="at most this many genes", ge=1, le=50)


def first(mygene_query: MygeneQuery) -> Fetch:
    """The request that a call begins with: one search, with all the fields of an answer."""
    fields = ",".join(pointer[1:].replace("/", ".") for pointer in FIELDS.values())
    return Fetch(
        f"{BASE}/query",
        params=(
            ("q", mygene_query.q),
            ("species", mygene_query.species),
            ("size", str(mygene_query.size)),
            ("fields", fields),
        ),
    )


def interpret(mygene_query: MygeneQuery, answers: Sequence[Fetched]) -> Interpretation:
    return Interpretation(
        list_hits(
            list_items(answers[0], "/hits", "MyGene.info"),
            "/hits",
            FIELDS,
            "gene",
            prefix="NCBIGene",
        ),
        "symbol",
    )


def guess(question: str) -> Mapping[str, Json] | None:
    if match := re.search(r"ENSG\d{11}", question):
        return {"q": f"ensembl.gene:{match[0]}"}
    words = [
        word
        for word in re.findall(r"[A-Za-z0-9-]+", question)
        if re.search(r"\d|^[A-Z]{2,}$", word)
    ]
    return {"q": words[0]} if len(words) == 1 else None


API = Api(
    "mygene",
    "MyGene.info",
    "Genes by symbol, name or id",
    base=BASE,
    parameters=MygeneQuery,
    first=first,
    interpret=interpret,
    guess=guess,
    documentation=(
        "GET /query?q=…: q is a symbol, a name in quotes, or field:value (symbol, alias,"
        " ensembl.gene, uniprot, go, entrezgene)."
    ),
    examples=(
        ApiExample("Which gene is ENSG00000141510?", {"q": "ensembl.gene:ENSG00000141510"}),
        ApiExample("Find the gene TP53", {"q": "symbol:TP53"}),
    ),
)
