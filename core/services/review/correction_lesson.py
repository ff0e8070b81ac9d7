"""What a correction on Review teaches: the words of the text mean the term that the curator put in
the place of another, from the next text on. It is listed on Vocabularies › Memory, and can be taken
back there.

Only where the words can mean it: it was among what they may mean, or bears one of their words. Who
writes "lung cancer" for "tumour" says what one text speaks of, and nothing of the word.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.desk_parts import HasStore
from core.extraction.tree import Extraction  # loaded: runs are stored as it
from core.grounding.match import normalise
from core.grounding.match.rare_words import LIGHT, stems
from core.model import Decision, Mention, Statement, Term
from core.store import StatementRecord


def remember_correction(
    desk: HasStore, record: StatementRecord, corrected: Statement, curator: str
) -> None:
    """Remember the terms that a correction of this statement put in the place of others."""
    for words, term in _lessons(desk, record, corrected):
        desk.store.synonyms.add(words, normalise.name_key(words), term, curator)


def forget_correction(
    desk: HasStore, record: StatementRecord, corrected: Statement, decision: Decision
) -> None:
    """Take back what this correction taught; what was known before it stays."""
    taught = {
        (normalise.name_key(words), term.id) for words, term in _lessons(desk, record, corrected)
    }
    for synonym in desk.store.synonyms.all() if taught else ():
        of_this = synonym.curator == decision.curator and synonym.time >= decision.time
        if of_this and (synonym.normal, synonym.term.id) in taught:
            desk.store.synonyms.remove(synonym.id)


def _lessons(
    desk: HasStore, record: StatementRecord, corrected: Statement
) -> Iterator[tuple[str, Term]]:
    """The words that a correction gives another term."""
    ends = (
        ("subject", record.statement.subject, corrected.subject),
        ("object", record.statement.object, corrected.object),
    )
    for end, before, after in ends:
        if not (isinstance(before, Term) and isinstance(after, Term)):
            continue
        if after.id and after.id != before.id:
            for mention in _mentions(desk, record, end, before):
                if _may_mean(mention, after):
                    yield mention.text, after


def _mentions(desk: HasStore, record: StatementRecord, end: str, term: Term) -> Iterator[Mention]:
    """The words that were taken for a term at an end of a statement, in the runs it is from."""
    for run, path in dict.fromkeys((piece.run, piece.path) for piece in record.evidence):
        extraction: Extraction | None = desk.store.runs.extraction(run) if run and path else None
        for mention in extraction.mentions if extraction else ():
            chosen_id = mention.chosen.id if mention.chosen else ""
            if mention.slot == f"{path}.{end}" and chosen_id == term.id:
                yield mention


def _may_mean(mention: Mention, term: Term) -> bool:
    if any(candidate.term.id == term.id for candidate in mention.candidates):
        return True
    words, label = (
        stems(normalise.fold_words(text)) - LIGHT for text in (mention.text, term.label)
    )
    return not words.isdisjoint(label)
