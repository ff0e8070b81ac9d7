"""Files and lines of JSON as the command line reads them."""

from __future__ import annotations

import pytest

from core.cli.file_input import MOST_UNREADABLE, json_lines, stored_text
from core.errors import InputError


def test_a_file_of_other_lines_is_left_after_a_thousand() -> None:
    *faults, last = json_lines(b"no\n" * 50_000 + b"{}\n")
    assert len(faults) == MOST_UNREADABLE and all(isinstance(row, InputError) for row in faults)
    assert isinstance(last, InputError) and "line 1001 and what follows" in str(last)


def test_a_bad_line_does_not_stop_the_lines_after_it() -> None:
    bad, good = json_lines(b"no\n\n{}\n")
    assert isinstance(bad, InputError) and good == {}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_text_is_read_as_spreadsheets_save_it(tmp_path, encoding):
    file = tmp_path / "names.txt"
    file.write_bytes("naïve T cell\r\nTNF-α\r\n".encode(encoding))
    assert stored_text(file) == "naïve T cell\nTNF-α\n"
