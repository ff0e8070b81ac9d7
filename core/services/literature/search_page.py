"""What the Literature page shows: a question made of what was typed and the chips, rows, marks,
names of modes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.desk_parts import HasEngines, HasFolder, HasProjectModels, HasVocabularies
from core.errors import GroundworkError
from core.literature.answers.answer import AnswerTemplate, CheckedQuote, QuoteProof
from core.literature.chunk import Chunk
from core.literature.query.keyword import (
    Keyword,
    LiteratureQuery,
    fix_keywords,
    keyword_spans,
    merge_keywords,
    parse_query,
)
from core.literature.query.named_thing import KINDS
from core.literature.query.plan import SearchOptions
from core.literature.ranking.narrowed import (
    LOOKED_INTO,
    NO_NAMING,
    NamedCount,
    NamingFilter,
    narrowed_results,
    things_named,
)
from core.literature.ranking.registry import DEFAULT_MODE
from core.literature.ranking.registry import MODES as RANKING_MODES
from core.literature.ranking.search import SearchHit, SearchResults
from core.literature.triage.citation import link
from core.literature.triage.paper_filter import NO_FILTER, PaperFilter
from core.literature.triage.verdict import REASONS, PaperVerdict
from core.model import Problem, Span
from core.model import is_withdrawn as model_is_withdrawn
from core.services.extract.schemas import schema_choices
from core.services.literature import curation, paper_choice, searching, triage
from core.services.literature.screening import LEARNED
from core.services.literature.searching import keywords_by_model

__all__ = [
    "COMPARED",
    "DEFAULT_MODE",
    "KINDS",
    "MEANING_MODES",
    "MODES",
    "PROOFS",
    "REASONS",
    "TEMPLATES",
    "VERDICTS",
    "AnswerTemplate",
    "CheckedQuote",
    "Chunk",
    "Keyword",
    "NamedCount",
    "NamingFilter",
    "PaperFilter",
    "PaperVerdict",
    "SearchHit",
    "SearchOptions",
    "SearchRequest",
    "SearchResults",
    "explain_score",
    "is_withdrawn",
    "keyword_marks",
    "link",
    "merge_keywords",
    "passage_schemas",
    "run_search",
    "split_title",
    "things_in",
]

MODES = {mode.name: mode.title for mode in RANKING_MODES.values() if mode.offered}
MEANING_MODES = tuple(
    mode.title for mode in RANKING_MODES.values() if mode.offered and mode.needs_vectors
)
MOST_THINGS = 200  # to choose from
COMPARED = tuple(mode.name for mode in RANKING_MODES.values() if mode.compared)
TEMPLATES = tuple(str(template) for template in AnswerTemplate)
PROOFS = {
    QuoteProof.EXACT: "✓ exact",
    QuoteProof.NORMALISED: "≈ normalised",
    QuoteProof.CUT: "⚠ leaves out a “not”",
    QuoteProof.NOT_FOUND: "✗ not found",
}
VERDICTS = {
    "": "",
    "include": "✓ include",
    "exclude": "✗ exclude",
    "maybe": "? maybe",
    "no evidence here": "∅ no evidence",
}


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search as the page asks it, `k` chunks a page, pages counted from 1. `keywords` empty:
    found by rules. `options` as the curator set them; `run_search` fills in whom they marked, the
    project's names of the keywords (`synonyms`) and the passages that `only` lets pass. `model`: a
    model names the keywords, `keyword_model` where it is not the project's. `sentences`: single
    ones in place of passages; `naming`: what these must name.
    """

    namespaces: tuple[str, ...]
    text: str
    mode: str = DEFAULT_MODE
    keywords: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    merged: tuple[tuple[str, ...], ...] = ()
    case: bool = False
    options: SearchOptions = field(default_factory=SearchOptions)
    synonyms: bool = False
    k: int = 100
    model: bool = False
    page: int = 1
    only: PaperFilter = NO_FILTER
    keyword_model: str = ""
    sentences: bool = False
    naming: NamingFilter = NO_NAMING

    @property
    def is_narrowed(self) -> bool:
        return self.sentences or bool(self.naming)


def run_search(desk: HasEngines, request: SearchRequest) -> SearchResults:
    """Search. Raises InputError for a query with nothing to look for, NotFound for a namespace that
    is gone.
    """
    searcher = searching.namespace_searcher(desk, request.namespaces)
    question, notes = parse_query(request.text), list[Problem]()
    if request.keywords:
        question = replace(
            question,
            keywords=tuple(
                Keyword(w, w in request.fixed, case=request.case) for w in request.keywords
            ),
        )
    elif request.fixed or request.case or request.synonyms or request.model:
        named_keywords = (
            question.keywords
            or _by_model(desk, request, question.text, notes)
            or searcher.plan(question, request.mode).keywords
        )
        question = replace(
            question, keywords=tuple(replace(k, case=request.case) for k in named_keywords)
        )
    if request.fixed:
        question = replace(question, keywords=fix_keywords(question.keywords, request.fixed))
    for group in request.merged:
        question = replace(question, keywords=_grouped(question.keywords, group))
    names: Mapping[str, Sequence[str]] = {}
    if request.synonyms:
        names = curation.keyword_synonyms(desk, [keyword.text for keyword in question.keywords])
    only = paper_choice.passage_filter(desk, request.namespaces, request.only)
    options = replace(request.options, synonyms=names, only=only)
    options = triage.options_with_marks(desk, request.namespaces, options)
    plan = searcher.plan(question, request.mode, options)
    if request.is_narrowed:
        return _narrowed(desk, request, searcher.run(plan, request.mode, LOOKED_INTO), notes)
    results = searcher.run(plan, request.mode, request.k, (request.page - 1) * request.k)
    if results.total and not results.results:  # there are fewer than when the address was made
        last_start = (results.total - 1) // request.k * request.k
        results = searcher.run(plan, request.mode, request.k, last_start)
    return replace(results, problems=(*notes, *results.problems))


