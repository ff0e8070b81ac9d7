"""What follows from a few axioms, held against pyELK."""

from __future__ import annotations

import random

import pytest

from core.kb.owl.form import Iri, OwlForm, Part
from core.kb.reasoning.elk import reason_by_elk
from core.kb.reasoning.entailment import is_entailed_subclass
from core.kb.reasoning.taxonomy import NOTHING

NAMES = [Iri(f"urn:{name}") for name in "ABCDEF"]
TIES = [Iri("urn:p"), Iri("urn:q")]


def expression(chance: random.Random, depth: int = 2) -> Part:
    kind = chance.randrange(4) if depth else 0
    if kind == 2:
        return OwlForm("ObjectSomeValuesFrom", (chance.choice(TIES), expression(chance, depth - 1)))
    if kind == 3:
        parts = expression(chance, depth - 1), expression(chance, depth - 1)
        return OwlForm("ObjectIntersectionOf", parts)
    return chance.choice(NAMES)


def axioms(chance: random.Random) -> list[OwlForm]:
    forms = [OwlForm("SubClassOf", (expression(chance), expression(chance))) for _ in range(7)]
    forms.append(OwlForm("EquivalentClasses", (chance.choice(NAMES), expression(chance))))
    forms.append(OwlForm("DisjointClasses", tuple(chance.sample(NAMES, 2))))
    forms.append(OwlForm("SubObjectPropertyOf", (TIES[0], TIES[1])))
    return forms


@pytest.mark.parametrize("seed", range(12))
def test_entailments_agree_with_a_reasoner(seed: int) -> None:
    random_axioms = axioms(random.Random(seed))
    asked = [name.iri for name in NAMES]
    known = reason_by_elk(random_axioms, asked)
    for below in asked:
        assert is_entailed_subclass(random_axioms, below, NOTHING) == (below in known.unsatisfiable)
        for above in asked:
            expected = below in known.under[above] or below in known.unsatisfiable
            assert is_entailed_subclass(random_axioms, below, above) == (
                expected or below == above
            ), (
                below,
                above,
            )


def test_statement_on_a_union_holds_by_either_part() -> None:
    a, b, c = NAMES[:3]
    union = OwlForm("ObjectUnionOf", (a, b))
    assert is_entailed_subclass([OwlForm("SubClassOf", (union, c))], a.iri, c.iri)
