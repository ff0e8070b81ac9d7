"""Lexicons by vocabulary file: compiled when first needed, kept open until the file changes. A page
never waits for a large one: a process of its own compiles it meanwhile.
"""

from __future__ import annotations

import hashlib
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from core.errors import InputError
from core.grounding.index.compile import (
    CompileTask,
    Compiling,
    VocabularyPreparing,
    compile_failure,
    compile_once,
    compile_progress,
    in_children,
    index_is_ready,
)
from core.grounding.index.lexicon import Lexicon
from core.grounding.index.vocabulary_files import file_stamp
from core.grounding.install.base_set import BaseSet

SMALL = 200_000  # bytes of a file that is compiled while a page waits: less than a second

Watch = Callable[[str, float], None]  # name of a vocabulary that is compiled, share done (0–1)


class OpenLexicons:
    """Shared by threads. `folder` is the project's, whose indexes stand in `index_folder`; those of
    the base set stand where it says.
    """

    def __init__(
        self,
        folder: Path | None,
        index_folder: Path,
        base: BaseSet | None,
        *,
        patient: bool,
        watch: Watch,
        compiling: Compiling = compile_once,
    ):
        self.folder, self.index_folder, self.base = folder, index_folder, base
        self.patient, self.watch, self.compiling = patient, watch, compiling
        self._lock = threading.RLock()
        self._open: dict[str, tuple[tuple[int, int], Lexicon]] = {}
        self._broken: dict[str, tuple[tuple[int, int], InputError]] = {}
        self._children: dict[Path, tuple[subprocess.Popen[bytes], ...]] = {}

    def opened(self, name: str, path: Path) -> Lexicon:
        """The lexicon of a file. Raises InputError for one that cannot be read, the same error
        again without reading it again; VocabularyPreparing while another process compiles it.
        """
        stamp = file_stamp(path)
        if stamp is None:
            raise InputError(f"There is no file {path}.", "Check the name.")
        with self._lock:
            if (opened := self._open.get(name)) and opened[0] == stamp and opened[1].index.exists():
                return opened[1]
            if (broken := self._broken.get(name)) and broken[0] == stamp:
                raise broken[1]
        try:
            lexicon = self._compiled(name, path, stamp[0])
        except VocabularyPreparing:
            raise
        except InputError as error:
            with self._lock:
                self._broken[name] = (stamp, error)
            raise
        with self._lock:
            if (opened := self._open.get(name)) and opened[0] == stamp:
                return opened[1]
            self._open[name] = (stamp, lexicon)
        return lexicon

    def compile_apart(self, key: Path, tasks: Sequence[CompileTask]) -> None:
        """Start processes that compile these, unless some of the same key still run."""
        with self._lock:
            if any(child.poll() is None for child in self._children.get(key, ())):
                return
            if started := in_children(tasks):
                self._children[key] = started

    def share_compiled(self, name: str, path: Path) -> float | None:
        """How much of a file another process of this app has compiled (0–1); None where none is
        at it, or it is done.
        """
        index = self._place(name, path)
        if index not in self._children or index_is_ready(CompileTask(path, index, name)):
            return None
        return compile_progress(index) or 0.0

    def is_base(self, path: Path) -> bool:
        """Whether a file is one of the base set."""
        return self.base is not None and path.parent == self.base.folder

    def _compiled(self, name: str, path: Path, size: int) -> Lexicon:
        """The lexicon of a file, compiled where that may be waited for. Raises Preparing where it
        may not.
        """
        task = CompileTask(path, self._place(name, path), name)
        if self.is_base(path) and self.base and self.base.ready(name):
            return Lexicon(task.index)
        if self.patient or size <= SMALL or index_is_ready(task):
            return self.compiling(task, lambda share: self.watch(name, share))
        if why := compile_failure(task.index):
            raise InputError(why)
        self.compile_apart(task.index, [task])
        raise VocabularyPreparing(f"{path.name} is being prepared.", "It can be used in a moment.")

    def _place(self, name: str, path: Path) -> Path:
        """Files of the project are indexed under their name, those of the base set in the cache,
        others under a digest of their place as well.
        """
        if self.is_base(path) and self.base:
            return self.base.index(name)
        if self.folder is not None and path.parent == self.folder:
            return self.index_folder / f"{name}.sqlite"
        place = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
        return self.index_folder / f"{name}-{place}.sqlite"
