"""The verbs vocabularies, ground and annotate: what they read, write and refuse."""

from __future__ import annotations

import argparse
import gzip
import json

import pytest

from core.cli import grounding, vocabulary
from core.desk import open_desk
from core.errors import InputError
from core.settings import load_settings

TABLE = (
    "id\tlabel\tsynonym\nX:1\thypertension\thypertension\nX:1\thypertension\thigh blood"
    " pressure\nX:2\tfever\tfever\n"
)


@pytest.fixture
def verb(tmp_path, capsys):
    desk = open_desk(load_settings(tmp_path / "project"))

    def run(*words: str) -> list[str]:
        parser = argparse.ArgumentParser()
        commands = parser.add_subparsers()
        for known_verb in (*vocabulary.VERBS, *grounding.VERBS):
            command = commands.add_parser(known_verb.name)
            known_verb.add_arguments(command)
            command.set_defaults(run=known_verb.run)
        args = parser.parse_args([str(word) for word in words])
        assert args.run(desk, args) == 0
        return capsys.readouterr().out.splitlines()

    return run


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def input_file(tmp_path):
    def write(content: str | bytes):
        path = tmp_path / "input"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_grounding_prints_a_line_per_mention_in_order(verb, table, input_file):
    lines = verb(
        "ground", "--vocabulary", table, "--input", input_file("fever\n\nno such thing\nHigh blood pressure\n"),  # noqa: E501
        "--format", "jsonl",
    )  # fmt: skip
    rows = [json.loads(line) for line in lines]
    assert [(row["text"], row["id"]) for row in rows] == [
        ("fever", "X:2"),
        ("", ""),
        ("no such thing", ""),
        ("High blood pressure", "X:1"),
    ]
    assert set(rows[0]["candidates"][0]) >= {"id", "label", "match", "score", "vocabulary"}


def test_a_tie_is_named_with_its_terms_and_has_no_margin(verb, input_file, tmp_path):
    header = "# vocabulary: v\n# version: 1\nprefix\tid\tlabel\tsynonym\tscope\n"
    names = "A\tA:1\tone\tcold\tEXACT\nA\tA:2\ttwo\tcold\tEXACT\nA\tA:3\tfever\tfever\tEXACT\n"
    table = tmp_path / "tied.tsv"
    table.write_text(header + names, encoding="utf-8")
    lines = verb("ground", "--vocabulary", table, "--input", input_file("cold\nfever\n"))
    tied, clear = (dict(zip(lines[0].split("\t"), x.split("\t"), strict=True)) for x in lines[1:])
    assert (tied["outcome"], tied["margin"], tied["tie"]) == ("ambiguous", "0.000", "A:1 A:2")
    assert (clear["outcome"], clear["margin"], clear["tie"]) == ("grounded", "1.000", "")


def test_json_lines_carry_context_and_keep_their_document(verb, table, input_file):
    row = {"text": "FVR", "document": "7", "context": "A fever (FVR) came.", "start": 9}
    context = row | {"context": "High blood pressure (HBP) is common.", "text": "HBP"}
    lines = verb(
        "ground", "--vocabulary", table, "--input", input_file(json.dumps(context) + "\n"), "--format", "jsonl"  # noqa: E501
    )  # fmt: skip
    content = json.loads(lines[0])
    assert (content["id"], content["match"], content["document"]) == ("X:1", "abbreviation", "7")


def test_tsv_has_a_header_and_no_stray_tabs(verb, table, input_file):
    lines = verb("ground", "--vocabulary", table, "--input", input_file("fever\n"))
    assert lines[0].split("\t")[:5] == ["text", "id", "label", "match", "score"]
    assert len(lines[1].split("\t")) == len(lines[0].split("\t"))


def test_a_text_is_annotated_with_offsets(verb, table, input_file):
    lines = verb(
        "annotate",
        "--vocabulary",
        table,
        "--input",
        input_file("Fever and hypertension."),
        "--format",
        "jsonl",
    )
    assert [(row["start"], row["end"], row["id"]) for row in map(json.loads, lines)] == [
        (0, 5, "X:2"),
        (10, 22, "X:1"),
    ]


def test_json_lines_and_gzip_are_annotated_by_document(verb, table, input_file):
    rows = "\n".join(json.dumps({"doc": str(n), "text": "A fever."}) for n in (1, 2))
    lines = verb(
        "annotate", "--vocabulary", table, "--input", input_file(gzip.compress(rows.encode()))
    )
    assert [line.split("\t")[0] for line in lines[1:]] == ["1", "2"]


@pytest.mark.parametrize(
    "text", ["fever " * 400_000, json.dumps({"text": "fever " * 400_000})], ids=["plain", "lines"]
)
def test_a_text_beyond_the_limit_is_not_annotated(verb, table, input_file, text):
    with pytest.raises(InputError, match=r"too long: 2,\d{3},\d{3} characters"):
        verb("annotate", "--vocabulary", table, "--input", input_file(gzip.compress(text.encode())))


def test_a_line_nested_too_deeply_is_explained_in_words(verb, table, input_file):
    with pytest.raises(InputError, match="nested too deeply"):
        verb("ground", "--vocabulary", table, "--input", input_file('{"text": ' + "[" * 200_000))


def test_a_vocabulary_is_added_listed_and_removed(verb, table):
    verb("vocabularies", "add", table)
    assert any(line.startswith("mine\t") for line in verb("vocabularies", "list"))
    verb("vocabularies", "remove", "mine")
    assert not any(line.startswith("mine\t") for line in verb("vocabularies", "list"))


def test_a_starter_is_used_by_name_without_installing(verb, input_file):
    lines = verb(
        "ground",
        "--vocabulary",
        "mesh",
        "--input",
        input_file("Polycyclic Compounds\n"),
        "--format",
        "jsonl",
    )
    assert json.loads(lines[0])["candidates"][0]["vocabulary"] == "mesh"


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"a\x00b", "NUL"), ('{"text": ', "not"), ('{"words": "x"}', "text"), (b"\x1f\x8bxx", "gzip")],
)
def test_input_that_cannot_be_used_is_explained(verb, table, input_file, content, says):
    with pytest.raises(InputError, match=says):
        verb("ground", "--vocabulary", table, "--input", input_file(content))


def test_an_unknown_vocabulary_is_named(verb, input_file):
    with pytest.raises(InputError, match="nowhere"):
        verb("ground", "--vocabulary", "nowhere", "--input", input_file("x"))


def test_a_long_compilation_says_how_far_it_is_and_a_short_one_nothing(capsys):
    for seconds in (0.0, 3600.0):
        tell = vocabulary.telling(seconds)
        tell(0.25, "preparing big.obo")
    assert capsys.readouterr().err == "preparing big.obo: 25% …\n"


def test_an_added_vocabulary_says_which_schemas_use_it(verb, table, monkeypatch):
    messages = []
    monkeypatch.setattr(vocabulary, "_report", messages.append)
    verb("vocabularies", "add", table)
    assert messages[-1].startswith("No schema uses mine yet")
    verb("vocabularies", "contains", "mine", "disease")
    assert messages[-1].startswith("mine is used by Chemicals and diseases (Disease)")


def test_a_look_up_without_an_answer_says_so(verb, monkeypatch):
    messages = []
    monkeypatch.setattr(vocabulary, "_report", messages.append)
    assert verb("vocabularies", "look-up", "mappings", "no such thing") == []
    assert messages == ["The mappings: nothing for “no such thing”."]
