"""Which stored paper an incoming record is: keys of records find what to compare, the judgement of
each pair says the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, insert, select, text

from core.identity.candidates import ID_KEY, blocking_keys
from core.identity.judge import Identity, IdentityJudgement, judge_identity
from core.identity.record import PaperRecord, record_of
from core.identity.relation import may_belong
from core.model import Document, Json, TextVersion, json_digest
from core.store.id_batches import id_batches
from core.store.table import document_ids, paper_pairs, record_keys, source_records, texts

ABSTRACT = "abstract"
NEW = "new"
_NO_TEXT = TextVersion("", "", "", "")


@dataclass(frozen=True)
class IncomingPaper:
    """A paper on its way in; `body` is what its source says of it, as a member of a namespace
    keeps it.
    """

    document: Document
    text: TextVersion = _NO_TEXT
    body: Json = field(default_factory=dict)
    namespace: str = ""

    @cached_property
    def record(self) -> PaperRecord:
        ids = sorted({self.document.id, *self.document.ids})
        abstract = self.text.text if self.text.kind == ABSTRACT else ""
        return record_of(self.document.title, ids, self.body or {}, abstract)

    @property
    def is_bare(self) -> bool:
        """Whether it is a name alone, as evidence or a pasted text has one."""
        return not self.body and not self.text.sha

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return blocking_keys(self.record)

    @cached_property
    def told_apart_by(self) -> frozenset[str]:
        """Its PMIDs, by which papers without an id in common need no judgement."""
        return _telling_pmids([self.record])

    @cached_property
    def digest(self) -> str:
        said = [self.namespace, self.document.title, sorted({self.document.id, *self.document.ids})]
        return json_digest([*said, self.body or {}, self.text.sha])


@dataclass(frozen=True, slots=True)
class PaperMatch:
    """The stored paper that a record is ("" for none), and the papers that it may be or belongs
    to, each with what was judged.
    """

    document: str
    judgement: IdentityJudgement | None
    others: tuple[tuple[str, IdentityJudgement], ...]


_TURN = 0x7061706572  # the number of the lock, as PostgreSQL wants one


def in_turn(connection: Connection) -> None:
    """Who says which papers are one does it alone until this transaction ends: on a server an
    import would else give a record to a paper that a merge joins to another at that moment, or two
    of them make two papers of one. SQLite has one writer at a time.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _TURN})


