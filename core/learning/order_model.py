"""A small model, made anew from the decisions of one project, that orders what waits. It never
decides.

A logistic regression over `statement_features`. Before there are decisions it repeats the scores
that the engines give; these stay in it as a prior that is worth `PRIOR` decisions, so that ten
clicks do not overrule what an engine learned from thousands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.learning.feature import Features

PRIOR = 20.0  # decisions that the engines' own scores are worth
MOST_PRIOR = 3_000  # waiting statements that carry the prior
STRENGTH = 0.3  # inverse of the penalty on weights: sparse words need a firm hand


@dataclass(frozen=True, slots=True)
class DecidedExample:
    """A decided statement: was it right?"""

    features: Features
    right: bool


@dataclass(frozen=True, slots=True)
class UndecidedExample:
    """A statement that waits, with the score that its engine gave, 0 to 1."""

    features: Features
    score: float


def probabilities(
    judged: Sequence[DecidedExample], waiting: Sequence[UndecidedExample]
) -> list[float]:
    """How likely each waiting statement is to be approved, 0 to 1, in the order given.

    Without decisions: the engines' scores. The same decisions give the same numbers.
    """
    if not judged or not waiting:
        return [statement.score for statement in waiting]
    from sklearn.feature_extraction import DictVectorizer  # 1 s to import: only where it is used

    step = max(len(waiting) // MOST_PRIOR, 1)
    prior = waiting[::step][:MOST_PRIOR]
    table = DictVectorizer()
    feature_maps = [statement.features for statement in judged] + [
        statement.features for statement in prior
    ]
    rows = table.fit_transform([dict(feature_map) for feature_map in feature_maps])
    model = _fitted(rows, judged, prior)
    waiting_rows = table.transform([dict(statement.features) for statement in waiting])
    return [float(share) for share in model.predict_proba(waiting_rows)[:, 1]]


def _fitted(rows: Any, judged: Sequence[DecidedExample], prior: Sequence[UndecidedExample]) -> Any:
    """Each waiting statement stands in twice, as right and as wrong, weighted by its score."""
    from scipy.sparse import vstack
    from sklearn.linear_model import LogisticRegression

    own, prior_rows = rows[: len(judged)], rows[len(judged) :]
    weight = PRIOR / len(prior)
    outcome = [statement.right for statement in judged] + [True] * len(prior) + [False] * len(prior)
    weights = [1.0] * len(judged)
    weights += [weight * waiting.score for waiting in prior]
    weights += [weight * (1 - waiting.score) for waiting in prior]
    weights = [max(value, 1e-9) for value in weights]
    model = LogisticRegression(C=STRENGTH, solver="lbfgs", max_iter=400)
    return model.fit(vstack([own, prior_rows, prior_rows]), outcome, sample_weight=weights)
