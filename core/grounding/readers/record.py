"""What a vocabulary file says, in the form every reader gives it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from core.curie import is_address, preferred_prefix
from core.model import Problem, Severity

_ID = re.compile(r"([A-Za-z_][\w.\-]*):([^\s\"<>]+)")
SHOWN_PROBLEMS = 200


class SynonymScope(StrEnum):
    """How a name relates to its term; PREVIOUS is a name that the term had (HGNC)."""

    LABEL = "label"
    EXACT = "EXACT"
    NARROW = "NARROW"
    BROAD = "BROAD"
    RELATED = "RELATED"
    PREVIOUS = "PREVIOUS"


class TermName(NamedTuple):
    text: str
    scope: SynonymScope = SynonymScope.EXACT


@dataclass(frozen=True, slots=True)
class TermRecord:
    """One term as a file has it. `parents` are is_a CURIEs, `related` other edges as (relation,
    CURIE); `alternative` are ids that now mean this term; `taxon` is a NCBITaxon CURIE; `where` is
    a line or a node; `consider` are ids that may take the place of an obsolete one, for a person to
    judge. The label of an `unspoken` term is no name: "program" in a text is hardly the pesticide.
    """

    id: str
    label: str
    names: tuple[TermName, ...] = ()
    parents: tuple[str, ...] = ()
    related: tuple[tuple[str, str], ...] = ()
    alternative: tuple[str, ...] = ()
    obsolete: bool = False
    replaced_by: str = ""
    taxon: str = ""
    definition: str = ""
    where: str = ""
    consider: tuple[str, ...] = ()
    unspoken: bool = False


@dataclass(slots=True)
class VocabularyReading:
    """What is learnt while a file is read: its heading and its problems (the first 200 are kept,
    all are counted). `holds` are the categories of all its terms, where the file says so.
    """

    name: str = ""
    version: str = ""
    source: str = ""
    taxon: str = ""
    holds: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    count: int = 0

    def trouble(self, code: str, message: str, where: str = "", hint: str = "") -> None:
        self.count += 1
        if len(self.problems) < SHOWN_PROBLEMS:
            self.problems.append(Problem(code, message, Severity.WARNING, where=where, hint=hint))


def identifier(text: str, prefix: str = "") -> str:
    """The CURIE of an id as written in a file (`D014262` with prefix MESH, `mesh:D014262`); empty
    when it is none.

    Wider than `core.curie.is_curie`: UCUM codes hold brackets and braces.
    """
    words = text.strip()
    match = _ID.fullmatch(words)
    if match is None and prefix and words and not re.search(r"[\s\"<>:]", words):
        match = _ID.fullmatch(f"{prefix}:{words}")
    if match is None or is_address(words):
        return ""
    preferred = preferred_prefix(match[1])
    return f"{preferred}:{match[2].removeprefix(preferred + ':')}"
