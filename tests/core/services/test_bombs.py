"""A folder of files that were built to do harm, dropped on each upload: every one ends with a
sentence, soon, and without taking the memory.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from core.cli import main
from core.desk import Desk
from core.errors import GroundworkError
from core.model import JobState
from core.services.documents import batch_file, upload
from core.services.extract import schemas
from core.services.graph import statement_import
from core.services.literature import namespaces
from core.services.literature import upload as literature_upload
from core.services.settings import project_copy
from core.services.vocabularies import installation
from core.settings import Settings
from tests.core.services.bombs import bombs

MEMORY = 600  # megabytes that all of them together may take more, in whatever process
SECONDS = 30  # of processor time, one file at one upload, on a slow and busy machine


def restore(desk: Desk, name: str, data: bytes) -> None:
    file = desk.folder / "backup.tar"
    file.write_bytes(data)
    project_copy.restore_backup(desk, file)


def literature(desk: Desk, name: str, data: bytes) -> None:
    """As the page does it: by a job. A file that it refuses, it tells."""
    if "papers" not in {namespace.name for namespace in namespaces.list_namespaces(desk)}:
        namespaces.create_namespace(desk, "papers")
    job = desk.runner.wait(literature_upload.start_upload(desk, "papers", [(name, data)]).id, 600)
    assert job.state is JobState.DONE, job.error
    notice = " ".join(literature_upload.added_lines(job))
    assert notice and "crashed" not in notice


UPLOADS: dict[str, Callable[[Desk, str, bytes], object]] = {
    "extract": lambda desk, name, data: upload.read_uploaded_text(name, data),
    "batch": lambda desk, name, data: batch_file.read_file(name, data),
    "vocabulary": installation.add_upload,
    "literature": literature,
    "import": statement_import.import_file,
    "schema": lambda desk, name, data: schemas.checked_schema(
        desk, data.decode("utf-8", "replace")
    ),
    "restore": restore,
}


EVERY = ("",)
# What each place has a reader of its own for. Of every other kind of file it gets one: also the
# batch and the literature of kinds that *extract* reads by the same readers.
READS = {
    "extract": EVERY,
    "vocabulary": (
        *(".owl", ".ttl", ".ofn", ".obo", ".rdf", ".xml", ".json", ".jsonld", ".tsv", ".csv"),
        *(".gz", ".bz2", ".xz", ".zip", ".tar"),
    ),
    "batch": (".csv", ".tsv", ".jsonl", ".zip", ".gz"),
    "literature": (".csv", ".tsv", ".jsonl", ".gz"),
    "import": (".ttl", ".rdf", ".jsonld", ".json", ".tsv", ".zip"),
    "schema": (".yaml", ".json", ".ttl"),
    "restore": (".tar", ".gz", ".zip"),
}
# These refuse a kind that they do not read by its name, or read any as text: three stand for all
REFUSE = {"import": (".txt", ".xlsx", ".owl"), "schema": (".txt", ".xlsx", ".owl")}


def bombs_for(place: str) -> dict[str, bytes]:
    """The files for one upload."""
    seen: set[str] = set()
    chosen = {}
    for name, data in bombs().items():
        kind = Path(name).suffix
        own = name.endswith(READS[place])
        if own or (kind not in seen and kind in REFUSE.get(place, (kind,))):
            chosen[name] = data
        seen.add(kind)
    return chosen


def most_memory() -> float:
    """Megabytes at the worst moment, of this process or of its largest child."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(who).ru_maxrss for who in whose) / 1024


def processor() -> float:
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(who)[:2]) for who in whose)


@pytest.mark.parametrize("place", UPLOADS)
def test_a_folder_of_bombs_on_an_upload(place: str, tmp_path: Path) -> None:
    desk = Desk(Settings(tmp_path, base_set=False))
    before, slow = most_memory(), []
    for name, data in bombs_for(place).items():
        began = processor()
        try:
            UPLOADS[place](desk, name, data)
        except GroundworkError as error:
            assert error.message and "Traceback" not in str(error), name
            assert "crashed" not in str(error), name
        if processor() - began > SECONDS:
            slow.append(name)
    assert not slow
    assert most_memory() - before < MEMORY
    assert {path.parent for path in tmp_path.rglob("*passwd*")} == set()
    desk.close()


