"""Every row of the table of words around a relation is met in its example, and not in its
counterexample.
"""

from __future__ import annotations

import re

import pytest

from core.support.reading.stance_patterns import StanceRule, stance_rules


def is_met(rule: StanceRule, words: str) -> bool:
    before, _, behind = words.partition("|")
    match rule.where:
        case "before":
            return re.search(rule.pattern, before) is not None
        case "behind":
            return re.match(rule.pattern, behind) is not None
        case "whole":
            return re.fullmatch(rule.pattern, words) is not None
    return re.search(rule.pattern, words) is not None


@pytest.mark.parametrize("rule", stance_rules(), ids=lambda rule: f"{rule.kind}: {rule.example}")
def test_a_row_is_met_in_its_example_and_not_in_the_other(rule: StanceRule) -> None:
    assert is_met(rule, rule.example)
    assert not is_met(rule, rule.counterexample)
