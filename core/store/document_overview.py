"""The list of documents: which pass a filter, in what order, and what the project knows of each in
one look: source, runs, states of its statements, people, tags and who it is assigned to.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    FromClause,
    Select,
    Subquery,
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
from core.model.paper_status import BY_CURATOR
from core.store.database import Repository
from core.store.document import stands_alone
from core.store.document_notice import (
    DocumentDetails,
    document_notices,
    is_of,
    labels_by_paper,
    owners_of,
    withdrawn_documents,
    write_details,
)
from core.store.id_batches import MANY, id_batches, row_batches
from core.store.queue_filter import unknown_to, unsure_unknown_to
from core.store.table import (
    curators,
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
from core.text.title import first_line

TAG, ASSIGNED, WITHDRAWN = "tag", "assigned", "withdrawn"  # kinds of labels
BEGINNING = 200  # characters of a text that stand for a title where it has none


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document in the list. Counts are of statements but for `runs`."""

    id: str
    title: str
    ids: tuple[str, ...]
    year: str
    journal: str
    kinds: tuple[str, ...]  # of its texts: abstract, full text, pasted, …
    runs: int
    counts: Mapping[State, int]
    curators: tuple[str, ...]  # names of those who decided
    tags: tuple[str, ...]
    assigned: str  # name of the curator it is assigned to, or ""
    created: str
    notice: str = ""  # what its source says: retracted, deleted
    marked: str = ""  # why a curator marked it as withdrawn
    standing: str = ""  # what leaves it standing: corrected, expression of concern, preprint

    @property
    def waiting(self) -> int:
        return self.counts[State.PROPOSED] + self.counts[State.UNSURE]

    @property
    def has_text(self) -> bool:
        return bool(self.kinds)

    @property
    def withdrawn(self) -> str:
        """Why it counts as withdrawn, in words; "" where it does not."""
        marked = f"{BY_CURATOR}: {self.marked}" if self.marked else ""
        return "; ".join(words for words in (self.notice, marked) if words)

    @property
    def status(self) -> str:
        """All that happened to it, in words; "" for nothing."""
        return "; ".join(words for words in (self.withdrawn, self.standing) if words)


class DocumentOverviewRepository(Repository):
    def rows(self, ids: Sequence[str], blind_to: str | None = None) -> list[DocumentRow]:
        """These documents, in this order; what is not there is left out. `blind_to` is a reader who
        does not see how others judged what waits.
        """
        rows: dict[str, DocumentRow] = {}
        with self.reading() as connection:
            for part in id_batches(list(ids)):
                rows |= _document_rows(connection, part, blind_to)
        return [rows[id] for id in ids if id in rows]

    def text_beginnings(self, ids: Sequence[str]) -> dict[str, str]:
        """Document → how its oldest text begins (200 characters)."""
        begins: dict[str, str] = {}
        query = _text_beginnings()
        with self.reading() as connection:
            for part in id_batches(list(ids)):
                for document, words in connection.execute(query.where(texts.c.document.in_(part))):
                    begins.setdefault(document, words)
        return begins

    def labels(self, ids: Sequence[str], kind: str) -> dict[str, tuple[str, ...]]:
        """Document → its labels of this kind, for those that have one."""
        by_document: dict[str, tuple[str, ...]] = {}
        with self.reading() as connection:
            for part in id_batches(ids):
                labels = labels_by_paper(connection, part, kind)
                by_document |= {document: tuple(values) for document, values in labels.items()}
        return by_document

    def set_labels(self, kind: str, labels: Mapping[str, Sequence[str]], curator: str) -> None:
        """Document → the labels of this kind that it has from now on; all of them or none. One that
        it had already stays as it was given, so that two papers have their own when they come apart
        again.
        """

        def work(connection: Connection) -> None:
            owners = owners_of(connection, list(labels))
            wanted = {(owners[document], value): None
                      for document, values in labels.items() for value in values}  # fmt: skip
            there, gone = set[tuple[str, str]](), list[int]()
            for part in id_batches(sorted({*owners.values()})):
                of_part = is_of(document_labels.c.document, part) & (document_labels.c.kind == kind)
                rows = connection.execute(select(document_labels).where(of_part)).all()
                owner_of = owners_of(connection, [row.document for row in rows])
                given = {row.seq: (owner_of[row.document], row.value) for row in rows}
                there |= {*given.values()}
                gone += [seq for seq, label in given.items() if label not in wanted]
            for seqs in row_batches(gone, MANY):
                connection.execute(delete(document_labels).where(document_labels.c.seq.in_(seqs)))
            common = {"kind": kind, "curator": curator, "time": self.clock()}
            added = [
                common | {"document": document, "value": value}
                for document, value in wanted
                if (document, value) not in there
            ]
            if added:
                connection.execute(insert(document_labels), added)

        self.repeating(work)

    def set_details(self, details: Mapping[str, DocumentDetails]) -> None:
        """Keep what their sources say of documents."""
        self.repeating(lambda connection: write_details(connection, details))

    def notices(self, papers: Sequence[str]) -> dict[str, str]:
        """Document → what happened to it, for those of `papers` that have a status."""
        with self.reading() as connection:
            return document_notices(connection, papers)

    def every_notice(self) -> dict[str, str]:
        """Document → what happened to it, for all that have a status."""
        marked = select(document_labels.c.document).where(document_labels.c.kind == WITHDRAWN)
        said = select(documents.c.id).where(or_(documents.c.notice != "", documents.c.status != ""))
        with self.reading() as connection:
            papers = {*connection.scalars(marked), *connection.scalars(said)}
            owners = sorted({*owners_of(connection, sorted(papers)).values()})
            for part in id_batches(owners):
                query = select(documents.c.id).where(is_of(documents.c.id, part))
                papers |= {*connection.scalars(query)}
            return document_notices(connection, papers)


