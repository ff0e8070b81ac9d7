"""What is no vocabulary says so in a sentence that helps, however the file is called."""

from __future__ import annotations

import gzip
import json
from random import Random

import pytest

from core.errors import InputError
from core.grounding.readers import registry
from core.grounding.readers.record import VocabularyReading

OBO = "format-version: 1.2\nontology: x\n\n" + "".join(
    f"[Term]\nid: X:{number}\nname: thing {number}\n\n" for number in range(40)
)


@pytest.mark.parametrize(
    ("name", "content", "says", "helps"),
    [
        (
            "hp.obo",
            b"<!DOCTYPE html>\n<html><body>Sign in</body></html>",
            "web page",
            "get the file",
        ),
        ("go.owl", b'<?xml version="1.0"?>\n<html xmlns="x"></html>', "web page", "get the file"),
        ("x.tsv", "id\tlabel\nX:1\tone\n".encode("utf-16"), "UTF-16", "UTF-8"),
        ("x.tsv", "id\tlabel\nX:1\tone thing\n".encode("utf-16-le"), "UTF-16", "UTF-8"),
        (
            "x.json",
            '{"graphs":\n [{"id": "é"}]}'.encode("latin-1"),
            "Line 2 of x.json is not UTF-8",
            "UTF-8",
        ),
        (
            "hgnc.json",
            '{"response":\n {"docs": [{"hgnc_id": "é"}]}}'.encode("latin-1"),
            "Line 2 of hgnc.json is not UTF-8",
            "UTF-8",
        ),
        (
            "x.ttl",
            '@prefix e: <http://e/> .\ne:a e:b "é" .\n'.encode("latin-1"),
            "Line 2 of x.ttl is not UTF-8",
            "UTF-8",
        ),
        (
            "x.ofn",
            b"Prefix(x:=<http://x/>)\nOntology(<http://x>\nDeclaration(Class(x:X_1))\nDeclar",
            "ends inside an ontology",
            "again",
        ),
        (
            "x.json.gz",
            gzip.compress(b'{"graphs": ["' + Random(1).randbytes(90_000).hex().encode())[:-9],
            "x.json.gz is damaged",
            "again",
        ),
        ("x.tsv", b"%PDF-1.7\n%\xe2\xe3", "is a PDF", "tables"),
        ("x.zip", b"PK\x03\x04....[Content_Types].xml", "spreadsheet", "CSV"),
        ("x.csv", b"\xd0\xcf\x11\xe0\xa1\xb1", "spreadsheet", "CSV"),
        ("x.obo", b"\x00\x01\x02", "binary data", "OBO"),
        ("x.txt", b"Dear editor,\nno vocabulary.\n", "no format that is known", "OBO"),
    ],
)
def test_file_that_is_not_a_vocabulary_is_refused_with_its_kind(
    tmp_path, name, content, says, helps
):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=says) as refused:
        list(registry.read(path, VocabularyReading()))
    assert helps in refused.value.hint


def problems(path) -> list[str]:
    reading = VocabularyReading()
    assert list(registry.read(path, reading))
    return [problem.code for problem in reading.problems]


def test_a_long_file_that_ends_inside_a_line_is_reported_as_cut(tmp_path):
    path = tmp_path / "x.obo"
    path.write_text(OBO[:-4])
    assert "cut-short" in problems(path)
    path.write_text(OBO)
    assert "cut-short" not in problems(path)


def test_a_short_table_typed_by_hand_needs_no_last_line_end(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text("id\tlabel\nX:1\tone")
    assert problems(path) == []


@pytest.mark.parametrize(
    "graph",
    [
        {"nodes": [3, None, "x"], "edges": ["x", 3], "meta": {"basicPropertyValues": [{}, "x"]}},
        {"nodes": {"a": 1}, "edges": {"b": 2}, "meta": "x"},
        {"nodes": [{"id": "http://purl.obolibrary.org/obo/GO_1", "lbl": 3, "meta": ["x"]}]},
    ],
)
def test_json_of_another_shape_breaks_no_reader(tmp_path, graph):
    path = tmp_path / "go.json"
    path.write_text(json.dumps({"graphs": [graph]}))
    assert {term.id for term in registry.read(path, VocabularyReading())} <= {"GO:1"}


def test_obo_graphs_know_merged_ids_and_those_to_consider(tmp_path):
    def node(number, **meta):
        return {"id": f"http://purl.obolibrary.org/obo/GO_{number}", "lbl": "x", "meta": meta}

    oio = "http://www.geneontology.org/formats/oboInOwl#"
    values = [{"pred": f"{oio}hasAlternativeId", "val": "GO:9"}]
    choice = [{"pred": f"{oio}consider", "val": f"GO:{number}"} for number in (1, 2)]
    path = tmp_path / "go.json"
    nodes = [node(1, basicPropertyValues=values), node(3, deprecated=True,
                                                       basicPropertyValues=choice)]  # fmt: skip
    path.write_text(json.dumps({"graphs": [{"nodes": nodes}]}))
    terms = {term.id: term for term in registry.read(path, VocabularyReading())}
    assert terms["GO:1"].alternative == ("GO:9",)
    assert terms["GO:3"].consider == ("GO:1", "GO:2")


TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix hp: <http://purl.obolibrary.org/obo/HP_> .
hp:0000001 a skos:Concept ; skos:prefLabel "all"@en .
"""
UNIPROT = "Entry\tEntry Name\tProtein names\tGene Names\tOrganism (ID)\n"
UNIPROT += "P12345\tAATM_RABIT\tAspartate aminotransferase\tGOT2\t9986\n"


@pytest.mark.parametrize(
    ("name", "text"), [("x.obo", OBO), ("x.ttl", TURTLE), ("uniprot.tsv", UNIPROT)]
)
@pytest.mark.parametrize(
    "bytes_of",
    [
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
    ],
    ids=["byte order mark", "CR", "CRLF"],
)
def test_marks_and_ends_of_lines_make_no_difference(tmp_path, name, text, bytes_of):
    plain, other = tmp_path / name, tmp_path / "other" / name
    other.parent.mkdir()
    plain.write_text(text)
    other.write_bytes(bytes_of(text))
    terms = [list(registry.read(path, VocabularyReading())) for path in (plain, other)]
    assert terms[0] and terms[0] == terms[1]
