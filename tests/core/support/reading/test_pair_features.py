"""Pairs of things as features, and their probability by a learned table."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

from core.extraction.builtin.likely_relation import NEAR, TOPIC, likely_relations
from core.extraction.builtin.reading import stated_in
from core.model import Category, Span
from core.support.reading.pair_features import Pair, candidate_pairs
from core.support.reading.pair_probability import (
    PairWeights,
    read_weights,
    weights_for,
)
from core.support.reading.predicate import Predicate
from core.text.sentence import split_sentences
from tests.core.support.reading.test_relation import place

CAUSE = [Predicate("INDUCES")]


class Named:
    def __init__(self, key: str, *spans: Span):
        self.key, self.spans = key, spans


def read(text: str, **kinds: set[str]) -> Pair[Named]:
    parts = tuple(split_sentences(text))
    drug, sign = Named("drug", place(text, "eratin")), Named("sign", place(text, "tremor"))
    stated = stated_in(text, parts, [drug], [sign], predicates=CAUSE)
    (pair,) = candidate_pairs(
        text, parts[0], parts, [drug], objects=[sign], stated=stated, predicate="INDUCES",
        kinds=lambda id: frozenset(kinds.get(id, ())),
    )  # fmt: skip
    return pair


def test_a_rule_that_fired_is_a_feature() -> None:
    features = read("Veratin caused tremor.").features
    assert "rule S causes O" in features or "rule S-induced O" in features
    assert features["together"] == features["subject in title"] == 1.0


def test_a_denial_and_an_aim_are_features_of_their_own() -> None:
    denied = read("Veratin did not cause tremor.").features
    asked = read("To examine whether veratin often caused tremor.").features
    assert "rule S causes O, denied" in denied
    assert "rule S causes O, asked" in asked


def test_branches_of_a_vocabulary_are_features() -> None:
    features = read("Veratin caused tremor.", sign={"X:1"}).features
    assert features["object kind X:1"] == 1.0


def test_a_pair_below_the_threshold_is_not_proposed() -> None:
    pair = read("Veratin and tremor.")
    assert likely_relations(pair, "INDUCES", PairWeights({}, -3.0, 0.6)) == []
    (kept,) = likely_relations(pair, "INDUCES", PairWeights({}, 2.0, 0.6))
    assert math.isclose(kept.score, 1 / (1 + math.exp(-2)))


def test_words_that_say_a_relation_count_as_much_as_their_rule() -> None:
    pair, timid = read("Veratin often caused tremor."), PairWeights({}, -3.0, 0.6)
    (kept,) = likely_relations(pair, "INDUCES", timid)
    assert kept.score == pair.relations[0].score
    (likelier,) = likely_relations(pair, "INDUCES", PairWeights({}, 3.0, 0.6))
    assert math.isclose(likelier.score, 1 / (1 + math.exp(-3)))
    weak = replace(pair, relations=tuple(replace(r, score=0.5) for r in pair.relations))
    supposed = replace(pair, relations=tuple(replace(r, aim=True) for r in pair.relations))
    assert likely_relations(weak, "INDUCES", timid) == []
    assert likely_relations(supposed, "INDUCES", timid) == []


def test_relation_stated_by_a_rule_needs_only_a_part_of_the_threshold() -> None:
    plain = PairWeights({"rule S causes O": 1.0}, -2.0, 0.5, is_lenient=True)  # 27 %
    pairs = read("Veratin often caused tremor.")
    assert [relation.rule for relation in likely_relations(pairs, "INDUCES", plain)] == [
        "S causes O"
    ]
    rare = PairWeights({}, -1.0, 0.5, is_lenient=True)  # 27 %, and no such text was learned from
    assert [relation.rule for relation in likely_relations(pairs, "INDUCES", rare)] == [
        "S causes O"
    ]
    unlikely = PairWeights({}, -3.0, 0.5, is_lenient=True)  # 5 %
    assert likely_relations(pairs, "INDUCES", unlikely) == []
    unsaid = PairWeights({}, -1.0, 0.5, is_lenient=True)  # 27 %, and only named together
    assert likely_relations(read("Veratin and tremor."), "INDUCES", unsaid) == []


def test_pair_that_is_only_denied_is_not_proposed_as_a_fact() -> None:
    pair = read("Veratin did not cause tremor.")
    assert likely_relations(pair, "INDUCES", PairWeights({}, 5.0, 0.5)) == []


def test_a_pair_without_a_rule_names_how_it_was_found() -> None:
    sure = PairWeights({}, 5.0, 0.5)
    assert likely_relations(read("Veratin and tremor."), "INDUCES", sure)[0].rule == NEAR
    apart = read("Veratin in rats. They showed tremor.")
    assert likely_relations(apart, "INDUCES", sure)[0].rule == TOPIC


def test_the_shipped_table_is_for_chemicals_that_cause_diseases() -> None:
    table = weights_for(Category.CHEMICAL, "cause", Category.PHENOTYPE)
    assert table is not None
    assert 0 < table.threshold < 1
    together = {"together": 1.0, "no subject between": 1.0}
    induced = table.probability(together | {"> phrase - induce": 1.0, "> between induce": 1.0})
    assert induced > table.probability(together) > 0
    assert weights_for(Category.GENE, "cause", Category.DISEASE) is None


def test_a_table_is_rows_of_features(tmp_path: Path) -> None:
    path = tmp_path / "w.tsv"
    path.write_text("# note\nfeature\tweight\tnote\nintercept\t-1\t\nthreshold\t0.4\t\nx\t2\t\n")
    table = read_weights(path)
    assert (table.threshold, round(table.probability({"x": 0.5, "y": 9.0}), 3)) == (0.4, 0.5)


def test_effect_stated_of_another_agent_counts_against_a_mere_co_mention() -> None:
    text = "Solbex caused tremor. Veratin and tremor were seen."
    parts = tuple(split_sentences(text))
    agents = [Named("drug", place(text, "Veratin")), Named("other", place(text, "Solbex"))]
    tremors = [Span(14, 20), Span(34, 40)]
    sign = Named("sign", *tremors)
    stated = stated_in(text, parts, agents, [sign], predicates=CAUSE)
    named_pair, stated_pair = candidate_pairs(
        text, parts[0], parts, agents, objects=[sign], stated=stated, predicate="INDUCES"
    )
    assert (named_pair.subject.key, stated_pair.subject.key) == ("drug", "other")
    assert named_pair.features["said of another subject, but nothing of these two"] == 1.0
    assert stated_pair.features["some rule says so"] == 1.0
    assert stated_pair.features["places where a rule says so"] == math.log(2)
    assert "said of another subject" not in stated_pair.features


def test_a_subject_between_the_two_is_a_feature() -> None:
    text = "Veratin, solbex and tremor."
    agents = [Named("drug", place(text, "Veratin")), Named("other", place(text, "solbex"))]
    sign = Named("sign", place(text, "tremor"))
    parts = (Span(0, len(text)),)
    far, near = candidate_pairs(
        text, parts[0], parts, agents, objects=[sign], stated=[], predicate="INDUCES"
    )
    assert far.features["subjects between"] == math.log(2)
    assert near.features["no subject between"] == 1.0
