"""Asking the knowledge base: SPARQL, or a question to fill in, over what is approved and passes the
gate. Read-only, in a child process with limits of time and memory.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from rdflib import URIRef

from core.curie import PREFIXES, contract_iri
from core.desk import Desk
from core.errors import InputError, NotFound
from core.jobs import isolation
from core.kb.entry import KnowledgeBase, thing_words
from core.kb.formats.ntriples import escaped
from core.kb.formats.separated import spreadsheet_safe
from core.kb.gate.gate import GateReport
from core.kb.graph import neighbourhood as graphs
from core.kb.graph.neighbourhood import Graph, GraphNode
from core.kb.query.answer import QueryAnswer, QueryValue, answer, build
from core.kb.query.guard import check
from core.kb.query.pattern import EXAMPLES, FIELDS, PATTERNS, QuestionPattern, pattern_named
from core.kb.rdf import iri
from core.kb.rdf.association import triples
from core.kb.rdf.node import FIXED, GW, RDFS, Triple, statement_iri, text
from core.model import Literal, Modality, State, Statement, Term, relation_words
from core.services.graph import knowledge_base
from core.services.graph.authority import prefixes as schema_prefixes
from core.services.graph.authority import schemas
from core.services.graph.knowledge_base import Drawing, drawing
from core.store import Filter

__all__ = [
    "EXAMPLES",
    "FIELDS",
    "PATTERNS",
    "QueryAnswer",
    "QueryValue",
    "QuestionPattern",
    "pattern_named",
]

SECONDS = 20.0
MEGABYTES = 2_000  # of address space; the store maps its files into it
MOST = 10_000  # rows of an answer
FOLDER = "ask"
DRAWN = 300  # statements of an answer that are drawn


def ask(desk: Desk, query: str, report: GateReport | None = None, most: int = MOST) -> QueryAnswer:
    """The answer to a SPARQL query. Raises Refused for what a query may not do, InputError for what
    is no SPARQL or takes too long.
    """
    check(query)
    folder = index(desk, report)
    found = isolation.run(
        answer,
        str(folder),
        query,
        known_prefixes(desk),
        most,
        name="The query",
        seconds=SECONDS,
        megabytes=MEGABYTES,
        failing="was ended",
        hint="Ask for less: add a LIMIT, or name a thing or a relation.",
    )
    assert isinstance(found, QueryAnswer)
    return found


def index(desk: Desk, report: GateReport | None = None) -> Path:
    """The folder of what is approved as a store, built anew when the gate may decide otherwise."""
    home = desk.indexes / FOLDER
    target = home / knowledge_base.gate_stamp(desk)[:24]
    if target.is_dir():
        return target
    report = report or knowledge_base.gate_passage(desk)
    kb = knowledge_base.knowledge_base(desk, report.entries)
    home.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=".part-", dir=home))
    try:
        build(beside, described(kb))
        try:
            beside.rename(target)
        except OSError:
            if not target.is_dir():  # else another process was first
                raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    for old in home.iterdir():
        if old != target and not old.name.startswith("."):
            shutil.rmtree(old, ignore_errors=True)
    return target


def described(kb: KnowledgeBase) -> Iterator[Triple]:
    """The export's triples, the words of its relations, and of each statement that a plain triple
    cannot say what it holds for only.
    """
    yield from triples(kb)
    seen: set[str] = set()
    for entry in kb.sorted():
        predicate = entry.statement.predicate
        if words := restriction(entry.statement):
            yield statement_iri(entry.statement.id, kb), GW.restriction, text(words)
        if predicate.id and predicate.id not in seen:
            seen.add(predicate.id)
            yield URIRef(iri.term(predicate.id, kb.prefixes)), RDFS.label, text(predicate.label)


def restriction(statement: Statement) -> str:
    """`hypothesis; population context qualifier: adults`; "" for a plain assertion or denial."""
    parts = [] if statement.modality is Modality.ASSERTED else [str(statement.modality)]
    parts += [f"{q.name.replace('_', ' ')}: {thing_words(q.value)}" for q in statement.qualifiers]
    return "; ".join(parts)


def known_prefixes(desk: Desk) -> dict[str, str]:
    """Prefixes that a query may use without saying so."""
    return {
        **PREFIXES,
        **FIXED,
        **schema_prefixes(schemas(desk)),
        "kb": iri.normal_base(desk.base_iri),
    }


def iri_of(desk: Desk, field: str, words: str, graph: Graph) -> str:
    """The IRI of what a person filled in: an id, or a name that one thing of the graph has. Raises
    NotFound, and InputError for a name that several have.
    """
    base, own = iri.normal_base(desk.base_iri), schema_prefixes(schemas(desk))
    wanted = words.strip()
    if field == "paper":
        return iri.document_iri(wanted, base, own)
    if field == "relation":
        named = {label: name for name, label in relations(desk)}
        return iri.term(named.get(wanted, wanted), own)
    if wanted in graph.points:
        return (
            iri.local_iri(base, "node", wanted)
            if wanted.startswith("n1-")
            else iri.term(wanted, own)
        )
    same = [
        name
        for name in knowledge_base.matching(graph, wanted)
        if graph.points[name].label.casefold() == wanted.casefold()
    ]
    if not same:
        raise NotFound(f"Nothing approved is called {wanted[:60]!r}.", "Give its id or its label.")
    if len(same) > 1:
        raise InputError(f"{wanted[:60]!r} may be {', '.join(same[:5])}.", "Give its id.")
    return iri_of(desk, field, same[0], graph)


def relations(desk: Desk) -> list[tuple[str, str]]:
    """The relations of what is approved: id and words, by words."""
    found = []
    for name in desk.store.queue.values("predicate", Filter(states=(State.APPROVED,))):
        records = desk.store.queue.records(Filter((State.APPROVED,), predicate=name), limit=1)
        found += [(name, relation_words(record.statement.predicate)) for record in records]
    return sorted(found, key=lambda one: (one[1].casefold(), one[0]))


def filled(desk: Desk, name: str, values: Mapping[str, str], graph: Graph) -> str:
    """The SPARQL of a question, its fields filled in by ids or names."""
    pattern = pattern_named(name)
    unknown = values.keys() - set(pattern.fields)
    if unknown:
        raise InputError(
            f"The question {name} has no field {min(unknown)!r}.",
            f"It has: {', '.join(pattern.fields) or 'none'}.",
        )
    return pattern.filled(
        {field: iri_of(desk, field, words, graph) for field, words in values.items() if words}
    )


def rows(desk: Desk, found: QueryAnswer) -> list[list[str]]:
    """The rows as a person reads them: a CURIE where an IRI has one."""
    known = known_prefixes(desk)

    def words(value: QueryValue | None) -> str:
        if value is None or value.kind != "iri":
            return value.text if value else ""
        return contract_iri(value.text, known) or value.text

    return [[words(value) for value in row] for row in found.rows]


def statements(found: QueryAnswer) -> list[str]:
    """Ids of the statements that an answer names, each once, in order."""
    ids = (
        iri.name_of(value.text, "statement")
        for row in found.rows
        for value in row
        if value is not None and value.kind == "iri"
    )
    return list(dict.fromkeys(name for name in ids if name.startswith("s1-")))


def drawn(desk: Desk, found: QueryAnswer) -> Drawing | None:
    """The answer as a graph: the statements it names, or the triples it made. None for neither."""
    if found.graph:
        claims = _constructed(desk, found)
    else:
        ids = statements(found)[:DRAWN]
        claims = [record.statement for record in desk.store.statements.of_ids(ids)]
    if not claims:
        return None
    return drawing(graphs.busiest_points(graphs.graph(claims)))


def _constructed(desk: Desk, found: QueryAnswer) -> list[Statement]:
    """Triples of a CONSTRUCT as statements to draw, named as the knowledge base names things."""
    names = knowledge_base.approved(desk).points
    own = schema_prefixes(schemas(desk))
    claims = []
    for row in found.rows[:DRAWN]:
        if row[0] is None or row[1] is None or row[2] is None or row[0].kind != "iri":
            continue
        subject, predicate = _named(row[0], own, names), _named(row[1], own, names)
        object_ = (
            _named(row[2], own, names)
            if row[2].kind == "iri"
            else Literal(row[2].text, iri.curie(row[2].datatype, own))
        )
        claims.append(Statement(subject, predicate, object_))
    return claims


def _named(value: QueryValue, own: Mapping[str, str], names: Mapping[str, GraphNode]) -> Term:
    key = iri.curie(value.text, own)
    if point := names.get(key):
        return Term(key, point.label, point.category)
    return Term(key, key.rpartition(":")[2].replace("_", " "))


def download(found: QueryAnswer, format: str) -> bytes:
    """An answer as csv, tsv or json (SPARQL 1.1 Query Results JSON); a graph also as N-Triples."""
    if format == "json":
        return json.dumps(_as_json(found), ensure_ascii=False, indent=1).encode() + b"\n"
    if format == "nt":
        return "".join(sorted(f"{_nt(row)} .\n" for row in found.rows)).encode()
    out = io.StringIO()
    writer = csv.writer(out, delimiter="," if format == "csv" else "\t", lineterminator="\n")
    if found.truth is not None:
        writer.writerow(["answer"])
        writer.writerow(["true" if found.truth else "false"])
    else:
        writer.writerow(found.columns)
        writer.writerows(
            [spreadsheet_safe(one.text) if one else "" for one in row] for row in found.rows
        )
    return out.getvalue().encode()


def _as_json(found: QueryAnswer) -> dict[str, object]:
    if found.truth is not None:
        return {"head": {}, "boolean": found.truth}
    bindings = [
        {
            name: _binding(value)
            for name, value in zip(found.columns, row, strict=True)
            if value is not None
        }
        for row in found.rows
    ]
    return {"head": {"vars": list(found.columns)}, "results": {"bindings": bindings}}


def _binding(value: QueryValue) -> dict[str, str]:
    kind = {"iri": "uri", "text": "literal", "blank": "bnode"}[value.kind]
    return {"type": kind, "value": value.text} | (
        {"datatype": value.datatype} if value.datatype else {}
    )


def _nt(row: tuple[QueryValue | None, ...]) -> str:
    parts = []
    for value in row:
        assert value is not None
        if value.kind == "iri":
            parts.append(f"<{value.text}>")
        elif value.kind == "text":
            parts.append(f'"{escaped(value.text)}"^^<{value.datatype}>')
        else:
            parts.append(value.text)
    return " ".join(parts)
