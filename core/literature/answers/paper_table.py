"""A table over papers: a row a paper, a column a question, in each cell the sentences of the paper
that answer it, quoted. As CSV, Markdown and JSON.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from core.literature.answers.answer import CitedAnswer, CitedSentence, QuoteProof
from core.literature.answers.citation import without_citations
from core.literature.answers.soundness import (
    AnswerSoundness,
    SoundSentence,
    sound_sentences,
    soundness,
    verdict_json,
)
from core.literature.answers.yes_or_no import AnswerVerdict, YesOrNo, verdict_of_passages
from core.literature.chunk import Chunk
from core.literature.index.tokens import text_units
from core.literature.triage.citation import link, safe_cell
from core.model import Json, status_mark

if TYPE_CHECKING:
    from core.literature.answers.certainty import QuestionWeight

READ = 4  # passages of a paper that a cell rests on, at most
NEAREST = "not stated; nearest: "
NOT_STATED = "not stated"
PROBABLY = "probably: "
UNPROVEN = "not proven: "  # a model's words that quote nothing of the paper


@dataclass(frozen=True, slots=True)
class TablePaper:
    """A row: a paper as it is cited."""

    document: str
    title: str = ""
    year: str = ""
    journal: str = ""
    status: str = ""  # what happened to it, as it is now known

    @property
    def marked_title(self) -> str:
        """The title behind the mark of a paper that was retracted or corrected."""
        return f"{status_mark(self.status)}{self.title or self.document}"


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A question and what each paper, by its id, says to it; `run` is where it was asked, `chunks`
    the passages that were read.
    """

    question: str
    run: str
    answers: Mapping[str, CitedAnswer] = field(default_factory=dict)
    chunks: tuple[Chunk, ...] = ()

    def verdict(self, document: str = "") -> AnswerVerdict | None:
        """What a paper (all papers, where none is named) says to a question of yes or no."""
        if not document:
            return verdict_of_passages(self.question, self.chunks)
        return self._judged(document)[0]

    def soundness(self, document: str) -> AnswerSoundness:
        """What can be relied on in a paper's cell."""
        return self._judged(document)[1]

    def _judged(self, document: str) -> tuple[AnswerVerdict | None, AnswerSoundness]:
        own = tuple(chunk for chunk in self.chunks if chunk.document == document)
        return _judged_cell(self.question, self.answers.get(document), own)


@lru_cache(maxsize=4096)
def _judged_cell(
    question: str, answer: CitedAnswer | None, chunks: tuple[Chunk, ...]
) -> tuple[AnswerVerdict | None, AnswerSoundness]:
    """What a paper's passages say to a question, and what can be relied on in its answer; kept, for
    a page shows the same table again and again.
    """
    verdict = verdict_of_passages(question, chunks)
    if verdict and (answer is None or answer.unknown):
        verdict = verdict.without_answer
    return verdict, soundness((answer,) if answer else (), chunks, verdict)


@dataclass(frozen=True, slots=True)
class PaperTable:
    """`passing`: papers that were to be read; more than there are rows, where only the first are.
    `waiting`: questions that were not asked yet.
    """

    run: str
    papers: tuple[TablePaper, ...]
    columns: tuple[TableColumn, ...]
    passing: int = 0
    waiting: int = 0


def passages_read(chunks: Sequence[Chunk], weight: QuestionWeight) -> list[Chunk]:
    """The READ passages of a paper that hold most of a question, in the order of its text; those at
    its beginning where none holds any.
    """
    shares = [
        weight.share(frozenset(text_units(f"{chunk.title} {chunk.text}"))) for chunk in chunks
    ]
    best = sorted(range(len(chunks)), key=lambda place: (-round(shares[place], 6), place))
    return [chunks[place] for place in sorted(best[:READ])]


def cell_text(answer: CitedAnswer | None) -> str:
    """A cell as words alone: the answer, said so where a sentence of it quotes nothing that is
    there, or that the paper does not state it, with the nearest sentence.
    """
    if answer is None or not answer.sentences:
        return NOT_STATED if answer is not None else ""
    sentence_texts = [without_citations(sentence.text) for sentence in answer.sentences]
    if answer.unknown:
        return NEAREST + sentence_texts[0]
    proven = all(map(_is_proven, answer.sentences))
    return UNPROVEN * (not proven) + PROBABLY * answer.probable + " ".join(sentence_texts)


def _is_proven(sentence: CitedSentence) -> bool:
    quote_proofs = {quote.proof for quote in sentence.quotes}
    return bool(quote_proofs) and quote_proofs <= {QuoteProof.EXACT, QuoteProof.NORMALISED}


