"""A project's own rule is made of two examples, tried, kept, read with, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import InputError, NotFound
from core.services.extract import result
from core.services.extract.run import start_run
from core.services.learning import own_rules
from core.support.reading.rule_table import COLUMNS
from tests.core.services.extracting import CURATOR, project

EXAMPLES = ("<Veratin> soothes [tremor].", "<Aspirin> soothed a severe [headache].")
TEXT = "Aspirin soothes migraine. Nobody knows why."


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk, _ = project(tmp_path)
    yield desk
    desk.close()


def rules_of_drafts(desk: Desk, text: str = TEXT) -> set[str]:
    view = result.wait_for_job(desk, start_run(desk, "trial", text, engine="builtin"))
    return {piece.rule for _, evidence in view.statements for piece in evidence}


def scores_of_drafts(desk: Desk, text: str) -> set[float | None]:
    view = result.wait_for_job(desk, start_run(desk, "trial", text, engine="builtin"))
    return {piece.score for _, evidence in view.statements for piece in evidence}


def test_a_rule_is_tried_kept_and_taken_back(desk: Desk) -> None:
    rule = own_rules.rule_of_examples("treat", EXAMPLES)
    assert (rule.pattern, rule.example) == ("~be sooth*", EXAMPLES[0])
    assert rule.name not in rules_of_drafts(desk)
    preview = own_rules.preview_rule(desk, rule)
    assert [sentence for _, sentence in preview.found] == ["<Aspirin> soothes [migraine]."]
    own_rules.add_rule(desk, rule, CURATOR)
    assert [one.name for one in own_rules.own_rules(desk)] == [rule.name]
    assert rule.name in rules_of_drafts(desk)
    own_rules.remove_rule(desk, rule.name, CURATOR)
    assert own_rules.own_rules(desk) == []
    assert rule.name not in rules_of_drafts(desk)


def test_a_passive_is_not_read_backwards(desk: Desk) -> None:
    rule = own_rules.rule_of_examples("treat", ("<A> is soothing [B].", "<C> soothed [D]."))
    assert rule.pattern == "sooth*"
    own_rules.add_rule(desk, rule, CURATOR)
    for text in ("Aspirin was soothed by migraine.", "Aspirin can be quite soothed by migraine."):
        assert rule.name not in rules_of_drafts(desk, text)
    assert own_rules.preview_rule(desk, rule).found == ()


def test_a_draft_by_a_rule_that_nobody_judged_has_about_its_weight(desk: Desk) -> None:
    rule = own_rules.rule_of_examples("treat", EXAMPLES)
    own_rules.add_rule(desk, rule, CURATOR)
    [score] = scores_of_drafts(desk, TEXT)
    assert score == pytest.approx(own_rules.WEIGHT, abs=0.05)


@pytest.mark.parametrize("columns", [COLUMNS[::-1], (*COLUMNS[1:], "hits", COLUMNS[0])])
def test_a_rule_goes_under_the_header_that_the_table_has(
    desk: Desk, columns: tuple[str, ...]
) -> None:
    path = desk.folder / "schemas" / "relation_rules.tsv"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\t".join(columns))
    rule = own_rules.rule_of_examples("treat", EXAMPLES)
    own_rules.add_rule(desk, rule, CURATOR)
    assert own_rules.own_rules(desk) == [rule]
    own_rules.remove_rule(desk, rule.name, CURATOR)
    assert path.read_text() == "\t".join(columns) + "\n"


def test_a_table_without_a_needed_column_stays_as_it_is(desk: Desk) -> None:
    path = desk.folder / "schemas" / "relation_rules.tsv"
    path.parent.mkdir(exist_ok=True)
    path.write_text("name\tfamily\tpattern\n")
    with pytest.raises(InputError, match="no column direction, strength, weight"):
        own_rules.add_rule(desk, own_rules.rule_of_examples("treat", EXAMPLES), CURATOR)
    assert path.read_text() == "name\tfamily\tpattern\n"


def test_rows_that_people_wrote_by_hand_stay(desk: Desk) -> None:
    rule = own_rules.rule_of_examples("treat", EXAMPLES)
    own_rules.add_rule(desk, rule, CURATOR)
    path = desk.folder / "schemas" / "relation_rules.tsv"
    row = "S calms O\ttreat\tS…O\tstated\t0.5\tcalm*\t<A> calms [B].\t\n"
    path.write_text(path.read_text() + row)
    own_rules.remove_rule(desk, rule.name, CURATOR)
    assert path.read_text().endswith(row)


def test_what_cannot_be_made_or_removed_is_said(desk: Desk) -> None:
    with pytest.raises(InputError, match="no relation"):
        own_rules.rule_of_examples("sing", EXAMPLES)
    with pytest.raises(NotFound):
        own_rules.remove_rule(desk, "own: none", CURATOR)
    rule = own_rules.rule_of_examples("treat", EXAMPLES)
    own_rules.add_rule(desk, rule, CURATOR)
    with pytest.raises(InputError, match="already"):
        own_rules.add_rule(desk, rule, CURATOR)
