"""Projects next to each other: list, make, rename, back up and restore. Each is a folder.

Nothing here deletes a project, and nothing of an existing one is overwritten.
"""

from __future__ import annotations

import re
import shutil
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from core import settings as setting
from core.desk import open_desk
from core.desk_parts import HasJobs, HasProject
from core.errors import GroundworkError, InputError, NotFound, Refused, SettingsError
from core.jobs.runner import JobContext, register_job
from core.model import Job, Json, Role
from core.project_file import read_project_file
from core.services.home.project import EXAMPLE, open_example_project
from core.services.people import roles
from core.services.settings import project_copy
from core.settings import NO_SECRET, Settings
from core.text.clean import without_deceptive_signs

BACKUP = "backup"
BACKUPS = "backups"
ENDINGS = (".tar.gz", ".tgz", ".tar")
MARKS = ("groundwork.db", "project.toml")  # either makes a folder a project
LONGEST = 60  # characters of a folder's name


@dataclass(frozen=True, slots=True)
class ProjectEntry:
    """A project next to the configured one. `changed` is when its database last did, ISO 8601 or
    "", `size` its bytes with those of its log; `made` is False for the example before it is first
    opened.
    """

    folder: Path
    title: str
    changed: str = ""
    size: int = 0
    example: bool = False
    made: bool = True

    @property
    def name(self) -> str:
        return self.folder.name


@dataclass(frozen=True, slots=True)
class BackupFile:
    """A backup that is kept in its project's folder. `size` in bytes."""

    path: Path
    size: int


def list_projects(settings: Settings) -> list[ProjectEntry]:
    """Every project in the folder that holds the configured one, by title; the example last."""
    parent = settings.project.parent
    folders = {settings.project}
    if parent.is_dir():
        folders |= {path for path in parent.iterdir() if _is_project(path)}
    entries = [_entry(folder) for folder in folders if folder.name != EXAMPLE]
    entries.sort(key=lambda entry: (entry.title.casefold(), entry.name))
    example = parent / EXAMPLE
    example_entry = _entry(example) if _is_project(example) else None
    return [
        *entries,
        example_entry or ProjectEntry(example, "Example project", example=True, made=False),
    ]


def make_project(
    settings: Settings, title: str, environ: Mapping[str, str] | None = None
) -> ProjectEntry:
    """A new, empty project next to the configured one. Raises InputError, or Refused for a name
    that is taken.
    """
    with _whole_folder(_new_folder(settings, title)) as folder:
        setting.save_settings(Settings(folder), {"project_name": _title(title)})
        with closing(open_desk(_own_database(setting.load_settings(folder, environ)))) as desk:
            _ = desk.store, desk.base_iri  # its address is fixed while nothing depends on it
    return _entry(folder)


def open_folder(
    settings: Settings, name: str, environ: Mapping[str, str] | None = None
) -> ProjectEntry:
    """The project of this folder name; the example project is made where it is not there yet.
    Raises NotFound.
    """
    if name == EXAMPLE:
        open_example_project(settings, environ)
    for entry in list_projects(settings):
        if entry.name == name and entry.made:
            return entry
    raise NotFound(f"There is no project called {name[:60]!r} here.", "Open one of the list.")


def rename_project(desk: HasProject, title: str, curator: str | None = None) -> None:
    """Give the project another title. Its folder and its addresses stay, so that links to it and
    what was exported keep their meaning. Raises Forbidden for somebody who is no owner.
    """
    roles.require_role(desk, curator, Role.OWNER)
    setting.save_settings(desk.settings, {"project_name": _title(title)})


def start_backup(desk: HasJobs, curator: str = "") -> Job:
    """Write a backup into the project's own folder, as a job. Others go on working meanwhile."""
    return desk.runner.start(BACKUP, {}, curator)


