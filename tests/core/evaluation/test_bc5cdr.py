"""How the chemical–disease task counts."""

from __future__ import annotations

from core.errors import Unreachable
from core.evaluation.bc5cdr import (
    Bc5cdrTable,
    Extract,
    ScoreCounts,
    read_document,
    score_table,
    scored_relations,
)
from core.evaluation.corpus import AnnotatedDocument, CorpusMention
from core.extraction.tree import Branch, Extraction, Leaf, LeafKind
from core.model import Category, Mention, Span, Term


def extraction(predicate: str = "INDUCES", qualifier: str = "") -> Extraction:
    ends = {"subject": ("MESH:D1", Category.CHEMICAL), "object": ("MESH:D2", Category.DISEASE)}
    slots = [
        (
            name,
            (
                Leaf(
                    f"triples[0].{name}", name, "Thing", LeafKind.ENTITY, name, (Span(at, at + 1),)
                ),
            ),
        )
        for at, name in enumerate(ends)
    ]
    slot_values = [("predicate", predicate), ("qualifier", qualifier)]
    slots += [
        (n, (Leaf(f"triples[0].{n}", v, "string", LeafKind.LITERAL, v),))
        for n, v in slot_values
        if v
    ]
    mentions = tuple(
        Mention(
            name,
            f"triples[0].{name}",
            "Thing",
            category,
            (Span(at, at + 1),),
            chosen=Term(id, name),
        )
        for at, (name, (id, category)) in enumerate(ends.items())
    )
    return Extraction(
        Branch(
            "", "Text", slots=(("triples", (Branch("triples[0]", "Triple", slots=tuple(slots)),)),)
        ),
        mentions,
    )


def measure(documents: list[AnnotatedDocument], extract: Extract) -> Bc5cdrTable:
    return score_table(documents, [read_document(document.text, extract) for document in documents])


GOLD = AnnotatedDocument(
    "1",
    "cd",
    (
        CorpusMention(Span(0, 1), "c", "Chemical", ("MESH:D1",)),
        CorpusMention(Span(1, 2), "d", "Disease", ("MESH:D2",)),
    ),
    frozenset({("MESH:D1", "MESH:D2")}),
)


def test_a_stated_cause_is_a_pair_of_ids() -> None:
    assert list(scored_relations(extraction())) == [("MESH:D1", "MESH:D2")]


def test_negated_relations_are_left_out_of_the_score() -> None:
    assert not list(scored_relations(extraction("NOT INDUCES")))
    assert not list(scored_relations(extraction(qualifier="NOT")))


def test_predicates_other_than_induces_are_left_out_of_the_score() -> None:
    assert not list(scored_relations(extraction("TREATS")))


def test_a_perfect_run_scores_a_hundred() -> None:
    table = measure([GOLD], lambda text: extraction())
    assert table.relations.scores == (100.0, 100.0, 100.0)
    assert table.measures["Chemical spans"].scores == (100.0, 100.0, 100.0)


def test_a_document_that_fails_counts_as_missed() -> None:
    def fails(text: str) -> Extraction:
        raise Unreachable("No answer.")

    table = measure([GOLD], fails)
    assert (len(table.trouble), table.relations.missed) == (1, 1)


def test_empty_result_scores_zero_without_an_error() -> None:
    assert ScoreCounts().scores == (0.0, 0.0, 0.0)


def test_report_shows_our_figures_beside_those_of_the_paper() -> None:
    lines = list(measure([GOLD], lambda text: extraction()).lines())
    assert lines[1].startswith("relations\t100.00")
    assert [line.split("\t")[3] for line in lines[-3:]] == ["41.16", "36.64", "43.80"]
