"""One search over one or several namespaces: a named mode, its options, and hits that explain
themselves.

Parts of the corpus (namespaces, shards) are measured first, then ranked with the statistics of all,
so that results do not depend on how the corpus is cut. `spread` runs a function over the parts:
`map` here, a cluster's map elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from core.errors import NothingToSearch
from core.literature.chunk import Chunk
from core.literature.index.cluster import Spread
from core.literature.index.reader import ChunkIndex
from core.literature.index.tokens import fold_token, text_units
from core.literature.query.abbreviation import AbbreviationExpansion
from core.literature.query.keyword import Keyword, LiteratureQuery, keyword_spans
from core.literature.query.named_thing import FindNames, NamedThing
from core.literature.query.plan import QueryPlan, SearchOptions, make_plan
from core.literature.query.spelling import SpellingRepair
from core.literature.ranking.mode import RankedHits, SearchedCorpus
from core.literature.ranking.ranked_chunk import RankedChunk
from core.literature.ranking.registry import DEFAULT_MODE, mode_of
from core.literature.ranking.vectors import Vectors
from core.model import Problem, Severity


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A chunk and why it has its rank. `counts`: occurrences of each keyword in the
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
    weights. `results` are some of the `total` chunks ranked, without the first `skipped`; `plan`
    is what was asked of the ranking.
    """

    question: LiteratureQuery
    mode: str
    keywords: tuple[Keyword, ...]
    results: tuple[SearchHit, ...]
    repairs: tuple[SpellingRepair, ...] = ()
    added: Mapping[str, float] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    expanded: tuple[AbbreviationExpansion, ...] = ()
    skipped: int = 0
    total: int = 0
    plan: QueryPlan | None = None

    @property
    def named_things(self) -> tuple[NamedThing, ...]:
        """What the question names, as far as vocabularies know it; with names only where these are
        looked for.
        """
        looked = self.plan.named_things if self.plan else ()
        return looked if self.plan and self.plan.options.names else ()


NO_STATUSES: Mapping[str, str] = MappingProxyType({})


class Searcher:
    """Searches parts of a corpus. `vectors` (for modes that need them) embeds a question and holds
    each part's vectors; `find_names` tells what a question names; `statuses`: document → what
    happened to the paper.
    """

    def __init__(
        self,
        parts: Sequence[ChunkIndex],
        *,
        vectors: Vectors | None = None,
        spread: Spread = map,
        find_names: FindNames | None = None,
        statuses: Mapping[str, str] = NO_STATUSES,
    ):
        self.corpus = SearchedCorpus(tuple(parts), spread, vectors)
        self.find_names = find_names
        self.statuses = statuses

    @property
    def parts(self) -> tuple[ChunkIndex, ...]:
        return self.corpus.parts

    def plan(
        self,
        question: LiteratureQuery,
        mode: str = DEFAULT_MODE,
        options: SearchOptions | None = None,
    ) -> QueryPlan:
        """What a search will do. Raises NothingToSearch when there is nothing to look for."""
        ranking = mode_of(mode)
        keyword_names = [name for keyword in question.keywords for name in keyword.names]
        if not text_units(question.text) and not any(
            _says_something(name, mode) for name in keyword_names
        ):
            raise NothingToSearch(
                "The query contains only stop words or symbols; there is nothing to search for.",
                "Name a gene, a chemical, a disease or another specific word.",
            )
        return make_plan(
            question,
            self.corpus.parts,
            self.corpus.spread,
            options,
            words_alone=ranking.words_alone,
            expands=ranking.expands,
            find_names=self.find_names,
        )

    def search(  # noqa: PLR0917
        self,
        question: LiteratureQuery,
        mode: str = DEFAULT_MODE,
        k: int = 10,
        options: SearchOptions | None = None,
        skip: int = 0,
    ) -> SearchResults:
        """The best `k` chunks after the first `skip`; raises InputError when there is nothing to
        look for.
        """
        return self.run(self.plan(question, mode, options), mode, k, skip)

    def run(
        self, plan: QueryPlan, mode: str = DEFAULT_MODE, k: int = 10, skip: int = 0
    ) -> SearchResults:
        """Rank by a plan that was made."""
        ranking = self._ranked(plan, mode, skip + k)
        page_hits = ranking.hits[skip : skip + k]
        results = tuple(self._marked(_result(part, hit, plan.keywords)) for part, hit in page_hits)
        problems = (*_offers(plan.repairs), *(() if skip else _problems(plan, results)))
        return SearchResults(
            plan.question,
            mode,
            plan.keywords,
            results=results,
            repairs=tuple(repair for repair in plan.repairs if not repair.offered),
            added=ranking.added,
            problems=problems,
            expanded=plan.expanded,
            skipped=skip,
            total=ranking.total,
            plan=plan,
        )

    def _marked(self, hit: SearchHit) -> SearchHit:
        """A hit with what happened to its paper."""
        status = self.statuses.get(hit.chunk.document, "")
        return replace(hit, chunk=replace(hit.chunk, status=status)) if status else hit

    def _ranked(self, plan: QueryPlan, mode: str, k: int) -> RankedHits:
        """The best k; where only some passages are shown, all are ranked and those are taken."""
        only = plan.options.only
        if only is None:
            return mode_of(mode).rank(plan, self.corpus, k)
        ranking = mode_of(mode).rank(plan, self.corpus, max(1, sum(map(len, self.parts))))
        hits = [(part, hit) for part, hit in ranking.hits if only.admits(part.chunk(hit.number))]
        return RankedHits(hits, len(hits), ranking.added)


