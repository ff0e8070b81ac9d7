"""An updated vocabulary: labels are refreshed, a single successor is one bulk decision, several are
for a person; what was decided stays.
"""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import replace

import pytest

from core.cli import vocabulary
from core.errors import InputError
from core.model import State, Statement, Term, Verdict
from core.services.review import consequences, decision
from core.services.review.card import statement_card
from core.services.review.decision import Judgement
from core.services.vocabularies import changes, installation
from core.store.queue_filter import QueueFilter
from pages.components.review.card_row import card_row
from tests.reviewing import ANNA, DOCUMENT, TREATS, filled, quoted

OLD = b"id\tlabel\nX:1\tachey head\nX:2\tqueasiness\nX:3\tfever\nX:9\tgone one\n"
NEW = (
    b"id\tlabel\tscope\treplaced_by\nX:1\theadache\tlabel\n"
    b"X:2\tqueasiness\tOBSOLETE\tX:4\nX:4\tnausea\tlabel\n"
    b"X:3\tfever\tOBSOLETE\n"
)
DRUG = Term("X:7", "drug")


@pytest.fixture
def desk(tmp_path):
    extraction = filled(tmp_path)
    installation.add_upload(extraction, "x.tsv", OLD)
    for id, label in (("X:1", "achey head"), ("X:2", "queasiness"), ("X:3", "fever")):
        approved(extraction, Statement(DRUG, TREATS, Term(id, label), document=DOCUMENT))
    before, after = tmp_path / "before.tsv", tmp_path / "after.tsv"
    before.write_bytes(OLD)
    after.write_bytes(NEW)
    changed = changes.compare_releases_of_vocabulary(before, after)
    three = [replace(change, consider=("X:5", "X:6")) if change.id == "X:3" else change
             for change in changed.obsolete]  # fmt: skip
    installation.add_upload(extraction, "x.tsv", NEW)
    changes.save_changes(extraction, "x", replace(changed, obsolete=tuple(three)))
    return extraction


def approved(desk, statement):
    desk.store.statements.propose([(statement, [quoted(statement, "Aspirin")])])
    record = desk.store.statements.get(statement.id)
    decision.decide(desk, statement.id, record.version, Judgement(Verdict.APPROVE), curator=ANNA)


def of(desk, id):
    [statement] = desk.store.queue.claims(QueueFilter(thing=id))
    return desk.store.statements.get(statement.id)


def test_changes_name_the_approved_statements_that_they_touch(desk):
    changed = changes.last_changes(desk, "x")
    assert changed.counts == {"new": 1, "renamed": 1, "obsolete": 2, "missing": 1}
    touched = {
        statement.change.id: statement.kind
        for statement in changes.touched_statements(desk, changed)
    }
    assert touched == {"X:1": "renamed", "X:2": "replaced", "X:3": "consider"}


def test_possible_successors_are_shown_with_labels(desk):
    assert consequences.labels_of_terms(desk, "x", ("X:4", "X:7")) == {
        "X:4": "nausea X:4",
        "X:7": "X:7",
    }


def test_a_refreshed_label_no_longer_asks_for_anything(desk):
    consequences.refresh_labels(desk, "x")
    changed = changes.last_changes(desk, "x")
    assert "renamed" not in {
        statement.kind for statement in changes.touched_statements(desk, changed)
    }


def test_a_new_label_is_refreshed_and_the_decision_stays(desk):
    id = of(desk, "X:1").id
    assert consequences.refresh_labels(desk, "x") == 1
    record = desk.store.statements.get(id)
    assert (record.statement.object.label, record.state) == ("headache", State.APPROVED)
    assert consequences.refresh_labels(desk, "x") == 0


def test_a_refreshed_label_leaves_a_note_that_review_shows(desk):
    id = of(desk, "X:1").id
    version = desk.vocabulary_registry.lexicon("x").version
    consequences.refresh_labels(desk, "x")
    [label] = statement_card(desk, id).former_labels
    assert (label.before, label.now, label.renamed_in) == ("achey head", "headache", f"x {version}")
    [line] = card_row(statement_card(desk, id))["renamed"]
    assert line == f"X:1 was called “achey head” until x {version} renamed it “headache”."


def test_a_statement_without_a_renamed_term_has_no_note(desk):
    consequences.refresh_labels(desk, "x")
    assert statement_card(desk, of(desk, "X:3").id).former_labels == ()


def test_a_single_successor_is_one_batch_that_keeps_approval_and_lineage(desk):
    old = of(desk, "X:2").id
    done = consequences.replace_terms(desk, "x", ANNA)
    assert done.problems == ()
    new = of(desk, "X:4")
    assert done.done == (new.id,)
    assert (new.state, new.statement.derived_from) == (State.APPROVED, old)
    assert desk.store.statements.get(old).state is State.SUPERSEDED
    notes = [
        decision.note
        for decision in desk.store.statements.get(old).decisions
        if decision.batch == done.batch
    ]
    assert any("X:2 by X:4" in note for note in notes)


def test_a_person_chooses_where_several_may_take_its_place(desk):
    changed = changes.last_changes(desk, "x")
    [waiting] = [
        statement
        for statement in changes.touched_statements(desk, changed)
        if statement.kind == "consider"
    ]
    with pytest.raises(InputError, match="not a term"):
        consequences.choose_successor(
            desk, "x", waiting.statement, waiting.change, id="X:5", curator=ANNA
        )
    new = consequences.choose_successor(
        desk, "x", waiting.statement, waiting.change, id="X:4", curator=ANNA
    )
    assert desk.store.statements.get(new).statement.derived_from == waiting.statement


def test_the_command_line_lists_what_is_touched_and_replaces_in_one_decision(desk, capsys):
    asked = Namespace(action="consequences", name="x", replace=True, curator=ANNA.orcid)
    assert vocabulary.run(desk, asked) == 0
    out, err = capsys.readouterr()
    rows = {row["id"]: row for row in map(json.loads, out.splitlines())}
    assert {id: row["kind"] for id, row in rows.items()} == {
        "X:1": "renamed",
        "X:2": "replaced",
        "X:3": "consider",
    }
    assert rows["X:2"]["replaced_by"] == "X:4"
    assert "1 new" in err and "1 statement got" in err
    assert of(desk, "X:4").statement.object.label == "nausea"


def test_the_command_line_says_that_nothing_was_updated(desk, capsys):
    installation.add_upload(desk, "y.tsv", b"id\tlabel\nY:1\tcough\n")
    vocabulary.run(desk, Namespace(action="consequences", name="y", replace=False, curator=""))
    assert "not been updated" in capsys.readouterr().err
