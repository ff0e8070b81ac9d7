"""The project's vocabularies: what there is, adding and removing files, looking terms up, and
project synonyms.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.desk import Desk
from core.errors import GroundworkError, InputError, NotFound, Refused, StoreError
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.lexicon import Lexicon, LexiconTerm, compiled
from core.grounding.index.vocabulary_registry import STARTERS, Shelf
from core.grounding.install import catalogue as source
from core.grounding.readers import registry
from core.grounding.readers.tsv import obsolete_file
from core.jobs import isolation
from core.model import Candidate, Problem
from core.store import Synonym

ORIGINS = ".origins.json"
LONGEST_COMPILE = 1800.0  # seconds in a child process
COMPILE_MEMORY = 6000  # megabytes; the largest ontologies need about half
_ENDING = re.compile(r"\.(tsv|txt|obo|json|owl|ofn|rdf|xml|ttl|db|sqlite)(\.gz)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A vocabulary as it stands. `error` says why its file cannot be read; then counts are 0.

    `built_in`: it comes with the app and stands in because the project has none of its own.
    """

    name: str
    path: Path
    version: str = ""
    source: str = ""
    terms: int = 0
    names: int = 0
    obsolete: int = 0
    prefixes: tuple[tuple[str, int], ...] = ()
    hierarchy: bool = False
    problems: tuple[Problem, ...] = ()
    problem_count: int = 0
    built_in: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class Detail:
    """A term with its neighbours in the hierarchy as (id, label)."""

    vocabulary: str
    version: str
    term: LexiconTerm
    parents: tuple[tuple[str, str], ...] = ()
    children: tuple[tuple[str, str], ...] = ()


def entries(desk: Desk) -> list[Entry]:
    """Every vocabulary of the project, by name; those that cannot be read with the reason."""
    return [entry(desk, name) for name in desk.shelf.names()]


def entry(desk: Desk, name: str) -> Entry:
    """Raises NotFound."""
    path = desk.shelf.files().get(name.lower())
    if path is None:
        raise NotFound(
            f"There is no vocabulary {name!r} in this project.",
            "`vocabularies list` shows what there is.",
        )
    try:
        return _entry(desk.shelf.lexicon(name), path)
    except GroundworkError as error:
        return Entry(name.lower(), path, built_in=path.parent == STARTERS, error=str(error))


def _entry(lexicon: Lexicon, path: Path) -> Entry:
    return Entry(
        lexicon.name,
        path,
        lexicon.version,
        lexicon.source,
        lexicon.term_count,
        lexicon.name_count,
        lexicon.obsolete_count,
        tuple(lexicon.prefixes.items()),
        lexicon.has_hierarchy,
        lexicon.problems,
        lexicon.problem_count,
        path.parent == STARTERS,
    )


# ---------------------------------------------------------------- adding and removing


def add_file(desk: Desk, path: Path, *, name: str = "") -> Entry:
    """Copy a vocabulary file (and its list of obsolete ids) into the project and compile it. Raises
    InputError.
    """
    if not path.is_file():
        raise InputError(f"There is no file {path}.", "Check the name.")
    old = obsolete_file(path)
    return _add(desk, path, name or path.name, old if old.exists() and old != path else None)


def add_upload(desk: Desk, filename: str, content: bytes) -> Entry:
    """Add a file that was uploaded. Raises InputError."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / _safe(filename)
        path.write_bytes(content)
        return _add(desk, path, filename, None)


def _add(desk: Desk, path: Path, filename: str, obsolete: Path | None) -> Entry:
    """Compile first, then move into place: a file that cannot be read never becomes a part of the
    project.
    """
    safe = _safe(filename)
    target = desk.vocabularies / safe
    name = registry.stem(target).lower()
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder) / safe
        shutil.copyfile(path, trial)
        if obsolete:
            shutil.copyfile(obsolete, obsolete_file(trial))
        isolation.run(
            try_file,
            trial,
            Path(folder) / "index.sqlite",
            name,
            name=safe,
            seconds=LONGEST_COMPILE,
            megabytes=COMPILE_MEMORY,
        )
        try:
            desk.vocabularies.mkdir(parents=True, exist_ok=True)
            for other in _files(desk, name):
                other.unlink()
            if obsolete:
                _place(obsolete_file(trial), obsolete_file(target))
            _place(trial, target)
        except OSError as error:
            raise StoreError(
                f"{target} cannot be written: {error.strerror}.", "Is the disk full?"
            ) from error
    return entry(desk, name)


def try_file(path: Path, index: Path, name: str) -> None:
    """Compile a file that a stranger may have made (in a child process). Raises InputError."""
    compiled(path, index, name=name)


def _place(path: Path, target: Path) -> None:
    """Copy, then rename: readers see the old file or the new one, whole."""
    with (
        tempfile.NamedTemporaryFile(
            dir=target.parent, prefix=".", suffix=".part", delete=False
        ) as part,
        path.open("rb") as file,
    ):
        shutil.copyfileobj(file, part)
    Path(part.name).replace(target)


def _safe(filename: str) -> str:
    """A file name without a path and odd characters, whose ending is kept. Raises InputError."""
    bare = filename.replace("\\", "/").rsplit("/", 1)[-1]
    ending = _ENDING.search(bare)
    if ending is None:
        raise InputError(
            f"{bare[:80]!r} has no ending of a vocabulary file.",
            "Known: .tsv, .obo, .json, .owl, .ttl, .db; or .gz.",
        )
    stem = re.sub(r"[^A-Za-z0-9_-]+", "_", bare[: ending.start()]).strip("_")
    if not stem:
        raise InputError(f"{bare[:80]!r} has no name before its ending.", "Rename the file.")
    return f"{stem}{ending[0].lower()}"


def _files(desk: Desk, name: str) -> list[Path]:
    """The project's files of a vocabulary, its list of obsolete ids included."""
    if not desk.vocabularies.is_dir():
        return []
    found = [path for path in sorted(desk.vocabularies.iterdir()) if path.is_file()]
    return [
        p
        for p in found
        if registry.stem(p).lower().removesuffix(".obsolete") == name and _ENDING.search(p.name)
    ]


