"""The work of joining what a long text names grows with the text, not with its square: counted in
calls, since seconds depend on the machine.
"""

from __future__ import annotations

import cProfile
import pstats

from core.extraction.builtin.reading import stated_in
from core.model import Span
from core.support.reading.pair_features import candidate_pairs
from core.text.sentence import split_sentences
from tests.core.support.reading.test_pair_features import CAUSE, Named


def calls(sentences: int) -> int:
    text = "".join(f"Drug{n} caused sign{n} in rats. " for n in range(sentences))

    def things(word: str) -> list[Named]:
        places = [text.index(f"{word}{n} ") for n in range(sentences)]
        return [
            Named(f"{word}{n}", Span(start, start + len(f"{word}{n}")))
            for n, start in enumerate(places)
        ]

    agents, signs, parts = things("Drug"), things("sign"), tuple(split_sentences(text))
    with cProfile.Profile() as profile:
        stated = stated_in(text, parts, agents, signs, predicates=CAUSE)
        found = candidate_pairs(
            text, parts[0], parts, agents, objects=signs, stated=stated, predicate="INDUCES"
        )
        pairs = list(found)
    assert len(stated) == sentences and len(pairs) == 2 * sentences - 1  # the title's with all
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


def test_ten_times_the_text_is_ten_times_the_work() -> None:
    calls(1)
    assert calls(400) < 11 * calls(40)
