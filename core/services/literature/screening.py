"""Papers to judge in the order that the verdicts teach: likely ones first, or those that the model
is least sure of; how much was found; and the flow of papers through the steps.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.desk_parts import HasEngines, HasProject, HasStore
from core.errors import InputError
from core.learning.screening import (
    LearnedOrder,
    PaperWords,
    can_learn,
    learn_order,
    speaking_words,
    weigh_words,
)
from core.learning.stopping import FoundEstimate as FoundEstimate
from core.learning.stopping import most_left
from core.literature.chunk import Chunk
from core.literature.index.chunking import ChunkSize, cut_into_chunks
from core.literature.index.tokens import text_units, units_of_group, word_groups
from core.literature.query.keyword import LiteratureQuery, parse_query
from core.literature.ranking.search import SearchHit, SearchResults
from core.literature.triage.flow import ReviewFlow, flow_csv, flow_svg, review_flow
from core.literature.triage.paper_filter import NO_FILTER, PaperFilter
from core.literature.triage.verdict import PaperVerdict
from core.model import ReadingOrder
from core.services.literature import searching, triage
from core.services.literature.paper_choice import is_admitted, state_of
from core.store import Member, RelevanceJudgement

__all__ = [
    "KEPT_TABLES",
    "LEARNED",
    "LONGEST",
    "SPEAKING",
    "WHOLE",
    "ScreenedPaper",
    "Screening",
    "as_results",
    "by_keywords",
    "flow_as",
    "flow_csv",
    "flow_svg",
    "paper_flow",
    "paper_words",
    "papers_to_judge",
    "screening_estimate",
]


LONGEST = 6_000  # characters of a paper that are learned from: title and abstract of a full text
SPEAKING = 8  # words that explain a place
WHOLE = 100_000  # characters: a paper's card shows one chunk
LEARNED = "learned"  # what the list calls this way of ordering
KEPT_TABLES = 4  # namespaces whose words stay in memory
_JUDGED = {
    PaperVerdict.INCLUDE: True,
    PaperVerdict.EXCLUDE: False,
    PaperVerdict.NO_EVIDENCE: False,
}


@dataclass(frozen=True, slots=True)
class ScreenedPaper:
    """A paper that is not judged yet. `chance`: of being included, 0 to 1; None before anything was
    learned. `words`: those that speak most for it (above 0) and against it.
    """

    document: str
    chance: float | None
    words: Mapping[str, float]
    member: Member


@dataclass(frozen=True, slots=True)
class Screening:
    """The papers to judge next and how many are left. `learned`: the verdicts that the order rests
    on, 0 while there are none of both kinds.
    """

    papers: tuple[ScreenedPaper, ...]
    left: int
    learned: int
    shown_of: int  # papers that the filter lets pass, judged or not


# ------------------------------------------------------------------ the order

_TABLES: dict[tuple[object, ...], tuple[PaperWords, tuple[str, ...]]] = {}
_LOCK = threading.Lock()


def paper_words(desk: HasProject, names: Sequence[str]) -> tuple[PaperWords, tuple[str, ...]]:
    """The words of the papers of these namespaces, and the papers' ids by row. Made once for each
    state of the namespaces: about a millisecond a paper.
    """
    key = state_of(desk, names)
    with _LOCK:
        if key not in _TABLES:
            texts: dict[str, str] = {}
            for name in names:
                for member in desk.store.namespaces.members(name):
                    texts.setdefault(member.document.id, member.text.text[:LONGEST])
            while len(_TABLES) >= KEPT_TABLES:
                del _TABLES[next(iter(_TABLES))]
            _TABLES[key] = (weigh_words(map(text_units, texts.values())), tuple(texts))
        return _TABLES[key]


def papers_to_judge(
    desk: HasEngines,
    names: Sequence[str],
    *,
    order: ReadingOrder = ReadingOrder.LIKELY,
    question: str = "",
    only: PaperFilter = NO_FILTER,
    k: int = 20,
) -> Screening:
    """The next `k` papers to judge. Before there are verdicts of both kinds they come in the order
    of the question's ranking, or as they were added where there is no question.
    """
    known_order = _Known.of(desk, names, question)
    learned, row_of, judged = known_order.learned, known_order.row_of, known_order.judged
    facts = desk.store.namespaces.member_kinds(names) if only else {}
    passing = [id for id in row_of if not only or is_admitted(only, facts, judged, id)]
    unread = [id for id in passing if id not in judged]
    if learned and order != ReadingOrder.ADDED:
        scores = learned.scores if order == ReadingOrder.LIKELY else -abs(learned.scores)
        unread.sort(key=lambda id: (-scores[row_of[id]], row_of[id]))
    elif question.strip() and order != ReadingOrder.ADDED:
        unread = by_keywords(desk, names, question, unread)
    members = desk.store.namespaces.members_of(names, unread[:k])
    chances = learned.chances if learned else None
    next_ones = tuple(
        ScreenedPaper(
            id,
            float(chances[row_of[id]]) if chances is not None else None,
            _explained(known_order.papers, learned, row_of[id], members[id].text.text),
            members[id],
        )
        for id in unread[:k]
        if id in members
    )
    verdicts = len(known_order.verdicts) if learned else 0
    return Screening(next_ones, len(unread), verdicts, len(passing))


def screening_estimate(desk: HasProject, names: Sequence[str], question: str = "") -> FoundEstimate:
    """How much of what is wanted was found so far."""
    known_order = _Known.of(desk, names, question)
    unread = [row for id, row in known_order.row_of.items() if id not in known_order.judged]
    expected = None if unread else 0.0
    if known_order.learned and unread:
        expected = float(known_order.learned.chances[unread].sum())
    verdicts = list(known_order.verdicts.values())
    papers = len(known_order.row_of)
    return FoundEstimate(
        papers,
        len(verdicts),
        sum(verdicts),
        expected_left=expected,
        most_left=most_left(verdicts, papers),
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """The papers by row, their verdicts, those that count by row in the order of reading, and what
    they teach.
    """

    papers: PaperWords
    row_of: Mapping[str, int]
    judged: Mapping[str, RelevanceJudgement]
    verdicts: Mapping[int, bool]
    learned: LearnedOrder | None

    @classmethod
    def of(cls, desk: HasProject, names: Sequence[str], question: str) -> _Known:
        papers, ids = paper_words(desk, names)
        row_of = {id: row for row, id in enumerate(ids)}
        judged = triage.judged_papers(desk, names)
        verdicts = {
            row_of[judgement.document]: _JUDGED[PaperVerdict(judgement.verdict)]
            for judgement in _first_verdicts(desk, names, judged)
            if judgement.document in row_of
        }
        question_units = text_units(question)
        learned = learn_order(papers, verdicts, question_units) if can_learn(verdicts) else None
        return cls(papers, row_of, judged, verdicts=verdicts, learned=learned)


def _first_verdicts(
    desk: HasStore, names: Sequence[str], judged: Mapping[str, RelevanceJudgement]
) -> list[RelevanceJudgement]:
    """The verdicts that stand, in the order in which their papers were first judged; maybes say
    nothing.
    """
    first_documents = {
        judgement.document: None for judgement in desk.store.judgements.of_namespaces(names)
    }
    standing = [judged[document] for document in first_documents if document in judged]
    return [judgement for judgement in standing if judgement.verdict in _JUDGED]


def by_keywords(
    desk: HasEngines, names: Sequence[str], question: str, unread: Sequence[str]
) -> list[str]:
    """Papers by the place of their best passage for a question; those without one come last."""
    searcher = searching.namespace_searcher(desk, names)
    search_results = searcher.search(parse_query(question), k=sum(map(len, searcher.parts)) or 1)
    best = dict.fromkeys(result.chunk.document for result in search_results.results)
    waiting = set(unread)
    return [id for id in best if id in waiting] + [id for id in unread if id not in best]


def _explained(
    papers: PaperWords, learned: LearnedOrder | None, row: int, text: str
) -> dict[str, float]:
    """Words as the paper writes them, with what each adds to its score."""
    if learned is None:
        return {}
    written: dict[str, str] = {}
    for group in word_groups(text):
        for unit in units_of_group(group):
            written.setdefault(unit, group)
    words = speaking_words(papers, learned, row, SPEAKING)
    return {written.get(unit, unit): round(share, 3) for unit, share in words.items()}


# ------------------------------------------------------------------ as a list to judge


def as_results(screened: Screening, question: str) -> SearchResults:
    """The papers as hits, each a whole abstract (of a full text its beginning), so that they are
    judged as passages of a search are.
    """
    hits = []
    for paper in screened.papers:
        chunk = _card(paper.member)
        hits.append(
            SearchHit(chunk, paper.chance or 0.0, coverage=0.0, counts={}, parts=paper.words)
        )
    query = LiteratureQuery(question)
    return SearchResults(query, LEARNED, (), tuple(hits), total=screened.left)


def _card(member: Member) -> Chunk:
    cut = cut_into_chunks(member.text, member.body, member.document.title, ChunkSize(WHOLE, 0))
    first_chunk = next(cut)
    return (
        first_chunk
        if len(first_chunk.text) <= LONGEST
        else replace(first_chunk, text=first_chunk.text[:LONGEST])
    )


def paper_flow(desk: HasStore, names: Sequence[str]) -> ReviewFlow:
    """How many papers were found, came twice, were screened, excluded (by reason) and included."""
    sources: Counter[str] = Counter()
    wordless = 0
    for name in names:
        for past_import in desk.store.namespaces.get(name).settings.get("imports", ()):
            label = past_import["source"] if len(names) == 1 else f"{name}: {past_import['source']}"
            sources[label] += int(past_import["records"])
            wordless += int(past_import.get("wordless", 0))
    documents = {id for name in names for id in desk.store.namespaces.member_bodies(name)}
    judged = triage.judged_papers(desk, names)
    standing = [
        (judgement.verdict, judgement.reason) for id, judgement in judged.items() if id in documents
    ]
    return review_flow(sources, len(documents), standing, wordless)


def flow_as(desk: HasStore, names: Sequence[str], form: str) -> str:
    """The flow as csv, svg or json."""
    review_flow_of_names = paper_flow(desk, names)
    forms = {
        "csv": lambda: flow_csv(review_flow_of_names),
        "svg": lambda: flow_svg(review_flow_of_names),
        "json": lambda: (
            json.dumps(
                [
                    {"step": step, "what": counted, "papers": n}
                    for step, counted, n in review_flow_of_names.rows()
                ],
                ensure_ascii=False,
                indent=1,
            )
            + "\n"
        ),
    }
    if form not in forms:
        raise InputError(
            f"{form[:20]!r} is not a format for the flow.", f"Use one of {', '.join(forms)}."
        )
    return forms[form]()
