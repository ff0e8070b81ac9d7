"""Which papers are taken out where a question is asked without them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from core.evaluation.answers import texts_that_answer
from core.evaluation.retrieval_set import read_test_set


def pack(path: Path, lines: list[str]) -> None:
    path.write_bytes(gzip.compress("\n".join(lines).encode()))


def test_answering_papers_and_their_duplicates_are_removed_entirely(tmp_path: Path) -> None:
    """The questions a and b share paper 1; only a passage of paper 2 is judged."""
    texts = [("1-0", "1"), ("2-0", "2"), ("2-1", "2"), ("3-0", "3"), ("4-0", "4")]
    rows = [json.dumps({"id": id, "pmid": paper, "text": "x"}) for id, paper in texts]
    pack(tmp_path / "corpus.jsonl.gz", rows)
    pack(tmp_path / "queries.jsonl.gz", [json.dumps({"id": id, "text": "?"}) for id in "abc"])
    qrels = ["a\t1-0\t1", "b\t1-0\t1", "b\t2-0\t1", "c\t3-0\t1"]
    pack(tmp_path / "qrels.tsv.gz", ["query-id\tcorpus-id\tscore", *qrels])
    answering = texts_that_answer(read_test_set(tmp_path))
    assert answering["a"] == answering["b"] == {"1-0", "2-0", "2-1"}
    assert answering["c"] == {"3-0"}
