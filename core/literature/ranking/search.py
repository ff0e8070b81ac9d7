"""One search over one or several namespaces: a named mode, its options, and hits that explain
themselves.

Parts of the corpus (namespaces, shards) are measured first, then ranked with the statistics of all,
so that results do not depend on how the corpus is cut. `spread` runs a function over the parts:
`map` here, a cluster's map elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from core.errors import InputError, SettingsError
from core.literature.chunk import Chunk
from core.literature.index.reader import Index
from core.literature.index.statistics import Statistics, add_up, measure
from core.literature.index.tokens import fold, units
from core.literature.query import rm3
from core.literature.query.abbreviation import AbbreviationExpansion, expansions
from core.literature.query.concept import concepts, content_words, extract, neighbours
from core.literature.query.keyword import Keyword, LiteratureQuery, spans_of
from core.literature.query.spelling import SpellingRepair, repairs
from core.literature.ranking import bm25, pes2
from core.literature.ranking.bm25 import Plan, RankedChunk
from core.literature.ranking.cluster import Spread
from core.literature.ranking.published_bm25 import PublishedBM25
from core.literature.ranking.vectors import Vectors
from core.model import Problem, Severity


class RankingMode(StrEnum):
    COVERAGE = "coverage"
    PES2 = "pes2"
    BM25 = "bm25"
    PES1 = "pes1"
    BROADEN = "broaden"
    PUBLISHED_BM25 = "bm25-published"


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """`synonyms`: keyword (case-folded) → other names. `included`, `excluded`: documents the
    curator marked.

    `marks` lets included documents broaden the question and leaves excluded ones out. `expand`:
    keywords are also looked for by the abbreviations and long forms that the corpus defines.
    """

    repair: bool = True
    expand: bool = True
    synonyms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    marks: bool = False
    included: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A chunk and why it stands where it stands. `counts`: occurrences of each keyword in the
    text.
    """

    chunk: Chunk
    score: float
    coverage: float
    counts: Mapping[str, int]
    parts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SearchResults:
    """What a search found. `keywords` are those used, `added` the words of broadening with their
    weights. `results` are some of the `total` chunks ranked, without the first `skipped`.
    """

    question: LiteratureQuery
    mode: RankingMode
    keywords: tuple[Keyword, ...]
    results: tuple[SearchHit, ...]
    repairs: tuple[SpellingRepair, ...] = ()
    added: Mapping[str, float] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    expanded: tuple[AbbreviationExpansion, ...] = ()
    skipped: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class _Ranked:
    keywords: tuple[Keyword, ...]
    hits: list[tuple[Index, RankedChunk]]
    total: int
    added: Mapping[str, float] = field(default_factory=dict)
    expanded: tuple[AbbreviationExpansion, ...] = ()


