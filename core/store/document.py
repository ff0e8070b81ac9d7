"""Documents and their text versions: one paper is one document, whichever of its ids it came by."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from core.errors import NotFound
from core.model import Document, TextVersion
from core.store.database import Database
from core.store.table import document_ids, documents, texts


class Documents(Database):
    def add_document(self, document: Document) -> Document:
        """The document as it is now known: one that shares an id with it gains the other ids and, if it had none,
        the title. Use the id of what is returned."""
        return self.repeating(lambda connection: _add(connection, document, self.clock()))

    def add_text(self, version: TextVersion) -> TextVersion:
        """Keep a text version; the same text of the same document is kept once."""

        def work(connection: Connection) -> TextVersion:
            place = (texts.c.document == version.document) & (texts.c.sha == version.sha)
            if not connection.execute(select(texts.c.sha).where(place)).first():
                row = {"document": version.document, "sha": version.sha, "kind": version.kind, "text": version.text}
                connection.execute(insert(texts).values(**row, created=self.clock()))
            return version

        return self.repeating(work)

    def text(self, sha: str, document: str = "") -> TextVersion:
        """The text version of that SHA-256 (of `document`, where several hold the same text)."""
        query = select(texts).where(texts.c.sha == sha).order_by(texts.c.created, texts.c.document)
        with self.reading() as connection:
            rows = connection.execute(query).all()
        for row in rows:
            if row.document == document or not document:
                return TextVersion(row.sha, row.document, row.text, row.kind)
        raise NotFound(f"No text with the digest {sha[:12]}… is stored in this project.")

    def texts(self, document: str) -> list[TextVersion]:
        """Every text version of a document, oldest first."""
        query = select(texts).where(texts.c.document == document).order_by(texts.c.created, texts.c.sha)
        with self.reading() as connection:
            return [TextVersion(r.sha, r.document, r.text, r.kind) for r in connection.execute(query)]

    def document(self, id: str) -> Document:
        """A document by any of its ids. Raises NotFound."""
        with self.reading() as connection:
            if (found := _named(connection, [id])) is not None:
                return _read(connection, found)
        raise NotFound(f"No document {id[:80]} is stored in this project.")

    def documents(self) -> list[Document]:
        """Every document, oldest first."""
        aliases: dict[str, list[str]] = {}
        with self.reading() as connection:
            for row in connection.execute(select(document_ids).order_by(document_ids.c.alias)):
                aliases.setdefault(row.document, []).append(row.alias)
            rows = connection.execute(select(documents).order_by(documents.c.created, documents.c.id)).all()
        return [Document(row.id, row.title, tuple(aliases.get(row.id, ()))) for row in rows]


def _add(connection: Connection, document: Document, time: str) -> Document:
    names = sorted({document.id, *document.ids})
    known = _named(connection, names)
    if known is None:
        known = document.id
        connection.execute(insert(documents).values(id=known, title=document.title, created=time))
    elif document.title:
        untitled = (documents.c.id == known) & (documents.c.title == "")
        connection.execute(update(documents).where(untitled).values(title=document.title))
    have = set(connection.scalars(select(document_ids.c.alias).where(document_ids.c.alias.in_(names))))
    if new := [{"alias": name, "document": known} for name in names if name not in have]:
        connection.execute(insert(document_ids), new)
    return _read(connection, known)


def _named(connection: Connection, names: list[str]) -> str | None:
    query = select(document_ids.c.document).where(document_ids.c.alias.in_(names)).order_by(document_ids.c.document)
    return connection.scalar(query.limit(1))


def _read(connection: Connection, id: str) -> Document:
    title = connection.scalar(select(documents.c.title).where(documents.c.id == id)) or ""
    query = select(document_ids.c.alias).where(document_ids.c.document == id).order_by(document_ids.c.alias)
    return Document(id, title, tuple(connection.scalars(query)))
