"""Files of reference managers."""

from __future__ import annotations

import io

import pytest
from openpyxl import Workbook

from core.documents.files import read_bytes
from core.documents.readers import table
from core.documents.readers.table import read_head, read_table
from core.errors import InputError
from core.literature.triage.citation import Citation, bibtex, csv_text, ris

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
    assert paper.authors == ("Roe A", "Moe B")


@pytest.mark.parametrize("above", ["", "sep=,\n", "Exported today\n\n"])
@pytest.mark.parametrize("count", [1, 4, 5, 6, 60])
def test_every_row_of_a_table_is_a_paper(above: str, count: int) -> None:
    rows = "".join(f"Paper {number},10.1000/{number}\n" for number in range(count))
    papers = read_bytes(f"{above}Title,DOI\n{rows}".encode(), "list.csv")
    assert [paper.doi for paper in papers] == [f"10.1000/{number}" for number in range(count)]


def test_a_table_without_a_title_column_is_refused_with_the_names_to_use() -> None:
    with pytest.raises(InputError, match="no column named"):
        list(read_bytes(b"a,b\n1,2\n", "x.csv"))


def test_a_record_without_identifiers_is_one_paper_wherever_it_comes_from() -> None:
    ris = b"TY  - JOUR\nTI  - Tau in mice\nAU  - Roe, A\nPY  - 2020\nER  - \n"
    bib = b"@article{x, title={Tau in Mice.}, author={Roe, A}, year=2020}"
    assert next(read_bytes(ris, "a.ris")).id == next(read_bytes(bib, "a.bib")).id


def workbook(rows: list[list[object]]) -> bytes:
    book, file = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize("title", ["", "Reply"])
def test_records_without_a_title_of_their_own_are_distinguished_by_their_abstracts(title) -> None:
    record = "TY  - JOUR\nTI  - {}\nAU  - Roe, A.\nPY  - 2001\nAB  - {}\nER  - \n"
    ris = "".join(record.format(title, words) for words in ("Tau fell.", "Mice ran.", "Tau fell."))
    ids = [paper.id for paper in read_bytes(ris.encode(), "r.ris")]
    assert len(set(ids)) == 2
    assert ids[0] == ids[2]


def test_an_excel_sheet_is_a_table() -> None:
    raw = workbook([["Article Title", "PMID", "Publication Year"], ["On tau", 123, 2020.0], []])
    (paper,) = read_bytes(raw, "wos.xlsx")
    assert (paper.title, paper.id, paper.year) == ("On tau", "PMID:123", "2020")


def test_a_person_says_which_column_holds_what() -> None:
    raw = "Titel;Jahr\nÜber Tau;1999\n".encode()
    assert read_head(raw, "a.csv").known_columns == {}
    (paper,) = read_table(raw, "a.csv", {"title": "Titel", "year": "Jahr"})
    assert (paper.title, paper.year) == ("Über Tau", "1999")


def test_a_damaged_workbook_is_refused_and_nothing_else() -> None:
    raw = workbook([["Title"], ["x"]])
    for damaged in (raw[:200], raw.replace(b"sheet1", b"sheet9")):
        with pytest.raises(InputError, match="workbook"):
            list(read_table(damaged, "a.xlsx"))


CITATIONS = [
    Citation("PMID:12", "Tau & kinases: β-catenin {and} 50 % more", "2020", "J Test",
             ("Roe AB", "Tau Group"), "10.1234/abc_d", "include"),
    Citation("PMCID:PMC7", "=SUM of tau", "1999", "Cell", ("Poe C",), "", "exclude", "review"),
    Citation("DOI:10.5555/x", "Only a DOI", "2001", "", (), "10.5555/x", "maybe"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "write"), [("csv", csv_text), ("ris", ris), ("bib", bibtex)])
def test_exported_citations_are_read_back(form: str, write) -> None:
    papers = list(read_bytes(write(CITATIONS).encode(), f"judged.{form}"))
    for paper, citation in zip(papers, CITATIONS, strict=True):
        assert (paper.title, paper.year) == (citation.title, citation.year)
        assert citation.document in paper.ids
        assert [p.split()[0] for p in paper.authors] == [a.split()[0] for a in citation.authors]
        assert paper.doi == citation.doi


WOS = """\ufeffFN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Smith, JA
   Jones, B
AF Smith, John A.
   Jones, Barbara
TI A long title that
   continues on the next line
SO NATURE MEDICINE
AB We treated 250 mice with
   10 mg/kg of drug.
PY 2017
DI 10.1038/nm.0001
PM 28000001
UT WOS:000400000000001
ER

PT J
AU Kim, C
TI Second record
PY 2016
ER

PT J
UT WOS:3
ER

EF
"""


