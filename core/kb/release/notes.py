"""Release notes as Markdown that any reader shows, with what others wrote escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.kb.release.difference import NotedStatement, ReleaseDifference
from core.kb.release.release import ReleaseDescription
from core.text.count import counted

MOST = 1_000  # statements of one kind that are listed
_MARKS = re.compile(r"([\\`*_{}\[\]()#+!|~])")


def release_notes(release: ReleaseDescription, changes: ReleaseDifference) -> str:
    """The notes of a release, UTF-8 Markdown; the same text for the same release."""
    return "\n".join(_lines(release, changes)) + "\n"


def _lines(release: ReleaseDescription, changes: ReleaseDifference) -> Iterator[str]:
    yield f"# {plain_markdown(release.title)}, release {release.number}"
    yield ""
    yield f"{release.date} · {plain_markdown(release.licence_name)} · <{release.iri}>"
    yield ""
    for paragraph in (release.summary, release.remarks):
        if paragraph:
            yield plain_markdown(paragraph)
            yield ""
    yield f"How to cite: {plain_markdown(release.citation)}"
    yield ""
    since = f"since {release.previous}" if release.previous else "this is the first release"
    yield (
        f"{counted(release.counts.get('statements', 0), 'statement')}; {since}:"
        f" {len(changes.added):,} added, {len(changes.withdrawn):,} withdrawn,"
        f" {len(changes.changed):,} changed{_newly_retracted(changes)}."
    )
    yield from _policy(release)
    yield from _retractions(release)
    for title, statements in (
        ("Withdrawn", changes.withdrawn),
        ("Changed", changes.changed),
        ("Added", changes.added if release.previous else ()),
    ):
        yield from _list(title, statements)
    yield from _vocabularies(release)


def _policy(release: ReleaseDescription) -> Iterator[str]:
    """Under which rules the release was made; older releases do not say."""
    if release.policy:
        yield ""
        yield "## How it was made"
        yield ""
        yield from (f"- {plain_markdown(sentence)}" for sentence in release.policy)


def _newly_retracted(changes: ReleaseDifference) -> str:
    count = len(changes.retracted)
    return f", {counted(count, 'paper')} newly marked" if count else ""


def _retractions(release: ReleaseDescription) -> Iterator[str]:
    if not release.retracted:
        return
    yield ""
    yield "## Retracted papers"
    yield ""
    yield "Statements that rest on them are marked. They remain until a curator rejects them."
    yield ""
    for paper in release.retracted:
        count = counted(len(paper.statements), "statement")
        id, notice, title = map(plain_markdown, (paper.document, paper.notice, paper.title))
        yield f"- {id}, {notice}{f': {title}' if title else ''} ({count})"


def _list(title: str, statements: Sequence[NotedStatement]) -> Iterator[str]:
    if not statements:
        return
    yield ""
    yield f"## {title}"
    yield ""
    for statement in statements[:MOST]:
        reason = f": {plain_markdown(statement.why)}" if statement.why else ""
        yield f"- {plain_markdown(statement.words)}{reason} `{statement.id[:15]}`"
    if len(statements) > MOST:
        yield f"- and {len(statements) - MOST:,} more; compare the releases for all of them"


def _vocabularies(release: ReleaseDescription) -> Iterator[str]:
    if not release.vocabularies:
        return
    yield ""
    yield "## Vocabularies"
    yield ""
    for vocabulary in release.vocabularies:
        licence = plain_markdown(vocabulary.licence) or "licence not known"
        version = f" {plain_markdown(vocabulary.version)}" if vocabulary.version else ""
        yield (
            f"- {plain_markdown(vocabulary.title)}{version}:"
            f" {counted(vocabulary.terms, 'term')}; {licence}"
        )


def plain_markdown(words: str) -> str:
    r"""Words from outside as Markdown shows them: on one line, no mark of them means anything.

    >>> plain_markdown("*BRCA1* [x](y)\n# head")
    '\\*BRCA1\\* \\[x\\]\\(y\\) \\# head'
    """
    marked = _MARKS.sub(r"\\\1", " ".join(words.split()).replace("&", "&amp;"))
    return marked.replace("<", "&lt;").replace(">", "&gt;")
