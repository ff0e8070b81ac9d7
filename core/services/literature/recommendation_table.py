"""Recommended articles as a table: for a whole paragraph, or for each of its sentences."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.desk_parts import HasEngines, HasStore
from core.errors import InputError, NothingToSearch
from core.literature.triage.citation import FORMATS as FORMATS
from core.literature.triage.citation import link as link
from core.literature.triage.citation import safe_cell
from core.model import status_mark
from core.services.literature import curation
from core.services.literature.curation import RecommendedArticle
from core.services.literature.triage import known_citations
from core.text.sentence import split_sentences

MOST_SENTENCES = 1_000  # of one text; a longer one is refused, not cut
COLUMNS = (
    "part",
    "document",
    "title",
    "year",
    "journal",
    "score",
    "held",
    "link",
    "citation",
    "status",
    "complete",
    "missing",
)


@dataclass(frozen=True, slots=True)
class RecommendationRow:
    """An article for a part of the text: the whole ("") or one of its sentences. `score`: 1 for the
    best of this part; `held`: the share of the part's words, by weight, that the article's best
    passage holds, which can be compared between parts and texts. Both 0 to 1. A part that could not
    be searched has a row without an article, which says in `missing` why.
    """

    part: str
    document: str
    title: str
    year: str
    journal: str
    score: float
    held: float
    link: str
    citation: str
    status: str = ""
    missing: str = ""

    @property
    def complete(self) -> str:
        """`true`, or `false` where the part was not searched."""
        return "false" if self.missing else "true"


def text_parts(text: str, by_sentence: bool) -> Iterator[str]:
    """The whole text as "", or all its sentences. Raises InputError for too many of them."""
    if not by_sentence:
        yield ""
        return
    sentences = list(split_sentences(text))
    if len(sentences) > MOST_SENTENCES:
        raise InputError(
            f"The text has {len(sentences):,} sentences; at most {MOST_SENTENCES:,} can be asked"
            " about one by one.",
            "Give a part of it at a time, or ask for the whole text.",
        )
    yield from (span.quote(text) for span in sentences)


def recommendation_rows(
    desk: HasEngines, namespaces: Sequence[str], text: str, *, by_sentence: bool, k: int = 10
) -> list[RecommendationRow]:
    """Up to `k` articles for each part, best first. A sentence that names nothing has none, and a
    row that says so.
    """
    rows = []
    for part in text_parts(text, by_sentence):
        try:
            recommendations = curation.recommended_articles(desk, namespaces, part or text, k=k)
        except NothingToSearch as error:
            if not by_sentence:
                raise
            rows.append(_unsearched(part, f"It was not searched: {error}"))
            continue
        rows += [_row(part, recommendation) for recommendation in recommendations]
    return rows


def _row(part: str, recommendation: RecommendedArticle) -> RecommendationRow:
    chunk = recommendation.chunk
    return RecommendationRow(
        part,
        recommendation.document,
        chunk.title,
        year=chunk.year,
        journal=chunk.journal,
        score=recommendation.score,
        held=recommendation.coverage,
        link=link(recommendation.document),
        citation=status_mark(chunk.status) + curation.citation_line(chunk),
        status=chunk.status,
    )


def _unsearched(part: str, missing: str) -> RecommendationRow:
    nothing = dict.fromkeys(("title", "year", "journal", "link", "citation"), "")
    return RecommendationRow(part, "", score=0.0, held=0.0, missing=missing, **nothing)


def recommendation_file(
    desk: HasStore, namespaces: Sequence[str], rows: Sequence[RecommendationRow], form: str
) -> str:
    """The table as csv; its articles, each once, as ris or bib."""
    if form == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in rows:
            writer.writerow([safe_cell(str(getattr(row, name))) for name in COLUMNS])
        return out.getvalue()
    documents = dict.fromkeys(row.document for row in rows if row.document)
    articles = known_citations(desk, namespaces, list(documents))
    return FORMATS[form](articles)