def _document_rows(
    connection: Connection, ids: Sequence[str], blind_to: str | None
) -> dict[str, DocumentRow]:
    aliases = _by_document(
        connection,
        select(document_ids.c.document, document_ids.c.alias)
        .where(document_ids.c.document.in_(ids))
        .order_by(document_ids.c.alias),
    )
    of_texts = texts.c.document.in_(ids)
    kinds = _by_document(
        connection, select(texts.c.document, texts.c.kind).where(of_texts).order_by(texts.c.created)
    )
    begins = _by_document(connection, _text_beginnings().where(of_texts))
    labels = {kind: labels_by_paper(connection, ids, kind) for kind in (TAG, ASSIGNED, WITHDRAWN)}
    numbers = _run_numbers(connection, ids)
    states = _state_numbers(connection, ids, blind_to)
    deciders = _deciders(connection, ids, blind_to)
    named = connection.execute(select(curators).where(curators.c.name != ""))
    names = {curator.orcid: curator.name for curator in named}
    rows = {}
    for row in connection.execute(select(documents).where(documents.c.id.in_(ids))):
        owner = next(iter(labels[ASSIGNED][row.id]), "")
        text = next(filter(None, begins[row.id]), "")
        rows[row.id] = DocumentRow(
            id=row.id,
            title=row.title.strip() or first_line(text) or row.id,
            ids=tuple(aliases[row.id]),
            year=row.year,
            journal=row.journal,
            kinds=tuple(dict.fromkeys(kinds[row.id])),
            runs=numbers[row.id],
            counts={state: states[row.id, str(state)] for state in State},
            curators=tuple(sorted(names.get(orcid, orcid) for orcid in deciders[row.id])),
            tags=tuple(sorted(labels[TAG][row.id])),
            assigned=names.get(owner, owner),
            created=row.created,
            notice=row.notice,
            standing=row.status,
            marked=next(iter(labels[WITHDRAWN][row.id]), ""),
        )
    return rows


def _by_document(connection: Connection, query: Select[str, str]) -> defaultdict[str, list[str]]:
    """Document → what the query has beside it, in its order."""
    values = defaultdict[str, list[str]](list)
    for document, value in connection.execute(query):
        values[document].append(value)
    return values


def _text_beginnings() -> Select[str, str]:
    """How texts begin, beside their document, the oldest first."""
    query = select(texts.c.document, func.substr(texts.c.text, 1, BEGINNING))
    return query.order_by(texts.c.created)


def _run_numbers(connection: Connection, ids: Sequence[str]) -> Counter[str]:
    owner, owned = _owner(runs.c.document)
    query = select(owner.label("document"), func.count().label("number")).select_from(owned)
    rows = connection.execute(query.where(is_of(runs.c.document, ids)).group_by(owner))
    return Counter({row.document: row.number for row in rows})


def _owner(column: Column[str]) -> tuple[ColumnElement[str], FromClause]:
    """The paper that a table names, or the one that this went into, and what to take it from."""
    joined = column.table.outerjoin(document_ids, document_ids.c.alias == column)
    return func.coalesce(document_ids.c.document, column), joined


