"""Tokens are estimated near what tokenisers count. Counts in tests/data/tokens were made with
gpt-tokenizer 4.0.0: of sentences written for this test, and of recorded prompts and completions.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.llm.token_count import tokens_in

COUNTS = Path(__file__).resolve().parents[2] / "data" / "tokens"
SENTENCES = [json.loads(line) for line in (COUNTS / "sentences.jsonl").open(encoding="utf-8")]


@pytest.fixture(scope="module")
def recorded(shared: Path) -> list[tuple[dict[str, str], int, int]]:
    """Recorded rows with the tokens of prompt and completion as o200k counts them."""
    with (COUNTS / "recorded.tsv").open(encoding="utf-8") as table:
        counts = {row["id"]: row for row in csv.DictReader(table, delimiter="\t")}
    with gzip.open(shared / "data/spires/completions.jsonl.gz", "rt", encoding="utf-8") as rows:
        return [
            (row, int(counts[row["id"]]["in"]), int(counts[row["id"]]["out"]))
            for row in map(json.loads, rows)
        ]


@pytest.mark.parametrize("row", SENTENCES, ids=lambda row: row["language"])
def test_sentence_is_near_both_counts(row: dict[str, str]) -> None:
    middle = (int(row["cl100k"]) * int(row["o200k"])) ** 0.5
    assert 1 / 1.3 <= tokens_in(row["text"]) / middle <= 1.3


def test_recorded_prompts_are_within_the_factor(
    recorded: list[tuple[dict[str, str], int, int]],
) -> None:
    ratios = [tokens_in(row["prompt"]) / asked for row, asked, _ in recorded]
    assert min(ratios) >= 1 / 1.3 and max(ratios) <= 1.3


def test_recorded_answers_are_within_the_factor_together(
    recorded: list[tuple[dict[str, str], int, int]],
) -> None:
    estimated = sum(tokens_in(row["completion"]) for row, _, _ in recorded)
    assert 0.9 <= estimated / sum(tokens for _, _, tokens in recorded) <= 1.1


def _windows(text: str) -> Iterator[str]:
    return (text[: 10**n] for n in range(4))


def test_more_text_is_never_fewer_tokens_by_much() -> None:
    for row in SENTENCES:
        sizes = [tokens_in(words) for words in _windows(row["text"] * 50)]
        assert sizes == sorted(sizes)


@pytest.mark.parametrize("text", ["", " ", "\n", "\ud800", "\0", "🧬", "a"])
def test_odd_texts_are_counted(text: str) -> None:
    assert tokens_in(text) == (0 if not text else tokens_in(text)) and tokens_in(text) < 4
