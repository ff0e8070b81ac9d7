"""What came of reading papers: which are left out, which came twice, and Problems without end in a
few lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.documents.paper import Paper, within_limits
from core.model import Problem, Severity
from core.text.clean import MAX_TEXT

SHOWN = 50  # Problems of one kind


class ImportReport:
    """Notes trouble while papers pass by; `problems` tells it, `wordless` counts the records
    without title and abstract.
    """

    def __init__(self) -> None:
        self._shown: list[Problem] = []
        self._counts: Counter[str] = Counter()
        self._documents: set[str] = set()

    def good(self, papers: Iterable[Paper]) -> Iterator[Paper]:
        """Those that hold words."""
        for paper in map(within_limits, papers):
            for problem in paper.problems:
                self.note(problem)
            if not paper.id:
                continue
            if paper.empty:
                message = "The paper has neither a title nor a text and is left out."
                self.note(Problem("no-words", message, where=paper.id))
                continue
            if sum(len(section.text) for section in paper.sections) > MAX_TEXT:
                message = f"The text is longer than {MAX_TEXT:,} characters; the rest is left out."
                self.note(Problem("too-long", message, where=paper.id, hint="Split it."))
            yield paper

    def stored(self, documents: Iterable[str]) -> None:
        """Take note of the documents that papers were stored as, in order: one that came before is
        the same paper again.
        """
        for document in documents:
            if document in self._documents:
                message = "The paper occurs more than once and is taken as one."
                self.note(Problem("came-twice", message, Severity.NOTE, document))
            self._documents.add(document)

    def note(self, problem: Problem) -> None:
        self._counts[problem.code] += 1
        if self._counts[problem.code] <= SHOWN:
            self._shown.append(problem)

    @property
    def wordless(self) -> int:
        return self._counts["no-words"]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Warnings first; after the first of a kind, how many more there are."""
        last_by_code = {problem.code: problem for problem in self._shown}
        more = [
            replace(
                last_by_code[code],
                message=f"{count - SHOWN:,} more like this: {last_by_code[code].message}",
                where="",
                hint="",
            )
            for code, count in self._counts.items()
            if count > SHOWN
        ]
        return tuple(
            sorted([*self._shown, *more], key=lambda problem: problem.severity == Severity.NOTE)
        )
