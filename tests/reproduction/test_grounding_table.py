"""The paper's grounding table, replayed from the recorded answers (SPIRES, Caufield et al. 2024)."""  # noqa: E501

from __future__ import annotations

import pytest

from core.evaluation import grounding


@pytest.fixture(scope="module")
def rows(shared, tmp_path_factory):
    records = grounding.grounding_table(
        shared / "data" / "spires", tmp_path_factory.mktemp("indexes")
    )
    return {(row.ontology, row.model[:5]): row for row in records}


def test_recorded_answers_reach_at_least_what_the_paper_reports(rows):
    assert len(rows) == 6
    assert all(row.plain >= row.paper for row in rows.values())


def test_expansion_lifts_the_last_cell_and_lowers_none(rows):
    assert rows["MONDO", "gpt-4"].expanded >= 87
    assert all(row.expanded >= row.plain for row in rows.values())


def test_the_table_names_the_figures_it_stands_beside(rows):
    line = grounding.text_table(rows.values()).splitlines()[-2]
    assert line.split()[-3:] == ["18", "18", "1"]
