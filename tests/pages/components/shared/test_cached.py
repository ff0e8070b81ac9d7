"""What is worked out once for each state of a project."""

from __future__ import annotations

import pytest

from core.model import Document, TextVersion, Verdict
from core.services.graph import knowledge_base
from core.services.releases.export_job import ExportRequest
from core.services.review import decision
from core.services.review.decision import Judgement
from pages.components.shared import cached
from tests import reviewing
from tests.reviewing import ANNA


@pytest.fixture
def counted(monkeypatch):
    """How often every statement went through the gate."""
    runs: list[int] = []
    work = knowledge_base.gate_passage
    monkeypatch.setattr(
        knowledge_base, "gate_passage", lambda *asked: (runs.append(1), work(*asked))[1]
    )
    return runs


def approve(desk):
    record = next(waiting for waiting in desk.store.queue.records() if not waiting.decisions)
    decision.decide(desk, record.id, record.version, Judgement(Verdict.APPROVE), curator=ANNA)


def test_the_gate_is_asked_once_until_something_is_decided(project, counted):
    desk = reviewing.filled(project)
    assert cached.gate_report(desk) is cached.gate_report(desk)
    approve(desk)
    assert len(cached.gate_report(desk).entries) == 1
    assert len(counted) == 2


def test_a_file_is_written_of_what_passed(project, counted):
    desk = reviewing.filled(project)
    approve(desk)
    request = ExportRequest("ttl")
    assert (
        cached.exported_file(desk, request).content == cached.exported_file(desk, request).content
    )
    assert (
        cached.exported_file(desk, request).content
        == knowledge_base.export_approved(desk, "ttl").content
    )
    assert len(counted) == 2  # one of them by `export` itself


@pytest.mark.parametrize("change", ["text", "title", "vocabulary", "schema", "name"])
def test_gate_stamp_changes_with_everything_the_gate_reads(project, change):
    desk = reviewing.filled(project)
    before = knowledge_base.gate_stamp(desk)
    if change == "text":
        desk.store.documents.add_text(TextVersion("cd" * 32, reviewing.DOCUMENT, "more"))
    elif change == "title":
        desk.store.documents.add(Document("PMID:7", "A title"))
    elif change == "vocabulary":
        (desk.vocabularies / "more.tsv").write_text("prefix\tid\tlabel\tsynonym\tscope\n")
    elif change == "schema":
        (desk.schemas[0] / "own.yaml").write_text("id: x")
    else:
        desk.store.curators.add(type(ANNA)(ANNA.orcid, "Another name"))
    assert knowledge_base.gate_stamp(desk) != before


def test_the_graph_is_drawn_up_once(project):
    desk = reviewing.filled(project)
    approve(desk)
    assert cached.cached_graph(desk) is cached.cached_graph(desk)
