"""Asking the knowledge base: SPARQL, or a question to fill in, over what is approved and passes the
gate. Read-only, in a child process with limits of time and memory.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from core.curie import PREFIXES, contract_iri, is_curie
from core.desk_parts import HasProject, HasProjectTerms, HasStore
from core.errors import InputError, NotFound, Refused
from core.jobs import isolation
from core.kb.entry import KnowledgeBase, settle_labels, terms_in
from core.kb.formats.separated import spreadsheet_safe
from core.kb.gate.gate import GateReport
from core.kb.graph.graph import Graph, GraphNode
from core.kb.graph.graph import graph as graph_of
from core.kb.graph.layout import lay_out
from core.kb.graph.neighbourhood import busiest_points
from core.kb.query.answer import (
    QueryAnswer,
    QueryValue,
    answer_query,
    build_store,
    check_query,
    write_lines,
)
from core.kb.query.one_iri import renamed, rewritten
from core.kb.query.question_pattern import (
    EXAMPLES,
    FIELDS,
    MOST,
    PATTERNS,
    QuestionPattern,
    pattern_named,
)
from core.kb.rdf import iri
from core.kb.rdf.association import descriptions
from core.kb.rdf.fact import Described, text_fact
from core.kb.rdf.node import FIXED, GW, RDFS, statement_iri
from core.kb.rdf.turtle_block import escape_turtle
from core.model import Literal, Modality, State, Statement, Term, relation_words, thing_words
from core.services.graph import knowledge_base
from core.services.graph.explore import Drawing, ThingIndex, drawing_legend
from core.services.graph.view_request import ALL
from core.services.vocabularies.prefix_context import project_prefixes
from core.services.vocabularies.same_things import preferred_of
from core.store import QueueFilter

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
AT_ONCE = 2  # queries of everybody together
PATIENCE = 60.0  # seconds that a query waits for others
NICE = 10
_TURNS = threading.BoundedSemaphore(AT_ONCE)
BUILDING, BUILT_IN = 1_800.0, 16_000  # seconds, and megabytes of address space
FOLDER, STORE, SAME = "ask", "store", "same.json"
DRAWN = 300  # statements of an answer that are drawn


@dataclass(frozen=True, slots=True)
class ThingOfSeveralIds:
    """A thing, the IRI that it stands under in the store, and those of its other ids. `words` names
    the ids in use; empty for one.
    """

    iri: str
    others: tuple[str, ...]
    words: str = ""


def run_query(
    desk: HasProjectTerms, query: str, report: GateReport | None = None, most: int = MOST
) -> QueryAnswer:
    """The answer to a SPARQL query. Raises Refused for what a query may not do, InputError for what
    is no SPARQL or takes too long.
    """
    check_query(query)
    folder = query_store(desk, report)
    things = _things_of_several_ids(folder)
    aliases = {other: thing.iri for thing in things for other in thing.others}
    asked, iris = rewritten(query, aliases, known_prefixes(desk))
    with _in_turn():
        query_answer = isolation.run_in_child(
            answer_query,
            str(folder / STORE),
            asked,
            known_prefixes(desk),
            most,
            name="The query",
            seconds=SECONDS,
            megabytes=MEGABYTES,
            failing="was ended",
            hint="Ask for less: add a LIMIT, or name a thing or a relation.",
            nice=NICE,
        )
    assert isinstance(query_answer, QueryAnswer)
    named = iris | {value.text for row in query_answer.rows for value in row if value}
    also = [thing.words for thing in things if thing.iri in named]
    return replace(query_answer, also=tuple(filter(None, also)))


@contextmanager
def _in_turn() -> Iterator[None]:
    """A few queries at a time: each may take a core and `MEGABYTES` until it is ended."""
    if not _TURNS.acquire(timeout=PATIENCE):
        raise Refused(
            "This query was not asked: others are still being answered.", "Ask again in a minute."
        )
    try:
        yield
    finally:
        _TURNS.release()


def query_store(desk: HasProjectTerms, report: GateReport | None = None) -> Path:
    """The folder of what is approved as a store, where one thing has one IRI, and of the ids that
    it stands for; rebuilt when the gate may decide otherwise.
    """
    home = desk.indexes / FOLDER
    target = home / knowledge_base.gate_stamp(desk)[:24]
    if target.is_dir():
        return target
    report = report or knowledge_base.gate_passage(desk)
    kb = knowledge_base.knowledge_base(desk, report.entries)
    home.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=".part-", dir=home))
    try:
        lines, store = beside / "lines.nt", beside / STORE
        things = things_of_several_ids(desk, kb)
        aliases = {other: thing.iri for thing in things for other in thing.others}
        write_lines(lines, renamed(describe_export(kb), aliases))
        (beside / SAME).write_text(json.dumps([asdict(t) for t in things]), encoding="utf-8")
        isolation.run_in_child(
            build_store,
            *map(str, (store, lines)),
            name="What is approved",
            seconds=BUILDING,
            megabytes=BUILT_IN,
            failing="could not be made ready for queries",
            hint="Ask again, on a machine with more memory.",
        )
        lines.unlink()
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


def things_of_several_ids(desk: HasProjectTerms, kb: KnowledgeBase) -> list[ThingOfSeveralIds]:
    """The things of an export that have several ids, and the IRI that each stands under: that of
    the preferred id among those in use.
    """
    used = {term.id: term for entry in kb.entries for term in terms_in(entry.statement)}
    found, seen = [], set[str]()
    for id in sorted(kb.same):
        if id in seen:
            continue
        ids = {id, *kb.same[id]} - seen
        seen |= ids
        mine = sorted(ids & used.keys())
        best = preferred_of(desk, mine, used[id].category)
        names = [best, *(one for one in mine if one != best)]
        words = f"{used[best].label}: {names[0]}, also {' and '.join(names[1:])}."
        iris = [iri.term_iri(one, kb.prefixes) for one in sorted(ids - {best}) if _has_iri(one, kb)]
        found.append(
            ThingOfSeveralIds(
                iri.term_iri(best, kb.prefixes), tuple(iris), words if names[1:] else ""
            )
        )
    return found


def _has_iri(id: str, kb: KnowledgeBase) -> bool:
    try:
        return bool(iri.term_iri(id, kb.prefixes))
    except InputError:
        return False


def _things_of_several_ids(folder: Path) -> list[ThingOfSeveralIds]:
    rows = json.loads((folder / SAME).read_text(encoding="utf-8"))
    return [ThingOfSeveralIds(**row) for row in rows]


def describe_export(kb: KnowledgeBase) -> Iterator[Described]:
    """What the export says, the words of its relations, and of each statement that a plain triple
    cannot say what it contains for only.
    """
    yield from descriptions(kb)
    settled = settle_labels(kb.entries)
    described_relations: set[str] = set()
    for name, entry in kb.identified():
        predicate = entry.statement.predicate
        if words := restriction_words(entry.statement):
            yield statement_iri(name, kb), [text_fact(GW.restriction, words)]
        if predicate.id and predicate.id not in described_relations:
            described_relations.add(predicate.id)
            relation = iri.term_iri(predicate.id, kb.prefixes)
            # The export's own label: a second one would repeat the rows of an answer.
            yield relation, [text_fact(RDFS.label, settled[predicate.id].label)]


def restriction_words(statement: Statement) -> str:
    """`hypothesis; population context qualifier: adults`; "" for a plain assertion or denial."""
    parts = [] if statement.modality is Modality.ASSERTED else [str(statement.modality)]
    parts += [f"{q.name.replace('_', ' ')}: {thing_words(q.value)}" for q in statement.qualifiers]
    return "; ".join(parts)


def known_prefixes(desk: HasProject) -> dict[str, str]:
    """Prefixes that a query may use without saying so."""
    return {
        **PREFIXES,
        **FIXED,
        **project_prefixes(desk),
        "kb": iri.normalised_base(desk.base_iri),
    }


def iri_of(desk: HasProjectTerms, field: str, words: str, graph: Graph) -> str:
    """The IRI of what a person filled in: an id, or a name that one thing of the graph has. Raises
    NotFound, and InputError for a name that several have.
    """
    base, own = iri.normalised_base(desk.base_iri), project_prefixes(desk)
    given_words = words.strip()
    if field == "paper":
        return iri.document_iri(given_words, base, own)
    if field == "relation":
        relation_by_label = {label: name for name, label in approved_relations(desk)}
        return iri.term_iri(relation_by_label.get(given_words, given_words), own)
    if given_words in graph.points:
        return (
            iri.local_iri(base, "node", given_words)
            if given_words.startswith("n1-")
            else iri.term_iri(given_words, own)
        )
    same = [
        name
        for name in ThingIndex(graph).matching(given_words)
        if graph.points[name].label.casefold() == given_words.casefold()
    ]
    ids = desk.equivalents().of(given_words) if is_curie(given_words) else frozenset()
    same = same or sorted(ids & graph.points.keys())
    if not same:
        raise NotFound(
            f"Nothing approved is called {given_words[:60]!r}.", "Give its id or its label."
        )
    if not set(same) <= (desk.equivalents().of(same[0]) | {same[0]}):
        raise InputError(f"{given_words[:60]!r} may be {', '.join(same[:5])}.", "Give its id.")
    return iri_of(desk, field, same[0], graph)


def approved_relations(desk: HasStore) -> list[tuple[str, str]]:
    """The relations of what is approved: id and words, by words."""
    id_and_words = []
    for name in desk.store.queue.values("predicate", QueueFilter(states=(State.APPROVED,))):
        records = desk.store.queue.records(QueueFilter((State.APPROVED,), predicate=name), limit=1)
        id_and_words += [(name, relation_words(record.statement.predicate)) for record in records]
    return sorted(id_and_words, key=lambda relation: (relation[1].casefold(), relation[0]))


def fill_question(desk: HasProjectTerms, name: str, values: Mapping[str, str], graph: Graph) -> str:
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


def readable_rows(desk: HasProject, query_answer: QueryAnswer) -> list[list[str]]:
    """The rows as a person reads them: a CURIE where an IRI has one."""
    prefixes = known_prefixes(desk)

    def words(value: QueryValue | None) -> str:
        if value is None or value.kind != "iri":
            return value.text if value else ""
        return contract_iri(value.text, prefixes) or value.text

    return [[words(value) for value in row] for row in query_answer.rows]


def statements_of_answer(query_answer: QueryAnswer) -> list[str]:
    """Ids of the statements that an answer names, each once, in order."""
    ids = (
        iri.name_of(value.text, "statement")
        for row in query_answer.rows
        for value in row
        if value is not None and value.kind == "iri"
    )
    return list(dict.fromkeys(name for name in ids if name.startswith("s1-")))


def answer_drawing(desk: HasProject, query_answer: QueryAnswer) -> Drawing | None:
    """The answer as a graph: the statements it names, or the triples it made. None for neither."""
    if query_answer.graph:
        claims = _constructed(desk, query_answer)
    else:
        ids = statements_of_answer(query_answer)[:DRAWN]
        claims = [record.statement for record in desk.store.statements.of_ids(ids)]
    if not claims:
        return None
    view = busiest_points(graph_of(claims))
    return Drawing(view, lay_out(view), total=len(view.points), legend=drawing_legend(view, ALL))


def _constructed(desk: HasProject, query_answer: QueryAnswer) -> list[Statement]:
    """Triples of a CONSTRUCT as statements to draw, named as the knowledge base names things."""
    names = knowledge_base.approved_graph(desk).points
    own = project_prefixes(desk)
    claims = []
    for row in query_answer.rows[:DRAWN]:
        if row[0] is None or row[1] is None or row[2] is None or row[0].kind != "iri":
            continue
        subject, predicate = _named_term(row[0], own, names), _named_term(row[1], own, names)
        object_ = (
            _named_term(row[2], own, names)
            if row[2].kind == "iri"
            else Literal(row[2].text, iri.curie(row[2].datatype, own))
        )
        claims.append(Statement(subject, predicate, object_))
    return claims


def _named_term(value: QueryValue, own: Mapping[str, str], names: Mapping[str, GraphNode]) -> Term:
    key = iri.curie(value.text, own)
    if point := names.get(key):
        return Term(key, point.label, point.category)
    return Term(key, key.rpartition(":")[2].replace("_", " "))


def answer_file(query_answer: QueryAnswer, format: str) -> bytes:
    """An answer as csv, tsv or json (SPARQL 1.1 Query Results JSON); a graph also as N-Triples."""
    if format == "json":
        return json.dumps(_as_json(query_answer), ensure_ascii=False, indent=1).encode() + b"\n"
    if format == "nt":
        return "".join(sorted(f"{_nt(row)} .\n" for row in query_answer.rows)).encode()
    out = io.StringIO()
    writer = csv.writer(out, delimiter="," if format == "csv" else "\t", lineterminator="\n")
    if query_answer.truth is not None:
        writer.writerow(["answer"])
        writer.writerow(["true" if query_answer.truth else "false"])
    else:
        writer.writerow(query_answer.columns)
        writer.writerows(
            [spreadsheet_safe(value.text) if value else "" for value in row]
            for row in query_answer.rows
        )
    return out.getvalue().encode()


def _as_json(query_answer: QueryAnswer) -> dict[str, object]:
    if query_answer.truth is not None:
        return {"head": {}, "boolean": query_answer.truth}
    bindings = [
        {
            name: _binding(value)
            for name, value in zip(query_answer.columns, row, strict=True)
            if value is not None
        }
        for row in query_answer.rows
    ]
    return {"head": {"vars": list(query_answer.columns)}, "results": {"bindings": bindings}}


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
            parts.append(f'"{escape_turtle(value.text)}"^^<{value.datatype}>')
        else:
            parts.append(value.text)
    return " ".join(parts)
