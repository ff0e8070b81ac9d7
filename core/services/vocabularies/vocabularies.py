"""The project's vocabularies: what there is, and looking terms up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.desk_parts import HasProjectTerms, HasVocabularies
from core.errors import GroundworkError, NotFound
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.compile import Compiling, compile_once
from core.grounding.index.lexicon import Lexicon, LexiconTerm
from core.grounding.index.vocabulary_registry import STARTERS, VocabularyRegistry
from core.grounding.install.base_set import BaseVocabulary
from core.grounding.readers import registry
from core.model import Candidate, Problem


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A vocabulary as it stands. `error` says why its file cannot be read; then counts are 0.

    `built_in`: it comes with the app and stands in because the project has none of its own.
    `holds` are the categories of all its terms, where it has no hierarchy and somebody said so.
    `advice` is what a curator should do about it ("MeSH 2015 base set — install the current
    release"). `ready` is below 1 while it is compiled: the share that is done. `ledger` says in one
    line what of its file was not kept.
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
    ledger: str = ""


@dataclass(frozen=True, slots=True)
class TermDetail:
    """A term with its neighbours in the hierarchy as (id, label)."""

    vocabulary: str
    version: str
    term: LexiconTerm
    parents: tuple[tuple[str, str], ...] = ()
    children: tuple[tuple[str, str], ...] = ()


def vocabulary_entries(desk: HasVocabularies) -> list[Vocabulary]:
    """Every vocabulary of the project, by name; those that cannot be read with the reason, those of
    the base set that are being prepared with how far they are.
    """
    waiting = desk.vocabulary_registry.preparing()
    base = desk.vocabulary_registry.base.vocabularies if desk.vocabulary_registry.base else {}
    soon = {name: base[name] for name in waiting if name in base}
    listed = {
        name: vocabulary_entry(desk, name)
        for name in desk.vocabulary_registry.names()
        if name not in soon
    }
    listed |= {
        name: replace(_of_base(base_vocabulary), ready=waiting[name])
        for name, base_vocabulary in soon.items()
    }
    return [listed[name] for name in sorted(listed)]


def vocabulary_entry(desk: HasVocabularies, name: str) -> Vocabulary:
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
        source=lexicon.source,
        terms=lexicon.term_count,
        names=lexicon.name_count,
        obsolete=lexicon.obsolete_count,
        prefixes=tuple(lexicon.prefixes.items()),
        hierarchy=lexicon.has_hierarchy,
        problems=lexicon.problems,
        problem_count=lexicon.problem_count,
        built_in=path.parent == STARTERS,
        title=lexicon.name,
        holds=desk.vocabulary_registry.holds(lexicon.name),
        advice="A few terms for the examples" if path.parent == STARTERS else "",
        ledger=lexicon.ledger,
    )


def _of_base(base_vocabulary: BaseVocabulary) -> Vocabulary:
    """A vocabulary of the base set as its manifest says, without opening it."""
    return Vocabulary(
        base_vocabulary.name,
        base_vocabulary.path,
        base_vocabulary.version,
        source=base_vocabulary.attribution,
        terms=base_vocabulary.terms,
        names=base_vocabulary.names,
        obsolete=base_vocabulary.obsolete,
        prefixes=((base_vocabulary.prefix, base_vocabulary.terms),),
        hierarchy=base_vocabulary.hierarchy,
        built_in=True,
        title=base_vocabulary.title,
        licence=base_vocabulary.licence,
        holds=base_vocabulary.holds,
        advice=base_vocabulary.advice,
    )


def search_terms(
    desk: HasVocabularies, text: str, names: Sequence[str] = (), limit: int = 50
) -> tuple[Candidate, ...]:
    """Terms whose names hold the words of `text`, or whose id it is."""
    if not text.strip():
        return ()
    return desk.grounder().search(
        text, Constraint(tuple(names or desk.vocabulary_registry.ordered())), limit
    )


def term_detail(desk: HasVocabularies, vocabulary: str, id: str) -> TermDetail:
    """A term with names, parents and children. Raises NotFound."""
    lexicon = desk.vocabulary_registry.lexicon(vocabulary)
    term = lexicon.term(id)
    if term is None:
        raise NotFound(f"{vocabulary} has no term {id[:80]}.")
    return TermDetail(
        vocabulary,
        lexicon.version,
        term,
        parents=_labelled(lexicon, term.parents),
        children=_labelled(lexicon, lexicon.children(term.id)[:100]),
    )


def _labelled(lexicon: Lexicon, ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((id, term.label if (term := lexicon.term(id)) else "") for id in ids)


def grounder_of(
    desk: HasProjectTerms, vocabularies: Sequence[str], compiling: Compiling = compile_once
) -> tuple[Grounder, tuple[str, ...]]:
    """A grounder over vocabularies given by name or as files (read by `compiling`), and their names
    in that order. Raises InputError.
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
        None,
        desk.indexes,
        files=files,
        base=installed.base,
        watch=installed.watch,
        compiling=compiling,
    )
    for name in names:
        file_registry.lexicon(name)
    grounder = Grounder(file_registry, desk.store.synonyms, equivalents=desk.grounder().equivalents)
    return grounder, tuple(names)
