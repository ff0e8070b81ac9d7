"""From passages into curation: extraction, evidence of a statement, synonyms, recommendations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.desk_parts import (
    HasEngineJobs,
    HasEngines,
    HasProjectModels,
    HasProjectTerms,
    HasStore,
    HasTermJobs,
    HasVocabularies,
)
from core.errors import GroundworkError, InputError
from core.extraction.text_section import TextSection
from core.literature import recommendation
from core.literature.answers import evidence
from core.literature.answers.evidence import EvidencePassage
from core.literature.chunk import Chunk
from core.literature.recommendation import RecommendedArticle as RecommendedArticle
from core.literature.triage.citation import Citation, reference_line
from core.model import Evidence, Job, Span, State, Statement, Support, Term, TextGround
from core.services.extract.run import start_part
from core.services.literature import answer, searching
from core.services.literature.answer import StoredAnswer
from core.services.literature.article_vectors import vectors_for
from core.services.people import roles
from core.services.support.evidence_support import EvidenceJudge, judge_statements
from core.store import Proposal, QueueFilter, StatementRecord

MOST_CHOICES = 200  # statements to choose from on the page
MOST_NAMES = 40  # synonyms of one term
MOST_PARAGRAPH = 4000  # characters


def extract_from(
    desk: HasTermJobs,
    chunks: Sequence[Chunk],
    schema: str,
    *,
    engine: str = "auto",
    curator: str = "",
) -> list[Job]:
    """Start an extraction for each ticked chunk: a part of its paper's own text version, so that
    evidence has the paper's id, section and offsets.
    """
    if not chunks:
        raise InputError("Tick at least one passage to extract from.")
    for chunk in chunks:
        _checked(desk, chunk, Span(0, len(chunk.text)))
    return [
        start_part(
            desk,
            schema,
            chunk.document,
            chunk.version,
            part=_part(chunk),
            engine=engine,
            curator=curator,
        )
        for chunk in chunks
    ]


def _part(chunk: Chunk) -> TextSection:
    return TextSection(chunk.start, chunk.start + len(chunk.text), chunk.section)


def _checked(desk: HasStore, chunk: Chunk, span: Span) -> Span:
    """A span of a chunk as one of the document's text version, where it must hold the same words
    (docs/architecture.md, Contracts).
    """
    text = desk.store.documents.text(chunk.version, chunk.document).text
    placed = Span(chunk.start + span.start, chunk.start + span.end)
    if not placed.quote(text).strip() or placed.quote(text) != span.quote(chunk.text):
        raise InputError(
            "These words are not in the stored text of the paper.",
            "The paper has changed. Search again.",
        )
    return placed


def add_evidence(
    desk: HasStore,
    statement: str,
    chunk: Chunk,
    span: Span,
    *,
    curator: str | None = None,
    run: str = "",
) -> Proposal:
    """Add words of a chunk as evidence of a stored statement; `span` counts in the chunk's text.

    What is kept counts in the text version and is checked against it (docs/architecture.md,
    Contracts). Raises Forbidden for a reader.
    """
    roles.require_role(desk, curator)
    record = desk.store.statements.get(statement)
    placed = _checked(desk, chunk, span)
    ground = TextGround(
        chunk.document, chunk.version, placed, quote=span.quote(chunk.text), section=chunk.section
    )
    piece = Evidence(record.statement.id, ground, run, engine="literature")
    proposal = desk.store.statements.propose([(record.statement, [piece])], run, curator or "")
    judge_statements(desk, [record.id])
    return proposal


def find_evidence(
    desk: HasEngines, statement: Statement, namespaces: Sequence[str], k: int = 20
) -> list[EvidencePassage]:
    """Chunks that may prove a statement, best first."""
    return evidence.search_evidence(
        searching.namespace_searcher(desk, namespaces),
        statement,
        lambda term: names_of(desk, term),
        k,
    )


def support_of_passages(
    desk: HasStore, statement: Statement, passages: Iterable[EvidencePassage]
) -> list[Support | None]:
    """What the judges say of the sentence of each passage, in the order given."""
    asker = EvidenceJudge(desk)
    verdicts = []
    for passage in passages:
        chunk, span = passage.result.chunk, passage.sentence
        ground = TextGround(chunk.document, chunk.version, span, span.quote(chunk.text))
        verdicts.append(asker.support_of(statement, Evidence(statement.id, ground), chunk.text))
    return verdicts


def extendable_statements(desk: HasStore, words: str = "") -> list[StatementRecord]:
    """Statements that evidence may be added to, the newest first: those that hold the words, or the
    one of that id.
    """
    words = words.strip()
    if words.startswith("s1-"):
        return desk.store.statements.of_ids([words])
    states = (State.PROPOSED, State.UNSURE, State.APPROVED)
    return desk.store.queue.records(
        QueueFilter(states=states, text=words), limit=MOST_CHOICES, newest=True
    )


def best_quotes(desk: HasProjectTerms, statement: str, chunks: Sequence[Chunk]) -> dict[str, str]:
    """Chunk id → its best sentence for a statement, "" where it names neither of its things. Raises
    NotFound.
    """
    stored_statement: Statement = desk.store.statements.get(statement).statement
    question = evidence.question_of(stored_statement, lambda term: names_of(desk, term))
    spans = ((chunk, evidence.best_sentence(chunk.text, question)) for chunk in chunks)
    return {chunk.id: best.span.quote(chunk.text) if best else "" for chunk, best in spans}


def statement_of(desk: HasStore, id: str) -> StatementRecord:
    return desk.store.statements.get(id)


def names_of(desk: HasProjectTerms, term: Term) -> list[str]:
    """Every name of a term: from the vocabularies and from what curators approved, without its
    label.
    """
    distinct_names: dict[str, None] = {}
    if term.id:
        for lexicon in _lexicons(desk, term.id):
            vocabulary_term = lexicon.term(term.id)  # type: ignore[attr-defined]
            if vocabulary_term is not None:
                distinct_names |= dict.fromkeys(
                    [vocabulary_term.label, *(name.text for name in vocabulary_term.names)]
                )
        distinct_names |= dict.fromkeys(
            synonym.words for synonym in desk.store.synonyms.all() if synonym.term.id == term.id
        )
    return [name for name in distinct_names if name.casefold() != term.label.casefold()][
        :MOST_NAMES
    ]


def _lexicons(desk: HasVocabularies, id: str) -> list[object]:
    try:
        return list(desk.vocabulary_registry.lexicons(prefixes=(id.partition(":")[0],)))
    except GroundworkError:
        return []


def keyword_synonyms(desk: HasProjectTerms, words: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Keyword (case-folded) → its other names, where a vocabulary or a curator knows it as one
    term's.
    """
    names_by_keyword: dict[str, tuple[str, ...]] = {}
    for word in words:
        names: dict[str, None] = {}
        for term in _terms(desk, word):
            names |= dict.fromkeys([term.label, *names_of(desk, term)])
        others = tuple(name for name in names if name.casefold() != word.casefold())
        if others:
            names_by_keyword[word.casefold()] = others[:MOST_NAMES]
    return names_by_keyword


