"""OncoKB: what is known of a gene or a mutation in cancer. Needs a token
(GROUNDWORK_TOKEN_ONCOKB).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pydantic import Field

from core.apis.agent import Api, ApiExample, Interpretation, Parameters
from core.apis.json_records import ApiRecord, hit, hits, items, record
from core.model import Json
from core.web import Fetch, Fetched

BASE = "https://www.oncokb.org/api/v1"
MUTATION = {
    "oncogenic": "/oncogenic",
    "effect": "/mutationEffect/knownEffect",
    "sensitive level": "/highestSensitiveLevel",
    "resistance level": "/highestResistanceLevel",
    "gene summary": "/geneSummary",
    "variant summary": "/variantSummary",
    "tumour summary": "/tumorTypeSummary",
    "gene": "/query/entrezGeneId",
    "version": "/dataVersion",
}
TREATMENT = {"level": "/level", "cancer": "/levelAssociatedCancerType/name"}
GENE = {
    "summary": "/summary",
    "symbol": "/hugoSymbol",
    "oncogene": "/oncogene",
    "tumour suppressor": "/tsg",
    "sensitive level": "/highestSensitiveLevel",
    "resistance level": "/highestResistanceLevel",
    "gene": "/entrezGeneId",
}


class Mutation(Parameters):
    gene: str = Field(description="HGNC symbol, such as BRAF", pattern=r"^[A-Za-z0-9-]{1,20}$")
    alteration: str = Field(
        "",
        description="protein change, such as V600E; none: what is known of the gene",
        pattern=r"^[\w*.+ -]{0,60}$",
    )
    tumor: str = Field("", description="OncoTree tumour type, such as Melanoma", max_length=80)


def first(given: Mutation) -> Fetch:
    if not given.alteration:
        return Fetch(
            f"{BASE}/utils/allCuratedGenes",
            params=(("includeEvidence", "true"),),
            max_bytes=20_000_000,
        )
    extra = (("tumorType", given.tumor),) if given.tumor else ()
    said = (("hugoSymbol", given.gene), ("alteration", given.alteration), *extra)
    return Fetch(f"{BASE}/annotate/mutations/byProteinChange", params=said)


def interpret(given: Mutation, answers: Sequence[Fetched]) -> Interpretation:
    return _mutation(answers[0]) if given.alteration else _gene(given.gene, answers[0])


def _mutation(answer: Fetched) -> Interpretation:
    read = record(answer, "OncoKB", "oncogenic")
    found = hit(read, "", MUTATION, "gene", "NCBIGene")
    given = read.get("treatments")
    treatments = [
        _treatment(one, n) for n, one in enumerate(given if isinstance(given, list) else [])
    ]
    return Interpretation(
        (found, *treatments), "oncogenic", found.fields.get("variant summary", "")
    )


def _treatment(given: Json, number: int) -> ApiRecord:
    """A level of evidence and the drugs that are given together."""
    at = f"/treatments/{number}"
    read = hit(given if isinstance(given, Mapping) else {}, at, TREATMENT, "")
    drugs = given.get("drugs") if isinstance(given, Mapping) else None
    names = [str(one.get("drugName", "")) for one in drugs or [] if isinstance(one, Mapping)]
    return ApiRecord(
        at, {"drugs": " + ".join(names), **read.fields}, {"drugs": f"{at}/drugs", **read.pointers}
    )


def _gene(symbol: str, answer: Fetched) -> Interpretation:
    known = hits(items(answer, "", "OncoKB"), "", GENE, "gene", "NCBIGene")
    same = tuple(
        one for one in known if one.fields.get("symbol", "").casefold() == symbol.casefold()
    )
    return Interpretation(same, "summary", f"OncoKB has {len(known)} curated genes")


def guess(question: str) -> Mapping[str, Json] | None:
    found = re.search(
        r"\b([A-Z][A-Z0-9-]{1,9})\s+(?:p\.)?([A-Z]\d{1,5}(?:[A-Z*]|fs\S*))\b", question
    )
    if not found:
        genes = [
            one
            for one in re.findall(r"\b[A-Z][A-Z0-9-]{1,9}\b", question)
            if not one.startswith("ONCOKB")
        ]
        return {"gene": genes[0]} if len(genes) == 1 else None
    tumor = re.search(r"\bin ([\w -]{3,40}?)[?.]*$", question)
    return {"gene": found[1], "alteration": found[2], "tumor": tumor[1] if tumor else ""}


API = Api(
    "oncokb",
    "OncoKB",
    "Genes and mutations in cancer: oncogenicity, effect, levels of evidence",
    BASE,
    Mutation,
    first,
    interpret,
    guess=guess,
    token="ONCOKB",
    documentation=(
        "GET /annotate/mutations/byProteinChange?hugoSymbol=…&alteration=…&tumorType=… says whether"
        " a mutation is oncogenic, its effect, and the highest levels of evidence for drugs."
        " Without an alteration, GET /utils/allCuratedGenes: whether the gene is an oncogene or a"
        " tumour suppressor, and a summary."
    ),
    examples=(
        ApiExample(
            "What is the oncogenic potential of BRAF V600E in melanoma?",
            {"gene": "BRAF", "alteration": "V600E", "tumor": "Melanoma"},
        ),
        ApiExample("What does OncoKB say of TP53?", {"gene": "TP53"}),
    ),
)
