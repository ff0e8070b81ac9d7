"""Answers of NCBI that are nested too deeply to be read."""

from __future__ import annotations

from core.ncbi.answer_check import answer_fault, refusal_in
from core.ncbi.blast_formats import is_complete, json_hits
from core.web import Fetch

DEEP = '{"header":' + "[" * 100_000
REQUEST = Fetch("https://eutils.example/esearch.fcgi", params=(("db", "gene"), ("retmode", "json")))


def test_a_deep_answer_is_json_that_cannot_be_read() -> None:
    assert refusal_in(REQUEST, DEEP) == ""
    assert answer_fault(REQUEST, DEEP).startswith("JSON")


def test_a_deep_blast_report_has_no_hits_and_is_not_whole() -> None:
    assert not is_complete(DEEP)
    assert json_hits(DEEP) == []
