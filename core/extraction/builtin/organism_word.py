"""Organisms by the words that everyone uses: "in mice", "of human cells", "Drosophila".
Vocabularies list such words for a species, its genus and its kin alike, so that they would name
none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from core.extraction.builtin.groups import MentionGroup
from core.grounding.constraint.constraint import Constraint
from core.grounding.recognise.recogniser import RecognisedMention
from core.grounding.recognise.species import LABELS, named_species
from core.model import Category, Span

# Words for people who take part in a study: they say of whom it speaks, not in which species.
_PEOPLE = frozenset(
    (
        *("patient", "patients", "man", "men", "woman", "women", "child", "children"),
        *("volunteer", "volunteers"),
    )
)

Annotate = Callable[[str, dict[str, Constraint]], Sequence[RecognisedMention]]


def organisms_by_common_word(
    text: str,
    constraints: Mapping[str, Constraint],
    *,
    annotate: Annotate,
    known: Sequence[MentionGroup],
) -> list[MentionGroup]:
    """The `known` groups and the organisms that the text names by a common word, for each class of
    organisms with a vocabulary that has the species. Such a word means nothing else of its class.
    """
    groups = list(known)
    places = [
        place for place in named_species(text) if place[0].quote(text).casefold() not in _PEOPLE
    ]
    for cls, constraint in constraints.items():
        if constraint.category is Category.ORGANISM and places:
            groups = _with_organisms(groups, cls, constraint, places, annotate=annotate)
    return groups


def _with_organisms(
    groups: Sequence[MentionGroup],
    cls: str,
    constraint: Constraint,
    places: Sequence[tuple[Span, str]],
    *,
    annotate: Annotate,
) -> list[MentionGroup]:
    by_taxon: dict[str, list[Span]] = {}
    for span, taxon in places:
        by_taxon.setdefault(taxon, []).append(span)
    meant: dict[str, MentionGroup] = {}
    for taxon, spans in by_taxon.items():
        name = LABELS[taxon]
        candidates = next(
            (
                tuple(one for one in mention.candidates if one.term.id == taxon)
                for mention in annotate(name, {cls: constraint})
                if mention.span == Span(0, len(name))
            ),
            (),
        )
        if candidates:
            meant[taxon] = MentionGroup(taxon, cls, tuple(spans), candidates)
    taken = {span for group in meant.values() for span in group.spans}
    kept = []
    for group in groups:
        if group.cls == cls:
            own = meant.pop(group.key, None)
            places_left = {*group.spans} - taken | {*(own.spans if own else ())}
            group = replace(group, spans=tuple(sorted(places_left, key=lambda span: span.start)))
        kept.append(group)
    return [group for group in kept if group.spans] + list(meant.values())
