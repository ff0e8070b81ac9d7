"""Which ids are one thing in an open project: the mapping sets that come with the app, what the
project's own ontologies say, imported mappings, and what its curators said.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.grounding.equivalents import Equivalents, MappingSource, pair_of
from core.grounding.index.cross_references import CrossReferenceIndex, open_cross_references
from core.grounding.index.mapping_index import MappingIndex
from core.grounding.index.vocabulary_files import file_stamp
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.model.mapping import NO_TERM, SAME_THING
from core.store.equivalence import EquivalenceRepository, SameVerdict

MAPPINGS = ".mappings.sssom.tsv"  # in the project's folder of vocabularies


class ProjectEquivalents:
    """Reads anew what curators said, the imported mappings, and what own ontologies say, only where
    they changed.
    """

    def __init__(
        self,
        mappings: MappingIndex,
        judged: EquivalenceRepository,
        registry: VocabularyRegistry,
        *,
        folder: Path,
        indexes: Path,
    ):
        self._mappings, self._judged, self._registry = mappings, judged, registry
        self._file, self._indexes = folder / MAPPINGS, indexes
        self._now: tuple[tuple[Any, ...], Equivalents] | None = None
        self._references: tuple[tuple[Any, ...], CrossReferenceIndex | None] = ((), None)

    def steady(self) -> Equivalents:
        """The equivalents as they stand now."""
        source = self._source()
        stamp = (self._judged.stamp(), file_stamp(self._file), id(source))
        now = self._now
        if now is None or now[0] != stamp:
            now = self._now = (stamp, self._read(source))
        return now[1]

    def cross_references(self) -> CrossReferenceIndex | None:
        """What the project's own ontologies say; None where it has none."""
        if not (lexicons := self._registry.own_lexicons()):
            return None
        held = self._registry.prefixes()  # grow when the base set has been compiled
        stamp = (held, *((lexicon.name, lexicon.digest) for lexicon in lexicons))
        if stamp != self._references[0]:
            opened = open_cross_references(lexicons, held, self._mappings, self._indexes)
            self._references = (stamp, opened)
        return self._references[1]

    def _source(self) -> MappingSource:
        return self.cross_references() or self._mappings

    def _read(self, source: MappingSource) -> Equivalents:
        same, different = imported_pairs(self._file)
        for judgement in self._judged.current():
            pair = pair_of(judgement.first, judgement.second)
            is_same = judgement.verdict is SameVerdict.SAME
            (same if is_same else different).add(pair)
            (different if is_same else same).discard(pair)
        return Equivalents(source, same, different)


def imported_pairs(file: Path) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The pairs of imported mappings that are one thing, and those that are said not to be (the
    modifier `Not`).
    """
    same: set[tuple[str, str]] = set()
    different: set[tuple[str, str]] = set()
    for row in _rows(file):
        ends = (row.get("subject_id"), row.get("object_id"))
        if row.get("predicate_id") in SAME_THING and NO_TERM not in ends:
            pair = pair_of(row.get("subject_id") or "", row.get("object_id") or "")
            refused = (row.get("predicate_modifier") or "").casefold() == "not"
            (different if refused else same).add(pair)
    return same - different, different


def _rows(file: Path) -> Iterator[dict[str, str]]:
    if file.is_file():
        with file.open(encoding="utf-8", newline="") as lines:
            yield from csv.DictReader(lines, dialect="excel-tab")
