"""The project's vocabularies: what there is, adding and removing files, looking terms up, and
project synonyms.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.desk_parts import HasFolder, HasProjectTerms, HasVocabularies
from core.errors import GroundworkError, InputError, NotFound, Refused, StoreError
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.compile import CompileTask, compile_once
from core.grounding.index.lexicon import Lexicon, LexiconTerm
from core.grounding.index.vocabulary_registry import KINDS, STARTERS, VocabularyRegistry
from core.grounding.install.base_set import BaseVocabulary
from core.grounding.readers import registry
from core.grounding.readers.columns import ColumnMapping, mapping_file, save_mapping
from core.grounding.readers.source import PACKED, without_compression
from core.grounding.readers.tsv import obsolete_file
from core.jobs import isolation
from core.model import Candidate, Category, Problem
from core.services.people import roles
from core.whole_file import copy_whole, whole_file

Compiling = Callable[[CompileTask], object]


LONGEST_NAME = 100  # letters of a file's name before its ending
LONGEST_COMPILE = 1800.0  # seconds in a child process without a sign of life
COMPILE_MEMORY = 6000  # megabytes; the largest ontologies need about half


def compile_apart(task: CompileTask, watch: Callable[[float], None] = lambda share: None) -> None:
    """Compile in a child process, with limits on memory and time: a stranger may have made the
    file. `watch` hears the share done (0–1); what it raises ends the child. Raises InputError.
    """
    isolation.run(
        try_file,
        task.source,
        task.index,
        task.name,
        name=task.source.name,
        seconds=LONGEST_COMPILE,
        megabytes=COMPILE_MEMORY,
        progress=lambda done, total: watch(done / total),
    )


def try_file(
    path: Path, index: Path, name: str, on_page: Callable[[int, int], None] | None = None
) -> None:
    """Compile a file (in a child process), telling `on_page` thousandths. Raises InputError."""
    report_page = on_page or (lambda done, total: None)
    compile_once(
        CompileTask(path, index, name), lambda share: report_page(round(share * 1000), 1000)
    )


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A vocabulary as it stands. `error` says why its file cannot be read; then counts are 0.

    `built_in`: it comes with the app and stands in because the project has none of its own.
    `holds` are the categories of all its terms, where it has no hierarchy and somebody said so.
    `advice` is what a curator should do about it ("MeSH 2015 base set — install the current
    release"). `ready` is below 1 while it is compiled: the share that is done.
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
    title: str = ""
    licence: str = ""
    holds: tuple[str, ...] = ()
    advice: str = ""
    ready: float = 1.0


@dataclass(frozen=True, slots=True)
class TermDetail:
    """A term with its neighbours in the hierarchy as (id, label)."""

    vocabulary: str
    version: str
    term: LexiconTerm
    parents: tuple[tuple[str, str], ...] = ()
    children: tuple[tuple[str, str], ...] = ()


def entries(desk: HasVocabularies) -> list[Vocabulary]:
    """Every vocabulary of the project, by name; those that cannot be read with the reason, those of
    the base set that are being prepared with how far they are.
    """
    waiting = desk.vocabulary_registry.preparing()
    base = desk.vocabulary_registry.base.vocabularies if desk.vocabulary_registry.base else {}
    soon = {name: base[name] for name in waiting if name in base}
    listed = {
        name: entry(desk, name) for name in desk.vocabulary_registry.names() if name not in soon
    }
    listed |= {
        name: replace(_of_base(base_vocabulary), ready=waiting[name])
        for name, base_vocabulary in soon.items()
    }
    return [listed[name] for name in sorted(listed)]


def entry(desk: HasVocabularies, name: str) -> Vocabulary:
    """Raises NotFound."""
    path = desk.vocabulary_registry.files().get(name.lower())
    if path is None:
        raise NotFound(
            f"There is no vocabulary {name!r} in this project.",
            "`vocabularies list` shows what there is.",
        )
    if desk.vocabulary_registry.is_base(path) and desk.vocabulary_registry.base:
        return _of_base(desk.vocabulary_registry.base.vocabularies[name.lower()])
    try:
        lexicon = desk.vocabulary_registry.lexicon(name)
    except GroundworkError as error:
        return Vocabulary(name.lower(), path, built_in=path.parent == STARTERS, error=str(error))
    return Vocabulary(
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
        title=lexicon.name,
        holds=desk.vocabulary_registry.holds(lexicon.name),
        advice="A few terms for the examples" if path.parent == STARTERS else "",
    )


def _of_base(base_vocabulary: BaseVocabulary) -> Vocabulary:
    """A vocabulary of the base set as its manifest says, without opening it."""
    return Vocabulary(
        base_vocabulary.name,
        base_vocabulary.path,
        base_vocabulary.version,
        base_vocabulary.attribution,
        base_vocabulary.terms,
        base_vocabulary.names,
        base_vocabulary.obsolete,
        ((base_vocabulary.prefix, base_vocabulary.terms),),
        base_vocabulary.hierarchy,
        built_in=True,
        title=base_vocabulary.title,
        licence=base_vocabulary.licence,
        holds=base_vocabulary.holds,
        advice=base_vocabulary.advice,
    )


# ---------------------------------------------------------------- adding and removing


def add_file(
    desk: HasVocabularies,
    path: Path,
    *,
    name: str = "",
    mapping: ColumnMapping | None = None,
    compiling: Compiling = compile_apart,
) -> Vocabulary:
    """Copy a vocabulary file (and its list of obsolete ids) into the project and compile it.
    `mapping` says what the columns of a table of one's own are. Raises InputError.
    """
    if not path.is_file():
        raise InputError(f"There is no file {path}.", "Check the name.")
    old = obsolete_file(path)
    obsolete = old if old.exists() and old != path else None
    return _add(desk, path, name or path.name, obsolete, mapping, compiling)


def add_upload(
    desk: HasVocabularies, filename: str, content: bytes, mapping: ColumnMapping | None = None
) -> Vocabulary:
    """Add a file that was uploaded. Raises InputError."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / safe_name(filename)
        path.write_bytes(content)
        return _add(desk, path, filename, None, mapping)


