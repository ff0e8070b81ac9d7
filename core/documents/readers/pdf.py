"""PDF: the lines of its pages by PDFium, and where that fails its text by pypdf; by GROBID when the
operator runs one (`grobid.py`).
"""

from __future__ import annotations

import io
import logging
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from core.documents.ledger import SourcePiece
from core.documents.paper import FULL_TEXT, Paper, PaperSection, with_ledger
from core.documents.readers.pdf_layout import PdfLayout, lay_out
from core.documents.readers.pdf_page import LOCK, UNREADABLE, PageLine, page_lines
from core.documents.readers.plain_text import sections_of
from core.errors import InputError
from core.model import Problem

MOST_PAGES = 2000
LEAST_LETTERS = 20  # a page with fewer is a picture
# A sentence that ends where the next begins: "dark yellow.The oils".
_NO_BLANK = re.compile(r"(?<=[a-z)\]][a-z)\]][.])(?=[A-Z][a-z]{1,20} [a-z])")
# A hyphen that belongs to the word whatever line it ends: after a digit, a capital or a lone letter
# ("5-fluorouracil", "TNF-alpha", "p-value"), or the first word of a compound; not "T- and B-cells".
_COMPOUND = ["well", "self", "half", "double", "single", "high", "long", "short", "cross", "anti"]
_BEFORE = ("[A-Z0-9]", r"\b[a-z]", *(rf"\b{word}" for word in _COMPOUND))
_KEPT_HYPHEN = re.compile(
    "(?:"
    + "|".join(f"(?<={words})" for words in _BEFORE)
    + r")[-‐]\n(?=[a-z])(?!(?:and|or|to|nor)\b)"
)
OnPage = Callable[[int, int], None]
logging.getLogger("pypdf").setLevel(logging.CRITICAL)


def is_pdf(raw: bytes, name: str = "") -> bool:
    return raw[:1024].find(b"%PDF-") >= 0 or name.casefold().endswith(".pdf")


def read_pdf(  # noqa: PLR0917
    raw: bytes,
    id: str,
    name: str = "",
    pages: tuple[int, int] | None = None,
    on_page: OnPage | None = None,
) -> Paper:
    """A paper of a PDF; `pages` is a range counted from 1, both ends in.

    Raises InputError for encrypted, damaged and scanned files. `on_page` is told pages done and
    all, and may raise Stopped.
    """
    name = name or "The PDF"
    if actual_format := _no_pdf(raw):
        raise InputError(
            f"{name} is {actual_format}, not a PDF.", "Add the file itself, or save it as PDF."
        )
    with _damage_in_words(name):
        reader, damage = _opened(raw)
        if reader and reader.is_encrypted and not reader.decrypt(""):
            raise InputError(
                f"{name} is encrypted with a password.", "Save it without one and add it again."
            )
        on_page = on_page or (lambda done, total: None)
        lines = _lines(raw, reader, pages, on_page)
        if lines is None and damage:
            raise damage
        texts = (
            _pages(reader, pages, on_page)
            if lines is None
            else ["\n".join(line.text for line in page) for page in lines]
        )
        title = str((reader.metadata.title if reader and reader.metadata else "") or "")
    blank = sum(1 for text in texts if sum(c.isalpha() for c in text) < LEAST_LETTERS)
    if texts and blank == len(texts):
        pages_are = "its page is" if blank == 1 else f"its {blank} pages are"
        raise InputError(
            f"{name} contains no text: {pages_are} scanned or empty.",
            "Run text recognition (OCR) on it.",
        )
    problems = tuple(_problems(texts, blank, name))
    if lines is None:
        body = join_lines(without_headers(texts))
        paper = Paper(id, _title(title, body), sections_of(body), FULL_TEXT, problems=problems)
        return with_ledger(paper, map(SourcePiece, "\n".join(texts).splitlines()))
    layout = lay_out(lines, title)
    return with_ledger(_paper(id, layout, problems), layout.pieces)


