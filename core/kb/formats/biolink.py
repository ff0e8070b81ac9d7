"""Which Biolink predicate, association class and category a statement has in KGX.

Predicates come from an explicit table (`biolink_predicates.tsv`, Biolink Model 4.4.6) and the lines
of `OWN`; a relation in neither becomes `biolink:related_to`. Where the model's domain or range does
not take the kinds of things that are tied (a thing of an unknown kind is a NamedThing), the nearest
wider predicate that does stands instead; the file keeps the original beside it.
Association classes are chosen only where the model's own domain, range and predicate constraints
hold; `biolink:Association` is right everywhere else.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.curie import preferred_prefix
from core.kb.rdf import iri
from core.model import Category, Node, Term

PREFIX = "biolink:"
RELATED = "related_to"
NAMED_THING = PREFIX + "NamedThing"
TABLE = Path(__file__).with_name("biolink_predicates.tsv")
# Relations of our schemas that the model maps nowhere, or to a wider word than it has itself.
OWN = {
    "RO:0003302": "contributes_to",  # causes or contributes to condition
    "RO:0002211": "regulates",
    "RO:0002212": "regulates",  # negatively regulates
    "RO:0002213": "regulates",  # positively regulates
    "RO:0002447": "affects",  # phosphorylates
    "RO:0002449": "regulates",  # directly negatively regulates activity of
    "RO:0002450": "regulates",  # directly positively regulates activity of
    "RO:0004003": "condition_associated_with_gene",  # has material basis in germline mutation in
    "skos:exactMatch": "exact_match",
    "skos:closeMatch": "close_match",
    "skos:broadMatch": "broad_match",
    "skos:narrowMatch": "narrow_match",
    "skos:relatedMatch": "related_to_at_concept_level",
}
SAME = frozenset(f"skos:{name}Match" for name in ("exact", "close", "broad", "narrow"))  # of `OWN`
# What a term is by the vocabulary that it is from, where the statement itself does not say.
BY_VOCABULARY = {
    "CHEBI": Category.CHEMICAL,
    "CHEMBL.COMPOUND": Category.CHEMICAL,
    "DRUGBANK": Category.CHEMICAL,
    "PUBCHEM.COMPOUND": Category.CHEMICAL,
    "RXNORM": Category.CHEMICAL,
    "MONDO": Category.DISEASE,
    "DOID": Category.DISEASE,
    "OMIM": Category.DISEASE,
    "ORPHA": Category.DISEASE,
    "HP": Category.PHENOTYPE,
    "MP": Category.PHENOTYPE,
    "HGNC": Category.GENE,
    "NCBIGene": Category.GENE,
    "MGI": Category.GENE,
    "PR": Category.PROTEIN,
    "UniProtKB": Category.PROTEIN,
    "DBSNP": Category.VARIANT,
    "ClinVar": Category.VARIANT,
    "UBERON": Category.ANATOMY,
    "CL": Category.CELL,
    "NCBITaxon": Category.ORGANISM,
    "FOODON": Category.FOOD,
    "ENVO": Category.ENVIRONMENT,
    "REACT": Category.PATHWAY,
    "MAXO": Category.PROCEDURE,
    "PATO": Category.QUALITY,
    "PMID": Category.PUBLICATION,
    "PMC": Category.PUBLICATION,
    "DOI": Category.PUBLICATION,
}

_CHEMICAL = frozenset({Category.CHEMICAL})
_GENE = frozenset({Category.GENE, Category.PROTEIN})  # Biolink's "gene or gene product"
_DISEASE, _PHENOTYPE = frozenset({Category.DISEASE}), frozenset({Category.PHENOTYPE})
_CONDITION = _DISEASE | _PHENOTYPE
_PLACE = frozenset({Category.ANATOMY, Category.CELL})
_PATHWAY = frozenset({Category.PATHWAY})
_PROCESS = frozenset({Category.PROCESS, Category.PATHWAY})
_VARIANT = frozenset({Category.VARIANT})
_TAXON = frozenset({Category.ORGANISM})
_TREATS = "treats_or_applied_or_studied_to_treat"
# Subject, predicate ("" for any; else it or a narrower one), object, class. The first that fits.
# Example: aspirin (chemical), treats, headache (phenotype): the first line.
ASSOCIATIONS = (
    (
        _CHEMICAL,
        _TREATS,
        _CONDITION,
        "ChemicalOrDrugOrTreatmentToDiseaseOrPhenotypicFeatureAssociation",
    ),
    (
        _CHEMICAL,
        "has_adverse_event",
        _CONDITION,
        "ChemicalOrDrugOrTreatmentAdverseEventAssociation",
    ),
    (_CHEMICAL, "has_side_effect", _CONDITION, "ChemicalOrDrugOrTreatmentSideEffectAssociation"),
    (_CHEMICAL, "", _CONDITION, "ChemicalEntityToDiseaseOrPhenotypicFeatureAssociation"),
    (_CHEMICAL, "", _CHEMICAL, "ChemicalEntityToChemicalEntityAssociation"),
    (_CHEMICAL, "interacts_with", _GENE, "ChemicalGeneInteractionAssociation"),
    (_CHEMICAL, "", _PATHWAY, "ChemicalEntityToPathwayAssociation"),
    (_CHEMICAL, "", _PLACE, "ChemicalEntityToAnatomicalEntityAssociation"),
    (_GENE, "homologous_to", _GENE, "GeneToGeneHomologyAssociation"),
    (_GENE, "interacts_with", _GENE, "PairwiseGeneToGeneInteraction"),
    (_GENE, "", _GENE, "GeneToGeneAssociation"),
    (_GENE, "", _DISEASE, "GeneToDiseaseAssociation"),
    (_GENE, "", _PHENOTYPE, "GeneToPhenotypicFeatureAssociation"),
    (_GENE, "", _PATHWAY, "GeneToPathwayAssociation"),
    (_GENE, "expressed_in", _PLACE, "GeneToExpressionSiteAssociation"),
    (_VARIANT, "", _PHENOTYPE, "VariantToPhenotypicFeatureAssociation"),
    (_DISEASE, "", _PHENOTYPE, "DiseaseToPhenotypicFeatureAssociation"),
    (_DISEASE, "associated_with", _DISEASE, "DiseaseToDiseaseAssociation"),
    (_PHENOTYPE, "", _PHENOTYPE, "PhenotypicFeatureToPhenotypicFeatureAssociation"),
    (_CONDITION, "", _PLACE, "DiseaseOrPhenotypicFeatureToLocationAssociation"),
    (_PROCESS, "regulates", _PROCESS, "ProcessRegulatesProcessAssociation"),
    (_PLACE, "part_of", _PLACE, "AnatomicalEntityPartOfAnatomicalEntityAssociation"),
    (_PLACE, "has_part", _PLACE, "AnatomicalEntityHasPartAnatomicalEntityAssociation"),
    (_TAXON, "subclass_of", _TAXON, "OrganismTaxonToOrganismTaxonSpecialization"),
    (_TAXON, "interacts_with", _TAXON, "OrganismTaxonToOrganismTaxonInteraction"),
)


def biolink_predicate(relation: Term) -> str:
    """The Biolink predicate of a relation, without its prefix.

    >>> biolink_predicate(Term("biolink:treats", "")), biolink_predicate(Term("RO:0002606", ""))
    ('treats', 'treats')
    """
    name = relation.id.removeprefix(PREFIX)
    if relation.id.startswith(PREFIX) and name in parent_predicates():
        return name
    return OWN.get(relation.id) or mapped_relations().get(relation.id, RELATED)


def says_the_same(relation: Term, name: str) -> bool:
    """Whether a predicate says what a relation does, and not something wider.

    >>> causes = Term("biolink:causes", "causes")
    >>> says_the_same(causes, "causes"), says_the_same(causes, "contributes_to")
    (True, False)
    """
    if relation.id in SAME:
        return OWN[relation.id] == name
    return relation.id == PREFIX + name or relation.id in exact_relations()[name]


@cache
def fitting_predicate(name: str, subject: Category, object_: Category) -> str:
    """The predicate, or the nearest wider one whose domain and range take these kinds of things.

    >>> fitting_predicate("treats", Category.CHEMICAL, Category.DISEASE)
    'treats'
    >>> fitting_predicate("treats", Category.GENE, Category.FOOD)
    'related_to_at_instance_level'
    """
    return next(
        wider
        for wider in (*with_wider_predicates(name), RELATED)
        if all(
            not kinds or end in kinds
            for end, kinds in zip((subject, object_), ends_taken()[wider], strict=True)
        )
    )


def biolink_category(thing: Term | Node) -> Category:
    """What a thing is: as its statements say, else by its vocabulary."""
    if thing.category is not Category.THING or isinstance(thing, Node):
        return thing.category
    return BY_VOCABULARY.get(preferred_prefix(thing.id.partition(":")[0]), Category.THING)


def category_class(thing: Term | Node) -> str:
    """The Biolink class of a thing: `biolink:Disease`; NamedThing where Biolink has none.

    >>> category_class(Term("MONDO:0005148", "type 2 diabetes mellitus"))
    'biolink:Disease'
    """
    return class_of(biolink_category(thing))


def class_of(kind: Category) -> str:
    name = iri.CLASSES[kind]
    own = name.removeprefix(iri.BIOLINK)
    return PREFIX + own if own != name else NAMED_THING


@cache
def association_class(subject: Category, name: str, object_: Category) -> str:
    """The most specific association class whose constraints the edge keeps.

    >>> association_class(Category.GENE, "gene_associated_with_condition", Category.DISEASE)
    'biolink:GeneToDiseaseAssociation'
    """
    wider = with_wider_predicates(name)
    for subjects, ancestors_wanted, objects, cls in ASSOCIATIONS:
        if (
            subject in subjects
            and object_ in objects
            and (not ancestors_wanted or ancestors_wanted in wider)
        ):
            return PREFIX + cls
    return PREFIX + "Association"


@cache
def with_wider_predicates(name: str) -> tuple[str, ...]:
    """A predicate and the wider ones above it.

    >>> with_wider_predicates("causes")
    ('causes', 'contributes_to', 'related_to_at_instance_level', 'related_to')
    """
    line = [name]
    while above := parent_predicates().get(line[-1], ""):
        line.append(above)
    return tuple(line)


@cache
def parent_predicates() -> dict[str, str]:
    """Each predicate of the model and the one above it."""
    return {row["predicate"]: row["parent"] for row in _rows()}


@cache
def ends_taken() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Each predicate and the kinds of things it takes as subject and as object; empty for all."""
    return {row["predicate"]: (_parts(row["subjects"]), _parts(row["objects"])) for row in _rows()}


@cache
def exact_relations() -> dict[str, frozenset[str]]:
    """Each predicate and the relations of other vocabularies that say the same."""
    return {row["predicate"]: _parts(row["exact"]) for row in _rows()}


@cache
def mapped_relations() -> dict[str, str]:
    """Relations of other vocabularies and the predicate that the model maps them to."""
    return {
        relation: row["predicate"]
        for row in _rows()
        for relation in _parts(row["exact"]) | _parts(row["narrower"])
    }


def _parts(cell: str) -> frozenset[str]:
    return frozenset(cell.split("|")) - {""}


@cache
def _rows() -> tuple[dict[str, str], ...]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    head, *rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return tuple(dict(zip(head, row, strict=True)) for row in rows)
