"""Tables as lines of a text, and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.model import Span
from core.text.grid import Grid, grid_at, grid_lines, grids_in, is_heading_row, is_table_row
from core.text.sentence import split_sentences

EFFECTS = Grid(("Drug", "Nausea", "Rash", "Death"), (("Alpha", "", "", "4"), ("Beta", "3", "", "")))


def written(grid: Grid) -> str:
    return "\n\n".join(grid_lines(grid))


def test_a_value_stands_behind_its_own_headings() -> None:
    assert grid_lines(EFFECTS)[1:] == ["Alpha – Death: 4", "Beta – Nausea: 3"]


_WORDS = st.text("ab:–| .1-", max_size=6).map(
    lambda words: " ".join(words.replace("|", "").split()).strip(": .")
)


@given(st.data())
def test_a_table_is_read_back_from_its_lines(data: st.DataObject) -> None:
    width = data.draw(st.integers(2, 4))
    heads = data.draw(
        st.lists(st.text("xyz", min_size=1, max_size=3), min_size=width, max_size=width)
    )
    columns = tuple(f"{head}{number}" for number, head in enumerate(heads))
    name = st.text("mn", min_size=1, max_size=4)
    rows = data.draw(st.lists(st.tuples(name, *[_WORDS] * (width - 1)), min_size=1, max_size=4))
    (placed,) = grids_in(f"Before.\n\n{written(Grid(columns, tuple(rows)))}\n\nAfter it all.")
    assert placed.grid == Grid(columns, tuple(rows))


def test_the_table_of_a_span_is_found_with_the_place_of_each_cell() -> None:
    text = f"We saw it.\n\n{written(EFFECTS)}\n\nThe end."
    at = text.index("Death: 4") + len("Death: ")
    placed = grid_at(text, Span(at, at + 1))
    assert placed is not None and placed.grid == EFFECTS
    (cell,) = [cell for cell in placed.cells if cell.span == Span(at, at + 1)]
    assert (cell.row, cell.column) == (0, 3)
    assert grid_at(text, Span(0, 5)) is None


def test_a_row_is_one_sentence_whatever_its_cells_say() -> None:
    grid = Grid(("Drug", "Effect", "Note"), (("Alpha", "Strong. Mild later. None died.", ""),))
    more = Grid(("Drug", "Effect", "Note"), (("Beta", "Weak. None.", "Two died. One left."),))
    for text in (written(grid), written(more)):
        heads, row = split_sentences(text)
        assert is_table_row(row.quote(text)) and is_table_row(heads.quote(text))


def test_prose_with_bars_is_cut_into_sentences() -> None:
    text = "Given P(A | B), it fell. Then it rose."
    assert len(split_sentences(text)) == 2


def test_a_table_of_one_column_keeps_its_heading() -> None:
    grid = Grid(("Gene",), (("TP53",), ("BRCA1",)), 0)
    lines = grid_lines(grid)
    assert is_heading_row(lines[0])
    (placed,) = grids_in("\n".join(["Genes were read.", *lines]))
    assert (placed.grid.columns, placed.grid.rows) == (grid.columns, grid.rows)
