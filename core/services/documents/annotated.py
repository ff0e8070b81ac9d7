"""A text with everything that is known of it laid over it: mentions, statements, terms that stand
in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.desk_parts import HasProject, HasProjectTerms, HasStore, HasVocabularies
from core.errors import NotFound
from core.extraction.predicate_by_words import WORDS
from core.extraction.tree import Extraction
from core.grounding.constraint.constraint import Constraint
from core.grounding.recognise.recogniser import Recogniser
from core.model import (
    MANUAL,
    Candidate,
    Category,
    Document,
    Outcome,
    Span,
    State,
    Statement,
    Term,
    TextGround,
    TextVersion,
    relation_words,
)
from core.review.statement_state import folded_state
from core.services.extract import schemas
from core.services.people.blind import is_hidden, reviews_are_blind
from core.services.review import queue
from core.services.review.authority import loadable_schemas
from core.services.review.typed_thing import with_kind
from core.services.shared.document_label import document_title
from core.services.vocabularies.relations import relation_choices
from core.services.vocabularies.same_things import preferred_first
from core.store import QueueFilter, StatementRecord
from core.text.sentence import split_sentences

MOST_RECOGNISED = 100_000  # characters of a text in which known terms are looked for
MOST_STATEMENTS = 500
MOST_RUNS = 200  # of a text: each fact marked by hand is one


@dataclass(frozen=True, slots=True)
class TextMark:
    """Words of a text and the term that they stand for. `origin` says whence: `curator`, who marked
    them by hand; `mention` of a run; or `vocabulary`: the name of a known term, where no engine
    found a relation.
    """

    span: Span
    term: Term
    origin: str
    outcome: Outcome = Outcome.GROUNDED


@dataclass(frozen=True, slots=True)
class StatementInText:
    """A statement of a document and where its first quote in this text stands, if it has one.
    `decided` says who decided it, when and why; "" while it waits.
    """

    id: str
    statement: Statement
    state: State
    quote: Span | None
    decided: str = ""


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """Marks never overlap and are in text order; `sentences` cover the text, in code points."""

    document: Document
    title: str
    text: TextVersion
    versions: tuple[TextVersion, ...]
    marks: tuple[TextMark, ...]
    statements: tuple[StatementInText, ...]
    sentences: tuple[Span, ...]


def annotated_document(
    desk: HasProjectTerms, name: str, version: str = "", reader: str = ""
) -> AnnotatedText:
    """A document's text (its newest, or the `version` of that SHA-256). Raises NotFound."""
    document = desk.store.documents.get(name)
    versions = tuple(desk.store.documents.texts(document.id))
    if not versions:
        raise NotFound(
            f"No text of {document.id} is stored in this project.", "Read it on Extract first."
        )
    text = next(
        (text_version for text_version in versions if text_version.sha == version), versions[-1]
    )
    all_mentions = [*mentions_of_runs(desk, text), *recognised_names(desk, text)]
    return AnnotatedText(
        document,
        document_title(desk, document.id),
        text,
        versions=versions,
        marks=tuple(_disjoint(all_mentions, len(text.text))),
        statements=tuple(statements_of_document(desk, text, reader)),
        sentences=tuple(split_sentences(text.text)),
    )


def mentions_of_runs(desk: HasStore, text: TextVersion) -> list[TextMark]:
    """What the runs on this text found, the newest run first."""
    marks = []
    for run in desk.store.runs.find(document=text.document, limit=MOST_RUNS):
        if run.text_version != text.sha:
            continue
        origin = "curator" if run.engine == MANUAL else "mention"
        extraction: Extraction | None = desk.store.runs.extraction(run.id)
        for mention in extraction.mentions if extraction else ():
            term = mention.chosen or Term("", mention.text, mention.category)
            if mention.category is Category.RELATION:
                term = Term(term.id, relation_words(term), Category.RELATION)
            marks += [TextMark(span, term, origin, mention.outcome) for span in mention.spans[:1]]
    return marks


def newest_run(desk: HasStore, document: str) -> str:
    """The id of the run that found, or in which a curator marked, something in it last; "" if
    none did.
    """
    return next((run.id for run in desk.store.runs.find(document=document, limit=1)), "")


def recognised_names(desk: HasVocabularies, text: TextVersion) -> list[TextMark]:
    """Names of installed vocabularies that stand in the text, each with its best term."""
    names = desk.vocabulary_registry.ordered()
    if not names or len(text.text) > MOST_RECOGNISED:
        return []
    annotations = Recogniser(desk.grounder()).annotate(text.text, {"": Constraint(names)})
    return [
        TextMark(annotation.span, with_kind(desk, annotation.candidates[0].term), "vocabulary")
        for annotation in annotations
        if annotation.candidates and not _common_word(annotation.span.quote(text.text))
    ]