def _members(ids: Sequence[str]) -> Subquery:
    """Documents and their statements: proposed from them, or with evidence in them."""
    parts = []
    for table in (proposals, evidence):
        owner, owned = _owner(table.c.document)
        parts.append(
            select(owner.label("document"), table.c.statement).select_from(owned)
            .where(is_of(table.c.document, ids))
        )  # fmt: skip
    return union(*parts).subquery()


def _state_numbers(
    connection: Connection, ids: Sequence[str], blind_to: str | None
) -> Counter[tuple[str, str]]:
    """How many statements a document has in each state, as `blind_to` may know."""
    members = _members(ids)
    seen_state: ColumnElement[Any] = statements.c.state
    if blind_to is not None:
        seen_state = case((unsure_unknown_to(blind_to), str(State.PROPOSED)), else_=seen_state)
    seen = (
        select(members.c.document, seen_state.label("state"))
        .join(statements, statements.c.id == members.c.statement)
        .subquery()
    )
    query = select(seen.c.document, seen.c.state, func.count())
    rows = connection.execute(query.group_by(seen.c.document, seen.c.state))
    return Counter({(document, state): count for document, state, count in rows})


def _deciders(
    connection: Connection, ids: Sequence[str], blind_to: str | None
) -> defaultdict[str, list[str]]:
    """Document → the ORCID iDs of those who decided on its statements, as `blind_to` may know."""
    members = _members(ids)
    people = (
        select(members.c.document, decisions.c.curator)
        .distinct()
        .join(decisions, decisions.c.statement == members.c.statement)
    )
    if blind_to is not None:
        people = people.join(statements, statements.c.id == members.c.statement)
        people = people.where(or_(decisions.c.curator == blind_to, ~unknown_to(blind_to)))
    return _by_document(connection, people)


OPEN = (str(State.PROPOSED), str(State.UNSURE))


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
            TAG: select(document_labels.c.value).where(document_labels.c.kind == TAG),
            ASSIGNED: select(document_labels.c.value).where(document_labels.c.kind == ASSIGNED),
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
    for kind, value in ((TAG, filter.tag), (ASSIGNED, filter.assigned)):
        if value:
            conditions.append(_labelled(kind, document_labels.c.value == value))
    if filter.year:
        conditions.append(documents.c.year == filter.year)
    if filter.kind:
        of_kind = select(texts.c.document).where(texts.c.kind == filter.kind)
        conditions.append(documents.c.id.in_(of_kind))
    return query.where(stands_alone(), *conditions, *_state_conditions(filter.show))


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
    tagged = _labelled(TAG, has(document_labels.c.value))
    return or_(has(documents.c.title), has(documents.c.journal), alias, tagged, untitled)


def _labelled(kind: str, condition: ColumnElement[bool]) -> ColumnElement[bool]:
    owner, owned = _owner(document_labels.c.document)
    labelled = select(owner).select_from(owned).where(document_labels.c.kind == kind, condition)
    return documents.c.id.in_(labelled)


def _state_conditions(show: DocumentShow) -> list[ColumnElement[bool]]:
    owner, owned = _owner(statements.c.document)
    of_statements = select(owner).select_from(owned).where(statements.c.document != "")
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
            reader, read = _owner(runs.c.document)
            extracted = select(reader).select_from(read).where(runs.c.kind == "extract")
            return [documents.c.id.not_in(extracted.where(runs.c.document != ""))]
        case DocumentShow.WITHDRAWN:
            return [documents.c.id.in_(withdrawn_documents())]
    return []


def _ordered(query: Select[Any], order: DocumentOrder) -> Select[Any]:
    table = documents.c
    if order in (DocumentOrder.WAITING, DocumentOrder.STATEMENTS):
        owner, owned = _owner(statements.c.document)
        counted = select(owner.label("document"), func.count().label("number")).select_from(owned)
        if order is DocumentOrder.WAITING:
            counted = counted.where(statements.c.state.in_(OPEN))
        number = counted.group_by(owner).subquery()
        query = query.outerjoin(number, number.c.document == table.id)
        return query.order_by(func.coalesce(number.c.number, 0).desc(), table.id)
    columns: dict[DocumentOrder, list[ColumnElement[Any]]] = {
        DocumentOrder.OLDEST: [table.created],
        DocumentOrder.YEAR: [table.year.desc()],
        DocumentOrder.TITLE: [table.title == "", func.lower(table.title)],
        DocumentOrder.JOURNAL: [table.journal == "", func.lower(table.journal)],
    }
    return query.order_by(*columns.get(order, [table.created.desc()]), table.id)
