"""The term of a mention as a curator chooses it: how clear its candidates are, a search for others,
and choices taken back. Choices are only ever appended, so the one before is written down again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.desk_parts import HasEngines, HasProjectTerms, HasStore
from core.errors import InputError, NotFound
from core.extraction.mention_grounding import grounding
from core.extraction.tree import Extraction
from core.grounding.choice import score_margin, tied_candidates
from core.grounding.constraint.constraint import kinds_of_term
from core.grounding.match import normalise
from core.model import Candidate, Mention, Outcome
from core.schema.definition import Schema
from core.services.extract.engines import chosen_by_hand
from core.services.extract.result import NONE_FITS
from core.services.extract.run import schema_of
from core.services.extract.species import with_set_species
from core.services.vocabularies import remote
from core.services.vocabularies.same_things import preferred_first
from core.store.run import MentionChoice


def search_terms(
    desk: HasProjectTerms, run: str, cls: str, words: str, *, limit: int = 12
) -> tuple[Candidate, ...]:
    """Terms that may fill class `cls` of a run's schema, whose names hold the words, or whose id
    they are; of a thing that has several ids the one that the class prefers comes first.
    """
    constraint = grounding(schema_of(desk, desk.store.runs.get(run)), desk.grounder()).constraint(
        cls
    )
    candidates = desk.grounder().search(words, constraint, limit)
    order = constraint.vocabularies or constraint.prefixes
    offered = preferred_first(desk, candidates, order)
    return tuple(each for each in offered if constraint.allows(each.term.id))[:limit]


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


def tie_words(mention: Mention) -> str:
    """`2 terms fit equally well`; empty where nothing is tied, or a curator has decided."""
    tied = tied_candidates(mention.candidates) if mention.outcome is Outcome.AMBIGUOUS else ()
    return f"{len(tied)} terms fit equally well" if tied else ""


def margin_to_second(mention: Mention) -> float | None:
    """By how much the first candidate is better than the second, 0 to 1; None where there is no
    second, and where a curator chose.
    """
    if len(mention.candidates) < 2 or (mention.chosen and chosen_by_hand(mention.chosen_by)):
        return None
    return score_margin(mention.candidates)


def kind_words(schema: Schema, cls: str, candidate: Candidate) -> str:
    """Of which kind a term is, where the class stands for several: `Drug`, `Drug or Food`."""
    return " or ".join(kinds_of_term(schema, cls, candidate.term, candidate.vocabulary))


def undoable_slots(desk: HasStore, run_id: str) -> frozenset[str]:
    """The slots whose last choice can be taken back."""
    return frozenset(slot for slot, stack in _stacks(desk, run_id).items() if len(stack) > 1)


def take_back_choice(desk: HasStore, run_id: str, slot: str) -> tuple[str, ...]:
    """Restore what stood at `slot` before its last choice, with the name of who chose it, and at
    every slot that was chosen in the same gesture; a project synonym that the choice made is taken
    out. Gives the slots that changed.

    Raises InputError where nothing was chosen.
    """
    stacks = _stacks(desk, run_id)
    stack = stacks.get(slot, ())
    if len(stack) < 2:
        raise InputError("Nobody has chosen a term here.", "There is nothing to take back.")
    last_choice = stack[-1]
    together = {
        name: choices
        for name, choices in stacks.items()
        if len(choices) > 1 and _gesture(choices[-1], last_choice)
    }
    time = desk.clock()
    desk.store.runs.add_choices([replace(choices[-2], time=time) for choices in together.values()])
    _forget(desk, run_id, slot, last_choice)
    return tuple(together)


def _stacks(desk: HasStore, run_id: str) -> Mapping[str, list[MentionChoice]]:
    """By slot: what the engine chose, then each choice that stands upon it. Choosing again what
    stood before takes the last one off.
    """
    stacks = {m.slot: [_own(run_id, m)] for m in _raw(desk, run_id).mentions}
    for mention_choice in desk.store.runs.choice_history(run_id):
        stack = stacks.get(mention_choice.slot)
        if stack is None:
            continue
        if len(stack) > 1 and _same(mention_choice, stack[-2]):
            stack.pop()
        elif not _same(mention_choice, stack[-1]):
            stack.append(mention_choice)
    return stacks


def _raw(desk: HasStore, run_id: str) -> Extraction:
    raw = desk.store.runs.extraction(run_id)
    if raw is None:
        raise NotFound(f"Run {run_id} has no result yet.", "Wait for its job, or resume it.")
    return with_set_species(desk, run_id, raw)


def _own(run_id: str, mention: Mention) -> MentionChoice:
    return MentionChoice(
        run_id,
        mention.slot,
        mention.outcome,
        term=mention.chosen,
        curator=mention.chosen_by,
        time="",
    )


def _same(mention_choice: MentionChoice, other_choice: MentionChoice) -> bool:
    return (mention_choice.outcome, mention_choice.term, mention_choice.curator) == (
        other_choice.outcome,
        other_choice.term,
        other_choice.curator,
    )


def _gesture(mention_choice: MentionChoice, other_choice: MentionChoice) -> bool:
    return _same(mention_choice, other_choice) and mention_choice.time == other_choice.time


def _forget(desk: HasStore, run_id: str, slot: str, mention_choice: MentionChoice) -> None:
    """Take out the synonym or the refusals that this choice made; what was known before stays."""
    mention = next((m for m in _raw(desk, run_id).mentions if m.slot == slot), None)
    normal = normalise.name_key(mention.text if mention else "")
    for rule in desk.store.link_rules.all() if mention_choice.term is None else ():
        made_here = rule.reason == NONE_FITS and rule.time >= mention_choice.time
        if made_here and (rule.normal, rule.curator) == (normal, mention_choice.curator):
            desk.store.link_rules.remove(rule.id)
    for synonym in desk.store.synonyms.all():
        same = (
            mention_choice.term is not None
            and synonym.term.id == mention_choice.term.id
            and synonym.normal == normal
        )
        if (
            same
            and synonym.curator == mention_choice.curator
            and synonym.time >= mention_choice.time
        ):
            desk.store.synonyms.remove(synonym.id)
