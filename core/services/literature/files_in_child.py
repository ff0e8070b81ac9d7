"""Many files of papers, parsed one after another in one child process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from core.documents import files
from core.documents.paper import Paper
from core.documents.readers.table import ChosenColumns
from core.errors import GroundworkError
from core.jobs import isolation


class FilesInChild:
    """A file that ends the child (by its limits, or a crash) costs that file alone: the next one
    begins another child.
    """

    def __init__(self, paths: Sequence[Path], columns: ChosenColumns | None = None):
        self._paths = [path.resolve() for path in paths]  # the child works in another folder
        self._columns = columns
        self._results: Iterator[Paper | GroundworkError | None] | None = None

    def papers(self, place: int) -> Iterator[Paper]:
        """Those of one file, asked for in order and read to the end. Raises GroundworkError."""
        if self._results is None:
            name = self._paths[place].name if len(self._paths) == 1 else "The file"
            rest = (self._paths[place:], self._columns)
            self._results = isolation.stream_from_child(files.read_each, rest, name=name)
        wrong: GroundworkError | None = None
        finished = False
        try:
            while (item := next(self._results, None)) is not None:
                if isinstance(item, GroundworkError):
                    wrong = item
                else:
                    yield item
            finished = True
        finally:
            if not finished:  # the child is gone, or nobody wants the rest of the file
                self._results = None
        if wrong is not None:
            raise wrong
