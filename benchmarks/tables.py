"""Tables of JATS articles: is each cell read with the heading of its column and of its row? The
reader is compared with pandas, which reads the same `<table>` as HTML by its own rules.

    python benchmarks/tables.py [FOLDER of a.xml.gz or a.xml]

A cell counts as read where the reader's grid has its words in a row of the same heading and in a
column whose heading holds every heading that pandas gives. Letters and digits alone are compared;
up to three more of pandas are signs of notes, which the reader leaves out.
"""

from __future__ import annotations

import gzip
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pandas

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.documents.read_document import only_paper, papers_of
from core.evaluation.data_folder import BESIDE
from core.text.grid import Grid, grids_in

NOTE = 3  # letters of a note's sign
Headed = tuple[tuple[str, ...], str, str]  # headings of the column, heading of the row, words


def main() -> None:
    named = [Path(word) for word in sys.argv[1:] if not word.startswith("--")]
    folder = named[0] if named else BESIDE / "pdf"
    files = sorted([*folder.glob("*.xml.gz"), *folder.glob("*.xml")])
    all_cells = all_found = 0
    for file in files:
        raw = file.read_bytes()
        raw = gzip.decompress(raw) if file.suffix == ".gz" else raw
        cells, found = compared(raw, file.name)
        all_cells, all_found = all_cells + cells, all_found + found
        print(f"{file.name}\t{found:,} of {cells:,}")
    print(f"all\t{all_found:,} of {all_cells:,} cells with their headings", end="")
    print(f" ({all_found / all_cells:.2%})" if all_cells else "")


def compared(raw: bytes, name: str) -> tuple[int, int]:
    """The cells that pandas sees under headings, and those of them that are read so."""
    paper = only_paper(papers_of(raw, "a.xml"), name)
    sections = "\n\n".join(section.text for section in paper.sections)
    own = [cell for placed in grids_in(sections) for cell in _of_grid(placed.grid)]
    by_words: dict[str, list[Headed]] = {}
    for cell in own:
        by_words.setdefault(cell[2], []).append(cell)
    cells = found = 0
    for columns, stub, words in _by_pandas(raw):
        cells += 1
        candidates = [
            cell
            for size in range(NOTE + 1)
            for cell in by_words.get(words[: len(words) - size] if size else words, ())
        ]
        hit = any(_same(columns, stub, cell) for cell in candidates)
        found += hit
        if not hit and "--missing" in sys.argv:
            print("  missing:", columns, stub, words)
    return cells, found


def _same(columns: tuple[str, ...], stub: str, own: Headed) -> bool:
    headings = "".join(own[0])
    return all(_within(part, headings) for part in columns) and _within(stub, own[1])


def _within(words: str, own_words: str) -> bool:
    return any(words[: len(words) - size] in own_words for size in range(min(NOTE, len(words)) + 1))


def _of_grid(grid: Grid) -> Iterator[Headed]:
    for row in grid.rows:
        for at in range(grid.stub, len(row)):
            if row[at]:
                yield (_letters(grid.columns[at]),), _letters(row[0]), _letters(row[at])


def _by_pandas(raw: bytes) -> Iterator[Headed]:
    for table in ElementTree.fromstring(raw).iter("table"):
        for cell in table.iter("td"):
            if "".join(cell.itertext()).strip():
                cell.text = f"§ {cell.text or ''}"  # that pandas takes no cell for a number
        html = ElementTree.tostring(table, encoding="unicode")
        html = re.sub(r"<(/?)bold\b", r"<\1b", html)
        try:
            page = io.StringIO(f"<html><body>{html}</body></html>")
            frames = pandas.read_html(page, keep_default_na=False)
        except ValueError:  # a table without rows
            continue
        for frame in frames:
            yield from _of_frame(frame)


def _of_frame(frame: pandas.DataFrame) -> Iterator[Headed]:
    if all(isinstance(name, int) for name in frame.columns) or frame.shape[1] < 2:
        return  # no headings
    for row in frame.astype(object).itertuples(index=False):
        values = ["" if pandas.isna(value) else _letters(str(value)) for value in row]
        if len(set(values)) < 2:
            continue  # a line over the whole width
        for at in range(1, len(values)):
            name = frame.columns[at]
            parts = name if isinstance(name, tuple) else (name,)
            named = tuple(
                _letters(str(part)) for part in parts if not str(part).startswith("Unnamed:")
            )
            if values[at]:
                yield named, values[0], values[at]


def _letters(words: str) -> str:
    return "".join(letter for letter in words.casefold() if letter.isalnum())


if __name__ == "__main__":
    main()