def _terms(desk: HasVocabularies, word: str) -> list[Term]:
    """The terms that a word names exactly; none when it names several things."""
    from core.grounding.constraint.constraint import Constraint

    try:
        candidates = desk.grounder().ground(word, Constraint(), limit=5)
    except GroundworkError:
        return []
    sure = [
        candidate for candidate in candidates if candidate.score >= 0.95 and not candidate.obsolete
    ]
    return (
        [candidate.term for candidate in sure]
        if len({candidate.term.label.casefold() for candidate in sure}) == 1
        else []
    )


# ------------------------------------------------------------------ recommendations


def recommended_articles(
    desk: HasEngines,
    namespaces: Sequence[str],
    paragraph: str,
    *,
    k: int = 10,
    without: Sequence[str] = (),
) -> list[RecommendedArticle]:
    """Articles for a paragraph; imported article vectors count when there are any."""
    if not paragraph.strip():
        raise InputError("Write or paste a paragraph first.")
    return recommendation.recommend(
        searching.namespace_searcher(desk, namespaces),
        paragraph,
        k=k,
        vectors=vectors_for(desk, namespaces),
        without=without,
    )


def summarise_articles(
    desk: HasProjectModels,
    paragraph: str,
    recommendations: Sequence[RecommendedArticle],
    curator: str = "",
) -> StoredAnswer:
    """What the chosen articles say that bears on a paragraph: by the model when there is one, each
    sentence cited and its quotes checked; the best sentences, word for word, otherwise. Kept like
    an answer.
    """
    return answer.answer_run(
        desk, _summary_run(desk, paragraph, recommendations, curator), always=True
    )


def start_summary(
    desk: HasEngineJobs,
    paragraph: str,
    recommendations: Sequence[RecommendedArticle],
    curator: str = "",
) -> Job:
    """The same in the background; the job's arguments name the run."""
    run = _summary_run(desk, paragraph, recommendations, curator)
    return answer.start_answer(desk, run, curator, always=True)


def _summary_run(
    desk: HasProjectModels,
    paragraph: str,
    recommendations: Sequence[RecommendedArticle],
    curator: str,
) -> str:
    """A run that asks for a summary, not begun. Raises InputError without articles."""
    if not recommendations:
        raise InputError("Choose at least one article.")
    words = " ".join(paragraph.split())[:MOST_PARAGRAPH]
    if desk.completer("answers") is not None:
        words = (
            "What do these articles report that supports, refines or contradicts this paragraph?"
            f" {words}"
        )
    chunks = [recommendation.chunk for recommendation in recommendations]
    return answer.begin_answer(desk, words, chunks, mode="recommend", curator=curator)


def citation_line(chunk: Chunk) -> str:
    """The paper of a chunk in one line, short as the desk writes it."""
    authors = tuple(author for author in chunk.authors.split("; ") if author)
    return reference_line(
        Citation(chunk.document, chunk.title, chunk.year, journal=chunk.journal, authors=authors)
    )
