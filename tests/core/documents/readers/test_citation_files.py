"""Files of reference managers."""

from __future__ import annotations

import pytest

from core.documents.files import read_bytes
from core.errors import InputError

RIS = """TY  - JOUR
T1  - Tau in mice
AU  - Roe, Ann B.
PY  - 2020/03//
DO  - https://doi.org/10.1000/ABC
AB  - Tau fell by 10<sup>6</sup>.
JF  - Made Up
ER  -

TY  - JOUR
TI  - Another paper
DB  - Medline
AN  - 12345
ER  -
"""
BIB = r"""@article{roe, title = {{Tau in {M}ice}}, author = {Roe, Ann and M{\"u}ller, B},
 year = 2020, doi = {10.1000/abc}, abstract = {Tau fell 5\%.}}"""
ENW = """%0 Journal Article
%T Tau in mice
%A Roe, Ann
%D 2020
%R 10.1000/abc
%X Tau fell.

%0 Book
%T Two
"""
CSV = """\ufeffAuthors,Title,Year,Source title,DOI,Abstract
"Roe A.; Moe B.","Tau, in mice",2020,J,10.1000/abc,Fell.
"""


def test_each_ris_record_is_a_paper() -> None:
    first, second = read_bytes(RIS.encode(), "scopus.ris")
    assert (first.id, first.title, first.year) == ("DOI:10.1000/abc", "Tau in mice", "2020")
    assert first.authors == ("Roe AB",)
    assert second.id == "PMID:12345"


def test_bibtex_is_read_with_its_accents_and_escapes() -> None:
    (paper,) = read_bytes(BIB.encode(), "library.bib")
    assert (paper.title, paper.authors) == ("Tau in Mice", ("Roe A", "Müller B"))
    assert paper.sections[0].text == "Tau fell 5%."


def test_endnote_records_are_papers() -> None:
    papers = list(read_bytes(ENW.encode(), "library.enw"))
    assert [paper.title for paper in papers] == ["Tau in mice", "Two"]
    assert papers[0].id == "DOI:10.1000/abc"


def test_a_table_is_read_by_the_names_of_its_columns() -> None:
    (paper,) = read_bytes(CSV.encode(), "scopus.csv")
    assert (paper.id, paper.title, paper.journal) == ("DOI:10.1000/abc", "Tau, in mice", "J")
    assert paper.authors == ("Roe A.", "Moe B.")


def test_a_table_without_a_title_column_is_refused_with_the_names_to_use() -> None:
    with pytest.raises(InputError, match="no column named Title"):
        list(read_bytes(b"a,b\n1,2\n", "x.csv"))


def test_a_record_without_identifiers_is_one_paper_wherever_it_comes_from() -> None:
    ris = b"TY  - JOUR\nTI  - Tau in mice\nAU  - Roe, A\nPY  - 2020\nER  - \n"
    bib = b"@article{x, title={Tau in Mice.}, author={Roe, A}, year=2020}"
    assert next(read_bytes(ris, "a.ris")).id == next(read_bytes(bib, "a.bib")).id