@pytest.mark.parametrize("name", ["savedrecs.txt", "library.ciw"])
def test_tagged_text_of_web_of_science_is_read_record_by_record(name: str) -> None:
    first, second, empty = read_bytes(WOS.encode(), name)
    assert first.ids == ("PMID:28000001", "DOI:10.1038/nm.0001")
    assert first.title == "A long title that continues on the next line"
    assert first.sections[0].text == "We treated 250 mice with 10 mg/kg of drug."
    assert (first.authors, first.year) == (("Smith JA", "Jones B"), "2017")
    assert (second.title, second.year) == ("Second record", "2016")
    assert not empty.id and "left out" in empty.problems[0].message


def test_a_table_of_web_of_science_is_read_though_it_is_called_txt() -> None:
    table = "PT\tAU\tTI\tSO\tAB\tPY\tDI\nJ\tSmith, J; Doe, A\tTau\tNature\t5 mg\t2019\t10.1038/x"
    (paper,) = read_bytes(table.encode(), "savedrecs.txt")
    assert (paper.id, paper.title, paper.year) == ("DOI:10.1038/x", "Tau", "2019")


@pytest.mark.parametrize("table", ["Title,Abstract,DOI\n", "Title,Abstract,DOI\n,,\n"])
def test_a_table_with_nothing_below_its_column_names_says_so(table: str) -> None:
    with pytest.raises(InputError, match="no paper below"):
        list(read_bytes(table.encode(), "list.csv"))


def test_two_papers_under_one_key_and_a_field_that_stands_twice_are_read() -> None:
    raw = b"""@article{k, title={One}, url={a}, url={b}}
@article{k, title={Two}, year=2020}"""
    assert [paper.title for paper in read_bytes(raw, "x.bib")] == ["One", "Two"]


def test_pieces_of_a_field_are_joined_and_macros_written_out() -> None:
    raw = b"""@string{J = {Journal of } # "Tests"}
@ article
{k, title="The "#{end}, journal = j # { B}, year=2020}
@misc{l, title={On # tau}, journal = unknown}"""
    first, second = read_bytes(raw, "x.bib")
    assert (first.title, first.journal) == ("The end", "Journal of Tests B")
    assert (second.title, second.journal) == ("On # tau", "unknown")


def test_a_damaged_entry_is_told_with_its_line() -> None:
    raw = b"@misc{a, title={One}}\n\n@misc{b, title={Two\n\n@misc{c, title={Three}}\n"
    papers = list(read_bytes(raw, "x.bib"))
    assert [paper.title for paper in papers if paper.id] == ["One", "Three"]
    assert [p.where for paper in papers for p in paper.problems] == ["line 3 of x.bib"]


@pytest.mark.parametrize("end", ["ER -", "ER  -", "ER  - "])
@pytest.mark.parametrize("tag", ["{} - ", "{}  - ", "  {}  - "])
def test_the_end_of_a_record_is_no_abstract_however_many_blanks_it_has(end: str, tag: str) -> None:
    record = "".join(tag.format(name) + value + "\n" for name, value in
                     (("TY", "JOUR"), ("TI", "Tau"), ("AB", "It fell.")))  # fmt: skip
    indent = tag[: len(tag) - len(tag.lstrip())]
    papers = list(read_bytes((f"{record}{indent}{end}\n\n" * 2).encode(), "x.ris"))
    assert [paper.sections[0].text for paper in papers] == ["It fell.", "It fell."]


def test_a_record_whose_beginning_is_missing_is_read() -> None:
    raw = b"TY  - JOUR\nTI  - One\nER  - \nAU  - Roe, A\nTI  - Two\nER  - \nLP  - x\nER  - \n"
    assert [paper.title for paper in read_bytes(raw, "x.ris")] == ["One", "Two"]


@pytest.mark.parametrize(
    ("fields", "year", "told"),
    [
        ("PY  - 2013\nDA  - 2014/04/01\n", "2014", 1),
        ("PY  - 2013\nDA  - 2021/04/01\n", "2013", 1),
        ("Y1  - 2013/05/28\nPY  - 2013\nDA  - May\n", "2013", 0),
    ],
)
def test_the_year_is_that_of_the_issue_and_a_difference_is_told(fields, year, told) -> None:
    (paper,) = read_bytes(f"TY  - JOUR\nTI  - Tau\n{fields}ER  - \n".encode(), "x.ris")
    assert (paper.year, len(paper.problems)) == (year, told)


@pytest.mark.parametrize("above", ["", "Search 3\nExported today\n"])
def test_the_limit_counts_the_papers_below_the_names(above, monkeypatch) -> None:
    monkeypatch.setattr(table, "MOST_RECORDS", 3)
    raw = f"{above}Title,DOI\nA,\n,\nB,\nC,\n"
    assert len(list(read_table(raw.encode(), "a.csv"))) == 3
    with pytest.raises(InputError, match="more than 3 rows"):
        next(read_table(f"{raw}D,\n".encode(), "a.csv"))
