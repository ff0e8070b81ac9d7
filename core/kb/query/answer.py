"""A SPARQL query over a knowledge base on disk, read-only, made to be run in a child process."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from core.errors import InputError, StoreError
from core.kb.formats.ntriples import value
from core.kb.rdf.fact import Described

_EVERYTHING = re.compile(r"\bselect\s+(?:(?:distinct|reduced)\s+)?\*", re.IGNORECASE)
_VARIABLE = re.compile(r"[?$](\w+)")
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
    is more than was asked for. `also` says which things of the answer have several ids, in
    sentences.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[QueryValue | None, ...], ...] = ()
    truth: bool | None = None
    graph: bool = False
    cut: bool = False
    also: tuple[str, ...] = ()


def answer_query(folder: str, query: str, prefixes: Mapping[str, str], most: int) -> QueryAnswer:
    """Ask the store in `folder`; at most `most` rows. Raises InputError with what is wrong with the
    query.
    """
    try:
        store = ox.Store.read_only(folder)
        result = store.query(query, prefixes=dict(prefixes))
    except SyntaxError as error:
        raise InputError(
            f"This is not SPARQL: {str(error)[:300]}.", "Compare it with an example."
        ) from None
    except OSError as error:
        raise StoreError(f"The knowledge base cannot be queried: {str(error)[:200]}.") from None
    try:
        return _answer_of_result(result, most, query)
    except (ValueError, RuntimeError, OSError) as error:
        if "memory" in str(error).casefold():
            raise MemoryError from None  # whoever set the limit says what it is
        raise InputError(f"The query cannot be answered: {str(error)[:300]}.") from None


def _answer_of_result(result: object, most: int, query: str) -> QueryAnswer:
    if isinstance(result, ox.QueryBoolean):
        return QueryAnswer(truth=bool(result))
    rows: list[tuple[QueryValue | None, ...]] = []
    cut = False
    if isinstance(result, ox.QuerySolutions):
        columns = tuple(_in_order([variable.value for variable in result.variables], query))
        cells: Iterable[tuple[object, ...]] = (
            tuple(solution[name] for name in columns) for solution in result
        )
    else:
        assert isinstance(result, ox.QueryTriples)
        columns = ("subject", "predicate", "object")
        cells = ((triple.subject, triple.predicate, triple.object) for triple in result)
    for row in cells:
        if len(rows) == most:
            cut = True
            break
        rows.append(tuple(_value(cell) for cell in row))
    return QueryAnswer(columns, tuple(rows), graph=isinstance(result, ox.QueryTriples), cut=cut)


def _in_order(columns: list[str], query: str) -> list[str]:
    """The columns as SELECT names them; the engine sorts those of `SELECT *` by the alphabet, here
    they come as the query first names them.
    """
    if not _EVERYTHING.search(query):
        return columns
    select_order = list(dict.fromkeys(_VARIABLE.findall(query)))
    return sorted(
        columns,
        key=lambda name: select_order.index(name) if name in select_order else len(select_order),
    )


def _value(term: object) -> QueryValue | None:
    if term is None:
        return None
    if isinstance(term, ox.NamedNode):
        return QueryValue(term.value, "iri")
    if isinstance(term, ox.Literal):
        return QueryValue(term.value[:LONGEST_VALUE], "text", term.datatype.value)
    return QueryValue(str(term)[:LONGEST_VALUE], "blank")


def write_lines(file: Path, described: Iterable[Described]) -> None:
    """What `build` reads: N-Triples as they come, in bounded memory."""
    with file.open("wb") as out:
        for subject, facts in described:
            lines = (f"<{subject}> <{said}> {value(text, kind)} .\n" for said, text, kind in facts)
            out.write("".join(lines).encode())


def build_store(folder: str, file: str) -> int:
    """Write a store that `answer` reads, from a file of N-Triples; how many triples it has. It
    takes about a kilobyte a triple, so it is made to be run in a child process.
    """
    store = ox.Store(folder)
    store.bulk_load(path=file, format=ox.RdfFormat.N_TRIPLES)
    store.optimize()
    store.flush()
    return len(store)
