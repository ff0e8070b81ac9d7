"""Exports that are odd but legal, as programs and spreadsheets write them."""

from __future__ import annotations

import json

import pytest

from core.documents.files import read_bytes
from core.documents.paper import Paper
from core.documents.readers.bibtex_value import LONGEST_VALUE, bibtex_entries


def papers(name: str, content: str, encoding: str = "utf-8") -> list[Paper]:
    return list(read_bytes(content.encode(encoding), name))


@pytest.mark.parametrize(
    "record",
    [
        "TY  - JOUR\nTI  - {0}\nAB  - Seen.\n",
        "TY - JOUR\nTI - {0}\nAB - Seen.\nER - \n\n",
        "TY  - JOUR\r\nTI  - {0}\r\nAB  - Seen.\r\nER  -\r\n\r\n",
    ],
    ids=["no end", "one blank after a tag", "Windows"],
)
def test_ris_records_are_separated(record: str) -> None:
    read_papers = papers("a.ris", record.format("One") + record.format("Two"))
    assert [(paper.title, paper.sections[0].text) for paper in read_papers] == [
        ("One", "Seen."),
        ("Two", "Seen."),
    ]


def test_a_line_of_an_abstract_that_looks_like_a_narrow_tag_stays_in_it() -> None:
    (paper,) = papers("a.ris", "TY  - JOUR\nTI  - One\nAB  - It raised\nIL - 6 and more.\nER  - \n")
    assert "IL - 6 and more." in paper.sections[0].text


def test_a_doi_that_endnote_writes_as_type_of_work_is_the_papers() -> None:
    (paper,) = papers("a.ris", "TY  - JOUR\nTI  - One\nM3  - doi:10.1136/bmj.h1\nER  - \n")
    assert paper.ids == ("DOI:10.1136/bmj.h1",)


@pytest.mark.parametrize(
    "above", ["sep=;\n", "# exported 2020-01-01\n", "\ufeffsep=;\r\n", "Search 3\n\n"]
)
def test_lines_above_the_names_of_columns_are_left_out(above: str) -> None:
    (paper,) = papers("a.csv", f"{above}Title;Abstract, in full;Abstract\nOne, two;x;Seen.\n")
    assert (paper.title, paper.sections[0].text) == ("One, two", "Seen.")


@pytest.mark.parametrize(
    ("written", "authors"),
    [
        ("Roe J, Doe AB.", ("Roe J", "Doe AB")),
        ("Roe J., Doe A.B., van der Berg K.-L.", ("Roe J", "Doe AB", "van der Berg K-L")),
        ("Roe, Jane; Doe, Ann B.", ("Roe J", "Doe AB")),
        ("Roe, Jane", ("Roe J",)),
    ],
)
def test_authors_of_a_table_are_separated(written: str, authors: tuple[str, ...]) -> None:
    (paper,) = papers("a.csv", f'Title,Authors\nOne,"{written}"\n')
    assert paper.authors == authors


def test_pubmeds_table_gives_the_pmc_id() -> None:
    (paper,) = papers("a.csv", "\ufeffPMID,Title,PMCID,DOI\n31,One,PMC67,10.1136/x\n")
    assert paper.ids == ("PMID:31", "PMCID:PMC67", "DOI:10.1136/x")


def test_web_of_sciences_table_is_read_in_utf_16() -> None:
    table = "PT\tAU\tTI\tAB\tDI\nJ\tRoe, J; Doe, A\tOne\tSeen.\t10.1000/w\n"
    (paper,) = papers("savedrecs.txt", table, "utf-16")
    assert (paper.id, paper.title, paper.authors) == ("DOI:10.1000/w", "One", ("Roe J", "Doe A"))


def test_zoteros_json_keeps_abstract_ids_and_authors() -> None:
    row = {
        "id": "roe2020",
        "title": "One",
        "abstract": "Seen.",
        "DOI": "10.1000/z",
        "PMID": "55",
        "container-title": "BMJ",
        "issued": {"date-parts": [[2020, 1]]},
        "author": [{"family": "Roe", "given": "Jane"}, {"literal": "Group"}],
    }
    (paper,) = papers("library.json", json.dumps([row]))
    assert (paper.ids, paper.year, paper.journal) == (("PMID:55", "DOI:10.1000/z"), "2020", "BMJ")
    assert (paper.sections[0].text, paper.authors) == ("Seen.", ("Roe J", "Group"))


def test_a_line_of_json_with_an_abstract_keeps_it() -> None:
    (paper,) = papers("a.jsonl", json.dumps({"pmid": 5, "title": "One", "abstract": "Seen."}))
    assert (paper.id, paper.sections[0].text) == ("PMID:5", "Seen.")


def test_a_heading_after_two_blanks_begins_a_section_of_a_medline_abstract() -> None:
    (paper,) = papers(
        "a.nbib", "PMID- 5\nTI  - One\nAB  - METHODS: We looked.  RESULTS: We\n      saw.\n"
    )
    assert [(s.name, s.text) for s in paper.sections] == [
        ("Methods", "We looked."),
        ("Results", "We saw."),
    ]


def test_raised_numbers_of_references_and_the_comma_between_them_are_no_words() -> None:
    first_mark, second_mark = (
        f"<xref ref-type='bibr'><sup>{number}</sup></xref>" for number in (1, 2)
    )
    marks = f"{first_mark}<sup>,</sup>{second_mark}"
    body = f"<body><p>Of 10<sup>6</sup> cells {marks} some died.</p></body>"
    title = "<title-group><article-title>One</article-title></title-group>"
    front = f"<front><article-meta>{title}</article-meta></front>"
    (paper,) = papers("a.xml", f"<article>{front}{body}</article>")
    assert " ".join(paper.sections[0].text.split()) == "Of 10^6 cells some died."


def test_macros_that_double_themselves_do_not_fill_the_memory() -> None:
    doubling = "".join(f"@string{{a{n} = a{n - 1} # a{n - 1}}}\n" for n in range(1, 61))
    text = f'@string{{a0 = "aa"}}\n{doubling}@article{{x, title = a3, note = a60}}\n'
    (entry,) = bibtex_entries(text)
    assert entry.fields is not None and entry.fields["title"] == "aa" * 8
    assert len(entry.fields["note"]) <= LONGEST_VALUE
