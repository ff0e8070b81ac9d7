"""The page on prefixes: where ours differ from prefixmaps, which follows Bioregistry, and why."""

from __future__ import annotations

import csv
from pathlib import Path

import prefixmaps

from core.curie import PREFIXES

HEAD = """
# Prefixes and their addresses

How CURIEs expand in Turtle, OWL and JSON-LD, compared with
[prefixmaps](https://github.com/linkml/prefixmaps) (its `merged` map, which follows Bioregistry). A
schema's own prefixes take precedence. {same} of our {count} prefixes are identical; the others are
listed here with the reason.
"""
ELSEWHERE = "Bioregistry lists ours as an alternative; it is the authority's own"
CASE = "only the case of the prefix differs; ours is the authority's"
# Prefixes that neither of the two explains.
WHY = {
    "BAO": "the PURL of the OBO Library, as for other ontologies",
    "EFO_OBO": "in no registry; ids written this way expand to an address of this form",
    "npx": "needed for signed nanopublications only",
    "UCUM": "under the system URI that FHIR assigns to UCUM",
    "PMID": "the address that Biolink uses; it opens the record",
    "OMIMPS": "OMIM phenotypic series, which are not OMIM entries",
    "ORPHA": "the ids of ORDO, as Mondo and HPO cite them",
    "SNOMED": "SNOMED International's own URI standard",
    "RXNORM": "BioPortal's, as in its RDF",
    "ATC": "BioPortal's, as in its RDF",
    "GARD": "the page of the disease at GARD",
    "UniProtKB": "the IRI in UniProt's own RDF",
    "RefSeq": "one address for both nucleotides and proteins",
    "INSDC": "NCBI's page for a nucleotide record",
    "HGVS": "in the form of Identifiers.org addresses",
    "SPDI": "NCBI's variation service",
    "CAID": "ClinGen's Allele Registry",
    "WormBase": "WormBase's resolver, which accepts all of its id types",
    "TAIR": "TAIR's resolver for accessions",
    "REACT": "Reactome's browser, which accepts any of its ids",
    "RHEA": "the IRI in Rhea's own RDF",
    "EC": "the enzyme's page in ExplorEnz, the official enzyme list",
    "mirbase": "miRBase's page for a hairpin, which is what its ids name",
    "GTDB": "GTDB's page for a genome or taxon",
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
