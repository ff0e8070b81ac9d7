"""The page on prefixes: where ours differ from prefixmaps, which follows Bioregistry, and why."""

from __future__ import annotations

import csv
from pathlib import Path

import prefixmaps

from core.curie import PREFIXES

HEAD = """
# Prefixes and their addresses

What a CURIE is written out as in Turtle, OWL and JSON-LD, beside
[prefixmaps](https://github.com/linkml/prefixmaps) (its map `merged`, which follows Bioregistry). A
schema's own prefixes go first. {same} of our {count} prefixes are the same; the others are listed
here, with the reason.
"""
ELSEWHERE = "Bioregistry lists ours as another address; it is the authority's own"
CASE = "only the case of the prefix differs; ours is the authority's"
# Prefixes that neither of the two explains.
WHY = {
    "BAO": "the PURL of the OBO Library, as for other ontologies",
    "EFO_OBO": "no registry has it; ids that are written so get an address of that form",
    "npx": "needed for signed nanopublications only",
    "UCUM": "below the system address that FHIR gives UCUM",
    "PMID": "the address that Biolink uses; it leads to the record",
    "OMIMPS": "phenotypic series are no entries of OMIM",
    "ORPHA": "the ids of ORDO, as Mondo and HPO cite them",
    "SNOMED": "SNOMED International's own URI standard",
    "RXNORM": "BioPortal's, as in its RDF",
    "ATC": "BioPortal's, as in its RDF",
    "GARD": "the page of the disease",
    "UniProtKB": "the IRI in UniProt's own RDF",
    "RefSeq": "one address for nucleotides and proteins",
    "INSDC": "NCBI's page of a nucleotide record",
    "HGVS": "in the form that Identifiers.org gives its addresses",
    "SPDI": "NCBI's service of variants",
    "CAID": "ClinGen's allele registry",
    "WormBase": "WormBase's resolver, which takes any kind of its ids",
    "TAIR": "the resolver of accessions",
    "REACT": "Reactome's browser takes any of its ids",
    "RHEA": "the IRI in Rhea's own RDF",
    "EC": "the enzyme's page; ExplorEnz is the list of the committee itself",
    "GTDB": "the tree's page of a genome or taxon",
    "WIKIDATA": "the IRI in Wikidata's own RDF",
}


def prefixes() -> str:
    """The page. Raises LookupError for a difference that nobody has explained."""
    theirs, others = _known()
    rows = []
    for prefix, address in sorted(PREFIXES.items(), key=lambda pair: pair[0].casefold()):
        known_prefix, known = theirs.get(prefix.casefold(), ("", ""))
        if (known_prefix, known) == (prefix, address):
            continue
        if prefix in WHY:
            why = WHY[prefix]
        elif known == address:
            why = CASE
        elif address in others.get(prefix.casefold(), ()):
            why = ELSEWHERE
        else:
            raise LookupError(f"{prefix}: say in docs/prefixes.py why it is {address}")
        shown = f"`{known_prefix}` `{known}`" if known else "none"
        rows.append(f"| `{prefix}` | `{address}` | {shown} | {why} |")
    head = HEAD.strip().format(same=len(PREFIXES) - len(rows), count=len(PREFIXES))
    table = ["| prefix | ours | prefixmaps | why |", "|---|---|---|---|", *rows]
    return f"{head}\n\n" + "\n".join(table) + "\n"


def _known() -> tuple[dict[str, tuple[str, str]], dict[str, set[str]]]:
    """Of each prefix, in one case: how it is written with its address, and all its addresses."""
    file = Path(prefixmaps.__file__).parent / "data" / "merged.csv"
    canonical: dict[str, tuple[str, str]] = {}
    every: dict[str, set[str]] = {}
    with file.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            folded, address = row["prefix"].casefold(), row["namespace"]
            every.setdefault(folded, set()).add(address)
            if row["status"] == "canonical":
                canonical.setdefault(folded, (row["prefix"], address))
    return canonical, every
