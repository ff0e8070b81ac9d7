"""Which sentences prove a relation: the ones that its own words stand in, else those that hold both
its ends.
"""

from __future__ import annotations

import re

from core.extraction.quotation import EvidenceFinder
from core.extraction.tree import Branch, Leaf, LeafKind
from core.model import Span, Statement, Term, TextVersion
from core.text.clean import text_version

STATEMENT = Statement(Term("X:1", "a"), Term("X:2", "b"), Term("X:3", "c"))


def version(text: str) -> TextVersion:
    return text_version("doc:1", text, "pasted")


def leaf(text: str, words: str) -> Leaf:
    spans = tuple(Span(*found.span()) for found in re.finditer(words, text))
    return Leaf(words, words, "Thing", LeafKind.ENTITY, words, spans, 1.0)


def quotes(text: str, own: str, subject: str, object_: str) -> list[str]:
    start = text.find(own) if own else -1
    spans = (Span(start, start + len(own)),) if start >= 0 else ()
    proof = EvidenceFinder("doc:1", version(text), "run", "spires")
    found = proof.of_pair(
        STATEMENT, Branch("t", "Relation", own, (), spans), leaf(text, subject), leaf(text, object_)
    )
    return [one.ground.quote for one in found]  # type: ignore[union-attr]


def test_the_relation_s_own_sentence_comes_before_a_closer_pair() -> None:
    text = "Veratin, tremor and sleep were noted. Veratin given for a very long time causes tremor."
    assert quotes(
        text, "Veratin given for a very long time causes tremor", "Veratin", "tremor"
    ) == ["Veratin given for a very long time causes tremor."]


def test_words_of_the_relation_that_lack_an_end_still_name_its_sentence() -> None:
    text = "Veratin and tremor were noted. In rats veratin, as was seen, causes tremor."
    assert quotes(text, "causes tremor", "[Vv]eratin", "tremor") == [
        "In rats veratin, as was seen, causes tremor."
    ]


def test_one_sentence_with_both_ends_comes_before_two_that_meet() -> None:
    text = "We gave veratin. Tremor was rare. So veratin was, after long use, followed by tremor."
    assert quotes(text, "", "veratin", "[Tt]remor") == [
        "So veratin was, after long use, followed by tremor."
    ]


def test_ends_that_never_share_a_sentence_are_quoted_with_what_is_between() -> None:
    assert quotes(
        "We gave veratin. Then came tremor. Sleep was good.", "", "veratin", "tremor"
    ) == ["We gave veratin. Then came tremor."]


def test_an_end_that_is_not_in_the_text_leaves_no_quote() -> None:
    assert quotes("We gave veratin.", "", "veratin", "tremor") == []
