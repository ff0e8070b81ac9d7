"""Markdown files: a line that begins with # is a heading; a single one of the highest rank is the
title. Raised and lowered words (`10^6^`, `CO~2~`) are written as everywhere, tables are set apart,
and other signs stay as they are typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from core.documents.heading import ids_on_own_lines, is_references
from core.documents.ledger import SourcePiece
from core.documents.paper import TEXT, Paper, PaperSection, with_ledger
from core.documents.readers.cell_grid import SourceCell, grid_of_cells, table_section
from core.documents.readers.plain_text import read_text
from core.documents.reference_list import references_apart
from core.text.clean import clean_text
from core.text.script import lowered_mark, marks_written_out, raised_mark, write_out_tags

_FRONT = re.compile(r"---[ \t]*\n((?:(?!---)[^\n]*\n){1,200})---[ \t]*(?:\n|$)")
_FIELD = re.compile(r"(\w+):[ \t]*(\S.*)")  # "doi: 10.1/x"
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*")  # "## Results"; not "#tag"
_FENCE = re.compile(r"\s*(?:```|~~~)")  # in a block of code # begins a comment
# "10^6^", "CO~2~"; "x^2 and y^2" and "~~struck~~" are others' signs
_RAISED = re.compile(r"(?<=[^\s^])\^([^\s^]{1,20})\^(?!\^)")
_LOWERED = re.compile(r"(?<=[^\s~])~([^\s~]{1,20})~(?!~)")
_BAR = re.compile(r"(?<!\\)\|")  # a bar that parts two cells
_RULE = re.compile(r"(?=.*\|)[|\s]*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")  # below a table's head


def read_markdown(raw: bytes, id: str, name: str) -> Paper:
    """A paper of a Markdown text; one without headings is plain text."""
    front, text = _front_matter(clean_text(raw))
    parts, tables = _parts(text)
    headed = [(rank, heading) for rank, heading, _ in parts if rank]
    table_part = tuple(table_section("", (), lines) for lines in tables)
    if not headed:
        body = "\n".join(parts[0][2])
        if not body.strip():  # a table alone is the text
            return read_text(raw, id, name)
        paper = read_text(_id_lines(front) + body, id, name)
        return replace(paper, sections=paper.sections + table_part)
    highest = min(rank for rank, _ in headed)
    titles = [heading for rank, heading in headed if rank == highest]
    title = titles[0] if len(titles) == 1 and headed[0] == (highest, titles[0]) else ""
    title = front.get("title") or title or name
    sections = tuple(
        PaperSection(name, words, kind)
        for _, heading, below in parts
        for name, lines, kind in (
            references_apart(heading, below)
            if is_references(heading)
            else (("" if heading == title else heading, below, ""),)
        )
        if (words := "\n".join(lines)).strip()
    )
    sections += table_part
    first_lines = next((section.text for section in sections if not section.name), "")
    ids, doi = ids_on_own_lines(_id_lines(front) + first_lines, id)
    paper = Paper(ids[0], title, sections, kind=TEXT, ids=ids, doi=doi)
    return with_ledger(paper, _pieces(clean_text(raw)))


def _pieces(text: str) -> Iterator[SourcePiece]:
    """The lines; of tables each cell."""
    front = _FRONT.match(text)
    for line in text[: front.end() if front else 0].splitlines():
        yield SourcePiece(line, "the keys before a text")
    for line in text[front.end() if front else 0 :].splitlines():
        words = _on_line(line)
        yield from map(SourcePiece, _BAR.split(words) if "|" in words else [words])


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    """What stands between the two `---` with which a file may begin, by its keys, and the rest."""
    block = _FRONT.match(text)
    lines = block[1].splitlines() if block else []
    # only blocks of keys: a rule may also open a text
    if block is None or not any(_FIELD.fullmatch(line) for line in lines):
        return {}, text
    fields = (field for line in lines if (field := _FIELD.fullmatch(line)))
    return {field[1].casefold(): field[2].strip("\"' ") for field in fields}, text[block.end() :]


def _id_lines(front: dict[str, str]) -> str:
    return "".join(f"{key}: {front[key]}\n" for key in ("doi", "pmid", "pmcid") if key in front)


def _parts(text: str) -> tuple[list[tuple[int, str, list[str]]], list[list[str]]]:
    """The rank of each heading, its words and the lines below it, rank 0 before the first; and the
    lines of each table.
    """
    parts: list[tuple[int, str, list[str]]] = [(0, "", [])]
    tables: list[list[list[SourceCell]]] = []
    in_code = in_table = False
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        in_code ^= _FENCE.match(line) is not None
        line = line if in_code else _on_line(line)
        heading = None if in_code else _HEADING.fullmatch(line)
        begins = not (in_code or in_table) and "|" in line and _RULE.fullmatch(following)
        in_table = bool(begins) or (in_table and "|" in line)
        if begins:
            tables.append([])
        if in_table:
            tables[-1] += [_row(line)] if _RULE.fullmatch(line) is None else []
        elif heading and heading[2]:
            parts.append((len(heading[1]), heading[2], []))
        else:
            parts[-1][2].append(line)
    return parts, [grid_of_cells(rows[1:], rows[:1]).lines() for rows in tables]


def _on_line(line: str) -> str:
    marked = _LOWERED.sub(
        lambda m: lowered_mark(m[1]), _RAISED.sub(lambda m: raised_mark(m[1]), line)
    )
    return write_out_tags(marks_written_out(marked))


def _row(line: str) -> list[SourceCell]:
    words = line.strip().removeprefix("|")
    cells = _BAR.split(words.removesuffix("|"))
    return [SourceCell(cell.strip().replace("\\|", "|")) for cell in cells]
