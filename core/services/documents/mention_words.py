"""The words of a mention, corrected by hand: which words of a text stand for a term, and whether
they are to mean it from now on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.desk_parts import HasProjectTerms, HasVocabularies
from core.errors import InputError
from core.grounding.constraint.constraint import Constraint
from core.model import Category, Curator, Json, Literal, Mention, Outcome, Role, Span, Term
from core.services.documents.marking import kept_run, manual_mention
from core.services.documents.marking_row import stored_text, text_and_quotes
from core.services.people.orcid import checked_curator
from core.services.review.typed_thing import thing_of
from core.services.vocabularies import memory


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
