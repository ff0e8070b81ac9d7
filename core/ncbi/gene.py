"""Gene records: esummary JSON, efetch XML (for the type of a gene) and NCBI Datasets v2.

efetch *text* is never read: it garbles one gene in thirty. esummary is 0-based and gives start >
stop on the minus strand; values here are 1-based and inclusive.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from core.model import Json
from core.ncbi.record import NcbiRecord, record_curie

HUMAN = "9606"
TAXA = {
    "human": HUMAN,
    "mouse": "10090",
    "rat": "10116",
    "zebrafish": "7955",
    "chicken": "9031",
    "worm": "6239",
    "yeast": "559292",
    "fly": "7227",
}
NAMES = {
    "human": "Homo sapiens",
    "mouse": "Mus musculus",
    "rat": "Rattus norvegicus",
    "zebrafish": "Danio rerio",
    "chicken": "Gallus gallus",
    "worm": "Caenorhabditis elegans",
    "yeast": "Saccharomyces cerevisiae",
    "fly": "Drosophila melanogaster",
}


def species_search_term(species: str) -> str:
    """What a search calls a species: NCBI knows no worm, yeast or fly by that one word."""
    return NAMES[species] if species in ("worm", "yeast", "fly") else species


GRCH38_CHROMOSOMES = (
    {  # RefSeq accession.version of each chromosome of GRCh38 (NCBI assembly GCF_000001405)
        f"NC_{number:06d}.{version}": name
        for number, version, name in zip(
            range(1, 25),
            (
                11,
                12,
                12,
                12,
                10,
                12,
                14,
                11,
                12,
                11,
                10,
                12,
                11,
                9,
                10,
                10,
                11,
                10,
                10,
                11,
                9,
                11,
                11,
                10,
            ),
            [*map(str, range(1, 23)), "X", "Y"],
            strict=True,
        )
    }
    | {"NC_012920.1": "MT"}
)


def assembly_of(accession: str) -> str:
    """The human assembly of a chromosome accession: GRCh38, GRCh37, T2T-CHM13v2.0, or nothing."""
    if accession in GRCH38_CHROMOSOMES:
        return "GRCh38"
    if re.fullmatch(r"NC_0609(2[5-9]|3\d|4[0-8])\.1", accession):
        return "T2T-CHM13v2.0"
    number, _, version = accession.partition(".")
    if any(known.startswith(number + ".") for known in GRCH38_CHROMOSOMES):
        known = next(
            grch38_chromosome
            for grch38_chromosome in GRCH38_CHROMOSOMES
            if grch38_chromosome.startswith(number + ".")
        )
        return (
            "GRCh37"
            if version.isdigit() and int(version) == int(known.partition(".")[2]) - 1
            else "older than GRCh37"
        )
    return ""


def gene_summary(uid: str, given: Mapping[str, Json]) -> NcbiRecord:
    """One record of an esummary answer in JSON."""
    at = f"/result/{uid}/"
    values: dict[str, Json] = {}
    pointers: dict[str, str] = {}

    def keep(name: str, field: str, value: Json) -> None:
        if value not in (None, "", [], "0", 0):
            values[name], pointers[name] = value, at + field

    official = _text(given.get("nomenclaturesymbol"))
    keep("uid", "uid", _text(given.get("uid")))
    keep(
        "symbol", "nomenclaturesymbol" if official else "name", official or _text(given.get("name"))
    )
    keep("name", "description", _text(given.get("description")))
    keep("official", "nomenclaturestatus", _text(given.get("nomenclaturestatus")))
    keep("aliases", "otheraliases", _list(given.get("otheraliases"), ","))
    keep("designations", "otherdesignations", _list(given.get("otherdesignations"), "|"))
    said = given.get("organism")
    organism: Mapping[str, Json] = said if isinstance(said, Mapping) else {"scientificname": said}
    keep("species", "organism/scientificname", _text(organism.get("scientificname")))
    keep("taxid", "organism/taxid", _text(organism.get("taxid")))
    keep("chromosome", "chromosome", _text(given.get("chromosome")))
    keep("band", "maplocation", _text(given.get("maplocation")))
    keep("mim", "mim", _list(given.get("mim"), ","))
    keep("replaced_by", "currentid", _other(given.get("currentid"), uid))
    keep("status", "status", _text(given.get("status")))
    keep("summary", "summary", _text(given.get("summary")))
    places = _places_of(given, at)
    for name, value in (places[0] if places else {}).items():
        if name in ("location", "assembly"):
            keep(name, places[0]["pointer"].removeprefix(at), value)
    keep("places", "genomicinfo", list(places))
    keep("previous", "locationhist", _previous(given, at))
    raw = {
        name: _text(given.get(field))
        for name, field in (("aliases", "otheraliases"), ("designations", "otherdesignations"))
    }
    return NcbiRecord(
        record_curie("gene", uid),
        "gene",
        values,
        pointers,
        {k: v for k, v in raw.items() if k in values},
    )


WITHDRAWN = (
    "1",
    "2",
    "secondary",
    "discontinued",
    "withdrawn",
    "replaced",
)  # what `status` says of a dead record


def _places_of(given: Mapping[str, Json], at: str) -> list[dict[str, str]]:
    """Places with accession.version, 1-based, their assembly and their pointer: those on
    chromosomes of GRCh38 where there are any, else the first (CHM13, alternate loci and patches may
    stand before them). A gene of the pseudoautosomal regions has two, on X and on Y.
    """
    names = {
        _text(one.get("chraccver")): _text(one.get("assemblyaccver"))
        for one in _listed(given.get("locationhist"))
        if isinstance(one, Mapping)
    }
    found = []
    for number, one in enumerate(_listed(given.get("genomicinfo"))):
        if place := _one_place(one):
            place["assembly"] = place["assembly"] or names.get(
                place["location"].partition(":")[0], ""
            )
            found.append({**place, "pointer": f"{at}genomicinfo/{number}"})
    return [one for one in found if one["assembly"] == "GRCh38"] or found[:1]


GRCH37 = "GCF_000001405.25"  # NCBI's accession of GRCh37.p13


def _previous(given: Mapping[str, Json], at: str) -> list[Json]:
    """The newest place on GRCh37, of the record's history of places."""
    for number, one in enumerate(_listed(given.get("locationhist"))):
        known = isinstance(one, Mapping) and _text(one.get("assemblyaccver")) == GRCH37
        if known and (place := _one_place(one)):
            place["assembly"] = place["assembly"] or "GRCh37"
            return [{**place, "pointer": f"{at}locationhist/{number}"}]
    return []


