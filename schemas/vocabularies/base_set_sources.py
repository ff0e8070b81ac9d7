"""The vocabularies of the base set: from which tables each is made, by which rule, and what is said
of it where the tables' own list (`STATS.json`) does not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import base_set_rules as rules

HUMAN, MOUSE, RAT = "NCBITaxon:9606", "NCBITaxon:10090", "NCBITaxon:10116"
_REMOVED_DIALECT = re.compile(r"^(?:has|is) ")


@dataclass(frozen=True, slots=True)
class SourceVocabulary:
    """How one vocabulary of the set is made.

    `tables` are files of `lexicons_2026`; the first brings parents and obsolete ids too. Names of
    the tables in `more` go to ids that are there already; those of `former`, of older tables in
    `lexicons`, only if no other term bears them now. `keep` chooses the terms; without it all stay.
    `holds` are the categories of all terms, where the vocabulary holds one kind of thing. Into one
    that must stay `unaltered` nothing is merged.
    """

    name: str
    title: str
    tables: tuple[str, ...]
    site: str
    more: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    keep: rules.Rule | None = None
    holds: tuple[str, ...] = ()
    taxon: str = ""
    changes: str = ""
    without: re.Pattern[str] | None = None
    unaltered: bool = False
    write_small: bool = False


SOURCES = (
    SourceVocabulary(
        "mondo", "Mondo", ("mondo",), "https://mondo.monarchinitiative.org",
        more=("mondo_related_2024",), holds=("disease",),
        changes="names only; related names of a release of 2024",
    ),
    SourceVocabulary(
        "mesh", "MeSH", ("mesh_desc",), "https://www.nlm.nih.gov/mesh",
        former=("mesh_desc",),
        changes="tree numbers became parents; entry terms of the edition of 2015 that the tables of"
        " 2024 lack; of the supplementary records the diseases, substances with a plain name, and"
        " what a collection of 47,000 abstracts names",
    ),
    SourceVocabulary(
        "chebi", "ChEBI", ("chebi",), "https://www.ebi.ac.uk/chebi", more=("chebi_more_names",),
        former=("chebi",),
        keep=rules.substances, holds=("chemical",),
        changes="names only; substances with a label that can be said, further names, or in a"
        " collection of 47,000 abstracts; elements by their bare names; names of drugs from the FDA"
        " and MeSH",
    ),
    SourceVocabulary(
        "hgnc", "HGNC", ("hgnc",), "https://www.genenames.org", former=("hgnc",),
        holds=("gene",), taxon=HUMAN,
        changes="alias and previous names of a table of 2025; names of proteins from MeSH",
    ),
    SourceVocabulary(
        "hp", "HPO", ("hp",), "https://hpo.jax.org", holds=("phenotype",), unaltered=True,
        changes="ids, labels, synonyms and their scopes letter by letter as HPO wrote them, and its"
        " is_a hierarchy; definitions are left out, nothing is added",
    ),
    SourceVocabulary(
        "go", "Gene Ontology", ("go",), "https://geneontology.org", changes="names only",
    ),
    SourceVocabulary(
        "drugbank", "DrugBank (open data)", ("drugbank_open",), "https://go.drugbank.com",
        holds=("chemical",), changes="ids and common names; further names are the FDA's",
    ),
    SourceVocabulary(
        "unii", "UNII (drugs)", ("unii_drugs",), "https://precision.fda.gov/uniisearch",
        keep=rules.unlinked_drugs, holds=("chemical",), write_small=True,
        changes="drugs that neither ChEBI nor DrugBank has by name; written small",
    ),
    SourceVocabulary(
        "ncbigene", "NCBI Gene (human)", (), "https://www.ncbi.nlm.nih.gov/gene",
        keep=rules.approved_genes, holds=("gene",), taxon=HUMAN,
        changes="human genes that HGNC has in 2024, with their names of 2016",
    ),
    SourceVocabulary(
        "mgi", "MGI (mouse genes)", ("mgi",), "https://www.informatics.jax.org",
        keep=rules.rodent_genes, holds=("gene",), taxon=MOUSE,
        changes="symbols and synonyms of genes that have a human orthologue, or stand in a"
        " collection of 47,000 abstracts",
    ),
    SourceVocabulary(
        "rgd", "RGD (rat genes)", ("rgd",), "https://rgd.mcw.edu",
        keep=rules.rodent_genes, holds=("gene",), taxon=RAT,
        changes="symbols and synonyms of genes that have a human orthologue, or stand in a"
        " collection of 47,000 abstracts",
    ),
    SourceVocabulary(
        "famplex", "FamPlex (families and complexes)", ("famplex",),
        "https://github.com/sorgerlab/famplex", holds=("gene",),
    ),
    SourceVocabulary(
        "hgnc_genegroup", "HGNC gene groups", ("hgnc_genegroup",), "https://www.genenames.org",
        holds=("gene",),
    ),
    SourceVocabulary(
        "complexportal", "Complex Portal", ("complexportal",),
        "https://www.ebi.ac.uk/complexportal", holds=("protein",),
    ),
    SourceVocabulary(
        "mirbase", "miRBase (human)", ("mirbase",), "https://www.mirbase.org",
        keep=rules.human_hairpins, holds=("gene",), taxon=HUMAN, changes="human hairpins",
    ),
    SourceVocabulary(
        "doid", "Disease Ontology", ("doid",), "https://disease-ontology.org", holds=("disease",),
    ),
    SourceVocabulary(
        "uberon", "Uberon", ("uberon",), "https://uberon.org", holds=("anatomy",),
        changes="names only",
    ),
    SourceVocabulary(
        "cl", "Cell Ontology", ("cl",), "https://obophenotype.github.io/cell-ontology",
        holds=("cell",), changes="names only",
    ),
    SourceVocabulary(
        "cellosaurus", "Cellosaurus", ("cellosaurus",), "https://www.cellosaurus.org",
        keep=rules.cell_lines, holds=("cell",),
        changes="names only; lines of DepMap, and others with a short name of letters and digits"
        " that no gene bears; no stock numbers, banked stem cells, hybridomas and knock-outs",
    ),
    SourceVocabulary(
        "ncbitaxon", "NCBI Taxonomy (slim)", ("ncbitaxon_slim",),
        "https://www.ncbi.nlm.nih.gov/taxonomy", more=("ncbitaxon_more_names",),
        keep=rules.organisms, holds=("organism",),
        changes="bacteria, archaea and viruses; of all else what has a common name or a record in"
        " MeSH, or stands in a collection of 47,000 abstracts",
    ),
    SourceVocabulary(
        "envo", "Environment Ontology", ("envo",), "https://environmentontology.org",
        holds=("environment",),
    ),
    SourceVocabulary(
        "foodon", "FoodOn", (), "https://foodon.org", holds=("food",), without=_REMOVED_DIALECT,
        changes="the part that ECTO imports",
    ),
    SourceVocabulary(
        "maxo", "Medical Action Ontology", ("maxo",),
        "https://github.com/monarch-initiative/MAxO", holds=("procedure",), changes="names only",
    ),
    SourceVocabulary(
        "efo", "Experimental Factor Ontology", ("efo",), "https://www.ebi.ac.uk/efo",
        changes="EFO's own terms, names only",
    ),
    SourceVocabulary(
        "reactome", "Reactome (human pathways)", ("reactome_human",), "https://reactome.org",
        holds=("pathway",),
    ),
    SourceVocabulary(
        "so", "Sequence Ontology", ("so",), "http://www.sequenceontology.org",
        changes="names only",
    ),
    SourceVocabulary(
        "pato", "Phenotype and Trait Ontology", ("pato",),
        "https://github.com/pato-ontology/pato", holds=("quality",), changes="names only",
    ),
    SourceVocabulary(
        "eco", "Evidence and Conclusion Ontology", ("eco",), "https://evidenceontology.org",
    ),
    SourceVocabulary("obi", "Ontology for Biomedical Investigations", ("obi",),
                     "http://obi-ontology.org", changes="names only"),
    SourceVocabulary(
        "ecto", "Exposure Ontology (ECTO)", ("ecto",),
        "https://github.com/EnvironmentOntology/environmental-exposure-ontology",
        holds=("environment",),
    ),
    SourceVocabulary("ro", "Relation Ontology", (), "https://oborel.github.io",
                     holds=("relation",), changes="names only"),
    SourceVocabulary("biolink", "Biolink Model predicates", (),
                     "https://biolink.github.io/biolink-model", holds=("relation",)),
    SourceVocabulary(
        "uo", "Units of Measurement Ontology", (),
        "https://github.com/bio-ontology-research-group/unit-ontology", holds=("unit",),
    ),
    SourceVocabulary("ucum", "UCUM", (), "https://ucum.org", holds=("unit",)),
)  # fmt: skip

# what of a vocabulary stands elsewhere than in `lexicons_2026`: its old table, its date, its
# attribution and licence
ELSEWHERE = {
    "ncbigene": ("ncbigene_human_2016", "2016", "NCBI Gene, U.S. National Library of Medicine",
                 "public domain"),
    "foodon": ("foodon", "", "FoodOn, as imported by ECTO", "CC BY 4.0"),
    "uo": ("uo", "2026-01-16", "Units of Measurement Ontology", "CC BY 3.0"),
    "ucum": ("ucum", "", "Unified Code for Units of Measure, Regenstrief Institute",
             "UCUM copyright: free use, no modification of codes"),
    "ro": ("", "2025-12-17", "OBO Relation Ontology", "CC0 1.0"),
    "biolink": ("", "4.4.6", "Biolink Model", "CC0 1.0"),
}  # fmt: skip
PARENTS_ELSEWHERE = {"foodon": "foodon_ecto_import.owl.gz", "uo": "uo.obo.gz"}
