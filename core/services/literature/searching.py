"""Searching namespaces: with the project's vocabularies, its embedding model and the operator's
scheduler.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from core.desk_parts import (
    HasEngines,
    HasFolder,
    HasProjectModels,
    HasProjectNetwork,
    HasVocabularies,
)
from core.errors import GroundworkError, InputError, RemoteError, SettingsError
from core.grounding.grounder import Grounder
from core.jobs.cluster import connect
from core.literature.index.cluster import Spread, spread_on_cluster, spread_on_threads
from core.literature.query import keyword_model
from core.literature.query.keyword import Keyword, LiteratureQuery
from core.literature.query.named_thing import VocabularyNames
from core.literature.query.plan import SearchOptions
from core.literature.ranking.pes1 import MODE as PES1
from core.literature.ranking.registry import DEFAULT_MODE
from core.literature.ranking.search import Searcher, SearchResults
from core.literature.ranking.vectors import Vectors
from core.llm.completer import Embedder
from core.model import Problem, Run
from core.services.literature.namespaces import Progress, no_progress, open_index_of
from core.services.settings.models import checked_model

SEARCH_THREADS = 2
_LOCK = threading.RLock()


def namespace_searcher(
    desk: HasEngines, names: Sequence[str], progress: Progress = no_progress
) -> Searcher:
    """A search over one or several namespaces."""
    if not names:
        raise InputError("Choose at least one namespace.")
    parts = [open_index_of(desk, name, progress) for name in dict.fromkeys(names)]
    embedder = desk.embedder()
    return Searcher(
        parts,
        vectors=Vectors(_Recorded(desk, embedder)) if embedder else None,
        spread=_spread(desk),
        find_names=names_known(desk),
        statuses=desk.store.document_overview.every_notice(),
    )


_NAMES: WeakKeyDictionary[Grounder, tuple[tuple[str, ...], VocabularyNames]] = WeakKeyDictionary()


def names_known(desk: HasVocabularies) -> VocabularyNames:
    """What the project's vocabularies name; it remembers texts until another vocabulary is
    installed.
    """
    grounder = desk.grounder()
    installed = tuple(sorted(desk.vocabulary_registry.names()))
    with _LOCK:
        names_of_grounder = _NAMES.get(grounder)
        if names_of_grounder is None or names_of_grounder[0] != installed:
            _NAMES[grounder] = names_of_grounder = (installed, VocabularyNames(grounder))
        return names_of_grounder[1]


class _Recorded:
    """The desk's embedder with every call on record, in a run that is made when the first one is
    asked.
    """

    def __init__(self, desk: HasProjectNetwork, embedder: Embedder):
        self._desk, self._embedder = desk, embedder
        self._recorded: Embedder | None = None

    @property
    def model(self) -> str:
        return self._embedder.model

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self._recorded is None:
            desk = self._desk
            run = Run(desk.new_id(), "embedding", PES1.name, model=self.model, created=desk.clock())
            desk.store.runs.add(run)
            self._recorded = desk.recorder(run.id).embedder(self._embedder)
        return self._recorded.embed(texts)


def _spread(desk: HasFolder) -> Spread:
    """Several namespaces side by side: in threads here, or on the operator's scheduler."""
    if desk.settings.scheduler:
        return spread_on_cluster(connect(desk.settings.scheduler))
    return spread_on_threads(SEARCH_THREADS)


def search_namespaces(
    desk: HasEngines,
    names: Sequence[str],
    question: LiteratureQuery,
    *,
    mode: str = DEFAULT_MODE,
    k: int = 10,
    options: SearchOptions | None = None,
) -> SearchResults:
    return namespace_searcher(desk, names).search(question, mode, k, options)


def search_in_modes(
    desk: HasEngines,
    names: Sequence[str],
    question: LiteratureQuery,
    modes: Sequence[str],
    *,
    k: int = 10,
) -> dict[str, SearchResults]:
    """The same question in several modes, side by side; a mode that cannot run is left out."""
    results_by_mode: dict[str, SearchResults] = {}
    ready = namespace_searcher(desk, names)
    for mode in modes:
        try:
            results_by_mode[mode] = ready.search(question, mode, k)
        except GroundworkError:
            continue
    return results_by_mode


def keywords_by_model(
    desk: HasProjectModels, question: str, model: str = ""
) -> tuple[tuple[Keyword, ...], tuple[Problem, ...]]:
    """The keywords that a model copies from a question, in its order, and what went wrong. `model`
    is asked in place of the project's. A model that fails names none, and a problem says so. Raises
    SettingsError where no model is configured or the one named has no endpoint.
    """
    completer = desk.completer("keywords", checked_model(desk, model))
    if completer is None:
        raise SettingsError(
            "No model is configured.", "Set one on the Settings page, or leave keywords to rules."
        )
    run = Run(
        desk.new_id(),
        "keywords",
        "model",
        model=completer.model,
        settings={"question": question},
        created=desk.clock(),
    )
    desk.store.runs.add(run)
    try:
        recorded = desk.recorder(run.id).completer(completer)
        keywords, trouble = keyword_model.ask_keywords(recorded, question)
    except RemoteError as error:
        return (), (_by_rules(str(error)),)
    if not keywords:
        return (), (_by_rules(trouble.message if trouble else "Its answer has no list of them."),)
    if trouble:
        return keywords, (Problem(trouble.code, f"{trouble.message} Check the keywords."),)
    return keywords, ()


def _by_rules(why: str) -> Problem:
    message = f"The keywords were found by rules, because the model gave none. {why}"
    return Problem("keywords-by-rules", message)
