"""How deep JSON is nested, known before a parser that follows it by its own stack is given it: one
in C or Rust then ends the whole process, with no error to catch.
"""

from __future__ import annotations

import re
from itertools import accumulate

_STEP = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}
_STRING_OR_BRACKET = re.compile(
    rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|([][{}])', re.DOTALL
)  # a string that never ends reaches to the end, so that nothing is read twice


def json_depth(content: bytes) -> int:
    """The most arrays and objects that stand inside one another; brackets in strings are none."""
    brackets = (found[1] for found in _STRING_OR_BRACKET.finditer(content))
    return max(accumulate((_STEP.get(bracket, 0) for bracket in brackets), initial=0))
