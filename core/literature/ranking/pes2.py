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
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from core.literature.index.reader import Index, Integers
from core.literature.index.statistics import chunks_holding_all
from core.literature.index.tokens import text_units
from core.literature.query.keyword import Keyword
from core.literature.query.plan import QueryPlan
from core.literature.ranking.mode import RankedHits, RankingMode, SearchedCorpus
from core.literature.ranking.ranked_chunk import RankedChunk


@lru_cache(maxsize=20_000)
def published_pattern(keyword: str) -> re.Pattern[str]:
    """Rule 1."""
    if re.search(r"\d$", keyword):
        return re.compile(
            rf"\b{re.escape(keyword[:-1])}\W*{re.escape(keyword[-1])}\b", re.IGNORECASE
        )
    return re.compile(rf"\b{re.escape(keyword)}\b", re.IGNORECASE)


def pes2_candidates(index: Index, keyword: str) -> Sequence[int] | Integers:
    """Every chunk that may match, so that not all texts are read.

    What a match holds for certain: the whole words inside the keyword. Its first and last word are
    whole too, unless the keyword begins or ends in a sign; after rule 1 the last word may be split,
    so its last digits prove nothing.
    """
    certain = re.sub(r"\d+$", "", keyword)
    words = re.findall(r"\w+", certain)
    if words and certain != keyword and certain[-1:].isalnum():
        words[-1:] = re.findall(r"[^\W\d_]+", words[-1])[-1:] if words[-1].isalpha() else []
    wanted = [index.unit(unit) for word in words for unit in _parts(word)]
    if not wanted:
        return range(len(index))
    return chunks_holding_all(index, wanted) if min(wanted) >= 0 else []


def _parts(word: str) -> list[str]:
    """Units that any text holding this whole word has: those of its letters and of its digits,
    never the joined one.
    """
    return [unit for part in re.findall(r"[^\W\d_]+|\d+", word) for unit in text_units(part)]


def rank_by_pes2(
    index: Index,
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
                found = len(pattern.findall(index.text(int(number))))
                if found:
                    held = counts.setdefault(int(number), {})
                    held[keyword.text] = held.get(keyword.text, 0) + found
    fixed = {keyword.text for keyword in keywords if keyword.fixed}
    hits = [_hit(number, found, fixed, len(keywords)) for number, found in counts.items()]
    if strict:
        hits = [hit for hit in hits if hit.parts["fixed keywords held"]]
    if without:
        hits = [hit for hit in hits if index.chunk(hit.number).document not in without]
    return sorted(hits, key=pes2_sort_key)


def pes2_sort_key(hit: RankedChunk) -> tuple[float, float, float, int]:
    """Rules 2, 3 and 5 as a sorting key."""
    return (
        -hit.parts["fixed keywords held"],
        -hit.parts["keywords held"],
        -hit.parts["total count"],
        hit.number,
    )


def _hit(number: int, counts: dict[str, int], fixed: set[str], keywords: int) -> RankedChunk:
    total = sum(counts.values())
    held = float(fixed <= counts.keys())
    parts = {
        "fixed keywords held": held,
        "keywords held": float(len(counts)),
        "total count": float(total),
    }
    return RankedChunk(
        number, len(counts) + total / (total + 1), len(counts) / max(1, keywords), parts
    )


def _mode(plan: QueryPlan, corpus: SearchedCorpus, k: int) -> RankedHits:
    strict, without = plan.question.strict, plan.options.without
    ranked = corpus.spread(
        lambda part: rank_by_pes2(part, plan.keywords, strict, without), corpus.parts
    )
    hits = [(part, hit) for part, some in zip(corpus.parts, ranked, strict=True) for hit in some]
    return RankedHits(sorted(hits, key=lambda one: pes2_sort_key(one[1])[:3]), len(hits))


MODE = RankingMode(
    "pes2",
    "PES2 (WeiseEule)",
    "By how many keywords a passage holds, then how often, as published.",
    _mode,
    words_alone=True,
    expands=False,
)
