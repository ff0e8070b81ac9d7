"""Whether a piece of evidence still proves anything."""

from __future__ import annotations

import pytest

from core.kb.gate.proof import (
    EvidenceProof,
    answer_holds,
    is_supported,
    prove_evidence,
    source_is_missing,
)
from core.model import Call, CallState, Evidence, RecordGround, ReferenceGround, Span, TextGround

TEXT = "Aspirin eased the pain."


class Stored:
    """One text version and one finished call."""

    def text(self, version: str) -> str | None:
        return TEXT if version == "v1" else None

    def call(self, identifier: str) -> Call | None:
        done = Call(
            "c1", "r1", "", "ncbi", {}, "", state=CallState.DONE, answer={"symbol": "BRCA1"}
        )
        return done if identifier == "c1" else None


def quoted(words: str, start: int = 0, version: str = "v1") -> Evidence:
    span = Span(start, start + len(words))
    return Evidence("s1-x", TextGround("PMID:1", version, span, words))


def recorded(value: str, call: str = "c1") -> Evidence:
    return Evidence("s1-x", RecordGround(call, "NCBIGene:672", "/symbol", value))


def typed(reference: str) -> Evidence:
    return Evidence("s1-x", ReferenceGround(reference))


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (quoted("Aspirin"), EvidenceProof.QUOTE),
        (quoted("eased", 8), EvidenceProof.QUOTE),
        (quoted("aspirin"), EvidenceProof.NONE),
        (quoted("Aspirin", 1), EvidenceProof.NONE),
        (quoted(" ", 7), EvidenceProof.NONE),
        (quoted("Aspirin", version="v2"), EvidenceProof.NONE),
        (recorded("BRCA1"), EvidenceProof.RECORD),
        (recorded("BRCA2"), EvidenceProof.NONE),
        (recorded("BRCA1", "c2"), EvidenceProof.NONE),
        (typed("PMID:1"), EvidenceProof.TYPED),
        (typed("  "), EvidenceProof.NONE),
    ],
)
def test_evidence_proves_only_what_its_source_still_says(evidence, expected):
    assert prove_evidence(evidence, Stored()) is expected


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (quoted("Aspirin"), True),
        (recorded("BRCA1"), True),
        (typed("PMID:1"), False),
        (quoted("Ibuprofen"), False),
    ],
)
def test_a_reference_without_words_supports_no_approval_in_bulk(evidence, expected):
    assert is_supported(evidence, Stored()) is expected


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (quoted("Ibuprofen"), False),
        (quoted("Aspirin", version="v2"), True),
        (recorded("BRCA2"), False),
        (recorded("BRCA1", "c2"), True),
        (typed("PMID:1"), False),
    ],
)
def test_a_missing_source_and_a_contradicting_one_are_distinguished(evidence, expected):
    assert source_is_missing(evidence, Stored()) is expected


@pytest.mark.parametrize(
    ("answer", "pointer", "value", "expected"),
    [
        ("plain  words\nhere", "", "words here", True),
        ("plain words", "/0", "words", True),
        (["a b", "c"], "/0", "a  b", True),
        (["a b", "c"], "/1", "a", False),
        ({"text": '[{"é": "naïve\\nwords"}]'}, "/0/é", "naïve words", True),
        ({"text": '  {"a": "x"}'}, "/b", "x", False),
        ({"text": '{"a": "x &amp; y"}'}, "/a", "x & y", False),
        ({"text": "<a>x &amp; y</a>"}, "/a", "x & y", True),
        ({"a": {"b": "deep"}}, "/a", "deep", True),
        ({"a": "tab\there"}, "/a", "tab here", True),
        ({"text": '{"a": "raw\ttab"}'}, "/a", "raw tab", True),
        ({"a": "x"}, "/a", " ", False),
        ({"a": "naïve"}, "a", "naïve", True),
        (None, "/a", "null", False),
    ],
)
def test_a_stored_answer_holds_a_value_where_its_pointer_leads(answer, pointer, value, expected):
    assert answer_holds(answer, pointer, value) is expected
