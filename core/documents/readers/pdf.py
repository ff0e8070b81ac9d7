"""PDF: the text of its pages, by pypdf, here; by GROBID when the operator runs one
(`grobid.py`).
"""

from __future__ import annotations

import io
import logging
import re
import unicodedata
from collections import Counter
from collections.abc import Callable

from core.documents.paper import FULL_TEXT, Paper
from core.documents.readers.plain_text import sections_of
from core.errors import InputError
from core.model import Problem

MOST_PAGES = 2000
LEAST_LETTERS = 20  # a page with fewer is a picture
OnPage = Callable[[int, int], None]
logging.getLogger("pypdf").setLevel(logging.CRITICAL)


def is_pdf(raw: bytes, name: str = "") -> bool:
    return raw[:1024].find(b"%PDF-") >= 0 or name.casefold().endswith(".pdf")


def read_pdf(
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
    import pypdf
    from pypdf.errors import PyPdfError

    name = name or "The PDF"
    if other := _no_pdf(raw):
        raise InputError(
            f"{name} is {other}, not a PDF.", "Add the file itself, or save it as PDF."
        )
    try:
        reader = pypdf.PdfReader(io.BytesIO(raw))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(
                f"{name} is encrypted with a password.", "Save it without one and add it again."
            )
        texts = _pages(reader, pages, on_page or (lambda done, total: None))
        title = str((reader.metadata.title if reader.metadata else "") or "")
    except (
        PyPdfError,
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        RecursionError,
        AttributeError,
        OSError,
    ) as error:
        raise InputError(
            f"{name} is damaged and cannot be read as PDF.", "Print it to PDF again."
        ) from error
    except Exception as error:
        if isinstance(error, InputError) or type(error).__module__.startswith("core."):
            raise
        raise InputError(
            f"{name} is encrypted in a way that cannot be read.", "Save it without encryption."
        ) from error
    blank = sum(1 for text in texts if sum(c.isalpha() for c in text) < LEAST_LETTERS)
    if texts and blank == len(texts):
        raise InputError(
            f"{name} is scanned: its {len(texts)} pages are pictures without text.",
            "Run text recognition (OCR) on it.",
        )
    body = joined(without_headers(texts))
    problems = (
        (Problem("pages-without-text", f"{blank} of {len(texts)} pages hold no text.", where=name),)
        if blank
        else ()
    )
    return Paper(id, _title(title, body), sections_of(body), FULL_TEXT, problems=problems)


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
    first, last = pages or (1, len(all_pages))
    last = min(last, len(all_pages))
    if pages and first > last:
        raise InputError(
            f"The PDF has {len(all_pages):,} pages; page {first:,} is not one of them.",
            "Give others.",
        )
    if last - first + 1 > MOST_PAGES:
        raise InputError(
            f"The PDF has {len(all_pages):,} pages; at most {MOST_PAGES:,} are read.",
            "Give a page range.",
        )
    texts = []
    for number in range(max(1, first), last + 1):
        texts.append(str(all_pages[number - 1].extract_text() or ""))
        on_page(len(texts), last - first + 1)
    return texts


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


def joined(pages: list[str]) -> str:
    """One text: ligatures spelled out, words hyphenated over a line end made whole. A hyphen stays
    before a capital or a digit (`IL-10`), and where the text has the word with it elsewhere
    (`wild-type`).
    """
    text = "\n".join(pages).replace("\x00", "").replace("\u00ad\n", "").replace("\u00ad", "")
    text = re.sub("[\ufb00-\ufb06]", lambda found: unicodedata.normalize("NFKC", found[0]), text)
    text = re.sub(r"(?<=\w)[-‐]\n(?=[A-Z0-9])", "-", text)
    hyphenated = set(re.findall(r"[a-z]+[-‐][a-z]+", text))

    def whole(found: re.Match[str]) -> str:
        return (
            found[0].replace("\n", "")
            if f"{found[1]}-{found[2]}" in hyphenated
            else found[1] + found[2]
        )

    return re.sub(r"([a-z]+)[-‐]\n([a-z]+)", whole, text)


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
