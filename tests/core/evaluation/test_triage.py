"""Simulated reviews: what an order saves, and a small set from end to end."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from core.evaluation.triage import paper_words, read_reviews, screening_order, work_saved


def test_a_perfect_order_saves_all_but_the_wanted_papers():
    order = [*range(20), *range(20, 200)]
    outcome = work_saved(order, frozenset(range(20)), 200)
    assert outcome.wss == pytest.approx((200 - 19) / 200 - 0.05)
    assert outcome.recall == 1.0


def test_the_last_of_the_wanted_papers_at_the_end_costs_what_lies_before():
    wanted = frozenset([*range(9), 99])
    assert work_saved(list(range(100)), wanted, 100).wss == pytest.approx(-0.05)


def write(folder: Path, name: str, rows: list[str]) -> None:
    with gzip.open(folder / name, "wt", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")


def test_a_review_of_a_set_is_read_in_an_order_that_is_learned(tmp_path):
    papers = [("tau kinase neuron", "bread flour oven")[n >= 25] + f" w{n}" for n in range(100)]
    rows = [
        json.dumps({"id": f"p{n}", "title": words, "text": ""}) for n, words in enumerate(papers)
    ]
    write(tmp_path, "corpus.jsonl.gz", rows)
    write(tmp_path, "queries.jsonl.gz", [json.dumps({"id": "q", "text": "tau"})])
    write(tmp_path, "qrels.tsv.gz", [f"q\tp{n}\t1" for n in range(25)])
    labelled = read_reviews(tmp_path)
    (review,) = labelled.reviews
    order = screening_order(paper_words(labelled.papers), review, review.question)
    assert len(order) <= 27
    assert review.relevant <= {*order}
