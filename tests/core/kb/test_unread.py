"""However many rows of a file are bad, a thousand reasons are kept and the rest is counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.kb.read.kgx import read_kgx
from core.kb.read.rdf import ReadStatements, read
from core.kb.read.sssom import read_sssom
from core.kb.read.storable import storable
from core.kb.read.unread import MOST
from tests.core.services.bombs import zipped

BAD = 5_000
GOOD_TERMS = "CHEBI:1\tbiolink:treats\tMONDO:1"


def kgx() -> ReadStatements:
    rows = f"x\t{GOOD_TERMS}\n" + "x\tno id\tbiolink:treats\tMONDO:1\n" * BAD
    head = "id\tsubject\tpredicate\tobject\n"
    return read_kgx(zipped(("nodes.tsv", b"id\n"), ("edges.tsv", (head + rows).encode())))


def sssom() -> ReadStatements:
    head = "subject_id\tpredicate_id\tobject_id\n"
    bad = "no id\tbiolink:treats\tMONDO:1\n" * BAD
    return read_sssom(f"{head}{GOOD_TERMS}\n{bad}".encode())


def turtle() -> ReadStatements:
    head = "@prefix b: <https://w3id.org/biolink/vocab/> .\n"
    bad = "".join(f"<http://x/{number}> a b:Association .\n" for number in range(BAD))
    return read((head + bad).encode(), {})


def long_ids() -> ReadStatements:
    head = "subject_id\tpredicate_id\tobject_id\n"
    rows = (f"X:{'1' * 600}{number}\tbiolink:treats\tMONDO:1\n" for number in range(BAD))
    return storable(read_sssom((head + "".join(rows)).encode()))


@pytest.mark.parametrize("reading", [kgx, sssom, turtle, long_ids])
def test_bad_rows_are_counted(reading: Callable[[], ReadStatements]) -> None:
    problems = reading().problems
    assert len(problems) == MOST + 1
    assert problems[-1].message == f"So were {BAD - MOST:,} more parts of the file."


def test_import_with_bad_rows_reads_the_good_ones() -> None:
    assert len(kgx().proposals) == len(sssom().proposals) == 1
