"""Papers into a namespace by their identifiers."""

from __future__ import annotations

from datetime import date

import pytest

from core.desk import Desk, open_desk
from core.errors import InputError
from core.services.documents import upload
from core.services.literature import identified, namespaces, screening
from core.settings import Settings
from tests.core.literature.standin import Entrez


@pytest.fixture
def entrez(monkeypatch) -> Entrez:
    entrez = Entrez({n: date(2010, 1, n) for n in range(1, 6)}, full_text={"PMC2", "PMC77"})
    entrez.dois = {("pubmed", "10.1234/two"): [2], ("pmc", "10.1234/pmc"): [77]}
    monkeypatch.setattr(Desk, "web", lambda self, kind="api", hosts=(): entrez)
    return entrez


@pytest.fixture
def desk(tmp_path) -> Desk:
    desk = open_desk(Settings(project=tmp_path / "p", ncbi_interval=0.0))
    namespaces.create_namespace(desk, "n")
    return desk


WORDS = "PMID:1, 3\nhttps://doi.org/10.1234/two 10.1234/pmc 10.1234/none PMID: 99 willow"


def test_many_identifiers_of_all_kinds_in_one_go(desk, entrez):
    report = identified.add_identified(desk, "n", WORDS)
    assert (report["read"], report["new"]) == (4, 4)
    assert sorted(report["missing"]) == ["DOI:10.1234/none", "PMID:99"]
    assert report["strange"] == ["willow"]
    kinds = {m.document.id: m.text.kind for m in desk.store.namespaces.members("n")}
    assert kinds["PMID:1"] == "abstract"
    assert kinds["PMID:2"] == kinds["PMCID:PMC77"] == "full text"
    assert screening.paper_flow(desk, ["n"]).sources == {"identifiers": 4}


def test_pmids_are_asked_for_together(desk, entrez):
    identified.add_identified(desk, "n", "1 2 3 4 5", full_text=False)
    assert len([asked for asked in entrez.asked if "efetch" in asked.url]) == 1


def test_words_without_an_identifier_are_refused(desk, entrez):
    with pytest.raises(InputError, match="here names"):
        identified.start_fetching(desk, "n", "willow bark", full_text=True)


def test_a_doi_is_read_as_the_full_text_that_pmc_has(desk, entrez):
    assert upload.paper_by_id(desk, "10.1234/two").kind == "full text"
    assert upload.paper_by_id(desk, "PMID:2").kind == "abstract"