def _opened(raw: bytes) -> tuple[Any, Exception | None]:
    """The file by pypdf; None and what is wrong for one without a cross-reference table, which
    PDFium may still read.
    """
    import pypdf
    from pypdf.errors import PyPdfError

    try:
        return pypdf.PdfReader(io.BytesIO(raw)), None
    except PyPdfError as error:
        return None, error


@contextmanager
def _damage_in_words(name: str) -> Iterator[None]:
    """Turn what pypdf raises for a damaged or encrypted file into InputError; ours passes."""
    from pypdf.errors import PyPdfError

    damage = (PyPdfError, ValueError, KeyError, TypeError, IndexError, AttributeError, OSError)
    try:
        yield
    except (*damage, RecursionError) as error:
        raise InputError(
            f"{name} is damaged and cannot be read as PDF.", "Print it to PDF again."
        ) from error
    except Exception as error:
        if type(error).__module__.startswith("core."):
            raise
        raise InputError(
            f"{name} is encrypted in a way that cannot be read.", "Save it without encryption."
        ) from error


def _paper(id: str, layout: PdfLayout, problems: tuple[Problem, ...]) -> Paper:
    """The paper under its DOI, where the file prints one; hyphens at line ends are mended."""
    joined = join_lines(["\x1d".join(section.text for section in layout.sections)])
    sections = tuple(
        PaperSection(section.name, text, section.kind)
        for section, text in zip(layout.sections, joined.split("\x1d"), strict=True)
    )
    ids = (f"DOI:{layout.doi.lower()}",) if layout.doi else ()
    return Paper(
        ids[0] if ids else id,
        join_lines([layout.title]).replace("\n", " "),
        sections,
        kind=FULL_TEXT,
        ids=ids,
        doi=layout.doi,
        problems=problems,
    )


def _problems(texts: list[str], blank: int, name: str) -> Iterator[Problem]:
    if blank:
        message = f"{blank} of {len(texts)} pages contain no text."
        yield Problem("pages-without-text", message, where=name)
    text = " ".join(texts)
    letters = [len(word) for word in text.split() if word.isalpha()]
    if len(letters) > 100 and sum(size > 20 for size in letters) > 0.05 * len(letters):
        message = "Its words have no spaces between them and could not be separated."
        yield Problem("no-spaces", message, where=name, hint="Use the article's XML or HTML.")
    if unreadable := text.count(UNREADABLE):
        message = (
            f"{unreadable:,} characters of this PDF cannot be decoded and show as {UNREADABLE}."
        )
        yield Problem(
            "unreadable-signs", message, where=name, hint="Compare with the printed page."
        )


def _lines(
    raw: bytes, reader: Any, pages: tuple[int, int] | None, on_page: OnPage
) -> list[list[PageLine]] | None:
    """The lines of each page by PDFium; None for a file that it cannot open."""
    import pypdfium2

    with LOCK:
        try:
            document = pypdfium2.PdfDocument(raw)
        except pypdfium2.PdfiumError:
            return None
        count = len(document)
    lines_by_page: list[list[PageLine]] = []
    try:
        first_page, last_page = _range(len(reader.pages) if reader else count, pages)
        for number in range(first_page, min(last_page, count) + 1):
            with LOCK:
                page = document[number - 1]
                try:
                    lines_by_page.append(page_lines(page))
                finally:
                    page.close()
            on_page(len(lines_by_page), last_page - first_page + 1)
    except pypdfium2.PdfiumError:
        return None
    finally:
        with LOCK:
            document.close()
    return lines_by_page


