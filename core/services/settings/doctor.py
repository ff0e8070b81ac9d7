"""What is wrong with an installation, and how to put it right. Never shows a key."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from core import COMMAND, __version__
from core.desk import Desk
from core.desk_parts import (
    HasFolder,
    HasProject,
    HasProjectNetwork,
    HasStore,
    HasVocabularies,
)
from core.errors import GroundworkError, SettingsError
from core.grounding.index.vocabulary_files import vocabulary_name
from core.llm.connection import PREFIX as ENDPOINT
from core.model import JobState
from core.optional_part import PARTS
from core.plugins import plugin_members
from core.project_file import read_project_file
from core.services.settings.editing import try_model
from core.services.shared.unit_task import DaskCluster
from core.settings import (
    CODE,
    EDITABLE,
    ENVIRONMENT,
    MODEL_TASKS,
    TOKEN,
    URL,
    Settings,
    child_environment,
    settings_of_file,
)
from core.store.database import database_seconds, may_make_tables, stored_revision
from core.store.migration import REVISIONS
from core.web import Fetch

LEAST_DISK = 2_000_000_000  # bytes
NAMED = 3  # broken vocabularies that are named, each with its reason
PROJECT_FILES = "groundwork.db", "project.toml", "vocabularies"
INSTALL = f"pip install -r {CODE / 'requirements.txt'}"
MOST_SKEW = 30.0  # seconds between this machine's clock and the database's
LONGEST_WRITE = 5.0  # seconds, of any worker: transactions are short
LONGEST_ANSWER = 20.0  # seconds, of NCBI
SET_CLOCK = "Set the clocks by a time server (NTP), and restart the app."
APPENDED = re.compile(
    r"-[0-9a-f]{12}$"
)  # to indexes of files outside the project: pato-3033a43fc51e


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One thing that was looked at. `hint` says what to do where `good` is false, or what would be
    better.
    """

    name: str
    good: bool
    says: str
    hint: str = ""


def examine_project(desk: Desk, *, network: bool = False) -> Iterator[DoctorFinding]:
    """Look at everything, one after another; trouble with one never hides the next. Nothing is
    made or upgraded. With `network` the configured model is asked one short question, and NCBI
    whether it answers.
    """
    looks: list[tuple[str, Callable[[Desk], Iterator[DoctorFinding]]]] = [
        ("Python", _python),
        ("Packages", _packages),
        ("Parts", _parts),
        ("Project folder", _folder),
        ("Settings", _project_file),
        *((("Database", _database), ("Vocabularies", _vocabularies)) if _is_there(desk) else ()),
        ("Services", _services),
        ("Scheduler", _scheduler),
        ("Plug-ins", _plugins),
    ]
    for name, look in looks:
        try:
            yield from look(desk)
        except GroundworkError as error:
            yield DoctorFinding(name, False, error.message, error.hint)
        except ModuleNotFoundError as error:
            yield DoctorFinding(name, False, f"The package {error.name} is missing.", INSTALL)
        except OSError as error:
            yield DoctorFinding(name, False, str(error.strerror or error), "Check the permissions.")
    if network:
        yield _ncbi_answer(desk)
        if desk.settings.has_model:
            yield DoctorFinding("Language model", *try_model(desk))


def _is_there(desk: HasFolder) -> bool:
    """Whether there is a project, in the folder or in a database of its own."""
    marks = (desk.folder / name for name in PROJECT_FILES)
    return bool(desk.settings.database_url) or any(mark.exists() for mark in marks)


def _python(desk: object) -> Iterator[DoctorFinding]:
    """An older one than can be used says so before anything of ours is imported (`core`)."""
    yield DoctorFinding("Groundwork", True, f"{__version__} in {CODE}")
    yield DoctorFinding("Python", True, f"{sys.version.split()[0]} in {sys.prefix}")


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
    yield DoctorFinding("Packages", not wrong, package_message, INSTALL if wrong else "")


