"""Rows of tables as people export them."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.read_document import papers_of
from core.documents.readers.csv_rows import _Reader, csv_rows
from core.errors import InputError
from core.text.separated import LONGEST_CELL


def cells(text: str, sign: str = ",") -> list[list[str]]:
    return [row.cells for row in csv_rows(text, sign, "a.csv")]


@given(
    st.lists(
        st.lists(st.text(alphabet='ab ",\n;', max_size=6), min_size=2, max_size=2),
        min_size=1,
        max_size=5,
    )
)
def test_what_python_writes_is_read_as_it_was(rows: list[list[str]]) -> None:
    written = io.StringIO(newline="")
    csv.writer(written).writerows([["title", "abstract"], *rows])
    assert cells(written.getvalue()) == [["title", "abstract"], *rows]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_lone_quotation_mark_swallows_no_row_and_is_told_with_its_line(end: str) -> None:
    lines = ["title;abstract;year", 'A;"One of them ...;2020', "B;Two;2021", '"C";"x";2022']
    rows = list(csv_rows(end.join(lines), ";", "a.csv"))
    assert [len(row.cells) for row in rows] == [3, 3, 3, 3]
    assert [(row.line, row.lone_quote) for row in rows if row.lone_quote] == [(2, True)]
    papers = papers_of(end.join(lines).encode(), "a.csv")
    assert [paper.title for paper in papers] == ["A", "B", "C"]
    ((problem,),) = [paper.problems for paper in papers if paper.problems]
    assert (problem.code, problem.where) == ("lone-quote", "line 2 of a.csv")


def test_a_cell_of_several_lines_is_one_cell() -> None:
    text = (
        'title,abstract,year\nA,"One,\nand ""two""\nlines",2020\nB,"He said "no" and\nleft",2021\n'
    )
    assert [row[0] for row in cells(text)] == ["title", "A", "B"]
    assert [row.line for row in csv_rows(text, ",", "a.csv")] == [1, 2, 5]


def test_the_line_that_says_what_parts_the_cells_is_counted() -> None:
    raw = "sep=;\ntitle;abstract\nA;Words\n;\nB\n;x".encode("utf-16")
    papers = papers_of(raw, "a.csv")
    assert [paper.title for paper in papers if paper.title] == ["A", "B"]


def test_a_record_without_words_is_named_by_its_line() -> None:
    raw = b'title,abstract,year\n"A\nb",Words,2020\n,,2021\n'
    (problem,) = [problem for paper in papers_of(raw, "a.csv") for problem in paper.problems]
    assert problem.where == "line 4 of a.csv"


def test_a_cell_without_end_is_refused() -> None:
    with pytest.raises(InputError, match="line 2"):
        cells('title,abstract\nA,"' + "x" * (LONGEST_CELL + 1) + '"\n')


def test_a_lone_mark_swallows_no_whole_row_where_its_own_row_is_short() -> None:
    text = (
        'Title,Abstract\n"Unclosed title\nSecond,Two\nThird,Three\n"Fourth paper",Four\nFifth,Five'
    )
    papers = papers_of(text.encode(), "a.csv")
    assert [paper.title for paper in papers] == [
        '"Unclosed title', "Second", "Third", "Fourth paper", "Fifth",
    ]  # fmt: skip
    papers = papers_of(text.encode(), "a.csv")
    told = [problem.where for paper in papers for problem in paper.problems
            if problem.code == "lone-quote"]  # fmt: skip
    assert told == ["line 2 of a.csv"]
    assert cells('a,b\n"x\n"y",1\n') == [["a", "b"], ['"x'], ["y", "1"]]


def test_marks_that_are_not_doubled_in_a_cell_of_several_lines_are_told() -> None:
    rows = list(csv_rows('a,b\n"He said "no" and\nleft",2\n', ",", "a.csv"))
    assert [(row.cells, row.lone_quote) for row in rows][1:] == [
        (['He said "no" and\nleft', "2"], True)
    ]


@pytest.mark.parametrize("end", ["", 'y",2\n', 'a,b\ny",2\n', 'y",2,3\n'])
def test_many_marks_that_nothing_closes_are_read_in_the_time_of_their_lines(
    end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line is looked at a few times, not once for each line before it."""
    read, cells_of = list[int](), _Reader._cells

    def counted(reader: _Reader, at: int, quoted: re.Pattern[str] | None) -> Any:
        found = cells_of(reader, at, quoted)
        read.append(len(found[0]))
        return found

    monkeypatch.setattr(_Reader, "_cells", counted)
    rows = cells("a,b\n" + '"x\n' * 1000 + end)
    assert sum(map(len, rows)) >= 3 and len(read) < 5 * 1000
