"""The list of documents: searched, filtered, sorted and cut into pages by the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, exists, func, or_, select

from core.model import DocumentOrder, DocumentShow, State, fold_words
from core.store.database import Repository
from core.store.document_notice import withdrawn_documents
from core.store.table import document_ids, document_labels, documents, runs, statements, texts

OPEN = (str(State.PROPOSED), str(State.UNSURE))
BEGINNING = 200  # characters of a text that are searched where it has no title


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """Which documents; what is empty does not restrict. `words` all occur in title, ids, journal or
    tags (ASCII letters fold). `assigned` is an ORCID. `kind` is of one of its texts. A statement
    counts for the document of its first evidence.
    """

    words: str = ""
    tag: str = ""
    assigned: str = ""
    year: str = ""
    kind: str = ""
    show: DocumentShow = DocumentShow.ALL


EVERY_DOCUMENT = DocumentFilter()


class DocumentListRepository(Repository):
    def page(
        self,
        filter: DocumentFilter = EVERY_DOCUMENT,
        order: DocumentOrder = DocumentOrder.NEWEST,
        *,
        limit: int = 0,
        offset: int = 0,
    ) -> list[str]:
        """Ids of documents in order; 0 is no limit."""
        query = _ordered(_filtered(select(documents.c.id), filter), order).offset(offset)
        query = query.limit(limit) if limit else query
        with self.reading() as connection:
            return list(connection.scalars(query))

    def count(self, filter: DocumentFilter = EVERY_DOCUMENT) -> int:
        query = _filtered(select(func.count()).select_from(documents), filter)
        with self.reading() as connection:
            return int(connection.scalar(query) or 0)

    def choices(self) -> Mapping[str, Sequence[str]]:
        """What there is to filter by: `tag`, `assigned` (ORCID iDs), `year` (the newest first) and
        `kind`.
        """
        columns: dict[str, Select[Any]] = {
            "tag": select(document_labels.c.value).where(document_labels.c.kind == "tag"),
            "assigned": select(document_labels.c.value).where(document_labels.c.kind == "assigned"),
            "year": select(documents.c.year).where(documents.c.year != ""),
            "kind": select(texts.c.kind),
        }
        with self.reading() as connection:
            values = {
                name: sorted(connection.scalars(query.distinct()))
                for name, query in columns.items()
            }
        return values | {"year": values["year"][::-1]}


def _filtered(query: Select[Any], filter: DocumentFilter) -> Select[Any]:
    conditions = [_mentions_word(word) for word in fold_words(filter.words).split()]
    for kind, value in (("tag", filter.tag), ("assigned", filter.assigned)):
        if value:
            conditions.append(_labelled(kind, document_labels.c.value == value))
    if filter.year:
        conditions.append(documents.c.year == filter.year)
    if filter.kind:
        of_kind = select(texts.c.document).where(texts.c.kind == filter.kind)
        conditions.append(documents.c.id.in_(of_kind))
    return query.where(*conditions, *_state_conditions(filter.show))


def _mentions_word(word: str) -> ColumnElement[bool]:
    """Whether a word occurs in the title (or in how the text begins, where there is none), the ids,
    the journal or the tags.
    """

    def has(column: Any) -> ColumnElement[bool]:
        return func.lower(column).contains(word, autoescape=True)

    alias = exists().where(document_ids.c.document == documents.c.id, has(document_ids.c.alias))
    begins = exists().where(
        texts.c.document == documents.c.id, has(func.substr(texts.c.text, 1, BEGINNING))
    )
    untitled = (documents.c.title == "") & begins
    tagged = _labelled("tag", has(document_labels.c.value))
    return or_(has(documents.c.title), has(documents.c.journal), alias, tagged, untitled)


def _labelled(kind: str, condition: ColumnElement[bool]) -> ColumnElement[bool]:
    labelled = select(document_labels.c.document).where(document_labels.c.kind == kind, condition)
    return documents.c.id.in_(labelled)


def _state_conditions(show: DocumentShow) -> list[ColumnElement[bool]]:
    of_statements = select(statements.c.document).where(statements.c.document != "")
    waiting = documents.c.id.in_(of_statements.where(statements.c.state.in_(OPEN)))
    having = documents.c.id.in_(of_statements)
    match show:
        case DocumentShow.WAITING:
            return [waiting]
        case DocumentShow.DECIDED:
            return [having, ~waiting]
        case DocumentShow.NONE:
            return [~having]
        case DocumentShow.UNREAD:
            return [~exists().where(runs.c.document == documents.c.id, runs.c.kind == "extract")]
        case DocumentShow.WITHDRAWN:
            return [documents.c.id.in_(withdrawn_documents())]
    return []


def _ordered(query: Select[Any], order: DocumentOrder) -> Select[Any]:
    table = documents.c
    if order in (DocumentOrder.WAITING, DocumentOrder.STATEMENTS):
        counted = select(statements.c.document, func.count().label("number"))
        if order is DocumentOrder.WAITING:
            counted = counted.where(statements.c.state.in_(OPEN))
        number = counted.group_by(statements.c.document).subquery()
        query = query.outerjoin(number, number.c.document == table.id)
        return query.order_by(func.coalesce(number.c.number, 0).desc(), table.id)
    columns: dict[DocumentOrder, list[ColumnElement[Any]]] = {
        DocumentOrder.OLDEST: [table.created],
        DocumentOrder.YEAR: [table.year.desc()],
        DocumentOrder.TITLE: [table.title == "", func.lower(table.title)],
        DocumentOrder.JOURNAL: [table.journal == "", func.lower(table.journal)],
    }
    return query.order_by(*columns.get(order, [table.created.desc()]), table.id)
