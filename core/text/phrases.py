"""Regular expressions as tables: a row is a pattern, with an example that it alone finds.

A long alternation hides what a branch is for, and whether it is still needed. In a table each
stands on a line of its own, beside words of the kind that it was written for. A test reads every
table of the code: each row finds its example, and no other row of the table does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping


def phrases(
    rows: Mapping[str, str],
    *,
    before: str = r"\b",
    after: str = r"\b",
    also: Mapping[str, str] | None = None,
    flags: re.RegexFlag = re.IGNORECASE,
) -> re.Pattern[str]:
    r"""One expression of a table's rows, pattern → example: `before(?:row|row|…)after`, or a row
    of `also`, which `before` and `after` do not bind. Of two rows that match at one place the first
    wins.

    >>> asks = phrases({r"how (?:many|much)": "How many genes?", "which year": "In which year?"})
    >>> asks.pattern
    '\\b(?:how (?:many|much)|which year)\\b'
    >>> asks.findall("How many were seen, and in which year?")
    ['How many', 'which year']
    """
    return re.compile("|".join((f"{before}(?:{'|'.join(rows)}){after}", *(also or ()))), flags)


def one_of(words: str) -> str:
    """A pattern of words (or stems) that blanks part: any one of them, the first that matches.

    >>> one_of("dog cat")
    '(?:dog|cat)'
    """
    return f"(?:{'|'.join(words.split())})"
