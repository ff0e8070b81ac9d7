"""The base set is compiled by a process of its own when the app first starts; jobs wait for what
they need of it, pages never do.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from core.desk_parts import HasVocabularies
from core.grounding.constraint.constraint import constraint_of
from core.schema.definition import Schema

POLL = 0.2  # seconds between looks


def start_preparing(desk: HasVocabularies) -> None:
    """Start compiling what of the base set is not compiled; costs nothing when all is."""
    desk.vocabulary_registry.prepare()


def preparation_progress(desk: HasVocabularies) -> dict[str, float]:
    """Vocabularies that cannot be used yet → share of the work that is done (0–1)."""
    return desk.vocabulary_registry.preparing()


def wait_for_vocabularies(
    desk: HasVocabularies,
    schema: Schema,
    tell: Callable[[str, float], None] = lambda name, share: None,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Wait until the vocabularies that a schema names can be used. For jobs, never for pages.

    `tell(name, share done)` is called a few times a second and may raise Stopped.
    """
    needed = frozenset(vocabulary_names(schema))
    while waiting := [
        name
        for name in desk.vocabulary_registry.preparing()
        if name in base_set_names(desk, needed)
    ]:
        desk.vocabulary_registry.prepare()
        tell(waiting[0], desk.vocabulary_registry.preparing().get(waiting[0], 1.0))
        pause(POLL)


def base_set_names(desk: HasVocabularies, names: frozenset[str]) -> frozenset[str]:
    """Names of the base set that these names or prefixes mean."""
    base = desk.vocabulary_registry.base
    rows = base.vocabularies.values() if base else ()
    wanted_names = {name.lower() for name in names}
    return names | {row.name for row in rows if {row.name, row.prefix.lower()} & wanted_names}


def vocabulary_names(schema: Schema) -> Sequence[str]:
    """Every vocabulary that the classes of a schema ground to, in order."""
    distinct_names: dict[str, None] = {}
    for cls in schema.classes:
        constraint = constraint_of(schema, cls)
        distinct_names |= dict.fromkeys(constraint.vocabularies or constraint.prefixes)
    return tuple(distinct_names)
