"""ChEBI holds roles and particles besides substances: templates take the substances alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.grounding.constraint.constraint import Constraint, constraint_of
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.schema.catalogue import schema_named
from core.schema.definition import ValueSet

OBO = """format-version: 1.2
ontology: chebi

[Term]
id: CHEBI:24431
name: chemical entity

[Term]
id: CHEBI:50906
name: role

[Term]
id: CHEBI:10033
name: warfarin
is_a: CHEBI:24431
relationship: has_role CHEBI:50249

[Term]
id: CHEBI:50249
name: anticoagulant
is_a: CHEBI:50906

[Term]
id: CHEBI:10545
name: electron
is_a: CHEBI:36342

[Term]
id: CHEBI:36342
name: subatomic particle
"""
FLAT = "id\tlabel\nCHEBI:10033\twarfarin\nCHEBI:50249\tanticoagulant\n"
CLASSES = [
    ("chemical_disease", "Chemical"),
    ("disease_treatment", "Drug"),
    ("drug_mechanism", "MechanismElement"),
    ("signaling_pathway", "GeneOrChemical"),
    ("environmental_sample", "Variable"),
]


def grounder(folder: Path, name: str, text: str) -> Grounder:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return Grounder(VocabularyRegistry(None, folder / "indexes", files=[file]))


@pytest.mark.parametrize(("schema", "cls"), CLASSES)
def test_a_role_is_not_a_chemical(tmp_path: Path, schema: str, cls: str):
    constraint = constraint_of(schema_named(schema), cls)
    chebi = grounder(tmp_path, "chebi.obo", OBO)
    assert chebi.ground("warfarin", constraint)[0].term.id == "CHEBI:10033"
    for words in ("anticoagulant", "electron"):
        assert chebi.ground(words, constraint) == ()


@pytest.mark.parametrize(("schema", "cls"), CLASSES)
def test_without_a_hierarchy_a_role_is_recognised_by_its_label(
    tmp_path: Path, schema: str, cls: str
):
    constraint = constraint_of(schema_named(schema), cls)
    chebi = grounder(tmp_path, "chebi.tsv", FLAT)
    assert chebi.ground("warfarin", constraint)[0].term.id == "CHEBI:10033"
    assert chebi.ground("anticoagulant", constraint) == ()


def test_chebi_role_is_found_where_the_class_allows_roles(tmp_path: Path):
    chebi = grounder(tmp_path, "chebi.tsv", FLAT + "CHEBI:50906\trole\n")
    roles = ValueSet("roles", "chebi", nodes=("CHEBI:50906",))
    for constraint in (Constraint(("chebi",)), Constraint(("chebi",), value_sets=(roles,))):
        assert chebi.ground("anticoagulant", constraint)[0].term.id == "CHEBI:50249"
