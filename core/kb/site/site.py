"""A release as a web site: one page a thing, a paper and a statement with its evidence, a search,
the files to download. Any web server can show it, and so can a browser without one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path

from core.kb.entry import ExportEntry, KnowledgeBase, document_of, settle_labels, thing_key
from core.kb.release.difference import NotedStatement, ReleaseDifference
from core.kb.release.release import ReleaseDescription
from core.kb.site.listing import listing_pages, paper_page, thing_page, thing_rows
from core.kb.site.markup import (
    SitePage,
    file_of,
    html_page,
    html_table,
    identifier_html,
    outside_link,
    person_html,
    statement_path,
)
from core.kb.site.statement import statement_page
from core.model import Literal, Node, Term, thing_words

ASSETS = Path(__file__).parent / "assets"
MOST_NOTED = 1_000  # statements of one kind on the page of changes
MOST_BUSIEST = 12
SiteFile = tuple[str, Iterable[bytes]]


def site_files(
    kb: KnowledgeBase, changes: ReleaseDifference, downloads: Mapping[str, tuple[str, Path]]
) -> Iterator[SiteFile]:
    """Every file of the site as (path, pieces), in the same order for the same release. `downloads`
    are files to offer: name → (what it is, where it lies).
    """
    release = kb.release
    assert release is not None
    for asset in sorted(ASSETS.iterdir()):
        yield asset.name, [asset.read_bytes()]
    for site_page in site_pages(kb, release, changes, downloads):
        yield site_page.path, [html_page(site_page, release)]
    yield "search-index.js", search_index(kb)
    for name, (_, file) in downloads.items():
        yield f"downloads/{name}", _pieces(file)


def site_pages(
    kb: KnowledgeBase,
    release: ReleaseDescription,
    changes: ReleaseDifference,
    downloads: Mapping[str, tuple[str, Path]],
) -> Iterator[SitePage]:
    things, of_thing = settle_labels(kb.entries), entries_per_thing(kb)
    of_paper = entries_per_paper(kb)
    counts = {name: len(entries) for name, entries in of_thing.items()}
    yield home_page(release, busiest_things(kb, of_thing, counts), counts)
    yield about_page(release, kb)
    yield changes_page(release, changes, {entry.statement.id for entry in kb.entries})
    yield offered_files(downloads)
    yield SitePage(
        "search.html",
        "Search",
        '<p id="said">Type a name or an id above.</p><ul id="found" class="statements"></ul>'
        '<noscript>Searching needs JavaScript; the <a href="things/index.html">list of things</a>'
        ' does not.</noscript><script src="search-index.js"></script>'
        '<script src="search.js"></script>',
    )
    by_name = sorted(of_thing, key=lambda name: (thing_words(things[name]).casefold(), name))
    head = ("thing", "id", "category", "statements")
    yield from listing_pages("things", "Things", head, thing_rows(things, counts, by_name))
    yield from listing_pages(
        "papers", "Papers", ("paper", "id", "statements"), paper_rows(kb, of_paper)
    )
    for name in by_name:
        yield thing_page(name, things[name], of_thing[name], kb)
    for name in sorted(of_paper):
        yield paper_page(name, of_paper[name], kb)
    for entry in kb.sorted():
        yield statement_page(entry, kb)


def entries_per_thing(kb: KnowledgeBase) -> dict[str, list[ExportEntry]]:
    """Key of a thing → the statements that name it as subject, object or qualifier."""
    entries_by_thing: dict[str, dict[str, ExportEntry]] = {}
    for entry in kb.entries:
        statement = entry.statement
        things = (statement.subject, statement.object, *(q.value for q in statement.qualifiers))
        for thing in things:
            if not isinstance(thing, Literal):
                place = entries_by_thing.setdefault(thing_key(thing, statement.document), {})
                place[statement.id] = entry
    return {name: list(entries.values()) for name, entries in entries_by_thing.items()}


def entries_per_paper(kb: KnowledgeBase) -> dict[str, list[ExportEntry]]:
    entries_by_paper: dict[str, list[ExportEntry]] = {}
    for entry in kb.entries:
        for paper in {document_of(piece) for piece in entry.evidence} - {""}:
            entries_by_paper.setdefault(paper, []).append(entry)
    return entries_by_paper


def busiest_things(
    kb: KnowledgeBase, of_thing: Mapping[str, list[ExportEntry]], counts: Mapping[str, int]
) -> list[tuple[str, str]]:
    """What people look for, the things with the most statements first: key and words. Unnamed
    parts of another thing, such as the steps of a recipe, are found on its page.
    """
    things = settle_labels(kb.entries)
    parts = {
        thing_key(entry.statement.object, entry.statement.document)
        for entry in kb.entries
        if isinstance(entry.statement.object, Node)
    }
    looked_for = [name for name in of_thing if name not in parts] or list(of_thing)
    busiest = sorted(looked_for, key=lambda name: (-counts[name], name))[:MOST_BUSIEST]
    return [(name, thing_words(things[name])) for name in busiest]


def home_page(
    release: ReleaseDescription, busiest: list[tuple[str, str]], counts: Mapping[str, int]
) -> SitePage:
    numbers = "".join(
        f"<li>{escape(name)} <b>{number:,}</b></li>" for name, number in release.counts.items()
    )
    busiest_links = "".join(
        f'<li><a href="things/{file_of(name)}.html">{escape(words)}</a> {counts[name]:,}</li>'
        for name, words in busiest
    )
    papers = "".join(
        f'<p class="notice">⚠ {escape(f"{retraction.title} ({retraction.document})".strip())}:'
        f" {escape(retraction.notice)}; statements that rest on it:"
        f" {len(retraction.statements):,}.</p>"
        for retraction in release.retracted
    )
    body = (
        f'<p class="lead">{escape(release.summary)}</p><ul class="numbers">{numbers}</ul>{papers}'
        f"<h2>Most statements about</h2><ul class=columns>{busiest_links}</ul>"
        f"<h2>How to cite</h2><p>{escape(release.citation)}</p>"
        f"<p>Every statement was approved by a person, and its page shows the words it rests on."
        ' See <a href="changes.html">what changed</a> and'
        ' <a href="downloads.html">the files</a>.</p>'
    )
    return SitePage("index.html", release.title, body)


def about_page(release: ReleaseDescription, kb: KnowledgeBase) -> SitePage:
    people = "".join(f"<li>{person_html(curator.orcid, kb)}</li>" for curator in release.creators)
    sources = html_table(
        ("vocabulary", "version", "terms", "licence"),
        (
            (
                escape(vocabulary.title),
                escape(vocabulary.version),
                f"{vocabulary.terms:,}",
                escape(vocabulary.licence or "not known"),
            )
            for vocabulary in release.vocabularies
        ),
    )
    rows = (
        ("Release", escape(release.number)),
        ("Date", escape(release.date)),
        ("Version IRI", f"<code>{escape(release.iri)}</code>"),
        ("Licence", outside_link(release.licence, escape(release.licence_name))),
        ("Digest of the content (SHA-256)", f"<code>{escape(release.digest)}</code>"),
    )
    facts = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows)
    body = (
        f"<dl>{facts}</dl><h2>Creators</h2><ul>{people}</ul>"
        f"<h2>Vocabularies and their licences</h2>{sources}"
        "<h2>What the files contain</h2><p>Statements that curators approved, and quotes that "
        "support them;"
        " never whole articles. The rights to a quoted text stay with its owner.</p>"
    )
    return SitePage("about.html", "About this release", body)


def changes_page(
    release: ReleaseDescription, changes: ReleaseDifference, own_pages: set[str]
) -> SitePage:
    if not release.previous:
        return SitePage("changes.html", "Changes", "<p>This is the first release.</p>")
    parts = [f"<p>Since release {escape(release.previous)}.</p>"]
    parts += [f"<p>{escape(release.remarks)}</p>"] if release.remarks else []
    for title, statements in (
        ("Retracted papers", changes.retracted),
        ("Withdrawn", changes.withdrawn),
        ("Changed", changes.changed),
        ("Added", changes.added),
    ):
        if not statements:
            continue
        parts.append(f"<h2>{title} ({len(statements):,})</h2><ul>")
        parts += [
            f"<li>{_noted(statement, own_pages)}</li>" for statement in statements[:MOST_NOTED]
        ]
        parts.append("</ul>")
        if len(statements) > MOST_NOTED:
            parts.append(f"<p>and {len(statements) - MOST_NOTED:,} more</p>")
    return SitePage("changes.html", "Changes", "\n".join(parts))


def _noted(noted_statement: NotedStatement, own_pages: set[str]) -> str:
    words = escape(noted_statement.words)
    words_html = (
        f'<a href="{statement_path(noted_statement.id)}">{words}</a>'
        if noted_statement.id in own_pages
        else words
    )
    return f"{words_html}{': ' if noted_statement.why else ''}{escape(noted_statement.why)}"


def offered_files(downloads: Mapping[str, tuple[str, Path]]) -> SitePage:
    rows = (
        (
            f'<a href="downloads/{escape(name)}" download>{escape(name)}</a>',
            escape(title),
            f'<span class="size">{file.stat().st_size:,}</span>',
            f'<code class="digest">{_sha256(file)}</code>',
        )
        for name, (title, file) in downloads.items()
    )
    return SitePage(
        "downloads.html", "Downloads", html_table(("file", "format", "bytes", "SHA-256"), rows)
    )


def paper_rows(
    kb: KnowledgeBase, of_paper: Mapping[str, list[ExportEntry]]
) -> list[tuple[str, ...]]:
    titles = {name: kb.documents[name].title if name in kb.documents else "" for name in of_paper}
    return [
        (
            f'<a href="{file_of(name)}.html">{escape(titles[name] or name)}</a>',
            identifier_html(name),
            f"{len(of_paper[name]):,}",
        )
        for name in sorted(of_paper, key=lambda name: ((titles[name] or name).casefold(), name))
    ]


def search_index(kb: KnowledgeBase) -> Iterator[bytes]:
    """What the search reads: a script, because a browser fetches no data from a folder."""
    things, of_thing = settle_labels(kb.entries), entries_per_thing(kb)
    yield b"const THINGS = [\n"
    for name in sorted(of_thing):
        thing = things[name]
        term_id = name if isinstance(thing, Term) and thing.id else ""
        words = thing_words(thing)
        row = [words, term_id, str(thing.category), len(of_thing[name]), file_of(name)]
        yield f"{json.dumps(row)},\n".encode()
    yield b"];\n"


def _pieces(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while piece := opened.read(1 << 20):
            yield piece


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
