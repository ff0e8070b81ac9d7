"""Adding, installing, updating and removing vocabularies of a project; nothing half done, nothing
from elsewhere.
"""

from __future__ import annotations

import pytest

from core.desk import open_desk
from core.errors import InputError, NotFound, Refused
from core.grounding.index import compile as compiling
from core.grounding.readers.columns import ColumnMapping
from core.model import Category
from core.services.vocabularies import installation, own_files, vocabularies
from core.settings import load_settings

TABLE = b"id\tlabel\nX:1\tone\nX:2\ttwo\n"
OBO = "format-version: 1.2\ndata-version: 9\n\n[Term]\nid: UO:1\nname: unit\n"


@pytest.fixture
def desk(tmp_path):
    return open_desk(load_settings(tmp_path / "project"))


def test_an_added_file_is_kept_and_searched(desk):
    vocabulary = installation.add_upload(desk, "mine.tsv", TABLE)
    assert (vocabulary.name, vocabulary.terms, vocabulary.built_in) == ("mine", 2, False)
    assert [term.term.id for term in vocabularies.search_terms(desk, "two", ["mine"])] == ["X:2"]


def test_adding_again_takes_the_place_of_the_old_one(desk):
    installation.add_upload(desk, "mine.tsv", TABLE)
    installation.add_upload(desk, "mine.obo", OBO.encode())
    assert vocabularies.vocabulary_entry(desk, "mine").version == "9"
    assert [path.name for path in desk.vocabularies.glob("mine*")] == ["mine.obo"]


@pytest.mark.parametrize(
    ("name", "content"), [("x.tsv", b""), ("x.tsv", b"\0\1"), ("x.exe", TABLE), (".tsv", TABLE)]
)
def test_unreadable_vocabulary_never_enters_the_project(desk, name, content):
    before = desk.vocabulary_registry.names()
    with pytest.raises(InputError):
        installation.add_upload(desk, name, content)
    assert desk.vocabulary_registry.names() == before


def test_a_file_name_cannot_leave_the_folder(desk):
    installation.add_upload(desk, "../../evil name.tsv", TABLE)
    assert (desk.vocabularies / "evil_name.tsv").exists()


def test_starters_stand_in_until_the_project_has_its_own(desk):
    assert vocabularies.vocabulary_entry(desk, "mesh").built_in
    installation.add_upload(desk, "mesh_full.tsv", b"id\tlabel\nMESH:D1\tone\n")
    assert "mesh" not in desk.vocabulary_registry.names()
    assert [lexicon.name for lexicon in desk.vocabulary_registry.lexicons(("mesh",))] == [
        "mesh_full"
    ]


def test_shipped_vocabulary_cannot_be_removed(desk):
    with pytest.raises(Refused):
        own_files.remove_vocabulary(desk, "mesh")
    with pytest.raises(NotFound):
        own_files.remove_vocabulary(desk, "nothing")


def test_a_file_is_compiled_once_when_it_is_added(desk, monkeypatch):
    installation.add_upload(desk, "mine.tsv", TABLE)
    monkeypatch.setattr(compiling.lexicon_build, "build_index", None)
    assert vocabularies.search_terms(desk, "two", ["mine"])


def test_kind_of_a_flat_vocabulary_is_asked_once_and_remembered(desk):
    installation.add_upload(desk, "mine.tsv", TABLE)
    assert vocabularies.vocabulary_entry(desk, "mine").holds == ()
    own_files.say_kinds(desk, "mine", [Category.CHEMICAL])
    assert vocabularies.vocabulary_entry(desk, "mine").holds == ("chemical",)
    own_files.remove_vocabulary(desk, "mine")
    assert desk.vocabulary_registry.kinds() == {}


def test_mapped_columns_go_with_the_file_and_may_be_mapped_again(desk):
    table = b"code,title,other\n1,one,uno\n2,two,due\n"
    installation.add_upload(
        desk, "t.csv", table, mapping=ColumnMapping("code", "title", prefix="T")
    )
    assert desk.vocabulary_registry.lexicon("t").term("T:2").label == "two"
    installation.add_upload(
        desk, "t.csv", table, mapping=ColumnMapping("code", "other", prefix="T")
    )
    assert desk.vocabulary_registry.lexicon("t").term("T:2").label == "due"
    assert [name for name in desk.vocabulary_registry.names() if name.startswith("t")] == ["t"]


def test_a_term_is_shown_with_its_neighbours(desk):
    content = b"id\tlabel\tsynonym\tscope\tparents\nX:1\tone\t\t\t\nX:2\ttwo\t\t\tX:1\n"
    installation.add_upload(desk, "mine.tsv", content)
    assert vocabularies.term_detail(desk, "mine", "X:2").parents == (("X:1", "one"),)
    assert vocabularies.term_detail(desk, "mine", "X:1").children == (("X:2", "two"),)
