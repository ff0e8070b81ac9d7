"""How good a match is, and the bound by which most names need not be compared."""

from __future__ import annotations

from itertools import product

import pytest

from core.grounding.index.name_lookup import NameHit
from core.grounding.match import normalise
from core.grounding.match.name_match import describe_match, highest_score
from core.grounding.readers.record import SynonymScope

FORMS = (
    "breast cancer", "Breast Cancers", "cancer of the breast", "breast-cancer", "breastcancer",
    "renal failure, type II", "type 2 kidney failure", "Hypertensive", "hypertension", "tumours",
    "TNFα", "TNF alpha", "Crohn's disease", "disease of Crohn", "COX-2", "COX2", "cox 2",
)  # fmt: skip


@pytest.mark.parametrize(("words", "name"), product(FORMS, FORMS))
@pytest.mark.parametrize("scope", [SynonymScope.LABEL, SynonymScope.RELATED])
def test_no_match_is_better_than_its_bound(words, name, scope):
    hit = NameHit("X:1", name, name, scope)
    bound = highest_score(hit, words, normalise.name_words(words))
    assert describe_match(words, hit).score <= bound + 1e-9
