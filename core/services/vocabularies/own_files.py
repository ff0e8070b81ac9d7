"""The project's own vocabulary files: added, told what they hold, and removed."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from core.desk_parts import HasFolder, HasProjectTerms, HasVocabularies
from core.errors import InputError, Refused, StoreError
from core.grounding.index.compile import CompileTask, compile_once, index_is_ready
from core.grounding.index.lexicon import Lexicon
from core.grounding.index.vocabulary_registry import KINDS, ORDER, REPLACING
from core.grounding.readers import registry
from core.grounding.readers.columns import ColumnMapping, mapping_file, save_mapping
from core.grounding.readers.names_told import languages_file
from core.grounding.readers.source import PACKED, without_compression
from core.grounding.readers.tsv import obsolete_file
from core.jobs import isolation
from core.model import Category
from core.services.people import roles
from core.services.vocabularies.origins import vocabulary_origins
from core.services.vocabularies.prefix_context import keep_prefixes
from core.services.vocabularies.vocabularies import Vocabulary, vocabulary_entry
from core.whole_file import copy_whole, whole_file

Compiling = Callable[[CompileTask], object]
LONGEST_NAME = 100  # letters of a file's name before its ending
LONGEST_COMPILE = 1800.0  # seconds in a child process without a sign of life
COMPILE_MEMORY = 6000  # megabytes; the largest ontologies need about half


def compile_apart(task: CompileTask, watch: Callable[[float], None] = lambda share: None) -> None:
    """Compile in a child process, with limits on memory and time: a stranger may have made the
    file. `watch` hears the share done (0–1); what it raises ends the child. Raises InputError.
    """
    isolation.run_in_child(
        try_file,
        task.source,
        task.index,
        task.name,
        name=task.source.name,
        seconds=LONGEST_COMPILE,
        megabytes=COMPILE_MEMORY,
        progress=lambda done, total: watch(done / total),
    )


def compiled_apart(task: CompileTask, watch: Callable[[float], None]) -> Lexicon:
    """The lexicon of a file, compiled in a child process where its index is not there."""
    if not index_is_ready(task):
        place = replace(task, source=task.source.resolve(), index=task.index.resolve())
        compile_apart(place, watch)
    return Lexicon(task.index)


def try_file(
    path: Path, index: Path, name: str, on_page: Callable[[int, int], None] | None = None
) -> None:
    """Compile a file (in a child process), telling `on_page` thousandths. Raises InputError."""
    report_page = on_page or (lambda done, total: None)
    compile_once(
        CompileTask(path, index, name), lambda share: report_page(round(share * 1000), 1000)
    )


def add_vocabulary_file(
    desk: HasVocabularies,
    path: Path,
    *,
    mapping: ColumnMapping | None = None,
    languages: Sequence[str] = (),
    replaces: bool = False,
    compiling: Compiling = compile_apart,
) -> Vocabulary:
    """Copy a vocabulary file (and its list of obsolete ids) into the project. `mapping` says what
    the columns of a table of one's own are, `languages` which names are wanted beside the English
    ones. It adds to the vocabularies of its name or prefix that are there, unless it `replaces`
    them. It is compiled first, once, and then moved into place:
    a file that cannot be read never becomes a part of the project. Raises InputError.
    """
    if not path.is_file():
        raise InputError(f"There is no file {path}.", "Check the name.")
    old = obsolete_file(path)
    obsolete = old if old.exists() and old != path else None
    safe = name_in_project(desk, path.name, replaces=replaces)
    target = desk.vocabularies / safe
    name = registry.vocabulary_stem(target).lower()
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder) / safe
        shutil.copyfile(path, trial)
        if obsolete:
            shutil.copyfile(obsolete, obsolete_file(trial))
        if mapping:
            save_mapping(trial, mapping)
        if languages:
            languages_file(trial).write_text(" ".join(languages), encoding="utf-8")
        index = desk.indexes / f"{name}.sqlite"
        index.parent.mkdir(parents=True, exist_ok=True)
        if mapping:
            index.unlink(missing_ok=True)  # the same content means something else now
        compiling(CompileTask(trial, index, name))
        try:
            desk.vocabularies.mkdir(parents=True, exist_ok=True)
            for older_file in _files(desk, name):
                older_file.unlink()
            if obsolete:
                copy_whole(obsolete_file(trial), obsolete_file(target))
            if mapping:
                copy_whole(mapping_file(trial), mapping_file(target))
            if languages:
                copy_whole(languages_file(trial), languages_file(target))
            copy_whole(trial, target)
        except OSError as error:
            raise StoreError(
                f"{target} cannot be written: {error.strerror}.", "Is the disk full?"
            ) from error
    _say_replacing(desk, name, replaces=replaces)
    keep_prefixes(desk, desk.vocabulary_registry.lexicon(name).iris)
    return vocabulary_entry(desk, name)


def name_in_project(desk: HasVocabularies, filename: str, *, replaces: bool) -> str:
    """The name of a file in the project. One that is called like a vocabulary of the base set, or
    like one that was installed by name, is kept beside it (`mesh_own.tsv`), unless it replaces it.
    Raises InputError.
    """
    safe = safe_name(filename)
    ending = _ending(safe)
    stem = safe[: len(safe) - len(ending)]
    desk_registry = desk.vocabulary_registry
    base = desk_registry.base.vocabularies if desk_registry.base else {}
    own, installed = desk_registry.own(), vocabulary_origins(desk)
    name = stem.lower()
    beside = name in installed if name in own else name in base
    return f"{stem}_own{ending}" if beside and not replaces else safe


def _say_replacing(desk: HasVocabularies, name: str, *, replaces: bool) -> None:
    """Remember whether a vocabulary takes the place of those of the base set."""
    said = set(desk.vocabulary_registry.replacing())
    names = said | {name} if replaces else said - {name}
    if names != said:
        with whole_file(desk.vocabularies / REPLACING) as part:
            json.dump(dict.fromkeys(sorted(names), True), part)


def addition_words(desk: HasVocabularies, name: str) -> str:
    """What a vocabulary of the project adds to, in a sentence; empty where it adds to nothing that
    comes with the app.
    """
    desk_registry = desk.vocabulary_registry
    if desk_registry.base is None or name not in desk_registry.own():
        return ""
    prefix = next(iter(desk_registry.lexicon(name).prefixes), "")
    titles = [
        vocabulary.title
        for other, vocabulary in desk_registry.base.vocabularies.items()
        if vocabulary.prefix == prefix and other in desk_registry.names() and other != name
    ]
    if not titles:
        return ""
    return (
        f"{name} adds its names to {', '.join(titles)}, which stays in use. To use it instead, add"
        " it with --replace, or choose so on the page."
    )


def safe_name(filename: str) -> str:
    """A file name without a path and odd characters, whose ending is kept. Raises InputError."""
    bare_name = filename.replace("\\", "/").rsplit("/", 1)[-1]
    ending = _ending(bare_name)
    if not ending:
        raise InputError(
            f"{bare_name[:80]!r} does not have the extension of a vocabulary file.",
            f"Known: {', '.join(registry.suffixes())}; or with {', '.join(PACKED)}.",
        )
    stem = re.sub(r"[^A-Za-z0-9_-]+", "_", bare_name[: len(bare_name) - len(ending)]).strip("_")
    if not stem:
        raise InputError(
            f"{bare_name[:80]!r} has no name before its extension.", "Rename the file."
        )
    if len(stem) > LONGEST_NAME:  # cut, two files might get one name
        raise InputError(
            f"{bare_name[:80]!r}… has a name of more than {LONGEST_NAME} letters.",
            "Rename the file; the vocabulary takes its name from it.",
        )
    return f"{stem}{ending.lower()}"


def _ending(filename: str) -> str:
    """`.tsv.gz` of `x.tsv.gz`; empty for a file that is no vocabulary's."""
    inner = without_compression(filename)
    ending = next((suffix for suffix in registry.suffixes() if inner.lower().endswith(suffix)), "")
    return filename[len(inner) - len(ending) :] if ending else ""


