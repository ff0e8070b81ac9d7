"""Which parts of GeneGPT's prompt matter: its full and slim prompts, its six ablations and its six
probes (Jin et al. 2024, §3.3) on GeneTuring, and the prompt of its GeneHop runs, as one table.

A row a prompt, a column a task. A cell is the mean score of its questions; one for which nothing
answered (a model without a recorded step, a service that is down) stays empty, and why is said
below the table. With a model whose name ends with a mask (recorded steps), the model of each mask
is asked.
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from core.codec import from_json, to_json
from core.desk import Desk, open_desk
from core.errors import InputError
from core.evaluation.data_folder import BESIDE
from core.evaluation.gene_benchmark import AT_ONCE, HOLDS, ask_one, questions
from core.evaluation.gene_scores import DATASETS, BenchmarkOutcome, mean
from core.model import Json
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage, LazyValue
from core.services.genes.options import AskOptions
from core.settings import CODE

PARTS = ("Dc.1", "Dc.2", "Dm.1", "Dm.2", "Dm.3", "Dm.4")
FULL, SLIM, HOPS = "111111", "001001", "101110"
SHORT = {  # the head of each task's column
    "Gene alias": "alias",
    "Gene name conversion": "conversion",
    "Gene SNP association": "SNP gene",
    "Gene location": "gene place",
    "SNP location": "SNP place",
    "Gene disease association": "disease genes",
    "Protein-coding genes": "coding",
    "Human genome DNA aligment": "human DNA",
    "Multi-species DNA aligment": "species DNA",
    "SNP gene function": "function",
    "Disease gene location": "disease places",
    "sequence gene alias": "sequence alias",
}


def prompt_label(mask: str) -> str:
    """What a prompt holds, in words: `without Dc.1`, `Dm.2 only`."""
    named_masks = {FULL: "full", SLIM: "slim", HOPS: "GeneHop's"}
    included = [part for part, bit in zip(PARTS, mask, strict=True) if bit == "1"]
    excluded = [part for part in PARTS if part not in included]
    if mask in named_masks:
        return named_masks[mask]
    return f"{included[0]} only" if len(included) == 1 else f"without {', '.join(excluded)}"


def prompt_masks() -> dict[str, tuple[str, ...]]:
    """The prompts of each dataset, in the paper's order."""
    without = tuple(FULL[:at] + "0" + FULL[at + 1 :] for at in range(len(PARTS)))
    alone = tuple("0" * at + "1" + "0" * (len(PARTS) - at - 1) for at in range(len(PARTS)))
    return {"GeneTuring": (FULL, SLIM, *without, *alone), "GeneHop": (HOPS,)}


@dataclass(frozen=True, slots=True)
class PromptScores:
    """One row: the mean score of each task (None: not measured), and why a task was not."""

    dataset: str
    mask: str
    tasks: Mapping[str, float | None]
    calls: float
    trouble: Mapping[str, str]  # task → the first reason

    @property
    def macro(self) -> float | None:
        scored_tasks = [score for score in self.tasks.values() if score is not None]
        return mean(scored_tasks) if scored_tasks else None


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, default=CODE / BESIDE / "genegpt", help=f"folder of {HOLDS}"
    )
    parser.add_argument("--limit", type=int, default=0, help="questions per task (default: all)")
    parser.add_argument("--format", choices=("md", "json"), default="md")
    parser.add_argument("--output", type=Path, help="write the table here as well")


