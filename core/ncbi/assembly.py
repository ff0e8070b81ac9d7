"""The chromosomes of the human assemblies by their RefSeq accessions."""

from __future__ import annotations

import re

# the version of each chromosome's accession in GRCh38 (NCBI assembly GCF_000001405), 1 to 22, X, Y
_VERSIONS = (
    *(11, 12, 12, 12, 10, 12, 14, 11, 12, 11, 10, 12),
    *(11, 9, 10, 10, 11, 10, 10, 11, 9, 11, 11, 10),
)
_NAMES = [*map(str, range(1, 23)), "X", "Y"]
GRCH38_CHROMOSOMES = {  # RefSeq accession.version → the name of the chromosome
    f"NC_{number:06d}.{version}": name
    for number, (version, name) in enumerate(zip(_VERSIONS, _NAMES, strict=True), 1)
} | {"NC_012920.1": "MT"}
GRCH37 = "GCF_000001405.25"  # NCBI's accession of GRCh37.p13


def assembly_of(accession: str) -> str:
    """The human assembly of a chromosome accession: GRCh38, GRCh37, T2T-CHM13v2.0, or nothing."""
    if accession in GRCH38_CHROMOSOMES:
        return "GRCh38"
    if re.fullmatch(r"NC_0609(2[5-9]|3\d|4[0-8])\.1", accession):
        return "T2T-CHM13v2.0"
    number, _, version = accession.partition(".")
    current = next((name for name in GRCH38_CHROMOSOMES if name.startswith(f"{number}.")), "")
    if not current:
        return ""
    one_before = int(current.partition(".")[2]) - 1
    is_grch37 = version.isdigit() and int(version) == one_before
    return "GRCh37" if is_grch37 else "older than GRCh37"
