"""PES2 as published, against an independent reading of its rules."""

from __future__ import annotations

import random
import re

import pytest

from core.literature.query.keyword import Keyword
from core.literature.ranking import pes2
from tests.core.literature.corpus import index

WORDS = [
    "tau",
    "Tau",
    "kinase",
    "IL10",
    "IL-10",
    "IL1-0",
    "p53",
    "cell",
    "cells",
    "Ca2+",
    "β",
    "and",
    "renal failure",
    "x_tau",
]


def published(texts, keywords, fixed, strict):
    """The rules, written down once more: a table of counts, sorted stably."""
    table = []
    for number, text in enumerate(texts):
        counts = {}
        for keyword in keywords:
            if keyword[-1].isdigit():
                expression = (
                    r"\b" + re.escape(keyword[:-1]) + r"\W*" + re.escape(keyword[-1]) + r"\b"
                )
            else:
                expression = r"\b" + re.escape(keyword) + r"\b"
            counts[keyword] = len(re.findall(expression, text, re.IGNORECASE))
        table.append((number, counts))
    has = [row for row in table if all(row[1][word] for word in fixed)]
    rest = [row for row in table if row not in has]

    def order(row):
        return -sum(1 for count in row[1].values() if count), -sum(row[1].values())

    ranked = sorted(has, key=order) + ([] if strict else sorted(rest, key=order))
    return [number for number, counts in ranked if sum(counts.values())]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("fixed", [0, 1, 2, 3])
@pytest.mark.parametrize("strict", [False, True])
def test_the_order_is_that_of_the_published_rules(tmp_path, seed, fixed, strict):
    chance = random.Random(seed)
    texts = [" ".join(chance.choices(WORDS, k=chance.randrange(1, 14))) + "." for _ in range(60)]
    keywords = chance.sample([word for word in WORDS if word != "x_tau"], 3)
    chips = [Keyword(word, fixed=place < fixed) for place, word in enumerate(keywords)]
    reader = index(tmp_path, texts)
    hits = pes2.rank_by_pes2(reader, chips, strict)
    assert [hit.number for hit in hits] == published(texts, keywords, keywords[:fixed], strict)
    for k in (1, 5, 20):  # without reading every text
        best, most = pes2.rank_best(reader, chips, k, strict=strict)
        assert best == hits[:k] and most >= len(hits)


def test_equal_chunks_stay_in_the_order_of_the_corpus(tmp_path):
    hits = pes2.rank_by_pes2(index(tmp_path, ["tau", "b", "tau", "tau"]), [Keyword("tau")])
    assert [hit.number for hit in hits] == [0, 2, 3]


def test_every_hit_says_how_it_was_counted(tmp_path):
    hit = pes2.rank_by_pes2(
        index(tmp_path, ["tau tau kinase"]), [Keyword("tau", fixed=True), Keyword("kinase")]
    )[0]
    assert hit.parts == {
        "fixed keywords contained": 1.0,
        "keywords contained": 2.0,
        "total count": 3.0,
    }
