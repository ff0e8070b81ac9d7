"""A search box over the vocabularies that a place of an extraction may be grounded to."""

from __future__ import annotations

from core.desk_parts import HasEngines, HasProjectTerms
from core.extraction.mention_grounding import grounding
from core.model import Candidate
from core.services.extract.run import schema_of
from core.services.vocabularies import remote


def search_terms(
    desk: HasProjectTerms, run: str, cls: str, words: str, *, limit: int = 12
) -> tuple[Candidate, ...]:
    """Terms that may fill class `cls` of a run's schema, whose names hold the words, or whose id
    they are.
    """
    constraint = grounding(schema_of(desk, desk.store.runs.get(run)), desk.grounder()).constraint(
        cls
    )
    return desk.grounder().search(words, constraint, limit)


def ask_service(
    desk: HasEngines, run: str, cls: str, service: str, *, words: str, curator: str = ""
) -> tuple[Candidate, ...]:
    """Terms that a remote service (see `usable_services`) offers for words and that class `cls` of
    a run's schema takes. The answer is recorded, which is what proves its ids. Raises what
    `remote.search_service` raises.
    """
    constraint = grounding(schema_of(desk, desk.store.runs.get(run)), desk.grounder()).constraint(
        cls
    )
    candidates = remote.search_service(desk, service, words, curator=curator)
    return tuple(candidate for candidate in candidates if constraint.allows(candidate.term.id))
