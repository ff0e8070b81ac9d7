"""Tables as text: tab- or comma-separated UTF-8. Those that people open are safe in a spreadsheet;
those that programs read have each word as it is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from core.kb.rdf.fact import utf8_safe

ROWS = 2_000  # written at a time


def tsv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    """Tab-separated. A cell that a spreadsheet would run as a formula gets an apostrophe."""
    yield from write_rows([header], (map(spreadsheet_safe, row) for row in rows), "\t")


def write_rows(
    head: Sequence[Sequence[str]], rows: Iterable[Iterable[str]], sign: str
) -> Iterator[bytes]:
    """Rows piece by piece, a line end after each; each cell is on one line."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=sign, lineterminator="\n")
    writer.writerows(head)
    for number_, row in enumerate(rows, 1):
        writer.writerow([_on_one_line(words) for words in row])
        if number_ % ROWS == 0:
            yield out.getvalue().encode()
            out.seek(0)
            out.truncate()
    yield out.getvalue().encode()


def unquoted_tsv(head: Sequence[Sequence[str]], rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    """Tab-separated, no cell in quotation marks: the readers of KGX, GPAD and phenotype.hpoa take
    them for a part of the words.
    """
    lines = ("\t".join(row) + "\n" for row in chain(head, (map(unquoted_line, r) for r in rows)))
    while piece := "".join(islice(lines, ROWS)):
        yield piece.encode()


def unquoted_line(words: str) -> str:
    r"""Words on one line that read the same with and without quotation marks around cells.

    >>> unquoted_line('"NOD-like"\treceptor'), unquoted_line("=SUM(A1:A9)")
    ('\'"NOD-like" receptor', '=SUM(A1:A9)')
    """
    flat = _on_one_line(words)
    return "'" + flat if flat.startswith('"') else flat


def spreadsheet_safe(words: str) -> str:
    r"""Words on one line; what a spreadsheet would run as a formula begins with an apostrophe, a
    number does not.

    >>> spreadsheet_safe("=1+1"), spreadsheet_safe("-2.5"), spreadsheet_safe("two\nlines")
    ("'=1+1", '-2.5', 'two lines')
    """
    flat = _on_one_line(words)
    runs = flat[:1] in ("=", "@") or (flat[:1] in ("+", "-") and not number_cell(flat))
    return "'" + flat if runs else flat


def _on_one_line(words: str) -> str:
    return " ".join(utf8_safe(words).split())


def number_cell(words: str) -> bool:
    try:
        float(words)
    except ValueError:
        return False
    return True
