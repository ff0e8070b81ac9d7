"""A knowledge base of another project: its texts are not here, which is told, and giving them
proves its quotes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import InputError
from core.kb.gate.gate import HoldReason
from core.model import Document, Evidence, TextGround, Verdict
from core.services.extract.run import keep_text
from core.services.graph import knowledge_base, statement_import
from core.services.review import bulk, decision
from core.services.review.absent_text import missing_texts, supply_text
from core.services.review.card import statement_card
from core.services.review.decision import Judgement
from core.text.clean import text_version
from tests import reviewing
from tests.reviewing import ANNA, DOCUMENT, RELIEVES, TEXT

SHA = text_version(DOCUMENT, TEXT).sha


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A project with vocabularies, into which what another project approved was imported."""
    extraction = reviewing.filled(tmp_path / "other")
    extraction.store.documents.add_text(text_version(DOCUMENT, TEXT))
    piece = reviewing.quoted(RELIEVES, "Aspirin relieves headache")
    assert isinstance(piece.ground, TextGround)
    extraction.store.statements.propose(
        [(RELIEVES, [Evidence(RELIEVES.id, replace(piece.ground, version=SHA))])], "", ANNA.orcid
    )
    draft = knowledge_base.export_draft(
        extraction, [(RELIEVES, extraction.store.statements.get(RELIEVES.id).evidence[1:])], []
    )
    here = reviewing.filled(tmp_path / "here")
    here.close()
    (here.folder / "groundwork.db").unlink()
    for database_file in here.folder.glob("groundwork.db-*"):
        database_file.unlink()
    here = reviewing.empty(here.folder)
    imported = statement_import.import_file(here, "kb.ttl", draft.encode())
    assert imported.absent == (DOCUMENT,)
    assert f"Quotes of {DOCUMENT} cannot be proven" in imported.remark
    extraction.close()
    yield here
    here.close()


def approve(desk: Desk) -> None:
    version = desk.store.statements.get(RELIEVES.id).version
    decision.decide(desk, RELIEVES.id, version, Judgement(Verdict.APPROVE), curator=ANNA)


def exported(desk: Desk) -> set[str]:
    return {entry.statement.id for entry in knowledge_base.gate_passage(desk).entries}


def test_the_gate_says_whose_text_is_missing_and_what_to_do(desk: Desk) -> None:
    approve(desk)
    (held,) = knowledge_base.gate_passage(desk).rejections
    assert (held.why, held.detail) == (HoldReason.ABSENT, DOCUMENT)
    assert "paste the text" in held.hint


def test_the_card_warns_before_approving(desk: Desk) -> None:
    shown_card = statement_card(desk, RELIEVES.id)
    assert shown_card.unproven
    assert shown_card.passages[0].absent
    batch = bulk.decide_many(
        desk, [(RELIEVES.id, shown_card.record.version)], Judgement(Verdict.APPROVE), ANNA
    )
    assert "is not in" in batch.left[0][1]


@pytest.mark.parametrize("form", [TEXT, f"  {TEXT}\n\n"])
def test_supplying_the_absent_text_proves_its_quote(desk: Desk, form: str) -> None:
    approve(desk)
    supply_text(desk, DOCUMENT, SHA, form)
    assert exported(desk) == {RELIEVES.id}
    assert not missing_texts(desk, desk.store.statements.get(RELIEVES.id).evidence)


def test_absent_text_cannot_be_replaced_by_a_different_one(desk: Desk) -> None:
    with pytest.raises(InputError, match="one character differs"):
        supply_text(desk, DOCUMENT, SHA, TEXT.replace("most", "all"))


def test_the_text_read_on_extract_proves_the_quote(desk: Desk) -> None:
    approve(desk)
    keep_text(desk, "disease_treatment", TEXT, source=DOCUMENT)
    assert exported(desk) == {RELIEVES.id}


def test_the_text_of_a_namespace_proves_the_quote(desk: Desk) -> None:
    approve(desk)
    document = desk.store.documents.add(Document(DOCUMENT, "A note"))
    desk.store.documents.add_text(text_version(document.id, TEXT, "full text"))
    assert exported(desk) == {RELIEVES.id}


def test_a_reference_that_is_accepted_carries_the_statement(desk: Desk) -> None:
    approve(desk)
    record = decision.add_reference(desk, RELIEVES.id, "PMID:7", "Fig 3B", note="", curator=ANNA)
    piece = record.evidence[-1].id
    decision.decide(
        desk, RELIEVES.id, record.version, Judgement(Verdict.APPROVE), curator=ANNA, evidence=piece
    )
    assert exported(desk) == {RELIEVES.id}
