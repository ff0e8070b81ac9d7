"""PES2, WeiseEule's ranking by keyword frequency, exactly as published (Aftab et al. 2024, Methods,
"PES2", and the released program, from which the details that the text leaves open are taken).

1. A keyword is counted as a whole word, case ignored: between `\\b` borders. When it ends in a
   digit, any signs may
   stand before its last digit (`IL10`: `IL1-0` counts, `IL-10` does not).
2. No keyword fixed: chunks are sorted by how many different keywords they hold, then by the sum of
   all counts.
3. Keywords fixed (one, several): chunks that hold every fixed keyword come first, then the others;
   each group is sorted
   as in 2, fixed keywords counted too.
4. All keywords required (a `##` query): only chunks that hold every fixed keyword.
5. Chunks with no keyword at all are dropped. Equal chunks stay in the order of the corpus.

The borders make `AROM+` unfindable before a space; that is as published, the other modes match it.
Deviation, only when asked for: a keyword with synonyms is counted by all its names.
Deviation: a number is counted as it is, for 10^6 is not 106, and a power in each of its spellings.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.literature.index.reader import ChunkIndex, Integers
from core.literature.index.statistics import chunks_holding_all
from core.literature.index.tokens import text_units
from core.literature.query.keyword import Keyword, power_pattern
from core.literature.query.plan import QueryPlan
from core.literature.ranking.mode import RankedHits, RankingMode, SearchedCorpus
from core.literature.ranking.ranked_chunk import RankedChunk

MOST = 255  # occurrences that the index counts in one chunk
MANY = 1_000_000  # more than any chunk holds


@lru_cache(maxsize=20_000)
def published_pattern(keyword: str) -> re.Pattern[str]:
    """Rule 1."""
    if power := power_pattern(keyword):
        return power
    if keyword.isdigit():
        return re.compile(rf"\b{keyword}\b")
    if re.search(r"\d$", keyword):
        return re.compile(
            rf"\b{re.escape(keyword[:-1])}\W*{re.escape(keyword[-1])}\b", re.IGNORECASE
        )
    return re.compile(rf"\b{re.escape(keyword)}\b", re.IGNORECASE)


def pes2_candidates(index: ChunkIndex, keyword: str) -> Sequence[int] | Integers:
    """Every chunk that may match, so that not all texts are read.

    What a match holds for certain: the whole words inside the keyword. Its first and last word are
    whole too, unless the keyword begins or ends in a sign; after rule 1 the last word may be split,
    so its last digits prove nothing.
    """
    unit_numbers = _certain_units(index, keyword)
    if not unit_numbers:
        return range(len(index))
    return chunks_holding_all(index, unit_numbers) if min(unit_numbers) >= 0 else []


def _certain_units(index: ChunkIndex, keyword: str) -> list[int]:
    """The numbers of the units that every match of a keyword holds; -1 for one that no chunk has,
    none where nothing is certain.
    """
    certain = re.sub(r"\d+$", "", keyword)
    words = re.findall(r"\w+", certain)
    if words and certain != keyword and certain[-1:].isalnum():
        words[-1:] = re.findall(r"[^\W\d_]+", words[-1])[-1:] if words[-1].isalpha() else []
    return [index.unit(unit) for word in words for unit in _parts(word)]


@dataclass(frozen=True, slots=True)
class _MostCounts:
    """For each chunk the most that it can have, as its units say: different keywords, all counts
    together, and whether every fixed keyword.
    """

    keywords: Integers
    total: Integers
    fixed: Integers

    def order(self) -> Integers:
        """Chunks that may hold a keyword, those that may stand first before the others."""
        key = np.lexsort((-self.total, -self.keywords, -self.fixed))
        held: Integers = key[self.keywords[key] > 0]
        return held

    def sort_key(self, number: int) -> tuple[float, float, float, int]:
        """No chunk's own sorting key is before this one."""
        return (
            -float(self.fixed[number]),
            -float(self.keywords[number]),
            -float(self.total[number]),
            number,
        )


def _most_counts(index: ChunkIndex, keywords: Sequence[Keyword]) -> _MostCounts | None:
    """None where a keyword's units say nothing, so that every text is to be read."""
    held, total = np.zeros((2, len(index)), dtype=np.int64)
    fixed = np.ones(len(index), dtype=np.int64)
    for keyword in keywords:
        most = np.zeros(len(index), dtype=np.int64)
        for name in dict.fromkeys(keyword.names):
            units = _certain_units(index, name)
            if not units:
                return None
            if min(units) < 0:
                continue
            counts = np.full(len(index), MANY, dtype=np.int64)
            # All units of a name must occur: the name occurs at most as often as its rarest unit.
            for unit in units:
                own = np.zeros(len(index), dtype=np.int64)
                docs, times = index.postings(unit)
                own[docs] = np.where(times >= MOST, MANY, times)
                counts = np.minimum(counts, own)
            most += counts
        held += most > 0
        total += most
        if keyword.fixed:
            fixed &= most > 0
    return _MostCounts(held, total, fixed)


