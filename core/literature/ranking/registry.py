"""The ranking modes: a file each, and a line here; other packages add theirs.

Page, command line, comparison and evaluation read this list.
"""

from __future__ import annotations

from core.errors import InputError
from core.literature.ranking import bm25, broaden, coverage, hybrid, pes1, pes2, published_bm25
from core.literature.ranking.mode import RankingMode
from core.plugins import Registry

MODES = Registry(
    "groundwork.ranking_modes",
    RankingMode,
    (
        coverage.MODE,
        pes2.MODE,
        bm25.MODE,
        broaden.MODE,
        pes1.MODE,
        hybrid.MODE,
        published_bm25.MODE,
    ),
)
DEFAULT_MODE = coverage.MODE.name


def mode_names(has_vectors: bool = True) -> tuple[str, ...]:
    """The modes that can run with or without an embedding model, in the order of the registry."""
    return tuple(mode.name for mode in MODES.values() if has_vectors or not mode.needs_vectors)


def mode_of(name: str) -> RankingMode:
    """The mode of this name. Raises InputError with the names there are."""
    ranking_mode = MODES.get(name)
    if ranking_mode is None:
        raise InputError(
            f"There is no ranking mode called {name}.", f"Choose one of {', '.join(mode_names())}."
        )
    return ranking_mode