class Searcher:
    """Searches parts of a corpus. `vectors` (for PES1) embeds a question and holds each part's
    vectors.
    """

    def __init__(
        self, parts: Sequence[Index], *, vectors: Vectors | None = None, spread: Spread = map
    ):
        self.parts = tuple(parts)
        self.vectors = vectors
        self.spread = spread
        self._published: dict[int, PublishedBM25] = {}

    def keywords(
        self, question: LiteratureQuery, mode: RankingMode = RankingMode.COVERAGE
    ) -> tuple[Keyword, ...]:
        """The chips of a question: its own, or those found by rules (single words for PES2, which
        counts them).
        """
        if question.keywords:
            return question.keywords
        if mode is RankingMode.PES2:
            return tuple(
                Keyword(word, by_rules=True) for word in dict.fromkeys(content_words(question.text))
            )
        return extract(question.text, self.measured(question.text))

    def measured(self, text: str, more: Iterable[str] = ()) -> Statistics:
        pairs = tuple(neighbours(text))
        wanted = set(units(text)) | {
            unit for words in more for unit in units(words) or fold(words).split()
        }
        return add_up(self.spread(lambda part: measure(part, wanted, pairs), self.parts))

    def search(
        self,
        question: LiteratureQuery,
        mode: RankingMode = RankingMode.COVERAGE,
        k: int = 10,
        options: SearchOptions | None = None,
        skip: int = 0,
    ) -> SearchResults:
        """The best `k` chunks after the first `skip`; raises InputError when there is nothing to
        look for.
        """
        options = options or SearchOptions()
        named = [name for keyword in question.keywords for name in keyword.names]
        if not units(question.text) and not any(_says_something(name, mode) for name in named):
            raise InputError(
                "The query holds only stop words or signs; there is nothing to look for.",
                "Name a gene, a chemical, a disease or another specific word.",
            )
        repaired, question = self._repaired(question, options)
        rank = {
            RankingMode.PES2: self._pes2,
            RankingMode.PES1: self._pes1,
            RankingMode.PUBLISHED_BM25: self._published_bm25,
        }.get(mode, self._weighed)
        made = rank(question, mode, skip + k, options)
        results = tuple(
            self._result(part, hit, made.keywords) for part, hit in made.hits[skip : skip + k]
        )
        missing = () if skip else _problems(made.keywords, results, question.strict)
        problems = (*_offers(repaired), *missing)
        taken = tuple(repair for repair in repaired if not repair.offered)
        return SearchResults(
            question,
            mode,
            made.keywords,
            results,
            taken,
            made.added,
            problems,
            made.expanded,
            skip,
            made.total,
        )

    # ------------------------------------------------------------- modes

    def _weighed(
        self, question: LiteratureQuery, mode: RankingMode, k: int, options: SearchOptions
    ) -> _Ranked:
        plan, expanded = self._plan(question, mode, options)
        counted = tuple(concept.keyword for concept in plan.concepts if concept.counted)
        added: dict[str, float] = {}
        if mode is RankingMode.BROADEN or (options.marks and options.included):
            chosen = self._feedback(plan, options)
            shares = rm3.model(chosen)
            statistics = add_up(self.spread(lambda part: measure(part, shares), self.parts))
            added = rm3.terms(shares, statistics, [u for c in plan.concepts for u in c.units])
            merged = replace(
                plan.statistics, spread={**statistics.spread, **plan.statistics.spread}
            )
            plan = replace(plan, extra=added, statistics=merged)
        return _Ranked(counted, *self._ranked(plan, k), added, expanded)

    def _plan(
        self, question: LiteratureQuery, mode: RankingMode, options: SearchOptions
    ) -> tuple[Plan, tuple[AbbreviationExpansion, ...]]:
        texts = [name for keyword in question.keywords for name in keyword.names]
        statistics = self.measured(question.text, texts)
        keywords = question.keywords or extract(question.text, statistics)
        found = (
            ()
            if mode is RankingMode.BM25 or not options.expand
            else expansions(keywords, self.parts, self.spread)
        )
        more = {
            k.text.casefold(): list(options.synonyms.get(k.text.casefold(), ())) for k in keywords
        }
        for one in found:
            more[one.keyword.casefold()].append(one.instead)
        asked = concepts(question, statistics, more)
        if mode is RankingMode.BM25:
            asked = [
                replace(c, units=(unit,), names=(), weak=frozenset())
                for c in asked
                for unit in c.units
            ]
        plan = Plan(
            tuple(asked),
            tuple(neighbours(question.text)),
            statistics,
            coverage=mode is not RankingMode.BM25,
            strict=question.strict,
            without=options.excluded if options.marks else frozenset(),
        )
        return plan, found

    def _ranked(self, plan: Plan, k: int) -> tuple[list[tuple[Index, RankedChunk]], int]:
        ranked = list(self.spread(lambda part: bm25.rank(part, plan, k), self.parts))
        found = [
            (part, hit) for part, (hits, _) in zip(self.parts, ranked, strict=True) for hit in hits
        ]
        found.sort(key=lambda one: (-one[1].parts.get("fixed keywords held", 0.0), -one[1].score))
        return found, sum(total for _, total in ranked)

    def _feedback(self, plan: Plan, options: SearchOptions) -> list[tuple[Index, int, float]]:
        if options.marks and options.included:
            deep, _ = self._ranked(plan, 500)
            marked = [
                (part, hit)
                for part, hit in deep
                if part.chunk(hit.number).document in options.included
            ]
            if marked:
                return [(part, hit.number, 1.0) for part, hit in marked]
        best, _ = self._ranked(plan, rm3.FEEDBACK)
        return [(part, hit.number, hit.score) for part, hit in best[: rm3.FEEDBACK]]

    def _pes2(
        self, question: LiteratureQuery, mode: RankingMode, k: int, options: SearchOptions
    ) -> _Ranked:
        keywords = tuple(_named(k, options) for k in self.keywords(question, RankingMode.PES2))
        without = options.excluded if options.marks else frozenset()
        hits = self.spread(
            lambda part: pes2.rank(part, keywords, question.strict, without), self.parts
        )
        found = [
            (part, hit) for part, ranked in zip(self.parts, hits, strict=True) for hit in ranked
        ]
        return _Ranked(keywords, sorted(found, key=lambda one: pes2.order(one[1])[:3]), len(found))

    def _pes1(
        self, question: LiteratureQuery, mode: RankingMode, k: int, options: SearchOptions
    ) -> _Ranked:
        if self.vectors is None:
            raise SettingsError(
                "PES1 ranks by embeddings, and no embedding model is configured.",
                "Set OPENAI_API_KEY or OPENAI_BASE_URL and an embedding model, or use another"
                " mode.",
            )
        ranked = self.vectors.rank(question.text, self.parts, k)
        return _Ranked(self.keywords(question), ranked, sum(map(len, self.parts)))

    def _published_bm25(
        self, question: LiteratureQuery, mode: RankingMode, k: int, options: SearchOptions
    ) -> _Ranked:
        found = []
        for place, part in enumerate(self.parts):
            if place not in self._published:
                self._published[place] = PublishedBM25(part)
            found += [(part, hit) for hit in self._published[place].rank(question.text, k)]
        return _Ranked(
            self.keywords(question), sorted(found, key=lambda one: -one[1].score), len(found)
        )

    # ------------------------------------------------------------- around them

    def _repaired(
        self, question: LiteratureQuery, options: SearchOptions
    ) -> tuple[tuple[SpellingRepair, ...], LiteratureQuery]:
        if not options.repair:
            return (), question
        texts = [question.text, *(keyword.text for keyword in question.keywords)]
        found = repairs(" ".join(texts), self.parts)
        for repair in (one for one in found if not one.offered):
            swapped = tuple(replace(k, text=_swap(k.text, repair)) for k in question.keywords)
            question = replace(question, text=_swap(question.text, repair), keywords=swapped)
        return tuple(found), question

    def _result(self, part: Index, hit: RankedChunk, keywords: Sequence[Keyword]) -> SearchHit:
        chunk = part.chunk(hit.number)
        counts = {text: len(found) for text, found in spans_of(keywords, chunk.text).items()}
        return SearchHit(chunk, round(hit.score, 6), round(hit.coverage, 4), counts, hit.parts)


