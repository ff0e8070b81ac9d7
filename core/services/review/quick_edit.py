"""A correction in a few keys: another term, the ends swapped, negated or not, a qualifier dropped
or added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.desk_parts import HasVocabularies
from core.errors import InputError
from core.model import Literal, Modality, Node, Qualifier, Statement, Term, Thing
from core.services.review.typed_thing import known_term, predicate_of

ROLES = ("subject", "predicate", "object")
MOST_ADDED = 10  # qualifiers in one correction
LONGEST = 200  # characters of a qualifier's name and value


@dataclass(frozen=True, slots=True)
class QuickEdit:
    """What differs. `terms` are CURIEs by role (subject, predicate, object), before any swap;
    `dropped` numbers of qualifiers from 0; `added` pairs of name and value, where a value that is a
    CURIE of an installed vocabulary means its term.
    """

    terms: Mapping[str, str] = field(default_factory=dict)
    swap: bool = False
    negated: bool | None = None
    modality: Modality | None = None
    dropped: tuple[int, ...] = ()
    added: tuple[tuple[str, str], ...] = ()


def from_browser(message: Any) -> QuickEdit:
    """What a browser sent. Raises InputError for what is no edit."""
    if not isinstance(message, Mapping):
        raise InputError("A correction needs what to change.")
    terms, modality = message.get("terms") or {}, str(message.get("modality") or "")
    added = message.get("added") or []
    if not isinstance(terms, Mapping) or not isinstance(added, list) or len(added) > MOST_ADDED:
        raise InputError("This correction cannot be read.", "Open the edit form instead.")
    if modality and modality not in list(Modality):
        raise InputError(f"{modality[:40]!r} is not a modality.", f"One of: {', '.join(Modality)}.")
    negated = message.get("negated")
    return QuickEdit(
        {role: str(terms[role])[:LONGEST] for role in ROLES if terms.get(role)},
        message.get("swap") is True,
        negated if isinstance(negated, bool) else None,
        modality=Modality(modality) if modality else None,
        dropped=tuple(n for n in message.get("dropped") or () if isinstance(n, int)),
        added=tuple(
            (str(pair[0])[:LONGEST], str(pair[1])[:LONGEST]) for pair in added if len(pair) == 2
        ),
    )


def edited_statement(
    desk: HasVocabularies, statement: Statement, edit: QuickEdit, offered: Mapping[str, Term]
) -> Statement:
    """The statement with the changes. `offered` are the terms, by CURIE, that the curator was shown
    as candidates; another one must be in an installed vocabulary. Raises InputError.
    """
    subject = _edited_thing(desk, "subject", statement.subject, edit, offered=offered)
    object_ = _edited_thing(desk, "object", statement.object, edit, offered=offered)
    predicate = statement.predicate
    if name := edit.terms.get("predicate"):
        predicate = offered.get(name) or predicate_of(desk, name)
    if edit.swap:
        subject, object_ = object_, subject
    if not isinstance(subject, Term | Node):
        raise InputError("A value cannot be the subject.", "Open the edit form instead.")
    if missing := [n for n in edit.dropped if not 0 <= n < len(statement.qualifiers)]:
        raise InputError(f"It has no qualifier {missing[0] + 1}.", "Look at it again.")
    stay = [qualifier for n, qualifier in enumerate(statement.qualifiers) if n not in edit.dropped]
    return replace(
        statement,
        subject=subject,
        predicate=predicate,
        object=object_,
        negated=statement.negated if edit.negated is None else edit.negated,
        modality=edit.modality or statement.modality,
        qualifiers=(*stay, *(qualifier_of(desk, *pair) for pair in edit.added)),
    )


def _edited_thing(
    desk: HasVocabularies, role: str, now: Thing, edit: QuickEdit, *, offered: Mapping[str, Term]
) -> Thing:
    name = edit.terms.get(role)
    if not name:
        return now
    if not isinstance(now, Term):
        raise InputError(f"The {role} is not a term.", "Open the edit form instead.")
    term = offered.get(name) or known_term(desk, name)
    if term is None:
        raise InputError(
            f"{name[:60]} is not in an installed vocabulary.", "Open the edit form and search."
        )
    return term


def qualifier_of(desk: HasVocabularies, name: str, value: str) -> Qualifier:
    words, value_words = "_".join(name.split()).casefold(), value.strip()
    if not words or not value_words:
        raise InputError("A qualifier needs a name and a value.", "For example: species, human.")
    thing = known_term(desk, value_words) if ":" in value_words else None
    return Qualifier(words, thing or Literal(value_words))
