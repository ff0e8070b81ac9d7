"""Names that texts write in short by a rule, and what they are read as: a Greek letter as its Latin
one ("b-catenin", "IFN-g"), or spelled out and joined ("PKCalpha"); a complement deficiency by the
component's number ("C7-deficient").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LETTERS = {"a": "alpha", "b": "beta", "g": "gamma"}  # "d-" is a sugar's, "k-" many things
_SPELLED = "alpha|beta|gamma|delta|epsilon|kappa|theta|zeta"
# One alternative a rule; a name is read as its groups, with what stands for a letter.
_SHORT = re.compile(
    rf"""(?<![\w-])(?:
      (?P<first>[abg])(?=-[a-z]{{5}})(?P<rest>-[a-z]+)  # "b-catenin", not "b-cell"
    | (?P<stem>[A-Z][A-Za-z]{{1,4}})-(?P<last>[abg])  # "IFN-g"
    | (?P<code>[A-Z]{{2,4}}-?\d{{1,2}})(?P<type>[ab])  # "IL-1b"
    | (?P<symbol>[A-Z][A-Za-z]{{0,3}}[A-Z0-9])(?P<spelled>{_SPELLED})(?P<number>\d?)  # "PKCalpha"
    | C(?P<component>[1-9])[- ]deficien(?:cy|t)  # "C7-deficient"
    )(?![\w-])""",
    re.VERBOSE,
)


def readings(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a text writes a name in short, as offsets, and the name that is meant.

    >>> list(readings("b-catenin and IL-1b rose."))
    [(0, 9, 'beta-catenin'), (14, 19, 'IL-1-beta')]
    """
    for match in _SHORT.finditer(text):
        yield match.start(), match.end(), _read(match)


def reading(words: str) -> str:
    """What words stand for that are one such name, and no other; empty for all others.

    >>> reading("PKCalpha"), reading("C7-deficient"), reading("b-cell")
    ('PKC-alpha', 'complement component 7 deficiency', '')
    """
    match = _SHORT.fullmatch(words)
    return _read(match) if match else ""


def _read(match: re.Match[str]) -> str:
    part = match.groupdict()
    if part["first"]:
        return f"{_LETTERS[part['first']]}{part['rest']}"
    if part["stem"]:
        return f"{part['stem']}-{_LETTERS[part['last']]}"
    if part["code"]:
        return f"{part['code']}-{_LETTERS[part['type']]}"
    if part["symbol"]:
        return f"{part['symbol']}-{part['spelled']}{part['number']}"
    return f"complement component {part['component']} deficiency"
