"""Sorting in bounded memory gives what sorting in memory gives."""

from __future__ import annotations

import random

import pytest

from core.kb.rdf.sorting import gather_by_subject, sort_texts


@pytest.mark.parametrize("in_memory", [1, 20, 70, 1_000_000])
def test_runs_in_files_are_merged_and_each_text_is_given_once(in_memory):
    numbers = random.Random(1)
    texts = [f"s{numbers.randrange(40)}" * numbers.randrange(1, 3) for _ in range(300)]
    assert list(sort_texts(texts, in_memory)) == sorted(set(texts))


@pytest.mark.parametrize("in_memory", [1, 2, 7, 1_000_000])
def test_sorted_runs_are_merged_by_subject(in_memory):
    numbers = random.Random(2)
    described = [
        (f"s{numbers.randrange(9)}", [(f"p{numbers.randrange(5)}", "\u2028\ud7ff", "None")])
        for _ in range(100)
    ]
    wanted = {
        subject: sorted({f for s, facts in described if s == subject for f in facts})
        for subject, _ in described
    }
    assert list(gather_by_subject(described, in_memory)) == sorted(wanted.items())


def test_sorting_no_lines_gives_no_lines():
    assert list(sort_texts(iter(()))) == []
    assert list(gather_by_subject(iter(()))) == []
