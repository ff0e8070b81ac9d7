"""Relations in plain words as Biolink predicates, where a schema gives its relation no vocabulary
of its own.
"""

from __future__ import annotations

import re

from core.model import Candidate, Category, MatchKind, Term, fold_words

_PREDICATES = {
    "treats": (
        "treat treats treated treatment therapy cures alleviates ameliorates ~for_treatment_of"
        " is_used_to_treat"
    ),
    "causes": (
        "cause causes caused induce induces induced leads_to results_in triggers provokes produces"
    ),
    "caused_by": "is_caused_by due_to induced_by is_induced_by caused_by results_from",
    "prevents": "prevent prevents protects_against",
    "exacerbates": "exacerbates worsens aggravates",
    "associated_with": (
        "associated_with is_associated_with association linked_to is_linked_to related_to"
        " is_related_to"
    ),
    "correlated_with": "correlated_with correlates_with is_correlated_with correlate_with",
    "contributes_to": "contributes_to contribute_to contributing_to plays_a_role_in",
    "affects": "affect affects influences modulates alters acts_on",
    "regulates": "regulate regulates controls",
    "interacts_with": "interact_with interacts_with interaction",
    "physically_interacts_with": "binds binds_to bind targets target",
    "expressed_in": "expressed_in is_expressed_in expression_in",
    "located_in": "located_in is_located_in found_in occurs_in localizes_to",
    "part_of": "part_of is_part_of belongs_to",
    "has_part": "has_part contains includes consists_of",
    "has_phenotype": "has_phenotype has_symptom presents_with manifests_as",
    "participates_in": "participates_in involved_in is_involved_in participate_in",
    "predisposes_to_condition": (
        "predisposes_to increases_risk_of is_a_risk_factor_for risk_factor_for"
    ),
    "biomarker_for": "biomarker_for is_a_biomarker_for marker_of",
    "precedes": "precedes followed_by is_followed_by",
    "subclass_of": "is_a subclass_of is_a_type_of type_of",
}
WORDS = {
    words.strip("~").replace("_", " "): name
    for name, many in _PREDICATES.items()
    for words in (name, *many.split())
}


def predicate_by_words(words: str) -> Candidate | None:
    """The Biolink predicate that these words name, or None."""
    bare = re.sub(r"[\s_-]+", " ", fold_words(words)).strip(" .:")
    name = WORDS.get(bare)
    if name is None:
        return None
    label = name.replace("_", " ")
    match = MatchKind.LABEL if bare == label else MatchKind.EXACT
    return Candidate(
        Term(f"biolink:{name}", label, Category.RELATION), match, 0.9, bare, vocabulary="biolink"
    )