def rank_best(
    index: ChunkIndex,
    keywords: Sequence[Keyword],
    k: int,
    *,
    strict: bool = False,
    without: frozenset[str] = frozenset(),
) -> tuple[list[RankedChunk], int]:
    """The first k of `rank_by_pes2`, and how many chunks there are at most. Texts are read in the
    order of the most that they can have, until no other can come before the k-th.
    """
    distinct = list({keyword.text: keyword for keyword in keywords}.values())
    most = _most_counts(index, distinct) if k < len(index) else None
    if most is None:
        hits = rank_by_pes2(index, keywords, strict, without)
        return hits[:k], len(hits)
    fixed = {keyword.text for keyword in keywords if keyword.fixed}
    # The most that a chunk can have is known from the index alone; when the next one's most is no
    # better than the k-th hit, no later chunk can enter.
    order = most.order()
    if strict:
        order = order[most.fixed[order] > 0]
    best: list[tuple[tuple[float, float, float, int], RankedChunk]] = []
    for number in order.tolist():
        if len(best) >= k and best[k - 1][0] <= most.sort_key(number):
            break
        counts = _counts(distinct, index.text(number))
        hit = _hit(number, counts, fixed, len(keywords))
        left_out = strict and not hit.parts["fixed keywords contained"]
        if counts and not left_out and not _is_without(index, number, without):
            insort(best, (pes2_sort_key(hit), hit), key=lambda key_and_hit: key_and_hit[0])
    return [hit for _, hit in best[:k]], len(order)


def _counts(keywords: Sequence[Keyword], text: str) -> dict[str, int]:
    """How often each keyword occurs in a text, by any of its names; only those that occur."""
    counts = {
        keyword.text: sum(
            len(published_pattern(name).findall(text)) for name in dict.fromkeys(keyword.names)
        )
        for keyword in keywords
    }
    return {text: times for text, times in counts.items() if times}


def _is_without(index: ChunkIndex, number: int, without: frozenset[str]) -> bool:
    return bool(without) and index.chunk(number).document in without


def _parts(word: str) -> list[str]:
    """Units that any text holding this whole word has: those of its letters and of its digits,
    never the joined one.
    """
    return [unit for part in re.findall(r"[^\W\d_]+|\d+", word) for unit in text_units(part)]


def rank_by_pes2(
    index: ChunkIndex,
    keywords: Sequence[Keyword],
    strict: bool = False,
    without: frozenset[str] = frozenset(),
) -> list[RankedChunk]:
    """All chunks that hold a keyword, best first. The score is keywords held plus total count as a
    fraction below 1.
    """
    counts: dict[int, dict[str, int]] = {}
    for keyword in {keyword.text: keyword for keyword in keywords}.values():
        for name in dict.fromkeys(keyword.names):
            pattern = published_pattern(name)
            for number in pes2_candidates(index, name):
                times = len(pattern.findall(index.text(int(number))))
                if times:
                    chunk_counts = counts.setdefault(int(number), {})
                    chunk_counts[keyword.text] = chunk_counts.get(keyword.text, 0) + times
    fixed = {keyword.text for keyword in keywords if keyword.fixed}
    hits = [
        _hit(number, chunk_counts, fixed, len(keywords)) for number, chunk_counts in counts.items()
    ]
    if strict:
        hits = [hit for hit in hits if hit.parts["fixed keywords contained"]]
    if without:
        hits = [hit for hit in hits if index.chunk(hit.number).document not in without]
    return sorted(hits, key=pes2_sort_key)


def pes2_sort_key(hit: RankedChunk) -> tuple[float, float, float, int]:
    """Rules 2, 3 and 5 as a sorting key."""
    return (
        -hit.parts["fixed keywords contained"],
        -hit.parts["keywords contained"],
        -hit.parts["total count"],
        hit.number,
    )


def _hit(number: int, counts: dict[str, int], fixed: set[str], keywords: int) -> RankedChunk:
    total = sum(counts.values())
    holds_fixed = float(fixed <= counts.keys())
    parts = {
        "fixed keywords contained": holds_fixed,
        "keywords contained": float(len(counts)),
        "total count": float(total),
    }
    return RankedChunk(
        number, len(counts) + total / (total + 1), len(counts) / max(1, keywords), parts
    )


def _mode(plan: QueryPlan, corpus: SearchedCorpus, k: int) -> RankedHits:
    strict, without = plan.question.strict, plan.options.without
    ranked = list(
        corpus.spread(
            lambda part: rank_best(part, plan.keywords, k, strict=strict, without=without),
            corpus.parts,
        )
    )
    hits = [
        (part, hit) for part, (hits, _) in zip(corpus.parts, ranked, strict=True) for hit in hits
    ]
    hits.sort(key=lambda hit_of_part: pes2_sort_key(hit_of_part[1])[:3])
    return RankedHits(hits, sum(total for _, total in ranked))


MODE = RankingMode(
    "pes2",
    "PES2 (WeiseEule)",
    "By the number of keywords in a passage, then by how often they occur, as published.",
    _mode,
    words_alone=True,
    expands=False,
)
