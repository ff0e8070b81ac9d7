"""A base IRI of one's own: asked for before the first release, and fixed by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.cli import main
from core.errors import InputError, Refused, SettingsError
from core.kb.release.release import ReleaseForm
from core.services.releases import base_iri, catalogue, making
from tests import reviewing
from tests.pages.test_knowledge_graph import approved
from tests.reviewing import ANNA

OWN = "https://w3id.org/willow-bark/"


@pytest.fixture
def desk(tmp_path):
    project = approved(reviewing.filled(tmp_path / "willow"))
    yield project
    project.close()


def form(desk, **values) -> ReleaseForm:
    return replace(making.preview_release(desk).form, licence="CC0-1.0", **values)


@pytest.mark.parametrize("make", [making.make_release, making.start_release])
def test_the_placeholder_reaches_no_release_without_a_word(desk, make):
    with pytest.raises(Refused, match=r"leads nowhere.*https://w3id\.org/willow/"):
        make(desk, form(desk), ANNA.orcid)
    assert not catalogue.list_releases(desk)
    assert not desk.store.jobs.find(name=making.JOB)


def test_a_confirmed_placeholder_is_recorded_and_stays_confirmed(desk):
    release = making.make_release(desk, form(desk, placeholder_iri=True))
    assert release.placeholder_iri
    assert "confirmed" in release.policy[-1]
    assert "leads nowhere" in catalogue.notes_of(desk, release.number)
    assert making.preview_release(desk).form.placeholder_iri


def test_a_base_of_ones_own_begins_every_address(desk):
    release = making.make_release(desk, form(desk, base_iri=OWN.rstrip("/")))
    assert release.dataset == desk.base_iri == OWN
    assert not release.placeholder_iri
    assert b"groundwork.example" not in b"".join(catalogue.release_chunks(desk, "1.0.0", "ttl"))


def test_the_first_release_fixes_the_base(desk):
    making.make_release(desk, form(desk, base_iri=OWN))
    assert base_iri.say_base(desk, OWN) == OWN
    with pytest.raises(SettingsError, match="its first release"):
        base_iri.say_base(desk, "https://w3id.org/another/")


@pytest.mark.parametrize("bad", ["willow", "w3id.org/willow/", "https://w3id.org/a b/", "ftp://x/"])
def test_what_is_no_iri_is_refused_and_nothing_is_released(desk, bad):
    with pytest.raises(InputError, match="not a base"):
        making.make_release(desk, form(desk, base_iri=bad))
    assert base_iri.is_placeholder(desk.base_iri)


def test_the_command_line_asks_too(desk, capsys):
    verb = ["--project", str(desk.folder), "release", "make", "--licence", "CC0-1.0"]
    assert main(verb) != 0
    assert "--base-iri, such as https://w3id.org/willow/" in capsys.readouterr().err
    assert main([*verb, "--base-iri", OWN]) == 0
    assert catalogue.list_releases(desk)[0].iri == f"{OWN}release/1.0.0"


@pytest.mark.parametrize("word", ["LAB=lab", "LAB", "=https://lab.example/", "MESH=https://a.b/"])
def test_a_bad_iri_of_a_prefix_is_refused_before_a_file_is_added(desk, tmp_path, word):
    file = tmp_path / "frosts.tsv"
    file.write_text("id\tlabel\nLAB:1\tfrost\n")
    verb = ["--project", str(desk.folder), "vocabularies", "add", str(file), "--iri", word]
    assert main(verb) != 0
    assert not (desk.vocabularies / "frosts.tsv").exists()
