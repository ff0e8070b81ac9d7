"""What a file of others may ask to be stored: ids, names and scores within limits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.errors import InputError
from core.kb.entry import document_of
from core.kb.read.rdf import ReadStatements
from core.kb.read.unread import UnreadParts
from core.model import Evidence, Literal, RecordGround, Statement, Term

LONGEST_ID = 500  # characters
LONGEST_NAME = 2_000  # characters of a label
LONGEST_VALUE = 100_000  # characters of a literal


# White space, controls, signs that nobody sees, half characters and what stands for a broken one.
_NO_SIGN_OF_IDS = re.compile(
    r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ud800-\udfff\ufeff\ufffd]"
)


def check_storable(statement: Statement, evidence: Sequence[Evidence]) -> None:
    """Raises InputError for an id with signs that no id has, a label or a value that is too long
    and a score that is none.
    """
    for id in filter(None, named_ids(statement, evidence)):
        if len(id) > LONGEST_ID or _NO_SIGN_OF_IDS.search(id):
            raise InputError(f"{id[:40]!a} is not an id")
    qualifiers = (qualifier.value for qualifier in statement.qualifiers)
    for thing in (statement.subject, statement.predicate, statement.object, *qualifiers):
        words, longest = (
            (thing.value, LONGEST_VALUE)
            if isinstance(thing, Literal)
            else (thing.label, LONGEST_NAME)
        )
        if len(words) > longest:
            raise InputError(f"“{words[:40]}…” has more than {longest:,} characters")
    scores = [piece.score for piece in evidence if not 0 <= piece.score <= 1]
    if scores:
        raise InputError(f"the score {scores[0]} of its evidence is not between 0 and 1")


def named_ids(statement: Statement, evidence: Sequence[Evidence]) -> Iterator[str]:
    """Every id that the statement and its evidence name."""
    yield statement.document
    for thing in (statement.subject, statement.predicate, statement.object):
        if not isinstance(thing, Literal):
            yield thing.id
    for qualifier in statement.qualifiers:
        if isinstance(qualifier.value, Term):
            yield qualifier.value.id
    for piece in evidence:
        if not isinstance(piece.ground, RecordGround):
            yield document_of(piece)


def storable(read_statements: ReadStatements) -> ReadStatements:
    """Those that can be stored; a problem for each of the others."""
    proposals, unread = [], UnreadParts(read_statements.problems)
    for statement, evidence in read_statements.proposals:
        try:
            check_storable(statement, evidence)
            proposals.append((statement, evidence))
        except InputError as error:
            unread.add(f"It cannot be stored: {error}.", statement.id[:15])
    return ReadStatements(tuple(proposals), unread.problems())
