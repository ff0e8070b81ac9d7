"""The releases of a project: read back as they were made, compared, and checked by digest."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby

from core.codec import from_json
from core.desk_parts import HasFolder, HasStore
from core.errors import StoreError
from core.kb.entry import (
    ExportEntry,
    KnowledgeBase,
    LoggedStatement,
    TaughtWords,
    logged_entry,
)
from core.kb.formats.registry import format_named
from core.kb.formats.specification import ExportFormat, no_remarks
from core.kb.release.difference import NotedStatement, ReleaseDifference, release_difference
from core.kb.release.notes import release_notes
from core.kb.release.release import LICENCES, ReleaseDescription, ReleaseForm, version_sort_key
from core.model import Document, Json, Problem, Support, json_digest
from core.schema.definition import Schema
from core.services.graph import knowledge_base as graph

__all__ = [
    "LICENCES",
    "NotedStatement",
    "ReleaseDescription",
    "ReleaseDifference",
    "ReleaseForm",
    "file_name",
    "release_chunks",
    "release_remarks",
    "release_stem",
]


@dataclass(frozen=True, slots=True)
class ReleaseContext:
    """What the statements of a release are written with: names and prefixes as they were."""

    base_iri: str
    prefixes: Mapping[str, str] = field(default_factory=dict)
    documents: tuple[Document, ...] = ()
    curators: Mapping[str, str] = field(default_factory=dict)
    wordings: tuple[TaughtWords, ...] = ()
    schemas: tuple[Schema, ...] = ()
    notices: Mapping[str, str] = field(default_factory=dict)
    logged: tuple[str, ...] | None = None  # digests of what `released_log` gives; None: not kept
    same: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # id → others of its thing
    by_reference: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    support: Mapping[str, Support | None] = field(default_factory=dict)


def list_releases(desk: HasStore) -> list[ReleaseDescription]:
    """Every release, the newest first."""
    release_descriptions: list[ReleaseDescription] = [
        from_json(ReleaseDescription, release.body) for release in desk.store.releases.all()
    ]
    return sorted(
        release_descriptions,
        key=lambda description: version_sort_key(description.number),
        reverse=True,
    )


def newest_release(desk: HasStore) -> ReleaseDescription | None:
    return next(iter(list_releases(desk)), None)


def described_release(desk: HasStore, number: str = "") -> ReleaseDescription:
    """The release of that number ("" for the newest). Raises NotFound."""
    if not number and (latest := newest_release(desk)):
        return latest
    return from_json(ReleaseDescription, desk.store.releases.get(number or "1.0.0").body)


def release_fingerprint(context: str, statements: Mapping[str, str]) -> str:
    """What a release is known by: changes with any of its statements or names."""
    return json_digest([context, sorted(statements.items())])


def knowledge_base(desk: HasStore, number: str) -> KnowledgeBase:
    """The knowledge base as it was released. Raises StoreError where a row of it was changed since,
    and NotFound.
    """
    stored = desk.store.releases.get(number)
    release: ReleaseDescription = from_json(ReleaseDescription, stored.body)
    statements = desk.store.releases.statements(number)
    bodies = dict(_contents(desk, [stored.context, *statements.values()]))
    if release.digest != release_fingerprint(stored.context, statements):
        raise _changed(number)
    context: ReleaseContext = from_json(ReleaseContext, bodies[stored.context])
    released_entries: tuple[ExportEntry, ...] = tuple(
        from_json(ExportEntry, bodies[name]) for name in statements.values()
    )
    kb = KnowledgeBase(
        context.base_iri,
        released_entries,
        context.prefixes,
        documents={document.id: document for document in context.documents},
        curators=context.curators,
        wordings=context.wordings,
        schemas=context.schemas,
        notices=context.notices,
        release=release,
        same=context.same,
        by_reference=context.by_reference,
        support=context.support,
    )
    if context.logged is None:
        return kb
    return replace(kb, log=partial(_log, desk, context.logged, released_entries))


def _log(
    desk: HasStore, logged: Sequence[str], released_entries: Iterable[ExportEntry]
) -> Iterator[LoggedStatement]:
    """What was decided as it stood at the release, sorted by id."""
    kept: Iterable[LoggedStatement] = (
        from_json(LoggedStatement, body) for _, body in _contents(desk, logged)
    )
    both = heapq.merge(kept, map(logged_entry, released_entries), key=lambda row: row.statement.id)
    for _, rows in groupby(both, key=lambda row: row.statement.id):
        yield next(rows)  # of two, what was kept


def compare_releases(desk: HasStore, before: str, after: str) -> ReleaseDifference:
    """What changed from the earlier of two releases to the later, whichever is named first; "" as
    `before` is the empty knowledge base.
    """
    if before and version_sort_key(before) > version_sort_key(after):
        before, after = after, before
    old_release, new_release = (
        described_release(desk, before) if before else None,
        described_release(desk, after),
    )
    old = desk.store.releases.statements(old_release.number) if old_release else {}
    new = desk.store.releases.statements(new_release.number)
    return release_difference(
        (before, after),
        release_entries(desk, {name: at for name, at in old.items() if new.get(name) != at}),
        release_entries(desk, {name: at for name, at in new.items() if old.get(name) != at}),
        reasons=_reasons(desk, before, after),
        retracted=(old_release.retracted if old_release else (), new_release.retracted),
    )


def release_entries(desk: HasStore, statements: Mapping[str, str]) -> dict[str, ExportEntry]:
    """Statement → the entry whose content has that digest."""
    bodies = dict(_contents(desk, list(dict.fromkeys(statements.values()))))
    return {name: from_json(ExportEntry, bodies[at]) for name, at in statements.items()}


def notes_of(desk: HasStore, number: str) -> str:
    """The release notes as Markdown."""
    release = described_release(desk, number)
    return release_notes(release, compare_releases(desk, release.previous, release.number))


def _reasons(desk: HasStore, before: str, after: str) -> dict[str, str]:
    """Why statements were withdrawn in the releases from one to another; the latest word counts."""
    reasons: dict[str, str] = {}
    for release in reversed(list_releases(desk)):
        if version_sort_key(release.number) > version_sort_key(before or "0.0.0"):
            reasons |= release.withdrawn
        if release.number == after:
            break
    return reasons


def _contents(desk: HasStore, digests: Sequence[str]) -> Iterable[tuple[str, Json]]:
    missing = set(digests)
    for name, body in desk.store.releases.contents(digests):
        if json_digest(body) != name:
            raise _changed(name[:12])
        missing.discard(name)
        yield name, body
    if missing:
        raise _changed(min(missing)[:12])


def _changed(name: str) -> StoreError:
    return StoreError(
        f"Release content {name} is not what was released: its rows have been changed since.",
        "Put back the newest copy of the database.",
    )


def release_chunks(
    desk: HasStore, number: str, name: str, signing_key: bytes = b""
) -> Iterator[bytes]:
    """A release in a format. Raises NotFound, and InputError for a format there is not."""
    export_format = format_named(name)
    return export_format.chunks(replace(knowledge_base(desk, number), signing_key=signing_key))


def release_remarks(desk: HasStore, number: str, name: str) -> tuple[Problem, ...]:
    """What of a release a format cannot say, and why."""
    export_format = format_named(name)
    if export_format.remarks is no_remarks:  # the release need not be read for that
        return ()
    return tuple(export_format.remarks(knowledge_base(desk, number)))


def file_name(desk: HasFolder, number: str, export_format: ExportFormat) -> str:
    """`my-project-1.2.0.ttl`"""
    return f"{release_stem(desk, number)}{export_format.suffix}"


def release_stem(desk: HasFolder, number: str) -> str:
    """What the files of a release are called before their ending."""
    return f"{graph.file_stem(desk)}-{number}"
