"""What stands in the way of grounding well with a schema (a vocabulary that is missing, still
being prepared or without a hierarchy), and the action that mends it.

    for obstacle in obstacles(desk, schema):
        obstacle.message   # "Only the MeSH 2015 base set is installed."
        obstacle.action    # Action.INSTALL
        obstacle.button    # "Install the current release of MeSH"

The worst comes first. Nothing is compiled or downloaded to answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from core.desk_parts import HasFolder, HasVocabularies
from core.grounding.constraint.branch import asks_a_branch
from core.grounding.constraint.constraint import Constraint, constraint_of
from core.grounding.install import catalogue
from core.grounding.install.base_set import BaseVocabulary
from core.grounding.remote.registry import SERVICES
from core.model import Problem
from core.schema.binding import named_services
from core.schema.definition import Schema, ValueSet
from core.services.vocabularies import remote


class Remedy(StrEnum):
    """What mends an obstacle; `obstacle.vocabulary` says of which vocabulary.

    INSTALL: `installation.start(desk, vocabulary)`. ADD: a file of one's own on the page
    Vocabularies. SAY_KIND: say there what kinds of thing the vocabulary holds. WAIT: nothing to do.
    """

    INSTALL = "install"
    ADD = "add"
    SAY_KIND = "say what it contains"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """`code` is one of missing-vocabulary, preparing, no-hierarchy, base-set-only; `classes` are
    those of the schema that it touches, in order.
    """

    code: str
    message: str
    vocabulary: str
    action: Remedy
    button: str
    classes: tuple[str, ...] = ()
    help: str = ""  # what to do, in a sentence; of a missing vocabulary


_ORDER = ("missing-vocabulary", "preparing", "no-hierarchy", "base-set-only")


def schema_obstacles(desk: HasVocabularies, schema: Schema) -> list[Obstacle]:
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
    services = _services(schema)
    all_obstacles = [
        replace(obstacle, help=_help(desk, vocabulary, services.get(vocabulary, "")))
        if obstacle.code == "missing-vocabulary"
        else obstacle
        for vocabulary, touched in classes.items()
        for obstacle in _of(desk, vocabulary, tuple(touched), constraints[vocabulary])
    ]
    return sorted(all_obstacles, key=lambda obstacle: _ORDER.index(obstacle.code))


def missing_vocabularies(desk: HasVocabularies, schema: Schema) -> list[Problem]:
    """What `schema` names for its ids that this project has not, each with what to do."""
    return [as_problem(obstacle) for obstacle in schema_obstacles(desk, schema) if obstacle.help]


def as_problem(obstacle: Obstacle) -> Problem:
    """A missing vocabulary as a problem of the schema that names it."""
    return Problem(obstacle.code, obstacle.message, where=obstacle.vocabulary, hint=obstacle.help)


def dated_line(desk: HasVocabularies, standing: Iterable[Obstacle]) -> str:
    """Which vocabularies are there only as the dated base set, in one sentence; empty: none."""
    base = desk.vocabulary_registry.base
    dated = [
        base.vocabularies[obstacle.vocabulary]
        for obstacle in standing
        if base and obstacle.code == "base-set-only"
    ]
    names = ", ".join(f"{row.title} ({row.date or 'undated'})" for row in dated)
    return f"Only the dated base set is installed: {names}." if names else ""


def _of(
    desk: HasVocabularies, name: str, classes: tuple[str, ...], constraints: list[Constraint]
) -> list[Obstacle]:
    registry = desk.vocabulary_registry
    preparing = registry.preparing()
    if name in preparing:
        title = vocabulary_title(desk, name)
        message = f"{title} is being prepared ({preparing[name]:.0%} done)."
        return [
            Obstacle("preparing", message, name, action=Remedy.WAIT, button="", classes=classes)
        ]
    path_by_name = registry.files_named(name)
    if not path_by_name:
        return [_missing(desk, name, classes, constraints)]
    base = {
        vocabulary.name: vocabulary
        for vocabulary in (registry.base.vocabularies.values() if registry.base else ())
    }
    stand_ins = [
        base[base_name]
        for base_name, path in path_by_name.items()
        if base_name in base and registry.is_base(path)
    ]
    own_obstacles = []
    if stand_ins and len(stand_ins) == len(path_by_name):
        own_obstacles.append(_dated(stand_ins[0], classes))
    if any(constraint.value_sets for constraint in constraints):
        own_obstacles += _flat(desk, path_by_name, base, constraints, classes=classes)
    return own_obstacles


def _missing(
    desk: HasVocabularies, name: str, classes: tuple[str, ...], constraints: list[Constraint]
) -> Obstacle:
    whose = ", ".join(classes[:3]) + (", …" if len(classes) > 3 else "")
    message = f"{vocabulary_title(desk, name)} is not installed: the schema names it for {whose}."
    if any(
        not any(map(desk.vocabulary_registry.files_named, constraint.vocabularies))
        for constraint in constraints
    ):
        message = f"No vocabulary for {whose}: {vocabulary_title(desk, name)} is not installed."
    if name in catalogue.RELEASES:
        button = f"Install {vocabulary_title(desk, name)}"
        return Obstacle(
            "missing-vocabulary",
            message,
            name,
            action=Remedy.INSTALL,
            button=button,
            classes=classes,
        )
    return Obstacle(
        "missing-vocabulary",
        message,
        name,
        action=Remedy.ADD,
        button=f"Add a file of {name}",
        classes=classes,
    )


def _services(schema: Schema) -> dict[str, str]:
    """Vocabulary → the service that the schema names for it, of all classes."""
    services: dict[str, str] = {}
    for cls in schema.classes.values():
        services = named_services(cls.annotations.get("annotators", "")) | services
    return services


def _help(desk: HasFolder, name: str, service: str) -> str:
    """What to do about a missing vocabulary, by whether it can be installed, and whether the
    service that the schema names for it can be asked.
    """
    if name in catalogue.RELEASES:
        return "Install it on the page Vocabularies."
    spec = SERVICES.get(service)
    if spec is None:
        service_note = f" The app knows no service {service}." if service else ""
        return f"Add a file of {name} on the page Vocabularies.{service_note}"
    if name == service:
        return (
            f"{spec.title} is a service, which is not asked while a text is read: ask it on the"
            " page Vocabularies, and name vocabularies in the schema too."
        )
    if service not in remote.usable_services(desk):
        key = f"GROUNDWORK_TOKEN_{service.upper()}"
        return (
            f"Add a file of {name} on the page Vocabularies, or set {key}: then {spec.title}, which"
            " the schema names for it, can be asked there."
        )
    return (
        f"{spec.title}, which the schema names for it, can be asked for single terms on the page"
        f" Vocabularies; to ground texts, add a file of {name} there."
    )


def _dated(base_vocabulary: BaseVocabulary, classes: tuple[str, ...]) -> Obstacle:
    message = f"Only the {base_vocabulary.title} {base_vocabulary.version} is installed."
    if base_vocabulary.name in catalogue.RELEASES:
        button = f"Install the current release of {base_vocabulary.title}"
        return Obstacle(
            "base-set-only",
            message,
            base_vocabulary.name,
            action=Remedy.INSTALL,
            button=button,
            classes=classes,
        )
    button = f"Add a current file of {base_vocabulary.title}"
    return Obstacle(
        "base-set-only",
        message,
        base_vocabulary.name,
        action=Remedy.ADD,
        button=button,
        classes=classes,
    )


def _flat(
    desk: HasVocabularies,
    path_by_name: Mapping[str, Path],
    base: dict[str, BaseVocabulary],
    constraints: list[Constraint],
    *,
    classes: tuple[str, ...],
) -> list[Obstacle]:
    """Vocabularies without hierarchy of which a branch is asked."""
    registry = desk.vocabulary_registry
    flat_obstacles = []
    for name, path in path_by_name.items():
        prefix = base[name].prefix.lower() if name in base else name
        asking = [constraint for constraint in constraints if _branches(constraint, {name, prefix})]
        kinds = registry.holds(name)
        if kinds:
            asking = [
                constraint
                for constraint in asking
                if asks_a_branch(_branches(constraint, {name, prefix}), kinds, constraint.category)
            ]
        if not asking or registry.hierarchical(name):
            continue
        title = vocabulary_title(desk, name)
        message = f"{title} has no hierarchy here: kinds of terms cannot be checked."
        if kinds:
            message = (
                f"{title} has no hierarchy here: which of its terms lie in the branch that the"
                " schema asks for cannot be checked."
            )
        if name in base and name in catalogue.RELEASES and registry.is_base(path):
            remedy = Remedy.INSTALL  # of several kinds: to say what it holds would not tell them
            button = f"Install the current release of {title}"
        elif kinds:
            remedy, button = Remedy.ADD, f"Add a file of {title} with its hierarchy"
        else:
            remedy, button = Remedy.SAY_KIND, f"Say what {title} holds"
        flat_obstacles.append(
            Obstacle("no-hierarchy", message, name, action=remedy, button=button, classes=classes)
        )
    return flat_obstacles


def _branches(constraint: Constraint, names: set[str]) -> list[ValueSet]:
    """The value sets of a constraint that are of a vocabulary, by its name or a node's prefix."""
    return [
        value_set
        for value_set in constraint.value_sets
        if value_set.vocabulary.lower() in names
        or not names.isdisjoint(node.partition(":")[0].lower() for node in value_set.nodes)
    ]


def vocabulary_title(desk: HasVocabularies, name: str) -> str:
    """A vocabulary's name as people write it: MeSH, HPO, NCBI Gene."""
    base = desk.vocabulary_registry.base.vocabularies if desk.vocabulary_registry.base else {}
    if name in base:
        return base[name].title
    release = catalogue.RELEASES.get(name)
    return release.title if release else name
