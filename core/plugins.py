"""What other packages add: members of our families (engines, formats, verbs …), by entry points.

A registry holds one family: its own members and, once somebody asks for one, those of packages that
are installed beside us. A member that cannot be used is left out, with a reason that `doctor` shows
(docs/plug-ins.md).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PREFIX = "groundwork."
LONGEST_REASON = 300  # characters of what an import says
# Group of entry points → the registry that its members join. A registry is imported when it is
# needed: this module knows no room.
FAMILIES = {
    "groundwork.engines": "core.extraction.registry:SPECS",
    "groundwork.judges": "core.support.registry:JUDGES",
    "groundwork.vocabulary_readers": "core.grounding.readers.registry:READERS",
    "groundwork.document_readers": "core.documents.readers.registry:FORMATS",
    "groundwork.ranking_modes": "core.literature.ranking.registry:MODES",
    "groundwork.question_kinds": "core.genes.kinds.registry:KINDS",
    "groundwork.apis": "core.apis.registry:SHIPPED",
    "groundwork.formats": "core.kb.formats.registry:FORMATS",
    "groundwork.evaluations": "core.evaluation.registry:EVALUATIONS",
    "groundwork.verbs": "core.cli:VERBS",
    "groundwork.pages": "core.services.shared.added_page:PAGES",
}


class Named(Protocol):
    """What every member of a family has: the name that people choose it by."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


@dataclass(frozen=True, slots=True)
class PluginMember:
    """A member that a package brings, or (with a `reason`) wanted to bring."""

    group: str
    name: str
    package: str  # with its version
    reason: str = ""  # why it is left out


class Registry(Mapping[str, T]):
    """The members of one family by name: our own in their order, then those of other packages.

    `kind` is the class of a member. With `own_last` ours come after the others: where the first
    member that recognises a file reads it, and one of ours takes every file.
    """

    def __init__(
        self,
        group: str,
        kind: type[T],
        own: Iterable[T],
        *,
        own_last: bool = False,
    ):
        self._group, self._kind, self._own_last = group, kind, own_last
        members = tuple(own)
        self._own = {member.name: member for member in members}
        assert len(self._own) == len(members), f"two members of {group} have one name"
        self._joined: dict[str, T] | None = None
        self._plugins: tuple[PluginMember, ...] = ()

    def __getitem__(self, name: str) -> T:
        return self._members()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members())

    def __len__(self) -> int:
        return len(self._members())

    def values(self) -> ValuesView[T]:
        return self._members().values()

    @property
    def plugins(self) -> tuple[PluginMember, ...]:
        """What other packages bring, those that are left out among them."""
        self._members()
        return self._plugins

    def _members(self) -> dict[str, T]:
        """Two threads may both load: the result is the same, and no lock can be waited for while
        another package is imported.
        """
        if self._joined is None:
            added: dict[str, T] = {}
            plugins = tuple(self._join(entry, added) for entry in entry_points(self._group))
            first, second = (added, self._own) if self._own_last else (self._own, added)
            self._plugins, self._joined = plugins, first | second
        return self._joined

    def _join(self, entry: EntryPoint, added: dict[str, T]) -> PluginMember:
        reason = ""
        if entry.name in self._own or entry.name in added:
            reason = f"the name {entry.name} is taken"
        else:
            try:
                member = entry.load()
                reason = self._unfit(entry.name, member)
                if not reason:
                    added[entry.name] = member
            except (Exception, SystemExit) as error:  # whatever a stranger's import does
                reason = f"{entry.value} cannot be loaded: {type(error).__name__}: {error}"
        return PluginMember(self._group, entry.name, _package(entry), reason[:LONGEST_REASON])

    def _unfit(self, name: str, member: Any) -> str:
        if not isinstance(member, self._kind):
            return f"it is of the type {type(member).__name__}, not {self._kind.__name__}"
        if member.name != name:
            return f"the entry point calls it {name}, and it calls itself {member.name}"
        return ""


def entry_points(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group that installed packages declare, sorted by package and name."""
    return _entry_points().get(group, ())


def unknown_groups() -> tuple[PluginMember, ...]:
    """Members in groups that look like ours and are none: a misspelt group is never read."""
    return tuple(
        PluginMember(
            group, entry.name, _package(entry), f"there is no group of entry points {group}"
        )
        for group, entries in sorted(_entry_points().items())
        for entry in entries
        if group not in FAMILIES
    )


def plugin_members() -> Iterator[PluginMember]:
    """Every member that other packages bring, family by family; a family of a room that is not
    installed has none.
    """
    for group, place in FAMILIES.items():
        if entry_points(group):
            yield from _of_family(group, place)
    yield from unknown_groups()


def _of_family(group: str, place: str) -> tuple[PluginMember, ...]:
    module, _, name = place.partition(":")
    try:
        family: Registry[Any] = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        if not str(error.name).startswith("core."):
            raise
        reason = f"this installation has no {error.name}"
        return tuple(
            PluginMember(group, entry.name, _package(entry), reason)
            for entry in entry_points(group)
        )
    return family.plugins


@cache
def _entry_points() -> dict[str, tuple[EntryPoint, ...]]:
    """Group → entry points, of all packages on the path. `importlib.metadata` takes longer to
    import than a list of verbs to print, so it is asked only about packages that name us.
    """
    files = [
        file
        for folder in dict.fromkeys(sys.path)
        for kind in ("dist-info", "egg-info")
        for file in sorted(Path(folder or ".").glob(f"*.{kind}/entry_points.txt"))
    ]
    named = [file for file in files if _names_us(file)]
    if not named:
        return {}
    from importlib.metadata import Distribution

    groups: dict[str, list[EntryPoint]] = {}
    seen = set()  # of a package that is on the path twice, Python imports the first
    for file in named:
        package = Distribution.at(file.parent)
        if package.name in seen:
            continue
        seen.add(package.name)
        for entry in package.entry_points:
            if entry.group.startswith(PREFIX):
                groups.setdefault(entry.group, []).append(entry)
    return {
        group: tuple(sorted(entries, key=lambda entry: (_package(entry), entry.name)))
        for group, entries in groups.items()
    }


def _names_us(file: Path) -> bool:
    try:
        return f"[{PREFIX}" in file.read_text("utf-8", "replace")
    except OSError:  # of a package that this user may not read
        return False


def _package(entry: EntryPoint) -> str:
    package = entry.dist
    return f"{package.name} {package.version}" if package else "?"
