"""The verbs on the knowledge base, as a user types them."""

from __future__ import annotations

import argparse
import json

import pytest
from rdflib import Graph

from core.cli import asking, decision, knowledge_base
from tests import reviewing
from tests.reviewing import ANNA, RELIEVES

WHO = ["--curator", ANNA.orcid]
VERBS = (*knowledge_base.VERBS, *decision.VERBS, *asking.VERBS)


@pytest.fixture
def desk(tmp_path):
    desk = reviewing.filled(tmp_path / "p")
    yield desk
    desk.close()


@pytest.fixture
def run(desk, capfdbinary):
    def call(verb: str, *words: str) -> tuple[bytes, str]:
        (spec,) = [known_verb for known_verb in VERBS if known_verb.name == verb]
        parser = argparse.ArgumentParser()
        spec.add_arguments(parser)
        assert spec.run(desk, parser.parse_args(words)) == 0
        out, err = capfdbinary.readouterr()
        return out, err.decode()

    return call


def lines(out: bytes) -> list[dict]:
    return [json.loads(line) for line in out.decode().splitlines()]


def test_export_writes_turtle_and_tells_what_was_held(run):
    run("decide", RELIEVES.id, "approve", "--version", "1", *WHO)
    out, err = run("export")
    assert len(Graph().parse(data=out, format="turtle")) > 10
    assert "1 statement passed the gate" in err
    assert "held back: 5 · not decided yet. Decide it" in err


def test_export_names_what_the_format_leaves_out(run):
    run("decide", RELIEVES.id, "approve", "--version", "1", *WHO)
    _, err = run("export", "--format", "hpoa")
    assert "hpoa: 1 statement is left" in err
    assert "aspirin · treats · Headache" in err


def test_export_to_a_file_and_import_of_it(run, tmp_path):
    run("decide", RELIEVES.id, "approve", "--version", "1", *WHO)
    file = tmp_path / "kb.ttl"
    out, _ = run("export", "--output", str(file))
    assert out == b""
    assert lines(run("import", str(file))[0]) == [{"read": 1, "new": 0, "known": 1, "evidence": 0}]


@pytest.mark.parametrize("verb", knowledge_base.VERBS, ids=lambda verb: verb.name)
def test_every_verb_has_help(verb, capsys):
    parser = argparse.ArgumentParser(description=verb.help)
    verb.add_arguments(parser)
    with pytest.raises(SystemExit) as ended:
        parser.parse_args(["--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out


def test_export_held_lists_rejections_without_exporting(run):
    run("decide", RELIEVES.id, "approve", "--version", "1", *WHO)
    out, _ = run("export", "--held")
    listed = [line.split("\t") for line in out.decode().splitlines()]
    assert len(listed) == 5
    assert {line[1] for line in listed} == {"not decided yet"}


def test_query_without_rows_says_when_nothing_passes_the_checks(run):
    _, err = run("query", "SELECT * WHERE { ?s ?p ?o }")
    assert "No approved statement" in err
    assert "export --held" in err
