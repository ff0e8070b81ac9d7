"""Which ids are one thing in an open project: the mapping sets that come with the app, imported
mappings, and what its curators said.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.grounding.equivalents import Equivalents, MappingSource, pair_of
from core.grounding.index.vocabulary_files import file_stamp
from core.store.equivalence import EquivalenceRepository, SameVerdict

MAPPINGS = ".mappings.sssom.tsv"  # in the project's folder of vocabularies
NO_TERM = "sssom:NoTermFound"  # no term fits: never one thing with another
SAME = frozenset(("skos:exactMatch", "owl:sameAs", "owl:equivalentClass"))


class ProjectEquivalents:
    """Reads anew what curators said, and the imported mappings, only where they changed."""

    def __init__(self, mappings: MappingSource, judged: EquivalenceRepository, folder: Path):
        self._mappings, self._judged, self._file = mappings, judged, folder / MAPPINGS
        self._now: tuple[tuple[Any, ...], Equivalents] | None = None

    def steady(self) -> Equivalents:
        """The equivalents as they stand now."""
        stamp = (self._judged.stamp(), file_stamp(self._file))
        now = self._now
        if now is None or now[0] != stamp:
            now = self._now = (stamp, self._read())
        return now[1]

    def _read(self) -> Equivalents:
        same, different = imported_pairs(self._file)
        for judgement in self._judged.current():
            pair = pair_of(judgement.first, judgement.second)
            is_same = judgement.verdict is SameVerdict.SAME
            (same if is_same else different).add(pair)
            (different if is_same else same).discard(pair)
        return Equivalents(self._mappings, same, different)


def imported_pairs(file: Path) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The pairs of imported mappings that are one thing, and those that are said not to be (the
    modifier `Not`).
    """
    same: set[tuple[str, str]] = set()
    different: set[tuple[str, str]] = set()
    for row in _rows(file):
        ends = (row.get("subject_id"), row.get("object_id"))
        if row.get("predicate_id") in SAME and NO_TERM not in ends:
            pair = pair_of(row.get("subject_id") or "", row.get("object_id") or "")
            refused = (row.get("predicate_modifier") or "").casefold() == "not"
            (different if refused else same).add(pair)
    return same - different, different


def _rows(file: Path) -> Iterator[dict[str, str]]:
    if file.is_file():
        with file.open(encoding="utf-8", newline="") as lines:
            yield from csv.DictReader(lines, dialect="excel-tab")
