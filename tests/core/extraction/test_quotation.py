"""Which sentences prove a relation: the ones that its own words stand in, else those that hold both
its ends.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.extraction.quotation import EvidenceFinder, covers_span
from core.extraction.tree import Branch, Leaf, LeafKind, RelationEvidence
from core.model import Evidence, Span, Statement, Term, TextGround, TextVersion
from core.text.clean import text_version

STATEMENT = Statement(Term("X:1", "a"), Term("X:2", "b"), Term("X:3", "c"))


def version(text: str) -> TextVersion:
    return text_version("doc:1", text, "pasted")


def leaf(text: str, words: str) -> Leaf:
    spans = tuple(Span(*match.span()) for match in re.finditer(words, text))
    return Leaf(words, words, "Thing", LeafKind.ENTITY, words, spans, 1.0)


def quotes(text: str, own: str, subject: str, object_: str) -> list[str]:
    start = text.find(own) if own else -1
    spans = (Span(start, start + len(own)),) if start >= 0 else ()
    proof = EvidenceFinder("doc:1", version(text), "run", "spires")
    pieces = proof.of_pair(
        STATEMENT, Branch("t", "Relation", own, (), spans), leaf(text, subject), leaf(text, object_)
    )
    return [piece.ground.quote for piece in pieces]  # type: ignore[union-attr]


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


def finder(text: str) -> EvidenceFinder:
    return EvidenceFinder("doc:1", version(text), "run", "spires")


def scored(words: str, text: str, score: float, path: str = "v") -> Leaf:
    return replace(leaf(text, words), path=path, score=score)


def of_value(text: str, value: Branch | Leaf, everywhere: bool = False) -> list[Evidence]:
    return finder(text).of_value(STATEMENT, value, everywhere=everywhere)


def quote_of(evidence: Evidence) -> str:
    assert isinstance(evidence.ground, TextGround)
    return evidence.ground.quote


THRICE = "Veratin helps. Sleep was good. Veratin again. And veratin not; Veratin last."


def test_value_is_quoted_where_it_stands_first_or_everywhere_with_its_score_and_place() -> None:
    value = scored("Veratin", THRICE, 0.75, "drugs[0]")
    (first,) = of_value(THRICE, value)
    assert quote_of(first) == "Veratin helps."
    assert (first.score, first.path, first.run, first.engine) == (0.75, "drugs[0]", "run", "spires")
    assert (first.statement, first.ground.span) == (STATEMENT.id, Span(0, 14))  # type: ignore[union-attr]
    everywhere = [quote_of(piece) for piece in of_value(THRICE, value, everywhere=True)]
    assert everywhere == ["Veratin helps.", "Veratin again.", "And veratin not; Veratin last."]


def test_one_value_gives_no_more_than_ten_pieces_and_no_sentence_twice() -> None:
    many = " ".join(f"Veratin was case {number}." for number in range(14))
    assert len(of_value(many, scored("Veratin", many, 1.0), everywhere=True)) == 10
    twice = "Veratin and Veratin again."
    assert len(of_value(twice, scored("Veratin", twice, 1.0), everywhere=True)) == 1


def test_value_that_is_nowhere_in_the_text_has_no_evidence() -> None:
    assert of_value("Sleep was good.", scored("Veratin", "Sleep was good.", 1.0)) == []
    nothing = Branch("dose", "Dose", "", (("drug", (scored("x", "y", 0.5),)),))
    assert of_value("Sleep was good.", nothing) == []


def test_object_stands_at_its_own_words_else_at_the_first_value_it_has() -> None:
    text = "We gave much. Then veratin came. And tremor followed. We gave much."
    words = tuple(Span(*match.span()) for match in re.finditer("We gave", text))
    absent, drug = scored("none", text, 0.1), scored("veratin", text, 0.5)
    tremor = scored("tremor", text, 0.9)
    slots = (("a", (absent,)), ("b", (drug,)), ("c", (tremor,)))
    own = Branch("dose", "Dose", "We gave much", slots, words)
    (piece,) = of_value(text, own)
    assert (quote_of(piece), piece.score, piece.path) == ("We gave much.", 1.0, "dose")
    (piece,) = of_value(text, replace(own, spans=()))
    assert (quote_of(piece), piece.score) == ("Then veratin came.", 0.5)


def pair(
    text: str, relation: Branch, subject: Branch | Leaf, object_: Branch | Leaf
) -> list[Evidence]:
    return finder(text).of_pair(STATEMENT, relation, subject, object_)


HERE = "Veratin causes tremor. Sleep was good."
RELATION = Branch("triples[1]", "Relation")


def test_pair_is_as_sure_as_its_weaker_end_and_objects_do_not_count() -> None:
    drug, sign = scored("Veratin", HERE, 0.9), scored("tremor", HERE, 0.4)
    (piece,) = pair(HERE, RELATION, drug, sign)
    assert (piece.score, piece.path) == (0.4, "triples[1]")
    thing = Branch("thing", "Thing", "tremor", (), sign.spans)
    assert pair(HERE, RELATION, drug, thing)[0].score == 0.9
    assert pair(HERE, RELATION, thing, thing)[0].score == 1.0
    assert pair(HERE, RELATION, drug, scored("none", HERE, 1.0)) == []
    assert pair(HERE, RELATION, scored("none", HERE, 1.0), sign) == []


def test_rule_cue_and_score_are_those_of_the_quoted_sentence() -> None:
    text = "Veratin induces tremor. Later veratin caused tremor."
    first, second = Span(0, 23), Span(24, 52)
    stated = (
        RelationEvidence(first, "induces", "induces", 0.8),
        RelationEvidence(second, "causes", "caused", 0.6),
    )
    drug, sign = scored("[Vv]eratin", text, 1.0), scored("tremor", text, 1.0)
    pieces = pair(text, replace(RELATION, spans=(first, second), stated=stated), drug, sign)
    assert [(quote_of(piece), piece.rule, piece.cue, piece.score) for piece in pieces] == [
        ("Veratin induces tremor.", "induces", "induces", 0.8),
        ("Later veratin caused tremor.", "causes", "caused", 0.6),
    ]
    elsewhere = (
        RelationEvidence(second, "causes", "caused", 0.6),
        RelationEvidence(second, "other", "o", 0.1),
    )
    (piece,) = pair(text, replace(RELATION, spans=(first,), stated=elsewhere), drug, sign)
    assert (piece.rule, piece.score) == ("causes", 0.6)  # the first, where none is of that sentence


@pytest.mark.parametrize(
    ("outer", "inner", "covers"),
    [
        ((2, 5), (2, 5), True),
        ((2, 5), (3, 4), True),
        ((2, 5), (1, 4), False),
        ((2, 5), (3, 6), False),
        ((2, 5), (1, 6), False),
    ],
)
def test_span_covers_what_lies_in_it(
    outer: tuple[int, int], inner: tuple[int, int], covers: bool
) -> None:
    assert covers_span(Span(*outer), Span(*inner)) is covers


@pytest.mark.parametrize(
    ("span", "other", "away"),
    [((0, 4), (6, 9), 2), ((6, 9), (0, 4), 2), ((0, 4), (2, 6), 0), ((0, 4), (4, 6), 0)],
)
def test_distance_is_the_characters_between(
    span: tuple[int, int], other: tuple[int, int], away: int
) -> None:
    assert finder(HERE).distance(Span(*span), Span(*other)) == away


def test_ends_too_far_apart_are_not_quoted_with_all_that_is_between() -> None:
    between = "Sleep was good. "
    near = "Veratin came. " + between * 92 + "Tremor was seen."  # 1,500 characters from end to end
    drug, sign = "Veratin", "Tremor"
    cover = near.index(sign) + len(sign)
    assert cover <= 1_500 < cover + len(between)
    assert quotes(near, "", drug, sign) == [near]
    far = near.replace("Tremor", between + "Tremor")
    assert quotes(far, "", drug, sign) == ["Tremor was seen."]


def test_fifty_places_of_each_end_are_compared() -> None:
    apart = "Veratin came. " * 50 + "Veratin causes tremor."
    assert quotes(apart, "", "Veratin", "tremor") != ["Veratin causes tremor."]
    assert quotes(apart.removeprefix("Veratin came. "), "", "Veratin", "tremor") == [
        "Veratin causes tremor."
    ]


def test_closest_pair_comes_first_and_then_the_first() -> None:
    text = (
        "Veratin, as many were told, causes tremor. Veratin causes tremor. Veratin causes tremor."
    )
    (piece,) = pair(text, RELATION, scored("Veratin", text, 1.0), scored("tremor", text, 1.0))
    assert piece.ground.span == Span(43, 65)  # type: ignore[union-attr]


def test_sentences_of_a_span_are_those_it_begins_and_ends_in() -> None:
    text = "One came. Two came. Three came."
    make = finder(text)
    assert make.sentence(Span(4, 14)).quote(text) == "One came. Two came."
    assert make.sentence(Span(10, 13)).quote(text) == "Two came."
    assert make.sentence(Span(0, 3)).quote(text) == "One came."
    assert make.sentence(Span(len(text), len(text))).quote(text) == "Three came."
    assert make.sentence(Span(0, 0)).quote(text) == "One came."


def test_fifteen_hundred_characters_are_near_and_one_more_is_far() -> None:
    def apart(characters: int) -> str:
        filler = "Sleep was good. " * 80
        return f"Veratin came. {filler}{'x' * (characters - 21 - len(filler))} Tremor."

    assert quotes(apart(1_500), "", "Veratin", "Tremor") == [apart(1_500)]
    assert quotes(apart(1_501), "", "Veratin", "Tremor") != [apart(1_501)]


def test_distance_of_two_mentions_is_independent_of_their_offset() -> None:
    text = "Sleep was good. " * 60 + "Veratin came. Then tremor came."
    assert quotes(text, "", "Veratin", "tremor") == ["Veratin came. Then tremor came."]


def test_relation_across_two_sentences_is_quoted_with_both() -> None:
    text = "We gave veratin. Then tremor came. Veratin and tremor are known."
    own = "gave veratin. Then tremor came"
    assert quotes(text, own, "veratin", "tremor") == ["We gave veratin. Then tremor came."]


def test_slot_value_has_only_its_first_place_unless_all_are_asked_for() -> None:
    assert len(finder(THRICE).of_value(STATEMENT, scored("Veratin", THRICE, 1.0))) == 1


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [(8, 9, "One came."), (10, 11, "Two came."), (8, 11, "One came. Two came.")],
)
def test_span_at_the_edge_of_a_sentence_belongs_to_that_sentence(
    start: int, end: int, words: str
) -> None:
    text = "One came. Two came. Three came."
    assert finder(text).sentence(Span(start, end)).quote(text) == words
