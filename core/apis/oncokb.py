"""OncoKB: what is known of a gene, a mutation, a copy number change or a fusion in cancer.

Ways to name a change: by protein change, by HGVSg, by genomic change, as a copy number alteration
or as a structural variant (OncoKB's API, /annotate/…; parameters and their defaults as its API
documentation of 2026 lists them, biomarkers of no gene such as TMB-H among them). `oncokb` needs a
token (GROUNDWORK_TOKEN_ONCOKB); `oncokb-demo` is OncoKB's open demonstration, which knows BRAF,
TP53 and ROS1 only.

What a question to OncoKB asks, read by rules: the gene, the change and the tumour.
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
from core.text.phrases import one_of, phrases
from core.web import Fetch, Fetched

BIOMARKERS = r"(?:TMB-H|MSI-H|Tumor Mutational Burden-High|Microsatellite Instability-High)"
# `V600E`, `p.E746_A750del`
_PROTEIN_CHANGE = re.compile(
    r"(?<![\w-])(?:p\.)?([A-Z]\d{1,5}(?:_[A-Z]\d{1,5})?"
    r"(?:[A-Z]+\*?|\*|fs\S*|del|dup|ins[A-Z]*|delins[A-Z]+))(?![\w])"
)
# `… in lung adenocarcinoma treatments?`
_TUMOR = re.compile(
    r"^.*\b(?:in|for) ((?!the\b|situ\b|OncoKB\b)[A-Za-z][\w -]{2,60}?)"  # `in lung adenocarcinoma`
    r"(?: (?:treatments?|therap(?:y|ies)|drugs?|actionable|oncogenic|targetable|druggable"
    r"|significant))?[?.!]*$"
)
_RESIDUES = "Ala Arg Asn Asp Cys Gln Glu Gly His Ile Leu Lys Met Phe Pro Ser Thr Trp Tyr Val Ter"
_ONE_LETTER = dict(zip(_RESIDUES.split(), "ARNDCQEGHILKMFPSTWYV*", strict=True))
# `17 7577120 C>T`, `chr17:7577120C>T`, `7:140453136,A,T`, `7-140453136-A-T`
_PLACE = re.compile(
    r"\b(?:chr)?(?P<chromosome>\d{1,2}|[XY])[ :,-](?:g\.)?(?P<at>\d{4,9})[ ,:-]?"
    r"(?P<old>[ACGT])[>,/-](?P<new>[ACGT])\b"
)
# `braf v600e`, `v600e braf`, `her2 amplification`: the word beside the change is the gene
_SMALL_CHANGE = r"[a-z]\d{1,5}(?:_[a-z]\d{1,5})?(?:del|dup|fs|[a-z*])"
_SMALL_GENE = (
    r"(?!(?:is|are|was|the|for|of|in|on|at|does|do|what|about|an?|and|with|to|by|as|gene|this|that"
    r"|which|how|any|its|my|our|known)\b)[a-z][a-z0-9]{1,7}"
)
_SMALL = (
    re.compile(rf"(?<![\w-])(?P<gene>{_SMALL_GENE}) (?P<change>{_SMALL_CHANGE})(?![\w-])"),
    re.compile(rf"(?<![\w-])(?P<change>{_SMALL_CHANGE}) (?P<gene>{_SMALL_GENE})(?![\w-])"),
    re.compile(
        rf"(?<![\w-])(?P<gene>{_SMALL_GENE}) (?=(?:amplifi|delet(?!ed)|gain\b|loss\b))(?P<change>)"
    ),
)
_GENOME = re.compile(
    r"\W*\b(?:in|on|for)?\s*\b(?:GRCh3(?P<build>[78])|hg(?P<ucsc>19|38))\b\)?", re.I
)
_SPELT = r"([A-Z]\d{1,5}(?:_[A-Z]\d{1,5})?)\s+(deletion|duplication|insertion)\b"
_COPY = {"amplif": "AMPLIFICATION", "delet": "DELETION", "gain": "GAIN", "loss": "LOSS"}
# "Which genes does OncoKB curate?", "list all curated genes"
_EVERY_GENE = phrases(
    {
        r"(?:which|what|list|show|all|every)\b.*\b(?:(?:onco|cancer )?genes|every gene)\b.*"
        r"\b(?:oncokb|curate[sd]?|annotate[sd]?|known?)": "Which genes does OncoKB annotate?",
        r"(?:which|what|list|show|all|every|list of)\b.*\bcurated genes?": "all curated genes",
        "curated genes? list": "the curated gene list",
    }
)
_NO_SYMBOL = ("ONCOKB", "DNA", "RNA", "HGVS", "SNP", "CNV", "HGVSG")
# Words that announce a change of a gene: "BRAF exon 15 mutations"
_VARIANT = re.compile(
    r"\b(?:mutations?|variants?|alterations?|change[sd]?|substitutions?|deletions?|insertions?|fusions?"
    r"|exon \d+|c\.\d+\S*|rs\d+|wild[- ]?type)\b",
    re.I,
)
# Words of a question, not of a tumour: what remains beside them may name one
_ASKING = one_of(r"""
    what which does known oncogenic mean about tell show annotate look effect level drugs?
    oncokb actionable therap\w+ treatments? evidence driver pathogenic benign
