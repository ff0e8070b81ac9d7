"""What stands in the way of grounding well with a schema, and the action that mends it.

    for obstacle in obstacles(desk, schema):
        obstacle.message   # "Only the MeSH 2015 base set is installed."
        obstacle.action    # Action.INSTALL
        obstacle.button    # "Install the current release of MeSH"

The worst comes first. Nothing is compiled or downloaded to answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from core.desk import Desk
from core.grounding.constraint.constraint import Constraint, constraint_of
from core.grounding.install import catalogue
from core.grounding.install.base_set import BaseVocabulary
from core.schema.definition import Schema


class Action(StrEnum):
    """What mends an obstacle; `obstacle.vocabulary` says of which vocabulary.

    INSTALL: `installation.start(desk, vocabulary)`. ADD: a file of one's own on the page
    Vocabularies. SAY_KIND: say there what kinds of thing the vocabulary holds. WAIT: nothing to do.
    """

    INSTALL = "install"
    ADD = "add"
    SAY_KIND = "say what it holds"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """`code` is one of missing-vocabulary, preparing, no-hierarchy, base-set-only; `classes` are
    those of the schema that it touches, in order.
    """

    code: str
    message: str
    vocabulary: str
    action: Action
    button: str
    classes: tuple[str, ...] = ()


_ORDER = ("missing-vocabulary", "preparing", "no-hierarchy", "base-set-only")


def obstacles(desk: Desk, schema: Schema) -> list[Obstacle]:
    """Everything that stands in the way of `schema`, the worst first; one obstacle a vocabulary and
    code.
    """
    classes: dict[str, list[str]] = {}
    constraints: dict[str, list[Constraint]] = {}
    for name, cls in schema.classes.items():
        constraint = constraint_of(schema, name)
        if cls.abstract:
            continue
        for vocabulary in constraint.vocabularies:
            classes.setdefault(vocabulary, []).append(name)
            constraints.setdefault(vocabulary, []).append(constraint)
    found = [
        obstacle
        for vocabulary, touched in classes.items()
        for obstacle in _of(desk, vocabulary, tuple(touched), constraints[vocabulary])
    ]
    return sorted(found, key=lambda one: _ORDER.index(one.code))


def _of(
    desk: Desk, name: str, classes: tuple[str, ...], constraints: list[Constraint]
) -> list[Obstacle]:
    shelf = desk.shelf
    preparing = shelf.preparing()
    if name in preparing:
        share = f"{preparing[name]:.0%} done"
        return [
            Obstacle("preparing", f"{title(desk, name)} is being prepared ({share}).", name,
                     Action.WAIT, "", classes)
        ]  # fmt: skip
    meant = shelf.meant(name)
    if not meant:
        return [_missing(desk, name, classes)]
    base = {one.name: one for one in (shelf.base.vocabularies.values() if shelf.base else ())}
    stand_ins = [base[one] for one, path in meant.items() if one in base and shelf.is_base(path)]
    found = []
    if stand_ins and len(stand_ins) == len(meant):
        found.append(_dated(stand_ins[0], classes))
    if any(constraint.value_sets for constraint in constraints):
        found += _flat(desk, meant, base, constraints, classes)
    return found


def _missing(desk: Desk, name: str, classes: tuple[str, ...]) -> Obstacle:
    what = f"No vocabulary for {', '.join(classes[:3])}: {title(desk, name)} is not installed."
    if name in catalogue.RELEASES:
        button = f"Install {title(desk, name)}"
        return Obstacle("missing-vocabulary", what, name, Action.INSTALL, button, classes)
    return Obstacle("missing-vocabulary", what, name, Action.ADD, f"Add a file of {name}", classes)


def _dated(base_vocabulary: BaseVocabulary, classes: tuple[str, ...]) -> Obstacle:
    message = f"Only the {base_vocabulary.title} {base_vocabulary.version} is installed."
    if base_vocabulary.name in catalogue.RELEASES:
        button = f"Install the current release of {base_vocabulary.title}"
        return Obstacle(
            "base-set-only", message, base_vocabulary.name, Action.INSTALL, button, classes
        )
    button = f"Add a current file of {base_vocabulary.title}"
    return Obstacle("base-set-only", message, base_vocabulary.name, Action.ADD, button, classes)


def _flat(
    desk: Desk,
    meant: Iterable[str],
    base: dict[str, BaseVocabulary],
    constraints: list[Constraint],
    classes: tuple[str, ...],
) -> list[Obstacle]:
    """Vocabularies without hierarchy of which a branch is asked."""
    asked = {
        node.partition(":")[0].lower()
        for constraint in constraints
        for value_set in constraint.value_sets
        for node in value_set.nodes
    } | {
        value_set.vocabulary.lower()
        for constraint in constraints
        for value_set in constraint.value_sets
    }
    found = []
    for name in meant:
        if desk.shelf.hierarchical(name) or desk.shelf.holds(name):
            continue
        prefix = base[name].prefix.lower() if name in base else name
        if not asked & {name, prefix}:
            continue
        message = f"{title(desk, name)} has no hierarchy here: kinds of terms cannot be checked."
        button = f"Say what {title(desk, name)} holds"
        found.append(Obstacle("no-hierarchy", message, name, Action.SAY_KIND, button, classes))
    return found


def title(desk: Desk, name: str) -> str:
    """A vocabulary's name as people write it: MeSH, HPO, NCBI Gene."""
    base = desk.shelf.base.vocabularies if desk.shelf.base else {}
    if name in base:
        return base[name].title
    release = catalogue.RELEASES.get(name)
    return release.title if release else name
