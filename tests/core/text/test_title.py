"""When two titles name two papers."""

from __future__ import annotations

import pytest

from core.text.title import titles_differ

WELDERS = "Lung function decline among welders exposed to manganese fumes"


@pytest.mark.parametrize(
    "other",
    [
        WELDERS.upper() + ".",
        "Lung-function decline among welders: exposed to manganese fumes - a cohort study",
        "Lung function decline among welders",
        "Lung function declines among the welders exposed to manganese fumes",
        "[Baisse de la fonction pulmonaire chez les soudeurs]",
        "焊工肺功能下降与锰烟尘暴露的关系",
        "Poster abstracts",
        "",
    ],
)
def test_one_title_may_be_written_in_many_ways(other):
    assert not titles_differ(WELDERS, other)
    assert not titles_differ(other, WELDERS)


def test_titles_that_share_few_words_name_two_papers():
    assert titles_differ(WELDERS, "Sleep apnoea and nocturnal hypoxia in Andean miners")
