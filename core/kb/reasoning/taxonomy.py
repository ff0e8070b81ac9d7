"""What goes to a reasoner and what comes back: axioms, then a taxonomy of classes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.kb.owl.form import EntityKind, OwlForm, functional_syntax, iris_in_form

NOTHING = "http://www.w3.org/2002/07/owl#Nothing"
THING = "http://www.w3.org/2002/07/owl#Thing"
DECLARED = {EntityKind.CLASS: "Class", EntityKind.OBJECT_PROPERTY: "ObjectProperty"}
OUTSIDE = "# outside: "  # begins a line that names what was not reasoned over
# `SubClassOf( <http://e/A> <http://e/B> )`, `EquivalentClasses(owl:Nothing <http://e/D>)`
_AXIOM = re.compile(r"\s*(SubClassOf|EquivalentClasses)\s*\(([^()]*)\)")
_NAME = re.compile(r"<([^<>\s]*)>|owl:(Nothing|Thing)\b")


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """What a reasoner found: the classes under each class that was asked for, and those under
    nothing. `outside` names what of the axioms it did not take into account.
    """

    under: dict[str, frozenset[str]]
    unsatisfiable: frozenset[str]
    outside: tuple[str, ...] = ()


Reasoning = Callable[[Iterable[OwlForm], Sequence[str]], Taxonomy]


def document(axioms: Iterable[OwlForm], iri: str = "urn:groundwork:reasoned") -> str:
    """Axioms in functional syntax, everything declared, sorted."""
    all_axioms = list(axioms)
    entities = {pair for axiom in all_axioms for pair in iris_in_form(axiom) if pair[0] in DECLARED}
    declared = sorted(f"Declaration({DECLARED[kind]}(<{name}>))" for kind, name in entities)
    lines = sorted(functional_syntax(axiom) for axiom in all_axioms)
    return "\n".join([f"Ontology(<{iri}>", *declared, *lines, ")\n"])


def taxonomy_lines(taxonomy: Taxonomy) -> Iterable[str]:
    """A taxonomy as `read_taxonomy` reads it."""
    for above, names in sorted(taxonomy.under.items()):
        yield from (f"SubClassOf(<{below}> <{above}>)" for below in sorted(names))
    for name in sorted(taxonomy.unsatisfiable):
        yield f"EquivalentClasses(<{NOTHING}> <{name}>)"
    if taxonomy.outside:
        yield OUTSIDE + " ".join(taxonomy.outside)


def read_taxonomy(lines: Iterable[str], classes: Sequence[str]) -> Taxonomy:
    """A taxonomy in functional syntax, each axiom on a line, as HermiT and ELK write it: direct
    subclasses and groups of classes that mean the same.
    """
    below: dict[str, set[str]] = {}
    outside: tuple[str, ...] = ()
    for line in lines:
        if line.startswith(OUTSIDE):
            outside = tuple(line.removeprefix(OUTSIDE).split())
        elif axiom := _AXIOM.match(line):
            names = [_iri(name) for name in _NAME.finditer(axiom[2])]
            if axiom[1] == "SubClassOf" and len(names) == 2:
                below.setdefault(names[1], set()).add(names[0])
            elif axiom[1] == "EquivalentClasses" and names:
                for name in names[1:]:  # a circle: each reaches the others
                    below.setdefault(names[0], set()).add(name)
                    below.setdefault(name, set()).add(names[0])
    impossible = _reached(below, NOTHING)
    under = {name: _reached(below, name) - impossible - {name} for name in classes}
    return Taxonomy(under, impossible, outside)


def _iri(name: re.Match[str]) -> str:
    if name[1] is not None:
        return name[1]
    return NOTHING if name[2] == "Nothing" else THING


def _reached(below: Mapping[str, set[str]], start: str) -> frozenset[str]:
    reached, waiting = {start}, [start]
    while waiting:
        new = below.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return frozenset(reached - {start, NOTHING})
