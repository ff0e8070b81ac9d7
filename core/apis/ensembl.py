"""Ensembl REST look-ups: genes, cross-references, genes of a region, variants
(https://rest.ensembl.org).

Coordinates are 1-based and inclusive, and are given with their assembly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field, model_validator

from core.apis.agent import Api, ApiExample, Interpretation, Parameters
from core.apis.json_records import (
    ApiRecord,
    list_hits,
    list_items,
    record_hit,
    safe_path_part,
    single_record,
)
from core.model import Json
from core.web import Fetch, Fetched

BASE = "https://rest.ensembl.org"
PLACE = ("biotype", "seq_region_name", "start", "end", "strand", "assembly_name", "description")
GENE = {name: f"/{name}" for name in ("display_name", "id", *PLACE)}
INSIDE = {name: f"/{name}" for name in ("external_name", "id", *PLACE)}
REFERENCE = {
    "id": "/primary_id",
    "name": "/display_id",
    "database": "/db_display_name",
    "description": "/description",
    "synonyms": "/synonyms",
}
PARALOG = {
    "id": "/id",
    "species": "/species",
    "type": "/type",
    "shared ancestor": "/taxonomy_level",
    "protein": "/protein_id",
}
VARIANT = {
    "consequence": "/most_severe_consequence",
    "id": "/id",
    "alleles": "/allele_string",
    "gene": "/transcript_consequences/gene_symbol",
    **{name: f"/{name}" for name in ("seq_region_name", "start", "end", "strand", "assembly_name")},
}
STABLE = r"ENS[A-Z]*\d{11}(?:\.\d+)?"
FORMS = {
    "gene": r"[\w.-]{1,40}",
    "references": STABLE,
    "region": r"\w{1,20}:\d{1,10}-\d{1,10}",
    "variant": r"(?:rs|COSV|CM)\d{1,12}",
    "paralogs": r"[\w.-]{1,40}",
}
WANTED = {
    "gene": "a symbol or a stable id",
    "references": "a stable id (ENSG…)",
    "region": "chromosome:start-end",
    "variant": "an rs number",
    "paralogs": "a symbol or a stable id",
}


class SymbolLookup(Parameters):
    name: str = Field(
        description=(
            "a gene symbol (BRCA2) or stable id (ENSG00000139618); for a region"
            " chromosome:start-end (13:32315086-32400268); for a variant its rs number (rs699)"
        ),
        max_length=60,
    )
    what: Literal["gene", "references", "region", "variant", "paralogs"] = Field(
        "gene",
        description=(
            "gene: its id, type and place; references: a stable id's names elsewhere; region: genes"
            " that overlap it; variant: its place and most severe consequence; paralogs: the genes"
            " of the same species that arose from it by duplication"
        ),
    )
    species: str = Field(
        "homo_sapiens", description="species, as in homo_sapiens", pattern=r"^[a-z]+_[a-z_]+$"
    )

    @model_validator(mode="after")
    def fits(self) -> SymbolLookup:
        if not re.fullmatch(FORMS[self.what], self.name):
            raise ValueError(f"name must be {WANTED[self.what]} for {self.what}")
        return self


def first(lookup: SymbolLookup) -> Fetch:
    name, species = safe_path_part(lookup.name), safe_path_part(lookup.species)
    place = {
        "gene": (
            f"lookup/id/{name}" if re.fullmatch(STABLE, name) else f"lookup/symbol/{species}/{name}"
        ),
        "references": f"xrefs/id/{name}",
        "region": f"overlap/region/{species}/{name}",
        "variant": f"vep/{species}/id/{name}",
        "paralogs": f"homology/id/{species}/{name}"
        if re.fullmatch(STABLE, name)
        else f"homology/symbol/{species}/{name}",
    }[lookup.what]
    extra = {
        "region": (("feature", "gene"),),
        "paralogs": (("type", "paralogues"), ("format", "condensed")),
    }.get(lookup.what, ())
    return Fetch(f"{BASE}/{place}", params=(*extra, ("content-type", "application/json")))


def interpret(lookup: SymbolLookup, answers: Sequence[Fetched]) -> Interpretation:
    if lookup.what == "gene":
        api_record = record_hit(
            single_record(answers[0], "Ensembl", "id"),
            at="",
            fields=GENE,
            id_field="id",
            prefix="ENSEMBL",
        )
        name = "display_name" if "display_name" in api_record.fields else "id"
        return Interpretation((api_record,), name, place(api_record))
    if lookup.what == "paralogs":
        related = list_items(answers[0], "/data/0/homologies", "Ensembl")
        relatives = list_hits(related, "/data/0/homologies", PARALOG, "id", prefix="ENSEMBL")
        return Interpretation(relatives, "id", f"{len(relatives)} paralogs of {lookup.name}")
    listed = list_items(answers[0], "", "Ensembl")
    if lookup.what == "references":
        return Interpretation(list_hits(listed, "", REFERENCE, "id"), "name")
    if lookup.what == "region":
        inside = list_hits(listed, at="", fields=INSIDE, id_field="id", prefix="ENSEMBL")
        return Interpretation(inside, "external_name", f"{len(inside)} genes overlap {lookup.name}")
    variants = list_hits(listed, at="", fields=VARIANT, id_field="id", prefix="dbSNP")
    return Interpretation(variants, "consequence", "; ".join(map(place, variants)))


def place(gene_record: ApiRecord) -> str:
    """`GRCh38 13:32315086-32400268 (1-based)`."""
    names = ("assembly_name", "seq_region_name", "start", "end")
    assembly, region, start, end = (gene_record.fields.get(name, "?") for name in names)
    return f"{assembly} {region}:{start}-{end} (1-based)"


def guess(question: str) -> Mapping[str, Json] | None:
    if match := re.search(r"\brs\d+\b", question):
        return {"name": match[0], "what": "variant"}
    if match := re.search(r"\b(?:chr)?(\w{1,2}:\d+-\d+)\b", question.replace(",", "")):
        return {"name": match[1], "what": "region"}
    symbols = re.findall(rf"{STABLE}|\b[A-Z][A-Z0-9-]{{1,14}}\b", question)
    lookup = {"what": "paralogs"} if re.search(r"\bparalog", question, re.I) else {}
    return {"name": symbols[0], **lookup} if len(symbols) == 1 else None


API = Api(
    "ensembl",
    "Ensembl REST",
    "Genes, cross-references, regions and variants with their place and assembly",
    base=BASE,
    parameters=SymbolLookup,
    first=first,
    interpret=interpret,
    guess=guess,
    documentation=(
        "GET /lookup/symbol/:species/:symbol and GET /lookup/id/:id give a gene; GET /xrefs/id/:id"
        " its names in other databases; GET /overlap/region/:species/:region?feature=gene the genes"
        " of a region (at most 5 million bases); GET /vep/:species/id/:id a variant with its"
        " consequences; GET /homology/symbol/:species/:symbol?type=paralogues&format=condensed the"
        " paralogs of a gene. Coordinates are 1-based, of GRCh38 for human."
    ),
    examples=(
        ApiExample("Where is BRCA2 in Ensembl?", {"name": "BRCA2"}),
        ApiExample("What is ENSG00000139618?", {"name": "ENSG00000139618"}),
        ApiExample("What does rs699 do?", {"name": "rs699", "what": "variant"}),
        ApiExample("What are the paralogs of HBA1?", {"name": "HBA1", "what": "paralogs"}),
        ApiExample(
            "Which genes are in 13:32315086-32400268?",
            {"name": "13:32315086-32400268", "what": "region"},
        ),
    ),
)
