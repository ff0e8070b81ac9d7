"""Parts of the app that an installation may leave out: their folders are not there, and nothing
else misses them.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


@dataclass(frozen=True, slots=True)
class OptionalPart:
    """A part as `doctor` names it, and the packages it consists of."""

    name: str
    packages: tuple[str, ...]

    @property
    def is_installed(self) -> bool:
        """Whether all of its packages are there."""
        return all(_is_there(package) for package in self.packages)


PARTS = (
    OptionalPart("gene questions", ("core.ncbi", "core.genes", "core.apis", "core.services.genes")),
    OptionalPart("literature", ("core.literature", "core.services.literature")),
    OptionalPart(
        "OWL and reasoning", ("core.kb.owl", "core.kb.reasoning", "core.services.reasoning")
    ),
    OptionalPart("evaluation", ("core.evaluation", "core.services.evaluation")),
)


def _is_there(package: str) -> bool:
    try:  # a folder that holds nothing but what Python left in it is no package
        found = find_spec(package)
    except ModuleNotFoundError:  # nor is one whose parent is away
        return False
    return found is not None and found.origin is not None


def optional_module(name: str) -> ModuleType | None:
    """A module of ours, imported; None where it, or the package that it is in, is left out.
    Another module that it needs and that is missing raises ModuleNotFoundError.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            return None
        raise


def part_of(module: str) -> OptionalPart | None:
    """The part that a module belongs to; None for one of what is always there."""
    return next(
        (
            part
            for part in PARTS
            if any(f"{module}.".startswith(f"{package}.") for package in part.packages)
        ),
        None,
    )
