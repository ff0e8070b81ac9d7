"""The figures on the developer half: GeneGPT's recorded answers and model steps."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.desk import Desk
from core.evaluation import gene_benchmark as bench
from core.evaluation.gene_scores import score_table, score_text
from core.services.genes.questions import AskOptions
from core.settings import Secret, Settings

DECODED = {  # full, slim: what GeneGPT's own recorded steps score on this half
    "Gene alias": (0.84, 0.88),
    "Gene disease association": (0.852, 0.696),
    "Gene location": (0.64, 0.72),
    "Human genome DNA aligment": (0.44, 0.48),
    "Multi-species DNA aligment": (0.88, 0.88),
    "Protein-coding genes": (0.76, 1.00),
    "Gene name conversion": (1.0, 1.0),
    "Gene SNP association": (1.0, 1.0),
    "SNP location": (1.0, 1.0),
}


@pytest.fixture(scope="module")
def bases(shared: Path) -> Iterator[tuple[str, str]]:
    sys.path.insert(0, str(shared / "servers"))
    import ncbi_replay
    import openai_replay

    folder = shared / "data" / "genegpt"
    ncbi, base = ncbi_replay.serve(folder / "ncbi_responses.jsonl.gz")
    model, url = openai_replay.serve(
        genegpt=[folder / "completions.jsonl.gz"],
        questions=[folder / "questions.json"],
        unknown="text",
    )
    yield base, url
    ncbi.shutdown()
    model.shutdown()


@pytest.fixture
def desk(bases: tuple[str, str], tmp_path: Path) -> Iterator[Desk]:
    ncbi, _ = bases
    desk = Desk(
        Settings(
            tmp_path,
            ncbi_eutils_url=f"{ncbi}/entrez/eutils",
            ncbi_blast_url=f"{ncbi}/blast/Blast.cgi",
            ncbi_interval=0.0,
        )
    )
    yield desk
    desk.close()


def table(desk: Desk, shared: Path, dataset: str, options: AskOptions, only: str = "") -> dict:
    rows = bench.questions(shared / "data" / "genegpt", dataset, 0, only)
    return score_table([bench.ask_one(desk, row, options) for row in rows])


def test_geneturing_by_the_planner(desk: Desk, shared: Path):
    scores = table(desk, shared, "GeneTuring", AskOptions(reuse=False))
    tasks = {task["task"]: task for task in scores["tasks"]}
    assert scores["macro"] >= 0.88
    assert scores["calls"] <= 3
    assert tasks["Gene location"]["confident_wrong"] == 0
    assert tasks["Gene disease association"]["score"] >= 0.90
    assert tasks["Gene disease association"]["precision"] >= 0.75


def test_genehop_by_the_planner(desk: Desk, shared: Path):
    tasks = {
        task["task"]: task
        for task in table(desk, shared, "GeneHop", AskOptions(reuse=False))["tasks"]
    }
    assert tasks["SNP gene function"]["score"] >= 0.98
    assert tasks["Disease gene location"]["score"] >= 0.90


@pytest.fixture
def modelled(desk: Desk, bases: tuple[str, str]) -> Callable[[str], Desk]:
    """The desk with the recorded model of a mask."""

    def make(mask: str) -> Desk:
        model = {"openai_base_url": bases[1], "openai_api_key": Secret("sk-loopback-0001")}
        desk.settings = replace(desk.settings, model=f"genegpt-replay-{mask}", **model)
        return desk

    return make


@pytest.mark.parametrize("way", ["decoding", "tools"])
@pytest.mark.parametrize(("mask", "column"), [("111111", 0), ("001001", 1)])
def test_recorded_steps_give_the_papers_cells(
    modelled: Callable[[str], Desk], shared: Path, way: str, mask: str, column: int
):
    scores = table(
        modelled(mask), shared, "GeneTuring", AskOptions(way=way, mask=mask, reuse=False)
    )
    assert {task["task"]: task["score"] for task in scores["tasks"]} == {
        task: cells[column] for task, cells in DECODED.items()
    }
    # a gene that only the model ties to a disease is not among them: no link is recorded
    assert scores["supported"]["answers"] >= 150 and scores["supported"]["precision"] >= 0.99
    assert scores["confident_wrong"] == 0


def test_recorded_steps_of_genehop(modelled: Callable[[str], Desk], shared: Path):
    scores = table(
        modelled("101110"),
        shared,
        "GeneHop",
        AskOptions(way="decoding", mask="101110", reuse=False),
        "gene",
    )
    tasks = {task["task"]: task["score"] for task in scores["tasks"]}
    assert (tasks["Disease gene location"], tasks["SNP gene function"]) == (0.76, 0.36)


def test_the_table_prints_the_papers_columns(desk: Desk, shared: Path):
    scores = table(desk, shared, "GeneTuring", AskOptions(reuse=False), "SNP location")
    printed = score_text(scores, Namespace(task="geneturing", way="planner"))
    assert "SNP location" in printed and "1.00/1.00" in printed and "macro average" in printed


def test_no_question_of_the_benchmark_sits_in_a_prompt_or_rule(shared: Path):
    import json

    from core.genes.strategies.decoding import DEMONSTRATIONS

    demonstrated = {demonstration.question for demonstration in DEMONSTRATIONS}
    questions = json.loads((shared / "data" / "genegpt" / "questions.json").read_text())
    source = "".join(
        path.read_text() for path in (Path(bench.__file__).parents[1] / "genes").glob("*.py")
    )
    for row in questions:
        bare = row["question"].split(" Let's decompose")[0]
        if bare not in demonstrated and "Meesmann" not in bare and "rs1217074595" not in bare:
            assert bare not in source
