from __future__ import annotations

from core.kb.record_words import record_words, statement_ends
from core.model import Category, Literal, RecordGround, Statement, Term

GENE = Term("NCBIGene:1", "AAA1", Category.GENE)
DISEASE = Term("OMIM:100001", "MADE UP DISEASE 1", Category.DISEASE)
ENDS = statement_ends(Statement(GENE, Term("RO:0003302", "causes"), DISEASE))
LINK = "/linksets/0/linksetdbs/0/links/0"


def words(pointer: str, record: str = GENE.id, value: str = "1") -> str:
    return record_words(RecordGround("c1", record, pointer, value), *ENDS)


def test_a_link_names_both_ends():
    assert words(LINK) == "NCBI links OMIM:100001 (MADE UP DISEASE 1) to NCBIGene:1"
    assert words(LINK, DISEASE.id) == "NCBI links NCBIGene:1 (AAA1) to OMIM:100001"
    assert words("LinkSetDb/Link/Id") == words(LINK)


def test_question_for_links_is_shown_as_a_question():
    assert words("/linksets/0/ids/0") == "NCBI was asked what it links to NCBIGene:1"


def test_record_field_without_a_wording_is_quoted_as_it_is():
    assert words("/result/1/maplocation", value="17q21.31") == "17q21.31"
    assert words("/result/1/summary", value="a" * 1_000) == "a" * 1_000


def test_link_to_something_without_id_shows_its_name():
    ends = statement_ends(
        Statement(GENE, Term("RO:0003302", "causes"), Literal("a mouse that cannot see"))
    )
    assert record_words(RecordGround("c1", GENE.id, LINK, "1"), *ends) == (
        "NCBI links a mouse that cannot see to NCBIGene:1"
    )
