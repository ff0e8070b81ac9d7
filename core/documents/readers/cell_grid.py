"""From the cells of a source's table to a grid: spans expanded, the rows that name the columns
found, rows that name a group put before the rows below them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from core.documents.paper import TABLE, PaperSection
from core.text.grid import Grid, grid_lines
from core.text.phrases import one_of

MOST_COLUMNS = 1_000
MOST_CELLS = 500_000  # of a table when its spans are expanded
LONGEST_NAME = 400  # characters of a caption that names its table; of a longer one the label does
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_UNIT = re.compile(r"[^\W\d_]|[%°]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]|^\D*[%°]\D*$")
# Headings of values: a column under one of them does not name what its rows are of.
_MEASURES = (
    r"n % no\W+(?:of|%) numbers?\W+of counts? totals? frequency percent(?:age)? ratios? values? p"
    r" means? medians? sd se sem range iqr \d+\W*ci ci or rr hr md smd"
)
_MEASURE = re.compile(rf"\W*{one_of(_MEASURES)}(?!\w)", re.IGNORECASE)
# Cells that are in order by chance: 1 column of 4 in 12, of 6 in 360 (it rises or falls).
_FEW, _MANY = 4, 6


@dataclass(frozen=True, slots=True)
class SourceCell:
    """A cell as its source gives it. It spans `rows` and `columns`, 1 or more; 0 rows reach to the
    end. `head`: it is marked as a heading; `strong`: all its words are set off.
    """

    text: str
    rows: int = 1
    columns: int = 1
    head: bool = False
    strong: bool = False


@dataclass(frozen=True, slots=True)
class TableGrid:
    """A table's grids, one for each set of headings, and what stands beside them: lines over the
    whole width above and below the rows.
    """

    grids: tuple[Grid, ...]
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        lines = (line for grid in self.grids for line in grid_lines(grid))
        return [*self.above, *lines, *self.below]


_Rows = list[list[SourceCell]]
_EMPTY = SourceCell("")


def grid_of_cells(
    body: Sequence[Sequence[SourceCell]], head: Sequence[Sequence[SourceCell]] = ()
) -> TableGrid:
    """The grid of a table whose `head` rows are known; where there are none, the first rows that
    are marked as headings or look like them are.
    """
    head_rows, body_rows = _expanded(head), _expanded(body)
    if not head_rows:
        count = _head_count(body_rows)
        head_rows, body_rows = body_rows[:count], body_rows[count:]
    width = max(map(len, [*head_rows, *body_rows]), default=0)
    head_rows, body_rows = _padded(head_rows, width), _padded(body_rows, width)
    above = tuple(row[0].text for row in head_rows if width > 1 and _is_whole_width(row))
    named = [row for row in head_rows if not (width > 1 and _is_whole_width(row))]
    columns = tuple(_joined(row[at].text for row in named) for at in range(width))
    beside = _beside(columns, body_rows)
    if beside < width:
        columns, named = columns[:beside], [row[:beside] for row in named]
        body_rows = _one_below_another(body_rows, beside)
    stub = _stub(body_rows, beside)
    if _names_columns(named, body_rows, stub):
        more = [cell.text for cell in body_rows[0]]
        columns = (
            *columns[:stub],
            *(_joined(pair) for pair in zip(columns[stub:], more[stub:], strict=True)),
        )
    grids, below = list[Grid](), tuple[str, ...]()
    for names, part in _parts(columns, named, body_rows, stub=stub):
        rows, below = _grouped(part, stub, below)
        grids.append(Grid(names, tuple(rows), stub))
    return TableGrid(tuple(grids), above, below)


def _beside(columns: Sequence[str], rows: _Rows) -> int:
    """After how many columns all headings come again (Gene, Dose, Gene, Dose) over a list that goes
    on in the next ones: what is printed side by side to save room is one table, whose rows stand
    one below another. Else all columns.
    """
    width = len(columns)
    for part in range(2, width // 2 + 1):
        names = columns[:part]
        distinct = all(names) and len({*names}) == part
        if width % part == 0 and distinct and all(
            columns[at] == names[at % part] for at in range(width)
        ):  # fmt: skip
            return part if _is_one_list(names, rows) else width
    return width


def _is_one_list(names: Sequence[str], rows: _Rows) -> bool:
    """Whether the parts of rows side by side may be taken apart: each row of a part is of another
    thing, and they go on in the next part. Rows that pair things (residues in contact, numbers
    before and after) lose their meaning without the other half.
    """
    part = len(names)
    seen, group, above = set[tuple[str, str]](), "", _EMPTY
    for row in _one_below_another(rows, part):
        first, above = above, row[0]
        if _is_whole_width(row):
            group = row[0].text
        elif row[0].text and row[0] is not first and not _is_heading(row, names):
            if (group, row[0].text) in seen:
                return False
            seen.add((group, row[0].text))
    blocks = [
        [row for row in block if any(_texts(row)) and not _is_heading(row[:part], names)]
        for over, block in groupby(rows, lambda row: _reaches_over(row, part))
        if not over
    ]
    return not _MEASURE.match(names[0]) and any(_goes_on(block, part) for block in blocks if block)


def _is_heading(row: Sequence[SourceCell], names: Sequence[str]) -> bool:
    return all(cell.head for cell in row if cell.text) or _texts(row) == tuple(names)


def _goes_on(rows: _Rows, part: int) -> bool:
    """Whether a list goes on from part to part: it is in order over all of them, only the last row
    has room left, or the parts have the same rows, each part under a group of its own.
    """
    starts = range(0, len(rows[0]), part)
    if len(rows) > 1 and all(_is_whole_width(rows[0][at : at + part]) for at in starts):
        return all(len({row[at].text for at in starts}) == 1 for row in rows[1:])
    halves = [[row[at : at + part] for row in rows] for at in starts]
    for at in range(1, part):
        # One chain, arm or day in each part: the parts are of two things, not of one list.
        texts = [{row[at].text for row in half if row[at].text} for half in halves]
        if len(rows) > 1 and all(len(own) == 1 for own in texts) and len(set.union(*texts)) > 1:
            return False
    left_free = [not any(_texts(row)) for row in halves[-1]]
    wordy = all(_LETTER.search(row[0].text) for half in halves for row in half if row[0].text)
    if wordy and 0 < sum(left_free) < len(halves) and all(left_free[-sum(left_free) :]):
        return True
    down = [row for half in halves for row in half if not _is_whole_width(row)]
    across = [row[at : at + part] for row in rows for at in starts]
    return _in_order(down, 0, _FEW) or any(
        _in_order(order, at, _MANY) for order in (down, across) for at in range(part)
    )


def _in_order(rows: _Rows, at: int, fewest: int) -> bool:
    """Whether the cells of a column rise or fall from each to the next: words by the alphabet, and
    numbers in them by their value.
    """
    keys = [_sort_key(row[at].text) for row in rows if row[at].text]
    pairs = list(pairwise(keys))
    rising = all(key < after for key, after in pairs)
    return len(keys) >= fewest and (rising or all(key > after for key, after in pairs))


def _sort_key(words: str) -> list[tuple[float, str]]:
    """Words and numbers in turn.

    >>> sorted(["S10", "s9", "R1.5"], key=_sort_key)
    ['R1.5', 's9', 'S10']
    """
    pieces = re.split(r"(\d+(?:\.\d+)?)", words.casefold())
    return [(float(piece), "") if at % 2 else (0, piece) for at, piece in enumerate(pieces)]


def _one_below_another(rows: _Rows, part: int) -> _Rows:
    """The parts of rows one below another; what reaches over several stays once where it is, so
    that a group is named before its rows of all parts, and a note stands below them.
    """
    made: _Rows = []
    for over, some in groupby(rows, lambda row: _reaches_over(row, part)):
        block = list(some)
        width = part if over else len(block[0])
        made += [row[at : at + part] for at in range(0, width, part) for row in block]
    return made


def _reaches_over(row: Sequence[SourceCell], part: int) -> bool:
    """Whether all that a row has is a first cell that spans more than a part of it."""
    alone = not any(cell.text for cell in row if cell is not row[0])
    return bool(row[0].text) and row[part] is row[0] and alone


def _parts(
    columns: tuple[str, ...], head: _Rows, rows: _Rows, *, stub: int
) -> Iterator[tuple[tuple[str, ...], _Rows]]:
    """The rows under each set of headings: rows of heading cells between, joined as those of the
    head are, name the columns of what follows; where a long table repeats the headings that are in
    force, they are left out.
    """
    in_force = [_texts(row) for row in head]
    forms = _forms(row for row in rows if _texts(row) not in in_force)
    part: _Rows = []
    place, begun = 0, False
    while place < len(rows):
        block = _heading_rows(rows, place, {columns, *in_force}, forms=forms[stub:])
        place += len(block) or 1
        if not block:
            part.append(rows[place - 1])
            continue
        texts = [_texts(row) for row in block]
        own = tuple(_joined(column) for column in zip(*texts, strict=True))
        names = (
            *(name or before for name, before in zip(own[:stub], columns, strict=False)),
            *own[stub:],
        )
        if texts == in_force or names == columns:
            continue
        if not (own[stub:] and all(map(_UNIT.search, own[stub:])) and _values_at(rows, place)):
            part += block
            continue
        if part or begun:
            yield columns, part
            columns, in_force = names, texts
        else:  # more rows of headings below those of the head
            columns = tuple(_joined(pair) for pair in zip(columns, own, strict=True))
            in_force += texts
        part, begun = [], True
    yield columns, part


def _heading_rows(
    rows: _Rows, place: int, in_force: Collection[tuple[str, ...]], *, forms: Sequence[set[str]]
) -> _Rows:
    """The rows from a place on that may be headings: those that are in force again, and rows of
    heading cells alone that hold names and no value. `forms`: those of each column of values.
    """
    last = place
    while last < len(rows) and _may_be_headings(rows[last], in_force, forms):
        last += 1
    return rows[place:last]


def _may_be_headings(
    row: Sequence[SourceCell], in_force: Collection[tuple[str, ...]], forms: Sequence[set[str]]
) -> bool:
    texts, names = _texts(row), row[len(row) - len(forms) :]
    if any(texts) and texts in in_force:
        return True
    if _is_whole_width(row) or not all(cell.head for cell in row if cell.text):
        return False
    # "100%" is a value where the row has a name of its own, such as "Total".
    unnamed = texts[:1] in {("",), *(known[:1] for known in in_force)}
    name = _UNIT if unnamed else _WORD
    return any(name.search(cell.text) for cell in names) and not _holds_value(names, forms)


def _forms(rows: Iterable[Sequence[SourceCell]]) -> list[set[str]]:
    """The forms of the cells of each column that are not marked as headings."""
    forms = list[set[str]]()
    for row in rows:
        forms += [set() for _ in row[len(forms) :]]
        for cell, known in zip(row, forms, strict=False):
            if cell.text and not cell.head:
                known.add(_form(cell.text))
    return forms


def _holds_value(cells: Sequence[SourceCell], forms: Sequence[set[str]]) -> bool:
    """Whether one of some cells is like a value of its column: a total is often set off as headings
    are ("45 (90%)" above "12 (24%)").
    """
    return any(_form(cell.text) in known for cell, known in zip(cells, forms, strict=False))


def _values_at(rows: _Rows, place: int) -> bool:
    """Whether the next row that has more than a heading of its own is one of values."""
    following = (rows[at] for at in range(place, len(rows)))
    full = (row for row in following if any(c.text for c in row[1:] if c is not row[0]))
    return any(cell.text and not cell.head for cell in next(full, ()))


def _texts(row: Sequence[SourceCell]) -> tuple[str, ...]:
    return tuple(cell.text for cell in row)


def table_section(name: str, caption: Sequence[str], lines: Iterable[str]) -> PaperSection:
    """A table as a section of its own, under its label and the first paragraph of its caption."""
    label, blocks = " ".join(name.split()), [" ".join(block.split()) for block in caption]
    blocks = [block for block in blocks if block]
    if blocks and len(blocks[0]) <= LONGEST_NAME:
        first = blocks.pop(0)
        joint = "" if not label else " " if label.endswith((".", ":")) else ". "
        label += joint + first
    return PaperSection(label or "Table", "\n\n".join([*blocks, *lines]), TABLE)


def _joined(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(filter(None, words)))


def _expanded(rows: Sequence[Sequence[SourceCell]]) -> _Rows:
    """Each cell in every place that it spans, as HTML lays them out."""
    grid: _Rows = [[] for _ in rows]
    taken: list[dict[int, SourceCell]] = [{} for _ in rows]
    room = MOST_CELLS
    for number, row in enumerate(rows):
        at = 0
        for cell in row:
            while at in taken[number]:
                at += 1
            wide = max(1, min(cell.columns, MOST_COLUMNS - at))
            tall = len(rows) - number if cell.rows <= 0 else min(cell.rows, len(rows) - number)
            room -= wide * tall
            if at >= MOST_COLUMNS or room < 0:
                break
            for down in range(number, number + tall):
                for across in range(at, at + wide):
                    taken[down].setdefault(across, cell)
            at += wide
        last = max(taken[number], default=-1)
        grid[number] = [taken[number].get(place, _EMPTY) for place in range(last + 1)]
    return grid


def _padded(rows: _Rows, width: int) -> _Rows:
    return [[*row, *[_EMPTY] * (width - len(row))] for row in rows]


def _head_count(rows: _Rows) -> int:
    """How many first rows name the columns: those of heading cells; else one that is set off as no
    other row is, or has words above columns of numbers.
    """
    count, forms = 0, list[set[str]]()
    while count < len(rows) - 1 and (cells := [c for c in rows[count] if c.text]):
        if not all(cell.head for cell in cells):
            break
        forms = forms or (_forms(rows) if count else [])
        if count and _is_summary(rows[count - 1], rows[count], forms):
            break
        count += 1
    if count or len(rows) < 2:
        return count
    first, others = rows[0], rows[1:]
    named = [cell for cell in first[1:] if cell.text]
    if not named or len({id(cell) for cell in first}) < 2:
        return 0
    strong = all(cell.strong for cell in named)
    if strong and not all(c.strong for row in others for c in row[1:] if c.text):
        return 1
    wordy = not any(_DIGIT.search(cell.text) for cell in named)
    values = [cell.text for row in others for cell in row[1:] if cell.text]
    numbers = sum(bool(_DIGIT.search(value)) for value in values)
    return int(wordy and len(named) == len(first) - 1 and 2 * numbers >= max(1, len(values)))


def _is_summary(
    above: Sequence[SourceCell], row: Sequence[SourceCell], forms: Sequence[set[str]]
) -> bool:
    """Whether a row of heading cells below another one has a heading of its own and values; what
    stands below a heading that spans columns tells these apart instead (years).
    """
    if not row[0].text or row[0] is above[0]:
        return False
    if any(cell.text and cell is after for cell, after in pairwise(above[1:])):
        return False
    return _holds_value(row[1:], forms[1:])


def _names_columns(head: _Rows, rows: _Rows, stub: int) -> bool:
    """Whether the first row below a heading that spans columns tells these apart: its cells are of
    another form than all below ("4 °C" over numbers). It stays a row as well.
    """
    last = head[-1] if head else []
    shared = [
        at
        for at in range(stub, len(last))
        if any(last[at] is last[o] for o in (at - 1, at + 1) if stub <= o < len(last))
    ]
    if len(rows) < 3 or not shared:
        return False
    first, below = rows[0], rows[1:]
    forms = [_form(first[at].text) for at in shared]
    named = all(_UNIT.search(form) for form in forms)
    return named and not any(_form(row[at].text) in forms for row in below for at in shared)


def _form(words: str) -> str:
    return _NUMBER.sub("#", words)


def _is_whole_width(row: Sequence[SourceCell]) -> bool:
    """Whether a row holds one cell that spans all of it."""
    return bool(row) and bool(row[0].text) and all(cell is row[0] for cell in row)


def _stub(rows: _Rows, width: int) -> int:
    """How many first columns are the headings of rows: those marked so, else the first."""
    if width < 2:
        return 0
    marked = 0
    full = [row for row in rows if not _is_whole_width(row)]
    while full and marked < width - 1 and all(row[marked].head for row in full):
        marked += 1
    return max(1, marked)


def _grouped(
    rows: _Rows, stub: int, begun: Sequence[str] = ()
) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """The rows with the name of their group before their own, and the lines after the last. A row
    whose heading is left blank goes on with that of the row above. `begun` are groups that were
    named before the first row.
    """
    group = above = ""
    gathered, waiting = list[tuple[str, ...]](), list(begun)
    for place, row in enumerate(rows):
        if len(row) > 1 and (_is_whole_width(row) or _is_group(rows, place)):
            waiting.append(row[0].text)
            continue
        if not any(cell.text for cell in row):
            continue
        if waiting:
            group, above, waiting = _joined(waiting), "", []
        cells = [cell.text for cell in row]
        if stub and group and cells[0] != group:
            cells[0] = _joined((group, cells[0] or above.removeprefix(f"{group}, ")))
        elif stub:
            cells[0] = cells[0] or above
        above = cells[0] if stub else ""
        gathered.append(tuple(cells))
    return gathered, tuple(waiting)


def _is_group(rows: _Rows, place: int) -> bool:
    """Whether all that a row has is its first cell, which spans others or is set off, and rows
    follow that are not.
    """
    row = rows[place]
    alone = bool(row[0].text) and not any(c.text for c in row[1:] if c is not row[0])
    if not alone or place + 1 == len(rows):
        return False
    if row[1] is row[0]:
        return True
    if not (row[0].strong or row[0].head):
        return False
    following = rows[place + 1]
    return not (following[0].strong or following[0].head) or not any(c.text for c in following[1:])
