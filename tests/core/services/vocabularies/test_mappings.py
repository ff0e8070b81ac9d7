"""Mappings between ids, from SSSOM: looked up in both directions without a network."""

from __future__ import annotations

import pytest

from core.desk import open_desk
from core.services.vocabularies import mappings, memory, prefix_context, remote
from core.settings import load_settings

WHO = "0000-0002-1825-0097"
HEADER = (
    "subject_id\tsubject_label\tsubject_type\tpredicate_id\tpredicate_modifier\tobject_id"
    "\tobject_label\n"
)
TABLE = HEADER + (
    "CHEBI:7459\tnaloxone\t\tskos:exactMatch\t\tMESH:D009270\tNaloxone\n"
    "DRUGBANK:DB01183\tNaloxone\t\tskos:exactMatch\t\tMESH:D009270\tNaloxone\n"
    "CHEBI:7459\tnaloxone\t\tskos:broadMatch\t\tMESH:D009292\tNarcotic Antagonists\n"
    "CHEBI:7459\tnaloxone\t\tskos:exactMatch\t\tMESH:D009271\tNaltrexone\n"
    "CHEBI:7459\tnaloxone\t\tskos:exactMatch\tNot\tMESH:D009271\tNaltrexone\n"
)


@pytest.fixture
def desk(tmp_path):
    desk = open_desk(load_settings(tmp_path / "p"))
    yield desk
    desk.close()


def ids(desk, id):
    return [candidate.term.id for candidate in remote.search_service(desk, mappings.NAME, id)]


def test_an_exact_match_is_found_from_both_ends(desk):
    assert memory.from_sssom(desk, TABLE, WHO) == (5, [])
    assert ids(desk, "CHEBI:7459") == ["MESH:D009270"]
    assert ids(desk, "MESH:D009270") == ["CHEBI:7459", "DRUGBANK:DB01183"]


def test_mapping_table_added_twice_is_kept_once(desk):
    memory.from_sssom(desk, TABLE, WHO)
    before = (desk.vocabularies / mappings.FILE).read_bytes()
    memory.from_sssom(desk, TABLE, WHO)
    assert (desk.vocabularies / mappings.FILE).read_bytes() == before


def test_mappings_are_no_vocabulary_and_nothing_is_taught_by_them(desk):
    memory.from_sssom(desk, TABLE, WHO)
    assert memory.remembered_names(desk) == []
    assert desk.vocabulary_registry.own() == {}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("nonsense\tx\t\tskos:exactMatch\t\tMESH:D1\tx\n", "is not an id"),
        ("CHEBI:1\tx\t\t\t\tMESH:D1\tx\n", "no predicate_id"),
    ],
)
def test_a_row_that_maps_nothing_is_a_problem_with_its_number(desk, row, says):
    taken, (problem,) = memory.from_sssom(desk, HEADER + row, WHO)
    assert (taken, problem.where) == (0, "row 1")
    assert says in problem.message
    assert not mappings.has_any(desk)


def test_ids_of_a_table_are_read_by_its_own_prefixes_which_the_project_keeps(desk):
    head = (
        '#curie_map:\n#  MYHP: "http://purl.obolibrary.org/obo/HP_"\n#  LAB: https://lab.example/\n'
    )
    columns = "subject_id\tsubject_label\tpredicate_id\tobject_id\n"
    row = "MYHP:0000118\tabnormality\tskos:exactMatch\thttps://lab.example/7\n"
    assert memory.from_sssom(desk, head + columns + row, WHO)[0] == 1
    (same,) = mappings.same_rows(desk, {"HP:0000118", "LAB:7"})
    assert (same.subject, same.object) == ("HP:0000118", "LAB:7")
    assert prefix_context.said_prefixes(desk)["LAB"] == "https://lab.example/"
