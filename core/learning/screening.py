"""A small model, made anew from the verdicts on the papers of one project, that orders those which
nobody judged yet. It never judges.

A linear support vector machine over the weighted words of titles and abstracts, as ASReview's
default has it (van de Schoot et al. 2021, Nature Machine Intelligence 3:125), but over stems, one
word at a time, and with the question as one more paper that is wanted: a review has one before it
has a verdict. The same verdicts give the same order.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

PENALTY = 0.11  # C of ASReview's ELAS u4: firm, as verdicts are few beside words
BALANCE = 9.8  # weight of all included papers against all excluded ones, of the same
MOST_COMMON = 0.95  # words in a larger share of the papers say nothing
FOLDS = 5  # by which judged papers are scored as if they were not judged
Floats = NDArray[np.float64]
FEW = 20  # papers among which every word counts


@dataclass(frozen=True, slots=True)
class PaperWords:
    """What papers hold: one sparse row of length 1 a paper, a column a word, and how rare each word
    is.
    """

    rows: Any  # scipy.sparse.csr_matrix, papers x words
    words: tuple[str, ...]
    rarity: Floats

    def __len__(self) -> int:
        return int(self.rows.shape[0])

    def weigh(self, units: Sequence[str]) -> Any:
        """The words of another text as a row of the same columns."""
        places = {word: place for place, word in enumerate(self.words)}
        counts = Counter(places[unit] for unit in units if unit in places)
        return _weighed([counts], self.rarity)


def weigh_words(papers: Iterable[Sequence[str]]) -> PaperWords:
    """The weighted words of papers: tf-idf with frequencies as 1 + log. Words that one paper alone
    holds, or nearly all of them, are left out.
    """
    counts = [Counter(units) for units in papers]
    spread = Counter(word for word_counts in counts for word in word_counts)
    least, most = (2, MOST_COMMON * len(counts)) if len(counts) > FEW else (1, len(counts))
    words = tuple(sorted(word for word, papers in spread.items() if least <= papers <= most))
    rarity = np.array([math.log((1 + len(counts)) / (1 + spread[word])) + 1 for word in words])
    places = {word: place for place, word in enumerate(words)}
    numbered = [
        {places[w]: n for w, n in word_counts.items() if w in places} for word_counts in counts
    ]
    return PaperWords(_weighed(numbered, rarity), words, rarity)


def _weighed(counts: Sequence[Mapping[int, int]], rarity: Floats) -> Any:
    from scipy.sparse import csr_matrix

    starts = np.cumsum([0, *(len(word_counts) for word_counts in counts)])
    columns = np.fromiter(
        (place for word_counts in counts for place in word_counts), int, int(starts[-1])
    )
    times = np.fromiter(
        (n for word_counts in counts for n in word_counts.values()), float, int(starts[-1])
    )
    values = (1 + np.log(times)) * rarity[columns]
    lengths = np.sqrt(np.add.reduceat(np.append(values**2, 0.0), starts[:-1]))
    lengths[np.diff(starts) == 0] = 1.0
    values /= np.repeat(lengths, np.diff(starts))
    return csr_matrix((values, columns, starts), shape=(len(counts), len(rarity)))


@dataclass(frozen=True, slots=True)
class LearnedOrder:
    """A score for each paper (higher: more like what was included; 0 is the border). `weights`:
    what each word speaks for (above 0) or against.
    """

    scores: Floats
    weights: Floats
    chance_of: Callable[[Floats], Floats]

    @property
    def chances(self) -> Floats:
        """How likely each paper is to be included, 0 to 1; worked out when asked for."""
        return self.chance_of(self.scores)


def can_learn(judged: Mapping[int, bool]) -> bool:
    """Whether there are verdicts of both kinds."""
    return len(set(judged.values())) == 2


def learn_order(
    papers: PaperWords, judged: Mapping[int, bool], question: Sequence[str] = ()
) -> LearnedOrder:
    """The order that verdicts teach; `judged` names papers by row, True for included; `question`:
    its words. Raises ValueError without verdicts of both kinds (`can_learn`).
    """
    if not can_learn(judged):
        raise ValueError("verdicts of one kind only")
    places = sorted(judged)
    verdicts = np.array([judged[place] for place in places])
    question_row = papers.weigh(question) if question else None
    weights, border = _fitted(papers.rows[places], verdicts, question_row)
    scores = np.asarray(papers.rows @ weights).ravel() + border
    return LearnedOrder(
        scores,
        weights,
        lambda question_rows: _chances(papers.rows[places], verdicts, question_row, question_rows),
    )


def _fitted(rows: Any, verdicts: NDArray[np.bool_], question_row: Any) -> tuple[Floats, float]:
    from scipy.sparse import vstack
    from sklearn.svm import LinearSVC

    if question_row is not None:
        rows, verdicts = vstack([rows, question_row]).tocsr(), np.append(verdicts, True)
    included = int(verdicts.sum())
    against = included / (BALANCE * (len(verdicts) - included))
    share = np.where(verdicts, 1.0, against)
    model = LinearSVC(C=PENALTY, loss="squared_hinge", random_state=0)
    model.fit(rows, verdicts, sample_weight=share * (len(share) / share.sum()))
    return np.asarray(model.coef_).ravel(), float(model.intercept_[0])


def _chances(rows: Any, verdicts: NDArray[np.bool_], question_row: Any, scores: Floats) -> Floats:
    """Scores as chances (Platt 1999), by judged papers scored without their own verdict."""
    from sklearn.linear_model import LogisticRegression

    left_out = np.zeros(len(verdicts))
    ranks = np.empty(len(verdicts), dtype=int)
    for kind in (True, False):  # both kinds in each fold, as far as they go
        places = np.flatnonzero(verdicts == kind)
        ranks[places] = np.arange(len(places)) % FOLDS
    for fold in range(FOLDS):
        out, training = ranks == fold, ranks != fold
        if out.any() and len(set(verdicts[training])) == 2:
            weights, border = _fitted(rows[training], verdicts[training], question_row)
            left_out[out] = np.asarray(rows[out] @ weights).ravel() + border
    model = LogisticRegression(C=1e3).fit(left_out.reshape(-1, 1), verdicts)
    if float(model.coef_[0, 0]) <= 0:  # too few verdicts to tell them apart
        return np.full(len(scores), float(verdicts.mean()))
    return np.asarray(model.predict_proba(scores.reshape(-1, 1))[:, 1])


def speaking_words(
    papers: PaperWords, order: LearnedOrder, row: int, most: int
) -> dict[str, float]:
    """The words of a paper that move its score most, for and against, the strongest first."""
    paper_row = papers.rows[row]
    shares = {
        papers.words[column]: float(value * order.weights[column])
        for column, value in zip(paper_row.indices, paper_row.data, strict=True)
    }
    return dict(sorted(shares.items(), key=lambda pair: -abs(pair[1]))[:most])