def stages(desk: Desk, args: Namespace) -> Evaluation:
    """A unit a question and prompt."""
    if not desk.settings.model:
        raise InputError(
            "An ablation asks a model, and none is chosen.",
            "Set OPENAI_BASE_URL and GROUNDWORK_MODEL, or choose a model on Settings.",
        )
    asked = {dataset: questions(args.data, dataset, args.limit, "") for dataset in prompt_masks()}
    parts = [
        (dataset, mask, row)
        for dataset, prompts in prompt_masks().items()
        for mask in prompts
        for row in asked[dataset]
    ]
    desks = {mask: LazyValue(partial(_with_model, desk, mask)) for _, mask, _ in parts}

    def measure(place: int, run: str) -> Json:
        _, mask, row = parts[place]
        options = AskOptions(way="decoding", mask=mask, reuse=False)
        return to_json(ask_one(desks[mask](), row, options, run))

    names = [f"{dataset} {prompt_label(mask)}: {row['question']}" for dataset, mask, row in parts]
    answers = yield EvaluationStage("questions", names, measure, threads=AT_ONCE)
    outcomes: dict[tuple[str, str], list[BenchmarkOutcome]] = {}
    for (dataset, mask, _), answer in zip(parts, answers, strict=True):
        outcomes.setdefault((dataset, mask), []).append(from_json(BenchmarkOutcome, answer))
    rows = [scores(dataset, mask, of_prompt) for (dataset, mask), of_prompt in outcomes.items()]
    output = (
        json.dumps(as_json(rows), indent=2) + "\n"
        if args.format == "json"
        else ablation_markdown(rows)
    )
    if args.output:
        args.output.write_text(output, encoding="utf-8")
    return EvaluationReport(output.rstrip("\n"))


def scores(dataset: str, mask: str, outcomes: Sequence[BenchmarkOutcome]) -> PromptScores:
    """One prompt on all questions of a dataset."""
    by_task: dict[str, list[BenchmarkOutcome]] = {}
    for outcome in outcomes:
        by_task.setdefault(outcome.task, []).append(outcome)
    measured = {
        task: any(outcome.measured for outcome in of_task) for task, of_task in by_task.items()
    }
    return PromptScores(
        dataset,
        mask,
        {
            task: mean(outcome.score for outcome in of_task) if measured[task] else None
            for task, of_task in by_task.items()
        },
        calls=mean(outcome.answer.calls for outcome in outcomes),
        trouble={
            task: next(
                (note for outcome in of_task for note in outcome.answer.notes), "no reason given"
            )
            for task, of_task in by_task.items()
            if not measured[task]
        },
    )


def _with_model(desk: Desk, mask: str) -> Desk:
    """A desk whose recorded model is that of the mask, where the model's name ends with one."""
    if not re.search(r"[01]{6}$", desk.settings.model):
        return desk
    return open_desk(replace(desk.settings, model=desk.settings.model[:-6] + mask))


def ablation_markdown(rows: Sequence[PromptScores]) -> str:
    """A table a dataset, and what was not run."""
    lines = []
    for dataset in DATASETS.values():
        of_dataset = [row for row in rows if row.dataset == dataset]
        if not of_dataset:
            continue
        tasks = list(of_dataset[0].tasks)
        heads = [f"{dataset}: prompt", "mask", *(SHORT.get(task, task) for task in tasks)]
        lines += [f"| {' | '.join((*heads, 'macro', 'calls'))} |"]
        lines += [f"|{' --- |' * 2}{' ---: |' * (len(tasks) + 2)}"]
        for row in of_dataset:
            cells = [_figure(row.tasks[task]) for task in tasks]
            calls = f"{row.calls:.2f}" if row.macro is not None else "—"
            cells_of_row = (prompt_label(row.mask), row.mask, *cells, _figure(row.macro), calls)
            lines.append(f"| {' | '.join(cells_of_row)} |")
        lines.append("")
    missing = not_run(rows)
    lines += [f"Not run: {cell_name}" for cell_name in missing] or ["Every cell was run."]
    return "\n".join(lines) + "\n"


def not_run(rows: Sequence[PromptScores]) -> list[str]:
    """A line a prompt (or task of one) without figures, with the reason that was given."""
    lines = []
    for row in rows:
        tasks = list(row.trouble)
        if not tasks:
            continue
        which = "every task" if len(tasks) == len(row.tasks) else ", ".join(tasks)
        why = row.trouble[tasks[0]]
        lines.append(f"{row.dataset}, {prompt_label(row.mask)} ({row.mask}), {which}: {why}")
    return lines


def as_json(rows: Sequence[PromptScores]) -> list[dict[str, object]]:
    return [
        {
            "dataset": row.dataset,
            "mask": row.mask,
            "prompt": prompt_label(row.mask),
            "tasks": dict(row.tasks),
            "macro": row.macro,
            "calls": row.calls,
            "not_run": dict(row.trouble),
        }
        for row in rows
    ]


def _figure(number: float | None) -> str:
    return "—" if number is None else f"{number:.3f}"
