"""What the built-in relation rules join, deny and leave alone."""

from __future__ import annotations

import pytest

from core.extraction.relation import Predicate, Relation, relations
from core.model import Span

CAUSE, TREAT = Predicate("INDUCES"), Predicate("TREATS")


def place(text: str, words: str) -> Span:
    start = text.index(words)
    return Span(start, start + len(words))


def joined(text: str, subject: str, object_: str, *predicates: Predicate) -> Relation | None:
    known = predicates or (CAUSE, TREAT)
    found = relations(text, Span(0, len(text)), [place(text, subject)], [place(text, object_)], known)
    return found[0] if found else None


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("Veratin-induced tremor was seen.", "INDUCES"),
        ("Veratin causes tremor in rats.", "INDUCES"),
        ("The tremor was caused by veratin.", "INDUCES"),
        ("A tremor appeared after veratin.", "INDUCES"),
        ("The tremor was treated with veratin.", "TREATS"),
        ("Veratin is used in the treatment of tremor.", "TREATS"),
        ("Veratin alleviated the tremor.", "TREATS"),
    ],
)
def test_a_cue_between_two_mentions_states_a_predicate(text: str, predicate: str) -> None:
    found = joined(text, "eratin", "tremor")
    assert found is not None
    assert found.predicate == predicate


@pytest.mark.parametrize(
    "text",
    [
        "Veratin did not cause tremor.",
        "There is no evidence that veratin causes tremor.",
        "Tremor was never due to veratin.",
    ],
)
def test_a_denied_relation_is_negated(text: str) -> None:
    found = joined(text, "eratin", "remor")
    assert found is not None
    assert found.negated


def test_a_negation_before_another_clause_does_not_reach() -> None:
    found = joined("Sleep did not change, but veratin caused tremor.", "veratin", "tremor")
    assert found is not None
    assert not found.negated


def test_a_supposed_relation_is_a_hypothesis() -> None:
    found = joined("We suspect that veratin may cause tremor.", "veratin", "tremor")
    assert found is not None
    assert found.hypothesis
    assert not found.negated


def test_two_mentions_without_a_cue_are_not_joined() -> None:
    assert joined("Veratin, an old remedy. Tremor", "Veratin", "Tremor") is None


def test_a_compound_belongs_to_the_nearest_subject() -> None:
    text = "Amlor reduced veratin-induced tremor."
    spans = [place(text, "Amlor"), place(text, "veratin")]
    found = relations(text, Span(0, len(text)), spans, [place(text, "tremor")], [CAUSE])
    assert [one.subject.quote(text) for one in found] == ["veratin"]


def test_a_condition_that_patients_had_is_not_an_outcome() -> None:
    assert joined("In patients with epilepsy after veratin", "veratin", "epilepsy", CAUSE) is None


def test_a_receptor_is_not_its_ligand() -> None:
    assert joined("Dopamine receptors cause tremor.", "Dopamine", "tremor") is None


def test_a_predicate_of_its_own_is_found_by_its_words() -> None:
    found = joined("Kinase Abc ubiquitinates Def.", "Abc", "Def", Predicate("UBIQUITINATES"))
    assert found is not None
    assert found.cue.quote("Kinase Abc ubiquitinates Def.") == "ubiquitinates"


def test_a_relation_names_its_rule_and_cue() -> None:
    text = "Veratin-induced tremor"
    found = joined(text, "Veratin", "tremor")
    assert found is not None
    assert (found.rule, found.cue.quote(text)) == ("compound (cause)", "-induced")
