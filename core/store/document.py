"""Documents and their text versions: one paper is one document, whichever of its ids it came by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update

from core.errors import NotFound
from core.model import Document, TextVersion
from core.store.database import Repository
from core.store.document_notice import DocumentDetails, write_details
from core.store.id_batches import id_batches
from core.store.table import document_ids, documents, members, texts
from core.text.fold import fold_text
from core.text.same_record import RecordFacts, contradiction
from core.text.title import titles_differ

_ABSTRACT = "abstract"
# The id of a record by its title, year and first author alone, which several papers may share
_BY_TITLE = re.compile(r"doc:[0-9a-f]{24}")


class DocumentRepository(Repository):
    def add(self, document: Document) -> Document:
        """The document as it is now known: one that shares an id with it gains the other ids and,
        if it had none, the title. Use the id of what is returned.
        """

        def work(connection: Connection) -> Document:
            return _stored_document(
                connection, add_documents(connection, [document], self.clock())[0]
            )

        return self.repeating(work)

    def add_many(self, documents: Sequence[Document]) -> None:
        """`add` of many, in one transaction."""
        if documents:
            self.repeating(lambda connection: add_documents(connection, documents, self.clock()))

    def add_all(
        self, entries: Sequence[tuple[Document, TextVersion, DocumentDetails]]
    ) -> list[str]:
        """Papers with a text and what their source says of them, all of them or none; the ids that
        they have in this project, in order.
        """

        def work(connection: Connection) -> list[str]:
            time = self.clock()
            kinds = [text.kind for _, text, _ in entries]
            facts = [record_facts(text, {}) for _, text, _ in entries]
            incoming = [document for document, _, _ in entries]
            ids = add_documents(connection, incoming, time, kinds, facts=facts)
            details: dict[str, DocumentDetails] = {}
            for id, (_, text, document_details) in zip(ids, entries, strict=True):
                write_text(connection, replace(text, document=id), time)
                details[id] = document_details
            write_details(connection, details)
            return ids

        return self.repeating(work)

    def add_text(self, version: TextVersion) -> TextVersion:
        """Keep a text version; the same text of the same document is kept once."""

        def work(connection: Connection) -> TextVersion:
            write_text(connection, version, self.clock())
            return version

        return self.repeating(work)

    def text(self, sha: str, document: str = "") -> TextVersion:
        """The text version of that SHA-256 (of `document`, where several hold the same text)."""
        with self.reading() as connection:
            rows = connection.execute(_BY_SHA, {"sha": sha}).all()
        for row in rows:
            if row.document == document or not document:
                return TextVersion(row.sha, row.document, row.text, row.kind)
        raise NotFound(f"No text with the digest {sha[:12]}… is stored in this project.")

    def lengths(self, shas: Sequence[str]) -> dict[str, int]:
        """The characters of stored texts by their SHA-256."""
        query = select(texts.c.sha, func.length(texts.c.text)).where(texts.c.sha.in_(shas))
        with self.reading() as connection:
            return {row.sha: row[1] for row in connection.execute(query)}

    def texts(self, document: str) -> list[TextVersion]:
        """Every text version of a document, oldest first."""
        query = (
            select(texts).where(texts.c.document == document).order_by(texts.c.created, texts.c.sha)
        )
        with self.reading() as connection:
            return [
                TextVersion(r.sha, r.document, r.text, r.kind) for r in connection.execute(query)
            ]

    def newer_texts(self, papers: Sequence[str]) -> dict[tuple[str, str], str]:
        """(document, SHA-256) of each text that was read again, with other words, since it was
        kept → the SHA-256 of the newest text of its kind.
        """
        columns = select(texts.c.document, texts.c.sha, texts.c.kind).order_by(texts.c.created)
        newest: dict[tuple[str, str], str] = {}
        kinds: dict[tuple[str, str], str] = {}
        with self.reading() as connection:
            for part in id_batches(papers):
                for document, sha, kind in connection.execute(
                    columns.where(texts.c.document.in_(part))
                ):
                    newest[document, kind] = sha
                    kinds[document, sha] = kind
        latest = {key: newest[key[0], kind] for key, kind in kinds.items()}
        return {key: sha for key, sha in latest.items() if key[1] != sha}

    def get(self, id: str) -> Document:
        """A document by any of its ids. Raises NotFound."""
        with self.reading() as connection:
            if (own_id := _document_by_alias(connection, [id])) is not None:
                return _stored_document(connection, own_id)
        raise NotFound(f"No document {id[:80]} is stored in this project.")

    def own_ids(self, names: Sequence[str]) -> dict[str, str]:
        """Any id of a document → the one that it has in this project."""
        own_by_name: dict[str, str] = {}
        with self.reading() as connection:
            for start in range(0, len(names), 1000):
                own_by_name |= dict(_owners(connection, names[start : start + 1000]))
        return own_by_name

    def all(self) -> list[Document]:
        """Every document, oldest first."""
        aliases: dict[str, list[str]] = {}
        with self.reading() as connection:
            for row in connection.execute(select(document_ids).order_by(document_ids.c.alias)):
                aliases.setdefault(row.document, []).append(row.alias)
            rows = connection.execute(
                select(documents).order_by(documents.c.created, documents.c.id)
            ).all()
        return [Document(row.id, row.title, tuple(aliases.get(row.id, ()))) for row in rows]


_BY_SHA = (
    select(texts).where(texts.c.sha == bindparam("sha")).order_by(texts.c.created, texts.c.document)
)


def write_text(connection: Connection, version: TextVersion, time: str) -> None:
    """Keep a text version in the transaction of `connection`, once."""
    place = {"document": version.document, "sha": version.sha}
    if not connection.execute(_KEPT, place).first():
        row = place | {"kind": version.kind, "text": version.text, "created": time}
        connection.execute(_KEEP, row)


_KEPT = select(texts.c.sha).where(
    texts.c.document == bindparam("document"), texts.c.sha == bindparam("sha")
)
_KEEP = insert(texts)


def add_documents(
    connection: Connection,
    incoming: Sequence[Document],
    time: str,
    kinds: Sequence[str] = (),
    *,
    facts: Sequence[RecordFacts] = (),
) -> list[str]:
    """The id that each of these papers has in this project. New ones are added, known ones gain ids
    and, where they had none, a title. Papers are one when they share an id, but never when their
    PMIDs differ, for an erratum or the chapters of a book may bear the DOI of another; nor by a
    DOI alone when both are records of abstracts (`kinds`, of their texts) whose titles clearly
    differ, as a congress gives one DOI to all its abstracts; nor by title, year and first author
    where their pages or abstracts (`facts`) differ.
    """
    kinds = list(kinds) or [""] * len(incoming)
    facts = list(facts) or [RecordFacts()] * len(incoming)
    by_title = [
        _id_by_title(document, kind) for document, kind in zip(incoming, kinds, strict=True)
    ]
    by_record = list(map(_id_by_record, incoming, facts))
    names = {name for document in incoming for name in (document.id, *document.ids)}
    own_by_name = dict(_owners(connection, names | {*by_title, *by_record}))
    own = _aliases(connection, set(own_by_name.values()))
    query = select(documents.c.id).where(documents.c.id.in_(list(own)), documents.c.title == "")
    untitled = set(connection.scalars(query))
    abstract_titles = _abstract_titles(connection, own) if any(by_title) else {}
    shared = {
        own_by_name[name] for name in names if name in own_by_name and _BY_TITLE.fullmatch(name)
    }
    facts_by_id = _stored_facts(connection, shared)
    own_ids, titles, aliases = [], dict[str, str](), list[dict[str, str]]()
    for document, title_id, record_id, record in zip(
        incoming, by_title, by_record, facts, strict=True
    ):
        mine = {document.id, *document.ids}
        title = document.title if title_id else ""
        known = mine - {n for n in mine if _contradicted(n, own_by_name, facts_by_id, record)}
        id = _same(
            known, own_by_name, own, title, abstract_titles=abstract_titles
        ) or own_by_name.get(title_id, own_by_name.get(record_id))
        if id is None:
            free = (name for name in (document.id, *sorted(mine)) if name not in own_by_name)
            id = next(free, title_id or record_id)
            mine.add(id)
            own[id] = set()
            facts_by_id[id] = record
            titles[id] = document.title
            abstract_titles[id] = title
        elif document.title and id in untitled:
            connection.execute(
                update(documents).where(documents.c.id == id).values(title=document.title)
            )
            untitled.discard(id)
        aliases += [{"alias": name, "document": id} for name in sorted(mine - set(own_by_name))]
        own_by_name |= {name: id for name in mine if name not in own_by_name}
        own[id] |= mine
        own_ids.append(id)
    _write(connection, titles, aliases, time)
    return own_ids


def _write(
    connection: Connection, titles: Mapping[str, str], aliases: list[dict[str, str]], time: str
) -> None:
    """New papers with their titles, and all ids that are new."""
    if titles:
        rows = [{"id": id, "title": title, "created": time} for id, title in titles.items()]
        connection.execute(insert(documents), rows)
    if aliases:
        connection.execute(insert(document_ids), aliases)


def _id_by_title(document: Document, kind: str) -> str:
    """The id of a record of an abstract whose DOI turns out to be another paper's; "" for others,
    whose titles may be a guess.
    """
    doi = next((name for name in (document.id, *document.ids) if name.startswith("DOI:")), "")
    if kind != _ABSTRACT or not doi or not document.title:
        return ""
    letters = "".join(filter(str.isalnum, fold_text(document.title)))
    words = f"{doi}|{letters}"
    return "doc:" + sha256(words.encode("utf-8", "replace")).hexdigest()[:24]


def _id_by_record(document: Document, facts: RecordFacts) -> str:
    """The id of a record without any but that of its title, where this turns out to be that of
    another paper; "" for records with ids of their own.
    """
    if not _BY_TITLE.fullmatch(document.id):
        return ""
    words = "|".join((document.id, facts.pages, fold_text(facts.abstract)))
    return "doc:" + sha256(words.encode("utf-8", "replace")).hexdigest()[:24]


def _contradicted(
    name: str,
    own_by_name: Mapping[str, str],
    facts_by_id: Mapping[str, RecordFacts],
    facts: RecordFacts,
) -> bool:
    """Whether an id that rests on title, year and first author leads to another paper."""
    if not _BY_TITLE.fullmatch(name):
        return False
    return bool(contradiction(facts, facts_by_id.get(own_by_name.get(name, ""), RecordFacts())))


def record_facts(text: TextVersion, body: Mapping[str, Any]) -> RecordFacts:
    """What a record gives beside its ids; `body` is what a namespace keeps of it. The first line of
    an abstract's text is its title.
    """
    abstract = text.text.partition("\n")[2] if text.kind == _ABSTRACT else ""
    return RecordFacts(str(body.get("pages") or ""), str(body.get("volume") or ""), abstract)


def _stored_facts(connection: Connection, ids: Iterable[str]) -> dict[str, RecordFacts]:
    """What is stored of these papers: the pages that a namespace keeps, their oldest abstract."""
    wanted = list(ids)
    if not wanted:
        return {}
    stored: dict[str, RecordFacts] = {}
    in_namespaces = select(members.c.document, members.c.body).where(members.c.document.in_(wanted))
    bodies: dict[str, Mapping[str, Any]] = {
        row.document: row.body or {}
        for row in connection.execute(in_namespaces.order_by(members.c.seq.desc()))
    }
    abstracts = select(texts).where(texts.c.document.in_(wanted), texts.c.kind == _ABSTRACT)
    for row in connection.execute(abstracts.order_by(texts.c.created, texts.c.sha)):
        text = TextVersion(row.sha, row.document, row.text, row.kind)
        stored.setdefault(row.document, record_facts(text, bodies.get(row.document, {})))
    no_text = TextVersion("", "", "")
    return {id: record_facts(no_text, body) for id, body in bodies.items()} | stored


def _abstract_titles(connection: Connection, ids: Iterable[str]) -> dict[str, str]:
    """The titles of those that an abstract is kept of."""
    query = (
        select(documents.c.id, documents.c.title)
        .join(texts, texts.c.document == documents.c.id)
        .where(documents.c.id.in_(list(ids)), texts.c.kind == _ABSTRACT)
    )
    return {row.id: row.title for row in connection.execute(query)}


def _same(
    mine: set[str],
    own_by_name: Mapping[str, str],
    own: Mapping[str, set[str]],
    title: str,
    *,
    abstract_titles: Mapping[str, str],
) -> str | None:
    """The document that these ids belong to: the one of their PMID before any other; of a DOI not
    where its title clearly differs.
    """
    pmids, dois = _of_kind("PMID:", mine), _of_kind("DOI:", mine)
    for name in [*sorted(pmids), *sorted(mine)]:
        id = own_by_name.get(name)
        if id is None or _differ(pmids, _of_kind("PMID:", own[id])):
            continue
        if name.startswith("doc:") and _differ(dois, _of_kind("DOI:", own[id])):
            continue
        if name.startswith("DOI:") and titles_differ(title, abstract_titles.get(id, "")):
            continue
        return id
    return None


def _of_kind(prefix: str, names: set[str]) -> set[str]:
    return {name for name in names if name.startswith(prefix)}


def _differ(own_ids: set[str], other_ids: set[str]) -> bool:
    return bool(own_ids and other_ids and not own_ids & other_ids)


def _owners(connection: Connection, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    query = select(document_ids.c.alias, document_ids.c.document).where(
        document_ids.c.alias.in_(list(names))
    )
    return ((row.alias, row.document) for row in connection.execute(query))


def _aliases(connection: Connection, ids: set[str]) -> dict[str, set[str]]:
    ids_by_document: dict[str, set[str]] = {id: set() for id in ids}
    for row in connection.execute(
        select(document_ids).where(document_ids.c.document.in_(list(ids)))
    ):
        ids_by_document[row.document].add(row.alias)
    return ids_by_document


def _document_by_alias(connection: Connection, names: list[str]) -> str | None:
    query = (
        select(document_ids.c.document)
        .where(document_ids.c.alias.in_(names))
        .order_by(document_ids.c.document)
    )
    return connection.scalar(query.limit(1))


def _stored_document(connection: Connection, id: str) -> Document:
    title = connection.scalar(select(documents.c.title).where(documents.c.id == id)) or ""
    query = (
        select(document_ids.c.alias)
        .where(document_ids.c.document == id)
        .order_by(document_ids.c.alias)
    )
    return Document(id, title, tuple(connection.scalars(query)))
