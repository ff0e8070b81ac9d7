"""CURIEs and IRIs: the prefixes that the desk uses, as Bioregistry writes them, without a network.

`PREFIXES` maps the preferred prefix to its IRI prefix (OBO PURLs for OBO ontologies,
identifiers.org or the authority's own elsewhere). A schema may add its own, which go first. Lookups
fold case and known synonyms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from core.errors import InputError

if TYPE_CHECKING:
    import curies

_OBO = """
    APO BAO BFO BSPO BTO CHEBI CHMO CL CLO CMO CHIRO COB CVDO DOID DRON ECO ECTO EFO_OBO EMAPA ENVO
    EUPATH FAO FBbt FBcv FIX FMA FOODON GAZ GENEPIO GENO GO GSSO HANCESTRO HP HsapDv IAO IDO LEPAO
    MA MAXO MF MFOMD MI MMO MmusDv MOD MONDO MP MPATH MS NBO NCBITaxon NCIT OAE OBA OBI OBIB OGMS
    OMIT OMRSE OPL PATO PCO PO PR PW RO RXNO SBO SO STATO SYMP TO TRANS TXPO UBERON UO UPHENO VO VT
    WBbt WBPhenotype XAO XCO XPO ZECO ZFA ZP ExO CDNO
"""
PREFIXES: dict[str, str] = {
    prefix: f"http://purl.obolibrary.org/obo/{prefix}_" for prefix in _OBO.split()
} | {
    "biolink": "https://w3id.org/biolink/vocab/",
    "linkml": "https://w3id.org/linkml/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dcterms": "http://purl.org/dc/terms/",
    "prov": "http://www.w3.org/ns/prov#",
    "pav": "http://purl.org/pav/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "schema": "http://schema.org/",
    "sh": "http://www.w3.org/ns/shacl#",
    "np": "http://www.nanopub.org/nschema#",
    "npx": "http://purl.org/nanopub/x/",
    "oboInOwl": "http://www.geneontology.org/formats/oboInOwl#",
    "sssom": "https://w3id.org/sssom/",
    "semapv": "https://w3id.org/semapv/vocab/",
    "qudt": "http://qudt.org/schema/qudt/",
    "UCUM": "http://unitsofmeasure.org/ucum/",
    "orcid": "https://orcid.org/",
    "PMID": "http://www.ncbi.nlm.nih.gov/pubmed/",
    "PMC": "http://www.ncbi.nlm.nih.gov/pmc/articles/PMC",
    "DOI": "https://doi.org/",
    "ISBN": "https://identifiers.org/isbn:",
    "CAS": "https://identifiers.org/cas:",
    "MESH": "http://id.nlm.nih.gov/mesh/",
    "OMIM": "https://omim.org/entry/",
    "OMIMPS": "https://omim.org/phenotypicSeries/PS",
    "ORPHA": "http://www.orpha.net/ORDO/Orphanet_",
    "UMLS": "https://uts.nlm.nih.gov/uts/umls/concept/",
    "SNOMED": "http://snomed.info/id/",
    "ICD10": "https://icd.who.int/browse10/2019/en#/",
    "ICD10CM": "http://purl.bioontology.org/ontology/ICD10CM/",
    "MEDDRA": "http://purl.bioontology.org/ontology/MEDDRA/",
    "RXNORM": "http://purl.bioontology.org/ontology/RXNORM/",
    "ATC": "http://purl.bioontology.org/ontology/ATC/",
    "LOINC": "https://loinc.org/",
    "GARD": "https://rarediseases.info.nih.gov/diseases/",
    "EFO": "http://www.ebi.ac.uk/efo/EFO_",
    "HGNC": "http://identifiers.org/hgnc/",
    "NCBIGene": "https://www.ncbi.nlm.nih.gov/gene/",
    "ENSEMBL": "https://identifiers.org/ensembl:",
    "UniProtKB": "http://purl.uniprot.org/uniprot/",
    "DBSNP": "https://www.ncbi.nlm.nih.gov/snp/",
    "ClinVar": "https://www.ncbi.nlm.nih.gov/clinvar/variation/",
    "RefSeq": "https://www.ncbi.nlm.nih.gov/nuccore/",
    "INSDC": "https://www.ncbi.nlm.nih.gov/nuccore/",
    "HGVS": "https://identifiers.org/hgvs:",
    "SPDI": "https://api.ncbi.nlm.nih.gov/variation/v0/spdi/",
    "CAID": "https://reg.genome.network/allele/",
    "MGI": "http://www.informatics.jax.org/accession/MGI:",
    "RGD": "https://rgd.mcw.edu/rgdweb/report/gene/main.html?id=",
    "ZFIN": "https://zfin.org/",
    "FlyBase": "https://flybase.org/reports/",
    "WormBase": "https://wormbase.org/get?name=",
    "SGD": "https://www.yeastgenome.org/locus/",
    "PomBase": "https://www.pombase.org/gene/",
    "TAIR": "https://www.arabidopsis.org/servlets/TairObject?accession=",
    "DRUGBANK": "https://go.drugbank.com/drugs/",
    "CHEMBL.COMPOUND": "https://identifiers.org/chembl.compound:",
    "PUBCHEM.COMPOUND": "http://rdf.ncbi.nlm.nih.gov/pubchem/compound/CID",
    "FPLX": "https://identifiers.org/fplx:",
    "hgnc.genegroup": "https://www.genenames.org/data/genegroup/#!/group/",
    "complexportal": "https://www.ebi.ac.uk/complexportal/complex/",
    "mirbase": "https://www.mirbase.org/hairpin/",
    "UNII": "https://precision.fda.gov/uniisearch/srs/unii/",
    "DrugCentral": "https://drugcentral.org/drugcard/",
    "KEGG": "http://www.kegg.jp/entry/",
    "REACT": "http://www.reactome.org/PathBrowser/#/",
    "WIKIPATHWAYS": "http://identifiers.org/wikipathways/",
    "SMPDB": "http://identifiers.org/smpdb/",
    "RHEA": "http://rdf.rhea-db.org/",
    "EC": "https://www.enzyme-database.org/query.php?ec=",
    "InterPro": "https://identifiers.org/interpro:",
    "PFAM": "https://identifiers.org/pfam:",
    "CDD": "https://www.ncbi.nlm.nih.gov/Structure/cdd/cddsrv.cgi?uid=",
    "Cellosaurus": "https://www.cellosaurus.org/",
    "MIXS": "https://w3id.org/mixs/",
    "AGRO": "http://purl.obolibrary.org/obo/AGRO_",
    "GTDB": "https://gtdb.ecogenomic.org/tree?r=",
    "WIKIDATA": "http://www.wikidata.org/entity/",
    "SIO": "http://semanticscience.org/resource/SIO_",
    "biotools": "https://bio.tools/",
}
_SYNONYMS = {
    "pubmed": "PMID",
    "pmcid": "PMC",
    "ncbi gene": "NCBIGene",
    "ncbi_gene": "NCBIGene",
    "entrez": "NCBIGene",
    "geneid": "NCBIGene",
    "taxid": "NCBITaxon",
    "taxonomy": "NCBITaxon",
    "ncbitaxonomy": "NCBITaxon",
    "uniprot": "UniProtKB",
    "hpo": "HP",
    "mesh_descriptor": "MESH",
    "msh": "MESH",
    "mim": "OMIM",
    "orphanet": "ORPHA",
    "orpha": "ORPHA",
    "rs": "DBSNP",
    "snp": "DBSNP",
    "umls_cui": "UMLS",
    "snomedct": "SNOMED",
    "sctid": "SNOMED",
    "fb": "FlyBase",
    "wb": "WormBase",
    "cellosaurus": "Cellosaurus",
    "reactome": "REACT",
}
# Where a person looks a thing up, if its IRI is not the page to look at.
_PAGES = {
    "PMID": "https://pubmed.ncbi.nlm.nih.gov/",
    "PMC": "https://pmc.ncbi.nlm.nih.gov/articles/PMC",
    "MESH": "https://meshb.nlm.nih.gov/record/ui?ui=",
    "UniProtKB": "https://www.uniprot.org/uniprotkb/",
    "NCBITaxon": "https://www.ncbi.nlm.nih.gov/datasets/taxonomy/",
    "CHEBI": "https://www.ebi.ac.uk/chebi/CHEBI:",
    "HGNC": "https://www.genenames.org/data/gene-symbol-report/#!/hgnc_id/HGNC:",
    "GO": "https://amigo.geneontology.org/amigo/term/GO:",
    "HP": "https://hpo.jax.org/browse/term/HP:",
    "MONDO": "https://monarchinitiative.org/MONDO:",
    "WIKIDATA": "https://www.wikidata.org/wiki/",
    "PUBCHEM.COMPOUND": "https://pubchem.ncbi.nlm.nih.gov/compound/",
    "KEGG": "https://www.kegg.jp/entry/",
    "ORPHA": "https://www.orpha.net/en/disease/detail/",
    "UCUM": "",
}
# Where else the same things are addressed; the IRI of our exports is that of PREFIXES.
_OTHER_IRIS = {
    "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#": "NCIT",  # NCI's own OWL file
    "http://linkedlifedata.com/resource/umls/id/": "UMLS",
    "http://www.genenames.org/cgi-bin/gene_symbol_report?hgnc_id=": "HGNC",
    "https://www.genenames.org/data/gene-symbol-report/#!/hgnc_id/": "HGNC",
    "https://www.ncbi.nlm.nih.gov/pubmed/": "PMID",
    "https://pubmed.ncbi.nlm.nih.gov/": "PMID",
    "http://dx.doi.org/": "DOI",
    "https://meshb.nlm.nih.gov/record/ui?ui=": "MESH",
    "https://monarchinitiative.org/": "",  # followed by a CURIE
    "https://www.uniprot.org/uniprot/": "UniProtKB",
    "https://www.uniprot.org/uniprotkb/": "UniProtKB",
    "http://www.ebi.ac.uk/ontology/EFO_": "EFO",
    "http://rdf.ebi.ac.uk/resource/chembl/molecule/": "CHEMBL.COMPOUND",
    "http://www.wikidata.org/wiki/": "WIKIDATA",
}
# `https://identifiers.org/hgnc:1100`, `http://identifiers.org/hgnc/1100`, BioPortal's
# `http://purl.bioontology.org/ontology/SNOMEDCT/386661006`
_RESOLVED = re.compile(
    r"https?://(?:(?:www\.)?identifiers\.org|bioregistry\.io|n2t\.net"
    r"|purl\.bioontology\.org/ontology)/([A-Za-z_][\w.\-]*)[:/](\S+)"
)
# `MONDO_0005148`, `Orphanet_558`: the end of an IRI, as tables and people write it
_UNDERSCORED = re.compile(r"([A-Za-z][A-Za-z.]*)_([A-Za-z]{0,4}\d[\w.\-]*)")
_CURIE = re.compile(r"([A-Za-z_][A-Za-z0-9_.\-]*):([^\s<>\"{}|\\^`\[\]]+)")
_ADDRESSES = "http https ftp ftps sftp ws wss file mailto tel data blob about view-source"
_WEB = frozenset([*_ADDRESSES.split(), "javascript", "vbscript"])
_SAFE = "/:.-_~!$&'()*+,;=@#?%"


def is_curie(curie: str) -> bool:
    """Whether `curie` has the form prefix:local, without white space, quotes or markup; never a web
    address or a script.

    >>> is_curie("MONDO:0005148"), is_curie("MONDO_0005148"), is_curie("https://omim.org/entry/1")
    (True, False, False)
    """
    return _CURIE.fullmatch(curie) is not None and not is_address(curie)


def is_address(text: str) -> bool:
    """Whether `text` begins as a web address or a script does (`https:`, `javascript:`, `data:`),
    which is never an id, however its rest is written.

    >>> is_address("doi:10.1/x"), is_address("javascript:alert(1)")
    (False, True)
    """
    scheme, colon, local = text.strip().partition(":")
    return bool(colon) and (scheme.casefold() in _WEB or local.startswith("//"))


def split_curie(curie: str) -> tuple[str, str]:
    """Prefix as written and local id. Raises InputError for what is not a CURIE.

    >>> split_curie("mesh:D003924")
    ('mesh', 'D003924')
    """
    if not is_curie(curie):
        raise InputError(f"{curie[:80]!r} is not an id of the form PREFIX:123.")
    prefix, _, local = curie.partition(":")
    return prefix, local


def preferred_prefix(prefix: str) -> str:
    """The way the desk writes a prefix; one it does not know stays.

    >>> preferred_prefix("mesh"), preferred_prefix("uniprot"), preferred_prefix("MyLab")
    ('MESH', 'UniProtKB', 'MyLab')
    """
    if prefix in PREFIXES:
        return prefix
    return _folded().get(prefix.casefold(), prefix)


def normal_curie(curie: str) -> str:
    """The CURIE of an id as people write it (see `curie_as_written`). Raises InputError for what is
    none.

    >>> normal_curie("hgnc:HGNC:1100")
    'HGNC:1100'
    >>> normal_curie("type 2 diabetes")
    Traceback (most recent call last):
        ...
    core.errors.InputError: 'type 2 diabetes' is not an id of the form PREFIX:123.
    """
    written = curie_as_written(curie)
    if not written:
        split_curie(curie.strip())  # says what is wrong
        raise InputError(f"{curie[:80]!r} is not an id of the form PREFIX:123.")
    return written


def curie_as_written(text: str, prefixes: Mapping[str, str] | None = None) -> str:
    """The CURIE that an id means, as people write it: with another case of its prefix or with it
    twice, with an underscore, as an IRI of its authority or of a resolver. Empty for what is none.

    >>> curie_as_written("hgnc:HGNC:5"), curie_as_written("MONDO_0005148")
    ('HGNC:5', 'MONDO:0005148')
    >>> curie_as_written("http://www.orpha.net/ORDO/Orphanet_558")
    'ORPHA:558'
    """
    words = text.strip()
    if is_address(words.strip("<>")):
        words = contract_iri(words.strip("<>"), prefixes)
    if is_curie(words):
        prefix, _, local = words.partition(":")
        prefix = preferred_prefix(prefix)
        return f"{prefix}:{local.removeprefix(prefix + ':')}"
    underscored = underscored_id(words)
    return underscored if underscored and is_known_prefix(underscored.partition(":")[0]) else ""


def underscored_id(text: str) -> str:
    """`MONDO_0005148` as a CURIE, whether its prefix is known or not; empty for other words.

    >>> underscored_id("MONDO_0005148"), underscored_id("LAB_7"), underscored_id("asthma")
    ('MONDO:0005148', 'LAB:7', '')
    """
    match = _UNDERSCORED.fullmatch(text)
    return f"{preferred_prefix(match[1])}:{match[2]}" if match else ""


def is_known_prefix(prefix: str) -> bool:
    """Whether the desk knows the IRI of a prefix by itself."""
    return preferred_prefix(prefix) in PREFIXES


def expand_curie(curie: str, prefixes: Mapping[str, str] | None = None) -> str:
    """The IRI of a CURIE. Raises InputError when the prefix is known neither in `prefixes` nor
    here.

    >>> expand_curie("mesh:D003924")
    'http://id.nlm.nih.gov/mesh/D003924'
    >>> expand_curie("lab:7", {"lab": "https://example.org/sample/"})
    'https://example.org/sample/7'
    """
    prefix, local = split_curie(curie)
    base = (prefixes or {}).get(prefix) or PREFIXES.get(preferred_prefix(prefix))
    if base is None:
        raise InputError(
            f"The prefix {prefix} of {curie[:80]} is not known.", "Add it to the schema's prefixes."
        )
    return base + quote(local, safe=_SAFE, errors="replace")


def contract_iri(iri: str, prefixes: Mapping[str, str] | None = None) -> str:
    """The CURIE of an IRI by the longest IRI prefix that fits, with `http` or `https`, or as
    resolvers write it; the empty text when none does.

    >>> contract_iri("https://identifiers.org/hgnc:1100")
    'HGNC:1100'
    >>> contract_iri("https://meshb.nlm.nih.gov/record/ui?ui=D003924")
    'MESH:D003924'
    """
    converter = _converter(tuple(sorted((prefixes or {}).items())))
    curie = unquote(converter.compress(iri) or converter.compress(_other_scheme(iri)) or "")
    return curie if is_curie(curie) else _resolved(iri)


def _other_scheme(iri: str) -> str:
    scheme, _, rest = iri.partition("://")
    return f"{'http' if scheme == 'https' else 'https'}://{rest}"


def _resolved(iri: str) -> str:
    """The CURIE in an address of a resolver or another page about a thing, of a prefix that is
    known.
    """
    for other in (iri, _other_scheme(iri)):
        for base, prefix in _OTHER_IRIS.items():
            if other.startswith(base) and len(other) > len(base):
                local = other[len(base) :]
                curie = f"{prefix}:{local.removeprefix(prefix + ':')}" if prefix else local
                return curie if is_curie(curie) else ""
    match = _RESOLVED.fullmatch(iri)
    if match is None or not is_known_prefix(match[1]):
        return ""
    prefix, local = preferred_prefix(match[1]), unquote(match[2])
    repeated, colon, rest = local.partition(":")
    curie = f"{prefix}:{rest if colon and preferred_prefix(repeated) == prefix else local}"
    return curie if is_curie(curie) else ""


def web_link(curie: str) -> str:
    """Where a person can look the thing up (https), or the empty text.

    >>> web_link("PMID:31978945")
    'https://pubmed.ncbi.nlm.nih.gov/31978945'
    """
    if not is_curie(curie):
        return ""
    prefix, local = split_curie(curie)
    prefix = preferred_prefix(prefix)
    page = _PAGES.get(prefix, PREFIXES.get(prefix, ""))
    if prefix in ("PMC", "DBSNP"):
        local = local.removeprefix("PMC")
    return (
        page.replace("http://", "https://", 1) + quote(local, safe=_SAFE, errors="replace")
        if page
        else ""
    )


@cache
def _folded() -> dict[str, str]:
    return {prefix.casefold(): prefix for prefix in PREFIXES} | _SYNONYMS


@cache
def _converter(extra: tuple[tuple[str, str], ...]) -> curies.Converter:
    """IRI prefixes to prefixes, the given ones before ours; `curies` finds the longest that fits.

    Only this way goes through it: when expanding, a schema's own prefix goes first and local ids
    are percent-encoded, which a Converter does not do.
    """
    import curies  # takes a while, and most work needs none

    prefix_of: dict[str, str] = {}
    for prefix, base in (*extra, *PREFIXES.items()):
        prefix_of.setdefault(base, prefix)
    return curies.Converter.from_reverse_prefix_map(prefix_of)
