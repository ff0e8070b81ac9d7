"""Whether a few axioms say that one class is under another: the completion rules of EL (Baader,
Brandt, Lutz 2005), over what can be reached from that class alone.

An explanation asks this dozens of times of a few axioms; a reasoner, made for many, takes a quarter
of a second each time. What is outside EL is a name without meaning here: what is found is right,
but not all may be found. The reasoner has the last word on every explanation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.kb.owl.form import Iri, OwlForm, Part
from core.kb.reasoning.taxonomy import NOTHING

BOTTOM = Iri(NOTHING)
SOME, ALL, ANY = "ObjectSomeValuesFrom", "ObjectIntersectionOf", "ObjectUnionOf"


def is_entailed_subclass(axioms: Sequence[OwlForm], below: str, above: str) -> bool:
    """Whether `below` is under `above` (IRIs of classes) by these axioms.

    >>> steps = [("urn:pizza", "urn:food"), ("urn:food", "urn:thing")]
    >>> axioms = [OwlForm("SubClassOf", (Iri(below), Iri(above))) for below, above in steps]
    >>> is_entailed_subclass(axioms, "urn:pizza", "urn:thing")
    True
    """
    rules = EntailmentRules(axioms)
    start = Iri(below)
    supers: dict[Part, set[Part]] = {start: {start}}
    changed = True
    while changed:
        changed = False
        for thing in list(supers):
            before = len(supers[thing])
            rules.complete(thing, supers)
            changed |= len(supers[thing]) > before
        for filler in [filler_of(part) for forms in supers.values() for part in forms]:
            if filler is not None and filler not in supers:
                supers[filler] = {filler}
                changed = True
    return bool({Iri(above), BOTTOM} & supers[start])


def filler_of(part: Part) -> Part | None:
    """`C` of `some R C`."""
    return part.parts[1] if isinstance(part, OwlForm) and part.operator == SOME else None


class EntailmentRules:
    """Axioms as steps from what holds of a thing to what holds too."""

    def __init__(self, axioms: Iterable[OwlForm]) -> None:
        self.above: dict[Part, set[Part]] = {}
        self.apart: list[frozenset[Part]] = []
        self.wider: dict[Part, set[Part]] = {}
        self.asked: set[OwlForm] = set()  # expressions that something is said of
        for axiom in axioms:
            match axiom.operator:
                case "SubClassOf":
                    self._step(axiom.parts[0], axiom.parts[1])
                case "EquivalentClasses":
                    for left_part in axiom.parts:
                        for right in axiom.parts:
                            self._step(left_part, right)
                case "DisjointClasses":
                    self.apart.append(frozenset(axiom.parts))
                    for part in axiom.parts:
                        self._ask(part)
                case "SubObjectPropertyOf":
                    self.wider.setdefault(axiom.parts[0], set()).add(axiom.parts[1])

    def _step(self, left_part: Part, right: Part) -> None:
        self.above.setdefault(left_part, set()).add(right)
        self._ask(left_part)

    def _ask(self, part: Part) -> None:
        if isinstance(part, OwlForm):
            self.asked.add(part)
            for inner in part.parts:
                self._ask(inner)

    def complete(self, thing: Part, supers: dict[Part, set[Part]]) -> None:
        """Add to what is said of a thing what follows by one step from all that is said."""
        supers_of_thing = supers[thing]
        new: set[Part] = set()
        for part in supers_of_thing:
            # A ⊑ B: what is under A is under B
            new |= self.above.get(part, set())
            # X ⊑ B ⊓ C: X is under B and under C
            if isinstance(part, OwlForm) and part.operator == ALL:
                new.update(part.parts)
            if isinstance(part, OwlForm) and part.operator == SOME:
                # X ⊑ ∃r.C where nothing can be a C: nothing can be an X
                if BOTTOM in supers.get(part.parts[1], ()):
                    new.add(BOTTOM)
                # r ⊑ s: X ⊑ ∃r.C gives X ⊑ ∃s.C
                new.update(OwlForm(SOME, (wider, part.parts[1])) for wider in self._wider(part))
        ties = [
            part.parts
            for part in supers_of_thing
            if isinstance(part, OwlForm) and part.operator == SOME
        ]
        # the other way: X is under an expression that an axiom speaks of when it is under all parts
        # of ⊓, under one part of ⊔, or tied by r to something that is under C (∃r.C)
        for asked_part in self.asked - supers_of_thing:
            parts = asked_part.parts
            if (
                (asked_part.operator == ALL and supers_of_thing.issuperset(parts))
                or (asked_part.operator == ANY and not supers_of_thing.isdisjoint(parts))
                or (
                    asked_part.operator == SOME
                    and any(r == parts[0] and parts[1] in supers.get(f, ()) for r, f in ties)
                )
            ):
                new.add(asked_part)
        # X ⊑ A and X ⊑ B where A and B are disjoint: nothing can be an X
        if any(len(apart & supers_of_thing) > 1 for apart in self.apart):
            new.add(BOTTOM)
        supers_of_thing |= new

    def _wider(self, tie: OwlForm) -> set[Part]:
        return self.wider.get(tie.parts[0], set())