def _add(
    desk: HasVocabularies,
    path: Path,
    filename: str,
    obsolete: Path | None,
    mapping: ColumnMapping | None = None,
    compiling: Compiling = compile_apart,
) -> Vocabulary:
    """Compile first, then move into place: a file that cannot be read never becomes a part of the
    project. It is compiled once.
    """
    safe = safe_name(filename)
    target = desk.vocabularies / safe
    name = registry.vocabulary_stem(target).lower()
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder) / safe
        shutil.copyfile(path, trial)
        if obsolete:
            shutil.copyfile(obsolete, obsolete_file(trial))
        if mapping:
            save_mapping(trial, mapping)
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
            copy_whole(trial, target)
        except OSError as error:
            raise StoreError(
                f"{target} cannot be written: {error.strerror}.", "Is the disk full?"
            ) from error
    return entry(desk, name)


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
    data_path = path.with_name(path.name.removesuffix(".columns.json"))
    if not _ending(data_path.name):
        return ""
    return registry.vocabulary_stem(data_path).lower().removesuffix(".obsolete")


def say_kinds(
    desk: HasProjectTerms, name: str, kinds: Sequence[Category], curator: str | None = None
) -> None:
    """Remember what kinds of thing a vocabulary without hierarchy holds; none: forget it. Raises
    NotFound, and Forbidden for a reader.
    """
    roles.need(desk, curator)
    name = entry(desk, name).name
    all_kinds = desk.vocabulary_registry.kinds() | {name: tuple(str(kind) for kind in kinds)}
    nonempty = {key: list(value) for key, value in all_kinds.items() if value}
    with whole_file(desk.vocabularies / KINDS) as part:
        json.dump(nonempty, part, indent=1, sort_keys=True)


def remove(desk: HasProjectTerms, name: str, curator: str | None = None) -> bool:
    """Take a vocabulary out of the project. True when the starter of that name stands in from now
    on.

    Raises NotFound, Refused for one that comes with the app, and Forbidden for a reader.
    """
    roles.need(desk, curator)
    vocabulary = entry(desk, name)
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
    kinds = desk.vocabulary_registry.kinds()
    if vocabulary.name in kinds:
        others = {key: value for key, value in kinds.items() if key != vocabulary.name}
        (desk.vocabularies / KINDS).write_text(json.dumps(others), encoding="utf-8")
    return vocabulary.name in desk.vocabulary_registry.names()


# ---------------------------------------------------------------- looking up


def search(
    desk: HasVocabularies, text: str, names: Sequence[str] = (), limit: int = 50
) -> tuple[Candidate, ...]:
    """Terms whose names hold the words of `text`, or whose id it is."""
    if not text.strip():
        return ()
    return desk.grounder().search(
        text, Constraint(tuple(names or desk.vocabulary_registry.names())), limit
    )


def detail(desk: HasVocabularies, vocabulary: str, id: str) -> TermDetail:
    """A term with names, parents and children. Raises NotFound."""
    lexicon = desk.vocabulary_registry.lexicon(vocabulary)
    term = lexicon.term(id)
    if term is None:
        raise NotFound(f"{vocabulary} has no term {id[:80]}.")
    return TermDetail(
        vocabulary,
        lexicon.version,
        term,
        _labelled(lexicon, term.parents),
        _labelled(lexicon, lexicon.children(term.id)[:100]),
    )


def _labelled(lexicon: Lexicon, ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((id, term.label if (term := lexicon.term(id)) else "") for id in ids)


def grounder_of(
    desk: HasProjectTerms, vocabularies: Sequence[str]
) -> tuple[Grounder, tuple[str, ...]]:
    """A grounder over vocabularies given by name or as files, and their names in that order. Raises
    InputError.
    """
    files, names = [], []
    installed = desk.vocabulary_registry
    for vocabulary in vocabularies:
        path = Path(vocabulary)
        if path.is_file():
            files.append(path)
            names.append(registry.vocabulary_stem(path).lower())
        elif vocabulary.lower() in installed.names():
            files.append(installed.files()[vocabulary.lower()])
            names.append(vocabulary.lower())
        elif own_lexicons := installed.lexicons((vocabulary,)):
            files += [installed.files()[lexicon.name] for lexicon in own_lexicons]
            names += [lexicon.name for lexicon in own_lexicons]
        else:
            vocabulary_list = ", ".join(installed.names()) or "none"
            raise NotFound(
                f"There is no vocabulary or file {vocabulary!r}.",
                f"Vocabularies here: {vocabulary_list}.",
            )
    file_registry = VocabularyRegistry(
        None, desk.indexes, files=files, base=installed.base, watch=installed.watch
    )
    for name in names:
        file_registry.lexicon(name)
    return Grounder(file_registry, desk.store.synonyms), tuple(names)
