"""Why a text is not JSON, in words for people: the parser's own reason, and its line where it knows
one; what the language limits is named without its words for developers.
"""

from __future__ import annotations

import json

MOST = 200  # characters


def json_fault(error: Exception) -> str:
    """Why JSON (or YAML) could not be read, without a full stop at the end.

    >>> try:
    ...     json.loads('{"id": }')
    ... except ValueError as error:
    ...     json_fault(error)
    'Expecting value (line 1, column 8)'
    """
    if isinstance(error, RecursionError):
        return "its parts are nested too deeply"
    if isinstance(error, ValueError) and "integer string conversion" in str(error):
        return "it contains a number with more than 4,300 digits"
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (line {error.lineno}, column {error.colno})"
    return " ".join(str(error).split())[:MOST].rstrip(".")
