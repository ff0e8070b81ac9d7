"""What the Review page is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import NotFound
from core.kb.gate.proof import EvidenceProof
from core.model import MatchKind, State, Verdict
from core.review.conflicts import ConflictKind
from core.services.documents import overview
from core.services.review import decision, queue
from core.services.review.card import statement_card
from core.services.review.decision import Judgement
from core.store import QueueFilter, QueueOrder
from pages.components.review.card_row import card_row
from tests import reviewing
from tests.reviewing import AMOUNT, ANNA, HAS_DOSE, RELIEVES

PROPOSED = QueueFilter(states=(State.PROPOSED,))


@pytest.fixture
def desk(tmp_path):
    extraction = reviewing.filled(tmp_path)
    yield extraction
    extraction.close()


def test_the_address_holds_the_filter():
    filter = queue.filter_of(
        {"state": "approved", "text": "aspirin", "category": "chemical", "junk": "x"}
    )
    assert filter == QueueFilter(states=(State.APPROVED,), text="aspirin", category="chemical")


@pytest.mark.parametrize(
    ("state", "wanted"),
    [
        ("", QueueFilter()),
        ("all", QueueFilter()),
        ("nonsense", QueueFilter()),
        ("news", QueueFilter(states=(State.APPROVED,), new_evidence=True)),
    ],
)
def test_queue_address_selects_all_or_new_evidence(state, wanted):
    assert queue.filter_of({"state": state}) == wanted
    assert queue.filter_of({}) == PROPOSED


def test_report_of_an_import_counts_its_members(desk):
    tally = queue.queue_tally(desk)
    assert (tally.states[State.PROPOSED], tally.total, tally.news) == (6, 6, 0)


def test_search_without_results_is_not_shown_as_decided():
    assert "is decided" in queue.view_of({}).empty
    assert "search or filter" in queue.view_of({"text": "zzz"}).empty


def test_a_view_of_what_waits_loses_what_is_decided():
    assert queue.view_of({"order": "score"}).order is QueueOrder.SCORE
    assert queue.view_of({}).leaves and not queue.view_of({"state": "approved"}).leaves


def test_a_card_shows_the_sentence_with_its_neighbours_and_the_quote(desk):
    (passage,) = statement_card(desk, RELIEVES.id).passages
    assert passage.before.strip() == "Willow bark was brewed for ages."
    assert passage.span.quote(passage.sentence) == "Aspirin relieves headache"
    assert passage.after.strip().startswith("It did not")
    assert passage.proof is EvidenceProof.QUOTE


def test_a_quote_that_its_text_does_not_hold_is_shown_as_not_proven(desk):
    bare = replace(RELIEVES, negated=True)
    piece = replace(
        reviewing.quoted(bare, "Aspirin"),
        ground=replace(reviewing.quoted(bare, "Aspirin").ground, quote="X"),
    )
    desk.store.statements.propose([(bare, [piece])])
    card = statement_card(desk, bare.id)
    assert (card.passages[0].proof, card.unsupported) == (EvidenceProof.NONE, True)


def test_a_card_says_why_each_candidate_matched(desk):
    readings = {reading.role: reading for reading in statement_card(desk, RELIEVES.id).readings}
    assert [c.match for c in readings["object"].candidates] == [
        MatchKind.NORMALISED,
        MatchKind.FUZZY,
    ]
    assert readings["subject"].words == "Aspirin"


def test_a_nodes_statements_come_together(desk):
    card = statement_card(desk, AMOUNT.id)
    assert [row.id for row in card.together] == [HAS_DOSE.id, AMOUNT.id]


def test_review_card_names_the_opposite_statement(desk):
    opposite = replace(RELIEVES, negated=True)
    desk.store.statements.propose([(opposite, [])])
    kinds = {
        conflict.kind: other.id for conflict, other in statement_card(desk, RELIEVES.id).conflicts
    }
    assert kinds[ConflictKind.OPPOSITE] == opposite.id


def test_a_rejected_statement_is_not_a_conflict(desk):
    opposite = replace(RELIEVES, negated=True)
    desk.store.statements.propose([(opposite, [])])
    decision.decide(
        desk,
        opposite.id,
        version=0,
        judgement=Judgement(Verdict.REJECT, decision.Reason.NEGATED),
        curator=ANNA,
    )
    assert all(
        conflict.kind is not ConflictKind.OPPOSITE
        for conflict, _ in statement_card(desk, RELIEVES.id).conflicts
    )


def test_an_unknown_statement_is_reported(desk):
    with pytest.raises(NotFound):
        statement_card(desk, "s1-gone")


def test_terms_for_a_correction_come_from_the_projects_vocabularies(desk):
    assert queue.term_candidates(desk, "acetylsalicylic acid")[0].term.id == "CHEBI:15365"
    assert queue.term_candidates(desk, "  ") == ()


def test_predicates_to_choose_from_are_those_in_use(desk):
    assert [term.id for term in queue.project_predicates(desk)] == [
        "schema:amount",
        "schema:dosageForm",
        "biolink:treats",
    ]


def test_a_card_says_that_its_paper_was_withdrawn(desk):
    ground = desk.store.statements.get(RELIEVES.id).evidence[0].ground
    assert statement_card(desk, RELIEVES.id).withdrawn == {}
    overview.mark_withdrawn(desk, ground.document, "made up", ANNA)
    card = statement_card(desk, RELIEVES.id)
    assert [*card.withdrawn] == [ground.document]
    (words, *_) = card_row(card)["warnings"]
    assert "withdrawn" in words and "made up" in words and ground.document in words


def test_evidence_says_that_its_text_was_read_again(desk):
    piece = desk.store.statements.get(RELIEVES.id).evidence[0]
    old = desk.store.documents.text(piece.ground.version)

    def warning_after(sha: str, text: str) -> str:
        if text:
            desk.store.documents.add_text(replace(old, sha=sha, text=text))
        return card_row(statement_card(desk, RELIEVES.id))["passages"][0]["warning"]

    assert warning_after("", "") == ""
    assert "the quote too" in warning_after("1" * 64, f"Corrected. {old.text}")
    assert "not contain the" in warning_after("2" * 64, "Withdrawn by the authors.")
    assert desk.store.statements.get(RELIEVES.id).evidence[0].ground.version == old.sha


def test_counts_of_the_states_follow_a_search(desk):
    decision.decide(
        desk, RELIEVES.id, version=1, judgement=Judgement(Verdict.APPROVE), curator=ANNA
    )
    view = queue.view_of({"text": "headache", "state": "proposed", "order": "score"})
    whole, matching = queue.queue_tally(desk), queue.queue_tally(desk, filter=view.filter)
    assert matching.states[State.APPROVED] == 1
    assert matching.total == desk.store.queue.count(QueueFilter(text="headache"))
    assert 0 < matching.total < whole.total
