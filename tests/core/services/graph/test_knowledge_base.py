"""The gate, export and import on a whole project."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rdflib import Graph

from core.errors import InputError, Refused
from core.kb.gate.gate import HoldReason
from core.model import Category, Evidence, ReferenceGround, State, Term, Verdict
from core.services.graph import knowledge_base, statement_import
from core.services.review import decision
from core.services.review.decision import Judgement
from tests import reviewing
from tests.reviewing import (
    ADULTS,
    AMOUNT,
    ANNA,
    ASPIRIN,
    HAS_DOSE,
    NOT_NAUSEA,
    RELIEVES,
    TREATS,
    WORDS,
)


@pytest.fixture
def desk(tmp_path):
    extraction = reviewing.filled(tmp_path / "p")
    yield extraction
    extraction.close()


def approve(desk, *statements):
    for statement in statements:
        version = desk.store.statements.get(statement.id).version
        decision.decide(desk, statement.id, version, Judgement(Verdict.APPROVE), curator=ANNA)


def held(desk) -> dict[str, HoldReason]:
    return {
        rejection.statement.id: rejection.why
        for rejection in knowledge_base.gate_passage(desk).rejections
    }


def exported(desk) -> set[str]:
    return {entry.statement.id for entry in knowledge_base.gate_passage(desk).entries}


def test_nothing_undecided_or_rejected_is_ever_exported(desk):
    approve(desk, RELIEVES)
    decision.decide(desk, WORDS.id, version=1, judgement=Judgement(Verdict.UNSURE), curator=ANNA)
    assert exported(desk) == {RELIEVES.id}
    content = knowledge_base.export_approved(desk, "ttl").content.decode()
    assert NOT_NAUSEA.id not in content
    assert WORDS.id not in content
    Graph().parse(data=content, format="turtle")


def test_a_node_goes_with_the_statement_that_leads_to_it(desk):
    approve(desk, AMOUNT)
    assert held(desk)[AMOUNT.id] is HoldReason.UNREACHED
    approve(desk, HAS_DOSE)
    assert {AMOUNT.id, HAS_DOSE.id} <= exported(desk)


def test_words_without_a_term_are_held(desk):
    approve(desk, WORDS)
    assert held(desk)[WORDS.id] is HoldReason.UNGROUNDED


@pytest.mark.parametrize(
    ("term", "reason"),
    [
        (Term("CHEBI:999999", "aspirin"), "is not in chebi"),
        (Term("EFO:0099999", "some disease"), "not installed"),
        (replace(ASPIRIN, label="paracetamol"), "is “aspirin” in chebi"),
    ],
)
def test_an_id_that_no_vocabulary_proves_is_held_and_it_says_why(desk, term, reason):
    claim = replace(RELIEVES, subject=term, negated=True)
    desk.store.statements.propose([(claim, [reviewing.quoted(claim, "Aspirin")])])
    approve(desk, claim)
    (rejection,) = [
        rejection
        for rejection in knowledge_base.gate_passage(desk).rejections
        if rejection.statement.id == claim.id
    ]
    assert rejection.why is HoldReason.ID
    assert reason in rejection.detail


def test_a_known_relation_under_the_name_of_another_is_held(desk):
    """The id says *treats*, and whoever reads only the label would read the opposite."""
    misnamed = replace(RELIEVES, predicate=replace(TREATS, label="causes death by"), negated=True)
    desk.store.statements.propose([(misnamed, [reviewing.quoted(misnamed, "Aspirin")])])
    approve(desk, misnamed)
    (rejection,) = [
        rejection
        for rejection in knowledge_base.gate_passage(desk).rejections
        if rejection.statement.id == misnamed.id
    ]
    assert rejection.why is HoldReason.ID
    assert "means “treats”, not “causes death by”" in rejection.detail


def test_a_synonym_is_a_label_that_matches(desk):
    claim = replace(RELIEVES, subject=replace(ASPIRIN, label="Acetylsalicylic acid"), negated=True)
    desk.store.statements.propose([(claim, [reviewing.quoted(claim, "Aspirin")])])
    approve(desk, claim)
    assert claim.id in exported(desk)


def test_new_evidence_is_not_exported_until_it_is_judged(desk):
    approve(desk, RELIEVES)
    new = Evidence(RELIEVES.id, ReferenceGround("PMID:77"))
    desk.store.statements.propose([(RELIEVES, [new])])
    assert b"PMID:77" not in knowledge_base.export_approved(desk, "ttl").content
    assert held(desk)[RELIEVES.id] is HoldReason.WAITING
    approve(desk, RELIEVES)
    assert b"PMID:77" in knowledge_base.export_approved(desk, "ttl").content


def test_a_curators_own_reference_makes_a_manual_assertion(desk):
    claim = replace(RELIEVES, negated=True)
    desk.store.statements.propose([(claim, [Evidence(claim.id, ReferenceGround("PMID:1"))])])
    approve(desk, claim)
    assert b'"manual_agent"' in knowledge_base.export_approved(desk, "ttl").content


def test_a_correction_is_exported_in_place_of_what_it_corrects(desk):
    corrected = replace(RELIEVES, object=reviewing.NAUSEA)
    done = decision.correct(
        desk, RELIEVES.id, version=1, corrected=corrected, curator=ANNA, approve=True
    )
    assert exported(desk) == {done.record.id}
    assert held(desk)[RELIEVES.id] is HoldReason.SUPERSEDED


def test_the_export_is_the_same_bytes_every_time(desk):
    approve(desk, RELIEVES, NOT_NAUSEA, ADULTS, HAS_DOSE, AMOUNT)
    assert (
        knowledge_base.export_approved(desk, "ttl").content
        == knowledge_base.export_approved(desk, "ttl").content
    )


def test_an_export_imported_elsewhere_is_the_same_statements_as_proposals(desk, tmp_path):
    approve(desk, RELIEVES, NOT_NAUSEA, ADULTS, HAS_DOSE, AMOUNT)
    content = knowledge_base.export_approved(desk, "ttl").content
    other = reviewing.empty(tmp_path / "other")
    imported = statement_import.import_file(other, "kb.ttl", content)
    assert set(imported.proposal.new) == {
        claim.id for claim in (RELIEVES, NOT_NAUSEA, ADULTS, HAS_DOSE, AMOUNT)
    }
    assert {record.state for record in other.store.queue.records()} == {State.PROPOSED}
    other.close()


def test_importing_ones_own_export_changes_nothing(desk):
    approve(desk, RELIEVES)
    before = desk.store.statements.get(RELIEVES.id)
    imported = statement_import.import_file(
        desk, "kb.ttl", knowledge_base.export_approved(desk, "ttl").content
    )
    assert (imported.proposal.new, imported.proposal.evidence) == ((), ())
    assert desk.store.statements.get(RELIEVES.id) == before


def test_a_draft_comes_back_as_proposals(desk, tmp_path):
    text = knowledge_base.export_draft(desk, reviewing.PROPOSED)
    assert "undecided" in text
    other = reviewing.empty(tmp_path / "other")
    imported = statement_import.import_file(other, "draft.ttl", text.encode())
    assert set(imported.proposal.new) == {statement.id for statement, _ in reviewing.PROPOSED}
    other.close()


@pytest.mark.parametrize(
    ("name", "content"), [("a.ttl", b"nonsense"), ("a.docx", b""), ("a.ttl", b"\x00\xff")]
)
def test_import_refuses_a_file_that_is_not_a_knowledge_base(desk, name, content):
    with pytest.raises(InputError):
        statement_import.import_file(desk, name, content)


def test_the_graph_shows_what_is_approved_and_nothing_else(desk):
    assert not knowledge_base.approved_graph(desk).points
    approve(desk, RELIEVES)
    points = knowledge_base.approved_graph(desk).points.values()
    assert {point.label for point in points} == {"aspirin", "Headache"}


def test_words_that_curators_chose_terms_for_go_out_as_mappings_while_the_id_is_proven(desk):
    desk.store.synonyms.add("ASA", "asa", reviewing.ASPIRIN, ANNA.orcid)
    desk.store.synonyms.add(
        "foo", "foo", Term("CHEBI:999999", "no such thing", Category.CHEMICAL), ANNA.orcid
    )
    written = knowledge_base.export_approved(desk, "sssom").content.decode()
    assert "\tASA\t" in written
    assert "CHEBI:999999" not in written


def test_a_synonym_changes_what_is_kept(desk):
    before = knowledge_base.gate_stamp(desk)
    desk.store.synonyms.add("ASA", "asa", reviewing.ASPIRIN, ANNA.orcid)
    assert knowledge_base.gate_stamp(desk) != before


def test_a_good_file_stays_when_everything_is_held_back(desk, tmp_path):
    file = tmp_path / "kb.ttl"
    file.write_text("what was exported yesterday")
    with pytest.raises(Refused, match=r"6 statements are held back\. kb\.ttl was not written"):
        knowledge_base.export_to(desk, "ttl", file)
    assert file.read_text() == "what was exported yesterday"


def test_an_export_says_how_many_it_calls_not_judged(desk, monkeypatch):
    approve(desk, RELIEVES, AMOUNT)
    entries = knowledge_base.gate_passage(desk).entries
    assert knowledge_base.left_unjudged(desk, entries) == 0
    monkeypatch.setattr(knowledge_base, "MOST_ASKED", 0)
    left = knowledge_base.left_unjudged(desk, entries)
    verdicts = knowledge_base.support_of_entries(desk, entries).values()
    assert left == sum(verdict is None for verdict in verdicts) > 0
    assert str(left) in knowledge_base.unjudged_words(left)