def _swap(text: str, repair: SpellingRepair) -> str:
    """The text with a mistyped word replaced, whatever its case."""
    words = text.split(" ")
    return " ".join(_swapped(word, repair) for word in words)


def _swapped(word: str, repair: SpellingRepair) -> str:
    place = fold(word).find(repair.word)
    if place < 0 or len(fold(word)) != len(word):
        return word
    after = place + len(repair.word)
    if word[after : after + 1].isalpha() or (place and word[place - 1].isalpha()):
        return word
    return word[:place] + repair.instead + word[after:]


def _named(keyword: Keyword, options: SearchOptions) -> Keyword:
    more = options.synonyms.get(keyword.text.casefold(), ())
    return (
        replace(keyword, synonyms=tuple(dict.fromkeys((*keyword.synonyms, *more))))
        if more
        else keyword
    )


def _says_something(name: str, mode: RankingMode) -> bool:
    """Whether a keyword can be looked for; PES2 counts stop words that were starred, as
    published.
    """
    return bool(units(name)) or (mode is RankingMode.PES2 and any(map(str.isalnum, name)))


def _offers(repairs: Sequence[SpellingRepair]) -> Iterator[Problem]:
    """Symbols that no chunk holds, left as typed, with the word that may have been meant."""
    for repair in repairs:
        if repair.offered:
            message = (
                f"No chunk holds “{repair.word}”, which was left as typed: it may be a symbol."
            )
            hint = f"Type “{repair.instead}” if that was meant."
            yield Problem("unknown-symbol", message, Severity.NOTE, hint=hint)


def _problems(
    keywords: Sequence[Keyword], results: Sequence[SearchHit], strict: bool
) -> tuple[Problem, ...]:
    """What the curator should know: nothing found, or no chunk with all keywords and which one none
    of them holds.
    """
    fixed = [keyword.text for keyword in keywords if keyword.fixed]
    if not results and strict and len(fixed) > 1:
        message = f"No chunk holds all required keywords: {', '.join(fixed)}."
        hint = "Ask with one # to see the chunks that hold some, or unfix one."
        return (Problem("keyword-missing", message, Severity.WARNING, hint=hint),)
    if not results:
        return (
            Problem(
                "no-chunk",
                "No chunk holds any of these words.",
                Severity.WARNING,
                hint="Check their spelling.",
            ),
        )
    if len(keywords) == 1 and not any(hit.counts.get(keywords[0].text) for hit in results):
        message = f"No chunk shown holds {keywords[0].text}; those shown hold parts of it."
        hint = "Check its spelling, or add papers about it."
        return (Problem("keyword-missing", message, Severity.WARNING, hint=hint),)
    if len(keywords) < 2 or any(all(found.counts.values()) for found in results):
        return ()
    absent = [k.text for k in keywords if not any(found.counts.get(k.text) for found in results)]
    if absent:
        message = f"No chunk shown holds all keywords; none holds: {', '.join(absent)}."
    else:
        message = "No chunk shown holds all keywords, though each is held by one."
    return (
        Problem(
            "keyword-missing",
            message,
            Severity.NOTE,
            hint="Drop it, add a synonym, or add documents.",
        ),
    )
