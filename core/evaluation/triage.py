"""Triage that learns, simulated: how much reading it saves on reviews whose outcome is known.

A review is a question of a set with at least 20 relevant papers among all papers of the set; of the
chemical–disease set the reviews are diseases (the papers that state some chemical induces it). Both
begin with one relevant and one other paper, drawn by chance; after each verdict, later after each
twentieth of those made, the rest is ordered anew. WSS@95: the share of papers that need not be read
until 95 % of the relevant ones are found, less the 5 % that reading at random would save (Cohen et
al. 2006).
"""

from __future__ import annotations

import gzip
import json
import math
import random
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path
from statistics import mean

import numpy as np

from core.desk import Desk
from core.evaluation.data_folder import BESIDE
from core.evaluation.retrieval_set import HOLDS, read_test_set, set_folders
from core.learning.screening import LearnedOrder, PaperWords, learn_order, weigh_words
from core.learning.stopping import TARGET, FoundEstimate, most_left
from core.literature.index.tokens import text_units
from core.model import Json
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage, LazyValue

DATA = BESIDE / "literature"
SETS = ("bioasq9b", "cf", "cdr_traindev_evidence")
LEAST_RELEVANT = 20
REVIEWS = 8  # of each set
HEADER = (
    "set\tpapers\treviews\twss@95\trecall after 10 %\tread, recall where 95 % is expected\t\t"
    "read, recall where 95 % is sure\t"
)
SHARE = 20  # of the verdicts made: after so many new ones the order is made anew


@dataclass(frozen=True, slots=True)
class KnownReview:
    """A review with a known outcome; papers are named by their rows."""

    question: str
    relevant: frozenset[int]
    start: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ReviewSet:
    """The papers of a set, {title, text}, and reviews among them."""

    name: str
    papers: tuple[Json, ...]
    reviews: tuple[KnownReview, ...]


@dataclass(frozen=True, slots=True)
class WorkSaved:
    """Of one review, 0 to 1: work saved at 95 % recall, recall after a tenth of the papers; then
    the share read and the recall there, where 95 % is expected to be found and where it is sure.
    """

    wss: float
    recall: float
    read_expected: float = 1.0
    recall_expected: float = 1.0
    read_sure: float = 1.0
    recall_sure: float = 1.0


