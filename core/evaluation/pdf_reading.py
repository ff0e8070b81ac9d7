"""Reading, measured: published PDFs compared with the JATS of the same articles.

Of each sentence of the article (its body, from 40 letters and digits on): is it whole in what the
PDF is read as, and is it one sentence there? Letters and digits alone are compared. Also: is the
title right, the DOI, and are the references apart.
"""

from __future__ import annotations

import gzip
import re
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from core.desk import Desk
from core.documents.paper import CAPTION, REFERENCES, TABLE, Paper
from core.documents.read_document import only_paper, papers_of, read_as
from core.evaluation.data_folder import BESIDE, missing_data
from core.model import Json
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage
from core.text.sentence import split_sentences

HOLDS = "PDFs of articles, each beside its JATS from PMC (a.pdf, a.xml.gz)"
HEADER = "article\tsentences\twhole\tone unit\ttitle\tdoi\treferences apart\tseconds"
SHORTEST = 40  # letters and digits of a sentence that is looked for


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=BESIDE / "pdf", help=f"folder of {HOLDS}")


def stages(desk: Desk, args: Namespace) -> Evaluation:
    """A line an article, tab-separated, and the sums."""
    pairs = [(pdf, pdf.with_suffix(".xml.gz")) for pdf in sorted(args.data.glob("*.pdf"))]
    pairs = [pair for pair in pairs if pair[1].is_file()]
    if not pairs:
        raise missing_data(HOLDS)

    def measure(place: int, run: str) -> Json:
        pdf, xml = pairs[place]
        article = only_paper(papers_of(gzip.decompress(xml.read_bytes()), "a.xml"), xml.name)
        started = time.perf_counter()
        paper = only_paper(papers_of(pdf.read_bytes(), pdf.name), pdf.name)
        spent = time.perf_counter() - started
        return [*compare_reading(paper, article), f"{spent:.1f}"]

    rows = yield EvaluationStage("articles", [pdf.stem for pdf, _ in pairs], measure, worth=1)
    sums = [sum(column) for column in list(zip(*rows, strict=True))[:-1]]
    table: list[list[Json]] = [
        HEADER.split("\t"),
        *([pdf.stem, *row] for (pdf, _), row in zip(pairs, rows, strict=True)),
        ["all", *sums, ""],
    ]
    lines = ["\t".join(map(str, cells)) for cells in table]
    whole, one_unit = sums[1] / sums[0], sums[2] / sums[0]
    lines.append(f"whole {whole:.1%}, one unit {one_unit:.1%} of {sums[0]:,} sentences")
    return EvaluationReport("\n".join(lines))


def compare_reading(paper: Paper, article: Paper) -> list[int]:
    """Sentences of the article, those whole and those one unit in the paper; then 1 or 0 for title,
    DOI, and references apart.
    """
    text = read_as(paper).text
    paper_letters, units = _letters(text), {_letters(sentence) for sentence in _sentences(text)}
    sentence_letters = [
        letters
        for section in article.sections
        if section.kind not in (REFERENCES, CAPTION, TABLE)
        and not section.name.startswith(("Figures", "Foot", "Ack"))
        for paragraph in section.text.split("\n\n")
        if "|" not in paragraph
        for sentence in _sentences(paragraph)
        if len(letters := _letters(sentence)) >= SHORTEST
    ]
    title = _letters(paper.title) == _letters(article.title)
    doi = paper.doi.casefold() == article.doi.casefold()
    apart = any(section.kind == REFERENCES for section in paper.sections)
    whole_count = sum(letters in paper_letters for letters in sentence_letters)
    return [
        len(sentence_letters),
        whole_count,
        sum(letters in units for letters in sentence_letters),
        int(title),
        int(doi),
        int(apart),
    ]


def _sentences(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text):
        line = " ".join(paragraph.split())
        for span in split_sentences(line):
            yield span.quote(line)


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
