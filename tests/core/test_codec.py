from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.codec import from_json, read_noun, to_json, write_noun
from core.errors import InputError
from core.extraction.tree import Branch, Extraction, Leaf, LeafKind
from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer
from core.llm.completer import Message, Reply, Request, Tool, ToolCall, Usage
from core.model import (
    Call,
    CallState,
    Candidate,
    Category,
    Decision,
    Evidence,
    Job,
    Literal,
    MatchKind,
    Mention,
    Modality,
    Node,
    Outcome,
    Problem,
    Qualifier,
    Reason,
    RecordGround,
    ReferenceGround,
    Run,
    Severity,
    Span,
    Statement,
    Term,
    TextGround,
    Verdict,
)

ASPIRIN = Term("CHEBI:15365", "aspirin", Category.CHEMICAL)
NODE = Node("n1-a", "Step", "mix", Category.PROCEDURE)
CANDIDATE = Candidate(
    ASPIRIN, MatchKind.LABEL, 1.0, "Aspirin", "case", "chebi", "245", True, "CHEBI:1"
)
MENTION = Mention(
    "ASA",
    "a[0]",
    "Drug",
    Category.CHEMICAL,
    (Span(0, 3),),
    (CANDIDATE,),
    ASPIRIN,
    "engine",
    Outcome.GROUNDED,
)
LEAF = Leaf("a[0]", "ASA", "Drug", LeafKind.ENTITY, "ASA", (Span(0, 3),), 1.0, ("echo",))
TREE = Branch("", "Root", "text", (("a", (LEAF, Branch("a[1]", "Step"))), ("b", ())), (Span(1, 2),))
NOUNS = [
    Statement(ASPIRIN, Term("x:1", "r"), Literal("2", "xsd:decimal", "mg"), True, Modality.HYPOTHESIS,  # noqa: E501
              (Qualifier("q", ASPIRIN), Qualifier("p", Literal("1"))), "doc:1", "s1-old"),
    Statement(NODE, Term("", "has part"), NODE),
    Evidence("s1-x", TextGround("doc:1", "sha", Span(1, 4), "abc", "title"), "r1", "a[0]", "spires", 0.5),  # noqa: E501
    Evidence("s1-x", RecordGround("c1", "NCBIGene:1", "/a/0", "v")),
    Evidence("s1-x", ReferenceGround("PMID:1", "Fig 1", "note")),
    Decision("d1", "s1-x", 2, Verdict.REJECT, "0000", "t", "e1-x", Reason.DUPLICATE, "n", "b", "u", "s1-y"),  # noqa: E501
    MENTION,
    Call("c1", "r1", "p", "model", {"a": [1, None]}, "h", 2, CallState.DONE, {"text": "x"}, "", "t", 1.5, 3, 4, 0.1),  # noqa: E501
    Run("r1", "extract", "spires", settings={"chunk": 5}, vocabularies={"chebi": "245"}),
    Job("j1", "extract", {"a": 1}, result=[1, 2]),
    Problem("not-in-text", "says", Severity.ERROR, "a", "do"),
    Extraction(TREE, (MENTION,), (Problem("x", "y"),)),
    Reply("text", (ToolCall("1", "f", "{}"),), "tool_calls", "m", Usage(1, 2, True), "c1"),
    Request((Message("user", "hi", (ToolCall("1", "f", "{}"),), "1"),), ("stop",),
            (Tool("f", "d", {}),), {"a": 1}),
]  # fmt: skip


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: type(noun).__name__)
def test_every_noun_comes_back_as_it_went_in(noun: object) -> None:
    assert from_json(type(noun), json.loads(json.dumps(to_json(noun)))) == noun


def test_a_noun_of_a_choice_says_which_it_is() -> None:
    assert to_json(NOUNS[2])["ground"]["type"] == "TextGround"


def test_defaults_are_left_out_and_unknown_keys_are_ignored() -> None:
    assert to_json(Term("A:1", "a")) == {"id": "A:1", "label": "a"}
    assert from_json(Term, {"id": "A:1", "label": "a", "colour": "red"}) == Term("A:1", "a")


def test_a_declared_noun_says_itself_what_it_is() -> None:
    whole = Extraction(TREE)
    assert read_noun(write_noun(whole)) == whole
    with pytest.raises(InputError, match="unknown kind"):
        read_noun({"type": "Gremlin"})


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"id": 3, "label": "a"},
        [],
        None,
        {"id": "A:1", "label": "a", "category": "gremlin"},
        "A:1",
    ],
)
def test_json_of_another_noun_is_refused_in_words(value: object) -> None:
    with pytest.raises(InputError, match="not a Term"):
        from_json(Term, value)


@given(st.text(), st.floats(0, 1), st.integers(0, 10**6))
def test_codec_keeps_any_text_and_number(words: str, score: float, start: int) -> None:
    evidence = Evidence(
        "s1-x", TextGround(words, words, Span(start, start + 1), words), score=score
    )
    assert from_json(Evidence, json.loads(json.dumps(to_json(evidence)))) == evidence


def test_field_with_a_new_name_is_kept_under_its_old_one():
    answer = GeneAnswer(
        "What is the symbol?",
        "symbol",
        AnswerStatus.ANSWERED,
        values=(AnswerValue("TP53", "gene:7157", "symbol", "TP53"),),
    )
    body = to_json(answer)
    assert body["found"][0]["value"] == "TP53" and "values" not in body
    assert from_json(GeneAnswer, json.loads(json.dumps(body))) == answer
    assert from_json(GeneAnswer, {**body, "of a newer version": 1}) == answer
