"""How often curators agreed with a rule."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.cli.statement_list import statements
from core.desk import Desk
from core.model import Reason, Statement, Term, Verdict
from core.model.decision import UPDATED
from core.services.learning import quality
from core.services.learning.rule_record import RuleRecord, rule_records
from core.services.review.card import statement_card
from core.services.review.decision import Judgement, correct, decide
from pages.components.extract.statements import proposed_by
from pages.components.review.card_row import card_row
from tests import reviewing
from tests.reviewing import ANNA, ASPIRIN, DOCUMENT, NAUSEA, TREATS

RULE = "S relieves O"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    extraction = reviewing.filled(tmp_path)
    yield extraction
    extraction.close()


def ruled(desk: Desk, number: int) -> list[Statement]:
    """So many statements that the rule proposed."""
    claims = [
        Statement(ASPIRIN, TREATS, Term(f"HP:{n:07}", f"ache {n}"), document=DOCUMENT)
        for n in range(number)
    ]
    for claim in claims:
        words = "Aspirin relieves headache in most adults."
        piece = replace(reviewing.quoted(claim, words), rule=RULE)
        desk.store.statements.propose([(claim, [piece])])
    return claims


def judge(desk: Desk, claims: list[Statement], verdict: Verdict) -> None:
    reason = Reason.NO_RELATION if verdict is Verdict.REJECT else None
    for claim in claims:
        version = desk.store.statements.get(claim.id).version
        decide(desk, claim.id, version, Judgement(verdict, reason), curator=ANNA)


def test_a_rule_with_few_decisions_has_no_record(desk: Desk) -> None:
    claims = ruled(desk, 5)
    judge(desk, claims[:4], Verdict.APPROVE)
    assert rule_records(desk) == {}
    assert "kept" not in card_row(statement_card(desk, claims[0].id))["passages"][0]["source"]


def test_card_and_command_line_say_how_often_curators_kept_what_a_rule_proposed(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = ruled(desk, 7)
    judge(desk, claims[:4], Verdict.APPROVE)
    judge(desk, claims[4:5], Verdict.REJECT)
    version = desk.store.statements.get(claims[5].id).version
    better = replace(claims[5], object=NAUSEA)
    correct(desk, claims[5].id, version, better, curator=ANNA, approve=True)
    assert rule_records(desk) == {RULE: RuleRecord(kept=4, decided=6)}
    (row,) = [
        quality_row
        for quality_row in quality.engine_quality(desk).groups["rule"]
        if quality_row.name == RULE
    ]
    assert (row.precision.right, row.precision.decided) == (4, 6)  # the same count everywhere
    shown = card_row(statement_card(desk, claims[6].id))["passages"][0]["source"]
    assert f"rule {RULE}: 4 of 6 kept" in shown
    statements(desk, Namespace(state="", document="", limit=0))
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (piece,) = next(line for line in lines if line["id"] == claims[6].id)["evidence"]
    assert (piece["rule"], piece["kept"], piece["decided"]) == (RULE, 4, 6)


def test_a_successor_in_a_newer_vocabulary_leaves_a_rule_right(desk: Desk) -> None:
    claims = ruled(desk, 5)
    judge(desk, claims, Verdict.APPROVE)
    version = desk.store.statements.get(claims[0].id).version
    newer = replace(claims[0], object=NAUSEA)
    note = f"{UPDATED}hp 2027: HP:0000000 by {NAUSEA.id}."
    correct(desk, claims[0].id, version, newer, curator=ANNA, approve=True, note=note)
    assert rule_records(desk) == {RULE: RuleRecord(kept=5, decided=5)}
    measured = quality.engine_quality(desk)
    assert (measured.overall.right, measured.overall.decided, measured.corrections) == (5, 5, ())


def test_a_draft_says_how_often_its_rule_was_right(desk: Desk) -> None:
    (claim,) = ruled(desk, 1)
    (piece,) = desk.store.statements.get(claim.id).evidence
    assert "Rule subject relieves object: 34 of 40 kept" in proposed_by(
        piece, {RULE: RuleRecord(34, 40)}
    )
    assert "kept" not in proposed_by(piece, {})
