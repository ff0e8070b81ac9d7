"""An unnamed thing stays the same thing from the text to the file, whatever a curator mends on the
way.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk, open_desk
from core.kb.read.rdf import read
from core.model import Category, Literal, Node, Outcome, Statement, Verdict
from core.services.extract import result, schemas
from core.services.extract.run import start_run
from core.services.graph import knowledge_base
from core.services.review import decision
from core.services.review.decision import Judgement
from core.settings import load_settings
from tests.reviewing import ANNA


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return open_desk(load_settings(tmp_path / "p", {}))


@pytest.fixture
def run(desk: Desk) -> str:
    """A recipe, read by the built-in engine: its ingredients and steps are unnamed things."""
    (text,) = schemas.example_texts("recipe")
    return result.wait_for_job(
        desk, start_run(desk, "recipe", text, engine="builtin", curator=ANNA.orcid)
    ).run.id


def nodes(statements: list[Statement]) -> set[str]:
    ends = [end for statement in statements for end in (statement.subject, statement.object)]
    return {end.id for end in ends if isinstance(end, Node)}


def shown(desk: Desk, run: str) -> list[Statement]:
    return [statement for statement, _ in result.result_of_run(desk, run).statements]


def test_mention_without_a_term_becomes_a_node_and_others_stay(desk: Desk, run: str) -> None:
    before = nodes(shown(desk, run))
    foods = [
        m
        for m in result.result_of_run(desk, run).extraction.mentions
        if m.category is Category.FOOD
    ]
    for mention in foods:
        result.choose_term(desk, run, mention.slot, ANNA.orcid, outcome=Outcome.NO_TERM_FITS)
    assert len(before) > 5
    after = nodes(shown(desk, run))
    assert before < after
    assert len(after - before) >= len([mention for mention in foods if mention.chosen])


def test_choosing_another_term_keeps_node_identities(desk: Desk, run: str) -> None:
    before = nodes(shown(desk, run))
    mention = next(
        m
        for m in result.result_of_run(desk, run).extraction.mentions
        if m.chosen and m.chosen.label == "onion"
    )
    result.choose_term(desk, run, mention.slot, ANNA.orcid, term_id="FOODON:03301453")
    assert nodes(shown(desk, run)) == before


def test_a_corrected_value_is_exported_on_the_same_thing(desk: Desk, run: str) -> None:
    result.send_to_review(desk, run, ANNA.orcid)
    for record in desk.store.queue.records():
        decision.decide(desk, record.id, record.version, Judgement(Verdict.APPROVE), curator=ANNA)
    claims = {record.id: record.statement for record in desk.store.queue.records()}
    parts = {claim.object.id for claim in claims.values() if isinstance(claim.object, Node)}
    amount = next(
        claim
        for claim in claims.values()
        if isinstance(claim.object, Literal) and claim.subject.id in parts
    )
    mended = replace(amount, object=replace(amount.object, value="999"))
    record = desk.store.statements.get(amount.id)
    decision.correct(desk, amount.id, record.version, mended, curator=ANNA, approve=True)
    written = knowledge_base.export_approved(desk, "ttl").content
    statements = [statement for statement, _ in read(written, {}).proposals]
    changed = next(
        statement
        for statement in statements
        if isinstance(statement.object, Literal) and statement.object.value == "999"
    )
    assert changed.subject.id == amount.subject.id
    assert changed.derived_from == amount.id
    assert amount.id not in {statement.id for statement in statements}
    assert any(
        isinstance(statement.object, Node) and statement.object.id == changed.subject.id
        for statement in statements
    )


def test_reading_the_text_again_meets_the_same_things(desk: Desk, run: str) -> None:
    (text,) = schemas.example_texts("recipe")
    again = result.wait_for_job(desk, start_run(desk, "recipe", text, engine="builtin"))
    assert nodes([statement for statement, _ in again.statements]) == nodes(shown(desk, run))
