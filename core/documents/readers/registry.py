"""The formats that papers come in: one line a reader. Files are told apart by their first bytes,
then by their names; what no reader knows is plain text. Other packages add theirs.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from core.documents.paper import Paper
from core.documents.readers import (
    bioc,
    citation_files,
    docx,
    endnote,
    html,
    markdown,
    nbib,
    pdf,
    table,
    web_of_science,
    workbook,
)
from core.documents.readers.plain_text import read_text
from core.documents.readers.xml_file import read_xml
from core.plugins import Registry

Bytes = Callable[[bytes, str], Iterator[Paper]]
Stream = Callable[["io.BufferedReader[Any]", str], Iterator[Paper]]


@dataclass(frozen=True, slots=True)
class PaperFormat:
    """A format: how its files are called and recognised (by the first bytes and the folded name),
    and what reads them: whole, or record by record from a `stream`.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes, str], bool]
    read: Bytes | None = None
    stream: Stream | None = None


def document_id(raw: bytes) -> str:
    """`doc:` and a digest: a file without an identifier of its own."""
    return "doc:" + sha256(raw).hexdigest()[:24]


def _bare(head: bytes) -> bytes:
    """The first bytes without a byte order mark, blanks, and the zeros of UTF-16."""
    return head.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")


def _pdf(raw: bytes, name: str) -> Iterator[Paper]:
    yield pdf.read_pdf(raw, document_id(raw), name)


def _html(raw: bytes, name: str) -> Iterator[Paper]:
    return html.read_html(raw, document_id(raw), name)


def _docx(raw: bytes, name: str) -> Iterator[Paper]:
    return docx.read_docx(raw, document_id(raw), name)


def read_plain(raw: bytes, name: str) -> Iterator[Paper]:
    """The paper of a text file."""
    yield read_text(raw, document_id(raw), Path(name).stem)


def read_markdown_file(raw: bytes, name: str) -> Iterator[Paper]:
    yield markdown.read_markdown(raw, document_id(raw), Path(name).stem)


def _table(raw: bytes, name: str) -> Iterator[Paper]:
    """The papers of a table; a workbook that lists none is a paper's own tables."""
    if table.looks_like_xlsx(raw[:4], name) and not table.names_papers(raw, name):
        yield workbook.read_workbook(raw, document_id(raw), name)
    else:
        yield from table.read_table(raw, name)


PLAIN = PaperFormat(
    "text", "Plain text", (".txt",), recognises=lambda head, name: True, read=read_plain
)
_OWN = (
    PaperFormat("pdf", "PDF", (".pdf",), recognises=pdf.is_pdf, read=_pdf),
    PaperFormat("docx", "Word", (".docx",), recognises=docx.looks_like_docx, read=_docx),
    PaperFormat(
        "html",
        "Web page",
        (".html", ".htm", ".xhtml"),
        recognises=lambda head, name: (
            name.endswith((".html", ".htm", ".xhtml")) or html.looks_like_html(head)
        ),
        read=_html,
    ),
    PaperFormat(
        "xml",
        "XML of PubMed, PMC (JATS), BioC or GROBID (TEI)",
        (".xml", ".nxml"),
        lambda head, name: name.endswith((".xml", ".nxml")) or _bare(head).startswith(b"<"),
        stream=read_xml,
    ),
    PaperFormat(
        "json",
        "BioC or {id, title, text} as JSON",
        (".json",),
        recognises=lambda head, name: (
            name.endswith(".json") or _bare(head).startswith((b"{", b"["))
        ),
        read=bioc.read_json,
    ),
    PaperFormat(
        "pubtator",
        "PubTator",
        (".pubtator",),
        recognises=lambda head, name: (
            name.endswith(".pubtator") or bioc.looks_like_pubtator(_bare(head))
        ),
        read=bioc.read_pubtator,
    ),
    PaperFormat(
        "nbib",
        "PubMed's text format",
        (".nbib",),
        recognises=lambda head, name: (
            name.endswith(".nbib") or nbib.looks_like_medline(_bare(head))
        ),
        read=nbib.read_medline,
    ),
    PaperFormat(
        "ris",
        "RIS",
        (".ris",),
        recognises=lambda head, name: name.endswith(".ris") or citation_files.looks_like_ris(head),
        read=citation_files.read_ris,
    ),
    PaperFormat(
        "bibtex",
        "BibTeX",
        (".bib",),
        recognises=lambda head, name: (
            name.endswith(".bib") or citation_files.looks_like_bibtex(head)
        ),
        read=citation_files.read_bibtex,
    ),
    PaperFormat(
        "endnote",
        "EndNote",
        (".enw",),
        recognises=lambda head, name: name.endswith(".enw") or endnote.looks_like_endnote(head),
        read=endnote.read_endnote,
    ),
    PaperFormat(
        "web of science",
        "Web of Science's text",
        (".ciw",),
        recognises=lambda head, name: web_of_science.looks_like_web_of_science(_bare(head)),
        read=web_of_science.read_web_of_science,
    ),
    PaperFormat(
        "table",
        "Table with a title column",
        (".csv", ".tsv", ".xlsx"),
        recognises=lambda head, name: (
            name.endswith((".csv", ".tsv")) or table.looks_like_xlsx(head, name)
        ),
        read=_table,
    ),
    PaperFormat(
        "markdown",
        "Markdown",
        (".md",),
        recognises=lambda head, name: name.endswith((".md", ".markdown")),
        read=read_markdown_file,
    ),
    PLAIN,
)
# Those of other packages, which are installed for files that ours would misread, come first
FORMATS = Registry("groundwork.document_readers", PaperFormat, _OWN, own_last=True)


def suffixes() -> tuple[str, ...]:
    """File endings that papers come in."""
    return tuple(suffix for format in FORMATS.values() for suffix in format.suffixes)


def format_of(head: bytes, name: str) -> PaperFormat:
    """The format of a file, by its first bytes (4,000 are enough) and its name, folded."""
    return next(format for format in FORMATS.values() if format.recognises(head, name))
