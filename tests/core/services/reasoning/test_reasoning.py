"""The terms that the form of a class offers, and how what was found is told."""

from __future__ import annotations

from core.kb.reasoning.classify import Classification
from core.model import Verdict
from core.services.reasoning import reasoning
from core.services.reasoning.reasoning import ReasoningResult
from core.services.review import decision
from core.services.review.decision import Judgement
from tests import reviewing

ROWS = (
    ("PO:1", "obsolete bark"),
    ("PO:2", "oak bark"),
    ("ENVO:3", "bark"),
)


def test_class_search_puts_exact_labels_first_and_leaves_out_obsolete_terms(tmp_path):
    desk = reviewing.empty(tmp_path)
    desk.vocabularies.mkdir(parents=True, exist_ok=True)
    for prefix in ("PO", "ENVO"):
        rows = [f"{prefix}\t{id}\t{label}\t{label}\tlabel\n" for id, label in ROWS if prefix in id]
        text = reviewing.VOCABULARY.format(name=prefix.casefold()) + "".join(rows)
        (desk.vocabularies / f"{prefix.casefold()}.tsv").write_text(text)
    assert reasoning.terms_like(desk, "bark") == {"ENVO:3": "bark", "PO:2": "oak bark"}
    desk.close()


def test_reasoning_says_what_it_left_out():
    names = ("DataHasValue", "DataSomeValuesFrom", "ObjectMaxCardinality", "ObjectUnionOf")
    result = ReasoningResult((), Classification(outside=names), "https://kb.example.org/")
    assert result.left_out == ["counted relations", "numbers and words", "“or”"]


def test_reasoning_counts_the_statements_that_say_more_than_a_plain_relation(tmp_path):
    desk = reviewing.hostile(tmp_path)
    for record in desk.store.queue.records():
        approve = Judgement(Verdict.APPROVE)
        decision.decide(desk, record.id, record.version, approve, curator=reviewing.ANNA)
    result = reasoning.run_reasoner(desk)
    desk.close()
    assert result.left_out == ["1 negated statement", "1 statement with qualifiers"]


def test_the_id_of_a_thing_without_one_is_not_shown():
    keys = {"https://kb.example.org/node/n1-ab": "n1-ab", "https://e.org/1": "CHEBI:1"}
    result = ReasoningResult((), Classification(), "https://kb.example.org/", keys)
    assert [result.curie_of(name) for name in keys] == ["", "CHEBI:1"]
