"""The verbs namespace and search."""

from __future__ import annotations

import argparse
import gzip
import io
import json

import pytest

from core.cli import literature, namespace
from core.desk import open_desk
from core.errors import InputError
from core.settings import Settings

ROWS = (
    {"id": "a", "title": "Tau", "text": "Kinase Q phosphorylates tau."},
    {"id": "b", "title": "Bread", "text": "Bread is baked. Kinase R is not baked."},
)


@pytest.fixture
def run(tmp_path, capsys):
    desk = open_desk(Settings(project=tmp_path / "p"))
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="verb")
    for verb in (*namespace.VERBS, *literature.VERBS):
        command = commands.add_parser(verb.name)
        verb.add_arguments(command)
        command.set_defaults(run=verb.run)
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, ROWS)).encode()))

    def command(*words: str) -> str:
        args = parser.parse_args(list(words))
        assert args.run(desk, args) == 0
        return capsys.readouterr().out

    command("namespace", "create", "tau")
    command("namespace", "add", "tau", str(path))
    return command


def test_namespaces_are_listed_and_deleted(run):
    assert run("namespace", "list").startswith("tau\t2\t")
    run("namespace", "delete", "tau")
    assert run("namespace", "list") == ""


def test_a_result_has_the_keys_that_others_rely_on(run):
    best = json.loads(run("search", "tau", "Which kinase phosphorylates tau?"))[0]
    assert (
        best["document"] == "a"
        and best["chunk"] == "a@0"
        and best["text"].startswith("Tau\nKinase Q")
    )
    assert (
        best["score"] > 0
        and 0 < best["coverage"] <= 1
        and best["counts"] == {"kinase": 1, "phosphorylates": 1, "tau": 2}
    )


def test_k_and_mode_and_fixed(run):
    assert len(json.loads(run("search", "tau", "kinase", "-k", "1"))) == 1
    content = json.loads(run("search", "tau", "kinase", "--mode", "pes2", "--fixed", "bread"))
    assert [hit["document"] for hit in content] == ["b", "a"]


def test_weiseeule_s_syntax(run):
    content = json.loads(run("search", "tau", "##Is **bread** a *kinase*?", "--mode", "pes2"))
    assert [hit["document"] for hit in content] == ["b"]
    assert content[0]["counts"] == {"bread": 2, "kinase": 1}


def test_queries_of_a_file_give_one_line_each_in_order(run, tmp_path):
    path = tmp_path / "queries.jsonl"
    path.write_text(
        '{"id": "1", "text": "bread"}\n{"id": "2", "text": "the of"}\n{"id": "3", "text": "tau"}\n'
    )
    lines = [
        json.loads(line)
        for line in run("search", "tau", "--input", str(path), "--format", "jsonl").splitlines()
    ]
    assert [(line["id"], [result["document"] for result in line["results"]]) for line in lines] == [
        ("1", ["b"]),
        ("2", []),
        ("3", ["a"]),
    ]


def test_queries_from_standard_input(run, monkeypatch):
    query = b'{"id": 7, "text": "bread", "keywords": ["bread"]}\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(query)))
    assert json.loads(run("search", "tau", "--input", "-", "--format", "jsonl"))["id"] == 7


def test_query_that_cannot_be_asked_is_refused_with_the_reason(run):
    with pytest.raises(InputError, match="Give a query"):
        run("search", "tau")
    with pytest.raises(InputError, match="at least 1"):
        run("search", "tau", "bread", "-k", "0")
    with pytest.raises(InputError, match="Name the namespace"):
        run("namespace", "create")


@pytest.mark.parametrize(
    "name, raw",
    [
        ("q.jsonl", b"Caf\xe9 at night"),
        ("q.jsonl.gz", gzip.compress(b"tau " * 99, mtime=0)[:18]),
        ("q.gz", b"tau\0"),
    ],
)
def test_questions_that_are_damaged_or_not_utf8_are_refused(run, tmp_path, name, raw):
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(InputError, match=r"UTF-8|cut off|NUL"):
        run("search", "tau", "--input", str(tmp_path / name))


def test_single_sentences_are_found(run):
    best = json.loads(run("search", "tau", "Is kinase R baked?", "--by", "sentence", "-k", "1"))
    assert best[0]["text"] == "Kinase R is not baked." and best[0]["document"] == "b"