class KnownPapers:
    """The stored papers that share a key with incoming ones; those that come in are added."""

    def __init__(self, connection: Connection, incoming: Sequence[IncomingPaper]):
        keys = sorted({key for paper in incoming for key in paper.keys})
        self._connection = connection
        self._by_key: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._records: dict[str, list[PaperRecord]] = {}
        self._pmids: dict[str, frozenset[str]] = {}
        self._by_digest = _owners_by_digest(connection, [p.digest for p in incoming])
        self._recorded: dict[str, set[str]] = {}
        self._pairs: list[dict[str, Any]] = []
        self._rows: list[dict[str, Any]] = []
        self._keys: list[tuple[str, ...]] = []
        found: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for part in id_batches(keys):
            joined = record_keys.join(source_records, source_records.c.seq == record_keys.c.record)
            query = select(record_keys.c.key, source_records.c.document).select_from(joined)
            for key, document in connection.execute(query.where(record_keys.c.key.in_(part))):
                found[key][document] = None
        self._by_key |= found
        near = sorted({document for documents in found.values() for document in documents})
        self._records = stored_records(connection, near)
        self._recorded = _recorded_since(connection, near)

    def match(self, paper: IncomingPaper) -> PaperMatch:
        """What an incoming paper is. The same record again is what it was; so is the first one that
        comes again, by its id, of a paper that was stored before records were kept.
        """
        if document := self._by_digest.get(paper.digest, ""):
            return PaperMatch(document, None, ())
        record = paper.record
        judged = [
            (document, self._judged(record, document)) for document in self._candidates(paper)
        ]
        same = [pair for pair in judged if pair[1].outcome is Identity.SAME]
        best = max(same, key=lambda pair: (pair[1].by_id, pair[1].score), default=None)
        others = [
            (document, said)
            for document, said in judged
            if (said.outcome is Identity.ASK or said.relation)
            or (said.outcome is Identity.SAME and best is not None and document != best[0])
        ]
        if best is None:
            return PaperMatch("", None, tuple(others))
        again = self._comes_again(paper, best[0])
        return PaperMatch(best[0], None if again else best[1], tuple(others))

    def _comes_again(self, paper: IncomingPaper, document: str) -> bool:
        namespaces = self._recorded.get(document)
        if namespaces is None or paper.namespace in namespaces:
            return False
        return not {*self._records[document][0].ids}.isdisjoint(paper.record.ids)

    def _candidates(self, paper: IncomingPaper) -> dict[str, None]:
        """Papers that share a key; not those that it shares no id with and whose PMID is another:
        they are other papers whatever else agrees.
        """
        near: dict[str, None] = {}
        for key in paper.keys:
            by_id = key.startswith(ID_KEY) or not paper.told_apart_by
            for document in self._by_key.get(key, ()):
                if by_id or document in near or not self._is_other(paper, document):
                    near[document] = None
        return near

    def _is_other(self, paper: IncomingPaper, document: str) -> bool:
        if document not in self._pmids:
            self._pmids[document] = _telling_pmids(self._records[document])
        pmids = self._pmids[document]
        return bool(pmids) and pmids.isdisjoint(paper.told_apart_by)

    def _judged(self, record: PaperRecord, document: str) -> IdentityJudgement:
        """The judgement of a record beside all records of a paper: what one of them forbids is not
        done by the title alone.
        """
        said = [judge_identity(record, known) for known in self._records[document]]
        best = max(said, key=lambda judgement: (_RANK[judgement.outcome], judgement.score))
        against = next((j for j in said if j.outcome is Identity.DIFFERENT), None)
        if best.outcome is Identity.SAME and against is not None and not best.by_id:
            reasons = (*best.reasons, *against.reasons[:1])
            return replace(best, outcome=Identity.ASK, reasons=tuple(dict.fromkeys(reasons)))
        return best

    def note(self, paper: IncomingPaper, document: str, match: PaperMatch, time: str) -> None:
        """Take in what became of a paper."""
        record = paper.record
        known = self._records.setdefault(document, [])
        again = bool(self._by_digest.get(paper.digest)) or (paper.is_bare and bool(known))
        ids = tuple(sorted({*record.ids, *(known[0].ids if known else ())}))
        if known and ids != known[0].ids:
            known[:] = [replace(earlier, ids=ids) for earlier in known]
        known.append(replace(record, ids=ids))
        self._pmids.pop(document, None)
        for key in paper.keys:
            self._by_key[key][document] = None
        if again:
            return
        self._by_digest[paper.digest] = document
        if document in self._recorded:
            self._recorded[document].add(paper.namespace)
        self._keys.append(paper.keys)
        self._rows.append(
            {
                "document": document,
                "namespace": paper.namespace,
                "digest": paper.digest,
                "title": paper.document.title,
                "ids": sorted({paper.document.id, *paper.document.ids}),
                "body": paper.body or {},
                "sha": paper.text.sha,
                "kind": paper.text.kind,
                "text": paper.text.text if match.judgement and paper.text.kind == ABSTRACT else "",
                "outcome": str(Identity.SAME) if match.judgement else NEW,
                "score": match.judgement.score if match.judgement else 0.0,
                "reasons": list(match.judgement.reasons) if match.judgement else [],
                "added": time,
            }
        )
        for other, judgement in match.others:
            if other != document:
                self._pairs.append(_pair_row(document, other, judgement, time))

    def write(self) -> None:
        """Keep the records with their keys, and the pairs that nothing was said of before."""
        if self._rows:
            adding = insert(source_records).returning(
                source_records.c.seq, sort_by_parameter_order=True
            )
            numbers = self._connection.execute(adding, self._rows).scalars()
            rows = [
                {"key": key, "record": number}
                for number, keys in zip(numbers, self._keys, strict=True)
                for key in keys
            ]
            if rows:
                self._connection.execute(insert(record_keys), rows)
        pairs = {(row["first"], row["second"]): row for row in self._pairs}
        names = sorted({first for first, _ in pairs})
        for part in id_batches(names):
            query = select(paper_pairs.c.first, paper_pairs.c.second)
            for first, second in self._connection.execute(
                query.where(paper_pairs.c.first.in_(part))
            ):
                pairs.pop((first, second), None)
        if pairs:
            self._connection.execute(insert(paper_pairs), list(pairs.values()))