def _narrowed(
    desk: HasVocabularies,
    request: SearchRequest,
    search_results: SearchResults,
    notes: Sequence[Problem],
) -> SearchResults:
    names_of = searching.names_known(desk).in_text
    skip = (request.page - 1) * request.k
    page_of_results = narrowed_results(
        search_results,
        request.naming,
        names_of,
        sentences=request.sentences,
        k=request.k,
        skip=skip,
    )
    if page_of_results.total and not page_of_results.results:
        return _narrowed(desk, replace(request, page=1), search_results, notes)
    return replace(page_of_results, problems=(*notes, *page_of_results.problems))


def things_in(desk: HasVocabularies, search_results: SearchResults) -> list[NamedCount]:
    """What the passages in view name, the most frequent first."""
    names_of = searching.names_known(desk).in_text
    return things_named((hit.chunk for hit in search_results.results), names_of)[:MOST_THINGS]


def _grouped(keywords: Sequence[Keyword], group: Sequence[str]) -> tuple[Keyword, ...]:
    """The keywords with the names of one thing merged: its first name is a chip, the others may be
    gone as chips.
    """
    head = next((keyword for keyword in keywords if keyword.text == group[0]), None)
    if head is None:
        return tuple(keywords)
    keyword_texts = {keyword.text for keyword in keywords}
    missing = tuple(Keyword(name, case=head.case) for name in group if name not in keyword_texts)
    return merge_keywords((*keywords, *missing), group)


def _by_model(
    desk: HasProjectModels, request: SearchRequest, text: str, notes: list[Problem]
) -> tuple[Keyword, ...]:
    """The model's keywords when it is asked for and there is one; a model that fails leaves them to
    the rules, and `notes` say so.
    """
    if not request.model or not (request.keyword_model or desk.completer("keywords")):
        return ()
    keywords, problems = keywords_by_model(desk, text, request.keyword_model)
    notes.extend(problems)
    return keywords


def is_withdrawn(flags: Sequence[str]) -> bool:
    """Whether a paper was retracted or deleted: it is shown struck through."""
    return any(map(model_is_withdrawn, flags))


def split_title(chunk: Chunk) -> tuple[str, str]:
    """A chunk's text as the title that it begins with ("" for none) and what comes after it."""
    title = (
        chunk.title
        if chunk.start == 0 and chunk.title and chunk.text.startswith(chunk.title)
        else ""
    )
    return title, chunk.text[len(title) :].lstrip()


def explain_score(result: SearchHit, mode: str = "") -> str:
    """How the score of a chunk came about, in one line; of a learned order, which words speak for
    the paper and which against it.
    """
    if mode == LEARNED:
        return _learned(result)
    parts = [f"{name} {value:g}" for name, value in result.parts.items()]
    return " · ".join([f"score {result.score:.4g}", f"coverage {result.coverage:.0%}", *parts])


def _learned(result: SearchHit) -> str:
    if not result.parts:
        return "Not ordered by the model yet: include one paper and exclude one."
    sides = {"for": [], "against": []}  # type: dict[str, list[str]]
    for word, share in result.parts.items():
        sides["for" if share > 0 else "against"].append(word)
    side_texts = [f"{side} it: {', '.join(words)}" for side, words in sides.items() if words]
    return " · ".join([f"chance to be included {result.score:.0%}", *side_texts])


def keyword_marks(search_results: SearchResults, text: str) -> list[tuple[Span, str]]:
    """Where keywords occur in a chunk, with the keyword, in order."""
    places = keyword_spans(search_results.keywords, text)
    return sorted(
        ((span, word) for word, spans in places.items() for span in spans),
        key=lambda marked: marked[0].start,
    )


def passage_schemas(desk: HasFolder) -> list[str]:
    """Names of schemas that passages can be extracted with."""
    try:
        return [choice.name for choice in schema_choices(desk)]
    except GroundworkError:
        return []


def compare_modes(
    desk: HasEngines, request: SearchRequest, question: LiteratureQuery, modes: Sequence[str]
) -> dict[str, SearchResults]:
    """The same question in other modes; one that cannot run is left out."""
    return searching.search_in_modes(desk, request.namespaces, question, modes)
