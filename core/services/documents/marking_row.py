"""Markings and corrected mentions as JSON, one a line: what the command line and the page read and
say (`propose`, `documents mention`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

from core.desk_parts import HasProjectTerms, HasStore, HasVocabularies
from core.errors import GroundworkError, InputError, NotFound, StoreError
from core.grounding.constraint.constraint import Constraint
from core.model import (
    MANUAL,
    Category,
    Curator,
    Document,
    Json,
    Literal,
    Mention,
    Modality,
    Outcome,
    Role,
    Span,
    Term,
    TextGround,
    TextVersion,
)
from core.services.documents.marking import (
    LONGEST_QUOTE,
    MarkedStatement,
    MarkingResult,
    kept_run,
    manual_mention,
    propose_marking,
    quote_span,
)
from core.services.people.orcid import checked_curator
from core.services.review.typed_thing import (
    curie_of,
    flag_of,
    modality_of,
    predicate_of,
    qualifier_of,
    thing_of,
    typed_words,
)
from core.services.shared.json_row import Reads, pick_keys, unread_keys
from core.services.support.shown_support import support_json
from core.services.vocabularies import memory
from core.store.database import retry_while_away
from core.text.clean import text_version

_ENDS = ("subject", "predicate", "object")
_PLAIN = ("document", "text", "version", "quote", "quotes", "start", "negated", "modality")
_TERM = pick_keys("id", "label", "category")
AT_ONCE = 100  # lines that are stored in one transaction


def from_json(desk: HasProjectTerms, row: Json) -> MarkedStatement:
    """A marking as JSON: document (any id of it) or text, quote (or a list of them; with start, the
    place of a single one), subject, predicate, object, and where wanted negated, modality,
    qualifiers, version (a SHA-256).

    A subject or object is a CURIE, or {id, label, category}, or for objects {value, datatype,
    unit}; label and category may stand beside a CURIE, as `subject_label` and `subject_category`.
    Raises InputError or NotFound.
    """
    text, spans = text_and_quotes(desk, row)
    subject = thing_of(desk, _with_facts(row, "subject"), "subject")
    object_ = thing_of(desk, _with_facts(row, "object"), "object")
    if isinstance(subject, Literal):
        raise InputError("The subject is a term, not a value.", "Give its CURIE.")
    marked = MarkedStatement(
        text.document,
        text.sha,
        spans,
        subject=subject,
        predicate=predicate_of(desk, _with_facts(row, "predicate")),
        object=object_,
        negated=flag_of(row.get("negated", False)),
        modality=modality_of(row.get("modality", Modality.ASSERTED)),
        qualifiers=tuple(
            qualifier_of(desk, qualifier) for qualifier in row.get("qualifiers") or ()
        ),
        subject_words=_words_within(text.text, spans, subject),
        object_words=_words_within(text.text, spans, object_),
    )
    stored = stored_text(desk, row, text)
    return replace(marked, document=stored.document, version=stored.sha)


def text_and_quotes(desk: HasStore, row: Json) -> tuple[TextVersion, tuple[Span, ...]]:
    """The text that a row of JSON speaks of, which `stored_text` is yet to keep, and where its
    quotes stand in it, in code points.
    """
    if not isinstance(row, Mapping):
        raise InputError("A proposal is a JSON object.", 'For example {"document": "PMID:1", …}.')
    text = _text_of(desk, row)
    raw = row.get("quote", row.get("quotes"))
    quotes = raw if isinstance(raw, list) else [raw]
    start = row.get("start")
    if start is not None and (isinstance(start, bool) or not isinstance(start, int)):
        raise InputError("`start` is a whole number: characters from the start of the text.")
    spans = tuple(
        quote_span(text.text, typed_words(quote, "quote", LONGEST_QUOTE), start) for quote in quotes
    )
    return text, spans


def from_spans(desk: HasVocabularies, message: Mapping[str, Any]) -> MarkedStatement:
    """A marking as the page says it: document, version, quotes as [start, end] pairs, and subject
    and object with the place of their words (start, end), all in code points. Raises InputError.
    """
    subject, object_ = message.get("subject"), message.get("object")
    if not isinstance(subject, Mapping) or not isinstance(object_, Mapping):
        raise InputError("A statement needs a subject and an object.", "Select words for both.")
    subject_term, second = thing_of(desk, subject, "subject"), thing_of(desk, object_, "object")
    if isinstance(subject_term, Literal):
        raise InputError("The subject is a term, not a value.", "Choose a term.")
    quotes = message.get("quotes")
    return MarkedStatement(
        typed_words(message.get("document"), "document"),
        typed_words(message.get("version"), "text version"),
        tuple(_span(quote) for quote in quotes) if isinstance(quotes, list) else (),
        subject=subject_term,
        predicate=predicate_of(desk, message.get("predicate")),
        object=second,
        negated=flag_of(message.get("negated", False)),
        modality=modality_of(message.get("modality", Modality.ASSERTED)),
        qualifiers=tuple(
            qualifier_of(desk, qualifier) for qualifier in message.get("qualifiers") or ()
        ),
        subject_words=_span([subject.get("start"), subject.get("end")]),
        object_words=_span([object_.get("start"), object_.get("end")]),
    )


def span_from_page(
    desk: HasVocabularies, message: Mapping[str, Any]
) -> tuple[str, str, Span, Term]:
    """A mention whose words were corrected, as the page says it: document, text version, the new
    start and end in code points, and its term. Raises InputError.
    """
    term = thing_of(desk, message.get("term"), "term")
    if isinstance(term, Literal):
        raise InputError("A mention stands for a term, not a value.", "Choose a term.")
    return (
        typed_words(message.get("document"), "document"),
        typed_words(message.get("version"), "text version"),
        _span([message.get("start"), message.get("end")]),
        term,
    )


def words_and_term(desk: HasVocabularies, message: Mapping[str, Any]) -> tuple[str, Term]:
    """Words and the term that they are to mean, as the page says them. Raises InputError."""
    term = thing_of(desk, message.get("term"), "term")
    if isinstance(term, Literal):
        raise InputError("Words mean a term, not a value.", "Choose a term.")
    return typed_words(message.get("words"), "words"), term


def predicate_from_page(message: Mapping[str, Any]) -> tuple[str, str, tuple[Category, Category]]:
    """A predicate of one's own as the page says it: its words, the schema that is to have it, and
    the kinds of its two ends. Raises InputError.
    """
    kinds = [str(message.get("subject")), str(message.get("object"))]
    if any(kind not in set(Category) for kind in kinds):
        raise InputError("A predicate stands between two things.", "Choose both terms first.")
    subject, object_ = (Category(kind) for kind in kinds)
    name = typed_words(message.get("words"), "predicate")
    return name, typed_words(message.get("schema"), "schema"), (subject, object_)


def _span(pair: Json) -> Span:
    ends = pair if isinstance(pair, list) else []
    if len(ends) != 2 or any(isinstance(n, bool) or not isinstance(n, int) for n in ends):
        raise InputError("A place in the text is two whole numbers.", "Select the words again.")
    return Span(*ends)


def result_json(result: MarkingResult) -> Json:
    """What the command line says of a marking."""
    grounds = [piece.ground for piece in result.evidence if isinstance(piece.ground, TextGround)]
    return {
        "id": result.record.id,
        "version": result.record.version,
        "state": str(result.record.state),
        "new": result.new,
        "agent": MANUAL,
        **({"waits_because": result.waits_because} if result.waits_because else {}),
        "support": support_json(result.support),
        "evidence": [
            {
                "id": piece.id,
                "document": ground.document,
                "start": ground.span.start,
                "end": ground.span.end,
                "quote": ground.quote,
            }
            for piece, ground in zip(result.evidence, grounds, strict=True)
        ],
        "problems": [
            {"code": p.code, "severity": str(p.severity), "message": p.message}
            for p in result.problems
        ],
    }


def propose_rows(
    desk: HasProjectTerms, rows: Iterable[Json | InputError], curator: Curator, approve: bool
) -> Iterator[Json]:
    """A line of result for each, in order, as soon as it is stored. The same lines again change
    nothing, so that a file whose reading was cut short is simply sent again. Raises StoreError.
    """
    lines = iter(rows)
    while part := list(islice(lines, AT_ONCE)):
        yield from retry_while_away(partial(_propose_part, desk, part, curator, approve))


def _propose_part(
    desk: HasProjectTerms, rows: Sequence[Json | InputError], curator: Curator, approve: bool
) -> list[Json]:
    with desk.store.together():
        return [propose_row(desk, row, curator, approve) for row in rows]


def propose_row(
    desk: HasProjectTerms, row: Json | InputError, curator: Curator, approve: bool
) -> Json:
    """The line of result for one line of input; {error} for one that cannot be used."""
    try:
        if isinstance(row, InputError):
            raise row
        result = propose_marking(desk, from_json(desk, row), curator, approve=approve)
        return result_json(result) | unread_keys(row, _read_of_line)
    except StoreError:  # what was to be stored with this line is lost as well
        raise
    except GroundworkError as error:
        return {"error": str(error)}


def _read_of_line(row: Mapping[str, Any]) -> Reads:
    """Label and category beside a subject or object are read where it is an id alone."""
    ids_alone = [end for end in _ENDS if not isinstance(row.get(end), Mapping)]
    beside = (f"{end}_{fact}" for end in ids_alone for fact in ("label", "category"))
    return {
        **dict.fromkeys((*_PLAIN, *beside)),
        **dict.fromkeys(_ENDS, _read_of_thing),
        "qualifiers": lambda _: {"name": None, "value": _read_of_thing},
    }


def _read_of_thing(thing: Mapping[str, Any]) -> Reads:
    value_or_term = pick_keys("value", "datatype", "unit") if "value" in thing else _TERM
    return value_or_term(thing)


def _text_of(desk: HasStore, row: Mapping[str, Any]) -> TextVersion:
    """The text that is quoted: of a document of the project (the newest version that holds the
    quote), or one that comes along and is not stored yet.
    """
    if isinstance(row.get("text"), str):
        draft = text_version("", row["text"], "pasted")
        name = row.get("document") or f"doc:{draft.sha[:16]}"
        return replace(draft, document=curie_of(name, "document"))
    name = row.get("document")
    if not isinstance(name, str) or not name.strip():
        raise InputError("Which text is quoted?", "Give `document` or `text`.")
    document = desk.store.documents.get(name.strip())
    texts = desk.store.documents.texts(document.id)
    if version := row.get("version"):
        texts = [text for text in texts if text.sha == version]
    if not texts:
        raise NotFound(
            f"No text of {document.id} is stored in this project.",
            "Read it on Extract or Documents first, or give `text`.",
        )
    quote = row.get("quote")
    first_quote = quote[0] if isinstance(quote, list) and quote else quote
    words = first_quote.split() if isinstance(first_quote, str) else []
    holding = [text for text in texts if words and " ".join(words) in " ".join(text.text.split())]
    return (holding or texts)[-1]


def stored_text(desk: HasStore, row: Mapping[str, Any], text: TextVersion) -> TextVersion:
    """The text as the project keeps it: one that came along with a row is stored only once all of
    that row can be used.
    """
    if not isinstance(row.get("text"), str):
        return text
    document = desk.store.documents.add(Document(text.document))
    return desk.store.documents.add_text(replace(text, document=document.id))


def _with_facts(row: Mapping[str, Any], role: str) -> Json:
    """A subject, predicate or object with the label and category that stand beside its id."""
    value = row.get(role)
    if isinstance(value, Mapping):
        return value
    facts = {name: row.get(f"{role}_{name}") for name in ("label", "category")}
    return {"id": value} | facts if any(facts.values()) else value


def _words_within(text: str, quotes: Sequence[Span], thing: Term | Literal) -> Span | None:
    """Where the label of a thing stands in its quotes, if it does as a word of its own."""
    if not isinstance(thing, Term) or not thing.label.strip():
        return None
    pattern = re.compile(rf"(?<!\w){re.escape(thing.label)}(?!\w)", re.IGNORECASE)
    matches = (pattern.search(text, quote.start, quote.end) for quote in quotes)
    return next((Span(*match.span()) for match in matches if match), None)


@dataclass(frozen=True, slots=True)
class CorrectedWords:
    """A mention as a curator corrected it. `teaches`: the project does not take its words for its
    term yet, so that they are worth remembering.
    """

    document: str
    mention: Mention
    teaches: bool


def correct_span(
    desk: HasProjectTerms, document: str, version: str, span: Span, *, term: Term, curator: Curator
) -> CorrectedWords:
    """Say that a mention of this term stands at this span of a text, half-open in code points: it
    takes the place of every mention that it overlaps. What runs found and statements quote stays
    as it is. Raises InputError for a span that holds no words, NotFound for a text that is not in
    the project.
    """
    person = checked_curator(curator.orcid, curator.name)
    desk.store.curators.need(person.orcid, Role.CURATOR)
    text = desk.store.documents.text(version, document)
    mention = manual_mention(text, "mention", term, span, person=person)
    if not term.id:  # its words were corrected; whether a term fits was not asked
        mention = replace(mention, outcome=Outcome.UNGROUNDED)
    kept_run(desk, text, person, (mention,), id=desk.new_id())
    return CorrectedWords(text.document, mention, _teaches(desk, mention.text, term))


def remember_words(desk: HasProjectTerms, words: str, term: Term, curator: Curator) -> None:
    """From the next text on these words mean this term. It is listed on Vocabularies › Memory, and
    can be taken back there.
    """
    person = checked_curator(curator.orcid, curator.name)
    desk.store.curators.need(person.orcid, Role.CURATOR)
    scope = "" if term.category is Category.THING else str(term.category)
    memory.remember_meaning(desk, words, term.id, person.orcid, label=term.label, scope=scope)


def correct_row(desk: HasProjectTerms, row: Json, curator: Curator, remember: bool) -> Json:
    """A correction as JSON: document, quote (the words; with start, the place where they stand) and
    term (a CURIE, or {id, label, category}). Raises InputError or NotFound.
    """
    text, spans = text_and_quotes(desk, row)
    term = thing_of(desk, row.get("term"), "term")
    if isinstance(term, Literal):
        raise InputError("A mention stands for a term, not a value.", "Give its CURIE.")
    if len(spans) != 1:
        raise InputError("A mention has one place in a text.", "Give one quote.")
    text = stored_text(desk, row, text)
    corrected = correct_span(desk, text.document, text.sha, spans[0], term=term, curator=curator)
    words = corrected.mention.text
    if remember and corrected.teaches:
        remember_words(desk, words, term, curator)
    return {
        "document": corrected.document,
        "words": words,
        "start": spans[0].start,
        "end": spans[0].end,
        "id": term.id,
        "label": term.label,
        "remembered": remember or not corrected.teaches,
    }


def _teaches(desk: HasVocabularies, words: str, term: Term) -> bool:
    if not term.id:
        return False
    everything = Constraint(desk.vocabulary_registry.ordered(term.category))
    now = desk.grounder().ground(words, everything, limit=1, loose=False)
    return not now or now[0].term.id != term.id
