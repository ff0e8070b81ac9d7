"""Namespaces and their members."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import partial
from operator import add
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from core.errors import NotFound
from core.model import Document, Json, TextVersion
from core.store.database import Repository
from core.store.document import add_documents
from core.store.document_notice import details_of, write_details
from core.store.known_papers import IncomingPaper
from core.store.table import documents, members, namespaces, texts

BATCH = 400
_DELETED, _ABSTRACT_AFTER_FULL = "deleted from PubMed", ("abstract", "full text")
_OWN = 0.1  # of an abstract's words that its shorter form may have, at most


@dataclass(frozen=True, slots=True)
class Namespace:
    """A named, stored query. `query` and `settings` are JSON of the literature room; `version`
    counts changes of its members, so that an index knows whether it is of this namespace's present
    state.
    """

    name: str
    query: Json = field(default_factory=dict)
    settings: Json = field(default_factory=dict)
    version: int = 0
    created: str = ""
    updated: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """A document of a namespace in one text version; `body` is what is known of it (year, journal,
    sections, …).
    """

    document: Document
    text: TextVersion
    body: Json = field(default_factory=dict)
    bare: bool = False  # a title alone, as some libraries give


@dataclass(frozen=True, slots=True)
class MemberChanges:
    """How many were not there, and had another text or more known of them; the members' documents
    in order.
    """

    new: int = 0
    changed: int = 0
    ids: tuple[str, ...] = ()


class NamespaceRepository(Repository):
    # -------------------------------------------------------------- namespaces

    def add(self, name: str, query: Json = None, settings: Json = None) -> Namespace:
        """Make a namespace; one that exists gets the query and settings that are given."""

        def work(connection: Connection) -> None:
            time = self.clock()
            row = connection.execute(
                select(namespaces.c.settings).where(namespaces.c.name == name)
            ).first()
            values: dict[str, Any] = {"updated": ""} if row is None else {}
            values |= {"query": query} if query is not None else {}
            values |= {"settings": settings} if settings is not None else {}
            if row is None:
                columns = {"query": {}, "settings": {}} | values
                connection.execute(
                    insert(namespaces).values(name=name, created=time, version=0, **columns)
                )
            elif values:
                if settings is not None and (imports := (row.settings or {}).get("imports")):
                    values["settings"] = {**settings, "imports": imports}
                connection.execute(
                    update(namespaces).where(namespaces.c.name == name).values(**values)
                )

        self.repeating(work)
        return self.get(name)

    def get(self, name: str) -> Namespace:
        namespace = next((candidate for candidate in self.all() if candidate.name == name), None)
        if namespace is None:
            raise NotFound(
                f"There is no namespace called {name[:80]!r} in this project.", "Create it first."
            )
        return namespace

    def all(self) -> list[Namespace]:
        with self.reading() as connection:
            rows = connection.execute(select(namespaces).order_by(namespaces.c.name)).all()
        return [
            Namespace(
                r.name,
                r.query or {},
                r.settings or {},
                version=r.version,
                created=r.created,
                updated=r.updated,
            )
            for r in rows
        ]

    def delete(self, name: str) -> None:
        """Forget a namespace and who belonged to it; documents, texts and judgements stay."""
        self.get(name)
        with self.writing() as connection:
            connection.execute(delete(members).where(members.c.namespace == name))
            connection.execute(delete(namespaces).where(namespaces.c.name == name))

    def touch(self, name: str, updated: str) -> None:
        """Say when it was last brought up to date."""
        with self.writing() as connection:
            connection.execute(
                update(namespaces).where(namespaces.c.name == name).values(updated=updated)
            )

    # -------------------------------------------------------------- members

    def add_members(self, name: str, members: Sequence[Member]) -> MemberChanges:
        """Add or replace members, in order, each document once. A title alone (`bare`) leaves any
        text in its place, an abstract a full text and the longer form of itself: then what was not
        known is added.
        """
        done = MemberChanges()
        for start in range(0, len(members), BATCH):
            batch = members[start : start + BATCH]
            more = self.repeating(partial(self._add_batch, name=name, batch=batch))
            done = MemberChanges(*map(add, astuple(done), astuple(more)))
        return done

    def _add_batch(
        self, connection: Connection, name: str, batch: Sequence[Member]
    ) -> MemberChanges:
        if (
            connection.execute(select(namespaces.c.name).where(namespaces.c.name == name)).first()
            is None
        ):
            raise NotFound(
                f"There is no namespace {name[:80]!r}; it may have been deleted meanwhile.",
                "What was read was not added.",
            )
        time = self.clock()
        incoming = [IncomingPaper(m.document, m.text, m.body, namespace=name) for m in batch]
        ids = add_documents(connection, incoming, time)
        in_namespace = (members.c.namespace == name) & members.c.document.in_(ids)
        stored_members = {
            row.document: _member(row) for row in connection.execute(_MEMBERS.where(in_namespace))
        }
        rows = _richest(zip(ids, batch, strict=True), stored_members)
        _add_texts(connection, rows, time)
        fresh = [
            {"namespace": name, "document": id, "sha": m.text.sha, "body": m.body, "added": time}
            for id, m in rows.items()
            if id not in stored_members
        ]
        changed = [
            (id, m)
            for id, m in rows.items()
            if id in stored_members
            and (m.text.sha, m.body) != (stored_members[id].text.sha, stored_members[id].body)
        ]
        if fresh:
            connection.execute(insert(members), fresh)
        for id, member in changed:
            place = (members.c.namespace == name) & (members.c.document == id)
            connection.execute(
                update(members).where(place).values(sha=member.text.sha, body=member.body)
            )
        if fresh or changed:
            new_details = [*((row["document"], row["body"]) for row in fresh)]
            new_details += [(id, member.body) for id, member in changed]
            write_details(connection, {id: details_of(body or {}) for id, body in new_details})
            next_version(connection, name)
        return MemberChanges(len(fresh), len(changed), tuple(ids))

    def members(self, name: str, *, limit: int = 0, offset: int = 0) -> Iterator[Member]:
        """Members in the order they were added, with their texts."""
        query = _MEMBERS.where(members.c.namespace == name)
        query = query.limit(limit) if limit else query
        with self.reading(streaming=True) as connection:
            for row in connection.execution_options(stream_results=True).execute(
                query.offset(offset)
            ):
                yield _member(row)

    def member_bodies(self, name: str) -> dict[str, Json]:
        """What is known of each member, by document id, without texts."""
        query = (
            select(members.c.document, members.c.body)
            .where(members.c.namespace == name)
            .order_by(members.c.seq)
        )
        with self.reading() as connection:
            return {row.document: row.body or {} for row in connection.execute(query)}

    def member_kinds(self, names: Sequence[str]) -> dict[str, tuple[str, Json]]:
        """Document id → the kind of its text and what is known of it, in the order added."""
        joined = members.join(
            texts, (texts.c.document == members.c.document) & (texts.c.sha == members.c.sha)
        )
        query = (
            select(members.c.document, members.c.body, texts.c.kind)
            .select_from(joined)
            .where(members.c.namespace.in_(list(names)))
            .order_by(members.c.seq)
        )
        with self.reading() as connection:
            return {row.document: (row.kind, row.body or {}) for row in connection.execute(query)}

    def members_of(self, names: Sequence[str], ids: Sequence[str]) -> dict[str, Member]:
        """Document id → its member in the first of these namespaces that holds it, with its
        text.
        """
        members_by_id: dict[str, Member] = {}
        for start in range(0, len(ids), BATCH):
            of_batch = members.c.document.in_(list(ids[start : start + BATCH]))
            query = _MEMBERS.where(members.c.namespace.in_(list(names)), of_batch)
            with self.reading() as connection:
                for row in connection.execute(query):
                    members_by_id.setdefault(row.document, _member(row))
        return members_by_id

    def note_import(
        self, name: str, source: str, digest: str, records: int, *, new: int, wordless: int = 0
    ) -> None:
        """Keep how many records a source gave, how many papers of them were new and how many held
        neither title nor abstract; the same file again (its digest) counts once.
        """

        def work(connection: Connection) -> None:
            place = namespaces.c.name == name
            settings = dict(connection.scalar(select(namespaces.c.settings).where(place)) or {})
            imports = [entry for entry in settings.get("imports", ()) if entry["digest"] != digest]
            counts = {"records": records, "new": new, "wordless": wordless}
            imports.append({"source": source, "digest": digest, **counts, "time": self.clock()})
            settings["imports"] = imports
            connection.execute(update(namespaces).where(place).values(settings=settings))

        self.repeating(work)

    def holders(self, names: Sequence[str], document: str) -> list[str]:
        """Those of these namespaces that hold a document, in their order."""
        query = select(members.c.namespace).where(
            members.c.document == document, members.c.namespace.in_(list(names))
        )
        with self.reading() as connection:
            holding = set(connection.scalars(query))
        return [name for name in names if name in holding]

    def known_of(self, names: Sequence[str], ids: Sequence[str]) -> dict[str, tuple[str, Json]]:
        """Document id → its title and body, for these documents of these namespaces."""
        title_and_body: dict[str, tuple[str, Json]] = {}
        for start in range(0, len(ids), BATCH):
            query = (
                select(members.c.document, members.c.body, documents.c.title)
                .join(documents, documents.c.id == members.c.document)
                .where(
                    members.c.namespace.in_(list(names)),
                    members.c.document.in_(list(ids[start : start + BATCH])),
                )
            )
            with self.reading() as connection:
                title_and_body |= {
                    row.document: (row.title, row.body or {}) for row in connection.execute(query)
                }
        return title_and_body

    def count_members(self, name: str) -> int:
        query = select(func.count()).select_from(members).where(members.c.namespace == name)
        with self.reading() as connection:
            return int(connection.scalar(query) or 0)


_MEMBERS = (
    select(
        members.c.seq,
        members.c.document,
        members.c.sha,
        members.c.body,
        texts.c.text,
        texts.c.kind,
        documents.c.title,
    )
    .select_from(
        members.join(
            texts, (texts.c.document == members.c.document) & (texts.c.sha == members.c.sha)
        ).join(documents, documents.c.id == members.c.document)
    )
    .order_by(members.c.seq)
)


def _member(row: Any) -> Member:
    text = TextVersion(row.sha, row.document, row.text, row.kind)
    return Member(Document(row.document, row.title), text, row.body or {})


def _richest(
    pairs: Iterable[tuple[str, Member]], stored: Mapping[str, Member]
) -> dict[str, Member]:
    """Document id → what it now is: the later one, unless that has the lesser text, with what only
    the other knows of it.
    """
    richest: dict[str, Member] = {}
    for id, member in pairs:
        before = richest.get(id) or stored.get(id) or member
        kinds = (member.text.kind, before.text.kind)
        keeps_text = kinds == _ABSTRACT_AFTER_FULL or member.bare
        keeps_text |= {*kinds} == {"abstract"} and _says_less(member.text.text, before.text.text)
        chosen, other = (before, member) if keeps_text else (member, before)
        flags = {*before.body.get("flags", ())} - {_DELETED} | {*member.body.get("flags", ())}
        links = sorted({tuple(link) for m in (before, member) for link in m.body.get("links", ())})
        kept = {"flags": sorted(flags), "links": [list(link) for link in links]}
        both = {**other.body, "sections": (), **chosen.body, **kept}
        body = {name: value for name, value in both.items() if value}
        richest[id] = replace(chosen, body=body)
    return richest


def richest_member(id: str, members: Iterable[Member]) -> Member | None:
    """What a document is that these records are of, in order; None for none."""
    return _richest(((id, member) for member in members), {}).get(id)


def _says_less(text: str, other: str) -> bool:
    """Whether a text is a shorter form of another: cut, or without headings. A corrected one has
    words of its own.
    """
    words, other_words = set(text.casefold().split()), set(other.casefold().split())
    return len(text) < len(other) and len(words - other_words) <= max(1, _OWN * len(words))


def _add_texts(connection: Connection, rows: Mapping[str, Member], time: str) -> None:
    """The texts of members by document, those that are not stored yet."""
    stored_texts = {
        (row.document, row.sha)
        for row in connection.execute(
            select(texts.c.document, texts.c.sha).where(texts.c.document.in_(list(rows)))
        )
    }
    new_texts = [
        {"document": id, "sha": t.sha, "kind": t.kind, "text": t.text, "created": time}
        for id, t in ((id, member.text) for id, member in rows.items())
        if (id, t.sha) not in stored_texts
    ]
    if new_texts:
        connection.execute(insert(texts), new_texts)


def next_version(connection: Connection, name: str) -> None:
    place = namespaces.c.name == name
    connection.execute(update(namespaces).where(place).values(version=namespaces.c.version + 1))
