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
from core.model import Mention, Statement, Term
from core.store import StatementRecord


def remember_correction(
    desk: HasStore, record: StatementRecord, corrected: Statement, curator: str
) -> None:
    """Remember the terms that a correction of this statement put in the place of others."""
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
                    key = normalise.name_key(mention.text)
                    desk.store.synonyms.add(mention.text, key, after, curator)


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
