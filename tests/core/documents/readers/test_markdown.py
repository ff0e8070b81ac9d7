"""Markdown files: their headings are the title and the sections."""

from __future__ import annotations

import pytest

from core.documents.files import read_bytes
from core.documents.read_document import read_as
from core.errors import InputError


def test_a_heading_is_the_title_and_others_are_sections():
    text = "# Tau in mice\n\nWe asked.\n\n## Methods ##\n\n- 10^6 cells\n\n## Results\n\nIt rose.\n"
    paper = next(iter(read_bytes(text.encode(), "notes.md")))
    assert paper.title == "Tau in mice"
    sections = [(section.name, section.text.strip()) for section in paper.sections]
    assert sections == [("", "We asked."), ("Methods", "- 10^6 cells"), ("Results", "It rose.")]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# One\n\nA.\n\n# Two\n\nB.\n", "notes"),
        ("Tau rose\n\nIn mice, it rose.\n", "Tau rose"),
        ("#tag is no heading\n\nIt rose.\n", "#tag is no heading"),
        ("# Tau\n\n```\n# a comment\n```\n", "Tau"),
    ],
)
def test_the_title_is_the_one_heading_above_all_others(text, title):
    assert next(iter(read_bytes(text.encode(), "notes.md"))).title == title


def test_a_list_of_references_is_set_apart_and_a_doi_on_its_own_line_is_the_documents():
    text = "# Tau\n\nDOI: 10.1000/ABC\n\n## Results\n\nIt rose.\n\n## 4. References\n\n1. Old.\n"
    document = read_as(next(iter(read_bytes(text.encode(), "notes.md"))))
    assert document.ids == ("DOI:10.1000/abc",)
    assert document.text.endswith("It rose.")


def test_a_table_with_tabs_whose_columns_are_unknown_is_not_read_as_a_text():
    with pytest.raises(InputError, match="no column named"):
        list(read_bytes(b"Ref\tArticle name\n1\tTau in mice\n", "export.tsv"))


def test_raised_and_lowered_words_keep_numbers_true():
    text = "# Tau\n\n10^6^ cells, 10^-6^ M, CO~2~, Ca^2+^, 10<sup>6</sup>; x^2 and y^2, ~~no~~\n"
    (section,) = next(iter(read_bytes(text.encode(), "notes.md"))).sections
    expected = "10^6 cells, 10^-6 M, CO2, Ca2+, 10^6; x^2 and y^2, ~~no~~"
    assert section.text.strip() == expected


def test_tables_are_set_apart_with_their_rows():
    table = "| Gene | Fold |\n|:---|---:|\n| MAPT | 10^6^ |\n| APP | 2 |"
    text = f"# Tau\n\nBefore.\n\n{table}\n\nAfter a | b.\n"
    text_part, tables = next(iter(read_bytes(text.encode(), "notes.md"))).sections
    assert text_part.text.split() == ["Before.", "After", "a", "|", "b."]
    assert (tables.kind, tables.text) == (
        "table",
        "Columns: Gene | Fold\n\nMAPT – Fold: 10^6\n\nAPP – Fold: 2",
    )


def test_a_table_in_a_text_without_headings_is_set_apart():
    text = b"Tau rose\n\nIn mice.\n\na | b\n--|--\n1 | 2\n"
    paper = next(iter(read_bytes(text, "notes.md")))
    assert (paper.title, [s.kind for s in paper.sections]) == ("Tau rose", ["", "table"])


def test_a_table_in_a_block_of_code_is_code():
    text = "# Tau\n\n```\na | b\n--|--\n1 | 2\n```\n"
    (section,) = next(iter(read_bytes(text.encode(), "notes.md"))).sections
    assert "1 | 2" in section.text


def test_the_block_of_keys_that_begins_a_file_names_the_paper_and_is_not_text():
    raw = b"---\ntitle: Tau\ndoi: 10.1/Ab\npmid: 12\n---\n## Results\n\nTau falls.\n"
    raw = raw.replace(b"10.1/", b"10.1234/")
    paper = next(iter(read_bytes(raw, "a.md")))
    assert (paper.title, paper.ids) == ("Tau", ("PMID:12", "DOI:10.1234/ab"))
    assert [section.text.strip() for section in paper.sections] == ["Tau falls."]


def test_a_rule_above_a_text_begins_no_block_of_keys():
    paper = next(iter(read_bytes(b"---\n\nTau falls.\n\n---\n\nIt rises.\n", "a.md")))
    assert "Tau falls." in "".join(section.text for section in paper.sections)
