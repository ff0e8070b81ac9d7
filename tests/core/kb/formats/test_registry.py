"""The other formats say the same as Turtle."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import replace

import pytest
from rdflib import Graph

from core.errors import InputError
from core.kb.formats.registry import FORMATS, format_named
from core.kb.read.rdf import read
from tests.core.kb.formats.test_turtle import ASPIRIN, CLAIM, HOSTILE, VARIED, kb


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode()), delimiter="\t"))


def unzipped(content: bytes, name: str) -> list[dict[str, str]]:
    return rows(zipfile.ZipFile(io.BytesIO(content)).read(name))


@pytest.mark.parametrize("wanted", FORMATS.values(), ids=lambda format_spec: format_spec.name)
def test_equal_content_is_equal_bytes(wanted):
    assert wanted.write(kb(*VARIED)) == wanted.write(kb(*reversed(VARIED)))


@pytest.mark.parametrize("wanted", FORMATS.values(), ids=lambda format_spec: format_spec.name)
@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_labels_do_not_break_it(wanted, label):
    assert wanted.write(kb(replace(CLAIM, subject=replace(ASPIRIN, label=label))))


@pytest.mark.parametrize(("name", "parser"), [("nt", "nt"), ("jsonld", "json-ld")])
def test_rdf_formats_are_the_same_graph_as_turtle(name, parser):
    def triples(content: bytes, kind: str) -> int:
        return len(Graph().parse(data=content, format=kind))

    assert triples(format_named(name).write(kb(*VARIED)), parser) == triples(
        format_named("ttl").write(kb(*VARIED)), "ttl"
    )


def test_ntriples_read_back_as_the_same_statements():
    proposals = read(format_named("nt").write(kb(*VARIED)), {}, ".nt").proposals
    assert {statement.id for statement, _ in proposals} == {claim.id for claim in VARIED}


def test_kgx_edges_end_in_nodes():
    content = format_named("kgx").write(kb(*VARIED))
    known = {row["id"] for row in unzipped(content, "nodes.tsv")}
    assert all(
        {edge["subject"], edge["object"]} <= known for edge in unzipped(content, "edges.tsv")
    )


def test_a_negated_edge_says_so():
    (edge,) = unzipped(format_named("kgx").write(kb(replace(CLAIM, negated=True))), "edges.tsv")
    assert (edge["negated"], edge["is_plain"]) == ("true", "false")


def test_a_label_is_not_a_formula_in_a_spreadsheet():
    (row,) = rows(
        format_named("tsv").write(
            kb(replace(CLAIM, subject=replace(ASPIRIN, label="=HYPERLINK(1)")))
        )
    )
    assert row["subject label"] == "'=HYPERLINK(1)"


def test_jsonld_names_no_remote_context():
    assert "@context" not in json.loads(format_named("jsonld").write(kb(CLAIM)))


def test_an_unknown_format_is_reported_with_those_there_are():
    with pytest.raises(InputError) as refused:
        format_named("docx")
    assert ", ".join(FORMATS) in refused.value.hint
