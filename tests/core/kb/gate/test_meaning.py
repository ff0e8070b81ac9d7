"""The gate proves meaning: relations, the kinds of ends, and that the evidence says it."""

from __future__ import annotations

import pytest

from core.kb.gate.meaning import built_in, is_overruled, kinds_problem, unsaid
from core.model import (
    Category,
    Decision,
    Evidence,
    Span,
    Statement,
    Support,
    SupportVerdict,
    Term,
    TextGround,
    Verdict,
)

ASPIRIN = Term("CHEBI:15365", "aspirin", Category.CHEMICAL)
HEADACHE = Term("MONDO:0005277", "headache", Category.DISEASE)
TREATS = Term("biolink:treats", "treats", Category.RELATION)


class Verdicts:
    """A prover with one verdict for all evidence."""

    def __init__(self, support: Support | None):
        self._support = support

    def relation_problem(self, predicate: Term) -> str:
        return ""

    def support(self, statement: str, evidence: str) -> Support | None:
        return self._support


def approval(note: str) -> Decision:
    return Decision("d1", "s1-1", 1, Verdict.APPROVE, "0000-0002-1825-0097", "2026", note=note)


def quote(words: str) -> Evidence:
    return Evidence("s1-1", TextGround("PMID:1", "sha", Span(0, len(words)), words))


@pytest.mark.parametrize("id", ["rdf:type", "owl:sameAs", "rdfs:label", "OWL:sameAs"])
def test_words_of_the_graph_language_are_no_relations(id: str) -> None:
    assert "RDF and OWL" in built_in(Term(id, "", Category.RELATION))


def test_a_relation_is_not_built_in() -> None:
    assert built_in(TREATS) == ""


def test_ends_must_be_of_the_kinds_that_the_relation_joins() -> None:
    assert kinds_problem(Statement(ASPIRIN, TREATS, HEADACHE)) == ""
    assert "cannot be a disease" in kinds_problem(Statement(HEADACHE, TREATS, ASPIRIN))


@pytest.mark.parametrize(
    ("relation", "label", "subject", "object_", "fits"),
    [
        ("RO:0002606", "is substance that treats", "chemical", "disease", True),
        ("RO:0002606", "is substance that treats", "gene", "disease", True),  # as its product
        ("RO:0002606", "is substance that treats", "chemical", "organism", False),
        ("RO:0002606", "is substance that treats", "chemical", "chemical", False),
        ("RO:0003302", "causes or contributes to condition", "chemical", "gene", False),
        ("RO:0003302", "causes or contributes to condition", "chemical", "phenotype", True),
        ("RO:0002200", "has phenotype", "chemical", "phenotype", False),
        ("RO:0002200", "has phenotype", "disease", "gene", False),
        ("RO:0002200", "has phenotype", "disease", "disease", True),
        ("RO:0002449", "directly negatively regulates activity of", "chemical", "gene", True),
        ("RO:0002449", "directly negatively regulates activity of", "disease", "gene", False),
        ("RO:0002206", "expressed in", "gene", "disease", False),
        ("RO:0002162", "in taxon", "gene", "disease", False),
        ("RO:0001025", "located in", "organism", "environment", True),
        ("RO:0001025", "located in", "gene", "disease", False),
    ],
)
def test_a_relation_of_ro_keeps_its_domain_and_range(
    relation: str, label: str, subject: str, object_: str, fits: bool
) -> None:
    ends = (Term("X:1", "one", Category(subject)), Term("X:2", "two", Category(object_)))
    statement = Statement(ends[0], Term(relation, label, Category.RELATION), ends[1])
    assert (kinds_problem(statement) == "") is fits


def test_a_thing_of_unknown_kind_may_stand_anywhere() -> None:
    unknown = Term("X:1", "something", Category.THING)
    assert kinds_problem(Statement(unknown, TREATS, HEADACHE)) == ""


def test_an_end_for_which_the_desk_has_no_kind_may_be_of_any() -> None:
    inherited = Term("biolink:has_mode_of_inheritance", "", Category.RELATION)
    recessive = Term("HP:0000007", "Autosomal recessive inheritance", Category.PHENOTYPE)
    assert kinds_problem(Statement(HEADACHE, inherited, recessive)) == ""
    assert "cannot be a chemical" in kinds_problem(Statement(ASPIRIN, inherited, recessive))


@pytest.mark.parametrize("verdict", [SupportVerdict.SILENT, SupportVerdict.CONTRADICTS])
def test_evidence_that_does_not_say_it_holds(verdict: SupportVerdict) -> None:
    prover = Verdicts(Support(verdict, 0.03, ("the sentence denies it: “not”",)))
    assert unsaid("s1-1", [quote("no")], prover).endswith("denies it: “not”")


@pytest.mark.parametrize("verdict", [SupportVerdict.SUPPORTS, SupportVerdict.UNCLEAR])
def test_evidence_that_may_say_it_does_not_hold(verdict: SupportVerdict) -> None:
    assert unsaid("s1-1", [quote("yes")], Verdicts(Support(verdict, 0.6))) == ""


def test_what_no_judge_saw_is_not_held() -> None:
    assert unsaid("s1-1", [quote("yes")], Verdicts(None)) == ""


def test_a_curator_overrules_with_a_reason_only() -> None:
    assert is_overruled([approval("Overruled: the table says it")])
    assert not is_overruled([approval("Overruled:")])
    assert not is_overruled([approval("looks fine")])
