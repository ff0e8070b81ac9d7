"""Variant records: dbSNP (esummary JSON and efetch XML) and ClinVar.

dbSNP lists neighbouring genes too: the functional class says whether the variant lies in a gene or
beside it. `chrpos` is 1-based, SPDI 0-based; values here are 1-based.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from xml.etree import ElementTree as ET

from core.model import Json
from core.ncbi.assembly import assembly_of
from core.ncbi.record import NcbiRecord, record_curie

BESIDE = {  # classes of a variant that lies outside the transcript
    "2KB_upstream_variant",
    "upstream_transcript_variant",
    "500B_downstream_variant",
    "downstream_transcript_variant",
    "upstream_gene_variant",
    "downstream_gene_variant",
    "intergenic_variant",
    "intergenic_region",
}


def snp_summary(uid: str, summary: Mapping[str, Json]) -> NcbiRecord:
    """One record of an esummary answer in JSON."""
    at = f"/result/{uid}/"
    genes = [
        {
            "symbol": str(gene.get("name", "")),
            "gene": _gene_id(gene.get("gene_id")),
            "pointer": f"{at}genes/{number}",
        }
        for number, gene in enumerate(_listed(summary.get("genes")))
        if isinstance(gene, Mapping) and gene.get("name")
    ]
    fields = {
        name: _joined(summary.get(name))
        for name in ("acc", "chr", "chrpos", "spdi", "fxn_class", "clinical_significance")
    }
    current = str(summary.get("snp_id") or uid).strip().removeprefix("rs")
    pointers = {name: at + name for name in (*fields, "genes")}
    snp = _snp(
        uid,
        current,
        fields,
        genes,
        pointers=pointers,
        merged=str(summary.get("merged_sort") or "0"),
    )
    more: dict[str, Json] = {
        "frequencies": [
            {
                "study": str(frequency.get("study") or ""),
                "freq": str(frequency.get("freq") or ""),
                "pointer": f"{at}global_mafs/{number}",
            }
            for number, frequency in enumerate(_listed(summary.get("global_mafs")))
            if isinstance(frequency, Mapping) and frequency.get("freq")
        ],
        "hgvs": _hgvs(str(summary.get("docsum") or "")),
        "previous": str(summary.get("chrpos_prev_assm") or ""),
        "spdi": [allele for allele in fields["spdi"].split(",") if allele],
    }
    places = {"frequencies": "global_mafs", "hgvs": "docsum", "spdi": "spdi"}
    places["previous"] = "chrpos_prev_assm"
    nonempty = {name: value for name, value in more.items() if value}
    return replace(
        snp,
        values={**snp.values, **nonempty},
        pointers={**snp.pointers, **{name: at + places[name] for name in nonempty}},
    )


def _hgvs(summary: str) -> list[str]:
    """The HGVS names in dbSNP's `docsum` (`HGVS=NC_000007.14:g.1A>G,NM_…|SEQ=…`)."""
    match = re.search(r"(?:^|\|)HGVS=([^|]*)", summary)
    return [name.strip() for name in html.unescape(match[1]).split(",")] if match else []


def snps_from_xml(elements: Iterable[ET.Element]) -> list[NcbiRecord]:
    """The records of an efetch answer (`DocumentSummary` elements)."""
    records = []
    for element in elements:
        uid = element.get("uid") or ""
        text = {
            name: (element.findtext(name.upper()) or "").strip()
            for name in ("acc", "chr", "chrpos", "spdi", "fxn_class", "clinical_significance")
        }
        at = f"//DocumentSummary[@uid='{uid}']/"
        genes = [
            {
                "symbol": gene.findtext("NAME") or "",
                "gene": _gene_id(gene.findtext("GENE_ID")),
                "pointer": f"{at}GENES/GENE_E[{number}]",
            }
            for number, gene in enumerate(element.iter("GENE_E"), 1)
        ]
        pointers = {name: at + name.upper() for name in (*text, "genes")}
        records.append(
            _snp(
                uid,
                (element.findtext("SNP_ID") or uid).strip(),
                text,
                genes,
                pointers=pointers,
                merged="0",
            )
        )
    return records


