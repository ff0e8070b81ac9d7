"""What kind of thing a class stands for: written in the schema, else read off its prefixes,
vocabularies and name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.model import Category

# A vocabulary of one kind of thing. MESH, NCIT, UMLS, SNOMED and the like hold many kinds and say
# nothing.
_BY_VOCABULARY = {
    Category.CHEMICAL: (
        "chebi drugbank chembl.compound pubchem.compound rxnorm unii drugcentral atc cas mdm dron"
    ),
    Category.DISEASE: "mondo doid omim omimps orpha ordo gard medic icd10 icd10cm",
    Category.GENE: (
        "hgnc ncbigene ensembl mgi rgd fplx hgnc.genegroup mirbase zfin flybase wormbase sgd"
        " pombase tair"
    ),
    Category.VARIANT: "dbsnp clinvar hgvs so caid",
    Category.PROTEIN: "pr uniprotkb uniprot interpro pfam complexportal",
    Category.PHENOTYPE: "hp mp upheno meddra wbphenotype",
    Category.ANATOMY: "uberon emapa fma ma zfa",
    Category.CELL: "cl clo cellosaurus",
    Category.PATHWAY: "react wikipathways smpdb kegg reactome",
    Category.PROCESS: "go",
    Category.ORGANISM: "ncbitaxon gtdb vbo itis gbif",
    Category.FOOD: "foodon cdno",
    Category.ENVIRONMENT: "envo gaz ecso ecto exo",
    Category.PROCEDURE: "maxo obi chmo",
    Category.QUALITY: "pato oba to",
    Category.UNIT: "uo ucum om",
    Category.RELATION: "ro biolink",
    Category.PUBLICATION: "pmid doi pmc",
}
_VOCABULARIES = {
    name: category for category, names in _BY_VOCABULARY.items() for name in names.split()
}
# The last word of a class name that is listed decides; "GeneticVariant" is a variant.
_BY_WORD = {
    Category.CHEMICAL: (
        "chemical chemicals drug drugs compound molecule metabolite medication substance nutrient"
    ),
    Category.DISEASE: "disease disorder condition diagnosis syndrome cancer tumor tumour",
    Category.GENE: "gene genes locus allele",
    Category.VARIANT: "variant variants mutation polymorphism snp",
    Category.PROTEIN: "protein enzyme receptor antibody complex",
    Category.PHENOTYPE: "phenotype symptom symptoms sign onset effect inheritance finding trait",
    Category.ANATOMY: "anatomy organ tissue anatomical structure",
    Category.CELL: "cell",
    Category.PATHWAY: "pathway",
    Category.PROCESS: "process function activity mechanism event pathology action",
    Category.ORGANISM: "organism species taxon taxa strain host animal plant breed",
    Category.FOOD: "food ingredient recipe dish",
    Category.ENVIRONMENT: (
        "environment environmental location biome habitat material exposure ecosystem place country"
    ),
    Category.PROCEDURE: (
        "treatment procedure therapy intervention method assay technique diagnostic"
    ),
    Category.DEVICE: "device equipment instrument utensil",
    Category.QUALITY: "quality characteristic severity qualifier state measurement variable",
    Category.UNIT: "unit units",
    Category.RELATION: "predicate relation relationship",
    Category.PUBLICATION: "publication article document paper",
}
_WORDS = {word: category for category, words in _BY_WORD.items() for word in words.split()}


def class_category(
    *,
    written: str = "",
    name: str = "",
    prefixes: Sequence[str] = (),
    annotators: Sequence[str] = (),
    uri: str = "",
) -> Category:
    """The category of a class: `written` if it is one, else by the first sign that speaks for a
    single kind.
    """
    if written.strip().lower() in set(Category):
        return Category(written.strip().lower())
    signs = [_vocabulary(prefixes[:1]), _name(name), _name(uri.rsplit(":", 1)[-1])]
    signs += [_vocabulary(prefixes), _vocabulary(annotators)]
    return next((sign for sign in signs if sign), Category.THING)


def category_of_prefix(prefix: str) -> Category | None:
    """What the terms of an id prefix or a vocabulary are; None where they are of many kinds."""
    return _VOCABULARIES.get(prefix.lower())


def _vocabulary(names: Iterable[str]) -> Category | None:
    return next(
        (_VOCABULARIES[name.lower()] for name in names if name.lower() in _VOCABULARIES), None
    )


def _name(name: str) -> Category | None:
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    return next((_WORDS[word] for word in reversed(words) if word in _WORDS), None)
