"""OncoKB: what is known of a gene, a mutation, a copy number change or a fusion in cancer.

Ways to name a change: by protein change, by HGVSg, by genomic change, as a copy number alteration
or as a structural variant (OncoKB's API, /annotate/…). `oncokb` needs a token
(GROUNDWORK_TOKEN_ONCOKB); `oncokb-demo` is OncoKB's open demonstration, which knows BRAF, TP53 and
ROS1 only.
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
from core.errors import InputError
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
TREATMENT = {"level": "/level", "cancer": "/levelAssociatedCancerType/name"}
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


class Mutation(Parameters):
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

    @model_validator(mode="after")
    def one_change(self) -> Mutation:
        given = [
            name
            for name in ("alteration", "hgvsg", "genomic", "copy_number", "structural")
            if getattr(self, name)
        ]
        if len(given) > 1:
            raise ValueError(f"name one change, not {' and '.join(given)}")
        if not self.gene and not (self.hgvsg or self.genomic):
            raise ValueError("name a gene, or a change on the genome")
        if self.partner and not self.structural:
            raise ValueError("a second gene needs the kind of structural variant")
        return self


def first(mutation: Mutation) -> Fetch:
    """The request for what was named. Coordinates and assemblies are OncoKB's: GRCh37 unless said
    otherwise.
    """
    tumor = (("tumorType", mutation.tumor),) if mutation.tumor else ()
    genome = (("referenceGenome", mutation.genome),)
    if mutation.hgvsg:
        said: tuple[tuple[str, str], ...] = (("hgvsg", mutation.hgvsg), *genome, *tumor)
        return Fetch(f"{BASE}/annotate/mutations/byHGVSg", params=said)
    if mutation.genomic:
        said = (("genomicLocation", mutation.genomic), *genome, *tumor)
        return Fetch(f"{BASE}/annotate/mutations/byGenomicChange", params=said)
    if mutation.copy_number:
        change = ("copyNameAlterationType", str(mutation.copy_number))
        said = (("hugoSymbol", mutation.gene), change, *tumor)
        return Fetch(f"{BASE}/annotate/copyNumberAlterations", params=said)
    if mutation.structural:
        pair = (("hugoSymbolA", mutation.gene), ("hugoSymbolB", mutation.partner or mutation.gene))
        kind = (("structuralVariantType", str(mutation.structural)),)
        works = (("isFunctionalFusion", "true" if mutation.functional else "false"),)
        return Fetch(f"{BASE}/annotate/structuralVariants", params=(*pair, *kind, *works, *tumor))
    if mutation.alteration or mutation.consequence or mutation.start:
        extra = {"alteration": mutation.alteration, "consequence": mutation.consequence}
        extra |= {"proteinStart": str(mutation.start or ""), "proteinEnd": str(mutation.end or "")}
        more = tuple((name, value) for name, value in extra.items() if value)
        return Fetch(
            f"{BASE}/annotate/mutations/byProteinChange",
            params=(("hugoSymbol", mutation.gene), *more, *tumor),
        )
    return Fetch(
        f"{BASE}/utils/allCuratedGenes",
        params=(("includeEvidence", "true"),),
        max_bytes=20_000_000,
    )


def interpret(mutation: Mutation, answers: Sequence[Fetched]) -> Interpretation:
    of_gene = answers[0].text.lstrip().startswith("[")
    return _gene(mutation.gene, answers[0]) if of_gene else _mutation(answers[0])


def _mutation(answer: Fetched) -> Interpretation:
    read = single_record(answer, "OncoKB", "oncogenic")
    api_record = record_hit(read, "", MUTATION, "gene", "NCBIGene")
    given = read.get("treatments")
    treatments = [
        _treatment(one, n) for n, one in enumerate(given if isinstance(given, list) else [])
    ]
    return Interpretation(
        (api_record, *treatments), "oncogenic", api_record.fields.get("variant summary", "")
    )


def _treatment(given: Json, number: int) -> ApiRecord:
    """A level of evidence, the cancer (its subtype, else its main type) and the drugs that are
    given together.
    """
    at = f"/treatments/{number}"
    whole = given if isinstance(given, Mapping) else {}
    read = record_hit(whole, at, TREATMENT, "")
    if not read.fields.get("cancer"):
        main = record_hit(whole, at, MAIN_TYPE, "")
        read = ApiRecord(
            read.id, {**read.fields, **main.fields}, {**read.pointers, **main.pointers}
        )
    drugs = whole.get("drugs")
    names = [str(drug.get("drugName", "")) for drug in drugs or [] if isinstance(drug, Mapping)]
    return ApiRecord(
        at, {"drugs": " + ".join(names), **read.fields}, {"drugs": f"{at}/drugs", **read.pointers}
    )


def _gene(symbol: str, answer: Fetched) -> Interpretation:
    known = list_hits(list_items(answer, "", "OncoKB"), "", GENE, "gene", "NCBIGene")
    same = tuple(
        api_record
        for api_record in known
        if api_record.fields.get("symbol", "").casefold() == symbol.casefold()
    )
    return Interpretation(same, "summary", f"OncoKB has {len(known)} curated genes")


# ------------------------------------------------------------------ questions without a model
_CHANGE = (
    r"(?:p\.)?([A-Z]\d{1,5}(?:_[A-Z]\d{1,5})?(?:[A-Z]+\*?|\*|fs\S*|del|dup|ins[A-Z]*|delins[A-Z]+))"
)
_SPELT = r"([A-Z]\d{1,5}(?:_[A-Z]\d{1,5})?)\s+(deletion|duplication|insertion)\b"
_COPY = {"amplif": "AMPLIFICATION", "delet": "DELETION", "gain": "GAIN", "loss": "LOSS"}
_NO_SYMBOL = ("ONCOKB", "DNA", "RNA", "HGVS", "SNP", "CNV", "HGVSG")
_VARIANT = re.compile(
    r"\b(?:mutations?|variants?|alterations?|change[sd]?|substitutions?|deletions?|insertions?|fusions?"
    r"|exon \d+|c\.\d+\S*|rs\d+)\b",
    re.I,
)


def guess(question: str) -> Mapping[str, Json] | None:
    """The gene, the change and the tumour of a question, in any order (`V600E BRAF`). Raises
    InputError for a change that cannot be placed: it is asked for, never left out.
    """
    tumor = re.search(r"\b(?:in|for) ((?!the\b)[A-Za-z][\w -]{2,60}?)[?.!]*$", question)
    rest = question[: tumor.start()] if tumor else question
    given: dict[str, Json] = {"tumor": tumor[1]} if tumor else {}
    if tumor and re.fullmatch(r"[A-Z][A-Z0-9-]{1,9}", tumor[1]):  # `… deletion in BRAF`
        rest, given = question, {}
    if match := re.search(r"\b([\dXYM]{1,2}):g\.[\w>+-]{3,60}", rest):
        return given | {"hgvsg": match[0]}
    if match := re.search(r"\b[\dXYM]{1,2},\d+,\d+,[ACGT-]+,[ACGT-]+", rest):
        return given | {"genomic": match[0]}
    change = re.search(rf"(?<![\w-]){_CHANGE}(?![\w])", rest)
    spelt = re.search(_SPELT, rest)
    bare = re.sub(_SPELT, " ", re.sub(rf"(?<![\w-]){_CHANGE}(?![\w])", " ", rest))
    genes = [
        one
        for one in dict.fromkeys(re.findall(r"\b[A-Z][A-Z0-9]{1,9}(?:-(?=[A-Z0-9]))?\b", bare))
        if one.rstrip("-") not in _NO_SYMBOL
    ]
    genes = [gene.rstrip("-") for gene in genes]
    if spelt:
        change_said = spelt[1] + {"d": "del", "i": "ins"}.get(spelt[2][0], "del")
        change_said = spelt[1] + "dup" if spelt[2].startswith("dup") else change_said
    else:
        change_said = change[1] if change else ""
    if change_said:
        return given | {"gene": genes[0], "alteration": change_said} if len(genes) == 1 else None
    if len(genes) == 2 and re.search(r"\bfus(?:ion|ed|es)\w*\b|::", bare, re.I):
        functional = not re.search(r"\bnon-?functional\b", bare, re.I)
        pair = {"gene": genes[0], "partner": genes[1], "structural": "FUSION"}
        return given | pair | {"functional": functional}
    if len(genes) != 1:
        return None
    for words, kind in _COPY.items():
        if re.search(rf"\b{words}\w*\b", bare, re.I) and not re.search(r"\bexon\b", bare, re.I):
            return given | {"gene": genes[0], "copy_number": kind}
    if _VARIANT.search(bare):
        raise InputError(
            f"Which change of {genes[0]} is meant?",
            f"Write it as a protein change ({genes[0]} V600E), in HGVS (7:g.140453136A>T), or as a"
            " fusion or amplification.",
        )
    return {"gene": genes[0]}


API = Api(
    "oncokb",
    "OncoKB",
    "Genes, mutations, copy number changes and fusions in cancer: oncogenicity, effect, levels of"
    " evidence",
    BASE,
    Mutation,
    first,
    interpret,
    guess=guess,
    token="ONCOKB",
    documentation=(
        "GET /annotate/mutations/byProteinChange?hugoSymbol=…&alteration=…&tumorType=… says whether"
        " a mutation is oncogenic, its effect, and the highest levels of evidence for drugs; "
        "byHGVSg"
        " and byGenomicChange take it by its place on the genome. /annotate/copyNumberAlterations"
        " and /annotate/structuralVariants do the same for amplifications, losses and fusions."
        " Without a change, GET /utils/allCuratedGenes: whether the gene is an oncogene or a tumour"
        " suppressor (geneType), and a summary."
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
    ),
)
DEMONSTRATION = replace(
    agent.at_address(API, DEMO),
    name="oncokb-demo",
    title="OncoKB demonstration",
    summary="OncoKB's open demonstration: BRAF, TP53 and ROS1, without a token",
    token="",
)