def _telling_pmids(records: Sequence[PaperRecord]) -> frozenset[str]:
    """The PMIDs of a paper; none where it may belong to another paper, as a notice does."""
    if any(map(may_belong, records)):
        return frozenset()
    return frozenset().union(*(record.identifiers("PMID") for record in records))


_RANK = {Identity.SAME: 2, Identity.ASK: 1, Identity.DIFFERENT: 0}


def _pair_row(one: str, other: str, judgement: IdentityJudgement, time: str) -> dict[str, Any]:
    """A pair to decide, or two papers that belong together. A record that is the same as two papers
    asks whether these are one.
    """
    first, second = sorted((one, other))
    asked = judgement.outcome is not Identity.DIFFERENT
    return {
        "first": first,
        "second": second,
        "outcome": str(Identity.ASK if asked else Identity.DIFFERENT),
        "score": judgement.score,
        "reasons": list(judgement.reasons),
        "relation": str(judgement.relation.kind) if judgement.relation else "",
        "time": time,
    }


def _owners_by_digest(connection: Connection, digests: Iterable[str]) -> dict[str, str]:
    owners: dict[str, str] = {}
    for part in id_batches(sorted(set(digests))):
        query = select(source_records.c.digest, source_records.c.document)
        owners |= {
            row.digest: row.document
            for row in connection.execute(query.where(source_records.c.digest.in_(part)))
        }
    return owners


def _recorded_since(connection: Connection, ids: Sequence[str]) -> dict[str, set[str]]:
    """Paper that was stored before records were kept → the namespaces that gave a record since."""
    before, since = set[str](), defaultdict[str, set[str]](set)
    columns = select(source_records.c.namespace, source_records.c.document, source_records.c.digest)
    for part in id_batches(ids):
        of_part = source_records.c.document.in_(part)
        for namespace, document, digest in connection.execute(columns.where(of_part)):
            if digest:
                since[document].add(namespace)
            else:
                before.add(document)
    return {document: since[document] for document in before}


def stored_records(connection: Connection, ids: Sequence[str]) -> dict[str, list[PaperRecord]]:
    """What sources said of these papers, oldest first, each with all ids of its paper."""
    found: dict[str, list[PaperRecord]] = {}
    for part in id_batches(ids):
        aliases: dict[str, list[str]] = {}
        of_part = document_ids.c.document.in_(part)
        for row in connection.execute(select(document_ids).where(of_part)):
            aliases.setdefault(row.document, []).append(row.alias)
        text_of = _abstracts(connection, part)
        query = select(source_records).where(source_records.c.document.in_(part))
        for row in connection.execute(query.order_by(source_records.c.seq)):
            body: Mapping[str, Any] = row.body or {}
            kept = row.text or text_of.get((row.document, row.sha), "")
            abstract = kept if row.kind == ABSTRACT else ""
            ids_of_paper = sorted({*(row.ids or ()), *aliases.get(row.document, ())})
            record = record_of(row.title, ids_of_paper, body, abstract)
            found.setdefault(row.document, []).append(record)
    return found


def _abstracts(connection: Connection, ids: Sequence[str]) -> dict[tuple[str, str], str]:
    query = select(texts.c.document, texts.c.sha, texts.c.text).where(
        texts.c.document.in_(ids), texts.c.kind == ABSTRACT
    )
    return {(row.document, row.sha): row.text for row in connection.execute(query)}


def id_of_its_own(document: str, digest: str) -> str:
    """The id of a paper whose other ids are all another paper's."""
    return digest_id(f"{document}|{digest}")


def digest_id(words: str) -> str:
    """`doc:` and a digest of words."""
    return "doc:" + sha256(words.encode("utf-8", "replace")).hexdigest()[:24]