def _parts(desk: object) -> Iterator[DoctorFinding]:
    """Parts of the app that this installation leaves out, which is no fault."""
    missing = [part.name for part in PARTS if not part.is_installed]
    says = f"not installed: {', '.join(missing)}" if missing else "all are there"
    hint = "Their pages and verbs are absent; everything else works." if missing else ""
    yield DoctorFinding("Parts", True, says, hint)


def _folder(desk: HasFolder) -> Iterator[DoctorFinding]:
    place, cache = _nearest(desk.folder), _nearest(desk.settings.cache)
    if not _is_there(desk):
        yield DoctorFinding(
            "Project folder",
            True,
            f"There is no project in {desk.folder} yet.",
            "It is made when it is first used. If you have one, name its folder with --project or"
            " GROUNDWORK_PROJECT.",
        )
    if not os.access(place, os.W_OK):
        yield DoctorFinding(
            "Project folder",
            False,
            f"{place} cannot be written.",
            "Allow this user to write there.",
        )
    if desk.settings.base_set and not os.access(cache, os.W_OK):
        hint = "Allow this user to write there, or set GROUNDWORK_CACHE to a folder of its own."
        yield DoctorFinding("Cache", False, f"{cache} cannot be written.", hint)
    free = shutil.disk_usage(place).free
    good = free > LEAST_DISK
    hint = "" if good else "Free at least 2 GB: a full disk stops every job."
    yield DoctorFinding("Disk", good, f"{free / 1e9:,.1f} GB free at {desk.folder}", hint)


def _nearest(folder: Path) -> Path:
    """The folder, or the one that it would be made in."""
    return next(place for place in (folder, *folder.parents) if place.exists())


def _project_file(desk: HasFolder) -> Iterator[DoctorFinding]:
    """Silent where all is read that is set: it shows in what follows."""
    file, hint = desk.folder / "project.toml", "Correct the name, or remove it."
    if variables := misspelt_variables(child_environment(desk.settings)):
        says = f"The environment sets what nothing reads: {', '.join(variables)}."
        yield DoctorFinding("Settings", False, says, hint)
    try:
        settings_of_file(file)
        if lines := misspelt_in_file(file):
            says = f"{file} sets what nothing reads: {', '.join(lines)}."
            yield DoctorFinding("Settings", False, says, hint)
    except SettingsError as error:
        hint = f"{error.hint} Everything below was looked at without this file.".strip()
        yield DoctorFinding("Settings", False, error.message, hint)


def _database(desk: HasProject) -> Iterator[DoctorFinding]:
    """The database, and the jobs in it; one of an earlier version is left as it is."""
    revision = stored_revision(desk.settings.database)
    if not revision:
        yield _no_database(desk.settings)
        return
    if revision in REVISIONS[:-1]:
        yield DoctorFinding(
            "Database",
            False,
            f"It is of an earlier version of this app (revision {revision}; this one has"
            f" {REVISIONS[-1]}).",
            "Stop all workers and take a backup; the next start of the app upgrades it.",
        )
        return
    database = desk.store.database
    trouble = database.trouble()
    hint = f"Stop the app and restore the newest backup: `{COMMAND} restore`."
    description = f"{database.address}, revision {revision}"
    yield DoctorFinding("Database", not trouble, trouble or description, hint if trouble else "")
    yield from _file_place(desk) if not desk.settings.database_url else ()
    yield from _clock(desk)
    lost = [job for job in desk.store.jobs.find(limit=500) if job.state is JobState.INTERRUPTED]
    hint = "Resume them on the Settings page; what was finished is kept." if lost else ""
    yield DoctorFinding("Jobs", not lost, f"{len(lost)} interrupted", hint)


def _no_database(settings: Settings) -> DoctorFinding:
    if not settings.database_url:
        file = settings.project / "groundwork.db"
        return DoctorFinding(
            "Database",
            False,
            f"{file} has no tables of this app."
            if file.exists()
            else f"There is no {file}, and the folder holds a project.",
            f"If there was one, restore a backup into a new folder (`{COMMAND} restore`); a"
            " project that was never used gets it when it is opened.",
        )
    if not may_make_tables(settings.database):
        return DoctorFinding(
            "Database",
            False,
            "The database is empty, and its user may not make tables there.",
            "Make the user the database's owner, or GRANT ALL ON SCHEMA public TO the user.",
        )
    hint = "The project's tables are made when it is first used."
    return DoctorFinding("Database", True, "The database is empty.", hint)


