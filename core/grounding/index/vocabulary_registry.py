"""The project's vocabularies: files in one folder, their indexes in another, opened when first
needed.

The starter vocabularies that come with the app stand in where a project has none of that name or id
prefix.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from core.curie import preferred
from core.errors import InputError
from core.grounding.index.lexicon import Lexicon, compiled
from core.grounding.readers import registry

STARTERS = Path(__file__).resolve().parents[3] / "schemas" / "vocabularies"
_ALIASES = {
    "ncit": "NCIT",
    "gene": "NCBIGene",
    "taxon": "NCBITaxon",
}  # beside what curie.preferred knows


class Shelf:
    """Vocabularies by name: the file's name without its endings, in lower case. Shared by threads."""

    def __init__(
        self,
        folder: Path | None,
        index_folder: Path,
        *,
        files: Sequence[Path] = (),
        starters: Path | None = STARTERS,
    ):
        """Without a `folder` only `files` are on the shelf; `starters` stand in only where there is
        a folder.
        """
        self.folder = folder
        self.starters = starters if folder is not None else None
        self.index_folder = index_folder
        self._extra = {_name(path): path for path in files}
        self._lock = threading.Lock()
        self._open: dict[str, tuple[tuple[int, int], Lexicon]] = {}
        self._broken: dict[str, tuple[tuple[int, int], InputError]] = {}

    def files(self) -> dict[str, Path]:
        """Name → file, sorted; two files of one name count once, the uncompressed one."""
        own = self.own()
        return dict(sorted((self._standing_in(own) | own).items()))

    def own(self) -> dict[str, Path]:
        """The files of the project itself, and those given by hand."""
        return dict(self._extra) | _listed(self.folder)

    def _standing_in(self, own: dict[str, Path]) -> dict[str, Path]:
        """Starter vocabularies whose name and prefix no vocabulary of the project answers to."""
        starters = _listed(self.starters)
        if not starters or not own:
            return starters
        lexicons = (self._try(name, path) for name, path in own.items())
        prefixes = {next(iter(lexicon.prefixes), "") for lexicon in lexicons if lexicon}
        return {
            name: path
            for name, path in starters.items()
            if name not in own and preferred(name) not in prefixes
        }

    def names(self) -> tuple[str, ...]:
        return tuple(self.files())

    def lexicon(self, name: str) -> Lexicon:
        """A vocabulary by its name. Raises InputError when there is none, or its file cannot be
        read.
        """
        path = self.files().get(name.lower())
        if path is None:
            raise InputError(
                f"There is no vocabulary {name!r} here.",
                f"There are: {', '.join(self.names()) or 'none'}.",
            )
        return self._opened(name.lower(), path)

    def lexicons(self, names: Sequence[str] = (), prefixes: Sequence[str] = ()) -> list[Lexicon]:
        """The vocabularies that `names` mean, in that order; those with `prefixes` when no names
        are given.

        A name means the vocabulary called so, then every other one whose terms are mostly of that
        prefix: `mesh` means mesh and mesh_2026. Names that nothing answers to are left out (see
        `missing`). A file that cannot be read is left out too: the page of vocabularies says why.
        """
        found: dict[str, Lexicon] = {}
        for name in names or prefixes:
            for lexicon in self._meant(name):
                found.setdefault(lexicon.name, lexicon)
        return list(found.values())

    def missing(self, names: Iterable[str]) -> tuple[str, ...]:
        """Which names no vocabulary of the project answers to."""
        return tuple(name for name in names if not self._meant(name))

    def all(self) -> list[Lexicon]:
        return [
            lexicon for name, path in self.files().items() if (lexicon := self._try(name, path))
        ]

    def versions(self) -> dict[str, str]:
        """Name → version of every vocabulary, as a Run records it."""
        return {lexicon.name: lexicon.version for lexicon in self.all()}

    def _meant(self, name: str) -> list[Lexicon]:
        files = self.files()
        lower = name.lower()
        exact = [found] if lower in files and (found := self._try(lower, files[lower])) else []
        prefix = preferred(_ALIASES.get(lower, name))
        others = [
            found
            for other, path in files.items()
            if other != lower and (found := self._try(other, path))
        ]
        return exact + [one for one in others if next(iter(one.prefixes), "") == prefix]

    def _try(self, name: str, path: Path) -> Lexicon | None:
        try:
            return self._opened(name, path)
        except InputError:
            return None

    def _opened(self, name: str, path: Path) -> Lexicon:
        try:
            status = path.stat()
        except OSError as error:
            raise InputError(f"There is no file {path}.", "Check the name.") from error
        stamp = (status.st_size, status.st_mtime_ns)
        with self._lock:
            if (known := self._open.get(name)) and known[0] == stamp and known[1].index.exists():
                return known[1]
            if (broken := self._broken.get(name)) and broken[0] == stamp:
                raise broken[1]
            try:
                lexicon = compiled(path, self._index(name, path), name=name)
            except InputError as error:
                self._broken[name] = (stamp, error)
                raise
            self._open[name] = (stamp, lexicon)
            return lexicon

    def _index(self, name: str, path: Path) -> Path:
        """Files of the project are indexed under their name, others under a digest of their place
        as well.
        """
        if self.folder is not None and path.parent == self.folder:
            return self.index_folder / f"{name}.sqlite"
        place = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
        return self.index_folder / f"{name}-{place}.sqlite"


class SteadyShelf(Shelf):
    """A shelf as it stands for the length of one piece of work: its files are looked at once, not
    for every mention.
    """

    def __init__(self, shelf: Shelf):
        super().__init__(shelf.folder, shelf.index_folder, starters=shelf.starters)
        self._shelf = shelf
        self._files: dict[str, Path] | None = None
        self._seen: dict[str, Lexicon | None] = {}
        self._by_name: dict[str, list[Lexicon]] = {}

    def files(self) -> dict[str, Path]:
        if self._files is None:
            self._files = self._shelf.files()
        return self._files

    def _meant(self, name: str) -> list[Lexicon]:
        if name not in self._by_name:
            self._by_name[name] = super()._meant(name)
        return self._by_name[name]

    def _try(self, name: str, path: Path) -> Lexicon | None:
        if name not in self._seen:
            self._seen[name] = self._shelf._try(name, path)
        return self._seen[name]

    def _opened(self, name: str, path: Path) -> Lexicon:
        return self._shelf._opened(name, path)


def _listed(folder: Path | None) -> dict[str, Path]:
    if folder is None or not folder.is_dir():
        return {}
    paths = sorted(folder.iterdir(), reverse=True)
    return {_name(path): path for path in paths if _is_vocabulary(path) and path.is_file()}


def _name(path: Path) -> str:
    return registry.stem(path).lower()


def _is_vocabulary(path: Path) -> bool:
    name = path.name.lower().removesuffix(".gz")
    return (
        not name.startswith(".")
        and name.endswith(registry.suffixes())
        and not name.endswith(".obsolete.tsv")
    )
