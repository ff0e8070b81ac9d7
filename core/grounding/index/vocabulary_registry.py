"""The project's vocabularies: files in one folder, their indexes in another, opened when first
needed.

The base set that comes with the app stands in where a project has no vocabulary of that name or id
prefix; until it is compiled, and where it lacks one, the small example starters do.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from core.curie import preferred_prefix
from core.errors import InputError
from core.grounding.index import compile as compilation
from core.grounding.index.compile import compile_failure, compile_progress
from core.grounding.index.lexicon import Lexicon
from core.grounding.index.open_lexicons import OpenLexicons, Watch
from core.grounding.index.vocabulary_files import (
    categories_in_heading,
    file_stamp,
    listed_vocabularies,
    starter_prefix,
    vocabulary_name,
)
from core.grounding.install.base_set import BaseSet
from core.grounding.preference import ordered_names
from core.model import Category

STARTERS = Path(__file__).resolve().parents[3] / "schemas" / "vocabularies"
KINDS = ".kinds.json"  # in the project's folder: name → categories, as its curators said
REPLACING = ".replacing.json"  # there too: name → true, of those that replace what the app brings
ORDER = ".order.json"  # there too: category → names of vocabularies, the preferred one first
_ALIASES = {
    "ncit": "NCIT",
    "gene": "NCBIGene",
    "taxon": "NCBITaxon",
}  # beside what curie.preferred knows


class VocabularyRegistry:
    """Vocabularies by name: the file's name without its endings, in lower case. Shared by threads.

    A patient registry (the command line, jobs) compiles what it is asked for and waits for it,
    telling `watch`; another (pages) never waits: large files are compiled by a process of their
    own, and until then a starter stands in, or the vocabulary is missing.
    """

    def __init__(
        self,
        folder: Path | None,
        index_folder: Path,
        *,
        files: Sequence[Path] = (),
        starters: Path | None = STARTERS,
        base: BaseSet | None = None,
        patient: bool = True,
        watch: Watch = lambda name, share: None,
        compiling: compilation.Compiling = compilation.compile_once,
    ):
        """Without a `folder` only `files` are in the registry; `starters` and `base` stand in only
        where there is a folder.
        """
        self.folder = folder
        self.starters = starters if folder is not None else None
        self.base = base
        self.index_folder = index_folder
        self.patient = patient
        self.watch = watch
        self._extra = {vocabulary_name(path): path for path in files}
        self._lexicons = OpenLexicons(
            folder, index_folder, base, patient=patient, watch=watch, compiling=compiling
        )
        self._lock = threading.RLock()
        self._steady: VocabularySnapshot | None = None

    def files(self) -> dict[str, Path]:
        """Name → file, sorted; two files of one name count once, the uncompressed one."""
        own = self.own()
        return dict(sorted((self._standing_in(own) | own).items()))

    def own(self) -> dict[str, Path]:
        """The files of the project itself, and those given by hand."""
        return dict(self._extra) | listed_vocabularies(self.folder)

    def own_lexicons(self) -> list[Lexicon]:
        """Those of them that can be used now, by name."""
        lexicons = (self._try(name, path) for name, path in sorted(self.own().items()))
        return [lexicon for lexicon in lexicons if lexicon is not None]

    def _standing_in(self, own: dict[str, Path]) -> dict[str, Path]:
        """Vocabularies of the app beside the project's own. One of the base set gives way to one of
        its name, and to one of its prefix that is said to replace it; others add to it. A starter,
        which is a few terms, gives way to any of its prefix.
        """
        paths = self._of_app()
        if not paths or not own:
            return paths
        prefix_of = {name: self._prefix(name, path) for name, path in own.items()}
        replaced = {prefix_of[name] for name in self.replacing() if name in own}
        return {
            name: path
            for name, path in paths.items()
            if name not in own
            and self._prefix(name, path)
            not in (replaced if self.is_base(path) else prefix_of.values())
        }

    def replacing(self) -> tuple[str, ...]:
        """The project's own vocabularies that take the place of those of the base set with their
        prefix, as its curators said.
        """
        return tuple(self._said(REPLACING))

    def _of_app(self) -> dict[str, Path]:
        if self.starters is None:
            return {}
        by_name = listed_vocabularies(self.starters)
        base = self.base.vocabularies if self.base else {}
        usable = {
            name: vocabulary.path
            for name, vocabulary in base.items()
            if self.patient or (self.base and self.base.ready(name))
        }
        return by_name | usable

    def names(self) -> tuple[str, ...]:
        return tuple(self.files())

    def steady(self) -> VocabularySnapshot:
        """The registry as it stands now, for one piece of work; the same one until a file
        changes."""
        files = self.files()
        said = [file_stamp(self.folder / name) for name in (KINDS, ORDER, REPLACING) if self.folder]
        stamp = (*said, *((name, file_stamp(path)) for name, path in files.items()))
        with self._lock:
            if self._steady is None or self._steady.stamp != stamp or self._steady.lacking:
                self._steady = VocabularySnapshot(self, files, stamp)
            return self._steady

    def lexicon(self, name: str) -> Lexicon:
        """A vocabulary by its name. Raises InputError when there is none, or its file cannot be
        read; VocabularyPreparing (an InputError) while another process compiles it.
        """
        path = self.files().get(name.lower())
        if path is None:
            raise InputError(
                f"There is no vocabulary {name!r} here.",
                f"There are: {', '.join(self.names()) or 'none'}.",
            )
        return self._lexicons.opened(name.lower(), path)

    def lexicons(self, names: Sequence[str] = (), prefixes: Sequence[str] = ()) -> list[Lexicon]:
        """The vocabularies that `names` mean, in that order; those with `prefixes` when no names
        are given.

        A name means the vocabulary called so, then every other one whose terms are mostly of that
        prefix: `mesh` means mesh and mesh_2026. Names that nothing answers to are left out (see
        `missing`). A file that cannot be read is left out too: the page of vocabularies says why.
        """
        by_name: dict[str, Lexicon] = {}
        for name in names or prefixes:
            for lexicon in self._lexicons_named(name):
                by_name.setdefault(lexicon.name, lexicon)
        return list(by_name.values())

    def ranked(self, names: Sequence[str]) -> list[tuple[int, Lexicon]]:
        """The vocabularies that `names` mean, each with the place of the first name that means it:
        those of one name share a rank.
        """
        by_name: dict[str, tuple[int, Lexicon]] = {}
        for rank, name in enumerate(names):
            for lexicon in self.lexicons((name,)):
                by_name.setdefault(lexicon.name, (rank, lexicon))
        return list(by_name.values())

    def prefixes(self) -> frozenset[str]:
        """The id prefixes of the vocabularies here: of each that of most of its terms."""
        return frozenset(self._prefix(name, path) for name, path in self.files().items()) - {""}

    def missing(self, names: Iterable[str]) -> tuple[str, ...]:
        """Which names no vocabulary of the project answers to."""
        return tuple(name for name in names if not self.files_named(name))

    def ordered(self, category: Category = Category.THING) -> tuple[str, ...]:
        """All names, in the order in which vocabularies are preferred for a kind of thing (see
        `preference`); what the project says of a kind goes first.
        """
        return ordered_names(self.files(), category, self.order(category))

    def order(self, category: Category) -> tuple[str, ...]:
        """The vocabularies that the project prefers for a kind of thing, as its curators said."""
        said = self._said(ORDER).get(str(category), ())
        return tuple(map(str, said)) if isinstance(said, list | tuple) else ()

    def all(self) -> list[Lexicon]:
        """Every vocabulary that can be used now, in order of preference; those of the base set only
        where compiled.
        """
        files = self.files()
        return [
            lexicon
            for name in self.ordered()
            for path in (files[name],)
            if not (self.is_base(path) and self.base and not self.base.ready(name))
            and (lexicon := self._try(name, path))
        ]

    def versions(self) -> dict[str, str]:
        """Name → version of every vocabulary, as a Run records it; jobs wait for those that are
        being prepared.
        """
        base = self.base.vocabularies if self.base else {}
        soon = self.preparing()
        versions: dict[str, str] = {}
        for name, path in self.files().items():
            if self.is_base(path) or (name in base and name in soon):
                versions[name] = base[name].version
            elif lexicon := self._try(name, path):
                versions[lexicon.name] = lexicon.version
        return versions

    def holds(self, name: str) -> tuple[str, ...]:
        """The categories of all terms of a vocabulary that has no hierarchy, as its curators or its
        file said; empty where nobody did.
        """
        if categories := self.kinds().get(name):
            return categories
        path = self.files().get(name)
        if path is not None and self.is_base(path) and self.base:
            return self.base.vocabularies[name].holds
        if path is None or self.own().get(name) != path:
            return ()
        lexicon = self._try(name, path)
        return lexicon.holds if lexicon is not None else categories_in_heading(path)

    def hierarchical(self, name: str) -> bool:
        """Whether terms of a vocabulary have others above them; of the base set as its manifest
        says, without opening it.
        """
        path = self.files().get(name)
        if path is not None and self.is_base(path) and self.base:
            return self.base.vocabularies[name].hierarchy
        lexicon = self._try(name, path) if path is not None else None
        return lexicon is not None and lexicon.has_hierarchy

    def kinds(self) -> dict[str, tuple[str, ...]]:
        """What the project's curators said that vocabularies hold."""
        said = self._said(KINDS)
        try:
            return {name: tuple(map(str, kinds)) for name, kinds in said.items()}
        except TypeError:
            return {}

    def _said(self, file: str) -> dict[str, Any]:
        """What curators said of the vocabularies, in a file of the project's folder."""
        if self.folder is None:
            return {}
        try:
            said = json.loads((self.folder / file).read_text(encoding="utf-8"))
            return {str(name): value for name, value in said.items()}
        except (OSError, ValueError, AttributeError):
            return {}

    # ------------------------------------------------------------ compiling

    def prepare(self) -> None:
        """Start compiling, in a process of its own, what of the base set is not compiled yet."""
        if self.base is None or self.starters is None:
            return
        base, own = self.base, self.own()
        tasks = [
            compilation.CompileTask(vocabulary.path, base.index(name), name)
            for name, vocabulary in base.vocabularies.items()
            if not (name in own or base.ready(name) or compile_failure(base.index(name)))
        ]
        if tasks:
            self._lexicons.compile_apart(base.folder, tasks)

    def preparing(self) -> dict[str, float]:
        """Vocabularies that cannot be used yet → share of the compile that is done (0–1)."""
        base = self.base
        progress = {}
        if base is not None and self.starters is not None and not self.patient:
            own = self.own()
            for name in base.vocabularies:
                if (
                    name not in own
                    and not base.ready(name)
                    and not compile_failure(base.index(name))
                ):
                    progress[name] = compile_progress(base.index(name)) or 0.0
        for name, path in self.own().items():
            share = self._lexicons.share_compiled(name, path)
            if share is not None:
                progress[name] = share
        return progress

    def is_base(self, path: Path) -> bool:
        """Whether a file is one of the base set."""
        return self._lexicons.is_base(path)

    # ------------------------------------------------------------

    def files_named(self, name: str) -> dict[str, Path]:
        """The vocabularies that a name means (see `lexicons`) and their files."""
        files = self.files()
        lower = name.lower()
        exact = {lower: files[lower]} if lower in files else {}
        prefix = preferred_prefix(_ALIASES.get(lower, name))
        return exact | {
            name_of_file: path
            for name_of_file, path in files.items()
            if name_of_file != lower and self._prefix(name_of_file, path) == prefix
        }

    def _lexicons_named(self, name: str) -> list[Lexicon]:
        files = self.files_named(name)
        return [
            lexicon
            for name_of_file, path in files.items()
            if (lexicon := self._try(name_of_file, path))
        ]

    def _prefix(self, name: str, path: Path) -> str:
        """The id prefix of most terms; of the app's own vocabularies without opening them."""
        if self.is_base(path) and self.base:
            return self.base.vocabularies[name].prefix
        if self.starters is not None and path.parent == self.starters:
            return starter_prefix(path)
        lexicon = self._try(name, path)
        return next(iter(lexicon.prefixes), "") if lexicon else ""

    def _try(self, name: str, path: Path) -> Lexicon | None:
        try:
            return self._lexicons.opened(name, path)
        except InputError:
            return None


