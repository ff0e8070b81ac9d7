"""Adding, installing, updating and removing vocabularies of a project; nothing half done, nothing
from elsewhere.
"""

from __future__ import annotations

import pytest

from core.desk import open_desk
from core.errors import InputError, NotFound, Refused, Unreachable
from core.grounding.install import catalogue
from core.services.vocabularies import vocabularies
from core.settings import load
from core.web import Fetched

TABLE = b"id\tlabel\nX:1\tone\nX:2\ttwo\n"
OBO = "format-version: 1.2\ndata-version: 9\n\n[Term]\nid: UO:1\nname: unit\n"


@pytest.fixture
def desk(tmp_path):
    return open_desk(load(tmp_path / "project"))


class Web:
    def __init__(self, answer: str = OBO, error: Exception | None = None):
        self.answer, self.error, self.asked = answer, error, []

    def fetch(self, request):
        self.asked.append(request.url)
        if self.error:
            raise self.error
        return Fetched(200, self.answer)


def test_an_added_file_is_kept_and_searched(desk):
    found = vocabularies.add_upload(desk, "mine.tsv", TABLE)
    assert (found.name, found.terms, found.built_in) == ("mine", 2, False)
    assert [one.term.id for one in vocabularies.search(desk, "two", ["mine"])] == ["X:2"]


def test_adding_again_takes_the_place_of_the_old_one(desk):
    vocabularies.add_upload(desk, "mine.tsv", TABLE)
    vocabularies.add_upload(desk, "mine.obo", OBO.encode())
    assert vocabularies.entry(desk, "mine").version == "9"
    assert [path.name for path in desk.vocabularies.glob("mine*")] == ["mine.obo"]


@pytest.mark.parametrize(
    ("name", "content"), [("x.tsv", b""), ("x.tsv", b"\0\1"), ("x.exe", TABLE), (".tsv", TABLE)]
)
def test_what_cannot_be_read_never_enters_the_project(desk, name, content):
    before = desk.shelf.names()
    with pytest.raises(InputError):
        vocabularies.add_upload(desk, name, content)
    assert desk.shelf.names() == before


def test_a_file_name_cannot_leave_the_folder(desk):
    vocabularies.add_upload(desk, "../../evil name.tsv", TABLE)
    assert (desk.vocabularies / "evil_name.tsv").exists()


def test_starters_stand_in_until_the_project_has_its_own(desk):
    assert vocabularies.entry(desk, "mesh").built_in
    vocabularies.add_upload(desk, "mesh_full.tsv", b"id\tlabel\nMESH:D1\tone\n")
    assert "mesh" not in desk.shelf.names()
    assert [one.name for one in desk.shelf.lexicons(("mesh",))] == ["mesh_full"]


def test_a_starter_is_installed_and_removed_but_never_the_one_of_the_app(desk):
    assert not vocabularies.install(desk, "mesh").built_in
    assert vocabularies.remove(desk, "mesh")
    with pytest.raises(Refused):
        vocabularies.remove(desk, "mesh")


def test_a_release_is_downloaded_from_its_authority_and_updated(desk, monkeypatch):
    web = Web()
    monkeypatch.setattr(type(desk), "web", lambda *_: web)
    assert vocabularies.install(desk, "uo", full=True).version == "9"
    web.answer = OBO.replace("9", "10")
    assert [one.version for one in vocabularies.update(desk, "uo")] == ["10"]
    assert web.asked == [catalogue.REMOTE["uo"]] * 2


def test_without_a_network_the_old_one_stays(desk, monkeypatch):
    monkeypatch.setattr(type(desk), "web", lambda *_: Web(error=Unreachable("No network.")))
    with pytest.raises(Unreachable):
        vocabularies.install(desk, "uo")
    assert "uo" not in desk.shelf.names()


def test_unknown_names_are_refused(desk):
    with pytest.raises(NotFound):
        vocabularies.install(desk, "http://elsewhere.example/x.obo")
    with pytest.raises(NotFound):
        vocabularies.remove(desk, "nothing")


def test_a_term_is_shown_with_its_neighbours(desk):
    content = b"id\tlabel\tsynonym\tscope\tparents\nX:1\tone\t\t\t\nX:2\ttwo\t\t\tX:1\n"
    vocabularies.add_upload(desk, "mine.tsv", content)
    assert vocabularies.detail(desk, "mine", "X:2").parents == (("X:1", "one"),)
    assert vocabularies.detail(desk, "mine", "X:1").children == (("X:2", "two"),)
