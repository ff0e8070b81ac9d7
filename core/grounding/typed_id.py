"""An id that a person typed: the term it names, and what is wrong with it in this place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.curie import preferred_prefix
from core.grounding.candidates import candidate_of
from core.grounding.constraint import branch
from core.grounding.constraint.constraint import Constraint
from core.grounding.index.lexicon import Lexicon, LexiconTerm
from core.grounding.match.mention_match import hit_of_term
from core.grounding.match.name_match import NameMatch
from core.grounding.readers.record import identifier
from core.model import Candidate, MatchKind, Problem, Severity


def typed_curie(id: str, constraint: Constraint) -> str:
    """The CURIE that was meant: `123` alone takes the constraint's prefix if it has only one. Empty
    if it is none.

    >>> mondo = Constraint(prefixes=("MONDO",))
    >>> typed_curie("0005148", mondo), typed_curie("mesh:D003924", mondo)
    ('MONDO:0005148', 'MESH:D003924')
    """
    only = preferred_prefix(constraint.prefixes[0]) if len(constraint.prefixes) == 1 else ""
    return identifier(id, only)


def check_id(
    id: str, constraint: Constraint, lexicons: Iterable[Lexicon]
) -> tuple[Candidate | None, tuple[Problem, ...]]:
    """The term of a typed id in the first of `lexicons` that has it, and what is wrong with it.
    None when none has it.
    """
    curie = typed_curie(id, constraint)
    if not curie:
        return None, (_error("malformed-id", f"{id[:60]!r} is not an id of the form PREFIX:123."),)
    for lexicon in lexicons:
        if term := lexicon.term(curie):
            return _checked(lexicon, term, constraint)
    message = f"No vocabulary of this project has {curie}."
    return None, (_error("unknown-id", message, "Check for typing errors, or add the vocabulary."),)


def _checked(
    lexicon: Lexicon, term: LexiconTerm, constraint: Constraint
) -> tuple[Candidate, tuple[Problem, ...]]:
    problems = []
    if not constraint.allows(term.id):
        allowed = ", ".join(constraint.prefixes) or constraint.pattern
        problems.append(
            _error("wrong-prefix", f"{term.id} is not allowed here.", f"Allowed: {allowed}.")
        )
    if term.obsolete:
        hint = f"Use {term.replaced_by}." if term.replaced_by else "Choose another term."
        problems.append(_error("obsolete-id", f"{term.id} ({term.label}) is obsolete.", hint))
    if constraint.value_sets and not lexicon.has_hierarchy:
        problems.append(branch.unchecked(lexicon))
    elif not branch.in_value_sets(lexicon, term.id, constraint.value_sets):
        names = ", ".join(value_set.name for value_set in constraint.value_sets)
        problems.append(_error("outside-value-set", f"{term.id} ({term.label}) is not in {names}."))
    match = NameMatch(hit_of_term(term), MatchKind.CURATOR, 1.0)
    candidate = candidate_of(lexicon, term.id, term.label, match, constraint=constraint)
    return replace(candidate, obsolete=term.obsolete, replaced_by=term.replaced_by), tuple(problems)


def _error(code: str, message: str, hint: str = "") -> Problem:
    return Problem(code, message, Severity.ERROR, hint=hint)
