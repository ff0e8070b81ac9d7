"""Extractive answers, measured: how often a question is said to be answered when a right paper is
among the passages, and when none is.

None is there in two ways: the question's right papers are taken out of the corpus (which may still
answer it by papers that nobody judged, or by those of a twin question), and the question is asked
of a corpus about other things. `--learn` fits the rule anew on these questions and writes it;
without it, too, the same fit is cross-validated, the questions in ten parts, and printed.
"""

from __future__ import annotations

import json
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError
from core.evaluation.data_folder import BESIDE, data_folder
from core.evaluation.retrieval import HOLDS, Set, chunks_of, read_set
from core.evaluation.stage import Evaluation, Once, Report, Stage
from core.literature.answers import certainty
from core.literature.answers.certainty import FIGURES, likelihood, weights_of
from core.literature.answers.extractive import JUDGED, extract, figures_of
from core.literature.index.build import build
from core.literature.query.keyword import LiteratureQuery
from core.literature.query.named_thing import VocabularyNames
from core.literature.ranking.search import Searcher
from core.model import Json

THERE, REMOVED, ELSEWHERE = "a right paper is there", "right papers removed", "another corpus"
PARTS = 8  # indexes that are built without the right papers of their questions
FOLDS = 10
ANSWERED = 0.9  # share of the questions with a right paper that are to be answered


@dataclass(frozen=True, slots=True)
class AnswerCase:
    """A question as it was asked in one case; `answered` is what the product says."""

    id: str
    case: str
    answered: bool
    figures: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class AskedCorpus:
    """A corpus without the `removed` papers, and the questions that are asked of it."""

    name: str
    case: str
    corpus: Set
    questions: Sequence[Json]
    removed: frozenset[str] = frozenset()

    def ask(self, test_set: Set, names: VocabularyNames) -> list[AnswerCase]:
        remaining = [c for c in chunks_of(self.corpus) if c.document not in self.removed]
        with tempfile.TemporaryDirectory(prefix="answers-") as scratch:
            searcher = Searcher([build(Path(scratch), remaining)], find_names=names)
            return list(_ask(test_set, self.questions, searcher, self.case))


def corpora_of(test_set: Set, others: Sequence[Set]) -> list[AskedCorpus]:
    """Every question where its papers are, where they are not, and of other corpora."""
    corpora = [AskedCorpus("whole", THERE, test_set, test_set.queries)]
    for part in range(PARTS):
        questions = test_set.queries[part::PARTS]
        removed = {id for row in questions for id in test_set.grades.get(str(row["id"]), {})}
        name = f"without the papers of part {part + 1}"
        corpora.append(AskedCorpus(name, REMOVED, test_set, questions, frozenset(removed)))
    questions = test_set.queries[:: len(others) or 1]
    return corpora + [AskedCorpus(other.name, ELSEWHERE, other, questions) for other in others]


def _ask(
    test_set: Set, questions: Sequence[Json], searcher: Searcher, case: str
) -> Iterator[AnswerCase]:
    """Questions where `case` holds: without a right passage a question is in no case."""
    for row in questions:
        id, text = str(row["id"]), str(row["text"])
        results = searcher.search(LiteratureQuery(text), k=JUDGED)
        chunks = [hit.chunk for hit in results.results]
        right = any(chunk.document in test_set.grades.get(id, {}) for chunk in chunks)
        if not chunks or results.plan is None or (case == THERE and not right):
            continue
        weights = weights_of(results.plan)
        answered = not extract(text, chunks, weights).unknown
        yield AnswerCase(id, case, answered, figures_of(text, chunks, weights))


# ------------------------------------------------------------------ the rule


def learned(figures: NDArray[np.float64], is_present: NDArray[np.bool_]) -> dict[str, float]:
    """A logistic rule over the figures, with numbers for their values as they are."""
    from sklearn.linear_model import LogisticRegression

    middle, spread = figures.mean(0), figures.std(0) + 1e-9
    model = LogisticRegression(C=1.0, max_iter=500).fit((figures - middle) / spread, is_present)
    numbers = model.coef_[0] / spread
    constant = float(model.intercept_[0] - (numbers * middle).sum())
    rule = dict(zip(FIGURES, (round(float(number), 4) for number in numbers), strict=True))
    rule["constant"] = round(constant, 4)
    sure = np.array([likelihood(row, rule) for row in figures[is_present]])
    return rule | {"sure from": round(float(np.quantile(sure, 1 - ANSWERED)), 4)}


