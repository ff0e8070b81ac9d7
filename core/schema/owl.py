"""What a schema says about OWL: the words of the annotation `owl`, and which templates of
`owl.template` are safe.

The words are linkml-owl's. A template is Jinja over OWL functional syntax; only what such templates
need is taken: variables, their slots, `tr(...)`, loops over values, conditions and a few filters.
No arithmetic, assignments, macros or calls, so that a template cannot run away or reach into
Python.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

OPERATORS = frozenset({"IntersectionOf", "UnionOf"})
SOME = frozenset({"ObjectSomeValuesFrom", "DataSomeValuesFrom", "SomeValuesFrom"})
ALL = frozenset({"ObjectAllValuesFrom", "DataAllValuesFrom", "AllValuesFrom"})
HAS = frozenset({"ObjectHasValue", "DataHasValue", "HasValue"})
ANNOTATION = frozenset({"AnnotationAssertion", "AnnotationProperty", "Annotation"})
INDIVIDUAL = frozenset({"NamedIndividual", "Individual", "AnonymousIndividual"})
AXIOMS = frozenset({"SubClassOf", "EquivalentClasses", "DisjointClasses", "ClassAssertion"})
ASSERTIONS = frozenset({"ObjectPropertyAssertion", "DataPropertyAssertion"})
ENTITIES = frozenset({"Class", "ObjectProperty", "DataProperty"})
WORDS = (
    OPERATORS
    | SOME
    | ALL
    | HAS
    | ANNOTATION
    | INDIVIDUAL
    | AXIOMS
    | ASSERTIONS
    | ENTITIES
    | {"Closed"}
)

TEMPLATE, FSTRING, IGNORE = "owl.template", "owl.fstring", "owl.ignore"
MAX_TEMPLATE = 20_000  # characters
NESTED = 5  # loops in loops
_FILTERS = "default d first last length count lower upper trim sort unique"
_TESTS = "defined undefined none string number iterable sequence mapping in eq ne"
_TAKEN = """
    Template Output TemplateData Name Const Getattr Getitem For If Call Filter Test Compare Operand
    And Or Not CondExpr Tuple List
"""
FILTERS, TESTS, _NODES = (frozenset(names.split()) for names in (_FILTERS, _TESTS, _TAKEN))


def owl_words(annotations: Mapping[str, str]) -> frozenset[str]:
    """The words of the annotation `owl`, such as ObjectProperty and ObjectSomeValuesFrom."""
    return frozenset(filter(None, re.split(r"[\s,;]+", annotations.get("owl", ""))))


def unknown_words(annotations: Mapping[str, str]) -> list[str]:
    """Words of the annotation `owl` that mean nothing here, sorted."""
    return sorted(owl_words(annotations) - WORDS)


def template_trouble(template: str) -> str:
    """Why a template cannot be honoured; "" when it can."""
    from jinja2 import (
        TemplateSyntaxError,
    )  # a twentieth of a second, and few schemas have templates
    from jinja2.sandbox import SandboxedEnvironment

    if len(template) > MAX_TEMPLATE:
        return f"it is longer than {MAX_TEMPLATE:,} characters"
    try:
        tree = SandboxedEnvironment().parse(template)
    except (TemplateSyntaxError, RecursionError) as error:
        return f"it is not Jinja ({' '.join(str(error).split())[:120]})"
    return _trouble(tree, 0)


def _trouble(node: object, loops: int) -> str:
    """The first construct below a node that templates may not use."""
    from jinja2 import nodes

    assert isinstance(node, nodes.Node)
    name = type(node).__name__
    if name not in _NODES:
        return f"it uses {name}"
    if isinstance(node, nodes.Getattr) and node.attr.startswith("_"):
        return f"it reaches for {node.attr}"
    if isinstance(node, nodes.Getitem):
        if not isinstance(node.arg, nodes.Const):
            return "it looks things up by what it worked out"
        if str(node.arg.value).startswith("_"):
            return f"it reaches for {node.arg.value}"
    if isinstance(node, nodes.Call) and not (
        isinstance(node.node, nodes.Name) and node.node.name == "tr"
    ):
        return "it calls something other than tr"
    if isinstance(node, nodes.Filter) and node.name not in FILTERS:
        return f"it uses the filter {node.name}"
    if isinstance(node, nodes.Test) and node.name not in TESTS:
        return f"it uses the test {node.name}"
    if isinstance(node, nodes.For):
        loops += 1
        if node.recursive or not isinstance(node.iter, nodes.Name | nodes.Getattr | nodes.Getitem):
            return "it loops over something other than values"
    if loops > NESTED:
        return f"it has more than {NESTED} loops in each other"
    return next(
        (trouble for child in node.iter_child_nodes() if (trouble := _trouble(child, loops))), ""
    )