class VocabularySnapshot(VocabularyRegistry):
    """A registry as it stands for the length of one piece of work: its files, and what curators
    said of them, are looked at once, not for every mention. `stamp` is what they were; `lacking`:
    one could not be used (yet).
    """

    def __init__(self, live: VocabularyRegistry, files: dict[str, Path], stamp: tuple[Any, ...]):
        super().__init__(
            live.folder,
            live.index_folder,
            files=tuple(live._extra.values()),
            starters=live.starters,
            base=live.base,
            patient=live.patient,
            watch=live.watch,
        )
        self._lexicons = live._lexicons
        self.stamp, self.lacking = stamp, False
        self._live, self._files = live, files
        self._seen: dict[str, Lexicon | None] = {}
        self._by_name: dict[str, list[Lexicon]] = {}
        self._files_meant: dict[str, dict[str, Path]] = {}
        self._ranked: dict[tuple[str, ...], list[tuple[int, Lexicon]]] = {}
        self._holds: dict[str, tuple[str, ...]] = {}

    def steady(self) -> VocabularySnapshot:
        return self

    def files(self) -> dict[str, Path]:
        return self._files

    def files_named(self, name: str) -> dict[str, Path]:
        if name not in self._files_meant:
            self._files_meant[name] = super().files_named(name)
        return self._files_meant[name]

    def holds(self, name: str) -> tuple[str, ...]:
        if name not in self._holds:
            self._holds[name] = super().holds(name)
        return self._holds[name]

    def ranked(self, names: Sequence[str]) -> list[tuple[int, Lexicon]]:
        key = tuple(names)
        if key not in self._ranked:
            self._ranked[key] = super().ranked(key)
        return self._ranked[key]

    def _lexicons_named(self, name: str) -> list[Lexicon]:
        if name not in self._by_name:
            self._by_name[name] = super()._lexicons_named(name)
        return self._by_name[name]

    def _try(self, name: str, path: Path) -> Lexicon | None:
        if name not in self._seen:
            self._seen[name] = self._live._try(name, path)
            self.lacking = self.lacking or self._seen[name] is None
        return self._seen[name]
