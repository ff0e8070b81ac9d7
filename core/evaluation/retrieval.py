"""Retrieval, measured: nDCG@10, P@10, R@10 and MRR of each mode on each set, beside other packages
where they are installed (`retrieval_peer.py`) and beside what was published.

A set is a folder with corpus.jsonl.gz, queries.jsonl.gz and qrels.tsv.gz. Where queries name their
keywords, PES2 gets them; otherwise every mode gets the question's text alone. nDCG uses the grades
as gains.
"""

from __future__ import annotations

import math
import random
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from core.desk import Desk
from core.evaluation.data_folder import BESIDE
from core.evaluation.question_variants import approved_names, mistyped, short_topics, with_names
from core.evaluation.retrieval_peer import (
    PeerSearch,
    RetrievalPeer,
    installed_peers,
    peer_notes,
)
from core.evaluation.retrieval_set import (
    HOLDS,
    RetrievalSet,
    chunks_of,
    index_of_test_set,
    read_test_set,
    set_folders,
)
from core.literature.query.keyword import Keyword, LiteratureQuery
from core.literature.query.named_thing import VocabularyNames
from core.literature.query.plan import SearchOptions
from core.literature.ranking.registry import DEFAULT_MODE, mode_names, mode_of
from core.literature.ranking.search import Searcher
from core.model import Json
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage, LazyValue