def remove(desk: Desk, name: str) -> bool:
    """Take a vocabulary out of the project. True when the starter of that name stands in from now
    on.

    Raises NotFound, and Refused for one that comes with the app.
    """
    found = entry(desk, name)
    if found.built_in:
        raise Refused(
            f"{found.name} comes with the app and cannot be removed.",
            "Add your own to take its place.",
        )
    for path in _files(desk, found.name):
        path.unlink(missing_ok=True)
    (desk.indexes / f"{found.name}.sqlite").unlink(missing_ok=True)
    return found.name in desk.shelf.names()


def available(desk: Desk) -> dict[str, str]:
    """Names that `install` knows, and where each comes from: `starter` or the address of its
    authority.
    """
    starters = {registry.stem(path): "starter" for path in sorted(STARTERS.glob("*.tsv"))}
    return dict(sorted((source.REMOTE | starters).items()))


def install(desk: Desk, name: str, *, full: bool = False) -> Entry:
    """Put a vocabulary into the project by name: the starter, or with `full` the authority's
    current release.

    Raises NotFound, and the RemoteError tree when there is no network.
    """
    name = name.lower()
    starter = STARTERS / f"{name}.tsv"
    if starter.exists() and not full:
        found = add_file(desk, starter)
        _remember(desk, name, "starter")
        return found
    if name not in source.REMOTE:
        known = ", ".join(available(desk))
        raise NotFound(
            f"There is no vocabulary {name!r} to install.",
            f"There are: {known}. Or add a file of your own.",
        )
    text, filename = source.download(desk.web("ontology", source.HOSTS), name)
    found = add_upload(desk, filename, text.encode())
    _remember(desk, name, source.REMOTE[name])
    return found


def update(desk: Desk, name: str = "") -> list[Entry]:
    """Get installed vocabularies again from where they came; those added as files are compiled anew
    if they changed.
    """
    origins = _origins(desk)
    names = [entry(desk, name).name] if name else list(desk.shelf.own())
    return [
        install(desk, one, full=origins[one] != "starter") if one in origins else entry(desk, one)
        for one in names
    ]


def _origins(desk: Desk) -> dict[str, str]:
    try:
        found = json.loads((desk.vocabularies / ORIGINS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}


def _remember(desk: Desk, name: str, origin: str) -> None:
    with tempfile.NamedTemporaryFile(
        "w", dir=desk.vocabularies, suffix=".part", encoding="utf-8", delete=False
    ) as part:
        json.dump(_origins(desk) | {name: origin}, part, indent=1, sort_keys=True)
    Path(part.name).replace(desk.vocabularies / ORIGINS)


# ---------------------------------------------------------------- looking up


def search(
    desk: Desk, text: str, names: Sequence[str] = (), limit: int = 50
) -> tuple[Candidate, ...]:
    """Terms whose names hold the words of `text`, or whose id it is."""
    if not text.strip():
        return ()
    return desk.grounder().search(text, Constraint(tuple(names or desk.shelf.names())), limit)


def detail(desk: Desk, vocabulary: str, id: str) -> Detail:
    """A term with names, parents and children. Raises NotFound."""
    lexicon = desk.shelf.lexicon(vocabulary)
    term = lexicon.term(id)
    if term is None:
        raise NotFound(f"{vocabulary} has no term {id[:80]}.")
    return Detail(
        vocabulary,
        lexicon.version,
        term,
        _labelled(lexicon, term.parents),
        _labelled(lexicon, lexicon.children(term.id)[:100]),
    )


def _labelled(lexicon: Lexicon, ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((id, found.label if (found := lexicon.term(id)) else "") for id in ids)


def synonyms(desk: Desk) -> list[Synonym]:
    """Names that the project's curators gave to terms, oldest first."""
    return desk.store.synonyms.all()


def forget(desk: Desk, synonym: int) -> None:
    """Take a project synonym back; it is not used from now on."""
    desk.store.synonyms.remove(synonym)


def grounder_of(desk: Desk, vocabularies: Sequence[str]) -> tuple[Grounder, tuple[str, ...]]:
    """A grounder over vocabularies given by name or as files, and their names in that order. Raises
    InputError.
    """
    files, names = [], []
    shelf = desk.shelf
    for given in vocabularies:
        path = Path(given)
        if path.is_file():
            files.append(path)
            names.append(registry.stem(path).lower())
        elif given.lower() in shelf.names():
            files.append(shelf.files()[given.lower()])
            names.append(given.lower())
        elif meant := shelf.lexicons((given,)):
            files += [shelf.files()[one.name] for one in meant]
            names += [one.name for one in meant]
        else:
            known = ", ".join(shelf.names()) or "none"
            raise NotFound(
                f"There is no vocabulary or file {given!r}.", f"Vocabularies here: {known}."
            )
    found = Shelf(None, desk.indexes, files=files)
    for name in names:
        found.lexicon(name)
    return Grounder(found, desk.store.synonyms), tuple(names)
