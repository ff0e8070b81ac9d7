"""Whether a term lies in the branches that a value set names (LinkML `reachable_from`)."""

from __future__ import annotations

from collections.abc import Sequence

from core.curie import contract
from core.grounding.index.lexicon import IS_A, Lexicon
from core.grounding.readers.record import identifier
from core.model import Problem
from core.schema.definition import ValueSet

_SUBCLASS = frozenset(("rdfs:subClassOf", "is_a", "subClassOf"))
_NAMES = {"BFO:0000050": "part_of", "RO:0002202": "develops_from"}


def holds(lexicon: Lexicon, id: str, value_sets: Sequence[ValueSet]) -> bool:
    """True when the term is in one of the value sets, or none of them speaks of this vocabulary, or
    the vocabulary has no hierarchy (see `unchecked`).
    """
    own = [one for one in value_sets if one.nodes and _speaks_of(one, lexicon)]
    if not own or not lexicon.has_hierarchy:
        return True
    return any(_in(lexicon, id, one) for one in own)


def unchecked(lexicon: Lexicon) -> Problem:
    message = (
        f"The vocabulary {lexicon.name} has no hierarchy: the branch of a term cannot be checked."
    )
    return Problem("branch-unchecked", message, where=lexicon.name, hint="Add its OBO or OWL file.")


def _speaks_of(one: ValueSet, lexicon: Lexicon) -> bool:
    prefixes = {identifier(node).partition(":")[0] for node in one.nodes}
    return one.vocabulary.lower() == lexicon.name or not prefixes.isdisjoint(lexicon.prefixes)


def _in(lexicon: Lexicon, id: str, one: ValueSet) -> bool:
    nodes = {identifier(node) for node in one.nodes}
    relations = _relations(one)
    if id in nodes:
        return one.include_self
    if one.traverse_up:
        return any(id in lexicon.ancestors(node, relations) for node in nodes)
    above = lexicon.parents(id, relations) if one.is_direct else lexicon.ancestors(id, relations)
    return not nodes.isdisjoint(above)


def _relations(one: ValueSet) -> tuple[str, ...]:
    """Relations as indexes write them: is_a, and CURIEs or OBO names of others."""
    named = [contract(name) or name for name in one.relations if name not in _SUBCLASS]
    return tuple(dict.fromkeys((IS_A, *named, *(_NAMES[name] for name in named if name in _NAMES))))