def _no_pdf(raw: bytes) -> str:
    """What a file is that only bears the name of a PDF; "" for one, and for a damaged one."""
    start = raw[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if b"%pdf-" in start or not raw.strip(b"\0 \t\r\n"):
        return "" if raw.strip(b"\0 \t\r\n") else "empty"
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "a web page"
    kinds = {
        b"pk\x03\x04": "a Word document or an archive",
        b"\x89png": "a picture",
        b"\xff\xd8\xff": "a picture",
        b"\xd0\xcf\x11\xe0": "an Office document",
        b"%!ps": "PostScript",
        b"{\\rtf": "rich text",
    }
    return next((kind for mark, kind in kinds.items() if start.startswith(mark)), "")


def _pages(reader: object, pages: tuple[int, int] | None, on_page: OnPage) -> list[str]:
    all_pages = reader.pages  # type: ignore[attr-defined]
    first_page, last_page = _range(len(all_pages), pages)
    texts = []
    for number in range(first_page, last_page + 1):
        texts.append(str(all_pages[number - 1].extract_text() or ""))
        on_page(len(texts), last_page - first_page + 1)
    return texts


def _range(count: int, pages: tuple[int, int] | None) -> tuple[int, int]:
    """The first and the last page to read, counted from 1. Raises InputError."""
    first_page, last_page = pages or (1, count)
    last_page = min(last_page, count)
    if pages and first_page > last_page:
        raise InputError(
            f"The PDF has {count:,} pages; there is no page {first_page:,}.", "Give other pages."
        )
    if last_page - first_page + 1 > MOST_PAGES:
        raise InputError(
            f"The PDF has {count:,} pages; at most {MOST_PAGES:,} are read.", "Give a page range."
        )
    return max(1, first_page), last_page


def without_headers(pages: list[str]) -> list[str]:
    """Pages without the lines that stand first or last on most of them, but for their numbers."""
    if len(pages) < 4:
        return pages
    edges = Counter(line for page in pages for line in {_edge(x) for x in _outer(page)} if line)
    repeated = {line for line, count in edges.items() if count >= max(3, len(pages) // 2)}
    return [
        "\n".join(x for x in page.splitlines() if _edge(x) not in repeated or x not in _outer(page))
        for page in pages
    ]


def _outer(page: str) -> list[str]:
    lines = [line for line in page.splitlines() if line.strip()]
    return [*lines[:2], *lines[-2:]]


def _edge(line: str) -> str:
    return re.sub(r"\d+", "#", " ".join(line.split()))


def join_lines(pages: list[str]) -> str:
    """One text: ligatures spelled out, words hyphenated over a line end made whole. A hyphen stays
    before a capital or a digit (`IL-10`), and where the text has the word with it elsewhere
    (`wild-type`).
    """
    text = "\n".join(pages).replace("\x00", "").replace("\u00ad\n", "").replace("\u00ad", "")
    text = re.sub("[\ufb00-\ufb06]", lambda match: unicodedata.normalize("NFKC", match[0]), text)
    text = re.sub(r"(?<=\w)[-‐]\n(?=[A-Z0-9])", "-", text)
    text = _KEPT_HYPHEN.sub("-", text)
    text = _NO_BLANK.sub(" ", text)
    hyphenated = set(re.findall(r"[a-z]+[-‐][a-z]+", text))

    def made_whole(match: re.Match[str]) -> str:
        return (
            match[0].replace("\n", "")
            if f"{match[1]}-{match[2]}" in hyphenated
            else match[1] + match[2]
        )

    return re.sub(r"([a-z]+)[-‐]\n([a-z]+)", made_whole, text)


def _title(stored: str, body: str) -> str:
    """The title in the file's properties when it looks like one, else the first line of words."""
    stored = " ".join(stored.split())
    if (
        len(stored) > 12
        and " " in stored
        and not re.search(r"\.(?:docx?|indd|tex|pdf|qxd)\b|^Microsoft Word|untitled", stored, re.I)
    ):
        return stored
    return next(
        (" ".join(x.split()) for x in body.splitlines() if sum(c.isalpha() for c in x) > 15), ""
    )[:300]
