"""Retrieval, measured: nDCG@10, P@10, R@10 and MRR of each mode on each set, beside other packages
where they are installed (`retrieval_peer.py`) and beside what was published.

A set is a folder with corpus.jsonl.gz, queries.jsonl.gz and qrels.tsv.gz. Where queries name their
keywords, PES2 gets them; otherwise every mode gets the question's text alone. nDCG uses the grades
as gains.

The same questions in other words: mistyped, as short topics, or with the approved names of what
they name.
"""

from __future__ import annotations

import gzip
import json
import math
import random
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from core.desk import Desk
from core.evaluation.data_folder import BESIDE
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
from core.literature.index.stem import stem_word
from core.literature.index.tokens import ASKING_WORDS, STOP_WORDS, text_units
from core.literature.query.keyword import Keyword, LiteratureQuery
from core.literature.query.named_thing import VocabularyNames
from core.literature.query.plan import SearchOptions
from core.literature.ranking.registry import DEFAULT_MODE, mode_names, mode_of
from core.literature.ranking.search import Searcher
from core.model import Json
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage, LazyValue


def mistyped(
    question: LiteratureQuery, searcher: Searcher, chance: random.Random
) -> LiteratureQuery:
    """The rarest word of four letters or more with one letter left out, doubled, swapped or
    replaced.
    """
    statistics = searcher.plan(question).statistics
    words = [w for w in question.text.split() if sum(c.isalpha() for c in w) >= 4 and text_units(w)]
    if not words:
        return question
    rarest = min(
        words, key=lambda w: min(statistics.spread.get(u, 0) or 10**9 for u in text_units(w))
    )
    return LiteratureQuery(
        " ".join(misspelt(w, chance) if w == rarest else w for w in question.text.split(" "))
    )


def misspelt(word: str, chance: random.Random) -> str:
    places = [
        at
        for at, letter in enumerate(word)
        if letter.isalpha() and at and word[at + 1 : at + 2].isalpha()
    ]
    if not places:
        return word
    at = chance.choice(places)
    kind = chance.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + word[at] + word[at:]
    if kind == 2:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + chance.choice("abcdefghijklmnopqrstuvwxyz") + word[at + 1 :]


TOPIC_WORDS = 5


def short_topics(test_set: RetrievalSet) -> RetrievalSet:
    """The set with its questions cut to a few of their words in lower case, without the names: as
    a topic of general medicine is typed. Questions that leave fewer than two are left out.
    """
    topics = [(row, topic_words(str(row["text"]))) for row in test_set.queries]
    queries = [
        {"id": row["id"], "text": " ".join(words)} for row, words in topics if len(words) > 1
    ]
    return replace(test_set, queries=tuple(queries))


def topic_words(question: str) -> list[str]:
    words = [word.strip(".,;:?!()") for word in question.split()]
    plain = [word for word in words if word.isalpha() and word.islower() and len(word) > 3]
    kept = [w for w in plain if w not in STOP_WORDS and stem_word(w) not in ASKING_WORDS]
    return list(dict.fromkeys(kept))[:TOPIC_WORDS]


def approved_names(grounding: Path) -> dict[str, list[str]]:
    """MeSH id → names that curators marked in BC5CDR, as approved mentions would give them."""
    names: dict[str, dict[str, None]] = defaultdict(dict)
    for part in ("train", "dev"):
        with gzip.open(grounding / "bc5cdr" / f"{part}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                for mention in json.loads(line).get("mentions", ()):
                    id, text = _mention(mention)
                    if id and text:
                        names[id][text.casefold()] = None
    return {id: list(surface_forms) for id, surface_forms in names.items()}


def _mention(mention: Json) -> tuple[str, str]:
    if isinstance(mention, dict):
        ids = mention.get("ids") or mention.get("id") or mention.get("mesh") or ""
        return str(ids[0] if isinstance(ids, list) and ids else ids).removeprefix("MESH:"), str(
            mention.get("text", "")
        )
    return "", ""


def with_names(
    test_set: RetrievalSet, names: Mapping[str, Sequence[str]]
) -> list[tuple[Json, LiteratureQuery]]:
    """Questions whose keywords carry all approved names of their concepts."""
    named_questions = []
    for row in test_set.queries:
        pairs = zip(row["keywords"], row["mesh"], strict=False)
        chips = tuple(
            Keyword(w, synonyms=tuple(n for n in names.get(id, ()) if n != w.casefold()))
            for w, id in pairs
        )
        named_questions.append((row, LiteratureQuery(str(row["text"]), chips)))
    return named_questions


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
    *,
    options: SearchOptions | None = None,
    typo: int | None = None,
) -> Scores:
    """The scores of a mode; with `typo` (a seed) one random slip in the rarest word of each
    question.
    """
    return mean_scores(
        [
            measure_query(test_set, place, searcher, mode, options=options, typo=typo)
            for place in range(len(test_set.queries))
        ]
    )


def measure_query(
    test_set: RetrievalSet,
    place: int,
    searcher: Searcher,
    mode: str,
    *,
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
    return Scores(gain, precision, recall, mrr=mrr, milliseconds=milliseconds, queries=len(rows))


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
            return measure_query(
                self.test_set, place, searcher, self.mode, options=self.options, typo=self.typo
            )
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