def cell_places(answer: CitedAnswer | None) -> str:
    """The passages that a cell quotes, and whether each quote is in them."""
    if answer is None:
        return ""
    quotes = [quote for sentence in answer.sentences for quote in sentence.quotes]
    places = (f"{quote.chunk or 'no passage'} ({quote.proof})" for quote in quotes)
    return "; ".join(dict.fromkeys(places))


def _csv(table: PaperTable) -> str:
    """Five columns a question: what the paper says, where, whether that is complete and supported,
    and what it lacks.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    headings = [
        column.question + part
        for column in table.columns
        for part in ("", " – where", " – complete", " – supported", " – missing")
    ]
    writer.writerow(
        ["document", "title", "year", "journal", "status", "link", *map(safe_cell, headings)]
    )
    for paper in table.papers:
        cells = [paper.document, paper.title, paper.year, paper.journal, paper.status]
        cells.append(link(paper.document))
        for column in table.columns:
            answer = column.answers.get(paper.document)
            sound = column.soundness(paper.document)
            yes_or_no = verdict_head(column.verdict(paper.document))
            cells += [yes_or_no + cell_text(answer), cell_places(answer)]
            cells += [_said(sound.complete), str(sound.supported), " ".join(sound.missing)]
        writer.writerow(map(safe_cell, cells))
    return out.getvalue()


def verdict_head(verdict: AnswerVerdict | None) -> str:
    """`no: ` before the words of a cell whose paper says no."""
    return f"{verdict.answer}: " if verdict and verdict.answer is not YesOrNo.UNCLEAR else ""


def _said(holds: bool) -> str:
    return "true" if holds else "false"


def _markdown(table: PaperTable) -> str:
    heads = ["Paper", "Year", *(column.question for column in table.columns)]
    lines = [_markdown_row(heads), "|" + "---|" * len(heads)]
    for paper in table.papers:
        name = f"{paper.marked_title} ({paper.document})"
        cells = [cell_words(column, paper.document) for column in table.columns]
        lines.append(_markdown_row([name, paper.year, *cells]))
    return "\n".join(lines) + "\n"


def cell_words(column: TableColumn, document: str) -> str:
    """A cell with what it lacks behind its words, in brackets."""
    answer = column.answers.get(document)
    words = verdict_head(column.verdict(document)) + cell_text(answer)
    lacks = column.soundness(document).missing if answer and not answer.unknown else ()
    return f"{words} [{' '.join(lacks)}]" if lacks else words


def _markdown_row(cells: Sequence[str]) -> str:
    cell_texts = (
        " ".join(cell.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
        for cell in cells
    )
    return f"| {' | '.join(cell_texts)} |"


def table_json(table: PaperTable) -> Json:
    """Every cell with its sentences and their quotes: text, chunk and proof."""
    return {
        "run": table.run,
        "papers_to_read": table.passing,
        "questions": [column.question for column in table.columns],
        "verdicts": [verdict_json(column.verdict()) for column in table.columns],
        "papers": [_paper_json(table, paper) for paper in table.papers],
    }


def _paper_json(table: PaperTable, paper: TablePaper) -> Json:
    cells = []
    for column in table.columns:
        answer = column.answers.get(paper.document)
        sound = sound_sentences(answer, column.chunks) if answer else ()
        cells.append(
            {
                "question": column.question,
                "status": "unknown" if answer is None or answer.unknown else "answered",
                **column.soundness(paper.document).json,
                **verdict_json(column.verdict(paper.document)),
                "sentences": [_sentence_json(one) for one in sound],
            }
        )
    facts = {"document": paper.document, "title": paper.title, "year": paper.year}
    facts |= {"paper_status": paper.status} if paper.status else {}
    return facts | {"journal": paper.journal, "cells": cells}


def _sentence_json(one: SoundSentence) -> Json:
    return {
        "text": without_citations(one.sentence.text),
        "stance": str(one.stance),
        "supported": one.support.carried.as_json,
        "not_carried": list(one.support.not_carried),
        "quotes": [
            {"text": quote.words, "chunk": quote.chunk, "proof": str(quote.proof)}
            for quote in one.sentence.quotes
        ],
    }


def _json(table: PaperTable) -> str:
    return json.dumps(table_json(table), ensure_ascii=False, indent=1) + "\n"


FORMATS: Mapping[str, Callable[[PaperTable], str]] = {
    "csv": _csv,
    "md": _markdown,
    "json": _json,
}
