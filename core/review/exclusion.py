"""Predicates that cannot both hold of the same two things.

Pairs are read off the Biolink model 4: qualified opposites of one parent, and relations whose
definitions rule each other out. Each is a hint for a curator: both may be right in different
contexts.
"""

from __future__ import annotations

_PAIRS = (
    ("biolink:treats", "biolink:causes"),  # a drug that treats a disease and brings it about
    ("biolink:treats", "biolink:exacerbates_condition"),
    ("biolink:treats_or_applied_or_studied_to_treat", "biolink:causes"),
    ("biolink:treats", "biolink:contributes_to"),
    ("biolink:treats", "biolink:predisposes_to_condition"),
    ("biolink:prevents", "biolink:causes"),
    ("biolink:preventative_for_condition", "biolink:causes"),
    ("biolink:ameliorates_condition", "biolink:exacerbates_condition"),
    ("biolink:ameliorates", "biolink:exacerbates"),
    ("biolink:disrupts", "biolink:enhances_response_to"),
    ("biolink:enables", "biolink:prevents"),
    ("biolink:positively_regulates", "biolink:negatively_regulates"),
    ("biolink:positively_correlated_with", "biolink:negatively_correlated_with"),
    ("biolink:positively_associated_with", "biolink:negatively_associated_with"),
    ("biolink:increases_response_to", "biolink:decreases_response_to"),
    ("biolink:increases_amount_or_activity_of", "biolink:decreases_amount_or_activity_of"),
    ("biolink:contraindicated_in", "biolink:treats"),
    ("RO:0002213", "RO:0002212"),  # positively regulates, negatively regulates
    ("RO:0002450", "RO:0002449"),  # directly positively, directly negatively regulates activity of
    ("RO:0003303", "RO:0002606"),  # causes condition, is substance that treats
    ("RO:0003307", "RO:0003309"),  # ameliorates condition, exacerbates condition
)
EXCLUDING = frozenset(frozenset(pair) for pair in _PAIRS)


def exclude_each_other(predicate: str, other_predicate: str) -> bool:
    """Whether two predicates, by CURIE, rule each other out."""
    return frozenset((predicate, other_predicate)) in EXCLUDING