def _listed(given: Json) -> list[Json]:
    return given if isinstance(given, list) else []


def _one_place(given: Json) -> dict[str, str]:
    try:
        start, stop = int(given["chrstart"]), int(given["chrstop"])
    except (KeyError, TypeError, ValueError):
        return {}
    accession, strand = _text(given.get("chraccver")), "+" if start <= stop else "-"
    low, high = min(start, stop) + 1, max(start, stop) + 1
    if not accession or low < 1:
        return {}
    chromosome = GRCH38_CHROMOSOMES.get(accession) or _text(given.get("chrloc"))
    location = f"{accession}:{low}-{high}({strand})"
    return {
        "location": location,
        "assembly": assembly_of(accession),
        "chromosome": chromosome,
        "chraccver": accession,
        "chrstart": str(start),
        "chrstop": str(stop),
        "exoncount": _text(given.get("exoncount")),
    }


def _other(value: Json, uid: str) -> str:
    """The id that took a record's place; nothing when that is none, or the record itself."""
    found = _text(value)
    return found if found.isdigit() and found != uid else ""


def _text(value: Json) -> str:
    return " ".join(str(value).split()) if value is not None else ""


def _list(value: Json, separator: str) -> list[str]:
    """NCBI gives lists as one text; a later answer may give a real list. A comma inside a name has
    no space after.
    """
    text = "" if value is None or isinstance(value, list) else str(value)
    between = ", " if separator == "," and ", " in text else separator
    parts = value if isinstance(value, list) else text.split(between)
    return [part for part in (_text(one) for one in parts) if part]


# ------------------------------------------------------------------ the type of a gene
TYPES = (
    *("protein-coding", "pseudo", "biological-region", "unknown", "other", "transposon"),
    *("ncRNA", "rRNA", "tRNA", "snRNA", "scRNA", "snoRNA", "miscRNA"),
)


def _type(given: Json) -> str:
    """A type as Entrez Gene spells it; Datasets writes PROTEIN_CODING."""
    said = _text(given).replace("_", "-")
    return next((one for one in TYPES if one.lower() == said.lower()), said)


def gene_types_from_xml(root: ET.Element) -> list[NcbiRecord]:
    """`Entrezgene_type` of every gene of an efetch answer in XML."""
    found = []
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
            found.append(NcbiRecord(record_curie("gene", uid), "gene", values, pointers))
    return found


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


def _hgnc(given: Json) -> str:
    said = str(given.get("identifier") or "") if isinstance(given, Mapping) else ""
    return said if said.startswith("HGNC:") else ""


def _ontology(given: Json, at: str) -> list[Json]:
    """The terms of a gene: id, name, aspect, evidence code, qualifier, PMIDs and pointer."""
    found: list[Json] = []
    groups = given if isinstance(given, Mapping) else {}
    for aspect, group in ASPECTS.items():
        for number, one in enumerate(_listed(groups.get(group))):
            if not isinstance(one, Mapping) or not one.get("go_id"):
                continue
            source = one.get("reference")
            pmids = _listed(source.get("pmids")) if isinstance(source, Mapping) else []
            found.append(
                {
                    "id": str(one["go_id"]),
                    "name": _text(one.get("name")),
                    "aspect": aspect,
                    "code": _text(one.get("evidence_code")),
                    "qualifier": _text(one.get("qualifier")).upper(),
                    "pmids": ",".join(map(str, pmids)),
                    "pointer": f"{at}gene_ontology/{group}/{number}",
                }
            )
    return found


def gene_types_from_datasets(given: Mapping[str, Json]) -> list[NcbiRecord]:
    """Type, symbol and Ensembl ids of every gene of a Datasets v2 answer (`/gene/id/…`)."""
    found = []
    for number, report in enumerate(given.get("reports") or []):
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
            kept = {name: value for name, value in values.items() if value}
            pointers = {name: at + _DATASETS.get(name, name) for name in kept}
            raw = {"type": str(gene.get("type", ""))}
            found.append(
                NcbiRecord(record_curie("gene", str(gene["gene_id"])), "gene", kept, pointers, raw)
            )
    return found
