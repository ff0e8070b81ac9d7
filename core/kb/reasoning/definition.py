"""Classes that a curator defines: a kind of thing with certain ties, such as *a recipe with a wheat
product*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.kb.owl.form import Iri, OwlForm, Part
from core.kb.rdf import iri as iris

KIND = "kind"  # of a local IRI: a category of things
CLASS = "class"  # of a local IRI: a defined class
RELATION_KIND = "category:"  # begins a kind that is a category, as `category:chemical`


@dataclass(frozen=True, slots=True)
class MembershipCondition:
    """One condition: by these relations (CURIEs, one after another) tied to this term, or to one
    below it. `words` and `label` are what a person reads.
    """

    path: tuple[str, ...]
    term: str
    words: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class DefinedClass:
    """A class by what its members are and are tied to.

    `kind` is a class of a schema (a CURIE such as `schema:Recipe`), `category:food`, or "" for any
    thing; `kind_words` are what a person reads for it. With `either` one tie is enough, else all
    are needed. `apart` names defined classes that can share no member with it.
    """

    name: str
    kind: str = ""
    ties: tuple[MembershipCondition, ...] = ()
    either: bool = False
    apart: tuple[str, ...] = ()
    curator: str = ""
    kind_words: str = ""


def class_iri(name: str, base_iri: str) -> str:
    return iris.local_iri(base_iri, CLASS, name)


def kind_iri(kind: str, base_iri: str, prefixes: Mapping[str, str]) -> str:
    """The class of a kind."""
    if kind.startswith(RELATION_KIND):
        return iris.local_iri(base_iri, KIND, kind.removeprefix(RELATION_KIND))
    return iris.term_iri(kind, prefixes)


def definition_axioms(
    defined: DefinedClass, base_iri: str, prefixes: Mapping[str, str]
) -> list[OwlForm]:
    """The axioms of a defined class, all of OWL 2 EL: where one tie is enough each tie suffices by
    itself (no union is needed), else kind and ties together define it.
    """
    name = Iri(class_iri(defined.name, base_iri))
    kind: list[Part] = [Iri(kind_iri(defined.kind, base_iri, prefixes))] if defined.kind else []
    ties = [tie_form(tie, prefixes) for tie in defined.ties]
    axioms = []
    if defined.either:
        axioms += [OwlForm("SubClassOf", (both_words([*kind, tie]), name)) for tie in ties]
    elif kind or ties:
        axioms.append(OwlForm("EquivalentClasses", (name, both_words([*kind, *ties]))))
    axioms += [
        OwlForm("DisjointClasses", (name, Iri(class_iri(other_name, base_iri))))
        for other_name in defined.apart
    ]
    return axioms


def tie_form(tie: MembershipCondition, prefixes: Mapping[str, str]) -> Part:
    """`path[0] some (path[1] some … term)`."""
    form: Part = Iri(iris.term_iri(tie.term, prefixes))
    for relation in reversed(tie.path):
        form = OwlForm("ObjectSomeValuesFrom", (Iri(iris.term_iri(relation, prefixes)), form))
    return form


def both_words(parts: list[Part]) -> Part:
    return parts[0] if len(parts) == 1 else OwlForm("ObjectIntersectionOf", tuple(parts))
