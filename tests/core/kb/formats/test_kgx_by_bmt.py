"""KGX read by the Biolink model's own tools: bmt for what edges may tie, linkml-validate for the
shape of nodes and edges.
"""

from __future__ import annotations

import csv
import io
import zipfile
from functools import cache
from itertools import product
from pathlib import Path

import biolink_model
import bmt
import pytest

from core.kb.formats import biolink
from core.kb.formats.kgx import KGX
from core.model import Category, Statement, Term
from tests.core.kb.formats.test_turtle import VARIED, kb

SCHEMA = Path(next(iter(biolink_model.__path__))) / "schema" / "biolink_model.yaml"
USED = ("treats", "causes", "has_phenotype", "expressed_in", "interacts_with", "translates_to")
# An attribute is an object in the model, and words in the table of KGX. Of a category LinkML asks
# both that it be a list and that it be none: bmt checks it.
OTHERWISE = {"has_attribute", "category"}
NO_CATEGORY = "'category' is a required property in /"
Rows = list[dict[str, str]]


@cache
def toolkit() -> bmt.Toolkit:
    """bmt with the installed model; by itself it would fetch one."""
    return bmt.Toolkit(schema=str(SCHEMA), predicate_map={"predicate mappings": []})


def written(*statements: Statement) -> tuple[dict[str, dict[str, str]], Rows]:
    """Nodes by id, and edges."""
    archive = zipfile.ZipFile(io.BytesIO(KGX.write(kb(*statements))))
    nodes, edges = (
        list(csv.DictReader(io.StringIO(archive.read(name).decode()), delimiter="\t"))
        for name in ("nodes.tsv", "edges.tsv")
    )
    return {row["id"]: row for row in nodes}, edges


def every_pair(name: str) -> list[Statement]:
    """A relation between each two kinds of things."""
    relation = Term(biolink.PREFIX + name, name, Category.RELATION)
    return [
        Statement(
            Term(f"CHEBI:{place}", "one", kind), relation, Term(f"MONDO:{at}", "other", other)
        )
        for (place, kind), (at, other) in product(enumerate(Category), repeat=2)
    ]


@pytest.mark.parametrize("name", USED)
def test_every_edge_between_any_kinds_is_valid_by_bmt(name):
    nodes, edges = written(*every_pair(name))
    assert len(edges) == len(Category) ** 2
    for edge in edges:
        ends = [nodes[edge[side]]["category"] for side in ("subject", "object")]
        assert toolkit().is_predicate(edge["predicate"])
        assert toolkit().is_category(ends[0]) and toolkit().is_category(ends[1])
        assert toolkit().validate_edge(ends[0], edge["predicate"], ends[1]), (ends, edge)
        assert edge["original_predicate"] == biolink.PREFIX + name
        assert "association" in toolkit().get_ancestors(edge["category"])


def test_the_table_says_of_each_predicate_what_bmt_says():
    classes = {kind: biolink.category_class(Term("x:1", "x", kind)) for kind in Category}
    above = {
        kind: set(toolkit().get_ancestors(cls, formatted=True)) for kind, cls in classes.items()
    }
    for name, taken in biolink.ends_taken().items():
        for ask, kinds in zip(
            (toolkit().get_slot_domain, toolkit().get_slot_range), taken, strict=True
        ):
            allowed = set(
                ask(biolink.PREFIX + name, include_ancestors=True, mixin=True, formatted=True)
            )
            fits = {kind for kind in Category if above[kind] & allowed}
            assert (kinds or set(Category)) - {"none"} == fits, name


def test_a_predicate_stays_where_its_domain_and_range_fit():
    def predicate(subject: Category, object_: Category) -> str:
        return biolink.fitting_predicate("treats", subject, object_)

    assert predicate(Category.CHEMICAL, Category.DISEASE) == "treats"
    assert predicate(Category.THING, Category.DISEASE) == "related_to_at_instance_level"
    assert predicate(Category.DISEASE, Category.CHEMICAL) == "related_to_at_instance_level"


@cache
def validator():
    from linkml.validator import Validator
    from linkml.validator.plugins import JsonschemaValidationPlugin

    return Validator(str(SCHEMA), validation_plugins=[JsonschemaValidationPlugin(closed=False)])


def instance(row: dict[str, str], several: tuple[str, ...]) -> dict[str, object]:
    """A row as KGX's own JSON: lists, booleans, and nothing where a cell is empty."""
    filled = {name: value for name, value in row.items() if value}
    values: dict[str, object] = {
        name: value.split("|") if name in several else value for name, value in filled.items()
    }
    if "negated" in filled:
        values["negated"] = filled["negated"] == "true"
    return values


def test_linkml_validate_takes_every_node_and_edge():
    nodes, edges = written(*VARIED)
    several = ("publications", "provided_by", "qualifiers", "supporting_text")
    checked = 0
    for row in (*nodes.values(), *edges):
        target = toolkit().get_element(row["category"]).name
        linkml_instance = instance({k: v for k, v in row.items() if k not in OTHERWISE}, several)
        results = validator().validate(linkml_instance, target).results
        assert {result.message for result in results} <= {NO_CATEGORY}, row
        checked += 1
    assert checked == len(nodes) + len(edges) > 5


def test_linkml_validate_refuses_an_edge_without_its_knowledge_level():
    _, edges = written(*VARIED)
    row = instance({**edges[0], "knowledge_level": ""}, ("publications",))
    results = validator().validate(row, "association").results
    assert any("knowledge_level" in result.message for result in results)
