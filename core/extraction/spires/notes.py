"""What an answer says besides its values: remarks, what it leaves open, lines without a slot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.extraction.spires.line import sort_of
from core.model import Problem, Severity

LONGEST_MESSAGE = 2_000  # characters of a problem


@dataclass
class AnswerNotes:
    """Gathered while an answer is read. `not_stated`: a field's name and the words that stand for
    no value, such as ("dose", "not mentioned"); the name is "" for a remark about the whole answer.
    """

    problems: list[Problem] = field(default_factory=list)
    not_stated: list[tuple[str, str]] = field(default_factory=list)

    def take_in(self, part: AnswerNotes) -> None:
        """Add the notes of a part of the answer."""
        self.problems += part.problems
        self.not_stated += part.not_stated

    def asides(self, lines: Iterable[str]) -> None:
        """Words around the fields: headings, remarks that nothing is stated, and what could not be
        placed.
        """
        sorts: dict[str, list[str]] = {"heading": [], "not-stated": [], "unplaced": []}
        for line in filter(None, map(str.strip, lines)):
            sorts[sort_of(line)].append(line)
        if lines_of_sort := sorts["heading"]:
            self.problem(
                "heading", f"Words between the fields: {' '.join(lines_of_sort)}", Severity.NOTE
            )
        if lines_of_sort := sorts["not-stated"]:
            self.not_stated += [("", line) for line in lines_of_sort]
            self.problem(
                "not-stated", f"The model answered: {' '.join(lines_of_sort)}", Severity.NOTE
            )
        if lines_of_sort := sorts["unplaced"]:
            self.problem(
                "unplaced",
                "This part of the answer could not be placed: " + "\n".join(lines_of_sort),
            )

    def problem(self, code: str, message: str, severity: Severity = Severity.WARNING) -> None:
        cut_characters = len(message) - LONGEST_MESSAGE
        if cut_characters > 0:
            message = (
                f"{message[:LONGEST_MESSAGE]}… ({cut_characters:,} more characters: the whole"
                " answer is kept with the call)"
            )
        self.problems.append(Problem(code, message, severity))
