"""The composition root: opens a project and gives its parts, each made when first asked for."""

from __future__ import annotations

import ctypes
import re
import threading
import uuid
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from core import __version__
from core.collector_pause import leave_old_alone
from core.errors import SettingsError, StoreError
from core.model import Role, utc_now
from core.setting_values import PLACEHOLDER_BASE
from core.settings import CODE, Settings

if TYPE_CHECKING:
    from core.desk_equivalents import ProjectEquivalents
    from core.grounding.equivalents import Equivalents
    from core.grounding.grounder import Grounder
    from core.grounding.index.cross_references import CrossReferenceIndex
    from core.grounding.index.mapping_index import MappingIndex
    from core.grounding.index.vocabulary_registry import VocabularyRegistry
    from core.grounding.install.base_set import BaseSet
    from core.jobs.runner import Runner
    from core.llm.completer import Completer, Embedder
    from core.llm.profile import KnownModels
    from core.recorder import Recorder
    from core.store import Store
    from core.web import Fetcher
    from core.web.pace import Keep

T = TypeVar("T")
APP_VERSION = __version__
PROJECT_FOLDERS = ("schemas", "vocabularies", "indexes", "uploads")
MALLOC_TRIM_THRESHOLD, MALLOC_ARENA_MAX = -1, -8  # as glibc's malloc.h numbers them
FREE_MEMORY_KEPT = 131_072  # bytes at the top of the heap
SHARED_HEAPS = 2  # heaps that threads share


