"""Ensembl REST look-ups: a gene by symbol or stable id, with its place (1-based, inclusive) and assembly."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pydantic import Field

from core.apis.agent import Api, Example, Interpretation, Parameters, body, hits, safe
from core.model import Json
from core.web import Fetch, Fetched

BASE = "https://rest.ensembl.org"
NAMES = ("display_name", "id", "biotype", "seq_region_name", "start", "end", "strand", "assembly_name", "description")
FIELDS = {name: f"/{name}" for name in NAMES}


class Lookup(Parameters):
    name: str = Field(description="a gene symbol (BRCA2) or a stable id (ENSG00000139618)", pattern=r"^[\w.-]{1,40}$")
    species: str = Field("homo_sapiens", description="species, as in homo_sapiens", pattern=r"^[a-z]+_[a-z_]+$")


def first(given: Lookup) -> Fetch:
    where = (
        f"id/{safe(given.name)}"
        if re.match(r"ENS[A-Z]*\d{11}", given.name)
        else f"symbol/{safe(given.species)}/{safe(given.name)}"
    )
    return Fetch(f"{BASE}/lookup/{where}", params=(("content-type", "application/json"),))


def interpret(given: Lookup, answers: Sequence[Fetched]) -> Interpretation:
    found = hits([body(answers[0], "Ensembl")], "", FIELDS, "id", "ENSEMBL")
    one = found[0]
    assembly, region, start, end = (
        one.fields.get(name, "") for name in ("assembly_name", "seq_region_name", "start", "end")
    )
    place = f"{assembly} {region}:{start}-{end}"
    return Interpretation(
        (one.fields.get("display_name") or one.fields.get("id", ""),), found, "display_name", f"{place} (1-based)"
    )


def guess(question: str) -> Mapping[str, Json] | None:
    found = re.findall(r"ENS[A-Z]*\d{11}|\b[A-Z][A-Z0-9-]{1,14}\b", question)
    return {"name": found[0]} if len(found) == 1 else None


API = Api(
    "ensembl",
    "Ensembl REST",
    "A gene's id, type and place by symbol or stable id",
    BASE,
    Lookup,
    first,
    interpret,
    guess=guess,
    documentation="GET /lookup/symbol/:species/:symbol and GET /lookup/id/:id.",
    examples=(
        Example("Where is BRCA2 in Ensembl?", {"name": "BRCA2"}),
        Example("What is ENSG00000139618?", {"name": "ENSG00000139618"}),
    ),
)
