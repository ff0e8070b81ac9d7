"""What is wrong with an installation, and how to put it right. Never shows a key."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from core.desk import Desk
from core.desk_parts import HasFolder, HasProject, HasStore, HasVocabularies
from core.errors import GroundworkError
from core.model import JobState
from core.services.home.project import try_model
from core.services.shared.unit_task import DaskCluster
from core.settings import CODE

LEAST_DISK = 2_000_000_000  # bytes
LEAST_PYTHON = (3, 11)
NAMED = 3  # broken vocabularies that are named, each with its reason


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One thing that was looked at. `hint` says what to do where `good` is false, or what would be
    better.
    """

    name: str
    good: bool
    says: str
    hint: str = ""


def examine(desk: Desk, *, network: bool = False) -> Iterator[DoctorFinding]:
    """Look at everything, one after another; trouble with one never hides the next. With `network`
    the configured model is asked one short question.
    """
    looks: list[tuple[str, Callable[[Desk], Iterator[DoctorFinding]]]] = [
        ("Python", _python),
        ("Packages", _packages),
        ("Project folder", _folder),
        ("Database", _database),
        ("Vocabularies", _vocabularies),
        ("Jobs", _jobs),
        ("Services", _services),
        ("Scheduler", _scheduler),
    ]
    for name, look in looks:
        try:
            yield from look(desk)
        except GroundworkError as error:
            yield DoctorFinding(name, False, error.message, error.hint)
        except OSError as error:
            yield DoctorFinding(name, False, str(error.strerror or error), "Check the permissions.")
    if network and desk.settings.has_model:
        good, message = try_model(desk)
        yield DoctorFinding(
            "Language model", good, message, "" if good else "Check address, key and name."
        )


def _python(desk: object) -> Iterator[DoctorFinding]:
    good = sys.version_info >= LEAST_PYTHON
    python_version = f"{sys.version.split()[0]} in {sys.prefix}"
    yield DoctorFinding(
        "Python", good, python_version, "" if good else "Python 3.11 or newer is needed."
    )


def _packages(desk: object) -> Iterator[DoctorFinding]:
    from packaging.requirements import Requirement

    wrong = []
    lines = (CODE / "requirements.txt").read_text(encoding="utf-8").splitlines()
    requirements = [line.split(" #")[0].strip() for line in lines]
    for line in requirements:
        if not line or line.startswith(("#", "-")):
            continue
        requirement = Requirement(line)
        try:
            installed = version(requirement.name)
        except PackageNotFoundError:
            wrong.append(f"{requirement.name} is missing")
            continue
        if not requirement.specifier.contains(installed, prereleases=True):
            wrong.append(
                f"{requirement.name} is {installed}, and {requirement.specifier} is needed"
            )
    package_message = (
        "; ".join(wrong) or f"all {len([line for line in requirements if line])} are there"
    )
    hint = "" if not wrong else "pip install -r requirements.txt"
    yield DoctorFinding("Packages", not wrong, package_message, hint)


def _folder(desk: HasFolder) -> Iterator[DoctorFinding]:
    place = next(p for p in (desk.folder, *desk.folder.parents) if p.exists())
    if not os.access(place, os.W_OK):
        yield DoctorFinding(
            "Project folder",
            False,
            f"{place} cannot be written.",
            "Allow this user to write there.",
        )
    free = shutil.disk_usage(place).free
    good = free > LEAST_DISK
    hint = "" if good else "Free at least 2 GB: a full disk stops every job."
    yield DoctorFinding("Disk", good, f"{free / 1e9:,.1f} GB free at {desk.folder}", hint)


def _database(desk: HasProject) -> Iterator[DoctorFinding]:
    database = desk.store.database
    trouble = database.trouble()
    description = f"{database.address}, revision {database.revision}"
    hint = "Stop the app and restore the newest backup: `python -m core restore`."
    yield DoctorFinding("Database", not trouble, trouble or description, hint if trouble else "")
    if not desk.settings.database_url and _on_network(Path(database.address)):
        yield DoctorFinding(
            "Database",
            False,
            "The SQLite file lies on a network file system, where locks are not safe.",
            "Move it to a local disk, or to PostgreSQL: `python -m core move URL`.",
        )


def _vocabularies(desk: HasVocabularies) -> Iterator[DoctorFinding]:
    names = sorted(desk.vocabulary_registry.names())
    broken = []
    for name in names:
        try:
            desk.vocabulary_registry.lexicon(name)
        except GroundworkError as error:
            broken.append(f"{name}: {error.message}")
    hint = "Add the file again on the Vocabularies page, or remove it." if broken else ""
    more = f"; and {len(broken) - NAMED} more" if len(broken) > NAMED else ""
    message = "; ".join(broken[:NAMED]) + more or f"{len(names)} can be read"
    yield DoctorFinding("Vocabularies", not broken, message, hint)


def _jobs(desk: HasStore) -> Iterator[DoctorFinding]:
    lost = [job for job in desk.store.jobs.find(limit=500) if job.state is JobState.INTERRUPTED]
    hint = "Resume them on the Settings page; what was finished is kept." if lost else ""
    yield DoctorFinding("Jobs", not lost, f"{len(lost)} interrupted", hint)


def _services(desk: HasFolder) -> Iterator[DoctorFinding]:
    settings = desk.settings
    model = settings.model if settings.has_model else "none; the built-in engines need none"
    yield DoctorFinding("Language model", True, model)
    key = "with a key" if settings.ncbi_api_key else "without a key"
    mail = "" if settings.ncbi_email else "; no e-mail address is set, which NCBI requires"
    hint = "Set NCBI_EMAIL, so that NCBI can reach you before it blocks you." if mail else ""
    yield DoctorFinding("NCBI", True, key + mail, hint)


def _scheduler(desk: HasProject) -> Iterator[DoctorFinding]:
    """Where one is set: whether it answers, and the database is one that its workers reach."""
    if desk.settings.scheduler:
        DaskCluster(desk).close()
        yield DoctorFinding("Scheduler", True, f"{desk.settings.scheduler} answers")


def _on_network(path: Path) -> bool:
    """Whether a file lies on NFS, CIFS or the like (where /proc/mounts says so)."""
    try:
        mounts = Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    kinds = {fields[1]: fields[2] for fields in (line.split() for line in mounts)}
    place = next((str(p) for p in path.resolve().parents if str(p) in kinds), "")
    return kinds.get(place, "").startswith(("nfs", "cifs", "smb", "9p", "fuse.sshfs"))
