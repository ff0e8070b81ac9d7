"""How fast a namespace answers, beside a loop over all texts as WeiseEule's published program has
it.

    python benchmarks/literature.py [--chunks 100000] [--queries 30] [--folder DIR]
    python -m venv /tmp/tantivy && /tmp/tantivy/bin/pip install tantivy
    python benchmarks/literature.py --chunks 25000 --tantivy /tmp/tantivy/bin/python [--passages]

Chunks of about 1.5 kB are made of words drawn from a Zipf distribution, with a few rare symbols
each; with --passages they are those of the public sets, each two or three times, and the questions
are BioASQ's. Prints seconds a query (median, worst), the share of the unpruned top ten that is
kept, peak memory, and the ratio to the loop's time, which is measured on LOOPED chunks and scaled.
Tantivy's seconds of one core are measured on the same chunks, in the same run.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.literature.chunk import Chunk
from core.literature.index.build import build_index
from core.literature.index.reader import ChunkIndex
from core.literature.query.keyword import LiteratureQuery
from core.literature.query.plan import SearchOptions
from core.literature.ranking import pes2, weighting
from core.literature.ranking.search import Searcher

PEER = Path(__file__).parent / "tantivy_peer.py"
SETS = Path(__file__).resolve().parents[2] / "shared/data/literature"
WORDS, LENGTH, LOOPED, LETTERS = 200_000, 215, 2_000, "abcdefghijklmnoprstuvwxyz"


def vocabulary(chance: random.Random) -> list[str]:
    return ["".join(chance.choices(LETTERS, k=chance.randrange(3, 11))) for _ in range(WORDS)]


def chunks(count: int, names: list[str]) -> Iterator[Chunk]:
    drawn = np.random.default_rng(7)
    weights = 1 / np.arange(1, WORDS + 1) ** 1.05
    places = np.cumsum(weights / weights.sum())
    for start in range(0, count, 5_000):
        size = min(5_000, count - start)
        rows = np.searchsorted(places, drawn.random((size, LENGTH))).clip(0, WORDS - 1)
        for number, row in enumerate(rows.tolist(), start=start):
            yield Chunk(
                f"D{number}@0", f"D{number}", " ".join([names[place] for place in row]) + "."
            )


def rows_of(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def passages(count: int) -> Iterator[Chunk]:
    rows = [row for path in sorted(SETS.glob("*/corpus.jsonl.gz")) for row in rows_of(path)]
    for number, row in enumerate(islice(cycle(rows), count)):
        yield Chunk(f"D{number}@0", f"D{number}", row["text"], title=row["title"])


class TimedChunks:
    """Passes chunks on, and keeps how long one core made them: that is no part of building."""

    def __init__(self, source: Iterator[Chunk]) -> None:
        self._source, self.seconds = source, 0.0

    def __iter__(self) -> Iterator[Chunk]:
        return self

    def __next__(self) -> Chunk:
        started = time.process_time()
        try:
            return next(self._source)
        finally:
            self.seconds += time.process_time() - started


def questions(count: int, names: list[str], chance: random.Random) -> list[str]:
    """Three common, two middling and two rare words each."""
    question_texts = []
    for _ in range(count):
        picked = [
            names[chance.randrange(low, high)]
            for low, high in ((5, 300),) * 3 + ((300, 5_000),) * 2 + ((5_000, 90_000),) * 2
        ]
        question_texts.append(" ".join(picked))
    return question_texts


def timed(index: ChunkIndex, asked: list[str]) -> tuple[list[tuple[float, float]], list[list[int]]]:
    """Seconds of each query, by the clock and of one core; and what it found."""
    searcher, spent, ranked = Searcher([index]), [], []
    for question in asked:
        index.pairs.clear()
        started, worked = time.perf_counter(), time.process_time()
        ranking = searcher.search(LiteratureQuery(question), options=SearchOptions(repair=False))
        spent.append((time.perf_counter() - started, time.process_time() - worked))
        ranked.append([int(result.chunk.document[1:]) for result in ranking.results])
    return spent, ranked


def unpruned(index: ChunkIndex, asked: list[str]) -> list[list[int]]:
    """The same rankings with every chunk's consecutive words counted."""
    before = weighting.LOOKED_INTO
    weighting.LOOKED_INTO = min(len(index), 20_000)
    try:
        return timed(index, asked)[1]
    finally:
        weighting.LOOKED_INTO = before


