"""bio.tools: software for the life sciences, by words, topic or operation
(https://biotools.readthedocs.io).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pydantic import Field

from core.apis.agent import Api, ApiExample, Interpretation, Parameters
from core.apis.json_records import hits, items, record
from core.model import Json
from core.web import Fetch, Fetched

BASE = "https://bio.tools/api"
FIELDS = {
    "name": "/name",
    "id": "/biotoolsID",
    "description": "/description",
    "homepage": "/homepage",
    "topic": "/topic/0/term",
}


class BiotoolsQuery(Parameters):
    q: str = Field("", description="search words in names and descriptions", max_length=200)
    topic: str = Field("", description="EDAM topic, such as Proteomics", max_length=100)
    operation: str = Field(
        "", description="EDAM operation, such as Sequence alignment", max_length=100
    )
    language: str = Field("", description="programming language", max_length=40)
    page: int = Field(1, description="page of results", ge=1, le=100)


def first(given: BiotoolsQuery) -> Fetch:
    said = [(name, str(value)) for name, value in given.model_dump().items() if value]
    return Fetch(f"{BASE}/t/", params=(*said, ("format", "json")))


def interpret(given: BiotoolsQuery, answers: Sequence[Fetched]) -> Interpretation:
    found = hits(items(answers[0], "/list", "bio.tools"), "/list", FIELDS, "id", "biotools")
    count = record(answers[0], "bio.tools").get("count", len(found))
    return Interpretation(found, "name", f"{count} tools in all; {len(found)} shown")


def guess(question: str) -> Mapping[str, Json] | None:
    found = re.search(
        r"\b(?:tools?|software|programs?)\b(?: \w+){0,4}? (?:for|to|that) (.+?)[?.]*$",
        question,
        re.I,
    )
    return {"q": found[1][:200]} if found else None


API = Api(
    "biotools",
    "bio.tools",
    "Software for the life sciences",
    BASE,
    BiotoolsQuery,
    first,
    interpret,
    guess=guess,
    documentation="GET /t/?q=…&topic=…&operation=…&language=…: tools that match all that is given.",
    examples=(
        ApiExample("Which tools are there for variant calling?", {"operation": "Variant calling"}),
    ),
)
