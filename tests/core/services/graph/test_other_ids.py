"""An export says which other ids its things have; without any its bytes are as they were."""

from __future__ import annotations

import pytest

from core.grounding.equivalents import Equivalents
from core.kb.entry import ExportEntry, KnowledgeBase, settle_labels
from core.kb.formats.kgx import NODES, SAME, node_table
from core.kb.formats.turtle import turtle
from core.model import Category, Statement, Term
from core.services.graph.knowledge_base import other_ids
from tests.reviewing import filled

DRUG = Term("CHEBI:1", "drug", Category.CHEMICAL)
SEIZURE = Term("HP:0001250", "Seizure", Category.PHENOTYPE)
ENTRY = ExportEntry(Statement(DRUG, Term("biolink:treats", "treats"), SEIZURE))
SAME_IDS = {"HP:0001250": ("MESH:D012640",)}


def knowledge_base(**more):
    return KnowledgeBase("https://kb.example/", (ENTRY,), **more)


def test_turtle_says_exact_match_of_the_other_ids():
    text = turtle(knowledge_base(same=SAME_IDS)).decode()
    assert "skos:exactMatch MESH:D012640" in text
    assert text.count("exactMatch") == 1
    assert "skos" not in turtle(knowledge_base()).decode()


def test_nodes_of_kgx_have_a_column_for_the_other_ids_where_there_are_any():
    kb = knowledge_base(same=SAME_IDS)
    columns, rows = node_table(kb, settle_labels(kb.entries))
    assert columns == (*NODES, SAME)
    assert {row[0]: row[-1] for row in rows} == {"CHEBI:1": "", "HP:0001250": "MESH:D012640"}
    assert node_table(knowledge_base(), settle_labels(kb.entries))[0] == NODES


@pytest.mark.parametrize(
    ("pair", "others"),
    [
        (("HP:0001250", "MESH:D012640"), {"HP:0001250": ("MESH:D012640",)}),
        (("HP:0001250", "NOWHERE:1"), {}),
    ],
)
def test_only_ids_of_vocabularies_at_hand_are_named(tmp_path, monkeypatch, pair, others):
    desk = filled(tmp_path)
    monkeypatch.setattr(desk, "equivalents", lambda: Equivalents(same=[pair]))
    assert other_ids(desk, [ENTRY]) == others