def loop(index: ChunkIndex, asked: list[str]) -> float:
    """Seconds a query of counting every keyword in every text."""
    texts = [index.text(number) for number in range(min(LOOPED, len(index)))]
    started = time.perf_counter()
    for question in asked[:3]:
        for word in question.split():
            pattern = pes2.published_pattern(word)
            for text in texts:
                pattern.findall(text)
    return (time.perf_counter() - started) / len(asked[:3]) * len(index) / len(texts)


def tantivy(python: Path, source: Iterator[Chunk], asked: list[str]) -> dict[str, float]:
    """Tantivy's seconds of one core: to build, and a query."""
    lines = [json.dumps({"id": c.id, "title": c.title, "text": c.text}) for c in source]
    done = subprocess.run(
        [str(python), str(PEER)],
        input="\n".join([*lines, json.dumps(asked)]),
        capture_output=True,
        text=True,
        check=True,
    )
    seconds: dict[str, float] = json.loads(done.stdout)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=30)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--passages", action="store_true", help="of the public sets")
    parser.add_argument("--tantivy", type=Path, help="python of an environment that has tantivy")
    args = parser.parse_args()
    names = vocabulary(random.Random(1))
    if args.passages:
        asked = [row["text"] for row in rows_of(SETS / "bioasq9b/queries.jsonl.gz")[: args.queries]]
    else:
        asked = questions(args.queries, names, random.Random(2))

    def corpus() -> Iterator[Chunk]:
        return passages(args.chunks) if args.passages else chunks(args.chunks, names)

    with tempfile.TemporaryDirectory(prefix="literature-") as scratch:
        folder = (
            args.folder or Path(scratch)
        ) / f"{'passages' if args.passages else 'bench'}-{args.chunks}"
        if not (folder / "index.json").exists():
            timed_chunks, worked = TimedChunks(corpus()), time.process_time()
            build_index(folder, timed_chunks)
            worked = time.process_time() - worked - timed_chunks.seconds
            print(
                f"built in {worked:.1f} s of one core, making the chunks left out"
                f" ({timed_chunks.seconds:.0f} s); peak {peak():.0f} MB",
                flush=True,
            )
        index = ChunkIndex(folder)
        timed(index, asked[:2])
        spent, ranked = timed(index, asked)
        print(f"memory {peak():.0f} MB")
        clock, core = zip(*spent, strict=True)
        median = statistics.median(clock)
        print(
            f"{len(index):,} chunks: median {median * 1000:.1f} ms, worst"
            f" {max(clock) * 1000:.1f} ms"
        )
        print(
            f"of one core: median {statistics.median(core) * 1000:.1f} ms, worst"
            f" {max(core) * 1000:.1f} ms",
            flush=True,
        )
        if args.tantivy:
            peer = tantivy(args.tantivy, corpus(), asked)
            print(
                f"tantivy, of one core: built in {peer['build']:.1f} s, a query"
                f" {peer['query'] * 1000:.1f} ms",
                flush=True,
            )
        kept = [
            len(set(a) & set(b)) / max(1, len(b))
            for a, b in zip(ranked, unpruned(index, asked), strict=True)
        ]
        print(f"kept of the unpruned top ten: {100 * statistics.mean(kept):.1f} %")
        looped = loop(index, asked)
        print(f"published loop: {looped:.1f} s a query, {looped / median:.0f} times as long")


def peak() -> float:
    """Most memory that this process held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
