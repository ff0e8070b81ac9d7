"""NCBI Datasets v2 beyond the gene reports: the products of genes, and orthologs.

The forms are those of its OpenAPI document (`v2reportsProductDescriptor`, `v2reportsTranscript`,
`v2reportsGeneDataReports`); every value keeps the pointer of its place in the answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.model import Json
from core.ncbi.record import NcbiReading, NcbiRecord, record_curie

SELECTED = {"MANE_SELECT": "MANE Select", "MANE_PLUS_CLINICAL": "MANE Plus Clinical"}
SELECTED |= {"REFSEQ_SELECT": "RefSeq Select"}


def products(given: Mapping[str, Json]) -> NcbiReading:
    """A record a gene, with its transcripts and the protein of each. What a report counts and does
    not list is said.
    """
    records, warnings = [], []
    for number, report in enumerate(_listed(given.get("reports"))):
        product = report.get("product") if isinstance(report, Mapping) else None
        if not isinstance(product, Mapping) or not product.get("gene_id"):
            continue
        at = f"/reports/{number}/product"
        transcripts = [
            _transcript(one, f"{at}/transcripts/{place}")
            for place, one in enumerate(_listed(product.get("transcripts")))
            if isinstance(one, Mapping) and one.get("accession_version")
        ]
        counted = str(product.get("transcript_count") or "")
        if counted.isdigit() and int(counted) > len(transcripts):
            warnings.append(f"NCBI counts {counted} transcripts and lists {len(transcripts)}.")
        values: dict[str, Json] = {
            "symbol": str(product.get("symbol") or ""),
            "taxid": str(product.get("tax_id") or ""),
            "transcripts": transcripts,
            "counted": counted,
        }
        fields = {"taxid": "tax_id", "counted": "transcript_count"}
        kept = {name: value for name, value in values.items() if value}
        pointers = {name: f"{at}/{fields.get(name, name)}" for name in kept}
        records.append(
            NcbiRecord(record_curie("gene", str(product["gene_id"])), "gene", kept, pointers)
        )
    return NcbiReading(tuple(records), count=len(records), warnings=tuple(warnings))


def _transcript(given: Mapping[str, Json], at: str) -> dict[str, Json]:
    said = given.get("protein")
    protein: Mapping[str, Json] = said if isinstance(said, Mapping) else {}
    return {
        "accession": str(given["accession_version"]),
        "name": str(given.get("name") or ""),
        "length": str(given.get("length") or ""),
        "selected": SELECTED.get(str(given.get("select_category")), ""),
        "ensembl": str(given.get("ensembl_transcript") or ""),
        "protein": str(protein.get("accession_version") or ""),
        "protein_name": " ".join(
            filter(None, (str(protein.get(name) or "") for name in ("name", "isoform_name")))
        ),
        "residues": str(protein.get("length") or ""),
        "pointer": at,
    }


def orthologs(asked: str, given: Mapping[str, Json]) -> NcbiReading:
    """A record an ortholog of the gene `asked`, which stands among them itself; `following` is the
    token of the next page.
    """
    records = []
    for number, report in enumerate(_listed(given.get("reports"))):
        gene = report.get("gene") if isinstance(report, Mapping) else None
        if not isinstance(gene, Mapping) or not gene.get("gene_id"):
            continue
        at, uid = f"/reports/{number}/gene", str(gene["gene_id"])
        group = next(
            (
                (place, str(one["id"]))
                for place, one in enumerate(_listed(gene.get("gene_groups")))
                if isinstance(one, Mapping) and "Ortholog" in str(one.get("method"))
            ),
            None,
        )
        values: dict[str, Json] = {
            "uid": uid,
            "symbol": str(gene.get("symbol") or ""),
            "taxid": str(gene.get("tax_id") or ""),
            "species": str(gene.get("taxname") or ""),
            "common": str(gene.get("common_name") or ""),
            "ortholog_of": asked,
            "group": group[1] if group else "",
        }
        fields = {
            "uid": "gene_id",
            "taxid": "tax_id",
            "species": "taxname",
            "common": "common_name",
        }
        fields |= {"ortholog_of": "gene_id", "group": f"gene_groups/{group[0] if group else 0}/id"}
        kept = {name: value for name, value in values.items() if value}
        pointers = {name: f"{at}/{fields.get(name, name)}" for name in kept}
        raw = {"ortholog_of": uid}
        records.append(NcbiRecord(record_curie("gene", uid), "gene", kept, pointers, raw))
    counted = str(given.get("total_count") or "")
    count = int(counted) if counted.isdigit() else len(records)
    following = str(given.get("next_page_token") or "")
    return NcbiReading(tuple(records), count=count, following=following)


def _listed(given: Json) -> list[Json]:
    return given if isinstance(given, list) else []
