"""A table over papers: a row a paper, a column a question, in each cell the sentences of the paper
that answer it, quoted. As CSV, Markdown and JSON.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.literature.answers.answer import CitedAnswer, CitedSentence, QuoteProof
from core.literature.answers.citation import without_citations
from core.literature.chunk import Chunk
from core.literature.index.tokens import text_units
from core.literature.triage.citation import link, safe_cell
from core.model import Json

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


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A question and what each paper, by its id, says to it; `run` is where it was asked."""

    question: str
    run: str
    answers: Mapping[str, CitedAnswer] = field(default_factory=dict)


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
    """Two columns a question: what the paper says, and where."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    headings = [
        words
        for column in table.columns
        for words in (column.question, f"{column.question} – where")
    ]
    writer.writerow(["document", "title", "year", "journal", "link", *map(safe_cell, headings)])
    for paper in table.papers:
        cells = [paper.document, paper.title, paper.year, paper.journal, link(paper.document)]
        for column in table.columns:
            answer = column.answers.get(paper.document)
            cells += [cell_text(answer), cell_places(answer)]
        writer.writerow(map(safe_cell, cells))
    return out.getvalue()


def _markdown(table: PaperTable) -> str:
    heads = ["Paper", "Year", *(column.question for column in table.columns)]
    lines = [_markdown_row(heads), "|" + "---|" * len(heads)]
    for paper in table.papers:
        name = f"{paper.title or paper.document} ({paper.document})"
        cells = [cell_text(column.answers.get(paper.document)) for column in table.columns]
        lines.append(_markdown_row([name, paper.year, *cells]))
    return "\n".join(lines) + "\n"


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
        "papers": [_paper_json(table, paper) for paper in table.papers],
    }


def _paper_json(table: PaperTable, paper: TablePaper) -> Json:
    cells = []
    for column in table.columns:
        answer = column.answers.get(paper.document)
        sentences = answer.sentences if answer else ()
        cells.append(
            {
                "question": column.question,
                "status": "unknown" if answer is None or answer.unknown else "answered",
                "certain": answer is not None and not answer.unknown and not answer.probable,
                "sentences": [
                    {
                        "text": without_citations(sentence.text),
                        "quotes": [
                            {"text": q.words, "chunk": q.chunk, "proof": str(q.proof)}
                            for q in sentence.quotes
                        ],
                    }
                    for sentence in sentences
                ],
            }
        )
    facts = {"document": paper.document, "title": paper.title, "year": paper.year}
    return facts | {"journal": paper.journal, "cells": cells}


def _json(table: PaperTable) -> str:
    return json.dumps(table_json(table), ensure_ascii=False, indent=1) + "\n"


FORMATS: Mapping[str, Callable[[PaperTable], str]] = {
    "csv": _csv,
    "md": _markdown,
    "json": _json,
}
