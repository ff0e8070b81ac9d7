"""What a file of others may ask to be stored: names and scores within limits."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import InputError
from core.kb.read.rdf import ReadStatements
from core.model import Evidence, Literal, Problem, Severity, Statement

LONGEST_NAME = 2_000  # characters of a label
LONGEST_VALUE = 100_000  # characters of a literal


def check_storable(statement: Statement, evidence: Sequence[Evidence]) -> None:
    """Raises InputError for a label or a value that is too long and a score that is none."""
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


def storable(read_statements: ReadStatements) -> ReadStatements:
    """Those that can be stored; a problem for each of the others."""
    proposals, problems = [], list(read_statements.problems)
    for statement, evidence in read_statements.proposals:
        try:
            check_storable(statement, evidence)
            proposals.append((statement, evidence))
        except InputError as error:
            problems.append(
                Problem(
                    "not-a-statement",
                    f"It cannot be stored: {error}.",
                    Severity.ERROR,
                    statement.id[:15],
                    "It is left out.",
                )
            )
    return ReadStatements(tuple(proposals), tuple(problems))