def _files(desk: HasFolder, name: str) -> list[Path]:
    """The project's files of a vocabulary, its list of obsolete ids and its mapping included."""
    if not desk.vocabularies.is_dir():
        return []
    present = [path for path in sorted(desk.vocabularies.iterdir()) if path.is_file()]
    return [path for path in present if _owner(path) == name and not path.name.startswith(".")]


def _owner(path: Path) -> str:
    """The vocabulary that a file of the folder is of; empty when it is none's."""
    data_path = path.with_name(path.name.removesuffix(".columns.json").removesuffix(".languages"))
    if not _ending(data_path.name):
        return ""
    return registry.vocabulary_stem(data_path).lower().removesuffix(".obsolete")


def say_kinds(
    desk: HasProjectTerms, name: str, kinds: Sequence[Category], curator: str | None = None
) -> None:
    """Remember what kinds of thing a vocabulary without hierarchy holds; none: forget it. Raises
    NotFound, and Forbidden for a reader.
    """
    roles.require_role(desk, curator)
    name = vocabulary_entry(desk, name).name
    all_kinds = desk.vocabulary_registry.kinds() | {name: tuple(str(kind) for kind in kinds)}
    nonempty = {key: list(value) for key, value in all_kinds.items() if value}
    with whole_file(desk.vocabularies / KINDS) as part:
        json.dump(nonempty, part, indent=1, sort_keys=True)


def say_order(
    desk: HasProjectTerms, kind: Category, names: Sequence[str], curator: str | None = None
) -> None:
    """Keep which vocabularies name a kind of thing first; no names: the order that comes with the
    app counts again. Raises NotFound for a name that is no vocabulary here, Forbidden for a reader.
    """
    roles.require_role(desk, curator)
    names = [vocabulary_entry(desk, name).name for name in names]
    order = {str(category): list(desk.vocabulary_registry.order(category)) for category in Category}
    order[str(kind)] = names
    said = {category: kept for category, kept in order.items() if kept}
    with whole_file(desk.vocabularies / ORDER) as part:
        json.dump(said, part, indent=1, sort_keys=True)


def remove_vocabulary(desk: HasProjectTerms, name: str, curator: str | None = None) -> bool:
    """Take a vocabulary out of the project. True when the starter of that name stands in from now
    on.

    Raises NotFound, Refused for one that comes with the app, and Forbidden for a reader.
    """
    roles.require_role(desk, curator)
    vocabulary = vocabulary_entry(desk, name)
    if vocabulary.built_in:
        raise Refused(
            f"{vocabulary.name} comes with the app and cannot be removed.",
            "Add your own to take its place.",
        )
    for path in _files(desk, vocabulary.name):
        path.unlink(missing_ok=True)
    for index in (f"{vocabulary.name}.sqlite", f"{vocabulary.name}.*.names"):
        for path in desk.indexes.glob(index):
            path.unlink(missing_ok=True)
    _say_replacing(desk, vocabulary.name, replaces=False)
    kinds = desk.vocabulary_registry.kinds()
    if vocabulary.name in kinds:
        others = {key: value for key, value in kinds.items() if key != vocabulary.name}
        (desk.vocabularies / KINDS).write_text(json.dumps(others), encoding="utf-8")
    return vocabulary.name in desk.vocabulary_registry.names()
