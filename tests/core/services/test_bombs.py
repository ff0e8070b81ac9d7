"""A folder of files that were built to do harm, dropped on each upload: every one ends with a
sentence, soon, and without taking the memory.
"""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from core.cli import main
from core.desk import Desk
from core.errors import GroundworkError
from core.model import JobState
from core.services.documents import upload
from core.services.extract import batch_file, schemas
from core.services.graph import statement_import
from core.services.literature import namespaces
from core.services.literature import upload as literature_upload
from core.services.settings import copy
from core.services.vocabularies import installation
from core.settings import Settings
from tests.core.services.bombs import BOMBS

MEMORY = 600  # megabytes that all of them together may take more, in whatever process
SECONDS = 10  # of processor time, one file at one upload


def restore(desk: Desk, name: str, data: bytes) -> None:
    file = desk.folder / "backup.tar"
    file.write_bytes(data)
    copy.restore_backup(desk, file)


def literature(desk: Desk, name: str, data: bytes) -> None:
    """As the page does it: by a job. A file that it refuses, it tells."""
    if "papers" not in {namespace.name for namespace in namespaces.list_namespaces(desk)}:
        namespaces.create_namespace(desk, "papers")
    job = desk.runner.wait(literature_upload.start_upload(desk, "papers", [(name, data)]).id, 600)
    assert job.state is JobState.DONE, job.error
    told = " ".join(literature_upload.added_of(job))
    assert told and "crashed" not in told


UPLOADS: dict[str, Callable[[Desk, str, bytes], object]] = {
    "extract": lambda desk, name, data: upload.of_file(name, data),
    "batch": lambda desk, name, data: batch_file.read_file(name, data),
    "vocabulary": installation.add_upload,
    "literature": literature,
    "import": statement_import.import_file,
    "schema": lambda desk, name, data: schemas.checked_schema(
        desk, data.decode("utf-8", "replace")
    ),
    "restore": restore,
}


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
    for name, data in BOMBS.items():
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
NAMES_OF_FILES = [
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
    for name in NAMES_OF_FILES:
        file = tmp_path / "bombs" / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(BOMBS[name])
        words = [word.replace("@", f"bombs/{name}") for word in COMMANDS[verb]]
        began = processor()
        assert main(["--project", str(tmp_path / "project"), *words]) in (0, 1), name
        if processor() - began > SECONDS:
            slow.append(name)
        assert "Traceback" not in capsys.readouterr().err, name
    assert not slow
    assert not (tmp_path / "bombed").exists()
