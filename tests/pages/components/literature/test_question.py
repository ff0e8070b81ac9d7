"""The question of the Literature page."""

from __future__ import annotations

from core.literature.query.keyword import Keyword
from pages.components.literature.question import also_counted


def test_other_names_with_commas_stay_whole():
    keyword = Keyword("PAH", synonyms=("Hypertension, Pulmonary", "pulmonary hypertension"))
    line = also_counted([keyword, Keyword("tau")])
    assert line == "PAH = Hypertension, Pulmonary; pulmonary hypertension"


def test_the_first_twelve_other_names_are_shown():
    keyword = Keyword("tau", synonyms=tuple(f"name {number}" for number in range(13)))
    assert also_counted([keyword]).endswith("name 11 …")
