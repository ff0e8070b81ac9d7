"""Copies of a project: backup, restore, and the move to another database."""

from __future__ import annotations

import shutil
import tarfile
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from core.desk_parts import HasProject, HasStore
from core.errors import InputError, Refused, SettingsError, StoreError
from core.project_file import read_project_file
from core.store import Store
from core.store.transfer import transfer_rows

DATABASE = "groundwork.db"
COPIED_FOLDERS = ("schemas", "vocabularies", "uploads")  # indexes are built again
FILES = ("project.toml",)


def write_backup(desk: HasProject, target: Path, own_job: str = "") -> int:
    """Write a tar file (gzipped where it ends in .gz) of the whole project while others work; how
    many rows. The file is whole or not there. In it the job that writes it, `own_job`, has ended.
    Raises Refused for a file that exists.
    """
    if target.exists():
        raise Refused(f"{target} already exists.", "Choose another name for the backup.")
    part = target.with_name(f"{target.name}.part")
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        copy = Path(folder) / DATABASE
        with closing(Store(f"sqlite:///{copy}")) as target_store:
            rows = transfer_rows(desk.store.database, target_store.database)
            if own_job:
                target_store.jobs.end(own_job)
        try:
            with tarfile.open(part, "w:gz" if target.suffix in (".gz", ".tgz") else "w") as archive:
                archive.add(copy, DATABASE)
                for name in (*FILES, *COPIED_FOLDERS):
                    if (desk.folder / name).exists():
                        archive.add(desk.folder / name, name)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    return rows


def restore_backup(desk: HasProject, source: Path) -> int:
    """Put a backup into this project, which must be new; how many rows. Nothing of an existing
    project is ever overwritten: Refused is raised.
    """
    if not source.is_file():
        raise InputError(f"There is no file {source}.", "Give a file that `backup` wrote.")
    occupied = [name for name in COPIED_FOLDERS if any((desk.folder / name).glob("*"))]
    if (desk.folder / "project.toml").exists() or occupied:
        raise Refused(
            f"The project folder {desk.folder} is in use.",
            "Restore into a new one: --project NEW restore FILE.",
        )
    with tempfile.TemporaryDirectory() as folder:
        try:
            with tarfile.open(source) as archive:
                _check_size(archive, Path(folder))
                archive.extractall(folder, filter="data")
        except (tarfile.TarError, EOFError, OSError) as error:
            raise InputError(
                f"{source.name} is not a backup that can be read.", "Use another copy."
            ) from error
        if not (Path(folder) / DATABASE).is_file():
            raise InputError(
                f"{source.name} contains no project.", "Give a file that `backup` wrote."
            )
        try:
            read_project_file(Path(folder) / FILES[0])
            unpacked_store = Store(f"sqlite:///{Path(folder) / DATABASE}")
        except (SettingsError, StoreError) as error:
            message = error.message.replace(f"{folder}/", "")
            raise InputError(
                f"{source.name} cannot be restored: {message}", "Use another copy."
            ) from error
        with closing(unpacked_store):
            rows = transfer_rows(unpacked_store.database, desk.store.database)
        for name in (*FILES, *COPIED_FOLDERS):
            with suppress(FileNotFoundError):
                _place(Path(folder) / name, desk.folder / name)
    return rows


def _check_size(archive: tarfile.TarFile, folder: Path) -> None:
    """Raises Refused for what would fill the disk, before anything is unpacked."""
    size, free = sum(member.size for member in archive), shutil.disk_usage(folder).free
    if size > free // 2:
        raise Refused(
            f"The backup would unpack to {size / 1e9:,.1f} GB, and {free / 1e9:,.1f} GB are free.",
            "Free some space, or restore on another disk.",
        )


def move_database(desk: HasStore, url: str) -> int:
    """Copy the project's rows into another, empty database; how many. The old one stays as it
    is.
    """
    with closing(Store(url)) as target_store:
        if target_store.database.url == desk.store.database.url:
            raise Refused("This is the project's database already.")
        return transfer_rows(desk.store.database, target_store.database)


def _place(source: Path, target: Path) -> None:
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        for inner in source.iterdir():
            _place(inner, target / inner.name)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
