"""Evidence that stands in a table is shown with it, its caption and the cells it points to."""

from __future__ import annotations

from pathlib import Path

from core.model import Document, Evidence, Literal, Span, Statement, Term, TextGround
from core.services.review.card import statement_card
from core.text.clean import text_version
from pages.components.review.card_row import passage_row
from tests import reviewing
from tests.reviewing import ANNA, ASPIRIN

TABLE = (
    "It was tried.\n\nTable 1. Events by drug\n\nColumns: Drug | Nausea | Rash | Death\n\n"
    "Alpha – Death: 4\n\nBeta – Nausea: 3 | Rash: 1"
)
DEATHS = Statement(ASPIRIN, Term("schema:deaths", "deaths"), Literal("4", "xsd:integer"))


def table_row(project: Path, quote: str) -> dict:
    desk = reviewing.filled(project)
    desk.store.documents.add(Document("PMID:9", "Events"))
    version = desk.store.documents.add_text(text_version("PMID:9", TABLE))
    start = version.text.index(quote)
    ground = TextGround("PMID:9", version.sha, Span(start, start + len(quote)), quote)
    piece = Evidence(DEATHS.id, ground, "r1", "", "dictionary", 0.9)
    desk.store.statements.propose([(DEATHS, [piece])], "r1", ANNA.orcid)
    card = statement_card(desk, DEATHS.id)
    return passage_row(card, card.passages[0])["table"]


def test_a_quoted_row_is_shown_in_its_table(project):
    table = table_row(project, "Alpha – Death: 4")
    assert table["caption"] == "Table 1. Events by drug"
    assert table["columns"] == ["Drug", "Nausea", "Rash", "Death"]
    assert table["rows"] == [["Alpha", "", "", "4"], ["Beta", "3", "1", ""]]
    assert (table["marked"], table["stub"], table["left"]) == ([[0, 0], [0, 3]], 1, 0)


def test_evidence_may_point_to_one_cell(project):
    assert table_row(project, "4")["marked"] == [[0, 3]]  # Alpha's deaths


def test_a_quote_in_a_sentence_has_no_table(project):
    assert table_row(project, "It was tried.") is None
