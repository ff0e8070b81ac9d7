"""The verb that draws what is approved."""

from __future__ import annotations

import json

import pytest

from core.cli import main
from core.model import Verdict
from core.services.review import decision
from core.services.review.decision import Judgement
from tests import reviewing
from tests.reviewing import ANNA


@pytest.fixture
def project(tmp_path):
    desk = reviewing.filled(tmp_path / "project")
    for record in desk.store.queue.records():
        decision.decide(desk, record.id, record.version, Judgement(Verdict.APPROVE), curator=ANNA)
    desk.close()
    return desk.folder


def told(project, capsys, *arguments):
    assert main(["--project", str(project), "graph", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_things_are_named_by_label_or_id(project, capsys):
    by_label, by_id = (told(project, capsys, name) for name in ("nausea", "HP:0002018"))
    assert by_label == by_id
    assert {thing["label"] for thing in by_id["things"]} == {"aspirin", "Nausea"}


def test_paths_and_filters_are_options(project, capsys):
    graph_told = told(project, capsys, "Nausea", "--to", "Headache", "--said=-qualified")
    assert graph_told["view"] == "paths"
    assert {line["label"] for line in graph_told["lines"]} == {"treats", "not treats"}


def test_the_address_of_the_page_is_the_same_view(project, capsys):
    address = told(project, capsys, "--address", "centre=HP%3A0002018")
    assert address == told(project, capsys, "HP:0002018")


@pytest.mark.parametrize(
    ("name", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("html", b"<!do")]
)
def test_a_picture_is_a_file(project, tmp_path, name, start):
    file = tmp_path / f"picture.{name}"
    arguments = ["--project", str(project), "graph", "--format", name, "--output", str(file)]
    assert main(arguments) == 0
    assert file.read_bytes().startswith(start)


def test_an_unknown_thing_is_an_error_that_helps(project, capsys):
    assert main(["--project", str(project), "graph", "ache"]) == 1
    assert "Headache (HP:0002315)" in capsys.readouterr().err


def test_an_empty_project_says_so(tmp_path, capsys):
    reviewing.empty(tmp_path / "empty").store.queue.count()
    assert main(["--project", str(tmp_path / "empty"), "graph"]) == 1
    assert "approved yet" in capsys.readouterr().err
