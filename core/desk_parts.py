"""What a use case may ask of the open project. A service names the parts it uses in its signature,
so that a reader sees what it can reach and a test hands it those parts and nothing else:

    def set_policy(desk: HasStore, policy: ReviewPolicy, owner: str) -> None: ...

reaches the database, and never the network or a model. `Desk` has every part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from core.grounding.equivalents import Equivalents
    from core.grounding.grounder import Grounder
    from core.grounding.index.cross_references import CrossReferenceIndex
    from core.grounding.index.mapping_index import MappingIndex
    from core.grounding.index.vocabulary_registry import VocabularyRegistry
    from core.jobs.runner import Runner
    from core.llm.completer import Completer, Embedder
    from core.llm.profile import KnownModels
    from core.recorder import Recorder
    from core.settings import Settings
    from core.store import Store
    from core.web import Fetcher


class HasStore(Protocol):
    """The database, and the clock, ids and base IRI that go into its rows."""

    @property
    def store(self) -> Store: ...
    @property
    def clock(self) -> Callable[[], str]: ...
    @property
    def new_id(self) -> Callable[[], str]: ...
    @property
    def base_iri(self) -> str: ...


class HasFolder(Protocol):
    """The settings, and the folders of the project."""

    @property
    def settings(self) -> Settings: ...
    @property
    def folder(self) -> Path: ...
    @property
    def schemas(self) -> tuple[Path, ...]: ...
    @property
    def schema_cache_folder(self) -> Path: ...
    @property
    def vocabularies(self) -> Path: ...
    @property
    def indexes(self) -> Path: ...


class HasVocabularies(HasFolder, Protocol):
    """The vocabularies, which lie in the project's folder, and what finds their terms."""

    @property
    def vocabulary_registry(self) -> VocabularyRegistry: ...
    def grounder(self) -> Grounder: ...


class HasModels(Protocol):
    """Language and embedding models, and what is known of them."""

    @property
    def models(self) -> KnownModels: ...
    def completer(self, task: str = "", model: str = "") -> Completer | None: ...
    def untried_completer(self, model: str) -> Completer: ...
    def embedder(self) -> Embedder | None: ...
    def forget_models(self) -> None: ...
    def cost(self, model: str, tokens_in: int, tokens_out: int) -> float | None: ...


class HasNetwork(Protocol):
    """The way to other machines, and the record of what was asked there."""

    def web(self, kind: str = "api", hosts: Sequence[str] = ()) -> Fetcher: ...
    def recorder(
        self, run: str, *, reuse: bool = True, replay: str = "", shared: bool = True
    ) -> Recorder: ...


class HasJobs(Protocol):
    """The queue of long work."""

    @property
    def runner(self) -> Runner: ...


class HasProject(HasStore, HasFolder, Protocol):
    """Database and folder: what lies on this machine."""


class HasEquivalents(Protocol):
    """Which ids are one thing, and the mapping sets that say so."""

    @property
    def mapping_index(self) -> MappingIndex: ...
    def equivalents(self) -> Equivalents: ...
    def cross_references(self) -> CrossReferenceIndex | None: ...


class HasProjectTerms(HasStore, HasVocabularies, HasEquivalents, Protocol):
    """What lies on this machine, with the terms."""


class HasProjectJobs(HasProject, HasJobs, Protocol):
    """What lies on this machine, and the queue of long work."""


class HasProjectNetwork(HasProject, HasNetwork, Protocol):
    """What lies on this machine, and other machines, but no model."""


class HasProjectModels(HasProject, HasModels, HasNetwork, Protocol):
    """What lies on this machine, and recorded questions to models."""


class HasEngines(HasProjectTerms, HasModels, HasNetwork, Protocol):
    """What reads a text or answers a question: what lies on this machine, the terms, and recorded
    questions to models and services; not the queue.
    """


class HasEngineJobs(HasEngines, HasJobs, Protocol):
    """What reads texts, and the queue that does it in the background."""


class HasTermJobs(HasProjectTerms, HasJobs, Protocol):
    """What lies on this machine, with the terms, and the queue of long work."""
