"""OncoKB: what is known of a gene, a mutation, a copy number change or a fusion in cancer.

Ways to name a change: by protein change, by HGVSg, by genomic change, as a copy number alteration
or as a structural variant (OncoKB's API, /annotate/…; parameters and their defaults as its API
documentation of 2026 lists them, biomarkers of no gene such as TMB-H among them). `oncokb` needs a
token (GROUNDWORK_TOKEN_ONCOKB); `oncokb-demo` is OncoKB's open demonstration, which knows BRAF,
TP53 and ROS1 only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import Field, model_validator

from core.apis import agent
from core.apis.agent import Api, ApiExample, Interpretation, Parameters
from core.apis.json_records import ApiRecord, list_hits, list_items, record_hit, single_record
from core.apis.oncokb_question import BIOMARKERS, guess
from core.model import Json
from core.web import Fetch, Fetched

BASE = "https://www.oncokb.org/api/v1"
DEMO = "https://demo.oncokb.org/api/v1"
MUTATION = {
    "oncogenic": "/oncogenic",
    "effect": "/mutationEffect/knownEffect",
    "sensitive level": "/highestSensitiveLevel",
    "resistance level": "/highestResistanceLevel",
    "diagnostic level": "/highestDiagnosticImplicationLevel",
    "prognostic level": "/highestPrognosticImplicationLevel",
    "gene summary": "/geneSummary",
    "variant summary": "/variantSummary",
    "tumour summary": "/tumorTypeSummary",
    "gene": "/query/entrezGeneId",
    "version": "/dataVersion",
}
TREATMENT = {
    "level": "/level",
    "cancer": "/levelAssociatedCancerType/name",
    "alterations": "/alterations",
    "FDA level": "/fdaLevel",
    "papers": "/pmids",
}
MAIN_TYPE = {"cancer": "/levelAssociatedCancerType/mainType/name"}  # where no subtype is named
GENE = {
    "summary": "/summary",
    "symbol": "/hugoSymbol",
    "gene type": "/geneType",
    "oncogene": "/oncogene",  # answers of before 2025 said these two
    "tumour suppressor": "/tsg",
    "sensitive level": "/highestSensitiveLevel",
    "resistance level": "/highestResistanceLevel",
    "gene": "/entrezGeneId",
}
_SYMBOL = r"^[A-Za-z0-9-]{1,20}$"


class OncokbQuery(Parameters):
    gene: str = Field("", description="HGNC symbol, such as BRAF", pattern=r"^[A-Za-z0-9-]{0,20}$")
    alteration: str = Field(
        "",
        description="protein change, such as V600E or N486_P490del; none: what is known of the"
        " gene",
        pattern=r"^[\w*.+ -]{0,60}$",
    )
    consequence: str = Field(
        "", description="such as missense_variant", pattern=r"^[a-z0-9_]{0,50}$"
    )
    start: int | None = Field(None, description="first residue that changes", ge=1, le=50_000)
    end: int | None = Field(None, description="last residue that changes", ge=1, le=50_000)
    hgvsg: str = Field(
        "",
        description="change in HGVS on the genome, such as 7:g.140453136A>T",
        pattern=r"^([\dXYM]{1,2}:g\.[\w>+-]{3,100})?$",
    )
    genomic: str = Field(
        "",
        description="chromosome,start,end,reference,variant, such as 7,140453136,140453136,A,T",
        pattern=r"^([\dXYM]{1,2},\d{1,10},\d{1,10},[ACGT-]{1,200},[ACGT-]{1,200})?$",
    )
    copy_number: Literal["", "AMPLIFICATION", "DELETION", "GAIN", "LOSS"] = Field(
        "", description="copy number alteration of the gene"
    )
    partner: str = Field("", description="second gene of a fusion", pattern=r"^[A-Za-z0-9-]{0,20}$")
    structural: Literal[
        "",
        "DELETION",
        "TRANSLOCATION",
        "DUPLICATION",
        "INSERTION",
        "INVERSION",
        "FUSION",
        "UNKNOWN",
    ] = Field("", description="kind of structural variant")
    functional: bool = Field(False, description="whether a fusion is a functional one")
    genome: Literal["GRCh37", "GRCh38"] = Field("GRCh37", description="of genomic places")
    tumor: str = Field(
        "", description="OncoTree tumour type (code, name or main type)", max_length=80
    )
    every_gene: bool = Field(False, description="list every curated gene, instead of naming one")

    @model_validator(mode="after")
    def one_change(self) -> OncokbQuery:
        changes = [
            name
            for name in ("alteration", "hgvsg", "genomic", "copy_number", "structural")
            if getattr(self, name)
        ]
        if len(changes) > 1:
            raise ValueError(f"name one change, not {' and '.join(changes)}")
        of_tumour = re.fullmatch(BIOMARKERS, self.alteration, re.I)  # these are of no gene
        if self.every_gene and (changes or self.gene):
            raise ValueError("name a gene or a change, or list every gene")
        if not self.gene and not (self.hgvsg or self.genomic or of_tumour or self.every_gene):
            raise ValueError("name a gene, or a change on the genome")
        if self.partner and not self.structural:
            raise ValueError("a second gene needs the kind of structural variant")
        return self


def first(mutation: OncokbQuery) -> Fetch:
    """The request for what was named. Coordinates and assemblies are OncoKB's: GRCh37 unless said
    otherwise.
    """
    tumor = (("tumorType", mutation.tumor),) if mutation.tumor else ()
    genome = (("referenceGenome", mutation.genome),)
    # GRCh37 is what OncoKB takes unasked
    genome_unless_default = genome if mutation.genome != "GRCh37" else ()
    if mutation.hgvsg:
        query: tuple[tuple[str, str], ...] = (("hgvsg", mutation.hgvsg), *genome, *tumor)
        return Fetch(f"{BASE}/annotate/mutations/byHGVSg", params=query)
    if mutation.genomic:
        query = (("genomicLocation", mutation.genomic), *genome, *tumor)
        return Fetch(f"{BASE}/annotate/mutations/byGenomicChange", params=query)
    if mutation.copy_number:
        change = ("copyNameAlterationType", str(mutation.copy_number))
        query = (("hugoSymbol", mutation.gene), change, *genome_unless_default, *tumor)
        return Fetch(f"{BASE}/annotate/copyNumberAlterations", params=query)
    if mutation.structural:
        pair = (("hugoSymbolA", mutation.gene), ("hugoSymbolB", mutation.partner or mutation.gene))
        kind = (("structuralVariantType", str(mutation.structural)),)
        works = (("isFunctionalFusion", "true" if mutation.functional else "false"),)
        query = (*pair, *kind, *works, *genome_unless_default, *tumor)
        return Fetch(f"{BASE}/annotate/structuralVariants", params=query)
    if mutation.alteration or mutation.consequence or mutation.start:
        extra = {"alteration": mutation.alteration, "consequence": mutation.consequence}
        extra |= {"proteinStart": str(mutation.start or ""), "proteinEnd": str(mutation.end or "")}
        more = tuple((name, value) for name, value in extra.items() if value)
        symbol = (("hugoSymbol", mutation.gene),) if mutation.gene else ()
        query = (*symbol, *more, *genome_unless_default, *tumor)
        return Fetch(f"{BASE}/annotate/mutations/byProteinChange", params=query)
    return Fetch(
        f"{BASE}/utils/allCuratedGenes",
        params=(("includeEvidence", "true"),),
        max_bytes=20_000_000,
    )


def interpret(mutation: OncokbQuery, answers: Sequence[Fetched]) -> Interpretation:
    of_gene = answers[0].text.lstrip().startswith("[")
    return _gene(mutation.gene, answers[0]) if of_gene else _mutation(answers[0])


def _mutation(answer: Fetched) -> Interpretation:
    body = single_record(answer, "OncoKB", "oncogenic")
    api_record = record_hit(body, "", MUTATION, "gene", "NCBIGene")
    treatment_list = body.get("treatments")
    treatments = [
        _treatment(treatment, n)
        for n, treatment in enumerate(treatment_list if isinstance(treatment_list, list) else [])
    ]
    return Interpretation(
        (api_record, *treatments), "oncogenic", api_record.fields.get("variant summary", "")
    )


def _treatment(treatment: Json, number: int) -> ApiRecord:
    """A level of evidence, the cancer (its subtype, else its main type) and the drugs that are
    given together.
    """
    at = f"/treatments/{number}"
    treatment_json = treatment if isinstance(treatment, Mapping) else {}
    record = record_hit(treatment_json, at, TREATMENT, "")
    if not record.fields.get("cancer"):
        main = record_hit(treatment_json, at, MAIN_TYPE, "")
        record = ApiRecord(
            record.id, {**record.fields, **main.fields}, {**record.pointers, **main.pointers}
        )
    drugs = treatment_json.get("drugs")
    names = [str(drug.get("drugName", "")) for drug in drugs or [] if isinstance(drug, Mapping)]
    return ApiRecord(
        at,
        {"drugs": " + ".join(names), **record.fields},
        {"drugs": f"{at}/drugs", **record.pointers},
    )


def _gene(symbol: str, answer: Fetched) -> Interpretation:
    curated_genes = list_hits(list_items(answer, "", "OncoKB"), "", GENE, "gene", "NCBIGene")
    same = tuple(
        api_record
        for api_record in curated_genes
        if not symbol or api_record.fields.get("symbol", "").casefold() == symbol.casefold()
    )
    return Interpretation(same, "summary", f"OncoKB has {len(curated_genes)} curated genes")


API = Api(
    "oncokb",
    "OncoKB",
    "Genes, mutations, copy number changes and fusions in cancer: oncogenicity, effect, levels of"
    " evidence",
    BASE,
    OncokbQuery,
    first,
    interpret,
    guess=guess,
    token="ONCOKB",
    documentation=(
        "GET /annotate/mutations/byProteinChange?hugoSymbol=…&alteration=…&tumorType=… says"
        " whether a mutation is oncogenic, its effect, and the highest levels of evidence for"
        " drugs; byHGVSg and byGenomicChange take it by its place on the genome."
        " /annotate/copyNumberAlterations and /annotate/structuralVariants do the same for"
        " amplifications, losses and fusions. Without a change, GET /utils/allCuratedGenes:"
        " whether the gene is an oncogene or a tumour suppressor (geneType), and a summary; without"
        " a gene, all of them (every_gene)."
    ),
    examples=(
        ApiExample(
            "What is the oncogenic potential of BRAF V600E in melanoma?",
            {"gene": "BRAF", "alteration": "V600E", "tumor": "melanoma"},
        ),
        ApiExample(
            "What does the fusion of CD74 and ROS1 mean in Lung Adenocarcinoma?",
            {
                "gene": "CD74",
                "partner": "ROS1",
                "structural": "FUSION",
                "functional": True,
                "tumor": "Lung Adenocarcinoma",
            },
        ),
        ApiExample(
            "Is amplification of ERBB2 oncogenic in Breast Cancer?",
            {"gene": "ERBB2", "copy_number": "AMPLIFICATION", "tumor": "Breast Cancer"},
        ),
        ApiExample("What does OncoKB say of TP53?", {"gene": "TP53"}),
        ApiExample("Which genes does OncoKB curate?", {"every_gene": True}),
    ),
)
DEMONSTRATION = replace(
    agent.at_address(API, DEMO),
    name="oncokb-demo",
    title="OncoKB demonstration",
    summary="OncoKB's open demonstration: BRAF, TP53 and ROS1, without a token",
    token="",
)
