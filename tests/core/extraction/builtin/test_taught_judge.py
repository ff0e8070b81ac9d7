"""What a project's decisions teach the built-in engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.extraction.builtin.draft_probability import (
    OWN_THRESHOLD,
    draft_features,
    lesson_signs,
    shipped_judge,
)
from core.extraction.builtin.taught_judge import FILE, TaughtJudge, judge_for
from core.support.reading.rule_table import OWN

DRAFT = draft_features("learned treat", "S treats O", 0.7, [])


def test_a_rejected_rule_stops_and_an_approved_one_passes() -> None:
    assert shipped_judge(DRAFT) > 0
    assert TaughtJudge({"rule S treats O": -2.0})(DRAFT) < 0
    weak = draft_features("stated activate", "S activates O", 0.2, [])
    assert shipped_judge(weak) < 0 < TaughtJudge({"rule S activates O": 3.0})(weak)


def test_lessons_leave_the_score_of_what_is_proposed() -> None:
    assert TaughtJudge({"rule S treats O": 1.0})(DRAFT) == shipped_judge(DRAFT)


def test_a_rule_of_the_project_is_worth_its_weight_until_decisions_stop_it() -> None:
    own = draft_features("stated inhibit", f"{OWN}S abrogat* O (inhibit)", 0.6, [])
    assert shipped_judge(own) == TaughtJudge({})(own) == pytest.approx(0.6)
    assert TaughtJudge({f"rule {OWN}S abrogat* O (inhibit)": -1.5})(own) < 0


def test_a_rejected_term_stops_what_has_a_threshold_of_its_own() -> None:
    features = DRAFT | {OWN_THRESHOLD: 1.0} | lesson_signs("INDUCES", [])
    assert TaughtJudge({"predicate induces": -0.5})(features) > 0
    assert TaughtJudge({"predicate induces": -1.5})(features) < 0


def test_lessons_lie_beside_the_schemas_of_a_project(tmp_path: Path) -> None:
    assert judge_for([tmp_path]) is shipped_judge
    table = "# head\nsign\tshift\tright\twrong\nrule S treats O\t-2.0\t0\t9\n"
    (tmp_path / FILE).write_text(table)
    assert judge_for([tmp_path])(DRAFT) < 0
    (tmp_path / FILE).write_text("nothing\tof the kind\nrule\tx\n")
    with pytest.raises(InputError, match="Delete it"):
        judge_for([tmp_path])
