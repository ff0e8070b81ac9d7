"""The judges that are asked, in this order: what reads goes before what weighs. A new one is a
module of `judges/` and a line here; other packages add theirs by entry points.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.errors import InputError
from core.plugins import Registry
from core.support.judge import Judge
from core.support.judges.learned import LearnedJudge
from core.support.judges.rules import RulesJudge

JUDGES: Registry[Judge] = Registry(
    "groundwork.judges",
    Judge,  # type: ignore[type-abstract]  # a protocol that can be checked at run time
    (RulesJudge(), LearnedJudge()),
)


def judges_named(names: Iterable[str]) -> tuple[Judge, ...]:
    """The judges of these names, or all where none is named. Raises InputError."""
    wanted = list(names)
    for name in wanted:
        if name not in JUDGES:
            raise InputError(f"There is no judge called {name}.", f"Choose of {', '.join(JUDGES)}.")
    return tuple(JUDGES[name] for name in wanted or JUDGES)
