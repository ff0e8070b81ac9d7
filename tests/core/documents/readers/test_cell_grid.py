"""From the cells of a source to rows under headings."""

from __future__ import annotations

import pytest

from core.documents.readers.cell_grid import SourceCell, TableGrid, grid_of_cells, table_section


def rows(*lines: str, **marks: bool) -> list[list[SourceCell]]:
    """`a|b>2|c_3`: b spans two columns, c three rows."""
    made = []
    for line in lines:
        cells = []
        for words in line.split("|"):
            text, _, tall = words.partition("_")
            text, _, wide = text.partition(">")
            cells.append(SourceCell(text, int(tall or 1), int(wide or 1), **marks))
        made.append(cells)
    return made


def test_spans_are_spread_over_headings_and_rows() -> None:
    table = grid_of_cells(
        rows("ABC1_3|5|1", "7|2", "|3", "DEF2|9>2"), rows("Gene_2|Patients>2", "Affected|Healthy")
    )
    assert table.grids[0].columns == ("Gene", "Patients, Affected", "Patients, Healthy")
    assert table.grids[0].rows == (
        ("ABC1", "5", "1"),
        ("ABC1", "7", "2"),
        ("ABC1", "", "3"),
        ("DEF2", "9", "9"),
    )


@pytest.mark.parametrize(
    ("body", "columns"),
    [
        (rows("Drug|Dose", head=True) + rows("A|5"), ("Drug", "Dose")),
        (rows("Drug|Dose", strong=True) + rows("A|high"), ("Drug", "Dose")),
        (rows("Drug|Dose", "A|5 mg", "B|7 mg"), ("Drug", "Dose")),
        (rows("Age|45", "Weight|70"), ("", "")),
        (rows("Name|Roe", "Place|Rome"), ("", "")),
    ],
)
def test_the_row_that_names_the_columns_is_found(body, columns) -> None:
    assert grid_of_cells(body).grids[0].columns == columns


def test_a_row_over_the_whole_width_names_the_group_of_the_rows_below() -> None:
    table = grid_of_cells(rows("Men>2", "Age|4", "|5", "Women>2", "Age|6"), rows("What|N"))
    assert [row[0] for row in table.grids[0].rows] == ["Men, Age", "Men, Age", "Women, Age"]


def test_an_empty_row_is_no_group_of_the_next() -> None:
    table = grid_of_cells(rows("Gamma||", "Beta|3|"), rows("Drug|Nausea|Death"))
    assert table.grids[0].rows == (("Gamma", "", ""), ("Beta", "3", ""))


def test_a_first_row_that_parts_a_heading_belongs_to_the_columns_too() -> None:
    table = grid_of_cells(rows("Sample|4 °C|25 °C", "A|1.2|1.3", "B|2.2|2.3"), rows("Day|30>2"))
    assert table.grids[0].columns == ("Day", "30, 4 °C", "30, 25 °C")


def test_a_span_without_end_is_cut_to_the_table() -> None:
    table = grid_of_cells([[SourceCell("a", 90_000, 90_000)], [SourceCell("b")]])
    assert len(table.grids[0].rows) <= 2 and len(table.grids[0].columns) <= 1_001


def test_a_table_without_cells_has_no_lines() -> None:
    assert grid_of_cells([[]]).lines() == grid_of_cells([[], []], [[]]).lines() == []


def test_a_table_is_named_by_its_label_and_caption() -> None:
    grid: TableGrid = grid_of_cells(rows("A|5"), rows("Drug|Dose"))
    section = table_section("Table 1", ["Doses.", "In mg."], grid.lines())
    assert (section.name, section.text.split("\n\n")[0]) == ("Table 1. Doses.", "In mg.")


def test_headings_that_a_long_table_repeats_are_no_row() -> None:
    again = rows("A|1") + rows("Drug|Nausea") + rows("B|2")
    assert grid_of_cells(again, rows("Drug|Nausea")).lines() == [
        "Columns: Drug | Nausea", "A – Nausea: 1", "B – Nausea: 2"]  # fmt: skip


def test_a_row_of_headings_names_the_columns_of_what_follows() -> None:
    body = rows("A|1", "Women>2") + rows("|Rash", head=True) + rows("B|2")
    assert grid_of_cells(body, rows("Drug|Nausea")).lines() == [
        "Columns: Drug | Nausea", "A – Nausea: 1",
        "Columns: Drug | Rash", "Women, B – Rash: 2"]  # fmt: skip
    second = rows("|Nausea|Rash", head=True) + rows("B|2|3")
    assert grid_of_cells(second, rows("|Effects>2")).lines() == [
        "Columns:  | Effects, Nausea | Effects, Rash",
        "B – Effects, Nausea: 2 | Effects, Rash: 3"]  # fmt: skip


def test_columns_that_are_printed_side_by_side_stand_one_below_another() -> None:
    table = grid_of_cells(rows("A|1|B|2", "C|3||"), rows("Gene|Dose|Gene|Dose"))
    assert table.grids[0].rows == (("A", "1"), ("C", "3"), ("B", "2"))
    twice = grid_of_cells(rows("A|1|2"), rows("Gene|Dose|Dose"))
    assert twice.grids[0].rows == (("A", "1", "2"),)


