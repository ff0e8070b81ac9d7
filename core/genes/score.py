"""Scores as GeneGPT gives them: exact match, recall of lists, half a point for the right
chromosome.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

LISTS = ("Gene disease association", "Disease gene location", "sequence gene alias")
SPECIES = {
    "Caenorhabditis elegans": "worm",
    "Homo sapiens": "human",
    "Danio rerio": "zebrafish",
    "Mus musculus": "mouse",
    "Saccharomyces cerevisiae": "yeast",
    "Rattus norvegicus": "rat",
    "Gallus gallus": "chicken",
}
# token F1 with NCBI's summary from which on a function counts as right (the paper scored by hand)
FUNCTION_F1 = 0.9


def gold_values(answer: str | Sequence[str]) -> list[str]:
    """An answer as a list; gold lists are written with commas."""
    if isinstance(answer, str):
        return [value.strip() for value in answer.split(", ") if value.strip()]
    return [str(value) for value in answer]


def score_answer(task: str, answer: str | Sequence[str], gold: str | Sequence[str]) -> float:
    """0 to 1."""
    if task in LISTS:
        gold_list, answered = gold_values(gold), gold_values(answer)
        return sum(value in answered for value in gold_list) / len(gold_list)
    answer_text = (
        answer
        if isinstance(answer, str)
        else (answer[0] if len(answer) == 1 else ", ".join(answer))
    )
    wanted_text = gold if isinstance(gold, str) else ", ".join(gold)
    if task == "SNP gene function":
        return float(token_f1(answer_text, wanted_text) >= FUNCTION_F1)
    answer_text = folded_answer(task, answer_text)
    if task == "Human genome DNA aligment":
        return (
            1.0
            if answer_text == wanted_text
            else 0.5
            if answer_text and answer_text.split(":")[0] == wanted_text.split(":")[0]
            else 0.0
        )
    return float(answer_text == wanted_text)


def folded_answer(task: str, answer_text: str) -> str:
    """The answer in the words of the gold standard."""
    if task == "Protein-coding genes":
        return {"Yes": "TRUE", "No": "NA"}.get(answer_text.rstrip("."), answer_text)
    if task == "Multi-species DNA aligment":
        return SPECIES.get(answer_text, answer_text)
    if task in ("SNP location", "Gene location") and answer_text:
        last_word = answer_text.split()[-1]
        return last_word if "chr" in last_word else "chr" + last_word
    return answer_text


def answer_precision(
    task: str, answer: str | Sequence[str], gold: str | Sequence[str]
) -> float | None:
    """The share of what was answered that is right; None for no answer."""
    if not answer:
        return None
    if task in LISTS:
        answered, gold_list = gold_values(answer), gold_values(gold)
        return sum(value in gold_list for value in answered) / len(answered) if answered else None
    return score_answer(task, answer, gold)


def answer_recall(task: str, answer: str | Sequence[str], gold: str | Sequence[str]) -> float:
    """The share of what is right that was answered; half a point for a chromosome is none."""
    points = score_answer(task, answer, gold)
    return points if task in LISTS else float(points == 1)


def token_f1(answer_text: str, gold_text: str) -> float:
    """Harmonic mean of precision and recall of words, as in question answering."""
    answer_words, second = (
        re.findall(r"\w+", answer_text.lower()),
        re.findall(r"\w+", gold_text.lower()),
    )
    common = sum((Counter(answer_words) & Counter(second)).values())
    return 2 * common / (len(answer_words) + len(second)) if common else 0.0
