"""The list of documents: which pass a filter, in what order, and what the project knows of each in
one look: source, runs, states of its statements, people, tags and who it is assigned to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    union,
)

from core.model import DocumentOrder, DocumentShow, State, fold_words
from core.store.database import Repository
from core.store.document_notice import (
    RETRACTS,
    DocumentDetails,
    document_notices,
    withdrawn_documents,
    write_details,
)
from core.store.id_batches import id_batches
from core.store.queue_filter import unknown_to, unsure_unknown_to
from core.store.table import (
    decisions,
    document_ids,
    document_labels,
    documents,
    evidence,
    proposals,
    runs,
    statements,
    texts,
)


@dataclass(slots=True)
class DocumentFacts:
    """Facts of one document. `labels` are (kind, value): (`tag`, words), (`assigned`, ORCID) or
    (`withdrawn`, note). `notice` is what its source says: retracted, or deleted.
    """

    id: str
    title: str = ""
    created: str = ""
    year: str = ""
    journal: str = ""
    notice: str = ""
    ids: tuple[str, ...] = ()
    begins: str = ""  # how its first text begins
    kinds: tuple[str, ...] = ()
    runs: int = 0
    states: dict[State, int] = field(default_factory=dict)
    curators: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()


class DocumentOverviewRepository(Repository):
    def facts(self, ids: Sequence[str], blind_to: str | None = None) -> list[DocumentFacts]:
        """Facts of these documents, in this order; what is not there is left out. `blind_to` is a
        reader who does not see how others judged what waits.
        """
        facts: dict[str, DocumentFacts] = {}
        with self.reading() as connection:
            for part in id_batches(list(ids)):
                part_facts = {
                    row.id: DocumentFacts(
                        row.id,
                        row.title,
                        row.created,
                        year=row.year,
                        journal=row.journal,
                        notice=row.notice,
                    )
                    for row in connection.execute(select(documents).where(documents.c.id.in_(part)))
                }
                _add_texts(connection, part_facts)
                _add_statements(connection, part_facts, blind_to)
                facts |= part_facts
        return [facts[id] for id in ids if id in facts]

    def text_beginnings(self, ids: Sequence[str]) -> dict[str, str]:
        """Document → how its oldest text begins (200 characters)."""
        begins: dict[str, str] = {}
        query = select(texts.c.document, func.substr(texts.c.text, 1, 200)).order_by(
            texts.c.created
        )
        with self.reading() as connection:
            for part in id_batches(list(ids)):
                for document, words in connection.execute(query.where(texts.c.document.in_(part))):
                    begins.setdefault(document, words)
        return begins

    def labels(self, ids: Sequence[str], kind: str) -> dict[str, tuple[str, ...]]:
        """Document → its labels of this kind, for those that have one."""
        by_document: dict[str, tuple[str, ...]] = {}
        query = select(document_labels.c.document, document_labels.c.value)
        query = query.where(document_labels.c.kind == kind).order_by(document_labels.c.seq)
        with self.reading() as connection:
            for part in id_batches(ids):
                for row in connection.execute(query.where(document_labels.c.document.in_(part))):
                    by_document[row.document] = (*by_document.get(row.document, ()), row.value)
        return by_document

    def set_labels(self, kind: str, labels: Mapping[str, Sequence[str]], curator: str) -> None:
        """Document → the labels of this kind that it has from now on; all of them or none."""

        def work(connection: Connection) -> None:
            for part in id_batches(list(labels)):
                place = document_labels.c.document.in_(part) & (document_labels.c.kind == kind)
                connection.execute(delete(document_labels).where(place))
            common = {"kind": kind, "curator": curator, "time": self.clock()}
            rows = [
                common | {"document": document, "value": value}
                for document, values in labels.items()
                for value in values
            ]
            if rows:
                connection.execute(insert(document_labels), rows)

        self.repeating(work)

    def set_details(self, details: Mapping[str, DocumentDetails]) -> None:
        """Keep what their sources say of documents."""
        self.repeating(lambda connection: write_details(connection, details))

    def retracted_ids(self) -> set[str]:
        """The ids of papers, in the project or not, that a notice in the project retracts."""
        query = select(document_labels.c.value).where(document_labels.c.kind == RETRACTS)
        with self.reading() as connection:
            return set(connection.scalars(query))

    def notices(self, papers: Sequence[str]) -> dict[str, str]:
        """Document → what happened to it, for those of `papers` that were retracted or deleted."""
        with self.reading() as connection:
            return document_notices(connection, papers)


def _add_texts(connection: Connection, facts: Mapping[str, DocumentFacts]) -> None:
    """Ids, kinds of texts, runs and labels."""
    ids = list(facts)
    aliases = select(document_ids.c.document, document_ids.c.alias).order_by(document_ids.c.alias)
    for document, alias in connection.execute(aliases.where(document_ids.c.document.in_(ids))):
        facts[document].ids = (*facts[document].ids, alias)
    kinds = select(texts.c.document, texts.c.kind, func.substr(texts.c.text, 1, 200))
    kinds = kinds.where(texts.c.document.in_(ids)).order_by(texts.c.created)
    for document, kind, begins in connection.execute(kinds):
        fact = facts[document]
        fact.kinds = tuple(dict.fromkeys((*fact.kinds, kind)))
        fact.begins = fact.begins or begins
    counted = select(runs.c.document, func.count()).group_by(runs.c.document)
    for document, count in connection.execute(counted.where(runs.c.document.in_(ids))):
        facts[document].runs = count
    labels = select(document_labels.c.document, document_labels.c.kind, document_labels.c.value)
    for document, kind, value in connection.execute(
        labels.where(document_labels.c.document.in_(ids)).order_by(document_labels.c.seq)
    ):
        facts[document].labels = (*facts[document].labels, (kind, value))


def _add_statements(
    connection: Connection, facts: Mapping[str, DocumentFacts], blind_to: str | None
) -> None:
    """States of the statements, and who decided on them."""
    ids = list(facts)
    members = union(
        select(proposals.c.document, proposals.c.statement).where(proposals.c.document.in_(ids)),
        select(evidence.c.document, evidence.c.statement).where(evidence.c.document.in_(ids)),
    ).subquery()
    seen_state: ColumnElement[Any] = statements.c.state
    if blind_to is not None:
        seen_state = case((unsure_unknown_to(blind_to), str(State.PROPOSED)), else_=seen_state)
    seen = (
        select(members.c.document, seen_state.label("state"))
        .join(statements, statements.c.id == members.c.statement)
        .subquery()
    )
    by_state = select(seen.c.document, seen.c.state, func.count())
    for document, state, count in connection.execute(
        by_state.group_by(seen.c.document, seen.c.state)
    ):
        facts[document].states[State(state)] = count
    people = (
        select(members.c.document, decisions.c.curator)
        .distinct()
        .join(decisions, decisions.c.statement == members.c.statement)
        .order_by(decisions.c.curator)
    )
    if blind_to is not None:
        people = people.join(statements, statements.c.id == members.c.statement)
        people = people.where(or_(decisions.c.curator == blind_to, ~unknown_to(blind_to)))
    for document, orcid in connection.execute(people):
        facts[document].curators = (*facts[document].curators, orcid)


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
