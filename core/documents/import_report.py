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
from core.text.title import titles_differ

SHOWN = 50  # Problems of one kind


class ImportReport:
    """Notes trouble while papers pass by; `problems` tells it, `wordless` counts the records
    without title and abstract.
    """

    def __init__(self) -> None:
        self._shown: list[Problem] = []
        self._counts: Counter[str] = Counter()
        self._titles: dict[str, str] = {}

    def good(self, papers: Iterable[Paper]) -> Iterator[Paper]:
        """Those that hold words; an id that came before is noted, as the later paper takes its
        place.
        """
        for paper in map(within_limits, papers):
            for problem in paper.problems:
                self.note(problem)
            if not paper.id:
                continue
            if paper.empty:
                message = "The paper has neither a title nor a text and is left out."
                self.note(Problem("no-words", message, where=paper.id))
                continue
            earlier = self._titles.get(paper.id)
            if earlier is not None and not titles_differ(earlier, paper.title):
                message = "The paper occurs more than once and is taken as one."
                self.note(Problem("came-twice", message, Severity.NOTE, paper.id))
            if sum(len(section.text) for section in paper.sections) > MAX_TEXT:
                message = f"The text is longer than {MAX_TEXT:,} characters; the rest is left out."
                self.note(Problem("too-long", message, where=paper.id, hint="Split it."))
            self._titles[paper.id] = paper.title
            yield paper

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
