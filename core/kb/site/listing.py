"""Pages of things and papers, and the lists that lead to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from core.kb.entry import ExportEntry, KnowledgeBase, claim_words
from core.kb.rdf import iri
from core.kb.site.markup import (
    SitePage,
    claim_html,
    file_of,
    html_table,
    identifier_html,
    paper_path,
    statement_path,
)
from core.model import Node, Term, thing_words

ON_A_PAGE = 500


def thing_page(
    name: str, thing: Term | Node, entries: Sequence[ExportEntry], kb: KnowledgeBase
) -> SitePage:
    """A thing with every statement about it."""
    address = (
        iri.thing_iri(thing, entries[0].statement.document, kb.base_iri, kb.prefixes)
        if entries
        else ""
    )
    body = (
        f"<p>{identifier_html(thing.id) if isinstance(thing, Term) else escape(thing.cls)}"
        f' <span class="category {escape(str(thing.category))}">{escape(str(thing.category))}'
        f"</span></p><p><small><code>{escape(address)}</code></small></p>"
        f"<h2>{len(entries):,} {'statement' if len(entries) == 1 else 'statements'}</h2>"
    )
    lines = statement_lines(entries, "../", name)
    return SitePage(f"things/{file_of(name)}.html", thing_words(thing), body + lines)


def paper_page(name: str, entries: Sequence[ExportEntry], kb: KnowledgeBase) -> SitePage:
    """A paper with what rests on it: quotes stand on the pages of the statements."""
    document = kb.documents.get(name)
    ids = (name, *(document.ids if document else ()))
    notice = kb.notices.get(name, "")
    body = f"<p>{' '.join(identifier_html(document_id) for document_id in dict.fromkeys(ids))}</p>"
    body += f'<p class="notice">⚠ This paper: {escape(notice)}</p>' if notice else ""
    body += "<h2>Statements that rest on it</h2>" + statement_lines(entries, "../")
    return SitePage(paper_path(name), document.title if document and document.title else name, body)


def statement_lines(entries: Sequence[ExportEntry], root: str, within: str = "") -> str:
    """One line a statement, sorted by words."""
    ordered = sorted(entries, key=lambda entry: (claim_words(entry.statement), entry.statement.id))
    lines = (
        f"<li>{claim_html(entry.statement, root, within)}"
        f' <a class="why" href="{root}{statement_path(entry.statement.id)}">evidence'
        f" ({len(entry.evidence)})</a></li>"
        for entry in ordered
    )
    return f'<ul class="statements">{"".join(lines)}</ul>'


def listing_pages(
    folder: str, title: str, head: Sequence[str], rows: Sequence[Sequence[str]]
) -> Iterator[SitePage]:
    """A long list on pages of 500 lines, each with the way to the others."""
    pages = [rows[start : start + ON_A_PAGE] for start in range(0, len(rows), ON_A_PAGE)] or [[]]
    for number, part in enumerate(pages, 1):
        ways = " ".join(
            f"<b>{page_number}</b>"
            if page_number == number
            else f'<a href="{_list_name(page_number)}">{page_number}</a>'
            for page_number in range(1, len(pages) + 1)
        )
        more = f'<p class="ways">Page {ways}</p>' if len(pages) > 1 else ""
        yield SitePage(
            f"{folder}/{_list_name(number)}", title, f"{more}{html_table(head, part)}{more}"
        )


def _list_name(number: int) -> str:
    return "index.html" if number == 1 else f"list-{number}.html"


def thing_rows(
    things: Mapping[str, Term | Node], counts: Mapping[str, int], names: Iterable[str]
) -> list[tuple[str, ...]]:
    return [
        (
            f'<a href="{file_of(name)}.html">{escape(thing_words(things[name]))}</a>',
            identifier_html(name) if isinstance(things[name], Term) else "",
            escape(str(things[name].category)),
            f"{counts[name]:,}",
        )
        for name in names
    ]