class Desk:
    """One open project. Safe to share between threads.

    `clock` gives ISO 8601 times in UTC, `new_id` ids that are never given twice; tests inject both.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Callable[[], str] = utc_now,
        new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
        patient: bool = True,
        watch: Callable[[str, float], None] = lambda name, share: None,
    ):
        """`patient`: vocabularies are compiled while their caller waits, which `watch` is told of
        (see `VocabularyRegistry`).
        """
        self.settings, self.clock, self.new_id = settings, clock, new_id
        self.patient, self.watch = patient, watch
        self._lock = threading.RLock()
        self._parts: dict[str, Any] = {}

    # -------------------------------------------------------------- the project's folder

    @property
    def folder(self) -> Path:
        return self.settings.project

    @property
    def schemas(self) -> tuple[Path, ...]:
        """Folders of schemas: the project's own before the app's templates."""
        return (self.folder / "schemas", CODE / "schemas")

    @property
    def schema_cache_folder(self) -> Path:
        """Where schemas are kept as they were read (see `schema.schema_cache`)."""
        return self.settings.cache / "schemas"

    @property
    def vocabularies(self) -> Path:
        return self.folder / "vocabularies"

    @property
    def indexes(self) -> Path:
        return self.folder / "indexes"

    # -------------------------------------------------------------- parts

    @property
    def store(self) -> Store:
        return self._once("store", self._open_store)

    @property
    def vocabulary_registry(self) -> VocabularyRegistry:
        """The project's vocabularies."""
        return self._once("vocabulary_registry", self._open_vocabulary_registry)

    def grounder(self) -> Grounder:
        return self._once("grounder", self._new_grounder)

    def equivalents(self) -> Equivalents:
        """Which ids are one thing, as the mapping sets and the project's curators say now."""
        return self._equivalents.steady()

    def cross_references(self) -> CrossReferenceIndex | None:
        """What the project's own ontologies say of ids of one thing; None where it has none."""
        return self._equivalents.cross_references()

    @property
    def mapping_index(self) -> MappingIndex:
        """The mapping sets that come with the base set; empty where that is left out."""
        return self._once("mapping_index", self._open_mapping_index)

    @property
    def _equivalents(self) -> ProjectEquivalents:
        from core.desk_equivalents import ProjectEquivalents

        return self._once(
            "equivalents",
            lambda: ProjectEquivalents(
                self.mapping_index,
                self.store.equivalences,
                self.vocabulary_registry,
                folder=self.vocabularies,
                indexes=self.indexes,
            ),
        )

    def _open_mapping_index(self) -> MappingIndex:
        from core.grounding.index.mapping_index import MappingIndex

        base = self._base_set()
        if base is None:
            return MappingIndex(self.indexes, self.indexes / "no mappings")
        return MappingIndex(base.indexes)

    def _new_grounder(self) -> Grounder:
        from core.grounding.grounder import Grounder

        leave_old_alone()
        return Grounder(
            self.vocabulary_registry, self.store.synonyms, equivalents=self._equivalents
        )

    def completer(self, task: str = "", model: str = "") -> Completer | None:
        """The model named, or that of a kind of work (`settings.MODEL_TASKS`), or the project's;
        None where none is configured: then the built-in engines work.
        """
        name = model or self.settings.model_for(task)
        part = "completer" if name == self.settings.model else f"completer {name}"
        return self._once(part, lambda: self._open_completer(name))

    def embedder(self) -> Embedder | None:
        return self._once("embedder", self._open_embedder)

    @property
    def models(self) -> KnownModels:
        """What the project knows of models: lengths, prices, what they can do."""
        return self._once("models", self._open_models)

    def forget_models(self) -> None:
        """Open models again when they are next used: their profiles have changed."""
        with self._lock:
            self.models.forget()
            for name in [name for name in self._parts if name.split()[0] == "completer"]:
                del self._parts[name]

    def web(self, kind: str = "api", hosts: Sequence[str] = ()) -> Fetcher:
        """The way out to the network: kind `ncbi` follows NCBI's usage policy, any other asks only
        `hosts` (constants of the caller).
        """
        return self._once(f"web {kind} {sorted(hosts)}", lambda: self._open_web(kind, hosts))

    def recorder(
        self, run: str, *, reuse: bool = True, replay: str = "", shared: bool = True
    ) -> Recorder:
        """Records the calls of a run; with `replay`, answers them from that run's record alone."""
        from core.recorder import Recorder

        return Recorder(
            self.store.calls,
            run,
            reuse=reuse,
            replay=replay,
            shared=shared,
            secrets=self.settings.secrets,
            price=self.cost,
            clock=self.clock,
            new_id=self.new_id,
        )

    @property
    def runner(self) -> Runner:
        """Runs jobs; a job's function gets this desk as `context.context`."""
        return self._once("runner", self._open_runner)

    def cost(self, model: str, tokens_in: int, tokens_out: int) -> float | None:
        """US dollars, or None when the model's price is not known."""
        return self.models.cost(model, tokens_in, tokens_out)

    @property
    def base_iri(self) -> str:
        """The IRI prefix of what this project mints; fixed by its first release."""
        if kept := self.store.project.base_iri:
            return kept
        own = self.settings.base_iri or new_base_iri(self.folder.name)
        return str(self.store.project.set_once("base_iri", own))

    def close(self) -> None:
        """End jobs and let go of the database."""
        with self._lock:
            for name in ("runner", "store"):
                if name in self._parts:
                    self._parts.pop(name).close()
            self._parts.clear()

    # -------------------------------------------------------------- how parts are made

    def _once(self, name: str, make: Callable[[], T]) -> T:
        if name not in self._parts:
            with self._lock:
                if name not in self._parts:
                    self._parts[name] = make()
        return cast(T, self._parts[name])

    def _open_store(self) -> Store:
        from core.store import Store

        self._make_folders()
        return Store(self.settings.database, clock=self.clock)

    def _make_folders(self) -> None:
        try:
            for name in PROJECT_FOLDERS:
                (self.folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            trouble = "is read-only" if self.folder.is_dir() else "cannot be made"
            raise StoreError(
                f"The project folder {self.folder} {trouble}: {error.strerror}.",
                "Allow this user to write there, or choose another with --project or"
                " GROUNDWORK_PROJECT.",
            ) from error

    def _open_vocabulary_registry(self) -> VocabularyRegistry:
        from core.grounding.index.vocabulary_registry import VocabularyRegistry

        self._make_folders()
        return VocabularyRegistry(
            self.vocabularies,
            self.indexes,
            base=self._base_set(),
            patient=self.patient,
            watch=self.watch,
        )

    def _base_set(self) -> BaseSet | None:
        """The vocabularies that come with the app; their indexes are shared by all projects."""
        from core.grounding.install.base_set import BaseSet

        if not self.settings.base_set:
            return None
        folder = self.settings.cache / "vocabularies"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:  # a home that cannot be written: the project keeps them
            folder = self.indexes
        return BaseSet(folder)

    def _open_runner(self) -> Runner:
        from core.jobs.runner import Runner

        settings = self.settings
        return Runner(
            self.store.jobs,
            settings.job_threads,
            context=self,
            load=load_services,
            allow=self._may_work,
            clock=self.clock,
            new_id=self.new_id,
        )

    def _may_work(self, curator: str) -> None:
        """Readers start no jobs; jobs that the desk starts itself have no curator."""
        if curator:
            self.store.curators.need(curator, Role.CURATOR)

    def untried_completer(self, model: str) -> Completer:
        """A model as if nothing were known of it: to be tested. Raises SettingsError where it has
        no endpoint.
        """
        from core.desk_models import untried_completer

        return untried_completer(self.settings, model, self._turn)

    def _open_completer(self, model: str) -> Completer | None:
        from core.desk_models import open_completer

        return open_completer(self.settings, self.models, model, self._turn)

    def _open_models(self) -> KnownModels:
        from core.llm.profile import KnownModels

        settings = self.settings
        return KnownModels(
            self.store.project.get,
            settings.located,
            settings.prices,
            settings.contexts,
            batch_shares=settings.batch_shares,
        )

    def _open_embedder(self) -> Embedder | None:
        from core.desk_models import open_embedder

        return open_embedder(self.settings, self._turn)

    def _open_web(self, kind: str, hosts: Sequence[str]) -> Fetcher:
        from core.desk_network import open_web

        return open_web(
            self.settings, partial(self.store.project.turn, "pace of NCBI"), kind, hosts
        )

    def _turn(self, name: str) -> AbstractContextManager[tuple[float, int, Keep]]:
        """A turn at what all workers on this database share (`store.project.turn`)."""
        return self.store.project.turn(name)


@cache
def give_memory_back() -> bool:
    """Tell the C library not to keep free memory for later, as MALLOC_TRIM_THRESHOLD_ and
    MALLOC_ARENA_MAX do: a server that read large files held twice what it needs. Whether it was
    heard: other libraries than glibc have no such choice.
    """
    with suppress(OSError, AttributeError, TypeError):
        choose = ctypes.CDLL(None).mallopt
        trimmed = choose(MALLOC_TRIM_THRESHOLD, FREE_MEMORY_KEPT)
        return bool(trimmed and choose(MALLOC_ARENA_MAX, SHARED_HEAPS))
    return False


def open_desk(settings: Settings, **injected: Any) -> Desk:
    """The desk of a project. Nothing is opened or made before it is asked for."""
    if settings.project.exists() and not settings.project.is_dir():
        raise SettingsError(
            f"{settings.project} is a file; a project is a folder.", "Choose another."
        )
    give_memory_back()
    return Desk(settings, **injected)


def load_services() -> None:
    """Import every service, so that the work they register is known."""
    import importlib
    import pkgutil

    import core.services

    for module in pkgutil.walk_packages(core.services.__path__, "core.services."):
        importlib.import_module(module.name)


def new_base_iri(name: str) -> str:
    """A base of its own for each project: two projects never mint one IRI for two things."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "project"
    return f"{PLACEHOLDER_BASE}{slug}-{uuid.uuid4().hex[:8]}/"
