"""Extractive answers, measured: how often a question is said to be answered when a right paper is
among the passages, and when none is.

None is there in two ways: the question's right papers are taken out of the corpus, whole and with
those of its twins (questions that share a right paper with it), and the question is asked of a
corpus about other things. Some papers that are left may still answer, for nobody judged them. Both
kinds are asked of the same indexes, each without the papers of some questions: a rule could else
tell the corpus by its size. `--learn` fits the rule anew on these questions and writes it; without
it, too, the same fit is cross-validated, the questions in ten parts, and printed.
"""

from __future__ import annotations

import json
import tempfile
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError
from core.evaluation.data_folder import BESIDE, data_folder
from core.evaluation.retrieval_set import (
    HOLDS,
    RetrievalSet,
    chunks_of,
    papers_of_texts,
    read_test_set,
)
from core.literature.answers import certainty
from core.literature.answers.certainty import FIGURES, answer_likelihood, question_weights
from core.literature.answers.extractive import JUDGED, extract_sentences, figures_of_certainty
from core.literature.index.build import build_index
from core.literature.query.keyword import LiteratureQuery
from core.literature.query.named_thing import VocabularyNames
from core.literature.ranking.search import Searcher
from core.model import Json
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage, LazyValue

THERE, REMOVED, ELSEWHERE = "a right paper is there", "right papers removed", "another corpus"
PARTS = 8  # indexes that are built without the right papers of their questions
FOLDS = 10
# Share of the questions with a right paper that are likely enough; .9 are to be answered, and some
# of these passages offer no sentence that fits.
ANSWERED = 0.91
WRONG = 0.05  # share of those whose papers were taken out that may be answered for sure


@dataclass(frozen=True, slots=True)
class AnswerCase:
    """A question as it was asked in one case; `answered` and `sure` are what the product says."""

    id: str
    case: str
    answered: bool
    sure: bool
    figures: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class AskedCorpus:
    """A corpus without the `removed` papers, and in each case the questions asked of it."""

    name: str
    corpus: RetrievalSet
    questions: Mapping[str, Sequence[Json]]
    removed: frozenset[str] = frozenset()

    def ask(self, test_set: RetrievalSet, names: VocabularyNames) -> list[AnswerCase]:
        remaining = [c for c in chunks_of(self.corpus) if c.document not in self.removed]
        with tempfile.TemporaryDirectory(prefix="answers-") as scratch:
            searcher = Searcher([build_index(Path(scratch), remaining)], find_names=names)
            asked = (
                _ask(test_set, queries, searcher, case) for case, queries in self.questions.items()
            )
            return list(chain.from_iterable(asked))


def corpora_of(test_set: RetrievalSet, others: Sequence[RetrievalSet]) -> list[AskedCorpus]:
    """Every question where its papers are, where they are not, and of other corpora."""
    corpora, answering = [], texts_that_answer(test_set)
    for part in range(PARTS):
        absent = test_set.queries[part::PARTS]
        answerable = test_set.queries[(part + 1) % PARTS :: PARTS]
        removed = {id for row in absent for id in answering.get(str(row["id"]), ())}
        name = f"without the papers of part {part + 1}"
        asked = {THERE: answerable, REMOVED: absent}
        corpora.append(AskedCorpus(name, test_set, asked, frozenset(removed)))
    asked_elsewhere = {ELSEWHERE: test_set.queries[:: len(others) or 1]}
    return corpora + [AskedCorpus(other.name, other, asked_elsewhere) for other in others]


def texts_that_answer(test_set: RetrievalSet) -> dict[str, set[str]]:
    """Question → the texts of every paper that is right for it or for a twin of it."""
    paper_of = papers_of_texts(test_set)
    papers = {id: {paper_of[text] for text in right} for id, right in test_set.grades.items()}
    asked_of, texts_of = defaultdict(set), defaultdict(set)
    for id, right_papers in papers.items():
        for paper in right_papers:
            asked_of[paper].add(id)
    for text, paper in paper_of.items():
        texts_of[paper].add(text)

    def answering(id: str) -> set[str]:
        twins = {twin for paper in papers[id] for twin in asked_of[paper]}
        return {text for twin in twins for paper in papers[twin] for text in texts_of[paper]}

    return {id: answering(id) for id in papers}


def _ask(
    test_set: RetrievalSet, questions: Sequence[Json], searcher: Searcher, case: str
) -> Iterator[AnswerCase]:
    """Questions where `case` holds: without a right passage a question is in no case."""
    for row in questions:
        id, text = str(row["id"]), str(row["text"])
        results = searcher.search(LiteratureQuery(text), k=JUDGED)
        chunks = [hit.chunk for hit in results.results]
        right = any(chunk.document in test_set.grades.get(id, {}) for chunk in chunks)
        if not chunks or results.plan is None or (case == THERE and not right):
            continue
        weights = question_weights(results.plan)
        answer = extract_sentences(text, chunks, weights)
        sure = not answer.unknown and not answer.probable
        yield AnswerCase(
            id,
            case,
            not answer.unknown,
            sure=sure,
            figures=figures_of_certainty(text, chunks, weights),
        )