def _result(part: ChunkIndex, hit: RankedChunk, keywords: Sequence[Keyword]) -> SearchHit:
    chunk = part.chunk(hit.number)
    counts = {text: len(places) for text, places in keyword_spans(keywords, chunk.text).items()}
    coverage = min(hit.coverage, _most_covered(counts))
    return SearchHit(chunk, round(hit.score, 6), round(coverage, 4), counts=counts, parts=hit.parts)


def _most_covered(counts: Mapping[str, int]) -> float:
    """No chunk covers more than the share of the keywords that it shows; half, when it has only
    parts of the single one.
    """
    held_count = sum(1 for count in counts.values() if count)
    return max(held_count, 0.5) / len(counts) if counts else 1.0


def _says_something(name: str, mode: str) -> bool:
    """Whether a keyword can be looked for; PES2 counts stop words that were starred, as
    published.
    """
    return bool(text_units(name)) or (mode_of(mode).words_alone and any(map(str.isalnum, name)))


def _offers(repairs: Sequence[SpellingRepair]) -> Iterator[Problem]:
    """Words that no chunk holds, left as typed, with the word that may have been meant."""
    for repair in repairs:
        if repair.offered:
            message = f"No passage contains “{repair.word}”, which was left as typed."
            hint = f"Type “{repair.instead}” if that was meant."
            yield Problem("unknown-symbol", message, Severity.NOTE, hint=hint)


def _problems(plan: QueryPlan, results: Sequence[SearchHit]) -> Iterator[Problem]:
    """What the curator should know: keywords that no chunk holds, nothing found, or no chunk with
    all keywords and which one none of them holds.
    """
    offered = {repair.word for repair in plan.repairs if repair.offered}
    missing = [word for word in plan.missing if fold_token(word) not in offered]
    for word in missing:
        yield Problem(
            "keyword-missing",
            f"No passage contains {word}.",
            Severity.WARNING,
            hint="Check its spelling, or add papers about it.",
        )
    fixed = [keyword.text for keyword in plan.keywords if keyword.fixed]
    if not results and plan.question.strict and len(fixed) > 1:
        message = f"No passage contains all required keywords: {', '.join(fixed)}."
        hint = "Ask with one # to see the passages that contain some of them, or unfix one."
        yield Problem("keyword-missing", message, Severity.WARNING, hint=hint)
    elif not results and not missing and not offered:
        message = "No passage contains any of these words."
        yield Problem("no-chunk", message, Severity.WARNING, hint="Check their spelling.")
    elif results:
        yield from _not_together([k.text for k in plan.keywords if k.text not in missing], results)


def _not_together(words: Sequence[str], results: Sequence[SearchHit]) -> Iterator[Problem]:
    """Of words that the corpus contains: those that no shown chunk contains as written."""
    if not words or any(all(hit.counts.get(word) for word in words) for hit in results):
        return
    absent = [word for word in words if not any(hit.counts.get(word) for hit in results)]
    if len(words) == 1:
        message = f"No passage shown contains {words[0]}; those shown contain parts of it."
        hint = "Check its spelling, or add papers about it."
        yield Problem("keyword-missing", message, Severity.WARNING, hint=hint)
        return
    if absent:
        message = f"No passage shown contains all keywords; none contains: {', '.join(absent)}."
    else:
        message = f"No passage shown contains all of: {', '.join(words)}; each is in one of them."
    hint = "Other passages may: search for one alone, drop one, or add a synonym."
    yield Problem("keyword-missing", message, Severity.NOTE, hint=hint)
