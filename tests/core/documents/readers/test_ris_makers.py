"""RIS as seven makers write it: each names the paper in its own tags, and all mean the same one
(tests/data/ris).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from core.desk import open_desk
from core.documents.files import read_bytes
from core.documents.readers.citation_files import pmid_of
from core.services.literature import namespaces, screening
from core.settings import Settings

FOLDER = Path(__file__).parents[3] / "data" / "ris"
DOI, PMID = "DOI:10.1234/jin.2021.001", "PMID:33333333"
IDS = {
    "scopus": (PMID, DOI),
    "web_of_science": (DOI,),
    "embase": (PMID, DOI),
    "ovid": (PMID, DOI),
    "zotero": (PMID, "PMCID:PMC7777777", DOI),
    "endnote": (PMID, DOI),
    "rayyan": (PMID,),
}


@pytest.mark.parametrize("maker", IDS)
def test_the_ids_are_found_where_the_maker_writes_them(maker: str) -> None:
    (paper,) = read_bytes((FOLDER / f"{maker}.ris").read_bytes(), f"{maker}.ris")
    assert paper.ids == IDS[maker]
    assert paper.title.startswith("Effects of compound Q") and paper.year == "2021"
    assert paper.journal.casefold() == "journal of invented nephrology"
    assert paper.sections[0].text.startswith("Compound Q lowered creatinine")


def test_initials_in_a_row_are_kept() -> None:
    (paper,) = read_bytes((FOLDER / "web_of_science.ris").read_bytes(), "wos.ris")
    assert paper.authors == ("Roe AB",)


def test_a_number_of_another_database_is_not_a_pmid() -> None:
    assert pmid_of({"accession_number": "WOS:000600000000001"}) == ""
    assert pmid_of({"accession_number": "123456", "name_of_database": "PsycInfo"}) == ""
    assert pmid_of({"custom2": "123456"}) == ""


def test_seven_libraries_give_one_paper_and_the_flow_counts_its_copies(tmp_path: Path) -> None:
    desk = open_desk(Settings(project=tmp_path))
    namespaces.create_namespace(desk, "review")
    files = [FOLDER / f"{maker}.ris" for maker in IDS]
    added = namespaces.add_files(desk, "review", files)
    assert (added.read, namespaces.papers_of_namespace(desk, "review")) == (7, 1)
    counts = {what: count for _, what, count in screening.paper_flow(desk, ["review"]).rows()}
    assert 6 in counts.values() and 1 in counts.values()
    desk.close()
