"""Every text of a JATS article in the order of the source, and why some may be missing from what is
read: what the ledger of an article is kept on.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from core.documents.ledger import SourcePiece
from core.documents.readers.xml import local_name, unescape_html

_FRONT = "front matter (authors, dates, licences)"
_REASONS = {
    **dict.fromkeys(("front", "processing-meta", "sec-meta", "permissions", "attrib"), _FRONT),
    **dict.fromkeys(("contrib-group", "kwd-group", "custom-meta-group"), _FRONT),
    **dict.fromkeys(("sub-article", "response"), "letters and translations beside the article"),
    **dict.fromkeys(("xref", "label"), "marks of references and notes, numbers of headings"),
    **dict.fromkeys(("math", "tex-math", "alternatives"), "formulas, which are written on a line"),
    **dict.fromkeys(("object-id", "alt-text", "long-desc", "index-term"), "words never shown"),
    **dict.fromkeys(
        ("annotation", "graphic", "inline-graphic", "related-article"), "words never shown"
    ),
    "ref-list": "notes on references",
}
_ALWAYS = ("article-title", "subtitle", "abstract", "body")  # whatever they stand in
_OTHER_ABSTRACT = "translated abstracts and summaries that advertise"


def source_pieces(article: Element) -> Iterator[SourcePiece]:
    """The texts of an article before anything is taken out of it."""
    yield from _pieces(article, "", local_name(article))


def _pieces(element: Element, reason: str, parent: str) -> Iterator[SourcePiece]:
    name = local_name(element)
    if name == "trans-abstract" or (name == "abstract" and element.get("abstract-type")):
        reason = _OTHER_ABSTRACT
    elif name in _ALWAYS and reason == _FRONT and parent in ("title-group", "article-meta"):
        reason = ""
    reason = reason or _REASONS.get(name, "")
    yield SourcePiece(unescape_html(element.text or ""), reason)
    for child in element:
        yield from _pieces(child, reason, name)
        raised = reason or _REASONS.get("xref", "") * (name == "sup")
        yield SourcePiece(unescape_html(child.tail or ""), raised)
