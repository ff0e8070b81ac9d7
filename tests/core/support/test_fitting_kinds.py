"""Which of two kinds of things acts on the other."""

from __future__ import annotations

import pytest

from core.model import Category, SupportVerdict
from core.support.claim import Claim, ClaimEnd, Passage
from core.support.judges.rules import RulesJudge
from core.support.verdict import judge

TEXT = "Competitive binding was measured in cells with SLC6A2 and desvenlafaxine."


def verdict(subject: ClaimEnd, object_: ClaimEnd) -> SupportVerdict:
    return judge(Claim(subject, "inhibits", object_), Passage(TEXT), [RulesJudge()]).verdict


@pytest.mark.parametrize("exchanged", [False, True])
def test_where_no_words_say_who_acts_a_gene_does_not_act_on_a_drug(exchanged: bool) -> None:
    drug = ClaimEnd(("desvenlafaxine",), Category.CHEMICAL)
    gene = ClaimEnd(("SLC6A2",), Category.GENE)
    ends = (gene, drug) if exchanged else (drug, gene)
    assert (verdict(*ends) is SupportVerdict.SILENT) is exchanged
