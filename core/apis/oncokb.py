"""OncoKB: what is known of a mutation in cancer. Needs a token (GROUNDWORK_TOKEN_ONCOKB)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pydantic import Field

from core.apis.agent import Api, Example, Interpretation, Parameters, body, hits
from core.model import Json
from core.web import Fetch, Fetched

BASE = "https://www.oncokb.org/api/v1"
FIELDS = {
    "oncogenic": "/oncogenic",
    "effect": "/mutationEffect/knownEffect",
    "sensitive level": "/highestSensitiveLevel",
    "resistance level": "/highestResistanceLevel",
    "gene summary": "/geneSummary",
    "variant summary": "/variantSummary",
    "gene": "/query/entrezGeneId",
}


class Mutation(Parameters):
    gene: str = Field(description="HGNC symbol, such as BRAF", pattern=r"^[A-Za-z0-9-]{1,20}$")
    alteration: str = Field(description="protein change, such as V600E", pattern=r"^[\w*.+ -]{1,60}$")
    tumor: str = Field("", description="OncoTree tumour type, such as Melanoma", max_length=80)


def first(given: Mutation) -> Fetch:
    extra = (("tumorType", given.tumor),) if given.tumor else ()
    said = (("hugoSymbol", given.gene), ("alteration", given.alteration), *extra)
    return Fetch(f"{BASE}/annotate/mutations/byProteinChange", params=said)


def interpret(given: Mutation, answers: Sequence[Fetched]) -> Interpretation:
    found = hits([body(answers[0], "OncoKB")], "", FIELDS, "gene", "NCBIGene")
    return Interpretation(
        tuple(filter(None, [found[0].fields.get("oncogenic", "")])),
        found,
        "oncogenic",
        found[0].fields.get("variant summary", ""),
    )


def guess(question: str) -> Mapping[str, Json] | None:
    found = re.search(r"\b([A-Z][A-Z0-9-]{1,9})\s+(?:p\.)?([A-Z]\d{1,5}(?:[A-Z*]|fs\S*))\b", question)
    if not found:
        return None
    tumor = re.search(r"\bin ([\w -]{3,40}?)[?.]*$", question)
    return {"gene": found[1], "alteration": found[2], "tumor": tumor[1] if tumor else ""}


API = Api(
    "oncokb",
    "OncoKB",
    "Mutations in cancer: oncogenicity, effect, levels of evidence",
    BASE,
    Mutation,
    first,
    interpret,
    guess=guess,
    token="ONCOKB",
    documentation="GET /annotate/mutations/byProteinChange?hugoSymbol=…&alteration=…&tumorType=….",
    examples=(
        Example(
            "What is the oncogenic potential of BRAF V600E in melanoma?",
            {"gene": "BRAF", "alteration": "V600E", "tumor": "Melanoma"},
        ),
    ),
)
