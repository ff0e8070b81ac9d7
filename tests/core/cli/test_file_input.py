"""Lines of JSON as the command line reads them."""

from __future__ import annotations

from core.cli.file_input import MOST_UNREADABLE, json_lines
from core.errors import InputError


def test_a_file_of_other_lines_is_left_after_a_thousand() -> None:
    *faults, last = json_lines(b"no\n" * 50_000 + b"{}\n")
    assert len(faults) == MOST_UNREADABLE and all(isinstance(row, InputError) for row in faults)
    assert isinstance(last, InputError) and "line 1001 and what follows" in str(last)


def test_a_bad_line_does_not_stop_the_lines_after_it() -> None:
    bad, good = json_lines(b"no\n\n{}\n")
    assert isinstance(bad, InputError) and good == {}
