"""The frame of every page of a release's web site, and how things, papers and people are written.

Everything from outside is escaped, and the pages may load nothing but the site's own files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from core.curie import web_link
from core.kb.entry import KnowledgeBase, thing_key
from core.kb.release.release import ReleaseDescription
from core.model import (
    Category,
    Literal,
    Modality,
    Node,
    Statement,
    Term,
    Thing,
    json_digest,
    thing_words,
)
from core.model import relation_words as words_of

# Scripts and styles of the site alone; no picture, frame, font or connection at all.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'self'; base-uri 'none'"
)
_PLAIN = re.compile(r"[A-Z0-9._-]{1,80}", re.ASCII)
PAGES = (
    ("index.html", "Home"),
    ("things/index.html", "Things"),
    ("papers/index.html", "Papers"),
    ("changes.html", "Changes"),
    ("downloads.html", "Downloads"),
    ("about.html", "About"),
)


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page: where it is from the site's root, its title, and its body as HTML."""

    path: str
    title: str
    body: str


def html_page(site_page: SitePage, release: ReleaseDescription) -> bytes:
    """The whole page. Every address in it is relative, so that the site works in any folder."""
    root = "../" * site_page.path.count("/")
    page_path = site_page.path
    links = " ".join(
        f'<a href="{root}{path}"{" aria-current=page" if path == page_path else ""}>{name}</a>'
        for path, name in PAGES
    )
    name = escape(release.title)
    licence = outside_link(release.licence, escape(release.licence_name))
    return (
        "<!doctype html>\n"
        '<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{escape(site_page.title)} · {name}</title>"
        f'<link rel="stylesheet" href="{root}site.css"></head><body>'
        f'<header><a class="name" href="{root}index.html">{name}</a>'
        f'<span class="number">release {escape(release.number)}</span><nav>{links}</nav>'
        f'<form action="{root}search.html" role="search"><input name="q" type="search"'
        ' placeholder="A name or an id" aria-label="Search"><button>Search</button></form>'
        f"</header><main><h1>{escape(site_page.title)}</h1>{site_page.body}</main>"
        f"<footer>{escape(release.citation)}<br>Licence: {licence}</footer></body></html>\n"
    ).encode("utf-8", "replace")


def outside_link(address: str, words: str) -> str:
    """A link that leads out of the site, when a reader follows it; `words` are HTML."""
    if not address.startswith(("http://", "https://")):
        return words
    return f'<a class="out" rel="noopener noreferrer" href="{escape(address)}">{words}</a>'


def file_of(name: str) -> str:
    r"""A file name for an id: readable where that is safe in every file system, else a digest.

    >>> file_of("MONDO:0005148"), file_of("words\nred rice")
    ('MONDO_0005148', 'words-red-rice-1b23a4cd1c6c')
    """
    readable = name.replace(":", "_")
    if _PLAIN.fullmatch(readable) and not readable.startswith("."):
        return readable
    start = re.sub(r"[^A-Za-z0-9]+", "-", readable, flags=re.ASCII).strip("-")[:40]
    return f"{start or 'x'}-{json_digest(name)[:12]}"


def thing_path(thing: Term | Node, document: str) -> str:
    return f"things/{file_of(thing_key(thing, document))}.html"


def statement_path(identifier: str) -> str:
    """Statements lie in folders of a few hundred each."""
    return f"statements/{identifier[3:5]}/{quote(identifier)}.html"


def paper_path(identifier: str) -> str:
    return f"papers/{file_of(identifier)}.html"


def identifier_html(curie: str) -> str:
    """An id in monospace, linked to where a person can look it up."""
    return outside_link(web_link(curie), f"<code>{escape(curie)}</code>") if curie else ""


def thing_html(thing: Thing, document: str, root: str) -> str:
    """A thing's name, which leads to its page; a value as it is."""
    words = escape(thing_words(thing))
    if isinstance(thing, Literal):
        return f'<span class="value">{words}</span>'
    category = thing.category if thing.category in Category else Category.THING
    place = f"{root}{quote(thing_path(thing, document))}"
    return f'<a class="thing {escape(str(category))}" href="{place}">{words}</a>'


def claim_html(statement: Statement, root: str, within: str = "") -> str:
    """A statement in one line; what negates or narrows it is never left out. `within` is the key of
    the thing whose page it stands on, which is not linked again.
    """
    document = statement.document

    def end(thing: Thing) -> str:
        if not isinstance(thing, Literal) and within == thing_key(thing, document):
            return f"<b>{escape(thing_words(thing))}</b>"
        return thing_html(thing, document, root)

    parts = [end(statement.subject)]
    if statement.negated:
        parts.append('<strong class="not">NOT</strong>')
    parts.append(f'<span class="relation">{escape(words_of(statement.predicate))}</span>')
    parts.append(end(statement.object))
    if statement.modality is not Modality.ASSERTED:
        parts.append(f'<em class="mood">{escape(str(statement.modality))}</em>')
    for qualifier in statement.qualifiers:
        name = escape(qualifier.name.replace("_", " "))
        parts.append(
            f'<span class="qualifier">{name}: {thing_html(qualifier.value, document, root)}</span>'
        )
    return " ".join(parts)


def html_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of cells that are HTML already."""
    top = "".join(f"<th>{name}</th>" for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def person_html(orcid: str, kb: KnowledgeBase) -> str:
    name = escape(kb.curators.get(orcid) or orcid)
    return f"{name} {outside_link(f'https://orcid.org/{orcid}', f'<code>{escape(orcid)}</code>')}"
