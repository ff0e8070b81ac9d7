"""A vocabulary of the project's own is used by the schemas that ask for its kind of thing."""

from __future__ import annotations

import pytest

from core.desk import open_desk
from core.model import Category
from core.services.extract.run import find_schema, schema_to_run
from core.services.vocabularies import installation, own_files, schema_use
from core.settings import load_settings

OWN = b"id\tlabel\nLAB:1\tveratin\nLAB:2\tsolbex\n"


@pytest.fixture
def desk(tmp_path):
    desk = open_desk(load_settings(tmp_path / "project"))
    installation.add_upload(desk, "lab_compounds.tsv", OWN)
    return desk


def test_a_vocabulary_of_unknown_kind_is_used_by_no_template_and_the_sentence_says_what_to_do(desk):
    assert schema_use.unused_vocabularies(desk) == ["lab_compounds"]
    assert schema_use.use_words(desk, "lab_compounds").startswith("No schema uses lab_compounds")


def test_a_vocabulary_of_chemicals_is_used_for_the_chemicals_of_every_template(desk):
    own_files.say_kinds(desk, "lab_compounds", [Category.CHEMICAL])
    uses = {use.schema: use.classes for use in schema_use.schemas_using(desk, "lab_compounds")}
    assert uses["Chemicals and diseases"] == ("Chemical",)
    assert schema_use.unused_vocabularies(desk) == []


def test_a_run_reads_with_a_schema_that_names_it_behind_the_others(desk):
    own_files.say_kinds(desk, "lab_compounds", [Category.CHEMICAL])
    before = find_schema(desk, "chemical_disease").classes["Chemical"]
    chemical = schema_to_run(desk, "chemical_disease").classes["Chemical"]
    assert chemical.annotators == (*before.annotators, "lab_compounds")
    assert chemical.id_prefixes == (*before.id_prefixes, "LAB")


def test_the_schema_stays_as_it_is_where_no_kind_was_said(desk):
    schema = schema_to_run(desk, "chemical_disease")
    assert schema == find_schema(desk, "chemical_disease")


def test_a_vocabulary_of_two_kinds_is_not_taken_for_either(desk):
    own_files.say_kinds(desk, "lab_compounds", [Category.CHEMICAL, Category.GENE])
    assert schema_use.unused_vocabularies(desk) == ["lab_compounds"]
    assert "several kinds" in schema_use.use_words(desk, "lab_compounds")


def test_a_vocabulary_with_the_ids_that_a_template_names_is_used_without_a_kind(desk):
    installation.add_upload(desk, "mine.tsv", b"id\tlabel\nHGNC:5\tA1BG\n")
    assert "mine is used by" in schema_use.use_words(desk, "mine")


def test_a_text_read_before_the_kind_was_said_asks_to_be_read_again_and_then_no_more(desk):
    before = schema_to_run(desk, "chemical_disease")
    own_files.say_kinds(desk, "lab_compounds", [Category.CHEMICAL])
    assert schema_use.unused_lines(desk, before) == [
        "lab_compounds was not used when this text was read: run it again."
    ]
    assert schema_use.unused_lines(desk, schema_to_run(desk, "chemical_disease")) == []
