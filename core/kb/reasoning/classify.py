"""Classifying: what belongs to which class, what can have no member, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from core.kb.owl.form import Iri, OwlForm, OwlLiteral, Part, functional_syntax
from core.kb.reasoning.definition import DefinedClass, class_iri
from core.kb.reasoning.elk import reason_by_elk
from core.kb.reasoning.entailment import is_entailed_subclass
from core.kb.reasoning.merge import MergedOntology
from core.kb.reasoning.taxonomy import NOTHING, Reasoning

MOST_AXIOMS = 100  # near a thing, that a reasoner is asked about again and again


@dataclass(frozen=True, slots=True)
class Classification:
    """`groups` are the things of each defined class, as (IRI, label) by label. `contradictions` are
    things and defined classes that can have no member. `inferred` are
    pairs of IRIs: what a thing or a defined class was found to be under that nobody had said.
    `outside` names what of the axioms the reasoner does not take into account, `set_aside` counts
    the statements that were not reasoned over.
    """

    groups: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    contradictions: tuple[tuple[str, str], ...] = ()
    inferred: tuple[tuple[str, str], ...] = ()
    outside: tuple[str, ...] = ()
    axioms: int = 0
    module: int = 0
    set_aside: dict[str, int] = field(default_factory=dict)


def classify(
    ontology: MergedOntology,
    definitions: Sequence[DefinedClass],
    base_iri: str,
    reason: Reasoning | None = None,
) -> Classification:
    """The groups of the defined classes, and what cannot be."""
    reason = reason or reason_by_elk
    names = {class_iri(definition.name, base_iri): definition.name for definition in definitions}
    taxonomy = reason(ontology.axioms, list(names))
    impossible = taxonomy.unsatisfiable
    groups = {
        name: tuple(
            sorted(
                ((iri, ontology.labels[iri]) for iri in taxonomy.under[own] - impossible
                 if iri in ontology.things),
                key=lambda pair: (pair[1].casefold(), pair[0]),
            )
        )
        for own, name in names.items()
    }  # fmt: skip
    stated_axioms = {axiom.parts for axiom in ontology.axioms if axiom.operator == "SubClassOf"}
    inferred = sorted(
        (iri, own)
        for own in names
        for iri in taxonomy.under[own] - impossible
        if (iri in ontology.things or iri in names)
        and iri != own
        and (Iri(iri), Iri(own)) not in stated_axioms
    )
    unable = sorted(impossible & (ontology.things.keys() | names.keys()))
    contradictions = tuple((iri, ontology.labels.get(iri, iri)) for iri in unable)
    return Classification(
        groups,
        contradictions,
        tuple(inferred),
        outside=taxonomy.outside,
        axioms=len(ontology.axioms),
        module=ontology.module,
        set_aside={str(kind): number for kind, number in sorted(ontology.set_aside.items())},
    )


def explained_member(
    axioms: Sequence[OwlForm], below: str, above: str, reason: Reasoning | None = None
) -> tuple[OwlForm, ...]:
    """A smallest set of axioms from which `below` is under `above` (QuickXplain, Junker 2004), cut
    down to what is needed of each and confirmed by the reasoner; empty where it is not.
    """
    reason = reason or reason_by_elk
    relevant = leading_to(axioms_about(axioms, below), above)

    def holds(axioms: Sequence[OwlForm]) -> bool:
        taxonomy = reason(axioms, [above] if above != NOTHING else [])
        return below in taxonomy.unsatisfiable or below in taxonomy.under.get(above, ())

    def seems(axioms: Sequence[OwlForm]) -> bool:
        return is_entailed_subclass(axioms, below, above)

    because = needed_parts(_needed([], relevant, seems, False), seems) if seems(relevant) else []
    if not because and len(relevant) <= MOST_AXIOMS and holds(relevant):  # beyond EL
        because = _needed([], relevant, holds, False)
    elif because and not holds(because):
        return ()
    return tuple(sorted(because, key=functional_syntax))


def _needed(
    background: list[OwlForm],
    axioms: list[OwlForm],
    holds: Callable[[Sequence[OwlForm]], bool],
    changed: bool,
) -> list[OwlForm]:
    if changed and holds(background):
        return []
    if len(axioms) == 1:
        return axioms
    half = len(axioms) // 2
    first_half, second = axioms[:half], axioms[half:]
    right = _needed([*background, *first_half], second, holds, bool(first_half))
    needed_left = _needed([*background, *right], first_half, holds, bool(right))
    return [*needed_left, *right]


def axioms_about(axioms: Sequence[OwlForm], start: str) -> list[OwlForm]:
    """The axioms that may say something of a class: those whose left side, or a definition whose
    parts, can be reached from it.
    """
    mentions: dict[str, list[OwlForm]] = {}
    for axiom in axioms:
        defined = axiom.parts if axiom.operator != "SubClassOf" else axiom.parts[:1]
        for iri in {iri for part in defined for iri in _iris(part)}:
            mentions.setdefault(iri, []).append(axiom)
    collected: dict[OwlForm, None] = {}
    visited, waiting = {start}, [start]
    while waiting:
        for axiom in mentions.get(waiting.pop(), ()):
            if axiom not in collected:
                collected[axiom] = None
                new = {iri for part in axiom.parts for iri in _iris(part)} - visited
                visited |= new
                waiting += sorted(new)
    return list(collected)


def leading_to(axioms: Sequence[OwlForm], end: str) -> list[OwlForm]:
    """Of these axioms those from which it may follow that something is under `end`: backwards from
    what they say to what they need.
    """
    says: dict[str, list[OwlForm]] = {}
    for axiom in axioms:
        right = axiom.parts[1:] if axiom.operator == "SubClassOf" else axiom.parts
        names = {iri for part in right for iri in _iris(part)}
        for iri in names | ({NOTHING} if axiom.operator == "DisjointClasses" else set()):
            says.setdefault(iri, []).append(axiom)
    collected: set[OwlForm] = set()
    visited, waiting = {end}, [end]
    while waiting:
        for axiom in says.get(waiting.pop(), ()):
            collected.add(axiom)
            new = {iri for part in axiom.parts for iri in _iris(part)} - visited
            visited |= new
            waiting += new
    return [axiom for axiom in axioms if axiom in collected]


def _iris(part: Part) -> set[str]:
    if isinstance(part, Iri):
        return {part.iri}
    if isinstance(part, OwlLiteral):
        return set()
    parts = part.parts[1:] if part.operator == "ObjectSomeValuesFrom" else part.parts
    return {iri for inner in parts for iri in _iris(inner)}


def owl_in_words(part: Part, labels: dict[str, str]) -> str:
    """An axiom as a person reads it.

    >>> axiom = OwlForm("SubClassOf", (Iri("urn:pizza"), Iri("urn:food")))
    >>> owl_in_words(axiom, {"urn:pizza": "Pizza", "urn:food": "food"})
    'Pizza is a food'
    """
    if isinstance(part, Iri):
        return labels.get(part.iri, part.iri.rpartition("/")[2])
    if isinstance(part, OwlLiteral):
        return part.text
    words = [owl_in_words(inner, labels) for inner in part.parts]
    match part.operator:
        case "SubClassOf":
            joined = words[1] if words[1].startswith("has ") else f"is a {words[1]}"
            return f"{words[0]} {joined}"
        case "EquivalentClasses":
            return f"{words[0]} means: {' = '.join(words[1:])}"
        case "DisjointClasses":
            return f"nothing is both {' and '.join(words)}"
        case "ObjectSomeValuesFrom" if words[1].startswith("has "):
            return f"has {words[0]} › {words[1].removeprefix('has ')}"
        case "ObjectSomeValuesFrom" | "DataHasValue":
            return f"has {words[0]}: {words[1]}"
        case "ObjectIntersectionOf":
            return " and ".join(words)
        case "ObjectUnionOf":
            return " or ".join(words)
    return functional_syntax(part)


SOME, ALL = "ObjectSomeValuesFrom", "ObjectIntersectionOf"


def needed_parts(
    axioms: Sequence[OwlForm], holds: Callable[[Sequence[OwlForm]], bool]
) -> list[OwlForm]:
    """The axioms without the conjuncts that `holds` does not need, one axiom for each that is
    left. What they say of a class can get weaker by this, never stronger.
    """
    needed = list(axioms)
    for place, axiom in enumerate(axioms):

        def enough(weaker: OwlForm, place: int = place) -> bool:
            return holds([*needed[:place], weaker, *needed[place + 1 :]])

        needed[place] = _needed_of_axiom(axiom, enough)
    return [conjunct for axiom in needed for conjunct in _each_conjunct(axiom)]


def _needed_of_axiom(axiom: OwlForm, enough: Callable[[OwlForm], bool]) -> OwlForm:
    if axiom.operator == "EquivalentClasses" and len(axiom.parts) == 2:
        one_way = OwlForm("SubClassOf", axiom.parts)
        axiom = one_way if enough(one_way) else axiom
    if axiom.operator != "SubClassOf":
        return axiom
    left, right = axiom.parts
    weaker = _needed_of(right, lambda part: enough(OwlForm("SubClassOf", (left, part))))
    return OwlForm("SubClassOf", (left, weaker))


def _needed_of(part: Part, enough: Callable[[Part], bool]) -> Part:
    """The expression with the conjuncts alone without which it is not `enough`."""
    if isinstance(part, OwlForm) and part.operator == SOME:
        relation, filler = part.parts
        return OwlForm(
            SOME, (relation, _needed_of(filler, lambda f: enough(OwlForm(SOME, (relation, f)))))
        )
    if isinstance(part, OwlForm) and part.operator == ALL:
        kept = list(part.parts)
        for conjunct in part.parts:
            others = [other for other in kept if other != conjunct]
            if others and enough(_both(others)):
                kept = others
        for place, conjunct in enumerate(kept):
            kept[place] = _needed_of(conjunct, partial(_enough_among, kept, place, enough))
        return _both(kept)
    return part


def _enough_among(
    conjuncts: Sequence[Part], place: int, enough: Callable[[Part], bool], weaker: Part
) -> bool:
    return enough(_both([*conjuncts[:place], weaker, *conjuncts[place + 1 :]]))


def _both(parts: Sequence[Part]) -> Part:
    return parts[0] if len(parts) == 1 else OwlForm(ALL, tuple(parts))


def _each_conjunct(axiom: OwlForm) -> list[OwlForm]:
    left, right = axiom.parts[0], axiom.parts[-1]
    if axiom.operator == "SubClassOf" and isinstance(right, OwlForm) and right.operator == ALL:
        return [OwlForm("SubClassOf", (left, conjunct)) for conjunct in right.parts]
    return [axiom]
