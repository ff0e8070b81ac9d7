"""What counts as said in the plainest form, of molecules above all."""

from __future__ import annotations

import pytest

from core.model import Span
from core.support.reading.predicate import Predicate
from core.support.reading.relation import Relation, pair_relations
from core.support.reading.sentence_mentions import lists_unknown

ACTING = tuple(
    map(Predicate, ("ACTIVATES", "INHIBITS", "PHOSPHORYLATES", "BINDS", "REGULATES"))
)  # fmt: skip


def read(text: str, *, subjects: tuple[str, ...], objects: tuple[str, ...]) -> list[Relation]:
    def place(words: str) -> Span:
        start = text.index(words)
        return Span(start, start + len(words))

    return pair_relations(
        text,
        Span(0, len(text)),
        list(map(place, subjects)),
        list(map(place, objects)),
        predicates=ACTING,
    )


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("ABC1 suppresses the expression of DEF2.", "INHIBITS"),
        ("ABC1 treatment increased DEF2 phosphorylation.", "ACTIVATES"),
        ("Treatment with ABC1 led to activation of DEF2.", "ACTIVATES"),
        ("DEF2 levels were increased by ABC1.", "ACTIVATES"),
        ("ABC1, a small kinase, blocked DEF2 activation.", "INHIBITS"),
        ("Cells were given ABC1, which blocks DEF2 signaling.", "INHIBITS"),
        ("ABC1 negatively regulates DEF2.", "INHIBITS"),
        ("ABC1 promotes the degradation of DEF2.", "INHIBITS"),
        ("Loss of ABC1 increased DEF2 production.", "INHIBITS"),
        ("ABC1 knockdown reduced the expression of DEF2.", "ACTIVATES"),
        ("DEF2 is a substrate of ABC1.", "PHOSPHORYLATES"),
        ("ABC1 interacts with DEF2 in the nucleus.", "BINDS"),
        ("The interaction between ABC1 and DEF2 was confirmed.", "BINDS"),
        ("Cells were given ABC1, which phosphorylates DEF2.", "PHOSPHORYLATES"),
        ("Activated ABC1 phosphorylates DEF2.", "PHOSPHORYLATES"),
        ("DEF2 is regulated by diverse hormones such as ABC1.", "REGULATES"),
    ],
)
def test_what_a_molecule_does_is_said_plainly(text: str, predicate: str) -> None:
    [relation] = read(text, subjects=("ABC1",), objects=("DEF2",))
    assert relation.predicate == predicate
    assert relation.plain


@pytest.mark.parametrize(
    "text",
    [
        "ABC1-induced DEF2 signaling suppresses GHI3 levels.",  # of the signaling
        "Reportedly, the cousin of ABC1 hardly inhibits GHI3.",
        "ABC1 inhibits the degradation of GHI3.",
    ],
)
def test_more_words_than_a_verb_are_not_plain(text: str) -> None:
    assert not any(r.plain for r in read(text, subjects=("ABC1",), objects=("GHI3",)))


@pytest.mark.parametrize(
    "text",
    [
        "ABC1 does not inhibit DEF2.",
        "ABC1 cannot bind DEF2.",
        "ABC1 failed to phosphorylate DEF2 in the nucleus.",
    ],
)
def test_what_is_denied_in_so_many_words_is_plain(text: str) -> None:
    [relation] = read(text, subjects=("ABC1",), objects=("DEF2",))
    assert (relation.plain, relation.negated) == (True, True)


def test_a_doubt_is_no_plain_denial() -> None:
    [relation] = read(
        "Whether ABC1 does not inhibit DEF2 is unknown.", subjects=("ABC1",), objects=("DEF2",)
    )
    assert not relation.plain


def test_what_a_name_does_by_which_is_not_done_by_an_earlier_one() -> None:
    text = "ABC1 recruits DEF2, which activates GHI3."
    told = read(text, subjects=("ABC1", "DEF2"), objects=("DEF2", "GHI3"))
    assert {(r.subject.quote(text), r.object.quote(text)) for r in told} == {("DEF2", "GHI3")}


def test_a_second_verb_is_the_first_subjects() -> None:
    text = "ABC1 binds to DEF2 and inhibits GHI3."
    plain = {
        (r.subject.quote(text), r.predicate, r.object.quote(text))
        for r in read(text, subjects=("ABC1", "DEF2"), objects=("DEF2", "GHI3"))
        if r.plain
    }
    assert plain == {("ABC1", "BINDS", "DEF2"), ("ABC1", "INHIBITS", "GHI3")}


def test_all_of_a_list_are_what_it_is_headed_by() -> None:
    text = "The DEF2 inhibitors veratin and solbex were given."
    read_of = read(text, subjects=("veratin", "solbex"), objects=("DEF2",))
    assert {(r.subject.quote(text), r.plain) for r in read_of} == {
        ("veratin", True),
        ("solbex", True),
    }


def test_a_stimulus_is_not_what_is_inhibited() -> None:
    text = "Veratin blocked TNF-induced NFKB1 activation."
    assert [r.object.quote(text) for r in read(text, subjects=("Veratin",), objects=("TNF",))] == []


def test_a_list_with_unknown_items_is_read_at_once_however_long_a_word_is() -> None:
    assert lists_unknown(", aortic dilation, flat feet and ")
    assert not lists_unknown(f", {'a' * 100_000} !")  # trying each cut of it would take years
