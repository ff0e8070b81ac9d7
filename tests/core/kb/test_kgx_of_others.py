"""KGX as others write it: columns of qualifiers, denials by frequency, edges from two sources."""

from __future__ import annotations

import io
import zipfile

import pytest

from core.kb.read.kgx import read_kgx
from core.kb.read.rdf import ReadStatements
from core.model import Literal, Statement

NODES = "id\tcategory\tname\nCHEBI:1\tbiolink:SmallMolecule\tzorbex\nHGNC:1\tbiolink:Gene\tZORB\n"
HEAD = "id\tsubject\tpredicate\tobject\tpublications"


def read(columns: str, *rows: str) -> ReadStatements:
    """Edges between the two things: the cells of further columns, and a paper for each."""
    ends = "CHEBI:1\tbiolink:affects\tHGNC:1"
    edges = [f"{n}\t{ends}\tPMID:{n}\t{cells}" for n, cells in enumerate(rows, 1)]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("x_nodes.tsv", NODES)
        archive.writestr("x_edges.tsv", "\n".join([f"{HEAD}\t{columns}", *edges, ""]))
    return read_kgx(content.getvalue())


def qualifiers(statement: Statement) -> dict[str, str]:
    return {
        qualifier.name: value.value if isinstance(value := qualifier.value, Literal) else value.id
        for qualifier in statement.qualifiers
    }


def test_edges_that_say_the_opposite_stay_two_statements():
    columns = "qualified_predicate\tobject_direction_qualifier\tspecies_context_qualifier"
    found = read(
        columns, "biolink:causes\tincreased\t", "biolink:causes\tdecreased\tNCBITaxon:9606"
    )
    said = [qualifiers(statement) for statement, _ in found.proposals]
    assert sorted(said, key=len) == [
        {"qualified_predicate": "biolink:causes", "object_direction_qualifier": "increased"},
        {
            "qualified_predicate": "biolink:causes",
            "object_direction_qualifier": "decreased",
            "species_context_qualifier": "NCBITaxon:9606",
        },
    ]


@pytest.mark.parametrize(
    ("frequency", "negated", "kept"),
    [
        ("HP:0040285", True, {}),
        ("HP:0040281", False, {"frequency_qualifier": "HP:0040281"}),
        ("", False, {}),
    ],
)
def test_what_is_excluded_is_denied(frequency, negated, kept):
    ((statement, _),) = read("frequency_qualifier", frequency).proposals
    assert (statement.negated, qualifiers(statement)) == (negated, kept)


def test_an_edge_of_two_sources_has_the_evidence_of_both():
    columns = "primary_knowledge_source\taggregator_knowledge_source"
    found = read(columns, "infores:one\tinfores:all", "infores:two\t")
    ((_, evidence),) = found.proposals
    assert [(piece.ground.reference, piece.ground.note) for piece in evidence] == [
        ("PMID:1", "infores:one"),
        ("PMID:2", "infores:two"),
    ]
    (problem,) = found.problems
    assert "aggregator_knowledge_source (1)" in problem.message
