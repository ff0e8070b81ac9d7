"""What a desk answers after a curator has corrected it on other texts: each name that it got wrong
there is taught once, by the project's own memory of corrections.

The memory stands in a project of its own in a temporary folder; the project that is measured from
is left alone. Only training halves are for this.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from core.desk import Desk
from core.errors import InputError
from core.grounding.constraint.constraint import Synonyms
from core.grounding.grounder import Grounder
from core.grounding.match import normalise
from core.services.vocabularies import memory
from core.settings import NO_SECRET

CURATOR = "evaluation"
LEAST_SEEN = 3  # how often words must be found and meant as nothing before they are never linked
MEANT = 0.1  # the share of places where such words may mean something after all


@dataclass(frozen=True, slots=True)
class SeenName:
    """One place of a name in an annotated text. `right` are the ids that people gave it (none: it
    is no name of this kind), `chosen` the id that the desk gave; `category` is where a lesson
    holds.
    """

    words: str
    right: tuple[str, ...]
    chosen: str
    category: str = ""


@dataclass(frozen=True, slots=True)
class TaughtName:
    """`words` mean `id`; without an id they are never linked."""

    words: str
    id: str
    category: str = ""


def names_to_teach(seen_name_list: Iterable[SeenName]) -> Iterator[TaughtName]:
    """What a curator would correct, once a name, in alphabetical order: the id that people gave
    most often, where the desk's own was right less often.
    """
    places: dict[tuple[str, str], list[SeenName]] = {}
    for name in seen_name_list:
        places.setdefault((normalise.name_key(name.words), name.category), []).append(name)
    for (words, category), same in sorted(places.items()):
        ids = Counter(id for name in same for id in name.right[:1])
        right = sum(name.chosen in name.right for name in same)
        times_grounded = sum(bool(name.right) for name in same)
        if ids and times_grounded > MEANT * len(same):
            id, times = max(ids.items(), key=lambda pair: (pair[1], pair[0]))
            if words and times > right:
                yield TaughtName(same[0].words, id, category)
        elif words and len(same) >= LEAST_SEEN:
            yield TaughtName(same[0].words, "", category)


@contextmanager
def taught_memory(desk: Desk, learnt: Iterable[TaughtName]) -> Iterator[Synonyms]:
    """The memory of a project that was taught these lessons, while the context lasts."""
    with tempfile.TemporaryDirectory() as folder:
        settings = replace(
            desk.settings, project=Path(folder), database_url=NO_SECRET, base_set=False
        )
        scratch = Desk(settings)
        try:
            for lesson in learnt:
                teach_name(scratch, lesson)
            yield scratch.store.synonyms
        finally:
            scratch.close()


def teach_name(desk: Desk, lesson: TaughtName) -> None:
    """Correct a name as a curator does on the page; words that are none are left out."""
    try:
        if lesson.id:
            memory.remember_meaning(
                desk, lesson.words, lesson.id, CURATOR, label=lesson.words, scope=lesson.category
            )
        else:
            memory.remember_refusal(desk, lesson.words, CURATOR, scope=lesson.category)
    except InputError:
        return


def grounder_with_memory(grounder: Grounder, synonyms: Synonyms) -> Grounder:
    """The same vocabularies with a memory of corrections."""
    return Grounder(
        grounder.vocabulary_registry,
        synonyms,
        grounder.taxon,
        equivalents=grounder.equivalents,
    )