def read_reviews(folder: Path, most: int = REVIEWS) -> ReviewSet:
    """Up to `most` reviews of a retrieval set, evenly from all that are large enough."""
    labelled = read_test_set(folder)
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        papers = tuple(json.loads(line) for line in lines if line.strip())
    rows = {str(paper["id"]): row for row, paper in enumerate(papers)}
    relevant: dict[str, set[int]] = defaultdict(set)
    questions: dict[str, str] = {}
    for query in labelled.queries:
        graded = labelled.grades.get(str(query["id"]), {})
        topic = str(query["mesh"][1] if "mesh" in query else query["text"])
        questions.setdefault(topic, str(query["keywords"][1] if "mesh" in query else topic))
        relevant[topic] |= {rows[id] for id, grade in graded.items() if grade > 0}
    large = sorted(topic for topic, papers in relevant.items() if len(papers) >= LEAST_RELEVANT)
    step = max(1, len(large) // most)
    reviews = []
    for topic in large[::step][:most]:
        chance = random.Random(topic)
        others = sorted(set(rows.values()) - relevant[topic])
        start = (chance.choice(sorted(relevant[topic])), chance.choice(others))
        reviews.append(KnownReview(questions[topic], frozenset(relevant[topic]), start))
    return ReviewSet(labelled.name, papers, tuple(reviews))


def paper_words(papers: Sequence[Json]) -> PaperWords:
    return weigh_words(text_units(f"{paper['title']} {paper['text']}") for paper in papers)


def screening_order(papers: PaperWords, review: KnownReview, question: str) -> list[int]:
    """Rows in the order of reading, until the last relevant paper is found."""
    for order, unread, _ in _readings(papers, review, question):
        if not review.relevant & unread:
            return order
    return []


def stopping_order(
    papers: PaperWords, review: KnownReview, question: str
) -> tuple[list[int], int, int]:
    """Rows in the order of reading, until the last relevant paper is found and both rules said
    stop; and after how many 95 % was expected to be found, and was sure.
    """
    expected = sure = estimated = 0
    order: list[int] = []
    for order, unread, learned in _readings(papers, review, question):
        if learned and len(order) - estimated >= len(papers) // 50:
            estimated = len(order)
            estimate = _estimate(learned, [row in review.relevant for row in order], unread)
            expected = expected or (estimated if estimate.share >= TARGET else 0)
            sure = sure or (estimated if estimate.enough else 0)
        if expected and sure and not review.relevant & unread:
            break
    return order, expected or len(papers), sure or len(papers)


def _readings(
    papers: PaperWords, review: KnownReview, question: str
) -> Iterator[tuple[list[int], set[int], LearnedOrder | None]]:
    """Rows read so far, those unread, and what was learned from the former."""
    order, unread = list(review.start), set(range(len(papers))) - set(review.start)
    while unread:
        verdicts = {row: row in review.relevant for row in order}
        learned = learn_order(papers, verdicts, text_units(question))
        yield order, unread, learned
        best = sorted(unread, key=lambda row: (-learned.scores[row], row))
        chosen = best[: max(1, len(order) // SHARE)]
        order += chosen
        unread -= set(chosen)
    yield order, unread, None


def _estimate(learned: LearnedOrder, verdicts: Sequence[bool], unread: set[int]) -> FoundEstimate:
    papers = len(learned.scores)
    expected_left = float(np.sum(learned.chances[sorted(unread)]))
    return FoundEstimate(
        papers,
        len(verdicts),
        sum(verdicts),
        expected_left=expected_left,
        most_left=most_left(verdicts, papers),
    )


def work_saved(
    order: Sequence[int], relevant: frozenset[int], papers: int, *, expected: int = 0, sure: int = 0
) -> WorkSaved:
    """What an order saves; it holds all relevant rows. 0: no rule was asked where to stop."""
    found_so_far = np.cumsum([row in relevant for row in order])
    needed = math.ceil(TARGET * len(relevant))
    read_count = int(np.searchsorted(found_so_far, needed)) + 1

    def recall(count: int) -> float:
        return float(found_so_far[min(count, len(order)) - 1]) / len(relevant)

    stops = [(count / papers, recall(count)) for count in (expected or papers, sure or papers)]
    return WorkSaved(
        (papers - read_count) / papers - (1 - TARGET),
        recall(max(1, papers // 10)),
        *stops[0],
        *stops[1],
    )


# ------------------------------------------------------------------ the command


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=DATA, help=HOLDS)
    parser.add_argument(
        "--set", action="append", default=[], dest="sets", help="a set's name; several times"
    )
    parser.add_argument("--reviews", type=int, default=REVIEWS, help="of each set, at most")
    parser.add_argument("--no-question", action="store_true", help="learn from verdicts alone")


def stages(desk: Desk, args: Namespace) -> Evaluation:
    """A unit a review; a line a set, tab-separated, and the mean over the sets;
    benchmarks/triage.py prints ASReview's beside them.
    """
    folders = set_folders(args.data, args.sets or [n for n in SETS if (args.data / n).is_dir()])
    sets = [read_reviews(folder, args.reviews) for folder in folders]
    reviews = [(labelled, review) for labelled in sets for review in labelled.reviews]
    papers_of_set = {
        labelled.name: LazyValue(partial(paper_words, labelled.papers)) for labelled in sets
    }

    def measure(place: int, run: str) -> Json:
        labelled, review = reviews[place]
        papers = papers_of_set[labelled.name]()
        question = "" if args.no_question else review.question
        order, expected, sure = stopping_order(papers, review, question)
        return astuple(
            work_saved(order, review.relevant, len(papers), expected=expected, sure=sure)
        )

    names = [f"{labelled.name}: {review.question}" for labelled, review in reviews]
    rows = yield EvaluationStage("reviews", names, measure, worth=1)
    lines, means = [HEADER], []
    for labelled in sets:
        outcomes = [
            WorkSaved(*row)
            for (of_set, _), row in zip(reviews, rows, strict=True)
            if of_set is labelled
        ]
        means.append(mean_saved(outcomes))
        cells = [labelled.name, str(len(labelled.papers)), str(len(outcomes))]
        lines.append("\t".join([*cells, *saved_columns(means[-1])]))
    lines.append("\t".join(["mean", "", "", *saved_columns(mean_saved(means))]))
    return EvaluationReport("\n".join(lines))


def mean_saved(outcomes: Sequence[WorkSaved]) -> WorkSaved:
    return WorkSaved(*(mean(values) for values in zip(*map(astuple, outcomes), strict=True)))


def saved_columns(value: WorkSaved) -> list[str]:
    return [f"{share:.3f}" for share in astuple(value)]