COMMANDS = {
    "namespace": ["namespace", "add", "papers", "@"],
    "import": ["import", "@", "--curator", "0000-0002-1825-0097"],
    "schemas": ["schemas", "@"],
    "decide": ["decide", "--input", "@", "--curator", "0000-0002-1825-0097"],
    "propose": ["propose", "--input", "@", "--curator", "0000-0002-1825-0097"],
    "restore": ["restore", "@"],
}
# One of each kind: every file goes through the same readers above
KINDS = [
    "laughs.owl",
    "deep.ttl",
    "many-aliases.yaml",
    "tagged.yaml",
    "bomb.txt.gz",
    "many.zip",
    "escape.tar",
    "deep.json",
    "half-letters.jsonl",
    "unpacks.pdf",
    "columns.csv",
    "field.ris",
    "records.ris",
    "strings.xlsx",
]
TEXTS = ["deep.ttl", "many-aliases.yaml", "tagged.yaml", "deep.json", "many.zip", "bomb.txt.gz"]
# A verb that reads few kinds gets those, and two that it does not read
FILES = {"import": TEXTS, "schemas": TEXTS}


@pytest.mark.parametrize("verb", COMMANDS)
def test_a_folder_of_bombs_on_the_command_line(
    verb: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWORK_BASE_SET", "off")
    slow = []
    for name in FILES.get(verb, KINDS):
        file = tmp_path / "bombs" / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(bombs()[name])
        words = [word.replace("@", f"bombs/{name}") for word in COMMANDS[verb]]
        began = processor()
        assert main(["--project", str(tmp_path / "project"), *words]) in (0, 1), name
        if processor() - began > SECONDS:
            slow.append(name)
        assert "Traceback" not in capsys.readouterr().err, name
    assert not slow
    assert not (tmp_path / "bombed").exists()


NO_FILES = ["folder", "pipe", "endless", "nothing"]
READERS = {
    "schemas": ["schemas", "@"],
    "prompt": ["prompt", "--schema", "chemical_disease", "--input", "@"],
    "parse": ["parse", "--schema", "chemical_disease", "--input", "@", "--completion", "@"],
    "extract": ["extract", "--schema", "chemical_disease", "--engine", "builtin", "--input", "@"],
    "extract by": ["extract", "--schema", "@", "--engine", "builtin", "--input", "text"],
    "schema new": ["schema", "new", "--from", "@", "--print"],
    "schema note": ["schema", "note", "chemical_disease", "--set", "@"],
    "read": ["read", "@"],
    "vocabularies add": ["vocabularies", "add", "@"],
    "ground": ["ground", "--vocabulary", "terms.tsv", "--input", "@"],
    "ground by": ["ground", "--vocabulary", "@", "--input", "text"],
    "annotate": ["annotate", "--vocabulary", "terms.tsv", "--input", "@"],
    "memory import": ["memory", "import", "@", "--curator", "0000-0002-1825-0097"],
    "ask": ["ask", "--input", "@"],
    "search": ["search", "papers", "--input", "@"],
    "answer": ["answer", "papers", "--input", "@"],
    "recommend": ["recommend", "papers", "--input", "@"],
    "table": ["table", "papers", "--input", "@"],
    "triage": ["triage", "papers", "judge", "--input", "@", "--curator", "0000-0002-1825-0097"],
    "decide": ["decide", "--input", "@", "--curator", "0000-0002-1825-0097"],
    "propose": ["propose", "--input", "@", "--curator", "0000-0002-1825-0097"],
    "import": ["import", "@", "--curator", "0000-0002-1825-0097"],
    "export": ["export", "--format", "nanopub", "--sign", "@"],
    "query": ["query", "--input", "@"],
    "restore": ["restore", "@"],
    "vectors": ["vectors", "@.npy"],
    "evaluate": ["evaluate", "bc5cdr", "--input", "@"],
}


@pytest.mark.parametrize("verb", READERS)
def test_every_verb_refuses_a_path_that_is_not_a_file(
    verb: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWORK_BASE_SET", "off")
    (tmp_path / "terms.tsv").write_text("prefix\tid\tlabel\nX\tX:1\taspirin\n")
    (tmp_path / "text").write_text("Aspirin treats pain.")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")
    main(["namespace", "create", "papers", "--project", "project"])
    signal.alarm(60)  # who opens a pipe waits for ever
    for name in NO_FILES:
        words = [word.replace("@", name) for word in READERS[verb]]
        capsys.readouterr()
        assert main(["--project", "project", *words]) == 1, name
        messages = capsys.readouterr().err
        assert messages.startswith("groundwork: ") and "Traceback" not in messages, name
    signal.alarm(0)


@pytest.mark.parametrize("verb", ["ground", "search", "memory import", "query", "table", "ask"])
def test_a_file_of_lines_is_read_up_to_its_limit(
    verb: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWORK_BASE_SET", "off")
    (tmp_path / "terms.tsv").write_text("prefix\tid\tlabel\nX\tX:1\taspirin\n")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(3_000_000_000)
    main(["namespace", "create", "papers", "--project", "project"])
    before = most_memory()
    words = [word.replace("@", "large") for word in READERS[verb]]
    assert main(["--project", "project", *words]) == 1
    assert "larger than 50 MB" in capsys.readouterr().err
    assert most_memory() - before < 200