def _snp(
    uid: str,
    current: str,
    fields: dict[str, str],
    genes: list[dict[str, str]],
    *,
    pointers: dict[str, str],
    merged: str,
) -> NcbiRecord:
    classes = [part.strip() for part in fields["fxn_class"].split(",") if part.strip()]
    position = _position(fields["chrpos"], fields["chr"])
    accession = fields["acc"] or fields["spdi"].partition(":")[0]
    once: dict[tuple[str, str], dict[str, str]] = {}
    for gene in genes:
        once.setdefault((gene["gene"], gene["symbol"]), gene)
    genes = list(once.values())
    values: dict[str, Json] = {
        "chromosome": fields["chr"].removeprefix("chr") or (position[1] if position else ""),
        "genes": [gene["symbol"] for gene in genes],
        "gene_records": genes,
        "fxn_class": classes,
        "relation": gene_relation(classes, len(genes)),
        "clinical_significance": fields["clinical_significance"],
        "assembly": assembly_of(accession),
    }
    if position:
        values["location"] = f"{accession or 'chr' + position[1]}:{position[2]}"
    if current != uid:
        values["replaced_by"] = current
    where = {
        name: pointers[
            {"chromosome": "chr", "location": "chrpos", "assembly": "acc"}.get(name, name)
        ]
        for name in values
        if {"chromosome": "chr", "location": "chrpos", "assembly": "acc"}.get(name, name)
        in pointers
    }
    if not fields["chr"] and position:
        where["chromosome"] = pointers["chrpos"]
    raw = {
        "fxn_class": fields["fxn_class"],
        "location": fields["chrpos"],
        "assembly": fields["acc"],
    }
    raw["chromosome"] = fields["chr"] or (fields["chrpos"] if position else "")
    nonempty = {name: value for name, value in values.items() if value not in ("", [])}
    return NcbiRecord(
        record_curie("snp", uid),
        "snp",
        nonempty,
        pointers={k: v for k, v in where.items() if k in nonempty},
        raw={k: v for k, v in raw.items() if k in nonempty},
    )


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _joined(value: Json) -> str:
    """NCBI gives lists as one text; a later answer may give a real list."""
    return (
        ",".join(str(item).strip() for item in value)
        if isinstance(value, list)
        else str(value or "").strip()
    )


def _gene_id(value: object) -> str:
    """The CURIE of a gene; nothing where the answer states no number, so that no id is made up."""
    text = str(value if value is not None else "").strip()
    return f"NCBIGene:{text}" if text.isdigit() else ""


def _position(text: str, chromosome: str) -> tuple[str, str, str] | None:
    """The part of `chrpos` that is read, the chromosome and the 1-based place: the only one, or
    that of `chromosome`; nothing where several are left or the form is another.
    """
    parts = list(re.finditer(r"(?<![\w.])(?:chr)?(\d{1,2}|X|Y|MT?|Un):(\d+)(?![\d:])", text))
    own = [part for part in parts if not chromosome or part[1] == chromosome.removeprefix("chr")]
    return (own[0][0], own[0][1], own[0][2]) if len({part[0] for part in own}) == 1 else None


def gene_relation(classes: list[str], genes: int) -> str:
    """`variant of` one gene, `nearby` one, or `undecided` where several genes share the classes."""
    beside = [
        name
        for name in classes
        if name in BESIDE or re.match(r"(?!genic_).*(?:up|down)stream|intergenic", name)
    ]
    if not classes:
        return "undecided"
    if len(beside) == len(classes):
        return "nearby"
    return "variant of" if not beside or genes == 1 else "undecided"


CLASSIFIED = (  # the older answers call the first of them clinical significance
    ("germline_classification", "germline"),
    ("clinical_significance", "germline"),
    ("oncogenicity_classification", "oncogenicity"),
    ("clinical_impact_classification", "somatic clinical impact"),
)


