"""What --help lists is what the services know."""

from __future__ import annotations

from core.cli import choices
from core.cli.conflict_run import ENDS
from core.cli.documents_run import SHOWS
from core.literature.answers import paper_table
from core.services.graph import explore, view_request
from core.services.literature import screening, triage
from core.services.review import decision_row
from core.store import DocumentOrder, RankOrder


def test_choices_of_help_are_those_of_the_services() -> None:
    assert choices.VERDICTS == decision_row.VERDICTS
    assert tuple(ENDS) == choices.CONFLICT_ENDS
    assert tuple(RankOrder) == choices.WAITING_ORDERS
    assert tuple(DocumentOrder) == choices.DOCUMENT_ORDERS
    assert tuple(SHOWS) == choices.DOCUMENT_SHOWS
    assert tuple(explore.PICTURES) == choices.PICTURES
    assert choices.THING_SIZES == view_request.SIZES
    assert choices.ASSERTION_KINDS == view_request.ASSERTION_KINDS
    assert tuple(triage.FORMATS) == choices.PAPER_SET_FORMATS
    assert tuple(screening.ReadingOrder) == choices.READING_ORDERS
    assert tuple(paper_table.FORMATS) == choices.TABLE_FORMATS