def _file_place(desk: HasProject) -> Iterator[DoctorFinding]:
    """What is wrong with where an SQLite file is."""
    file = Path(desk.store.database.address)
    if not os.access(file, os.W_OK):
        yield DoctorFinding(
            "Database",
            False,
            f"{file} cannot be written.",
            "Allow this user to write the file and its folder.",
        )
    elif desk.store.database.is_kept(LONGEST_WRITE):
        yield DoctorFinding(
            "Database",
            False,
            f"Another program has kept {file} from being written for {LONGEST_WRITE:.0f} seconds.",
            f"End it, such as a database browser or a copy of the file; `fuser {file}` names it.",
        )
    if _on_network(file):
        yield DoctorFinding(
            "Database",
            False,
            "The SQLite file lies on a network file system, where locks are not safe.",
            f"Move it to a local disk, or to PostgreSQL: `{COMMAND} move URL`.",
        )


def _clock(desk: HasStore) -> Iterator[DoctorFinding]:
    """Leases go by the database's clock; decisions and jobs carry this machine's time."""
    own_time = datetime.fromisoformat(desk.clock()).timestamp()
    with desk.store.database.reading() as connection:
        skew = own_time - database_seconds(connection)
    newest = desk.store.jobs.find(limit=1)
    ahead = newest and datetime.fromisoformat(newest[0].created).timestamp() - own_time > MOST_SKEW
    if abs(skew) > MOST_SKEW:
        side = "ahead of" if skew > 0 else "behind"
        says = f"This machine's clock is {abs(skew):,.0f} seconds {side} the database's."
        yield DoctorFinding("Clock", False, says, SET_CLOCK)
    elif ahead:
        says = f"The newest job is dated {newest[0].created}, in the future."
        yield DoctorFinding("Clock", False, says, SET_CLOCK)


def _vocabularies(desk: HasVocabularies) -> Iterator[DoctorFinding]:
    names = sorted(desk.vocabulary_registry.names())
    broken, hint = [], ""
    for name in names:
        try:
            desk.vocabulary_registry.lexicon(name)
        except GroundworkError as error:
            broken.append(f"{name}: {error.message}")
            hint = hint or error.hint
    for name in _missing_files(desk):
        broken.append(f"{name}: its file is missing")
    hint = (hint or "Add the file again on the Vocabularies page, or remove it.") if broken else ""
    more = f"; and {len(broken) - NAMED} more" if len(broken) > NAMED else ""
    message = "; ".join(broken[:NAMED]) + more or f"{len(names)} can be read"
    yield DoctorFinding("Vocabularies", not broken, message, hint)


def _missing_files(desk: HasVocabularies) -> list[str]:
    """Vocabularies of the project whose index is there, or a link, and the file is not."""
    own = desk.vocabulary_registry.own()
    links = {vocabulary_name(path) for path in desk.vocabularies.glob("*") if not path.exists()}
    indexes = {
        path.stem for path in desk.indexes.glob("*.sqlite") if not APPENDED.search(path.stem)
    }
    return sorted((links | indexes) - own.keys())


def _services(desk: HasFolder) -> Iterator[DoctorFinding]:
    settings = desk.settings
    yield from _models(settings)
    key = "with a key" if settings.ncbi_api_key else "without a key"
    mail = "" if settings.ncbi_email else "; no e-mail address is set, which NCBI requires"
    hint = "Set NCBI_EMAIL, so that NCBI can reach you before it blocks you." if mail else ""
    yield DoctorFinding("NCBI", True, key + mail, hint)


