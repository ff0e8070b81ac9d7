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
        "Pulmonary function decline among welders exposed to manganese fumes at work",
        "Lung function decline among welders exposed to Mn fumes",
        "Lung function decline among wélders exposed to manganous fumes",
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


@pytest.mark.parametrize(
    ("title", "other_title"),
    [
        ("Efficacy of dupilumab in severe asthma", "Safety of dupilumab in severe asthma"),
        (
            "Serum ferritin and mortality of haemodialysis patients",
            "Serum phosphate and mortality of hemodialysis patients",
        ),
    ],
)
def test_one_other_word_at_the_same_place_names_another_paper(title, other_title):
    assert titles_differ(title, other_title)
    assert titles_differ(other_title, title)


@pytest.mark.parametrize(
    "other",
    [
        "Tumor growth in paediatric leukemia of girls",
        "The tumour growth of pediatric leukaemia in girl",
    ],
)
def test_british_and_american_spelling_name_one_paper(other):
    assert not titles_differ("Tumour growth in paediatric leukaemia of girls", other)
