"""Whether a term lies in the branches that a value set names (LinkML `reachable_from`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from core.curie import contract_iri
from core.grounding.constraint.excerpt import NOTHING, HierarchyExcerpt
from core.grounding.index.lexicon import IS_A, Lexicon
from core.grounding.readers.chebi_role import ROLE
from core.grounding.readers.record import identifier
from core.model import Category, Problem
from core.schema.definition import ValueSet

_CONDITIONS = frozenset[str]((Category.DISEASE, Category.PHENOTYPE))
_KIN: dict[str, frozenset[str]] = dict.fromkeys(_CONDITIONS, _CONDITIONS)
CHEBI = "CHEBI:"
# the terms under which all of a vocabulary that has one kind of thing lies
_WORDS_TOP = """
    MONDO:0000001 MONDO:0700096 DOID:4 HP:0000001 HP:0000118 CHEBI:24431 UBERON:0001062
    UBERON:0000465 CL:0000000 MAXO:0000001 FOODON:00002403 FOODON:00001002 NCBITaxon:1
    NCBITaxon:131567 UO:0000000
"""
_TOP = frozenset(_WORDS_TOP.split())
_SUBCLASS = frozenset(("rdfs:subClassOf", "is_a", "subClassOf"))
_NAMES = {"BFO:0000050": "part_of", "RO:0002202": "develops_from"}


def in_value_sets(
    lexicon: Lexicon,
    id: str,
    value_sets: Sequence[ValueSet],
    *,
    kinds: Collection[str] = (),
    category: Category = Category.THING,
    excerpt: HierarchyExcerpt = NOTHING,
) -> bool:
    """True when the term is in one of the value sets and not in what that one leaves out (`minus`),
    or none of them speaks of this vocabulary.

    Without a hierarchy (see `unchecked`) only the terms that a value set names itself can be told,
    those few that have parents all the same, here or in an `excerpt`, and by `kinds`, what the
    vocabulary is said to hold, that it has nothing of the value set's category (else `category`).
    """
    own = [
        value_set
        for value_set in value_sets
        if (value_set.nodes or value_set.concepts) and _speaks_of(value_set, lexicon)
    ]
    if not own:
        return True
    if not lexicon.has_hierarchy:
        if all(any(_names_term(id, out) for out in value_set.minus) for value_set in own):
            return False
        if any(_in(lexicon, id, value_set) for value_set in own):
            return True
        if id in excerpt:
            return any(_in(excerpt, id, value_set) for value_set in own)
        return not kinds or any(
            _may_hold(kinds, value_set.category or category) for value_set in own
        )
    return any(
        _in(lexicon, id, value_set) and not any(_in(lexicon, id, out) for out in value_set.minus)
        for value_set in own
    )


def is_unwanted_role(
    lexicon: Lexicon, id: str, label: str, value_sets: Sequence[ValueSet], *, category: Category
) -> bool:
    """Whether a term of a copy of ChEBI without hierarchy is a role by its label ("antioxidant"),
    where substances are asked for: by the category, or by value sets that begin at no role.
    """
    if not id.startswith(CHEBI) or lexicon.has_hierarchy or not ROLE.search(label):
        return False
    nodes = [
        node for value_set in value_sets for node in _ids(value_set.nodes) if node.startswith(CHEBI)
    ]
    if any((term := lexicon.term(node)) and ROLE.search(term.label) for node in nodes):
        return False
    return category is Category.CHEMICAL or bool(nodes)


def _may_hold(kinds: Collection[str], category: str) -> bool:
    """Whether among terms of these categories there may be one of another's kind."""
    return category == Category.THING or not _KIN.get(category, frozenset((category,))).isdisjoint(
        kinds
    )


def _names_term(id: str, value_set: ValueSet) -> bool:
    """Whether a value set names the term itself."""
    nodes = _ids(value_set.nodes) if value_set.include_self else frozenset()
    return id in nodes or id in _ids(value_set.concepts)


def asks_a_branch(
    value_sets: Iterable[ValueSet], kinds: Collection[str], category: Category
) -> bool:
    """Whether the value sets of a vocabulary without hierarchy, of which only `kinds` are known,
    ask for a part of these that it cannot tell: a branch, or all without a branch.
    """
    own = [value_set for value_set in value_sets if value_set.nodes]
    return any(_may_hold(kinds, value_set.category or category) for value_set in own) and all(
        _TOP.isdisjoint(_ids(value_set.nodes)) or any(out.nodes for out in value_set.minus)
        for value_set in own
    )


def cannot_check(
    lexicon: Lexicon, value_sets: Sequence[ValueSet], kinds: Collection[str], category: Category
) -> bool:
    """Whether terms of the vocabulary pass that may lie outside of the branches asked for."""
    if lexicon.has_hierarchy or not kinds:
        return not lexicon.has_hierarchy
    own = (value_set for value_set in value_sets if _speaks_of(value_set, lexicon))
    return asks_a_branch(own, kinds, category)


def unchecked(lexicon: Lexicon) -> Problem:
    message = (
        f"The vocabulary {lexicon.name} has no hierarchy: the branch of a term cannot be checked."
    )
    return Problem("branch-unchecked", message, where=lexicon.name, hint="Add its OBO or OWL file.")


def _speaks_of(value_set: ValueSet, lexicon: Lexicon) -> bool:
    prefixes = _prefixes(value_set.nodes) | _prefixes(value_set.concepts)
    return value_set.vocabulary.lower() == lexicon.name or not prefixes.isdisjoint(lexicon.prefixes)


@lru_cache(maxsize=1000)
def _ids(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(identifier, names))


@lru_cache(maxsize=1000)
def _prefixes(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(id.partition(":")[0] for id in _ids(names))


def _in(lexicon: Lexicon | HierarchyExcerpt, id: str, value_set: ValueSet) -> bool:
    nodes = _ids(value_set.nodes)
    relations = _relations(value_set.relations)
    if id in _ids(value_set.concepts):
        return True
    if id in nodes:
        return value_set.include_self
    if value_set.traverse_up:
        return any(id in lexicon.ancestors(node, relations) for node in nodes)
    above = (
        lexicon.parents(id, relations) if value_set.is_direct else lexicon.ancestors(id, relations)
    )
    return not nodes.isdisjoint(above)


@lru_cache(maxsize=1000)
def _relations(names: tuple[str, ...]) -> tuple[str, ...]:
    """Relations as indexes write them: is_a, and CURIEs or OBO names of others."""
    prefixed = [contract_iri(name) or name for name in names if name not in _SUBCLASS]
    return tuple(
        dict.fromkeys((IS_A, *prefixed, *(_NAMES[name] for name in prefixed if name in _NAMES)))
    )
