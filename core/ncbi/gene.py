"""Gene records: esummary JSON, efetch XML (for the type of a gene) and NCBI Datasets v2.

efetch *text* is never read: it garbles one gene in thirty. esummary is 0-based and gives start >
stop on the minus strand; values here are 1-based and inclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree as ET

from core.model import Json
from core.ncbi.assembly import GRCH37, GRCH38_CHROMOSOMES, assembly_of
from core.ncbi.record import NcbiRecord, record_curie


def gene_summary(uid: str, summary: Mapping[str, Json]) -> NcbiRecord:
    """One record of an esummary answer in JSON."""
    at = f"/result/{uid}/"
    values: dict[str, Json] = {}
    pointers: dict[str, str] = {}

    def keep(name: str, field: str, value: Json) -> None:
        if value not in (None, "", [], "0", 0):
            values[name], pointers[name] = value, at + field

    official = _text(summary.get("nomenclaturesymbol"))
    keep("uid", "uid", _text(summary.get("uid")))
    keep(
        "symbol",
        "nomenclaturesymbol" if official else "name",
        official or _text(summary.get("name")),
    )
    keep("name", "description", _text(summary.get("description")))
    keep("official", "nomenclaturestatus", _text(summary.get("nomenclaturestatus")))
    keep("aliases", "otheraliases", _list(summary.get("otheraliases"), ","))
    keep("designations", "otherdesignations", _list(summary.get("otherdesignations"), "|"))
    organism_json = summary.get("organism")
    organism: Mapping[str, Json] = (
        organism_json if isinstance(organism_json, Mapping) else {"scientificname": organism_json}
    )
    keep("species", "organism/scientificname", _text(organism.get("scientificname")))
    keep("taxid", "organism/taxid", _text(organism.get("taxid")))
    keep("chromosome", "chromosome", _text(summary.get("chromosome")))
    keep("band", "maplocation", _text(summary.get("maplocation")))
    keep("mim", "mim", _list(summary.get("mim"), ","))
    keep("replaced_by", "currentid", _replacement_id(summary.get("currentid"), uid))
    keep("status", "status", _text(summary.get("status")))
    keep("summary", "summary", _text(summary.get("summary")))
    places = _places_of(summary, at)
    for name, value in (places[0] if places else {}).items():
        if name in ("location", "assembly"):
            keep(name, places[0]["pointer"].removeprefix(at), value)
    keep("places", "genomicinfo", list(places))
    keep("previous", "locationhist", _previous(summary, at))
    raw = {
        name: _text(summary.get(field))
        for name, field in (("aliases", "otheraliases"), ("designations", "otherdesignations"))
    }
    return NcbiRecord(
        record_curie("gene", uid),
        "gene",
        values,
        pointers=pointers,
        raw={k: v for k, v in raw.items() if k in values},
    )


WITHDRAWN = (
    "1",
    "2",
    "secondary",
    "discontinued",
    "withdrawn",
    "replaced",
)  # what `status` says of a dead record


def _places_of(summary: Mapping[str, Json], at: str) -> list[dict[str, str]]:
    """Places with accession.version, 1-based, their assembly and their pointer: those on
    chromosomes of GRCh38 where there are any, else the first (CHM13, alternate loci and patches may
    stand before them). A gene of the pseudoautosomal regions has two, on X and on Y.
    """
    names = {
        _text(history_entry.get("chraccver")): _text(history_entry.get("assemblyaccver"))
        for history_entry in _listed(summary.get("locationhist"))
        if isinstance(history_entry, Mapping)
    }
    places = []
    for number, genomic_info in enumerate(_listed(summary.get("genomicinfo"))):
        if place := _one_place(genomic_info):
            place["assembly"] = place["assembly"] or names.get(
                place["location"].partition(":")[0], ""
            )
            places.append({**place, "pointer": f"{at}genomicinfo/{number}"})
    return [place for place in places if place["assembly"] == "GRCh38"] or places[:1]


def _previous(summary: Mapping[str, Json], at: str) -> list[Json]:
    """The newest place on GRCh37, of the record's history of places."""
    for number, history_entry in enumerate(_listed(summary.get("locationhist"))):
        on_grch37 = (
            isinstance(history_entry, Mapping)
            and _text(history_entry.get("assemblyaccver")) == GRCH37
        )
        if on_grch37 and (place := _one_place(history_entry)):
            place["assembly"] = place["assembly"] or "GRCh37"
            return [{**place, "pointer": f"{at}locationhist/{number}"}]
    return []


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _one_place(genomic_info: Json) -> dict[str, str]:
    try:
        start, stop = int(genomic_info["chrstart"]), int(genomic_info["chrstop"])
    except (KeyError, TypeError, ValueError):
        return {}
    accession, strand = _text(genomic_info.get("chraccver")), "+" if start <= stop else "-"
    low, high = min(start, stop) + 1, max(start, stop) + 1
    if not accession or low < 1:
        return {}
    chromosome = GRCH38_CHROMOSOMES.get(accession) or _text(genomic_info.get("chrloc"))
    location = f"{accession}:{low}-{high}({strand})"
    return {
        "location": location,
        "assembly": assembly_of(accession),
        "chromosome": chromosome,
        "chraccver": accession,
        "chrstart": str(start),
        "chrstop": str(stop),
        "exoncount": _text(genomic_info.get("exoncount")),
    }


