"""What a query may not ask, however it is written."""

from __future__ import annotations

import pytest

from core.errors import InputError, Refused
from core.kb.query.answer import LONGEST, check_query


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }",
        "SELECT * { service\n?x { ?s ?p ?o } }",
        "SELECT * { ?s ?p ?o FILTER(1<2)SERVICE<http://x/>{ ?s ?p ?o } }",
        "SELECT * { <http://x/\\u0020#> ?p ?o . SERVICE <http://x/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p '#' . SERVICE SILENT <http://x/> { ?s ?p ?o } }",
        'SELECT * { ?s ?p "\\"" . SERVICE <http://x/> {} # "\n }',
        "SELECT * FROM <http://127.0.0.1/> { ?s ?p ?o }",
        "SELECT * from named <http://127.0.0.1/> { ?s ?p ?o }",
        "ASK FROM<http://x/> {}",
    ],
)
def test_other_addresses_and_other_data_are_refused(query):
    with pytest.raises(Refused):
        check_query(query)


@pytest.mark.parametrize(
    "query",
    [
        "LOAD <http://x/>",
        "insert data { <urn:a> <urn:b> <urn:c> }",
        "# a remark\nPREFIX ex: <http://x/> BASE <http://x/>\nDELETE WHERE { ?s ?p ?o }",
        "CLEAR ALL",
    ],
)
def test_changes_are_refused_in_words(query):
    with pytest.raises(Refused, match="would change data"):
        check_query(query)


def test_brackets_without_end_are_refused_before_the_engine_reads_them():
    with pytest.raises(InputError, match="nested brackets"):
        check_query("SELECT * " + "{" * 4_000 + "?a ?b ?c" + "}" * 4_000)
    flat = "SELECT * {" + "{ ?a ?b ?c } UNION " * 400 + "{} }"
    assert check_query(flat) == flat


@pytest.mark.parametrize(
    "query",
    [
        'SELECT * { ?s rdfs:label "isolated from bark" }',
        "SELECT ?from ?service { ?from ?service ?o }",
        "SELECT * { ?s <http://example.org/from> ?o }  # taken from a paper",
        "SELECT * { ?s ex:service ?o ; ex:from ?x }",
        "PREFIX load: <http://x/> SELECT * { load:it ?clear 'drop' }",
    ],
)
def test_words_resembling_a_forbidden_clause_are_let_through(query):
    assert check_query(query) == query


@pytest.mark.parametrize("query", ["", " \n", "x" * (LONGEST + 1)])
def test_empty_or_overlong_sparql_is_refused(query):
    with pytest.raises(InputError):
        check_query(query)
