"""Sorting in bounded memory gives what sorting in memory gives."""

from __future__ import annotations

import random

import pytest

from core.kb.rdf.sorting import ordered


@pytest.mark.parametrize("in_memory", [1, 2, 7, 1_000_000])
def test_runs_in_files_are_merged_and_each_item_is_given_once(in_memory):
    numbers = random.Random(1)
    items = [(f"s{numbers.randrange(40)}", numbers.random() < 0.5) for _ in range(300)]
    assert list(ordered(items, in_memory)) == sorted(set(items))


def test_nothing_sorted_is_nothing():
    assert list(ordered(iter(()))) == []
