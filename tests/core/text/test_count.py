from __future__ import annotations

import pytest

from core.text.count import counted


@pytest.mark.parametrize(
    ("number", "names", "words"),
    [
        (0, ["call"], "0 calls"),
        (1, ["call"], "1 call"),
        (1200, ["call"], "1,200 calls"),
        (1, ["statement was", "statements were"], "1 statement was"),
        (2, ["statement was", "statements were"], "2 statements were"),
    ],
)
def test_count_of_one_takes_the_singular(number, names, words):
    assert counted(number, *names) == words
