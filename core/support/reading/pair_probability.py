"""How likely a text states a relation, from learned weights: a logistic regression as a table.

A table is `weights/SUBJECT-FAMILY-OBJECT.tsv` by the categories of the two ends and the family of
the predicate: a row a feature with its weight, and the rows `intercept` and `threshold`.
`benchmarks/learn_relations.py` writes it from annotated texts. Where there is none, a rule's own
weight is its score.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from core.model import Category

FOLDER = Path(__file__).with_name("weights")
INTERCEPT, THRESHOLD = "intercept", "threshold"
SCARCE = "treat"  # the family of which so few texts are annotated that its rules are hardly met
LENIENT = "cause"  # the family of which BC5CDR's annotators left out what is no side effect


@dataclass(frozen=True, slots=True)
class PairWeights:
    """Weights of features; proposals below `threshold` (0 to 1) are not made. `is_lenient`: the
    annotators left out what some plain words say, so that these need less than the threshold.
    `is_scarce`: learned from few texts, so that a rule's own weight counts beside what was learned.
    """

    weights: Mapping[str, float]
    intercept: float
    threshold: float
    is_lenient: bool = False
    is_scarce: bool = False

    def probability(self, features: Mapping[str, float]) -> float:
        """Between 0 and 1, by the logistic function of the weighted sum."""
        total = self.intercept + math.fsum(
            self.weights[name] * value for name, value in features.items() if name in self.weights
        )
        return 1 / (1 + math.exp(-max(min(total, 30.0), -30.0)))


@cache
def weights_for(subject: Category, family: str, object_: Category) -> PairWeights | None:
    """The learned table for two kinds of things and a family of predicates; None where none is."""
    kinds = {Category.PHENOTYPE: Category.DISEASE}
    name = f"{subject}-{family}-{kinds.get(object_, object_)}.tsv"
    path = FOLDER / name.replace(" ", "_")
    if not path.is_file():
        return None
    return replace(read_weights(path), is_lenient=family == LENIENT, is_scarce=family == SCARCE)


def read_weights(path: Path) -> PairWeights:
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(
            (line for line in lines if not line.startswith("#")),
            delimiter="\t",
            quoting=csv.QUOTE_NONE,
        )
        weights = {row[0]: float(row[1]) for row in rows if row and row[0] != "feature"}
    return PairWeights(weights, weights.pop(INTERCEPT), weights.pop(THRESHOLD))
