"""Tables of strangers: a long cell is read, and what cannot be read is said in words."""

import pytest

from core.errors import InputError
from core.kb.read.sssom import read_sssom
from core.text import separated

HEAD = "subject_id\tsubject_label\tpredicate_id\tobject_id\tcomment\n"
ROW = "CHEBI:15365\taspirin\tskos:exactMatch\tMESH:D001241\t"


def test_a_cell_longer_than_pythons_own_limit_is_read():
    long = (HEAD + ROW + "so " * 50_000 + "\n").encode()
    assert len(read_sssom(long).proposals) == 1


def test_a_cell_beyond_the_limit_is_explained_in_words():
    endless = (HEAD + ROW + '"' + "x" * (separated.LONGEST_CELL + 1)).encode()
    with pytest.raises(InputError, match="more than 10,000,000 characters") as caught:
        read_sssom(endless)
    assert "never closed" in caught.value.hint


def test_a_sign_that_only_some_call_a_line_end_does_not_end_a_row():
    row = ROW.replace("aspirin", "aspirin\u2028plus")
    ((statement, _),) = read_sssom((HEAD + row + "\r\n").encode()).proposals
    assert statement.subject.label == "aspirin\u2028plus"
