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


def product_records(answer: Mapping[str, Json]) -> NcbiReading:
    """A record a gene, with its transcripts and the protein of each. What a report counts and does
    not list is said.
    """
    records, warnings = [], []
    for number, report in enumerate(_listed(answer.get("reports"))):
        product = report.get("product") if isinstance(report, Mapping) else None
        if not isinstance(product, Mapping) or not product.get("gene_id"):
            continue
        at = f"/reports/{number}/product"
        transcripts = [
            _transcript(transcript, f"{at}/transcripts/{place}")
            for place, transcript in enumerate(_listed(product.get("transcripts")))
            if isinstance(transcript, Mapping) and transcript.get("accession_version")
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
        nonempty = {name: value for name, value in values.items() if value}
        pointers = {name: f"{at}/{fields.get(name, name)}" for name in nonempty}
        records.append(
            NcbiRecord(record_curie("gene", str(product["gene_id"])), "gene", nonempty, pointers)
        )
    return NcbiReading(tuple(records), count=len(records), warnings=tuple(warnings))


def _transcript(transcript: Mapping[str, Json], at: str) -> dict[str, Json]:
    protein_json = transcript.get("protein")
    protein: Mapping[str, Json] = protein_json if isinstance(protein_json, Mapping) else {}
    return {
        "accession": str(transcript["accession_version"]),
        "name": str(transcript.get("name") or ""),
        "length": str(transcript.get("length") or ""),
        "selected": SELECTED.get(str(transcript.get("select_category")), ""),
        "ensembl": str(transcript.get("ensembl_transcript") or ""),
        "protein": str(protein.get("accession_version") or ""),
        "protein_name": " ".join(
            filter(None, (str(protein.get(name) or "") for name in ("name", "isoform_name")))
        ),
        "residues": str(protein.get("length") or ""),
        "places": [
            place
            for number, location in enumerate(_listed(transcript.get("genomic_locations")))
            if isinstance(location, Mapping)
            and (place := _placed(location, f"{at}/genomic_locations/{number}"))["exons"]
        ],
        "pointer": at,
    }


def _placed(location: Mapping[str, Json], at: str) -> dict[str, Json]:
    """A transcript on one sequence, with its exons in their order; ends are 1-based and inclusive,
    `begin` below `end` on either strand.
    """
    span = location.get("genomic_range")
    way = str(span.get("orientation") or "") if isinstance(span, Mapping) else ""
    exons = [
        {
            "order": int(exon.get("order") or number + 1),
            "begin": str(exon["begin"]),
            "end": str(exon["end"]),
            "pointer": f"{at}/exons/{number}",
        }
        for number, exon in enumerate(_listed(location.get("exons")))
        if isinstance(exon, Mapping)
        and str(exon.get("begin")).isdigit()
        and str(exon.get("end")).isdigit()
    ]
    return {
        "accession": str(location.get("genomic_accession_version") or ""),
        "strand": {"plus": "+", "minus": "-"}.get(way, ""),
        "exons": sorted(exons, key=lambda exon: int(exon["order"])),
        "pointer": at,
    }


def ortholog_records(gene_number: str, answer: Mapping[str, Json]) -> NcbiReading:
    """A record an ortholog of the gene `gene_number`, which stands among them itself; `following`
    is the token of the next page.
    """
    records = []
    for number, report in enumerate(_listed(answer.get("reports"))):
        gene = report.get("gene") if isinstance(report, Mapping) else None
        if not isinstance(gene, Mapping) or not gene.get("gene_id"):
            continue
        at, uid = f"/reports/{number}/gene", str(gene["gene_id"])
        group = next(
            (
                (place, str(gene_group["id"]))
                for place, gene_group in enumerate(_listed(gene.get("gene_groups")))
                if isinstance(gene_group, Mapping) and "Ortholog" in str(gene_group.get("method"))
            ),
            None,
        )
        values: dict[str, Json] = {
            "uid": uid,
            "symbol": str(gene.get("symbol") or ""),
            "taxid": str(gene.get("tax_id") or ""),
            "species": str(gene.get("taxname") or ""),
            "common": str(gene.get("common_name") or ""),
            "ortholog_of": gene_number,
            "group": group[1] if group else "",
        }
        fields = {
            "uid": "gene_id",
            "taxid": "tax_id",
            "species": "taxname",
            "common": "common_name",
        }
        fields |= {"ortholog_of": "gene_id", "group": f"gene_groups/{group[0] if group else 0}/id"}
        nonempty = {name: value for name, value in values.items() if value}
        pointers = {name: f"{at}/{fields.get(name, name)}" for name in nonempty}
        raw = {"ortholog_of": uid}
        records.append(
            NcbiRecord(record_curie("gene", uid), "gene", nonempty, pointers=pointers, raw=raw)
        )
    counted = str(answer.get("total_count") or "")
    count = int(counted) if counted.isdigit() else len(records)
    following = str(answer.get("next_page_token") or "")
    return NcbiReading(tuple(records), count=count, following=following)


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