def _replacement_id(value: Json, uid: str) -> str:
    """The id that took a record's place; nothing when that is none, or the record itself."""
    current_id = _text(value)
    return current_id if current_id.isdigit() and current_id != uid else ""


def _text(value: Json) -> str:
    return " ".join(str(value).split()) if value is not None else ""


def _list(value: Json, separator: str) -> list[str]:
    """NCBI gives lists as one text; a later answer may give a real list. A comma inside a name has
    no space after.
    """
    text = "" if value is None or isinstance(value, list) else str(value)
    between = ", " if separator == "," and ", " in text else separator
    parts = value if isinstance(value, list) else text.split(between)
    return [part for part in (_text(part) for part in parts) if part]


# ------------------------------------------------------------------ the type of a gene
TYPES = (
    *("protein-coding", "pseudo", "biological-region", "unknown", "other", "transposon"),
    *("ncRNA", "rRNA", "tRNA", "snRNA", "scRNA", "snoRNA", "miscRNA"),
)


def _type(value: Json) -> str:
    """A type as Entrez Gene spells it; Datasets writes PROTEIN_CODING."""
    type_text = _text(value).replace("_", "-")
    return next(
        (known_type for known_type in TYPES if known_type.lower() == type_text.lower()), type_text
    )


def gene_types_from_xml(root: ET.Element) -> list[NcbiRecord]:
    """`Entrezgene_type` of every gene of an efetch answer in XML."""
    records = []
    for gene in root.iter("Entrezgene"):
        uid = (gene.findtext(".//Gene-track_geneid") or "").strip()
        kind = gene.find("Entrezgene_type")
        if uid and kind is not None:
            name = kind.get("value") or (kind.text or "").strip()
            where = f"//Entrezgene[.//Gene-track_geneid='{uid}']/Entrezgene_type"
            values = {"type": name, "symbol": gene.findtext(".//Gene-ref_locus") or ""}
            pointers = {
                "type": where + ("/@value" if kind.get("value") else ""),
                "symbol": ".//Gene-ref_locus",
            }
            records.append(NcbiRecord(record_curie("gene", uid), "gene", values, pointers))
    return records


_DATASETS = {
    "ensembl": "ensembl_gene_ids",
    "taxid": "tax_id",
    "species": "taxname",
    "name": "description",
    "uniprot": "swiss_prot_accessions",
    "hgnc": "nomenclature_authority/identifier",
    "go": "gene_ontology",
}
ASPECTS = {
    "function": "molecular_functions",
    "process": "biological_processes",
    "component": "cellular_components",
}


def _hgnc(authority: Json) -> str:
    identifier = str(authority.get("identifier") or "") if isinstance(authority, Mapping) else ""
    return identifier if identifier.startswith("HGNC:") else ""


def _ontology(ontology: Json, at: str) -> list[Json]:
    """The terms of a gene: id, name, aspect, evidence code, qualifier, PMIDs and pointer."""
    terms: list[Json] = []
    groups = ontology if isinstance(ontology, Mapping) else {}
    for aspect, group in ASPECTS.items():
        for number, annotation in enumerate(_listed(groups.get(group))):
            if not isinstance(annotation, Mapping) or not annotation.get("go_id"):
                continue
            source = annotation.get("reference")
            pmids = _listed(source.get("pmids")) if isinstance(source, Mapping) else []
            terms.append(
                {
                    "id": str(annotation["go_id"]),
                    "name": _text(annotation.get("name")),
                    "aspect": aspect,
                    "code": _text(annotation.get("evidence_code")),
                    "qualifier": _text(annotation.get("qualifier")).upper(),
                    "pmids": ",".join(map(str, pmids)),
                    "pointer": f"{at}gene_ontology/{group}/{number}",
                }
            )
    return terms


def gene_types_from_datasets(answer: Mapping[str, Json]) -> list[NcbiRecord]:
    """Type, symbol and Ensembl ids of every gene of a Datasets v2 answer (`/gene/id/…`)."""
    records = []
    for number, report in enumerate(answer.get("reports") or []):
        gene = report.get("gene") if isinstance(report, Mapping) else None
        if isinstance(gene, Mapping) and gene.get("gene_id"):
            at = f"/reports/{number}/gene/"
            values = {
                "type": _type(gene.get("type")),
                "symbol": gene.get("symbol", ""),
                "ensembl": list(gene.get("ensembl_gene_ids") or []),
                "taxid": str(gene.get("tax_id") or ""),
                "species": str(gene.get("taxname") or ""),
                "name": str(gene.get("description") or ""),
                "uniprot": list(gene.get("swiss_prot_accessions") or []),
                "hgnc": _hgnc(gene.get("nomenclature_authority")),
                "go": _ontology(gene.get("gene_ontology"), at),
            }
            nonempty = {name: value for name, value in values.items() if value}
            pointers = {name: at + _DATASETS.get(name, name) for name in nonempty}
            raw = {"type": str(gene.get("type", ""))}
            records.append(
                NcbiRecord(
                    record_curie("gene", str(gene["gene_id"])),
                    "gene",
                    nonempty,
                    pointers=pointers,
                    raw=raw,
                )
            )
    return records
