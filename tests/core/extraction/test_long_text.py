"""Long texts are read in parts: nothing is lost or said twice, offsets are those of the whole."""

from __future__ import annotations

import re

import pytest

from core.errors import ContextExceeded, InputError, RateLimited
from core.extraction.long_text import TextSplit, extract_in_parts
from core.extraction.spires.engine import Spires
from core.extraction.statements import extracted_statements
from core.llm.completer import OnText, Reply, Request
from core.schema.definition import Schema
from core.text.clean import text_version
from tests.core.extraction.fakes import RuleModel

SENTENCES = [f"Patient {number} took aspirin for measles in ward {number}." for number in range(20)]
TEXT = " ".join(SENTENCES)


class Reader:
    """Finds the drug and the wards that a text names."""

    model = "reader"

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.paths: list[str] = []

    def complete(self, request: Request, on_text: object = None) -> Reply:
        text = request.messages[-1].content.rpartition("Text:\n")[2]
        self.texts.append(text)
        self.paths.append(request.path)
        wards = "; ".join(f"ward {n}" for n in range(20) if f"ward {n}." in text)
        return Reply(f"chemicals: aspirin\ndiseases: {wards}")


@pytest.mark.parametrize("split", [TextSplit("sentences", 3, 1), TextSplit("characters", 300, 60)])
def test_windows_of_a_long_text_are_all_read(relations: Schema, split: TextSplit) -> None:
    model = Reader()
    extraction = extract_in_parts(Spires(model), relations, "Paper", TEXT, split=split)
    assert len(model.texts) > 3
    assert {mention.text for mention in extraction.mentions if mention.cls == "Disease"} == {
        f"ward {n}" for n in range(20)
    }


def test_offsets_are_those_of_the_whole_text(relations: Schema) -> None:
    extraction = extract_in_parts(
        Spires(Reader()), relations, "Paper", TEXT, split=TextSplit("sentences", 3, 1)
    )
    for mention in extraction.mentions:
        assert mention.spans
        assert all(span.quote(TEXT) == mention.text for span in mention.spans)


def test_equal_values_are_one_with_all_their_evidence(relations: Schema) -> None:
    extraction = extract_in_parts(
        Spires(Reader()), relations, "Paper", TEXT, split=TextSplit("sentences", 3, 0)
    )
    (aspirin,) = [mention for mention in extraction.mentions if mention.text == "aspirin"]
    assert len(aspirin.spans) == 20
    assert aspirin.slot == "chemicals[0]"
    statements = extracted_statements(
        relations,
        extraction,
        "PMID:1",
        text_version("PMID:1", TEXT, "p"),
        run="run",
        engine="spires",
    )
    assert len({ground.ground.span for ground in statements[0][1]}) == 10  # type: ignore[union-attr]


def test_calls_of_a_split_text_are_traced_by_part(relations: Schema) -> None:
    model = Reader()
    extract_in_parts(Spires(model), relations, "Paper", TEXT, split=TextSplit("sentences", 10, 0))
    assert sorted(model.paths) == ["chunk[0]/", "chunk[1]/"]


def test_mentions_of_a_text_read_in_parts_match_the_leaves_of_its_tree(relations: Schema) -> None:
    extraction = extract_in_parts(
        Spires(Reader()), relations, "Paper", TEXT, split=TextSplit("sentences", 4, 1)
    )
    leaves = {leaf.path: leaf.text for leaf in extraction.tree.leaves()}
    assert {mention.slot: mention.text for mention in extraction.mentions} == leaves


def test_a_part_that_fails_is_named_and_the_others_stand(relations: Schema) -> None:
    rules: dict[str, str | Exception] = {
        "Patient 0": RateLimited("Wait."),
        "Patient": "chemicals: aspirin",
    }
    extraction = extract_in_parts(
        Spires(RuleModel(rules)), relations, "Paper", TEXT, split=TextSplit("sentences", 10, 0)
    )
    assert [(p.code, p.where) for p in extraction.problems] == [("call-failed", "chunk[0]")]
    assert extraction.tree.get("chemicals")


def test_when_every_part_fails_there_is_no_result(relations: Schema) -> None:
    with pytest.raises(RateLimited):
        extract_in_parts(
            Spires(RuleModel({"": RateLimited("Wait.")})),
            relations,
            "Paper",
            TEXT,
            split=TextSplit("sentences", 10, 0),
        )


def test_an_overlap_as_large_as_the_part_is_refused(relations: Schema) -> None:
    with pytest.raises(InputError):
        extract_in_parts(
            Spires(Reader()), relations, "Paper", TEXT, split=TextSplit("sentences", 2, 2)
        )


def test_relations_of_several_parts_keep_their_pairs(relations: Schema) -> None:
    rules = {
        "fever": "subject: aspirin\npredicate: TREATS\nobject: fever",
        "nausea": (
            "subject: morphine\npredicate: INDUCES\nobject: nausea\n\n"
            "subject: opium\npredicate: INDUCES\nobject: nausea"
        ),
    }
    text = "Aspirin treats fever. Morphine and opium induce nausea."
    extraction = extract_in_parts(
        Spires(RuleModel(rules)), relations, "Relation", text, split=TextSplit("sentences", 1, 0)
    )
    statements = extracted_statements(
        relations,
        extraction,
        "PMID:1",
        text_version("PMID:1", text, "p"),
        run="run",
        engine="spires",
    )
    assert [s.subject.label for s, _ in statements] == ["aspirin", "morphine", "opium"]
    assert {m.slot for m in extraction.mentions} == {
        leaf.path for leaf in extraction.tree.leaves() if leaf.kind == "entity"
    }


class SmallModel:
    """Reads so many characters at once, and says its length or not."""

    model = "small"

    def __init__(self, most: int, limit: int = 0):
        self.most, self.limit, self.read = most, limit, list[str]()

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        asked = request.messages[-1].content
        if len(asked) > self.most:
            raise ContextExceeded("The text is longer than the model can read.", limit=self.limit)
        self.read.append(asked)
        names = re.findall(r"Patient \d+", asked)
        return Reply("chemicals: " + "; ".join(names))


@pytest.mark.parametrize("limit", [0, 1000], ids=["length not told", "length told"])
def test_a_text_that_does_not_fit_is_read_in_parts_and_says_so(
    relations: Schema, limit: int
) -> None:
    text = " ".join(f"Patient {n} took aspirin and slept well." for n in range(100))
    model = SmallModel(2000, limit)
    extraction = extract_in_parts(
        Spires(model), relations, "Paper", text, split=TextSplit(), room=lambda tokens: 1200
    )
    assert all(f"Patient {n} " in "".join(model.read) for n in range(100))
    assert len(extraction.tree.get("chemicals")) == 100
    assert "read-in-parts" in {problem.code for problem in extraction.problems}
    spans = [leaf.spans[0] for leaf in extraction.tree.leaves() if leaf.spans]
    assert spans and all(span.quote(text).startswith("Patient") for span in spans)


def test_a_text_that_fits_nowhere_fails_with_the_reason(relations: Schema) -> None:
    with pytest.raises(ContextExceeded):
        extract_in_parts(Spires(SmallModel(10)), relations, "Paper", TEXT, split=TextSplit())
