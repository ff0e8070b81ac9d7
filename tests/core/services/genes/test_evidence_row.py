from __future__ import annotations

from dataclasses import replace

from core.genes.answer import AnswerValue, StatementEnd
from core.model import Literal, Statement, Term
from core.services.genes.evidence_row import evidence_rows, held_lines
from core.services.genes.statement import statement_sentence

GENE, DISEASE = StatementEnd("AAA1", "NCBIGene:1"), StatementEnd("MADE UP DISEASE 1", "OMIM:100001")
BAND = AnswerValue("17q21", "NCBIGene:1", "/result/1/maplocation", "17q21.31", "c1", GENE)
LINK = AnswerValue(
    "AAA1", "NCBIGene:1", "/linksets/0/linksetdbs/0/links/0", "1", "c1", GENE, DISEASE
)


def test_link_is_worded_and_not_shown_as_a_number():
    row = evidence_rows([LINK])[0]
    assert row["what the record says"] == (
        "NCBI links OMIM:100001 (MADE UP DISEASE 1) to NCBIGene:1"
    )


def test_evidence_field_without_a_wording_is_shown_as_it_is():
    assert evidence_rows([BAND])[0]["what the record says"] == "17q21.31"


def test_a_long_field_is_cut_and_says_so():
    row = evidence_rows([replace(BAND, raw="a" * 1_000)])[0]
    assert row["what the record says"] == "a" * 400 + " …"


def test_values_held_back_for_one_reason_are_one_line():
    held = [(f"AAA{number}", "the answer is incomplete") for number in range(1, 11)]
    assert held_lines([*held, ("BBB1", "it rests on no recorded call")]) == [
        "AAA1, AAA2, AAA3, AAA4, AAA5, AAA6, AAA7, AAA8 and 2 more: the answer is incomplete.",
        "BBB1: it rests on no recorded call.",
    ]


def test_a_value_is_read_out_with_its_unit() -> None:
    gene = Term("NCBIGene:7157", "TP53")
    weighs = Statement(gene, Term("x:weighs", "weighs"), Literal("43.7", "xsd:decimal", "kDa"))
    assert statement_sentence(weighs) == "TP53 weighs 43.7 kDa"