DEPTH = 10
HEADER = "set\tmode\tndcg@10\tp@10\tr@10\tmrr\tms/query\tpublished bm25\tpublished pes2"
PUBLISHED = {  # nDCG@10: BM25 as in the paper, PES2 as published
    "bioasq9b": (0.515, 0.683),
    "cf": (0.175, 0.268),
    "cdr_traindev_evidence": (0.79, 0.83),
}
MODES = mode_names(has_vectors=False)


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over the queries of a set, 0–1; milliseconds a query."""

    ndcg: float
    precision: float
    recall: float
    mrr: float
    milliseconds: float
    queries: int


def ndcg(ranked: Sequence[str], relevant: Mapping[str, float], depth: int = DEPTH) -> float:
    """Discounted gain over the best possible one."""
    best = sorted(relevant.values(), reverse=True)[:depth]
    ideal = sum(gain / math.log2(place + 2) for place, gain in enumerate(best))
    gained = sum(
        relevant.get(id, 0.0) / math.log2(place + 2) for place, id in enumerate(ranked[:depth])
    )
    return gained / ideal if ideal else 0.0


def score_of(
    ranked: Sequence[str], relevant: Mapping[str, float], depth: int = DEPTH
) -> tuple[float, ...]:
    """nDCG, precision, recall and reciprocal rank of one query."""
    hits = [relevant.get(id, 0.0) > 0 for id in ranked[:depth]]
    relevant_count = sum(1 for grade in relevant.values() if grade > 0)
    first_rank = next((1 / (place + 1) for place, hit in enumerate(hits) if hit), 0.0)
    return (
        ndcg(ranked, relevant, depth),
        sum(hits) / depth,
        sum(hits) / relevant_count if relevant_count else 0.0,
        first_rank,
    )


# ------------------------------------------------------------------ sets


def measure(
    test_set: RetrievalSet,
    searcher: Searcher,
    mode: str,
    options: SearchOptions | None = None,
    typo: int | None = None,
) -> Scores:
    """The scores of a mode; with `typo` (a seed) one random slip in the rarest word of each
    question.
    """
    return mean_scores(
        [
            measure_query(test_set, place, searcher, mode, options, typo)
            for place in range(len(test_set.queries))
        ]
    )


def measure_query(
    test_set: RetrievalSet,
    place: int,
    searcher: Searcher,
    mode: str,
    options: SearchOptions | None = None,
    typo: int | None = None,
) -> tuple[float, ...]:
    """nDCG, precision, recall, reciprocal rank and milliseconds of one query."""
    started = time.perf_counter()
    row = test_set.queries[place]
    question = question_of(row, mode)
    if typo is not None:
        question = mistyped(question, searcher, random.Random(f"{typo}-{place}"))
    results = searcher.search(question, mode, DEPTH, options).results
    documents = [result.chunk.document for result in results]
    return _score_query(test_set, row, documents, started)


def measure_peer_query(test_set: RetrievalSet, place: int, search: PeerSearch) -> tuple[float, ...]:
    """As `measure_query`, of a package that is not ours."""
    started = time.perf_counter()
    row = test_set.queries[place]
    return _score_query(test_set, row, search(str(row["text"]), DEPTH), started)


def _score_query(
    test_set: RetrievalSet, row: Json, documents: Sequence[str], started: float
) -> tuple[float, ...]:
    ranked = list(dict.fromkeys(documents))
    scores = score_of(ranked, test_set.grades.get(str(row["id"]), {}))
    return *scores, (time.perf_counter() - started) * 1000


def mean_scores(rows: Sequence[Sequence[float]]) -> Scores:
    """The means over queries, each as `measure_query` gives it."""
    count = max(1, len(rows))
    totals = [0.0] * 5
    for row in rows:
        totals = [total + value for total, value in zip(totals, row, strict=True)]
    gain, precision, recall, mrr, milliseconds = (total / count for total in totals)
    return Scores(gain, precision, recall, mrr, milliseconds, len(rows))


def question_of(row: Json, mode: str) -> LiteratureQuery:
    keywords = row.get("keywords") if mode_of(mode).words_alone else None
    return LiteratureQuery(str(row["text"]), tuple(Keyword(str(word)) for word in keywords or ()))


# ------------------------------------------------------------------ synonyms


def measure_questions(
    test_set: RetrievalSet,
    searcher: Searcher,
    named_questions: Sequence[tuple[Json, LiteratureQuery]],
) -> float:
    """Mean nDCG@10 of given questions in the default mode."""
    total = sum(ndcg_of_question(test_set, searcher, *named) for named in named_questions)
    return total / max(1, len(named_questions))


def ndcg_of_question(
    test_set: RetrievalSet, searcher: Searcher, row: Json, question: LiteratureQuery
) -> float:
    results = searcher.search(question, DEFAULT_MODE, DEPTH).results
    return ndcg(
        [result.chunk.document for result in results], test_set.grades.get(str(row["id"]), {})
    )


# ------------------------------------------------------------------ the command


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=BESIDE / "literature", help=HOLDS)
    parser.add_argument(
        "--set", action="append", default=[], dest="sets", help="a set's name; several times"
    )
    parser.add_argument("--mode", action="append", default=[], dest="modes", choices=MODES)
    parser.add_argument(
        "--grounding",
        type=Path,
        default=BESIDE / "grounding",
        help="folder with bc5cdr/ and lexicons/, for synonyms",
    )
    parser.add_argument(
        "--no-vocabularies", action="store_true", help="rank without what the vocabularies know"
    )
    parser.add_argument(
        "--no-topics", action="store_true", help="leave out the questions cut to short topics"
    )
    parser.add_argument(
        "--no-typos", action="store_true", help="leave the measurement with typing errors out"
    )


@dataclass(frozen=True, slots=True)
class RetrievalTask:
    """One way in which all questions of a set are asked; with `names`, by their approved names."""

    test_set: RetrievalSet
    label: str
    mode: str = DEFAULT_MODE
    options: SearchOptions | None = None
    typo: int | None = None
    names: Mapping[str, Sequence[str]] | None = None

    @property
    def count(self) -> int:
        return len(self.test_set.queries)

    def measure(self, searcher: Searcher, place: int) -> Sequence[float]:
        """As `measure_query`; by names, nDCG alone."""
        if self.names is None:
            return measure_query(self.test_set, place, searcher, self.mode, self.options, self.typo)
        single = replace(self.test_set, queries=(self.test_set.queries[place],))
        ((row, question),) = with_names(single, self.names)
        return [ndcg_of_question(self.test_set, searcher, row, question)]

    def line(self, rows: Sequence[Sequence[float]]) -> str:
        if self.names is None:
            return _line(self.test_set.name, self.label, mean_scores(rows))
        value = sum(score for (score,) in rows) / max(1, len(rows))
        return f"{self.test_set.name}\t{self.label}\t{value:.4f}"


@dataclass(frozen=True, slots=True)
class PeerTask:
    """All questions of a set, asked of another package."""

    test_set: RetrievalSet
    peer: RetrievalPeer

    @property
    def label(self) -> str:
        return self.peer.name

    @property
    def count(self) -> int:
        return len(self.test_set.queries)

    def measure(self, search: PeerSearch, place: int) -> Sequence[float]:
        return measure_peer_query(self.test_set, place, search)

    def line(self, rows: Sequence[Sequence[float]]) -> str:
        return _line(self.test_set.name, self.label, mean_scores(rows))


def stages(desk: Desk, args: Namespace) -> Evaluation:
    """A unit a question in each mode; a line a set and mode, tab-separated, with the published
    nDCG@10 where it is known.
    """
    sets = [read_test_set(folder) for folder in set_folders(args.data, args.sets)]
    ways = [way for test_set in sets for way in _ways(test_set, args)]
    peers = {
        (test_set.name, peer.name): LazyValue(partial(_peer_search, test_set, peer))
        for test_set in sets
        for peer in installed_peers()
    }
    parts = [(way, place) for way in ways for place in range(way.count)]
    with tempfile.TemporaryDirectory(prefix="retrieval-") as scratch:
        find_names = LazyValue(
            lambda: None if args.no_vocabularies else VocabularyNames(desk.grounder())
        )

        def searcher_of(test_set: RetrievalSet) -> Searcher:
            index = index_of_test_set(test_set, Path(scratch) / test_set.name)
            return Searcher([index], find_names=find_names())

        searchers = {test_set.name: LazyValue(partial(searcher_of, test_set)) for test_set in sets}

        def measure_part(place: int, run: str) -> Json:
            way, query = parts[place]
            if isinstance(way, PeerTask):
                return list(way.measure(peers[way.test_set.name, way.label](), query))
            return list(way.measure(searchers[way.test_set.name](), query))

        names = [f"{way.test_set.name}, {way.label}: question {at + 1}" for way, at in parts]
        rows = iter((yield EvaluationStage("questions", names, measure_part)))
    lines = [HEADER, *(way.line([next(rows) for _ in range(way.count)]) for way in ways)]
    return EvaluationReport("\n".join(lines), notes=peer_notes())


def _peer_search(test_set: RetrievalSet, peer: RetrievalPeer) -> PeerSearch:
    return peer.build_search(list(chunks_of(test_set)))


def _ways(test_set: RetrievalSet, args: Namespace) -> Iterator[RetrievalTask | PeerTask]:
    for mode in args.modes or MODES:
        yield RetrievalTask(test_set, mode, mode)
    for peer in installed_peers():
        yield PeerTask(test_set, peer)
    topics = short_topics(test_set)
    if topics.queries and not args.no_topics:
        for mode in (DEFAULT_MODE, "bm25"):
            yield RetrievalTask(topics, f"{mode}, short topics", mode)
    rows_named = all("mesh" in row and "keywords" in row for row in test_set.queries)
    if rows_named and (args.grounding / "bc5cdr").is_dir():
        names = approved_names(args.grounding)
        yield RetrievalTask(test_set, "coverage, approved synonyms", names=names)
    if test_set.name == "bioasq9b" and not args.no_typos:
        yield RetrievalTask(test_set, "coverage, one typo", "coverage", typo=1)
        unrepaired = SearchOptions(repair=False)
        yield RetrievalTask(test_set, "pes2, one typo, no repair", "pes2", unrepaired, typo=1)


def _line(name: str, mode: str, scores: Scores) -> str:
    published = "\t".join(f"{value:.3f}" for value in PUBLISHED.get(name, ())) or "–\t–"
    values = (scores.ndcg, scores.precision, scores.recall, scores.mrr)
    figures = "\t".join(f"{v:.4f}" for v in values)
    return f"{name}\t{mode}\t{figures}\t{scores.milliseconds:.1f}\t{published}"
