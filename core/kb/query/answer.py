"""A SPARQL query over a knowledge base on disk, read-only, made to be run in a child process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox
from rdflib import Literal as RdfValue
from rdflib.term import Node as RdfNode

from core.errors import InputError, StoreError
from core.kb.rdf.node import Triple

LONGEST_VALUE = 5_000  # characters of one value


@dataclass(frozen=True, slots=True)
class QueryValue:
    """A cell of an answer. `kind` is iri, text or blank; `datatype` is the IRI of a typed text."""

    text: str
    kind: str = "text"
    datatype: str = ""


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """What a query gave. A table has columns and rows (None where a variable is unbound), a graph
    the columns subject, predicate and object. `truth` is set for a yes-or-no question. `cut`: there
    is more than was asked for.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[QueryValue | None, ...], ...] = ()
    truth: bool | None = None
    graph: bool = False
    cut: bool = False


def answer(folder: str, query: str, prefixes: Mapping[str, str], most: int) -> QueryAnswer:
    """Ask the store in `folder`; at most `most` rows. Raises InputError with what is wrong with the
    query.
    """
    try:
        store = ox.Store.read_only(folder)
        result = store.query(query, prefixes=dict(prefixes))
    except SyntaxError as error:
        raise InputError(
            f"This is not SPARQL: {str(error)[:300]}.", "Compare an example."
        ) from None
    except OSError as error:
        raise StoreError(f"The knowledge base cannot be asked: {str(error)[:200]}.") from None
    try:
        return _read(result, most)
    except (ValueError, RuntimeError, OSError) as error:
        raise InputError(f"The query cannot be answered: {str(error)[:300]}.") from None


def _read(result: object, most: int) -> QueryAnswer:
    if isinstance(result, ox.QueryBoolean):
        return QueryAnswer(truth=bool(result))
    rows: list[tuple[QueryValue | None, ...]] = []
    cut = False
    if isinstance(result, ox.QuerySolutions):
        columns = tuple(variable.value for variable in result.variables)
        cells: Iterable[tuple[object, ...]] = (
            tuple(solution[name] for name in columns) for solution in result
        )
    else:
        assert isinstance(result, ox.QueryTriples)
        columns = ("subject", "predicate", "object")
        cells = ((one.subject, one.predicate, one.object) for one in result)
    for row in cells:
        if len(rows) == most:
            cut = True
            break
        rows.append(tuple(_value(cell) for cell in row))
    return QueryAnswer(columns, tuple(rows), graph=isinstance(result, ox.QueryTriples), cut=cut)


def _value(term: object) -> QueryValue | None:
    if term is None:
        return None
    if isinstance(term, ox.NamedNode):
        return QueryValue(term.value, "iri")
    if isinstance(term, ox.Literal):
        return QueryValue(term.value[:LONGEST_VALUE], "text", term.datatype.value)
    return QueryValue(str(term)[:LONGEST_VALUE], "blank")


def build(folder: Path, triples: Iterable[Triple]) -> None:
    """Write a store that `answer` reads. The triples are taken one by one."""
    store = ox.Store(str(folder))
    store.bulk_extend(_quad(triple) for triple in _once(triples))
    store.optimize()
    store.flush()


def _quad(triple: Triple) -> ox.Quad:
    subject, predicate, value = triple
    return ox.Quad(ox.NamedNode(str(subject)), ox.NamedNode(str(predicate)), _term(value))


def _once(triples: Iterable[Triple]) -> Iterator[Triple]:
    """Without the repetitions that stand close together."""
    last: dict[Triple, None] = {}
    for triple in triples:
        if triple not in last:
            yield triple
        last[triple] = None
        if len(last) > 5_000:
            last.clear()


def _term(node: RdfNode) -> ox.NamedNode | ox.Literal:
    if isinstance(node, RdfValue):
        datatype = ox.NamedNode(str(node.datatype)) if node.datatype else None
        return ox.Literal(str(node), datatype=datatype)
    return ox.NamedNode(str(node))