def _common_word(words: str) -> bool:
    """`not` and `in` are names of genes, too; in lower case they are hardly meant."""
    return len(words) <= 3 and words.islower()


def _disjoint(marks: Iterable[TextMark], length: int) -> list[TextMark]:
    """Marks that do not overlap: what curators marked, the newest first; then mentions before
    names, the longer before the shorter, the earlier before the later.
    """

    def rank(mark: TextMark) -> tuple[int, int, int]:
        if mark.origin == "curator":
            return 0, 0, 0  # as they come
        start, end = mark.span.start, mark.span.end
        return 1 if mark.origin == "mention" else 2, start - end, start

    order = sorted(marks, key=rank)
    text_marks: list[TextMark] = []
    occupied = bytearray(length)
    for mark in order:
        start, end = mark.span.start, mark.span.end
        if 0 <= start < end <= length and not any(occupied[start:end]):
            occupied[start:end] = b"\x01" * (end - start)
            text_marks.append(mark)
    return sorted(text_marks, key=lambda mark: mark.span.start)


def statements_of_document(
    desk: HasStore, text: TextVersion, reader: str = ""
) -> list[StatementInText]:
    """The statements of the document in the order of its text; those without a quote in it last.
    Where reviews are blind, `reader` does not see how others judged what still waits.
    """
    blind = reviews_are_blind(desk)
    records = desk.store.queue.records(QueueFilter(document=text.document), limit=MOST_STATEMENTS)
    in_text = []
    for record in records:
        grounds = [piece.ground for piece in record.evidence]
        spans = [
            ground.span
            for ground in grounds
            if isinstance(ground, TextGround) and ground.version == text.sha
        ]
        quote = min(spans, key=lambda span: span.start, default=None)
        hidden = is_hidden(record, reader, blind)
        review_state = State.PROPOSED if hidden else record.state
        decided = "" if hidden else decided_words(record)
        in_text.append(
            StatementInText(record.id, record.statement, review_state, quote=quote, decided=decided)
        )
    return sorted(
        in_text,
        key=lambda statement_in_text: (
            statement_in_text.quote.start if statement_in_text.quote else len(text.text)
        ),
    )


def decided_words(record: StatementRecord) -> str:
    """`wrong term · Anna, 2026-01-02`; "" for what waits."""
    deciding = folded_state(record).deciding if record.decisions else None
    if deciding is None:
        return ""
    who = f"{deciding.curator_name or deciding.curator}, {deciding.time[:10]}"
    why = ": ".join(part for part in (str(deciding.reason or ""), deciding.note) if part)
    return " · ".join(part for part in (why, who) if part)


def term_candidates(desk: HasProjectTerms, words: str, limit: int = 12) -> tuple[Candidate, ...]:
    """Terms that words may mean, best first, then terms whose names hold the words; of a thing that
    has several ids the preferred one comes first.
    """
    ranked = queue.term_candidates(desk, words, limit)
    searched = desk.grounder().search(words, None, limit) if words.strip() else ()
    distinct = {candidate.term.id: candidate for candidate in (*searched, *ranked)}
    order = dict.fromkeys(candidate.term.id for candidate in (*ranked, *searched))
    terms = [
        replace(distinct[id], term=with_kind(desk, distinct[id].term)) for id in list(order)[:limit]
    ]
    return preferred_first(desk, terms)


def predicate_choices(desk: HasProject) -> list[Term]:
    """What a statement can say, each once: predicates of this project's statements, those of its
    own schemas, Biolink's common ones, and all others that a schema may be made with.
    """
    names = sorted(set(WORDS.values()))
    common = [Term(f"biolink:{name}", name.replace("_", " "), Category.RELATION) for name in names]
    listed = [
        Term(predicate.curie, predicate.name, Category.RELATION) for predicate in relation_choices()
    ]
    choices: dict[str, Term] = {}
    for term in (*queue.project_predicates(desk), *own_predicates(desk), *common, *listed):
        choices.setdefault(term.id, term)
    return list(choices.values())


def own_predicates(desk: HasProject) -> list[Term]:
    """The predicates of the project's own schemas."""
    own_names = {choice.name for choice in schemas.schema_choices(desk) if choice.own}
    return [
        Term(value.meaning, relation_words(Term(value.meaning, value.name)), Category.RELATION)
        for schema in loadable_schemas(desk)
        if schema.name in own_names
        for cls in schema.classes.values()
        if cls.category is Category.RELATION
        for enum in cls.enums
        for value in schema.enums[enum].values
        if value.meaning
    ]