def clinvar_summary(uid: str, summary: Mapping[str, Json]) -> NcbiRecord:
    """Classification, of what it is one, review status and accession. A germline classification
    goes before others.
    """
    at = f"/result/{uid}/"
    name, classified = next(
        (candidate for candidate in CLASSIFIED if _described(summary.get(candidate[0]))), ("", "")
    )
    classification = summary.get(name) or {}
    values: dict[str, Json] = {
        "accession": str(summary.get("accession_version") or summary.get("accession") or ""),
        "title": str(summary.get("title") or ""),
        "classification": str(classification.get("description") or ""),
        "classified": classified,
        "review_status": str(classification.get("review_status") or ""),
        "genes": [
            str(gene.get("symbol"))
            for gene in _listed(summary.get("genes"))
            if isinstance(gene, Mapping)
        ],
        "gene_records": [
            {"symbol": str(gene.get("symbol")), "pointer": f"{at}genes/{number}/symbol"}
            for number, gene in enumerate(_listed(summary.get("genes")))
            if isinstance(gene, Mapping) and gene.get("symbol")
        ],
        "protein_changes": str(summary.get("protein_change") or ""),
        "uid": uid,
        "conditions": _conditions(summary, name, at),
    }
    values["dbsnp"] = [
        {
            "id": str(xref.get("db_id")),
            "pointer": f"{at}variation_set/{part}/variation_xrefs/{number}/db_id",
        }
        for part, variation in enumerate(_listed(summary.get("variation_set")))
        if isinstance(variation, Mapping)
        for number, xref in enumerate(_listed(variation.get("variation_xrefs")))
        if isinstance(xref, Mapping)
        and xref.get("db_source") == "dbSNP"
        and re.fullmatch(r"[0-9]{1,12}", str(xref.get("db_id")))
    ]
    values["other_names"] = [
        {"name": str(name), "pointer": f"{at}variation_set/{part}/aliases/{number}"}
        for part, variation in enumerate(_listed(summary.get("variation_set")))
        if isinstance(variation, Mapping)
        for number, name in enumerate(_listed(variation.get("aliases")))
        if isinstance(name, str) and name
    ]
    nonempty = {key: value for key, value in values.items() if value}
    fields = {
        "classification": f"{name}/description",
        "classified": name,
        "review_status": f"{name}/review_status",
        "accession": "accession_version" if summary.get("accession_version") else "accession",
        "protein_changes": "protein_change",
    }
    own_pointers = ("conditions", "dbsnp", "gene_records", "other_names")
    pointers = {key: at + fields.get(key, key) for key in nonempty if key not in own_pointers}
    return NcbiRecord(record_curie("clinvar", uid), "clinvar", nonempty, pointers)


def _conditions(summary: Mapping[str, Json], classification: str, at: str) -> list[Json]:
    """The traits of a classification, each with the id that ClinVar gives for it (OMIM's, MONDO's
    or MedGen's concept), its pointer and how it stands there.
    """
    classified = summary.get(classification)
    inside = _listed(classified.get("trait_set")) if isinstance(classified, Mapping) else []
    traits = inside or _listed(summary.get("trait_set"))
    base = f"{at}{classification}/trait_set" if inside else f"{at}trait_set"
    conditions: list[Json] = []
    for number, trait in enumerate(traits):
        if not isinstance(trait, Mapping):
            continue
        trait_id = {"id": "", "pointer": "", "raw": ""}
        xrefs = list(enumerate(_listed(trait.get("trait_xrefs"))))
        for source, pattern, prefix in XREFS:
            for place, xref in xrefs if not trait_id["id"] else ():
                raw = str(xref.get("db_id") or "") if isinstance(xref, Mapping) else ""
                if raw and xref.get("db_source") == source and (hit := re.fullmatch(pattern, raw)):
                    pointer = f"{base}/{number}/trait_xrefs/{place}/db_id"
                    trait_id = {"id": f"{prefix}:{hit[1]}", "pointer": pointer, "raw": raw}
        conditions.append({"name": str(trait.get("trait_name") or ""), **trait_id})
    return conditions


XREFS = (  # ids of a condition: the first that is there is taken
    ("OMIM", r"(\d{6})", "OMIM"),
    ("MONDO", r"(?:MONDO:)?(\d{7})", "MONDO"),
    ("MedGen", r"(C\d{7})", "UMLS"),
)


def _described(classification: Json) -> bool:
    description = classification.get("description") if isinstance(classification, Mapping) else ""
    return isinstance(description, str) and bool(description)
