"""What a project's decisions teach the built-in engine: a draft is more, or less, likely for its
rule, its predicate and its terms, so that rejected patterns stop and approved ones pass.

Lessons decide what is proposed. The score of a draft stays the engine's own: the order of Review
and the next lessons add to it what decisions say, and would count them twice.

The lessons are a table beside the project's schemas: a sign, the shift of log odds, and the
decisions behind it. It is made anew before a text is read once five decisions, of very many two in
a hundred, were made since; it is empty where its lessons would order the decided statements worse.
A deleted file comes back with further decisions; a lesson is taken back on Engine quality or by
`learn --take-back`.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.errors import InputError
from core.extraction.builtin import NAME
from core.extraction.builtin.draft_probability import (
    EDGE,
    DraftFeatures,
    DraftJudge,
    chance_of_draft,
    meets_table,
    shipped_judge,
    shipped_table,
)

FILE = "draft_lessons.tsv"
STOPPED = -1.0  # log odds by which decisions must move a draft that has a threshold of its own


@dataclass(frozen=True, slots=True)
class TaughtJudge:
    """The shipped judge with the shifts of a project, by sign ("rule S causes O")."""

    shifts: Mapping[str, float]

    def __call__(self, features: DraftFeatures) -> float:
        shift = self.shifts.get(f"engine {NAME}", 0.0) + sum(
            self.shifts.get(name, 0.0) for name in features
        )
        chance = chance_of_draft(features)
        if not meets_table(features):
            return -1.0 if shift <= STOPPED else chance
        known = min(max(chance, EDGE), 1 - EDGE)
        taught = 1 / (1 + math.exp(-math.log(known / (1 - known)) - shift))
        return -1.0 if taught < shipped_table().threshold else chance


def judge_for(folders: Sequence[Path]) -> DraftJudge:
    """The judge of a project whose schemas are in these folders.

    Raises InputError for a table that cannot be read.
    """
    files = [path for folder in folders if (path := folder / FILE).is_file()]
    return TaughtJudge(_lessons(files[0], files[0].stat().st_mtime_ns)) if files else shipped_judge


@lru_cache(maxsize=16)
def _lessons(path: Path, changed: int) -> Mapping[str, float]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = csv.DictReader(
            (line for line in lines if not line.startswith("#")),
            delimiter="\t",
            quoting=csv.QUOTE_NONE,
        )
        return {row["sign"]: float(row["shift"]) for row in rows}
    except (OSError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{path} cannot be read as what decisions taught: {error}.",
            "Delete it: it is written again after a few more decisions.",
        ) from error
