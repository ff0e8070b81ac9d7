"""Ids of one thing: what mapping sets say, and what curators say against them."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from core.grounding.equivalents import Equivalents, groups
from core.grounding.index.mapping_index import ORTHOLOGOUS, MappingIndex
from core.grounding.preference import preferred_id
from core.model import Category

ROWS = """subject_id\tpredicate_id\tobject_id\tmapping_justification\tmapping_provider
MONDO:0005148\tskos:exactMatch\tDOID:9352\tsemapv:ManualMappingCuration\tmondo
MONDO:0005148\tskos:exactMatch\tMESH:D003924\tsemapv:ManualMappingCuration\tmondo
HGNC:11998\tRO:HOM0000017\tMGI:98834\tsemapv:UnspecifiedMatching\thgnc
"""
DIABETES = frozenset(("MONDO:0005148", "DOID:9352", "MESH:D003924"))


@pytest.fixture
def index(tmp_path: Path) -> MappingIndex:
    (tmp_path / "mondo.sssom.tsv.xz").write_bytes(lzma.compress(ROWS.encode()))
    return MappingIndex(tmp_path / "indexes", tmp_path)


def test_ids_that_sets_link_are_one_thing(index: MappingIndex) -> None:
    assert Equivalents(index).of("DOID:9352") == DIABETES
    assert Equivalents(index).same("DOID:9352", "MESH:D003924")


def test_an_orthologue_is_another_thing(index: MappingIndex) -> None:
    assert Equivalents(index).of("HGNC:11998") == {"HGNC:11998"}
    assert index.neighbours("HGNC:11998", ORTHOLOGOUS) == ("MGI:98834",)


def test_an_id_that_no_set_knows_is_itself_alone(index: MappingIndex) -> None:
    assert Equivalents(index).of("X:1") == {"X:1"}
    assert Equivalents(index).of("") == frozenset()


def test_a_curator_adds_a_pair(index: MappingIndex) -> None:
    same = Equivalents(index, same=[("EFO:1", "MESH:D003924")])
    assert same.of("EFO:1") == DIABETES | {"EFO:1"}


def test_a_curator_takes_a_pair_out(index: MappingIndex) -> None:
    same = Equivalents(index, different=[("DOID:9352", "MONDO:0005148")])
    assert same.of("MESH:D003924") == {"MESH:D003924", "MONDO:0005148"}
    assert same.of("DOID:9352") == {"DOID:9352"}


def test_a_pair_that_is_different_stays_apart_by_a_third_id_too(index: MappingIndex) -> None:
    same = Equivalents(index, different=[("DOID:9352", "MESH:D003924")])
    assert same.of("DOID:9352") == {"DOID:9352", "MONDO:0005148"}


def test_groups_name_ids_that_share_a_thing_with_another(index: MappingIndex) -> None:
    shared = groups(("MESH:D003924", "MONDO:0005148", "HP:1", ""), Equivalents(index))
    assert shared.keys() == {"MESH:D003924", "MONDO:0005148"}


def test_the_first_vocabulary_of_its_kind_names_a_thing() -> None:
    assert preferred_id(DIABETES, Category.DISEASE) == "MONDO:0005148"
    assert preferred_id(DIABETES, Category.DISEASE, prefixes=("MESH",)) == "MESH:D003924"
    assert preferred_id(DIABETES, Category.DISEASE, project=("doid",)) == "DOID:9352"
    assert preferred_id(("MESH:D1", "HP:1"), Category.PHENOTYPE) == "HP:1"
