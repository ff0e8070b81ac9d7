"""What the Literature page shows: a question made of what was typed and the chips, rows, marks,
names of modes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.desk import Desk
from core.documents.paper import WITHDRAWN
from core.errors import GroundworkError, RemoteError
from core.literature.answers.answer import AnswerTemplate, CheckedQuote, QuoteProof
from core.literature.chunk import Chunk
from core.literature.query import keyword_model
from core.literature.query.keyword import (
    Keyword,
    LiteratureQuery,
    fix_keywords,
    merge_keywords,
    parse_query,
    spans_of,
)
from core.literature.ranking.registry import DEFAULT
from core.literature.ranking.registry import MODES as RANKING_MODES
from core.literature.ranking.search import SearchHit, SearchResults
from core.literature.triage.citation import link
from core.literature.triage.verdict import REASONS, PaperVerdict
from core.model import Problem, Run, Span
from core.services.extract.schemas import choices
from core.services.literature import curation, triage
from core.services.literature import namespaces as literature

__all__ = [
    "COMPARED",
    "DEFAULT",
    "MODES",
    "PROOFS",
    "REASONS",
    "TEMPLATES",
    "VERDICTS",
    "AnswerTemplate",
    "CheckedQuote",
    "Chunk",
    "PaperVerdict",
    "SearchHit",
    "SearchRequest",
    "SearchResults",
    "explained",
    "is_withdrawn",
    "link",
    "marks",
    "merge_keywords",
    "run",
    "schemas",
    "split_title",
]

MODES = {mode.name: mode.title for mode in RANKING_MODES if mode.offered}
COMPARED = tuple(mode.name for mode in RANKING_MODES if mode.compared)
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
    found by rules. `options`: repair, expand, synonyms, marks.
    """

    namespaces: tuple[str, ...]
    text: str
    mode: str = DEFAULT
    keywords: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    merged: tuple[tuple[str, ...], ...] = ()
    case: bool = False
    repair: bool = True
    expand: bool = True
    synonyms: bool = False
    marks: bool = False
    k: int = 100
    model: bool = False
    page: int = 1


def run(desk: Desk, asked: SearchRequest) -> SearchResults:
    """Search. Raises InputError for a query with nothing to look for, NotFound for a namespace that
    is gone.
    """
    searcher = literature.searcher(desk, asked.namespaces)
    question, notes = parse_query(asked.text), list[Problem]()
    if asked.keywords:
        question = replace(
            question,
            keywords=tuple(Keyword(w, w in asked.fixed, case=asked.case) for w in asked.keywords),
        )
    elif asked.fixed or asked.case or asked.synonyms or asked.model:
        named = (
            question.keywords
            or _by_model(desk, asked, question.text, notes)
            or searcher.plan(question, asked.mode).keywords
        )
        question = replace(question, keywords=tuple(replace(k, case=asked.case) for k in named))
    if asked.fixed:
        question = replace(question, keywords=fix_keywords(question.keywords, asked.fixed))
    for group in asked.merged:
        question = replace(question, keywords=_grouped(question.keywords, group))
    names: Mapping[str, Sequence[str]] = {}
    if asked.synonyms:
        names = curation.synonyms(desk, [keyword.text for keyword in question.keywords])
    more = {"repair": asked.repair, "expand": asked.expand, "synonyms": names}
    options = triage.options(desk, asked.namespaces, asked.marks, **more)
    plan = searcher.plan(question, asked.mode, options)
    shown = searcher.run(plan, asked.mode, asked.k, (asked.page - 1) * asked.k)
    if shown.total and not shown.results:  # there are fewer than when the address was made
        last = (shown.total - 1) // asked.k * asked.k
        shown = searcher.run(plan, asked.mode, asked.k, last)
    return replace(shown, problems=(*notes, *shown.problems))


def _grouped(keywords: Sequence[Keyword], group: Sequence[str]) -> tuple[Keyword, ...]:
    """The keywords with the names of one thing merged: its first name is a chip, the others may be
    gone as chips.
    """
    head = next((keyword for keyword in keywords if keyword.text == group[0]), None)
    if head is None:
        return tuple(keywords)
    known = {keyword.text for keyword in keywords}
    missing = tuple(Keyword(name, case=head.case) for name in group if name not in known)
    return merge_keywords((*keywords, *missing), group)


def _by_model(
    desk: Desk, asked: SearchRequest, text: str, notes: list[Problem]
) -> tuple[Keyword, ...]:
    """The model's keywords when it is asked for and there is one; a model that fails leaves them to
    the rules, and `notes` say so.
    """
    completer = desk.completer("keywords") if asked.model else None
    if completer is None:
        return ()
    run = Run(
        desk.new_id(),
        "keywords",
        "model",
        model=completer.model,
        settings={"question": text},
        created=desk.clock(),
    )
    desk.store.runs.add(run)
    try:
        return keyword_model.ask(desk.recorder(run.id).completer(completer), text)
    except RemoteError as error:
        said = f"The keywords are made by rules, for the model gave none. {error}"
        notes.append(Problem("keywords-by-rules", said))
        return ()


def is_withdrawn(flags: Sequence[str]) -> bool:
    """Whether a paper was retracted or deleted: it is shown struck through."""
    return any(flag in WITHDRAWN for flag in flags)


def split_title(chunk: Chunk) -> tuple[str, str]:
    """A chunk's text as the title that it begins with ("" for none) and what comes after it."""
    title = (
        chunk.title
        if chunk.start == 0 and chunk.title and chunk.text.startswith(chunk.title)
        else ""
    )
    return title, chunk.text[len(title) :].lstrip()


def explained(result: SearchHit) -> str:
    """How the score of a chunk came about, in one line."""
    parts = [f"{name} {value:g}" for name, value in result.parts.items()]
    return " · ".join([f"score {result.score:.4g}", f"coverage {result.coverage:.0%}", *parts])


def marks(found: SearchResults, text: str) -> list[tuple[Span, str]]:
    """Where the keywords stand in a chunk, with the keyword, in order."""
    places = spans_of(found.keywords, text)
    return sorted(
        ((span, word) for word, spans in places.items() for span in spans),
        key=lambda one: one[0].start,
    )


def schemas(desk: Desk) -> list[str]:
    """Names of schemas that passages can be extracted with."""
    try:
        return [choice.name for choice in choices(desk)]
    except GroundworkError:
        return []


def compare_modes(
    desk: Desk, asked: SearchRequest, question: LiteratureQuery, modes: Sequence[str]
) -> dict[str, SearchResults]:
    """The same question in other modes; one that cannot run is left out."""
    return literature.similar(desk, asked.namespaces, question, modes)
