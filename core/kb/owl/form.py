"""OWL 2 axioms and class expressions as forms of the functional syntax, with a grammar that checks
them.

`GRAMMAR` names what each operator takes, in order; `*` repeats the kind before it. It decides what
is well formed, which entities a form declares, and how it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.errors import InputError

MAX_DEPTH = 60


class EntityKind(StrEnum):
    """What a part of a form is."""

    CLASS = "class"
    OBJECT_PROPERTY = "object property"
    DATA_PROPERTY = "data property"
    ANNOTATION_PROPERTY = "annotation property"
    INDIVIDUAL = "individual"
    LITERAL = "literal"
    RANGE = "data range"
    NUMBER = "number"
    SUBJECT = "annotation subject"
    VALUE = "annotation value"


@dataclass(frozen=True, slots=True)
class Iri:
    iri: str


@dataclass(frozen=True, slots=True)
class OwlLiteral:
    """A literal; `datatype` is an IRI, "" for a plain text."""

    text: str
    datatype: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class OwlForm:
    """An operator with its parts: an axiom, or an expression inside one."""

    operator: str
    parts: tuple[Part, ...]


Part = OwlForm | Iri | OwlLiteral
C, OP, DP, AP, I = (  # noqa: E741
    EntityKind.CLASS,
    EntityKind.OBJECT_PROPERTY,
    EntityKind.DATA_PROPERTY,
    EntityKind.ANNOTATION_PROPERTY,
    EntityKind.INDIVIDUAL,
)
AXIOMS: dict[str, tuple[EntityKind | str, ...]] = {
    "SubClassOf": (C, C),
    "EquivalentClasses": (C, C, "*"),
    "DisjointClasses": (C, C, "*"),
    "ClassAssertion": (C, I),
    "ObjectPropertyAssertion": (OP, I, I),
    "DataPropertyAssertion": (DP, I, EntityKind.LITERAL),
    "AnnotationAssertion": (AP, EntityKind.SUBJECT, EntityKind.VALUE),
    "SubObjectPropertyOf": (OP, OP),
}
CLASSES: dict[str, tuple[EntityKind | str, ...]] = {
    "ObjectIntersectionOf": (C, C, "*"),
    "ObjectUnionOf": (C, C, "*"),
    "ObjectComplementOf": (C,),
    "ObjectOneOf": (I, "*"),
    "ObjectSomeValuesFrom": (OP, C),
    "ObjectAllValuesFrom": (OP, C),
    "ObjectHasValue": (OP, I),
    "ObjectMinCardinality": (EntityKind.NUMBER, OP, C),
    "ObjectMaxCardinality": (EntityKind.NUMBER, OP, C),
    "ObjectExactCardinality": (EntityKind.NUMBER, OP, C),
    "DataHasValue": (DP, EntityKind.LITERAL),
    "DataSomeValuesFrom": (DP, EntityKind.RANGE),
    "DataAllValuesFrom": (DP, EntityKind.RANGE),
}
RANGES: dict[str, tuple[EntityKind | str, ...]] = {"DataOneOf": (EntityKind.LITERAL, "*")}
GRAMMAR = AXIOMS | CLASSES | RANGES
_FORMS = {EntityKind.CLASS: CLASSES, EntityKind.RANGE: RANGES}
_VALUES = {EntityKind.LITERAL, EntityKind.NUMBER, EntityKind.VALUE}
Renaming = Callable[[EntityKind, str], str]


def typed_operands(form: OwlForm) -> Iterator[tuple[EntityKind, Part]]:
    """Each part with what it must be. Raises InputError for an unknown operator or a wrong number
    of parts.
    """
    if form.operator not in GRAMMAR:
        raise InputError(f"{form.operator[:60]} is not an OWL construct that is supported here.")
    operand_kinds = GRAMMAR[form.operator]
    fixed = tuple(kind for kind in operand_kinds if isinstance(kind, EntityKind))
    if len(form.parts) < len(fixed) or (len(form.parts) > len(fixed) and operand_kinds[-1] != "*"):
        raise InputError(f"{form.operator} takes {len(fixed)} parts, not {len(form.parts)}.")
    yield from zip((*fixed, *[fixed[-1]] * (len(form.parts) - len(fixed))), form.parts, strict=True)


def check_form(axiom: OwlForm) -> OwlForm:
    """The axiom, if it is well formed all the way down. Raises InputError.

    >>> check_form(OwlForm("SubClassOf", (Iri("urn:cat"),)))
    Traceback (most recent call last):
        ...
    core.errors.InputError: SubClassOf takes 2 parts, not 1.
    """
    if axiom.operator not in AXIOMS:
        raise InputError(f"{axiom.operator[:60]} is not an axiom.")
    _check(axiom, 0)
    return axiom


def _check(form: OwlForm, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise InputError("The axiom is nested too deeply.")
    for kind, part in typed_operands(form):
        if isinstance(part, OwlForm):
            if part.operator not in _FORMS.get(kind, ()):
                raise InputError(
                    f"{part.operator[:60]} is used where {form.operator} needs a {kind}."
                )
            _check(part, depth + 1)
        elif isinstance(part, OwlLiteral):
            if kind not in _VALUES or (kind is EntityKind.NUMBER and not part.text.isdecimal()):
                raise InputError(
                    f"{part.text[:60]!r} is used where {form.operator} needs a {kind}."
                )
        elif kind in (EntityKind.LITERAL, EntityKind.NUMBER):
            raise InputError(f"{part.iri[:80]} is used where {form.operator} needs a {kind}.")


def iris_in_form(form: OwlForm) -> Iterator[tuple[EntityKind, str]]:
    """Every IRI of a form with what it stands for.

    >>> some = OwlForm("ObjectSomeValuesFrom", (Iri("urn:contains"), Iri("urn:wheat")))
    >>> [(str(kind), iri) for kind, iri in iris_in_form(some)]
    [('object property', 'urn:contains'), ('class', 'urn:wheat')]
    """
    for kind, part in typed_operands(form):
        if isinstance(part, OwlForm):
            yield from iris_in_form(part)
        elif isinstance(part, Iri):
            yield kind, part.iri


def with_iris(form: OwlForm, name: Renaming) -> OwlForm:
    """The form with other IRIs."""
    return OwlForm(
        form.operator,
        tuple(
            with_iris(part, name)
            if isinstance(part, OwlForm)
            else Iri(name(kind, part.iri))
            if isinstance(part, Iri)
            else part
            for kind, part in typed_operands(form)
        ),
    )


def functional_syntax(part: Part) -> str:
    """Functional syntax with full IRIs: what forms are sorted by.

    >>> functional_syntax(OwlForm("SubClassOf", (Iri("urn:cat"), Iri("urn:animal"))))
    'SubClassOf(<urn:cat> <urn:animal>)'
    """
    if isinstance(part, Iri):
        return f"<{part.iri}>"
    if isinstance(part, OwlForm):
        return f"{part.operator}({' '.join(functional_syntax(operand) for operand in part.parts)})"
    words = '"' + part.text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return words + (
        f"@{part.language}" if part.language else f"^^<{part.datatype}>" if part.datatype else ""
    )


def join_forms(operator: str, parts: list[Part]) -> Part | None:
    """An intersection or union of different parts, sorted; a single part is itself, and none is
    None.

    >>> join_forms("ObjectIntersectionOf", [Iri("urn:b"), Iri("urn:a"), Iri("urn:b")])
    OwlForm(operator='ObjectIntersectionOf', parts=(Iri(iri='urn:a'), Iri(iri='urn:b')))
    >>> join_forms("ObjectIntersectionOf", [Iri("urn:a")])
    Iri(iri='urn:a')
    """
    different = sorted(set(parts), key=functional_syntax)
    if len(different) > 1:
        return OwlForm(operator, tuple(different))
    return different[0] if different else None
