"""The words of SSSOM, SKOS, OWL and oboInOwl that tie the ids of one thing."""

from __future__ import annotations

EXACT_MATCH = "skos:exactMatch"
CROSS_REFERENCE = "oboInOwl:hasDbXref"  # often the same thing, sometimes a near one
NO_TERM = "sssom:NoTermFound"  # that no term fits is remembered, and is no mapping
SAME_THING = frozenset((EXACT_MATCH, "owl:sameAs", "owl:equivalentClass"))
"""Predicates of a mapping whose two ends are one thing (SSSOM 1.0, `predicate_id`)."""