def test_what_stands_over_or_below_both_halves_is_said_once() -> None:
    body = rows("Men>4", "A|1|C|3", "B|2|D|4", "Women>4", "A|5|B|6", "Doses in mg.>4")
    table = grid_of_cells(body, rows("Gene|Dose|Gene|Dose"))
    assert table.below == ("Doses in mg.",)
    assert [row[0] for row in table.grids[0].rows] == [
        "Men, A", "Men, B", "Men, C", "Men, D", "Women, A", "Women, B"]  # fmt: skip


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("Residue|Chain|Residue|Chain", ("Arg12|A|Asp30|B", "Lys40|A|Glu50|B")),
        ("Residue|Chain|Residue|Chain", ("Arg12|A|Glu50|B", "Arg12|A|Lys55|B")),
        ("Residue|Chain|Residue|Chain", ("Arg12|A|Glu50|B", "Lys14|C|Glu50|B", "Tyr9|A||")),
        ("n|%|n|%", ("10|20|12|24", "11|22|13|26")),
        ("Mean (SD)|p|Mean (SD)|p", ("1|0.1|3|0.3", "2|0.2|4|0.4")),
        ("Drug|Dose|Drug|Dose", ("Tea|1|Rum|4", "Ale|7|Gin|2")),
        ("Drug|Dose|Drug|Dose", ("Ale|1|Ale|4", "Gin|7|Gin|2")),
    ],
)
def test_rows_that_pair_things_stay_whole(head, body) -> None:
    (grid,) = grid_of_cells(rows(*body), rows(head)).grids
    assert grid.columns == tuple(head.split("|"))
    assert grid.rows == tuple(tuple(row.split("|")) for row in body)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("Gene|Fold", ("B|9.5|A|6", "D|8|F|5", "C|7.1|E|4")),
        ("No.|Drug", ("1|Tea|3|Ale", "2|Rum|4|Gin")),
        ("Gene|Fold", ("X|4|K|7|B|2", "C|8|A|1||")),
    ],
)
def test_a_list_that_goes_on_beside_itself_is_one(head, body) -> None:
    cells = rows(*body)
    (grid,) = grid_of_cells(cells, rows("|".join([head] * (len(cells[0]) // 2)))).grids
    assert grid.columns == tuple(head.split("|"))
    assert len(grid.rows) == sum(bool(cell.text) for row in cells for cell in row) // 2


def test_halves_with_a_group_each_and_the_same_rows_stand_one_below_another() -> None:
    body = rows("Men>2|Women>2", "Cough|4|Cough|9", "Rash|7|Rash|2")
    assert list(grid_of_cells(body, rows("Sign|n|Sign|n")).grids[0].rows) == [
        ("Men, Cough", "4"), ("Men, Rash", "7"),
        ("Women, Cough", "9"), ("Women, Rash", "2")]  # fmt: skip


def test_headings_come_back_after_others() -> None:
    body = rows("Death|0.9|40")
    for name in ("MD", "RR"):
        body += rows(f"Outcome|{name}|n", head=True) + rows("Pain|1.5|30")
    table = grid_of_cells(body, rows("Outcome|RR|n"))
    assert [grid.columns[1] for grid in table.grids] == ["RR", "MD", "RR"]


def test_two_rows_of_headings_between_are_joined_as_those_of_the_head_are() -> None:
    men, women = (
        rows(f"|{who}>2", head=True) + rows("Sign|n|%", head=True) for who in ("Men", "Women")
    )
    body = [*rows("Cough|4|8"), *men, *rows("Rash|5|10"), *women, *rows("Cough|6|12")]
    for head in (men, rows("|Men>2", "Sign|n|%")):
        assert grid_of_cells(body, head).lines() == [
            "Columns: Sign | Men, n | Men, %", "Cough – Men, n: 4 | Men, %: 8",
            "Rash – Men, n: 5 | Men, %: 10",
            "Columns: Sign | Women, n | Women, %",
            "Cough – Women, n: 6 | Women, %: 12"]  # fmt: skip
    assert grid_of_cells([*men, *body]) == grid_of_cells(body, men)


def test_a_total_in_heading_cells_names_no_columns() -> None:
    total = rows("Any event|45 (90%)|47 (94%)", head=True)
    event = rows("Nausea|12 (24%)|10 (20%)")
    head = rows("Event|Placebo|Drug", head=True)
    for table in (
        grid_of_cells([*total, *event], head),
        grid_of_cells([*head, *total, *event]),
    ):
        (grid,) = table.grids
        assert grid.columns == ("Event", "Placebo", "Drug")
        assert [row[0] for row in grid.rows] == ["Any event", "Nausea"]
    body = [*event, *total, *rows("Outcome|Men|Women", head=True), *event]
    assert [len(grid.rows) for grid in grid_of_cells(body, head).grids] == [2, 1]


def test_numbers_with_a_unit_are_headings_where_the_rows_have_no_name_of_their_own() -> None:
    for first, grids in (("Sample", 2), ("", 2), ("Total", 1)):
        body = rows("A|3|4") + rows(f"{first}|30%|50%", head=True) + rows("B|7|9")
        assert len(grid_of_cells(body, rows("Sample|10%|20%")).grids) == grids


def test_years_below_a_heading_that_spans_them_are_headings() -> None:
    head = rows("Country|Cases>2", "Name|2010|2015", head=True)
    assert grid_of_cells(head + rows("Chad|7|9")).grids[0].columns[1:] == (
        "Cases, 2010",
        "Cases, 2015",
    )
