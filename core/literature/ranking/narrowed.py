"""What a search found, narrowed: to single sentences, and to passages or sentences that name things
of certain kinds, or certain things, as the vocabularies know them.

A sentence is a chunk of its own with its offsets, so that it is judged, quoted and extracted from
as a passage is. The passages looked into are the first of the ranking; how many, and of how many,
is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.literature.answers.certainty import QuestionWeight, question_weights
from core.literature.answers.extractive import sentences_of
from core.literature.chunk import Chunk
from core.literature.index.tokens import text_units
from core.literature.query.keyword import keyword_spans
from core.literature.query.named_thing import FoundThing, NamesOfText
from core.literature.ranking.search import SearchHit, SearchResults
from core.model import Problem, Severity, Span

LOOKED_INTO = 200  # passages of a ranking


@dataclass(frozen=True, slots=True)
class NamingFilter:
    """What must be named: one thing at least of each of these kinds, and each of these things, by
    its id. Empty: nothing.
    """

    kinds: tuple[str, ...] = ()
    things: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.kinds or self.things)

    def admits(self, things: Sequence[FoundThing]) -> bool:
        kinds = {str(kind) for thing in things for kind in thing.kinds}
        ids = {thing.id for thing in things}
        return kinds.issuperset(self.kinds) and ids.issuperset(self.things)


NO_NAMING = NamingFilter()


@dataclass(frozen=True, slots=True)
class NamedCount:
    """A thing and in how many of the passages looked into it is named."""

    id: str
    label: str
    kind: str
    passages: int


def narrowed_results(
    search_results: SearchResults,
    naming: NamingFilter,
    names_of: NamesOfText,
    *,
    sentences: bool,
    k: int,
    skip: int = 0,
) -> SearchResults:
    """The first `k`, after `skip`, of the hits that pass. `search_results` holds the LOOKED_INTO
    best passages of a ranking, or all.
    """
    hits = [
        hit
        for hit in search_results.results
        if not naming or naming.admits(names_of(hit.chunk.text))
    ]
    if sentences:
        hits = list(_sentences(search_results, hits, naming, names_of))
    problems = list(search_results.problems)
    if search_results.total > len(search_results.results):
        message = (
            f"The first {len(search_results.results):,} of {search_results.total:,}"
            " passages were checked."
        )
        hint = "Narrow the question to see others."
        problems.append(Problem("first-passages", message, Severity.NOTE, hint=hint))
    if naming and not hits and search_results.results:
        names_asked = ", ".join((*naming.kinds, *naming.things))
        message = f"None of these passages names: {names_asked}."
        hint = "Ask for fewer kinds, or install a vocabulary that contains them."
        problems.append(Problem("names-nothing", message, Severity.WARNING, hint=hint))
    hits_shown = tuple(hits[skip : skip + k])
    return replace(
        search_results, results=hits_shown, problems=tuple(problems), skipped=skip, total=len(hits)
    )


def _sentences(
    search_results: SearchResults,
    hits: Sequence[SearchHit],
    naming: NamingFilter,
    names_of: NamesOfText,
) -> Iterable[SearchHit]:
    """The sentences of passages that hold something of the question, by the share of its weight
    that they hold; equal ones in the order of their passages.
    """
    if search_results.plan is None:
        return ()
    weight = QuestionWeight(search_results.question.text, question_weights(search_results.plan))
    rated: list[tuple[float, SearchHit]] = []
    places_rated: set[tuple[str, int]] = set()
    for hit in hits:
        things = names_of(hit.chunk.text) if naming else ()
        for span in sentences_of(hit.chunk):
            place = (hit.chunk.document, hit.chunk.start + span.start)
            words = span.quote(hit.chunk.text)
            share = weight.share(frozenset(text_units(words)))
            if share <= 0 or place in places_rated or not _names(naming, things, span):
                continue
            places_rated.add(place)  # passages overlap
            rated.append((share, _hit(search_results, hit, span, words=words, share=share)))
    rated.sort(key=lambda pair: -round(pair[0], 6))
    return [hit for _, hit in rated]


def _names(naming: NamingFilter, things: Sequence[FoundThing], span: Span) -> bool:
    return not naming or naming.admits([thing for thing in things if thing.span.overlaps(span)])


def _hit(  # noqa: PLR0917
    search_results: SearchResults, hit: SearchHit, span: Span, words: str, share: float
) -> SearchHit:
    counts = {
        text: len(places) for text, places in keyword_spans(search_results.keywords, words).items()
    }
    parts = {"passage": hit.score}
    return SearchHit(
        _sentence(hit.chunk, span), round(share, 6), round(share, 4), counts=counts, parts=parts
    )


def _sentence(chunk: Chunk, span: Span) -> Chunk:
    """A sentence as a chunk: its words at their place."""
    head = chunk.id.rpartition("@")[0]
    start = chunk.start + span.start
    return replace(
        chunk,
        id=f"{head}@{start}+{span.end - span.start}",
        start=start,
        text=span.quote(chunk.text),
    )


def things_named(chunks: Iterable[Chunk], names_of: NamesOfText) -> list[NamedCount]:
    """What passages name, the most frequent first."""
    counts: Counter[str] = Counter()
    thing_by_id: dict[str, FoundThing] = {}
    for chunk in chunks:
        things = {thing.id: thing for thing in names_of(chunk.text)}
        thing_by_id |= {id: thing for id, thing in things.items() if id not in thing_by_id}
        counts.update(things.keys())
    ordered = sorted(counts, key=lambda id: (-counts[id], thing_by_id[id].label.casefold(), id))
    return [
        NamedCount(id, thing_by_id[id].label, str(thing_by_id[id].kinds[0]), counts[id])
        for id in ordered
    ]