# ------------------------------------------------------------------ the rule


def learned(
    figures: NDArray[np.float64], is_present: NDArray[np.bool_], is_removed: NDArray[np.bool_]
) -> dict[str, float]:
    """A logistic rule over the figures, with numbers for their values as they are."""
    from sklearn.linear_model import LogisticRegression

    middle, spread = figures.mean(0), figures.std(0) + 1e-9
    model = LogisticRegression(C=0.5, max_iter=500).fit((figures - middle) / spread, is_present)
    numbers = model.coef_[0] / spread
    constant = float(model.intercept_[0] - (numbers * middle).sum())
    rule = dict(zip(FIGURES, (round(float(number), 4) for number in numbers), strict=True))
    rule["constant"] = round(constant, 4)
    likely = np.array([answer_likelihood(row, rule) for row in figures])
    probable = float(np.quantile(likely[is_present], 1 - ANSWERED))
    sure = float(np.quantile(likely[is_removed], 1 - WRONG)) if is_removed.any() else probable
    return rule | {"probable from": round(probable, 4), "sure from": round(max(sure, probable), 4)}


def cross_validated(cases: Sequence[AnswerCase]) -> NDArray[np.float64]:
    """For each its likelihood, and 1 where it is enough for an answer, probable and sure, by a rule
    learned without its question.
    """
    ids = sorted({question.id for question in cases})
    fold = {id: place % FOLDS for place, id in enumerate(ids)}
    figures = np.array([question.figures for question in cases])
    is_present = np.array([question.case == THERE for question in cases])
    is_removed = np.array([question.case == REMOVED for question in cases])
    folds = np.array([fold[question.id] for question in cases])
    judged = np.zeros((len(cases), 3))
    for part in range(FOLDS):
        known = folds != part
        rule = learned(figures[known], is_present[known], is_removed[known])
        for place in np.flatnonzero(~known):
            likely = answer_likelihood(figures[place], rule)
            judged[place] = likely, likely >= rule["probable from"], likely >= rule["sure from"]
    return judged


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
    test_set = read_test_set(data / args.set)
    others = [read_test_set(data / n) for n in args.other or ("cf", "cdr_traindev_evidence")]
    corpora = corpora_of(test_set, others)
    names = LazyValue(lambda: VocabularyNames(desk.grounder()))
    parts = yield EvaluationStage(
        "corpora",
        [corpus.name for corpus in corpora],
        lambda place, run: to_json(corpora[place].ask(test_set, names())),
        worth=1,
    )
    cases: list[AnswerCase] = [from_json(AnswerCase, case) for part in parts for case in part]
    if not any(question.case == THERE for question in cases):
        raise InputError(f"No question of {args.set} has a right paper among its passages.")
    judged = cross_validated(cases)
    lines = ["case\tquestions\tanswered\tfor sure\tanswered, cross-validated\tfor sure\tAUC"]
    case_names = np.array([question.case for question in cases])
    of_present = judged[case_names == THERE, 0]
    product = np.array([(question.answered, question.sure) for question in cases], dtype=float)
    for case in (THERE, REMOVED, ELSEWHERE):
        rows = case_names == case
        shares = (*product[rows].mean(0), *judged[rows, 1:].mean(0))
        area = "" if case == THERE else f"{_area(of_present, judged[rows, 0]):.3f}"
        shares_text = "\t".join(f"{share:.3f}" for share in shares)
        lines.append(f"{case}\t{rows.sum()}\t{shares_text}\t{area}")
    absent = judged[case_names != THERE, 0]
    lines.append(
        f"none is there, both ways\t{len(absent)}\t\t\t\t\t{_area(of_present, absent):.3f}"
    )
    if args.learn:
        figures = np.array([question.figures for question in cases])
        rule = learned(figures, case_names == THERE, case_names == REMOVED)
        certainty.TABLE.write_text(json.dumps(rule, indent=1) + "\n", encoding="utf-8")
    return EvaluationReport("\n".join(lines))


def _area(sure_of_present: NDArray[np.float64], absent: NDArray[np.float64]) -> float:
    """The chance that a question with a right paper is surer than one without."""
    ordered = np.sort(absent)
    below = np.searchsorted(ordered, sure_of_present, "left") + np.searchsorted(
        ordered, sure_of_present, "right"
    )
    return float(below.mean() / 2 / len(ordered))
