"""The one order of vocabularies: which of those that hold a thing names it first.

A slot's schema says it (its prefixes and vocabularies, in order), else the project for a kind of
thing, else the order of kinds here. Engines, marks by hand, corrections, the search of terms and
imports all ask `ordered_names`, so that the same words get the same id whichever way they came.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.curie import preferred_prefix
from core.model import Category

_KINDS = {
    Category.CHEMICAL: "chebi mesh drugbank unii",
    Category.DISEASE: "mondo hp mesh doid omim orpha efo",
    Category.PHENOTYPE: "hp mp mondo mesh",
    Category.GENE: (
        "hgnc famplex hgnc_genegroup ncbigene mgi rgd mirbase complexportal uniprot mesh"
    ),
    Category.PROTEIN: "hgnc famplex uniprot ncbigene complexportal hgnc_genegroup mesh",
    Category.VARIANT: "so",
    Category.ANATOMY: "uberon cl go mesh",
    Category.CELL: "cl cellosaurus efo mesh",
    Category.PROCESS: "go mesh",
    Category.PATHWAY: "go reactome",
    Category.ORGANISM: "ncbitaxon mesh",
    Category.FOOD: "foodon mesh",
    Category.ENVIRONMENT: "envo ecto mesh",
    Category.PROCEDURE: "maxo mesh obi",
    Category.QUALITY: "pato",
    Category.UNIT: "ucum uo",
    Category.RELATION: "relation biolink ro",
}
# where the kind is not known: vocabularies of one kind first; MeSH, which holds every kind, after
# them, and cell lines and brand names, many of which are other words, last
_ANY = """
    mondo hp chebi hgnc go uberon cl ncbitaxon maxo foodon envo so pato mesh doid ncbigene famplex
    drugbank unii mgi rgd hgnc_genegroup complexportal mirbase reactome ecto efo eco obi
    cellosaurus uo ucum relation biolink ro
"""
_PREFIXES = {
    "famplex": "FPLX", "hgnc_genegroup": "hgnc.genegroup", "orpha": "ORPHA", "uniprot": "UniProtKB",
    "relation": "", "gene": "NCBIGene",
}  # fmt: skip


def ordered_names(
    names: Iterable[str], category: Category = Category.THING, project: Sequence[str] = ()
) -> tuple[str, ...]:
    """Names of vocabularies in the order in which they are preferred for a kind of thing: the
    project's own order first, then that of the kind, then all others.

    >>> ordered_names(["mesh", "mondo", "chebi"], Category.DISEASE)
    ('mondo', 'mesh', 'chebi')
    >>> ordered_names(["mesh", "mondo", "chebi"], Category.DISEASE, project=["mesh"])
    ('mesh', 'mondo', 'chebi')
    """
    order = [*project, *_KINDS.get(category, "").split(), *_ANY.split()]
    places = {name: place for place, name in reversed(list(enumerate(order)))}
    return tuple(sorted(names, key=lambda name: (places.get(name, len(order)), name)))


def names_of_kind(category: Category) -> tuple[str, ...]:
    """The vocabularies that things of a kind are usually found in, the preferred one first."""
    return tuple(_KINDS.get(category, "").split())


def preferred_id(
    ids: Iterable[str],
    category: Category = Category.THING,
    *,
    prefixes: Sequence[str] = (),
    project: Sequence[str] = (),
) -> str:
    """Which of several ids of one thing names it: by the prefixes that a schema lists in order,
    else by the order of vocabularies. Equal ones by the alphabet.

    >>> preferred_id(["MESH:D003924", "MONDO:0005148"], Category.DISEASE)
    'MONDO:0005148'
    >>> preferred_id(["MESH:D003924", "MONDO:0005148"], Category.DISEASE, prefixes=["MESH"])
    'MESH:D003924'
    """
    order = [preferred_prefix(prefix) for prefix in prefixes]
    names = [*project, *_KINDS.get(category, "").split(), *_ANY.split()]
    order += [_PREFIXES.get(name) or preferred_prefix(name) for name in names]
    places = {prefix: place for place, prefix in reversed(list(enumerate(order)))}
    return min(ids, key=lambda id: (places.get(id.partition(":")[0], len(order)), id))


def kinds_and_vocabularies() -> Mapping[Category, tuple[str, ...]]:
    """Every kind of thing that vocabularies hold, with those of its things in order."""
    return {category: tuple(names.split()) for category, names in _KINDS.items()}