@register_job(BACKUP)
def _backup(context: JobContext, arguments: Json) -> Json:
    desk: HasProject = context.context
    folder = desk.folder / BACKUPS
    folder.mkdir(parents=True, exist_ok=True)
    moment = re.sub(r"[^0-9]", "", desk.clock()[:19])
    target = folder / f"{desk.folder.name}-{moment}.tar.gz"
    rows = project_copy.write_backup(desk, target, context.job.id)
    return {"file": target.name, "rows": rows}


def kept_backups(settings: Settings) -> list[BackupFile]:
    """The backups in the project's folder, newest first."""
    folder = settings.project / BACKUPS
    files = [p for p in folder.glob("*") if p.name.endswith(ENDINGS)] if folder.is_dir() else []
    files.sort(key=lambda path: (path.stat().st_mtime, path.name), reverse=True)
    return [BackupFile(path, path.stat().st_size) for path in files]


def restore_project(
    settings: Settings, source: Path, title: str, environ: Mapping[str, str] | None = None
) -> ProjectEntry:
    """Put a backup into a new project of this title. Raises InputError or Refused; then no folder
    is left behind.
    """
    with _whole_folder(_new_folder(settings, title)) as folder:
        with closing(open_desk(_own_database(setting.load_settings(folder, environ)))) as desk:
            project_copy.restore_backup(desk, source)
        setting.save_settings(Settings(folder), {"project_name": _title(title)})
    return _entry(folder)


@contextmanager
def _whole_folder(folder: Path) -> Iterator[Path]:
    """A new folder, which is gone again where the block fails. Raises Refused for one that is
    there, SettingsError for a disk that is full or may not be written to.
    """
    try:
        folder.mkdir(parents=True)
    except FileExistsError as error:  # another tab made it a moment ago
        raise _taken(folder) from error
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        yield folder
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise _unwritable(folder, error) from error
    except GroundworkError:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _taken(folder: Path) -> Refused:
    return Refused(f"There is already a folder {folder.name}.", "Choose another name.")


def _unwritable(folder: Path, error: OSError) -> SettingsError:
    return SettingsError(
        f"The project cannot be made in {folder}: {error.strerror}.",
        "Free some space, or check the permissions of that folder.",
    )


def _own_database(settings: Settings) -> Settings:
    """A new project has a file of its own: the database that the operator set is the configured
    project's.
    """
    return replace(settings, database_url=NO_SECRET)


def _is_project(path: Path) -> bool:
    return path.is_dir() and any((path / name).is_file() for name in MARKS)


def _entry(folder: Path) -> ProjectEntry:
    database = folder / "groundwork.db"
    try:
        title = str(read_project_file(folder / "project.toml").get("project_name") or folder.name)
    except SettingsError:
        title = folder.name
    changed, size = "", 0
    if database.is_file():
        log = database.with_name("groundwork.db-wal")
        stats = [path.stat() for path in (database, log) if path.exists()]
        newest = max(stat.st_mtime for stat in stats)
        changed = datetime.fromtimestamp(newest, UTC).isoformat(timespec="minutes")
        size = sum(stat.st_size for stat in stats)
    return ProjectEntry(folder, title, changed, size=size, example=folder.name == EXAMPLE)


def _title(title: str) -> str:
    words = " ".join(without_deceptive_signs(title).split())
    if not words:
        raise InputError("A project needs a name.")
    return words[:200]


def _new_folder(settings: Settings, title: str) -> Path:
    """The folder that a title names: its letters without accents; by a digest where no letter of it
    is Latin.
    """
    words = _title(title)
    latin = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().casefold()
    slug = re.sub(r"[^a-z0-9]+", "-", latin).strip("-")[:LONGEST]
    if not slug and any(sign.isalnum() for sign in words):
        slug = f"project-{sha256(words.encode()).hexdigest()[:8]}"
    if not slug:
        raise InputError("The name needs a letter or a digit.", "It also names the folder.")
    folder = settings.project.parent / slug
    if folder.exists():
        raise _taken(folder)
    return folder
