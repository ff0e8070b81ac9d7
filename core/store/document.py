"""Documents and their text versions: one paper is one document, whichever of its ids it came by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import ColumnElement, Connection, bindparam, exists, func, insert, select, update

from core.errors import NotFound
from core.model import Document, TextVersion
from core.store.database import Repository
from core.store.document_notice import DocumentDetails, write_details
from core.store.id_batches import id_batches
from core.store.known_papers import (
    ABSTRACT,
    IncomingPaper,
    KnownPapers,
    digest_id,
    id_of_its_own,
    in_turn,
)
from core.store.table import document_ids, documents, texts
from core.text.fold import fold_text

# The id of a record by its title, year and first author alone, which several papers may share
_BY_TITLE = re.compile(r"doc:[0-9a-f]{24}")


class DocumentRepository(Repository):
    def add(self, document: Document) -> Document:
        """The document as it is now known: one that shares an id with it gains the other ids and,
        if it had none, the title. Use the id of what is returned.
        """

        def work(connection: Connection) -> Document:
            incoming = [IncomingPaper(document)]
            return _stored_document(
                connection, add_documents(connection, incoming, self.clock())[0]
            )

        return self.repeating(work)

    def add_many(self, documents: Sequence[Document]) -> None:
        """`add` of many, in one transaction."""
        if documents:
            incoming = list(map(IncomingPaper, documents))
            self.repeating(lambda connection: add_documents(connection, incoming, self.clock()))

    def add_all(
        self, entries: Sequence[tuple[Document, TextVersion, DocumentDetails]]
    ) -> list[str]:
        """Papers with a text and what their source says of them, all of them or none; the ids that
        they have in this project, in order.
        """

        def work(connection: Connection) -> list[str]:
            time = self.clock()
            incoming = [
                IncomingPaper(document, text, details.facts) for document, text, details in entries
            ]
            ids = add_documents(connection, incoming, time)
            details_by_id: dict[str, DocumentDetails] = {}
            for id, (_, text, details) in zip(ids, entries, strict=True):
                write_text(connection, replace(text, document=id), time)
                details_by_id[id] = details
            write_details(connection, details_by_id)
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

    def newest_texts(self, documents: Sequence[str]) -> dict[str, str]:
        """Document → its newest text, of those that have any."""
        columns = select(texts.c.document, texts.c.text).order_by(texts.c.created, texts.c.sha)
        newest: dict[str, str] = {}
        with self.reading() as connection:
            for part in id_batches(documents):
                rows = connection.execute(columns.where(texts.c.document.in_(part)))
                newest |= {row.document: row.text for row in rows}
        return newest

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

    def all(self, *, joined: bool = False) -> list[Document]:
        """Every document, oldest first; with `joined` also those that went into another, which
        evidence may rest on, with the ids of that.
        """
        aliases: dict[str, list[str]] = {}
        owners: dict[str, str] = {}
        query = select(documents).order_by(documents.c.created, documents.c.id)
        with self.reading() as connection:
            for row in connection.execute(select(document_ids).order_by(document_ids.c.alias)):
                aliases.setdefault(row.document, []).append(row.alias)
                owners[row.alias] = row.document
            rows = connection.execute(query if joined else query.where(stands_alone())).all()
        return [
            Document(row.id, row.title, tuple(aliases.get(owners.get(row.id, row.id), ())))
            for row in rows
        ]


def stands_alone() -> ColumnElement[bool]:
    """Whether a document did not go into another."""
    elsewhere = (document_ids.c.alias == documents.c.id) & (
        document_ids.c.document != documents.c.id
    )
    return ~exists().where(elsewhere)


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
    connection: Connection, incoming: Sequence[IncomingPaper], time: str
) -> list[str]:
    """The id that each of these papers has in this project. New ones are added, known ones gain ids
    and, where they had none, a title. Which are one is judged (core/identity); what each source
    said is kept beside it, with the reasons, and pairs that a curator is asked about.
    """
    in_turn(connection)
    known = KnownPapers(connection, incoming)
    by_title = [_id_by_title(paper) for paper in incoming]
    by_record = [_id_by_record(paper) for paper in incoming]
    names = {name for paper in incoming for name in _names(paper)}
    own_by_name = dict(_owners(connection, names | {*by_title, *by_record}))
    query = select(documents.c.id).where(documents.c.title == "")
    untitled = set(connection.scalars(query.where(documents.c.id.in_([*own_by_name.values()]))))
    own_ids, titles, aliases = [], dict[str, str](), list[dict[str, str]]()
    for paper, title_id, record_id in zip(incoming, by_title, by_record, strict=True):
        document, mine = paper.document, _names(paper)
        match = known.match(paper)
        id = match.document
        if not id:
            free = (name for name in (document.id, *sorted(mine)) if name not in own_by_name)
            spare = (name for name in (title_id, record_id) if name and name not in own_by_name)
            id = next(free, next(spare, "")) or id_of_its_own(document.id, paper.digest)
            mine.add(id)
            titles[id] = document.title
        elif document.title and id in untitled:
            connection.execute(
                update(documents).where(documents.c.id == id).values(title=document.title)
            )
            untitled.discard(id)
        known.note(paper, id, match, time)
        aliases += [{"alias": name, "document": id} for name in sorted(mine - set(own_by_name))]
        own_by_name |= {name: id for name in mine if name not in own_by_name}
        own_ids.append(id)
    _write(connection, titles, aliases, time)
    known.write()
    return own_ids


def _names(paper: IncomingPaper) -> set[str]:
    return {paper.document.id, *paper.document.ids}


def _write(
    connection: Connection, titles: Mapping[str, str], aliases: list[dict[str, str]], time: str
) -> None:
    """New papers with their titles, and all ids that are new."""
    if titles:
        rows = [{"id": id, "title": title, "created": time} for id, title in titles.items()]
        connection.execute(insert(documents), rows)
    if aliases:
        connection.execute(insert(document_ids), aliases)


def _id_by_title(paper: IncomingPaper) -> str:
    """The id of a record of an abstract whose DOI turns out to be another paper's; "" for others,
    whose titles may be a guess.
    """
    document = paper.document
    doi = next((name for name in (document.id, *document.ids) if name.startswith("DOI:")), "")
    if paper.text.kind != ABSTRACT or not doi or not document.title:
        return ""
    letters = "".join(filter(str.isalnum, fold_text(document.title)))
    return digest_id(f"{doi}|{letters}")


def _id_by_record(paper: IncomingPaper) -> str:
    """The id of a record without any but that of its title, where this turns out to be that of
    another paper; "" for records with ids of their own.
    """
    if not _BY_TITLE.fullmatch(paper.document.id):
        return ""
    record = paper.record
    return digest_id("|".join((paper.document.id, record.pages, fold_text(record.abstract))))


def _owners(connection: Connection, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    query = select(document_ids.c.alias, document_ids.c.document).where(
        document_ids.c.alias.in_(list(names))
    )
    return ((row.alias, row.document) for row in connection.execute(query))


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