def cross_validated(cases: Sequence[AnswerCase]) -> tuple[NDArray[np.float64], list[bool]]:
    """The likelihood of each and whether it is enough, by a rule learned without its question."""
    ids = sorted({question.id for question in cases})
    fold = {id: place % FOLDS for place, id in enumerate(ids)}
    figures = np.array([question.figures for question in cases])
    is_present = np.array([question.case == THERE for question in cases])
    folds = np.array([fold[question.id] for question in cases])
    sure, enough = np.zeros(len(cases)), np.zeros(len(cases), dtype=bool)
    for part in range(FOLDS):
        rule = learned(figures[folds != part], is_present[folds != part])
        for place in np.flatnonzero(folds == part):
            sure[place] = likelihood(figures[place], rule)
            enough[place] = sure[place] >= rule["sure from"]
    return sure, [bool(sure_enough) for sure_enough in enough]


# ------------------------------------------------------------------ the command


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=BESIDE / "literature", help=HOLDS)
    parser.add_argument("--set", default="bioasq9b", help="the set whose questions are asked")
    parser.add_argument(
        "--other",
        action="append",
        default=[],
        help="a set about other things (default cf and cdr_traindev_evidence); several times",
    )
    parser.add_argument("--learn", action="store_true", help="write the rule learned from these")


def stages(desk: Desk, args: Namespace) -> Evaluation:
    """A unit a corpus with its index; a line for each case: questions, share said to be answered,
    by the product and cross-validated; then the area under the curve, cross-validated.
    """
    data = data_folder(args.data, HOLDS)
    test_set = read_set(data / args.set)
    others = [read_set(data / n) for n in args.other or ("cf", "cdr_traindev_evidence")]
    corpora = corpora_of(test_set, others)
    names = Once(lambda: VocabularyNames(desk.grounder()))
    parts = yield Stage(
        "corpora",
        [corpus.name for corpus in corpora],
        lambda place, run: to_json(corpora[place].ask(test_set, names())),
        worth=1,
    )
    cases: list[AnswerCase] = [from_json(AnswerCase, case) for part in parts for case in part]
    if not any(question.case == THERE for question in cases):
        raise InputError(f"No question of {args.set} has a right paper among its passages.")
    sure, enough = cross_validated(cases)
    lines = ["case\tquestions\tanswered\tanswered, cross-validated\tAUC, cross-validated"]
    sure_of_present = [s for s, question in zip(sure, cases, strict=True) if question.case == THERE]
    for case in (THERE, REMOVED, ELSEWHERE):
        places = [place for place, question in enumerate(cases) if question.case == case]
        share_answered = sum(cases[place].answered for place in places) / len(places)
        again = sum(enough[place] for place in places) / len(places)
        area = (
            ""
            if case == THERE
            else f"{_area(sure_of_present, [sure[place] for place in places]):.3f}"
        )
        lines.append(f"{case}\t{len(places)}\t{share_answered:.3f}\t{again:.3f}\t{area}")
    absent = [s for s, question in zip(sure, cases, strict=True) if question.case != THERE]
    lines.append(
        f"none is there, both ways\t{len(absent)}\t\t\t{_area(sure_of_present, absent):.3f}"
    )
    if args.learn:
        figures = np.array([question.figures for question in cases])
        rule = learned(figures, np.array([question.case == THERE for question in cases]))
        certainty.TABLE.write_text(json.dumps(rule, indent=1) + "\n", encoding="utf-8")
    return Report("\n".join(lines))


def _area(sure_of_present: Sequence[float], absent: Sequence[float]) -> float:
    """The chance that a question with a right paper is surer than one without."""
    ordered = np.sort(np.array(absent))
    below = np.searchsorted(ordered, sure_of_present, "left") + np.searchsorted(
        ordered, sure_of_present, "right"
    )
    return float(below.mean() / 2 / len(ordered))
