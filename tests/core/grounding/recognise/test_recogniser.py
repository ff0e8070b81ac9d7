"""Names found in texts: the longest, every time, and not where something else is meant."""

from __future__ import annotations

import pytest

from core.grounding.constraint.constraint import Constraint
from core.grounding.recognise.recogniser import Recogniser


def found(grounder, text, **constraints):
    marks = Recogniser(grounder).annotate(text, constraints or {"": Constraint(("mini",))})
    return [(mark.span.quote(text), mark.candidates[0].term.id) for mark in marks]


def test_the_longest_name_wins_and_every_occurrence_is_given(grounder):
    text = "Kleefstra syndrome 1 differs. Kleefstra syndrome; kleefstra syndrome 1!"
    assert found(grounder, text) == [
        ("Kleefstra syndrome 1", "M:14"),
        ("Kleefstra syndrome", "M:13"),
        ("kleefstra syndrome 1", "M:14"),
    ]


def test_abbreviations_of_the_text_count_as_their_long_form(grounder):
    text = "Mitral stenosis (MS) was treated. MS returned."
    assert found(grounder, text) == [("Mitral stenosis", "M:6"), ("MS", "M:6"), ("MS", "M:6")]


@pytest.mark.parametrize("text", ["A cat sat.", "They lead him.", "M s", "The disease."])
def test_common_words_and_symbols_in_another_case_are_not_names(grounder, text):
    assert found(grounder, text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Hypertensive rats.", "Hypertensive"),
        ("CAT activity", "CAT"),
        ("breast  cancers are", "breast  cancers"),
        ("(hypertension)", "hypertension"),
        ("hypertension's cause", "hypertension"),
    ],
)
def test_what_is_a_mention_stands_exactly_where_it_is_said_to(grounder, text, words):
    assert [quote for quote, _ in found(grounder, text)] == [words]


def test_a_name_never_runs_over_the_end_of_a_sentence(grounder):
    assert found(grounder, "It struck the heart. Failure came later.") == []


def test_mentions_of_one_key_do_not_overlap_and_keys_are_apart(grounder):
    both = {"a": Constraint(("mini",)), "b": Constraint(("mini",), prefixes=("HP",))}
    marks = Recogniser(grounder).annotate("heart failure", both)
    assert [mark.key for mark in marks] == ["a"]


def test_offsets_count_code_points(grounder):
    text = "𝛼𝛽 é: naloxone"
    mark = Recogniser(grounder).annotate(text, {"": Constraint(("mini",))})[0]
    assert (mark.span.start, mark.span.end) == (6, 14)


def test_an_empty_text_has_no_mentions(grounder):
    assert Recogniser(grounder).annotate("", {"": Constraint(("mini",))}) == []


def test_a_long_text_in_sections_has_the_mentions_of_the_whole(grounder):
    sentence = (
        "Kleefstra syndrome 1 came with heart failure, then breast cancers and hypertension. "
    )
    once = found(grounder, sentence)
    assert found(grounder, sentence * 400) == once * 400


def test_progress_goes_up_to_its_end_and_can_stop_the_work(grounder):
    steps = []
    text = "Heart failure and hypertension. " * 600
    Recogniser(grounder).annotate(
        text, {"": Constraint(("mini",))}, lambda *step: steps.append(step)
    )
    assert len(steps) > 600
    assert steps == sorted(steps)
    assert {total for _, total in steps} == {2 * len(text)}

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Recogniser(grounder).annotate(text, {"": Constraint(("mini",))}, stop)
