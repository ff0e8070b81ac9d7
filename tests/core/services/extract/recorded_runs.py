"""206 recorded first answers with the questions that SPIRES asks because of each: what reading
such texts took, and what the budget told beforehand from other runs. And the same of the 500
abstracts of BC5CDR's development set, whose marked relations are their first answers: another
schema, that leads to questions about as many for each text.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from core.extraction.budget import Limits
from core.extraction.engine import Estimate
from core.extraction.spires.engine import Spires
from core.extraction.spires.estimate import estimate_run, unasked_questions
from core.extraction.spires.prompt import spires_prompt
from core.llm.completer import OnText, Reply, Request
from core.llm.token_count import tokens_in
from core.schema.catalogue import schema_named
from core.services.extract.budget import CostEstimate, CostOf, budget_of
from core.services.extract.experience import EarlierRun, estimate_by_experience, most_likely
from core.store.call import RunCalls

COUNTS = Path(__file__).resolve().parents[3] / "data" / "tokens" / "recorded.tsv"
RECORDED = "gpt-3.5-turbo", "ibd_literature.IBDAnnotations"
ROOT = "IBDAnnotations"
FRAME = 22  # tokens of an answer to a nested question beside the words that it is about
NO_LIMIT = 10**9  # of tokens
Price = tuple[float, float]  # of a token in and out
TOKENS: Price = (1.0, 1.0)  # tokens alone


class FirstAnswer:
    """A model that gives one recorded answer, and to what that leads to the words it is about."""

    model = "recorded"

    def __init__(self, words: str):
        self.words, self.nested = words, dict[str, tuple[int, int]]()

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        if not request.path:
            return Reply(self.words)
        asked = request.messages[0].content
        words = asked.rpartition("Text:\n")[2].rpartition("\n\n===")[0]
        self.nested[request.path] = tokens_in(asked), FRAME + tokens_in(words)
        return Reply(f"gene: {words}")


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A text with its recorded answer. `run` is what reading it whole took, `first` the tokens of
    the first question and its answer, `nested` those of each further one. `read_off` is what the
    text itself gives reason to expect, `counted` what is expected once the first answer is there.
    """

    run: EarlierRun
    first: tuple[int, int]
    nested: tuple[tuple[int, int], ...]
    read_off: Estimate
    counted: Estimate

    def took(self, calls: int, price: Price = TOKENS) -> float:
        """What the run costs under a limit of calls."""
        pairs = (self.first, *self.nested[: calls - 1])
        return sum(
            price[0] * prompt_tokens + price[1] * completion_tokens
            for prompt_tokens, completion_tokens in pairs
        )

    def told(self, others: Sequence[EarlierRun], calls: int, price: Price = TOKENS) -> CostEstimate:
        """The budget of the text by other runs, or by the text alone where there are none."""
        likely_price = partial(most_likely, answer_price=price[1] / price[0])
        whole = estimate_by_experience(self.read_off, self.run.letters, others)
        limited, likely, paid = (
            by(self.read_off, self.run.letters, others, calls).within(calls, NO_LIMIT)
            for by in (estimate_by_experience, most_likely, likely_price)
        )
        return budget_of(
            "spires", whole, limited, likely, earlier=others, cost_of=_cost_by(price), paid=paid
        )

    def told_once_counted(self, calls: int, price: Price = TOKENS) -> CostEstimate:
        """The budget once the first question is answered."""
        whole = self.counted.within(calls, NO_LIMIT)
        return budget_of("spires", whole, whole, whole, cost_of=_cost_by(price))


def _cost_by(price: Price) -> CostOf:
    return lambda prompt_tokens, completion_tokens: (
        price[0] * prompt_tokens + price[1] * completion_tokens
    )


def holds(estimate: float, took: float) -> bool:
    """Whether an estimate is within a factor of 1.3."""
    return 1 / 1.3 <= estimate / took <= 1.3


def recorded_runs(shared: Path) -> list[RecordedRun]:
    schema = schema_named(str(shared / "data/spires/templates/ibd_literature.yaml"))
    wide = Limits(calls=10**6, tokens=NO_LIMIT)
    runs = []
    for text, answer, first in _first_answers(shared):
        model = FirstAnswer(answer)
        Spires(model, limits=Limits(depth=1)).fill(schema, ROOT, text)
        nested = tuple(model.nested[path] for path in sorted(model.nested))
        nested_in, nested_out = (sum(pair[n] for pair in nested) for n in (0, 1))
        took = RunCalls(1, *first, len(nested), nested_in, nested_out)
        _, problems = Spires(FirstAnswer(answer), limits=Limits(calls=1)).fill(schema, ROOT, text)
        left = unasked_questions(schema, ROOT, problems, Limits())
        runs.append(
            RecordedRun(
                EarlierRun(len(text), took),
                first,
                nested,
                replace(estimate_run(schema, ROOT, text, wide), root_in=first[0]),
                replace(left, roots=1, root_in=first[0], root_out=first[1]),
            )
        )
    return runs


def marked_runs(shared: Path) -> list[RecordedRun]:
    schema, runs = schema_named("chemical_disease"), []
    wide = Limits(calls=10**6, tokens=NO_LIMIT)
    with gzip.open(shared / "data/grounding/bc5cdr/dev.jsonl.gz", "rt", encoding="utf-8") as rows:
        papers = list(map(json.loads, rows))
    for paper in papers:
        text = f"{paper['title']} {paper['abstract']}"
        names = {id_: mark["text"] for mark in reversed(paper["mentions"]) for id_ in mark["ids"]}
        marked = [(names.get(r["chemical"]), names.get(r["disease"])) for r in paper["relations"]]
        answer = "triples: " + "; ".join(f"{a} INDUCES {b}" for a, b in marked if a and b)
        model = FirstAnswer(answer)
        Spires(model, limits=Limits(depth=1)).fill(schema, schema.root, text)
        first = tokens_in(spires_prompt(schema, schema.root, text)), tokens_in(answer)
        nested = tuple(model.nested[path] for path in sorted(model.nested))
        took = RunCalls(1, *first, len(nested), *(sum(pair[n] for pair in nested) for n in (0, 1)))
        read_off = estimate_run(schema, schema.root, text, wide)
        runs.append(RecordedRun(EarlierRun(len(text), took), first, nested, read_off, Estimate()))
    return runs


def _first_answers(shared: Path) -> Iterator[tuple[str, str, tuple[int, int]]]:
    """Text, first answer, and the tokens of question and answer."""
    with COUNTS.open(encoding="utf-8") as table:
        counts = {row["id"]: row for row in csv.DictReader(table, delimiter="\t")}
    with gzip.open(shared / "data/spires/completions.jsonl.gz", "rt", encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            if (row["model"], row["template"]) == RECORDED:
                text = row["prompt"].rpartition("Text:\n")[2].rpartition("\n\n===")[0]
                count = counts[row["id"]]
                yield text, row["completion"], (int(count["in"]), int(count["out"]))