def _ncbi_answer(desk: HasProjectNetwork) -> DoctorFinding:
    """Whether E-utilities answer: the smallest request there is."""
    address = desk.settings.ncbi_eutils_url
    try:
        desk.web("ncbi").fetch(Fetch(f"{address}/einfo.fcgi", kind="ncbi", timeout=LONGEST_ANSWER))
    except GroundworkError as error:
        hint = (
            "Check the network, a proxy and GROUNDWORK_NCBI_EUTILS_URL. Gene questions and papers"
            " by id need NCBI; everything else works without."
        )
        return DoctorFinding("NCBI", False, error.message, hint)
    return DoctorFinding("NCBI", True, f"{address} answers")


def _models(settings: Settings) -> Iterator[DoctorFinding]:
    """Every model that is chosen has an endpoint."""
    chosen = {settings.model_for(task) for task in MODEL_TASKS} | {
        settings.model,
        settings.embedding_model,
    }
    lost = sorted(model for model in chosen - {""} if settings.located(model) is None)
    if lost:
        yield DoctorFinding(
            "Language model",
            False,
            f"{', '.join(lost)}: no endpoint is set up.",
            "Set OPENAI_BASE_URL or OPENAI_API_KEY, or write model@endpoint with a named one.",
        )
    elif settings.connections and not settings.model:
        hint = "Choose one under Settings › Models, or set GROUNDWORK_MODEL."
        yield DoctorFinding("Language model", True, "an endpoint is set up, and no model", hint)
    else:
        says = settings.model or "none; the built-in engines need none"
        yield DoctorFinding("Language model", True, says)


def _scheduler(desk: HasProject) -> Iterator[DoctorFinding]:
    """Where one is set: whether it answers, and the database is one that its workers reach."""
    if desk.settings.scheduler:
        DaskCluster(desk).close()
        yield DoctorFinding("Scheduler", True, f"{desk.settings.scheduler} answers")


def _plugins(desk: object) -> Iterator[DoctorFinding]:
    """What other packages add; each member that is left out, with the reason. Silent where none
    is installed.
    """
    members = list(plugin_members())
    for member in members:
        if member.reason:
            says = (
                f"{member.name} of {member.package} is left out of {member.group}: {member.reason}."
            )
            hint = "Update or remove the package; docs/plug-ins.md says what a plug-in must be."
            yield DoctorFinding("Plug-in", False, says, hint)
    sound = [f"{m.name} ({m.group}, {m.package})" for m in members if not m.reason]
    if sound:
        yield DoctorFinding("Plug-ins", True, ", ".join(sound))


def _on_network(path: Path) -> bool:
    """Whether a file lies on NFS, CIFS or the like (where /proc/mounts says so)."""
    try:
        mounts = Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    kinds = {fields[1]: fields[2] for fields in (line.split() for line in mounts)}
    place = next((str(p) for p in path.resolve().parents if str(p) in kinds), "")
    return kinds.get(place, "").startswith(("nfs", "cifs", "smb", "9p", "fuse.sshfs"))


OURS = "GROUNDWORK_"
NAMED_BY_OPERATOR = (TOKEN, URL, ENDPOINT)  # what follows is a name of the operator's own


def misspelt_variables(names: Iterable[str]) -> list[str]:
    """`GROUNDWORK_MODLE (GROUNDWORK_MODEL?)` for each variable of our prefix that nothing reads."""
    known = {*ENVIRONMENT, f"{OURS}PROJECT"}
    return [
        _with_nearest(name, known)
        for name in sorted(names)
        if name.startswith(OURS) and name not in known and not name.startswith(NAMED_BY_OPERATOR)
    ]


def misspelt_in_file(path: Path) -> list[str]:
    """The same for the lines of a project's file. Raises SettingsError for one that is no TOML."""
    return [
        _with_nearest(name, EDITABLE) for name in read_project_file(path) if name not in EDITABLE
    ]


def _with_nearest(name: str, known: Iterable[str]) -> str:
    nearest = get_close_matches(name, known, 1, 0.8)
    return f"{name} ({nearest[0]}?)" if nearest else name
