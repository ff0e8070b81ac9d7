"""Names for the parts of large definitions, so that HermiT ends.

From “whatever has these parts is such a thing” HermiT makes one rule over all parts together, and
tries every choice of a neighbour for every part: nine ingredients, 9⁹ choices. A part with a class
of its own is a rule of its own. The new classes are equivalent to what they stand for: nothing else
follows from the ontology than before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import TypeGuard

from core.curie import PREFIXES
from core.kb.owl.form import Iri, OwlForm, OwlLiteral, Part, functional_syntax, join_forms
from core.kb.rdf import iri as iris
from core.model import json_digest

LABEL = Iri(PREFIXES["rdfs"] + "label")
MOST = 3  # parts with one property that a definition holds in place
RESTRICTIONS = {"ObjectSomeValuesFrom", "DataHasValue"}


def with_named_parts(axioms: Collection[OwlForm], base_iri: str) -> set[OwlForm]:
    """The axioms, where no definition has more than `MOST` nameless parts with one property.
    A part that names a class, such as “contains some wheat”, stays as it is.
    """
    labels = labels_in(axioms)
    named: set[OwlForm] = set()
    for axiom in axioms:
        if axiom.operator == "EquivalentClasses":
            definition = _shortened(axiom, base_iri, labels, named)
            assert isinstance(definition, OwlForm)
            named.add(definition)
        else:
            named.add(axiom)
    return named


def labels_in(axioms: Iterable[OwlForm]) -> dict[str, str]:
    """The labels that axioms give, by IRI."""
    return {
        axiom.parts[1].iri: axiom.parts[2].text
        for axiom in axioms
        if axiom.operator == "AnnotationAssertion" and axiom.parts[0] == LABEL
        if isinstance(axiom.parts[1], Iri) and isinstance(axiom.parts[2], OwlLiteral)
    }


def _shortened(part: Part, base_iri: str, labels: dict[str, str], named: set[OwlForm]) -> Part:
    """A part with the parts of its intersections named; their definitions go into `named`."""
    if not isinstance(part, OwlForm):
        return part
    parts = [_shortened(inner, base_iri, labels, named) for inner in part.parts]
    if part.operator != "ObjectIntersectionOf":
        return OwlForm(part.operator, tuple(parts))
    counts = Counter(inner.parts[0] for inner in parts if _is_nameless(inner))
    for place, inner in enumerate(parts):
        if _is_nameless(inner) and counts[inner.parts[0]] > MOST:
            digest = json_digest(functional_syntax(inner))[:16]
            name = Iri(iris.local_iri(base_iri, "class", f"part-{digest}"))
            parts[place] = name
            named.add(OwlForm("EquivalentClasses", (name, inner)))
            if words := ", ".join(dict.fromkeys(_words(inner, labels))):
                named.add(OwlForm("AnnotationAssertion", (LABEL, name, OwlLiteral(words))))
    return join_forms(part.operator, parts) or part


def _is_nameless(part: Part) -> TypeGuard[OwlForm]:
    return (
        isinstance(part, OwlForm)
        and part.operator in RESTRICTIONS
        and not isinstance(part.parts[1], Iri)
    )


def _words(part: Part, labels: dict[str, str]) -> Iterator[str]:
    """The values and the labels in a part, in its order."""
    if isinstance(part, OwlLiteral):
        yield part.text
    elif isinstance(part, Iri):
        if label := labels.get(part.iri):
            yield label
    else:
        for inner in part.parts:
            yield from _words(inner, labels)