""")
_SENTENCE = re.compile(rf"\b{_ASKING}\b", re.I)


def guess(question: str) -> Mapping[str, Json] | None:
    """The gene, the change and the tumour of a question, in any order (`V600E BRAF`). Raises
    InputError for a change that cannot be placed: it is asked for, never left out.
    """
    if _EVERY_GENE.search(question) and not _names_gene(question):
        return {"every_gene": True}
    question = _with_capitals(question)
    assembly = _GENOME.search(question)
    words, query = _without_tumor(_in_one_letter(_GENOME.sub("", question)))
    if on_genome := _place_on_genome(words):
        other_words, change = on_genome
        if assembly and "38" in assembly[0]:  # OncoKB takes GRCh37 unasked
            change |= {"genome": "GRCh38"}
        return (query or _tumor_alone(other_words, ())) | change
    if biomarker := re.search(rf"(?<![\w-]){BIOMARKERS}(?![\w])", words, re.I):
        return query | {"alteration": biomarker[0]}
    bare = re.sub(_SPELT, " ", _PROTEIN_CHANGE.sub(" ", words))
    genes = _genes(bare)
    if alteration := _alteration(words):
        query = query or _tumor_alone(bare, genes)
        return query | {"gene": genes[0], "alteration": alteration} if len(genes) == 1 else None
    return _gene_or_copies(bare, genes, query)


def _with_capitals(question: str) -> str:
    """`BRAF V600E` of `braf v600e`, where no gene stands there in capitals."""
    if _names_gene(question):
        return question
    for pattern in _SMALL:
        if match := pattern.search(question):
            gene, change = match["gene"], match["change"]
            written = re.sub(r"(?<![a-z])[a-z](?![a-z])", lambda letter: letter[0].upper(), change)
            spelt = match[0].replace(gene, gene.upper())
            spelt = spelt.replace(change, written) if change else spelt
            return question[: match.start()] + spelt + question[match.end() :]
    return question


def _without_tumor(question: str) -> tuple[str, dict[str, Json]]:
    """The words before the tumour (`… in lung cancer?`), and the tumour as a parameter."""
    tumor = _TUMOR.search(question)
    if tumor is None:
        return question, {}
    before = question[: tumor.start(1)]
    if re.fullmatch(r"[A-Z][A-Z0-9-]{1,9}", tumor[1]) and not _names_gene(before):
        return question, {}  # `… deletion in BRAF`
    return before, {"tumor": tumor[1]}


def _place_on_genome(words: str) -> tuple[str, dict[str, Json]] | None:
    """A change by its place on the genome: the words beside it, which may name a tumour, and the
    change as a parameter.
    """
    if match := re.search(r"\b([\dXYM]{1,2}):g\.[\w>+-]{3,60}", words):
        return words.replace(match[0], " "), {"hgvsg": match[0]}
    if match := re.search(r"\b[\dXYM]{1,2},\d+,\d+,[ACGT-]+,[ACGT-]+", words):
        return words.replace(match[0], " "), {"genomic": match[0]}
    if match := _PLACE.search(words):
        at = match["at"]
        place = f"{match['chromosome']},{at},{at},{match['old']},{match['new']}"
        return words.replace(match[0], " "), {"genomic": place}
    return None


def _genes(bare: str) -> list[str]:
    """The gene symbols in words without the change."""
    symbols = dict.fromkeys(re.findall(r"\b[A-Z][A-Z0-9]{1,9}(?:-(?=[A-Z0-9]))?\b", bare))
    return [name for symbol in symbols if (name := symbol.rstrip("-")) not in _NO_SYMBOL]


def _alteration(words: str) -> str:
    """The protein change that is named (`V600E`, `E746_A750 deletion`), "" for none."""
    if spelt := re.search(_SPELT, words):
        return spelt[1] + spelt[2][:3]
    changes = list(dict.fromkeys(_PROTEIN_CHANGE.findall(words)))
    if len(changes) > 1:
        named = " and ".join(_PROTEIN_CHANGE.findall(words))
        raise InputError(f"The question names {named}.", "Ask for one change at a time.")
    return changes[0] if changes else ""


def _gene_or_copies(
    bare: str, genes: Sequence[str], query: Mapping[str, Json]
) -> Mapping[str, Json] | None:
    """A fusion of two genes, a change in the copies of one, or what is known of it."""
    if len(genes) == 2 and re.search(r"\bfus(?:ion|ed|es)\w*\b|::", bare, re.I):
        functional = not re.search(r"\bnon-?functional\b", bare, re.I)
        pair = {"gene": genes[0], "partner": genes[1], "structural": "FUSION"}
        return {**query, **pair, "functional": functional}
    if len(genes) != 1:
        return None
    for beginning, kind in _COPY.items():
        if re.search(rf"\b{beginning}\w*\b", bare, re.I) and not re.search(r"\bexon\b", bare, re.I):
            other_words = re.sub(rf"\b{beginning}\w*\b", " ", bare, flags=re.I)
            tumor = query or _tumor_alone(" ".join(other_words.split()), genes)
            return {**tumor, "gene": genes[0], "copy_number": kind}
    if _VARIANT.search(bare) or re.search(r"\b[pcg]\.\S", bare) or query:
        raise InputError(
            f"Which change of {genes[0]} is meant?",
            f"Write it as a protein change ({genes[0]} V600E), in HGVS (7:g.140453136A>T), or as a"
            " fusion or amplification.",
        )
    return {"gene": genes[0]}


def _in_one_letter(words: str) -> str:
    """`p.V600E` of `p.(Val600Glu)`."""
    residue = rf"(?:{'|'.join(_ONE_LETTER)})"
    return re.sub(
        rf"(?<![\w-])(?:p\.)?\(?(?P<named>{residue}\d{{1,5}}(?:_{residue}\d{{1,5}})?"
        rf"(?:{residue}|\*|=|fs\S*|del|dup|(?:del)?ins(?:{residue})+))\)?(?!\w)",
        lambda match: re.sub("|".join(_ONE_LETTER), lambda aa: _ONE_LETTER[aa[0]], match["named"]),
        words,
    )


def _names_gene(words: str) -> bool:
    """Whether a gene stands there, so that what follows `in` is none (`KRAS G12C in NSCLC`)."""
    rest = _PROTEIN_CHANGE.sub(" ", words)
    symbols = re.findall(r"\b[A-Z][A-Z0-9]{1,9}\b", rest)
    return any(symbol not in _NO_SYMBOL for symbol in symbols)


def _tumor_alone(bare: str, genes: Sequence[str]) -> dict[str, Json]:
    """The tumour of a bare list of words (`BRAF V600E melanoma`): what is left of it besides the
    gene. A whole sentence names it with `in`.
    """
    tumor_words = [word for word in bare.strip(" ?.!,").split() if word not in genes]
    all_plain_words = all(re.fullmatch(r"[A-Za-z][\w-]{3,}", word) for word in tumor_words)
    if (
        not 1 <= len(tumor_words) <= 4
        or not all_plain_words
        or _VARIANT.search(bare)
        or _SENTENCE.search(bare)
    ):
        return {}
    return {"tumor": " ".join(tumor_words)}


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
    api_record = record_hit(body, at="", fields=MUTATION, id_field="gene", prefix="NCBIGene")
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
    curated_genes = list_hits(
        list_items(answer, "", "OncoKB"), at="", fields=GENE, id_field="gene", prefix="NCBIGene"
    )
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
    base=BASE,
    parameters=OncokbQuery,
    first=first,
    interpret=interpret,
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
