"""Which vocabularies can be installed by name: the authorities' own releases.

Addresses are constants of this file; nothing else is ever fetched, and redirects may lead to
`HOSTS` only. A new one is one more line in RELEASES. `{year}` in an address is this year, and where
that release is not out yet, the one before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

HOSTS = (
    "purl.obolibrary.org",
    "github.com",
    "raw.githubusercontent.com",
    "objects.githubusercontent.com",
    "release-assets.githubusercontent.com",
    "current.geneontology.org",
    "release.geneontology.org",
    "ftp.ebi.ac.uk",
    "nlmpubs.nlm.nih.gov",
    "ftp.ncbi.nlm.nih.gov",
    "storage.googleapis.com",
    "rest.uniprot.org",
)
_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class VocabularyRelease:
    """A release that can be downloaded. `file` is what it is called in the project; `largest` is
    the size cap in bytes; `md5` is an address that holds its checksum, relative to its own.
    """

    name: str
    title: str
    address: str
    file: str
    licence: str
    largest: int = 300 * _MB
    holds: tuple[str, ...] = ()
    md5: str = ""

    def addresses(self, year: int, mirror: str = "") -> Iterator[str]:
        """Where to ask, in order. `mirror` is a base URL that serves the files under their host and
        path (`https://mirror/purl.obolibrary.org/obo/hp.obo`).
        """
        for of_year in (year, year - 1) if "{year}" in self.address else (year,):
            address = self.address.replace("{year}", str(of_year))
            parts = urlsplit(address)
            path = parts.path + (f"?{parts.query}" if parts.query else "")
            yield f"{mirror.rstrip('/')}/{parts.netloc}{path}" if mirror else address


def _obo(
    name: str, title: str, path: str, licence: str, *, largest: int = 300
) -> VocabularyRelease:
    ending = path.rsplit(".", 1)[-1]
    address = f"https://purl.obolibrary.org/obo/{path}"
    return VocabularyRelease(
        name, title, address, file=f"{name}.{ending}", licence=licence, largest=largest * _MB
    )


_MESH = "https://nlmpubs.nlm.nih.gov/projects/mesh/MESH_FILES/xmlmesh"
_NLM = "free with attribution to the U.S. National Library of Medicine"
RELEASES: dict[str, VocabularyRelease] = {
    release.name: release
    for release in (
        VocabularyRelease(
            "mesh", "MeSH", f"{_MESH}/desc{{year}}.gz",
            file="mesh.xml.gz", licence=_NLM,
        ),
        VocabularyRelease(
            "mesh_supplementary", "MeSH supplementary records", f"{_MESH}/supp{{year}}.gz",
            file="mesh_supplementary.xml.gz", licence=_NLM,
        ),
        VocabularyRelease(
            "hgnc", "HGNC",
            "https://storage.googleapis.com/public-download-files/hgnc/tsv/tsv/"
            "hgnc_complete_set.txt",
            file="hgnc.txt", licence="CC0", holds=("gene",),
        ),
        VocabularyRelease(
            "ncbigene", "NCBI Gene (human)",
            "https://ftp.ncbi.nlm.nih.gov/gene/DATA/GENE_INFO/Mammalia/Homo_sapiens.gene_info.gz",
            file="ncbigene.txt.gz", licence="public domain", holds=("gene",),
        ),
        VocabularyRelease(
            "uniprot", "UniProt (human, reviewed)",
            "https://rest.uniprot.org/uniprotkb/stream?compressed=true&format=tsv&fields=accession"
            "%2Cid%2Cprotein_name%2Cgene_names%2Corganism_id&query=reviewed%3Atrue%20AND%20"
            "organism_id%3A9606",
            file="uniprot.tsv.gz", licence="CC BY 4.0", holds=("protein",),
        ),
        VocabularyRelease(
            "ncbitaxon_full", "NCBI Taxonomy (all)",
            "https://ftp.ncbi.nlm.nih.gov/pub/taxonomy/taxdmp.zip", file="ncbitaxon_full.zip",
            licence="public domain", holds=("organism",), md5=".md5",
        ),
        _obo("bto", "BRENDA Tissue Ontology", "bto.obo", "CC BY 4.0"),
        _obo("chebi", "ChEBI", "chebi/chebi_core.obo", "CC BY 4.0", largest=600),
        _obo("cl", "Cell Ontology", "cl/cl-basic.obo", "CC BY 4.0"),
        _obo("doid", "Disease Ontology", "doid.obo", "CC0 1.0"),
        _obo("emapa", "Mouse anatomy (EMAPA)", "emapa.obo", "CC BY 4.0"),
        _obo("envo", "Environment Ontology", "envo.obo", "CC0 1.0"),
        _obo("foodon", "FoodOn", "foodon.owl", "CC BY 4.0"),
        _obo("go", "Gene Ontology", "go/go-basic.obo", "CC BY 4.0"),
        _obo("hp", "HPO", "hp.obo", "HPO licence: free, with attribution"),
        _obo("maxo", "Medical Action Ontology", "maxo.obo", "CC BY 4.0"),
        _obo("mondo", "Mondo", "mondo.obo", "CC BY 4.0"),
        _obo("mp", "Mammalian Phenotype Ontology", "mp.obo", "CC BY 4.0"),
        _obo("ncbitaxon", "NCBI Taxonomy (slim)", "ncbitaxon/subsets/taxslim.obo",
             "public domain"),
        _obo("ncit", "NCI Thesaurus", "ncit.obo", "CC BY 4.0", largest=600),
        _obo("pato", "Phenotype and Trait Ontology", "pato.obo", "CC BY 3.0"),
        _obo("ro", "Relation Ontology", "ro.obo", "CC0 1.0"),
        _obo("so", "Sequence Ontology", "so.obo", "CC BY 4.0"),
        _obo("uberon", "Uberon", "uberon/basic.obo", "CC BY 3.0"),
        _obo("uo", "Units of Measurement Ontology", "uo.obo", "CC BY 3.0"),
    )
}  # fmt: skip
