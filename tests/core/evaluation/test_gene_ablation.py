"""The table of GeneGPT's ablations: every prompt is asked, and a cell that was not run says why."""

from __future__ import annotations

from core.evaluation.gene_ablation import (
    PromptScores,
    ablation_markdown,
    prompt_label,
    prompt_masks,
)


def test_the_papers_prompts_are_all_there():
    prompts = prompt_masks()["GeneTuring"]
    assert len(prompts) == len(set(prompts)) == 14
    assert [prompt_label(prompt) for prompt in prompts[:4]] == [
        "full",
        "slim",
        "without Dc.1",
        "without Dc.2",
    ]
    assert prompt_label(prompts[-1]) == "Dm.4 only" and prompt_label("101110") == "GeneHop's"


def test_ablation_cell_that_was_not_run_is_a_dash_with_a_note():
    run = PromptScores("GeneTuring", "111111", {"Gene alias": 0.84, "SNP location": 1.0}, 1.5, {})
    empty = PromptScores(
        "GeneTuring",
        "011111",
        {"Gene alias": None, "SNP location": None},
        0.0,
        {"Gene alias": "no such model", "SNP location": "no such model"},
    )
    lines = ablation_markdown([run, empty]).splitlines()
    assert lines[2] == "| full | 111111 | 0.840 | 1.000 | 0.920 | 1.50 |"
    assert lines[3] == "| without Dc.1 | 011111 | — | — | — | — |"
    assert lines[-1] == "Not run: GeneTuring, without Dc.1 (011111), every task: no such model"


def test_a_score_of_nothing_is_a_figure_and_no_dash():
    zero = PromptScores("GeneHop", "101110", {"SNP gene function": 0.0}, 2.0, {})
    assert "| GeneHop's | 101110 | 0.000 | 0.000 | 2.00 |" in ablation_markdown([zero])
