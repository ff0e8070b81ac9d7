"""What a pronoun at the beginning of a sentence stands for, and when it is left alone."""

from __future__ import annotations

import pytest

from core.extraction.builtin.reading import stated_in
from core.support.reading.predicate import Predicate
from core.support.reading.relation import Relation
from core.text.sentence import split_sentences
from tests.core.support.reading.test_pair_features import Named
from tests.core.support.reading.test_relation import place


def stated(text: str, *drugs: str) -> list[Relation]:
    agents = [Named(drug, place(text, drug)) for drug in drugs]
    parts = tuple(split_sentences(text))
    return stated_in(text, parts, agents, [Named("sign", place(text, "tremor"))], predicates=CAUSE)


CAUSE = [Predicate("INDUCES")]


@pytest.mark.parametrize(
    "text",
    [
        "Veratin was given to ten patients. It caused tremor.",
        "Veratin is well tolerated. However, this drug may rarely cause tremor.",
        "Treatment with Veratin is common. The agent did not cause tremor.",
    ],
)
def test_a_pronoun_means_what_the_sentence_before_begins_with(text: str) -> None:
    (relation,) = stated(text, "Veratin")
    assert relation.subject == place(text, "Veratin")
    assert relation.negated == ("not" in text)
    assert relation.hypothesis == ("may" in text)


@pytest.mark.parametrize(
    ("text", "drugs"),
    [
        ("Veratin and solbex were given. It caused tremor.", ("Veratin", "solbex")),
        ("Patients with an old disease were given veratin. It caused tremor.", ("veratin",)),
        ("Veratin was given. It is possible that stress caused tremor.", ("Veratin",)),
        ("Veratin was given. It was stopped, as stress caused tremor.", ("Veratin",)),
        ("Veratin was given. Nothing happened. It caused tremor.", ("Veratin",)),
    ],
)
def test_a_pronoun_that_may_mean_something_else_says_nothing(
    text: str, drugs: tuple[str, ...]
) -> None:
    assert stated(text, *drugs) == []


def test_a_pronoun_takes_no_effect_of_a_named_agent() -> None:
    text = "Veratin was given. It was stopped, as solbex caused tremor."
    assert [claim.subject.quote(text) for claim in stated(text, "Veratin", "solbex")] == ["solbex"]
