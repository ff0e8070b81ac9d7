"""The IRIs of an export: terms by the prefix map, our own things under the project's base IRI."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import quote, unquote

from core.curie import contract_iri, expand_curie, is_curie
from core.errors import InputError
from core.model import Category, Node, Term, identity_json, json_digest

BIOLINK = "https://w3id.org/biolink/vocab/"
GROUNDWORK = "urn:groundwork:"  # what no shared vocabulary has a word for
QUALIFIER = "urn:groundwork:qualifier:"
UCUM_LITERAL = "https://w3id.org/cdt/ucum"  # "200 g" as one typed literal
ORCID = "https://orcid.org/"

CLASSES: dict[Category, str] = {
    Category.CHEMICAL: BIOLINK + "ChemicalEntity",
    Category.DISEASE: BIOLINK + "Disease",
    Category.GENE: BIOLINK + "Gene",
    Category.VARIANT: BIOLINK + "SequenceVariant",
    Category.PROTEIN: BIOLINK + "Protein",
    Category.PHENOTYPE: BIOLINK + "PhenotypicFeature",
    Category.ANATOMY: BIOLINK + "AnatomicalEntity",
    Category.CELL: BIOLINK + "Cell",
    Category.PROCESS: BIOLINK + "BiologicalProcess",
    Category.PATHWAY: BIOLINK + "Pathway",
    Category.ORGANISM: BIOLINK + "OrganismTaxon",
    Category.FOOD: BIOLINK + "Food",
    Category.ENVIRONMENT: BIOLINK + "EnvironmentalFeature",
    Category.PROCEDURE: BIOLINK + "Procedure",
    Category.DEVICE: BIOLINK + "Device",
    Category.QUALITY: BIOLINK + "Attribute",
    Category.UNIT: "http://qudt.org/schema/qudt/Unit",
    Category.RELATION: "http://www.w3.org/1999/02/22-rdf-syntax-ns#Property",
    Category.PUBLICATION: BIOLINK + "Publication",
    Category.THING: BIOLINK + "NamedThing",
}
CATEGORIES: dict[str, Category] = {iri: category for category, iri in CLASSES.items()}

# Names that Biolink gives to qualifiers; others are written under `urn:groundwork:qualifier:`.
_SIDES = ("aspect", "direction", "form_or_variant", "part", "derivative", "context")
BIOLINK_QUALIFIERS = frozenset(
    f"{side}_{name}_qualifier" for side in ("subject", "object") for name in _SIDES
) | {
    "qualified_predicate",
    *(
        f"{name}_qualifier"
        for name in ("causal_mechanism", "frequency", "severity", "onset", "sex", "stage")
    ),
    *(
        f"{name}_context_qualifier"
        for name in ("anatomical", "species", "disease", "population", "temporal")
    ),
}

# An absolute IRI by RFC 3987: no space, quote or bracket may stand in it
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[^\x00-\x20<>\"{}|\\^`\ud800-\udfff]+")


def checked_iri(iri: str) -> str:
    """The IRI, or InputError: rdflib takes a bad one and fails only when all is written."""
    if not _IRI.fullmatch(iri):
        raise InputError(
            f"{iri[:120]!r} is not an IRI: it contains white space or characters that are not "
            "allowed in an IRI."
        )
    return iri


def normalised_base(iri: str) -> str:
    """A project's base IRI, made to end in / or #.

    >>> normalised_base("https://example.org/kb"), normalised_base("https://example.org/kb#")
    ('https://example.org/kb/', 'https://example.org/kb#')
    """
    return checked_iri(iri if iri.endswith(("/", "#")) else iri + "/")


_SAFE = re.compile(r"[A-Za-z0-9_.~-]+")
_TERMS: dict[int, tuple[Mapping[str, str], dict[str, str]]] = {}
_MAPS, _KEPT = 8, 500_000  # prefix maps, and IRIs of each


def term_iri(curie: str, prefixes: Mapping[str, str]) -> str:
    """The IRI of a CURIE. Each is worked out once for a prefix map, which is not to change."""
    cached_map = _TERMS.get(id(prefixes))
    if cached_map is None or cached_map[0] is not prefixes:
        if len(_TERMS) >= _MAPS:
            _TERMS.clear()
        cached_map = _TERMS[id(prefixes)] = (prefixes, {})
    iri_by_curie = cached_map[1]
    if curie not in iri_by_curie:
        if len(iri_by_curie) >= _KEPT:
            iri_by_curie.clear()
        iri_by_curie[curie] = checked_iri(expand_curie(curie, prefixes))
    return iri_by_curie[curie]


def thing_iri(thing: Term | Node, document: str, base_iri: str, prefixes: Mapping[str, str]) -> str:
    """The IRI of a term, a node or (in drafts) of words that have no term yet."""
    if isinstance(thing, Node):
        return local_iri(base_iri, "node", thing.id)
    if thing.id:
        return term_iri(thing.id, prefixes)
    return local_iri(base_iri, "words", json_digest(identity_json(thing, document))[:24])


def local_iri(base_iri: str, kind: str, name: str) -> str:
    """One of our own things: base, kind, and the name with everything unusual percent-encoded.

    >>> local_iri("https://example.org/kb/", "paper", "doc:a b")
    'https://example.org/kb/paper/doc%3Aa%20b'
    """
    if _SAFE.fullmatch(name):
        return f"{_start(base_iri, kind)}{name}"
    return checked_iri(f"{base_iri}{kind}/{quote(name, safe='-_.~')}")


@lru_cache(maxsize=1_000)
def _start(base_iri: str, kind: str) -> str:
    return checked_iri(f"{base_iri}{kind}/")


def name_of(iri: str, kind: str) -> str:
    """The name in an IRI made by `local_iri`, whatever its base; empty if it is none of this
    kind.

    >>> name_of("https://example.org/kb/paper/doc%3Aa%20b", "paper")
    'doc:a b'
    """
    head, separator, name = iri.rpartition(f"/{kind}/")
    if not separator:
        head, separator, name = iri.rpartition(f"#{kind}/")
    return unquote(name) if head and separator else ""


@lru_cache(maxsize=100_000)
def known_form(identifier: str) -> bool:
    return is_curie(identifier)


def document_iri(identifier: str, base_iri: str, prefixes: Mapping[str, str]) -> str:
    """A paper's IRI: by the prefix map for PMID:1 and the like, else one of our own.

    >>> document_iri("PMID:31978945", "https://example.org/kb/", {})
    'http://www.ncbi.nlm.nih.gov/pubmed/31978945'
    >>> document_iri("doc:5f2a", "https://example.org/kb/", {})
    'https://example.org/kb/document/doc%3A5f2a'
    """
    if known_form(identifier) and not identifier.startswith("doc:"):
        try:
            return term_iri(identifier, prefixes)
        except InputError:
            pass
    return local_iri(base_iri, "document", identifier)


def qualifier_iri(name: str) -> str:
    if name in BIOLINK_QUALIFIERS:
        return BIOLINK + name
    return checked_iri(QUALIFIER + quote(name, safe="-_.~"))


def qualifier_name(iri: str) -> str:
    """The qualifier that a predicate stands for; empty if it stands for none.

    >>> qualifier_name(qualifier_iri("dose")), qualifier_name("http://schema.org/name")
    ('dose', '')
    """
    if iri.startswith(QUALIFIER):
        return unquote(iri.removeprefix(QUALIFIER))
    name = iri.removeprefix(BIOLINK)
    return name if name in BIOLINK_QUALIFIERS and iri.startswith(BIOLINK) else ""


def curie(iri: str, prefixes: Mapping[str, str]) -> str:
    """The CURIE of an IRI, or the IRI itself when no prefix fits.

    >>> curie("http://purl.obolibrary.org/obo/MONDO_0005148", {})
    'MONDO:0005148'
    >>> curie("https://example.org/x", {})
    'https://example.org/x'
    """
    return contract_iri(iri, prefixes) or iri
