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
        return [one.strip() for one in answer.split(", ") if one.strip()]
    return [str(one) for one in answer]


def score(task: str, answer: str | Sequence[str], gold: str | Sequence[str]) -> float:
    """0 to 1."""
    if task in LISTS:
        wanted, given = gold_values(gold), gold_values(answer)
        return sum(one in given for one in wanted) / len(wanted)
    said = (
        answer
        if isinstance(answer, str)
        else (answer[0] if len(answer) == 1 else ", ".join(answer))
    )
    wanted_text = gold if isinstance(gold, str) else ", ".join(gold)
    if task == "SNP gene function":
        return float(token_f1(said, wanted_text) >= FUNCTION_F1)
    said = folded(task, said)
    if task == "Human genome DNA aligment":
        return (
            1.0
            if said == wanted_text
            else 0.5
            if said and said.split(":")[0] == wanted_text.split(":")[0]
            else 0.0
        )
    return float(said == wanted_text)


def folded(task: str, said: str) -> str:
    """The answer in the words of the gold standard."""
    if task == "Protein-coding genes":
        return {"Yes": "TRUE", "No": "NA"}.get(said.rstrip("."), said)
    if task == "Multi-species DNA aligment":
        return SPECIES.get(said, said)
    if task in ("SNP location", "Gene location") and said:
        last = said.split()[-1]
        return last if "chr" in last else "chr" + last
    return said


def precision(task: str, answer: str | Sequence[str], gold: str | Sequence[str]) -> float | None:
    """The share of what was answered that is right; None for no answer."""
    if not answer:
        return None
    if task in LISTS:
        given, wanted = gold_values(answer), gold_values(gold)
        return sum(one in wanted for one in given) / len(given) if given else None
    return score(task, answer, gold)


def recall(task: str, answer: str | Sequence[str], gold: str | Sequence[str]) -> float:
    """The share of what is right that was answered; half a point for a chromosome is none."""
    found = score(task, answer, gold)
    return found if task in LISTS else float(found == 1)


def token_f1(one: str, other: str) -> float:
    """Harmonic mean of precision and recall of words, as in question answering."""
    first, second = re.findall(r"\w+", one.lower()), re.findall(r"\w+", other.lower())
    common = sum((Counter(first) & Counter(second)).values())
    return 2 * common / (len(first) + len(second)) if common else 0.0
