"""An export as a job: what is left when it ends, is stopped or killed, or the disk is full."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError, Stopped
from core.kb import entry
from core.model import JobState, Verdict
from core.services.graph.knowledge_base import export_approved, export_to
from core.services.releases import catalogue, export_job, making
from core.services.releases.export_job import ExportRequest
from core.services.review import decision
from tests import reviewing
from tests.reviewing import ANNA, NOT_NAUSEA, RELIEVES

ROOT = Path(__file__).resolve().parents[4]
CHILD = """
import resource, sys, time
from pathlib import Path
from core.desk import open_desk
from core.errors import GroundworkError
from core.services.graph import knowledge_base
from core.settings import load_settings
desk = open_desk(load_settings(Path(sys.argv[1]), {}))
knowledge_base.gate_passage(desk)
def wait(done, total):
    print("writing", flush=True)
    time.sleep(60)
def fill(done, total):
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
try:
    told = wait if sys.argv[3] == "wait" else fill
    knowledge_base.export_to(desk, sys.argv[4], Path(sys.argv[2]), told)
except GroundworkError as error:
    sys.exit(str(error))
"""


IN_CHILD = export_job.in_child


def in_this_process(desk, request, path, progress):
    """What the child does, without the seconds that it takes to begin."""
    project, arguments = str(desk.settings.project), request.arguments()
    return export_job.write_file(project, {}, arguments, str(path), progress)


@pytest.fixture(autouse=True)
def writing_here(monkeypatch):
    monkeypatch.setattr(export_job, "in_child", in_this_process)


@pytest.fixture
def desk(tmp_path):
    desk = reviewing.filled(tmp_path / "p")
    approve(desk, RELIEVES)
    yield desk
    desk.close()


def approve(desk, statement) -> None:
    version = desk.store.statements.get(statement.id).version
    decision.decide(desk, statement.id, version, decision.Judgement(Verdict.APPROVE), curator=ANNA)


def made(desk, name: str = "ttl"):
    job = desk.runner.wait(export_job.start_export(desk, ExportRequest(name)).id, 60)
    assert job.state is JobState.DONE, job.error
    return export_job.latest_export(desk, ExportRequest(name))


def child(desk, file: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD, str(desk.folder), str(file), *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True)


def test_the_job_makes_the_same_file_as_a_click(desk, monkeypatch):
    monkeypatch.setattr(export_job, "in_child", IN_CHILD)
    file = made(desk)
    assert file.path.read_bytes() == export_approved(desk, "ttl").content
    assert (file.statements, file.size) == (1, file.path.stat().st_size)


def test_a_file_is_current_until_something_changes(desk):
    assert made(desk).is_current
    approve(desk, NOT_NAUSEA)
    assert not export_job.latest_export(desk, ExportRequest("ttl")).is_current
    assert made(desk).is_current


def test_a_format_that_was_not_made_has_no_file(desk):
    made(desk)
    assert export_job.latest_export(desk, ExportRequest("kgx")) is None


def test_an_unknown_format_is_refused_before_a_job_begins(desk):
    with pytest.raises(InputError, match="no export format"):
        export_job.start_export(desk, ExportRequest("docx"))
    assert desk.store.jobs.find(name=export_job.JOB) == []


def test_every_format_can_be_stopped_and_leaves_the_old_file(desk, tmp_path, monkeypatch):
    monkeypatch.setattr(entry, "TOLD", 1)
    file = tmp_path / "old"
    file.write_bytes(b"old")

    def stop(done: int, total: int) -> None:
        raise Stopped("stop")

    for name in ("ttl", "nt", "kgx", "tsv", "nanopub", "rdfxml", "graphml", "bundle"):
        with pytest.raises(Stopped):
            export_to(desk, name, file, stop)
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_an_export_that_was_cut_short_is_resumed_into_the_same_file(desk, monkeypatch):
    """The process is lost while it writes; whoever resumes the job gets the whole file."""
    request = ExportRequest("ttl")
    write = export_job.in_child

    def cut(*args, **kept):
        raise Stopped("the machine went away")

    monkeypatch.setattr(export_job, "in_child", cut)
    job = desk.runner.wait(export_job.start_export(desk, request).id, 60)
    assert job.state is JobState.STOPPED and export_job.latest_export(desk, request) is None
    monkeypatch.setattr(export_job, "in_child", write)
    desk.runner.resume(job.id)
    assert desk.runner.wait(job.id, 60).state is JobState.DONE
    assert (
        export_job.latest_export(desk, request).path.read_bytes()
        == export_approved(desk, "ttl").content
    )


def test_the_file_of_a_release_stays_current(desk):
    form = making.preview_release(desk).form
    form = replace(form, licence="CC0-1.0", placeholder_iri=True)
    number = making.make_release(desk, form, ANNA.orcid).number
    request = ExportRequest("ttl", number)
    assert desk.runner.wait(export_job.start_export(desk, request).id, 60).state is JobState.DONE
    approve(desk, NOT_NAUSEA)
    file = export_job.latest_export(desk, request)
    assert file.is_current and file.path.name == f"p-{number}.ttl"
    assert file.path.read_bytes() == b"".join(catalogue.release_chunks(desk, number, "ttl"))
    assert export_job.latest_export(desk, ExportRequest("ttl")) is None


def test_signed_export_without_a_configured_key_is_refused(desk):
    with pytest.raises(InputError, match="no key is"):
        export_job.start_export(desk, ExportRequest("nanopub", is_signed=True))


def test_a_job_that_is_stopped_leaves_the_old_file_and_nothing_else(desk, tmp_path):
    def stop(done: int, total: int) -> None:
        raise Stopped("stop")

    file = made(desk).path
    before = file.read_bytes()
    with pytest.raises(Stopped):
        IN_CHILD(desk, ExportRequest("ttl"), file, stop)
    assert file.read_bytes() == before


def test_a_killed_export_leaves_the_old_file_whole_and_the_next_one_tidies_up(desk):
    file = made(desk).path
    before = file.read_bytes()
    approve(desk, NOT_NAUSEA)
    process = child(desk, file, "wait", "ttl")
    assert process.stdout is not None and process.stdout.readline() == "writing\n"
    process.kill()
    process.communicate()
    assert file.read_bytes() == before
    assert len(list(file.parent.glob(".*.part"))) == 1
    assert made(desk).size > len(before)
    assert list(file.parent.glob(".*.part")) == []


@pytest.mark.parametrize("name", ["ttl", "kgx", "owl", "bundle"])
def test_a_disk_that_fills_leaves_the_old_file_whole_and_names_it(desk, tmp_path, name):
    file = tmp_path / "kept.out"
    file.write_bytes(b"old")
    _, messages = child(desk, file, "fill", name).communicate()
    assert "kept.out could not be written: " in messages
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []
