"""A SPARQL query over a knowledge base on disk: which queries may run, and the answer, read-only,
made to be run in a child process.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from core.errors import InputError, Refused, StoreError
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


LONGEST = 20_000  # characters
# Anywhere, also in texts and comments: a reader that is deceived about where a text ends must not
# let the one word through that makes the engine ask another address.
_SERVICE = re.compile(r"(?<![\w?$:/#.-])service(?![\w:-])", re.IGNORECASE)
_FROM = re.compile(r"(?<![\w?$:/#.-])from(?![\w:-])", re.IGNORECASE)
# The first word after the prefixes. Whether it is SPARQL is the engine's to say.
_UPDATE = re.compile(
    r"\s*(?:(?:base|prefix\s+[^\s:]*:)\s+)*"
    r"(load|insert|delete|clear|drop|create|add|move|copy|with)(?![\w:-])",
    re.IGNORECASE,
)
DEEPEST = 200  # nested brackets; the engine's own reader ends in a crash at some thousand
_TEXTS = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^\'\\]|\\.|\'(?!\'\'))*\'\'\''
    r'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|<[^<>\s]*>|#[^\n]*',
    re.DOTALL,
)


def check_query(query: str) -> str:
    """The query as it is. Raises Refused for SERVICE, FROM and changes, InputError for one that is
    empty, too long or too deep.

    >>> check_query("SELECT * { SERVICE <https://example.org/sparql> { ?s ?p ?o } }")
    Traceback (most recent call last):
        ...
    core.errors.Refused: SERVICE would contact another address: queries read only ...
    """
    if not query.strip():
        raise InputError("The query is empty.", "Choose an example, or write one.")
    if len(query) > LONGEST:
        raise InputError(f"The query has more than {LONGEST:,} characters.", "Shorten the query.")
    if _SERVICE.search(query):
        raise Refused(
            "SERVICE would contact another address: queries read only this knowledge base.",
            "Take it out. To search for this word in texts, write it as a regular expression: "
            "s.rvice.",
        )
    words = _TEXTS.sub(" ", query)
    if update := _UPDATE.match(words):
        raise Refused(
            f"{update[1].upper()} would change data: queries only read this knowledge base.",
            "Begin with SELECT, ASK, CONSTRUCT or DESCRIBE. Statements are proposed on Import.",
        )
    if nesting_depth(words) > DEEPEST:
        raise InputError(
            f"The query has more than {DEEPEST} nested brackets.", "Simplify the query."
        )
    if _FROM.search(words):
        raise Refused(
            "FROM names other data: queries read only this knowledge base.",
            "Take it out: everything approved is in the default graph.",
        )
    return query


def nesting_depth(words: str) -> int:
    """How many brackets are open at once, at most."""
    deepest = now = 0
    for sign in words:
        now += (sign in "({[") - (sign in ")}]")
        deepest = max(deepest, now)
    return deepest
