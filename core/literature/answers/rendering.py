"""An answer as it is shown: sentences without citation marks, the numbers of the chunks that they
cite, its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.literature.answers.answer import (
    UNKNOWN,
    AnswerTemplate,
    CheckedQuote,
    CitedAnswer,
    CitedSentence,
)
from core.literature.answers.citation import without_citations
from core.literature.chunk import Chunk


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One sentence: `cites` are the numbers of its chunks (from 1) in the list that the answer may
    cite.
    """

    words: str
    cites: tuple[int, ...]
    papers: tuple[str, ...]
    quotes: tuple[CheckedQuote, ...]
    statuses: tuple[str, ...] = ()  # what happened to its papers, with their ids

    @property
    def text(self) -> str:
        marks = "".join(f" ⚠ {status}" for status in self.statuses)
        cited = f"{self.words} [{', '.join(map(str, self.cites))}]" if self.cites else self.words
        return cited + marks


def chunks_by_paper(chunks: Sequence[Chunk]) -> dict[str, list[Chunk]]:
    """Chunks of each paper in the order of the text; papers in the order of their best chunk."""
    chunks_by_paper: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        chunks_by_paper.setdefault(chunk.document, []).append(chunk)
    return {
        document: sorted(paper_chunks, key=lambda c: c.start)
        for document, paper_chunks in chunks_by_paper.items()
    }


def answer_lines(answer: CitedAnswer, chunks: Sequence[Chunk]) -> list[AnswerLine]:
    numbers = {chunk.id: number for number, chunk in enumerate(chunks, start=1)}
    return [_line(sentence, numbers, chunks) for sentence in answer.sentences]


def _line(sentence: CitedSentence, numbers: dict[str, int], chunks: Sequence[Chunk]) -> AnswerLine:
    cites = tuple(numbers[id] for id in sentence.chunks if id in numbers)
    cited = [chunks[number - 1] for number in cites]
    papers = tuple(dict.fromkeys(chunk.document for chunk in cited))
    marks = dict.fromkeys(f"{c.document}: {c.status}" for c in cited if c.status)
    return AnswerLine(
        without_citations(sentence.text), cites, papers, sentence.quotes, statuses=tuple(marks)
    )


def render_answer(answer: CitedAnswer, template: AnswerTemplate, chunks: Sequence[Chunk]) -> str:
    """The answer as plain text in its template."""
    if answer.unknown:
        return f"{UNKNOWN}."
    written = answer_lines(answer, chunks)
    if template is AnswerTemplate.TABLE:
        return "\n".join(["| Finding | Paper | Quote |", "|---|---|---|", *map(_row, written)])
    if template is AnswerTemplate.BULLETS:
        return "\n".join(f"- {line.text}" for line in written)
    return " ".join(line.text for line in written)


def _row(line: AnswerLine) -> str:
    quotes = "; ".join(f"{quote.words} ({quote.proof})" for quote in line.quotes)
    papers = ", ".join([*line.papers, *line.statuses])
    return f"| {_cell(line.words)} | {_cell(papers)} | {_cell(quotes)} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
