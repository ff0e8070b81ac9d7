"""Installing, adding and updating vocabularies in the background: a job downloads (going on where
it was stopped), compiles in a process of its own, puts the file into the project and notes where it
came from. What stood there before stays until the new one is whole.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import cast

from core.desk_parts import (
    HasProjectJobs,
    HasProjectTerms,
    HasStore,
    HasTermJobs,
    HasVocabularies,
)
from core.errors import InputError, NotFound, Refused, Stopped
from core.grounding.index.compile import CompileTask
from core.grounding.install.catalogue import RELEASES, VocabularyRelease
from core.grounding.readers import columns, registry
from core.grounding.readers.columns import ColumnMapping
from core.grounding.readers.registry import reader_of
from core.grounding.readers.tsv import obsolete_file
from core.jobs.runner import JobContext, register_job
from core.model import Category, Job, JobState, Json
from core.services.people import roles
from core.services.vocabularies import changes, origins, own_files, vocabularies
from core.services.vocabularies.release_download import (
    Tell,
    download_release,
    downloads_folder,
    forget_download,
    release_client,
)
from core.services.vocabularies.vocabularies import Vocabulary
from core.web import WebClient

__all__ = ["ColumnMapping", "columns", "reader_of", "registry"]  # what the page of files needs

INSTALL, ADD = "vocabulary-install", "vocabulary-add"
STEPS = 200  # of a job's progress: the first half is downloading


def installable_names() -> dict[str, VocabularyRelease]:
    """What can be installed by name: only releases that can be downloaded."""
    return dict(sorted(RELEASES.items()))


def start_installing(desk: HasTermJobs, name: str, curator: str = "") -> Job:
    """Install a vocabulary's current release in the background; a job that already does it is
    given. Raises NotFound, Refused.
    """
    release = release_of(desk, name)
    if running := _running(desk, release.name):
        return running
    return desk.runner.start(INSTALL, {"name": release.name}, curator)


def start_adding(
    desk: HasProjectJobs,
    filename: str,
    content: bytes,
    *,
    mapping: ColumnMapping | None = None,
    kinds: tuple[Category, ...] = (),
    languages: Sequence[str] = (),
    replaces: bool = False,
    curator: str = "",
) -> Job:
    """Add an uploaded file in the background. Raises InputError for a name without an ending of a
    vocabulary.
    """
    safe = own_files.safe_name(filename)
    folder = Path(tempfile.mkdtemp(dir=downloads_folder(desk)))
    (folder / safe).write_bytes(content)
    arguments = {
        "path": str(folder / safe),
        "mapping": asdict(mapping) if mapping else None,
        "kinds": [str(kind) for kind in kinds],
        "languages": list(languages),
        "replaces": replaces,
    }
    return desk.runner.start(ADD, arguments, curator)


def vocabulary_jobs(desk: HasStore) -> list[Job]:
    """Jobs of vocabularies that wait, run, or ended without success, newest first."""
    unended_jobs = [
        job for name in (INSTALL, ADD) for job in desk.store.jobs.find(name=name, limit=20)
    ]
    unended_jobs.sort(key=lambda job: job.created, reverse=True)
    return [job for job in unended_jobs if job.state != JobState.DONE]


def vocabulary_of_job(job: Job) -> str:
    """Which vocabulary a job is about."""
    return str(job.arguments.get("name") or Path(str(job.arguments.get("path", ""))).name)


def release_of(desk: HasVocabularies, name: str) -> VocabularyRelease:
    """Raises NotFound for a name that nothing can be installed by, Refused for one that comes with
    the app and has no release.
    """
    release = RELEASES.get(name.lower().strip())
    if release is not None:
        return release
    if (
        name.lower() in desk.vocabulary_registry.names()
        and vocabularies.vocabulary_entry(desk, name).built_in
    ):
        raise Refused(
            f"{name} comes with the app, and no newer release of it can be downloaded.",
            "Add your own file to take its place.",
        )
    raise NotFound(
        f"There is no vocabulary {name[:80]!r} to install.",
        f"There are: {', '.join(installable_names())}. Or add a file of your own.",
    )


def _running(desk: HasStore, name: str) -> Job | None:
    waiting = desk.store.jobs.find(
        name=INSTALL, states=(JobState.QUEUED, JobState.RUNNING), limit=50
    )
    return next((job for job in waiting if job.arguments.get("name") == name), None)


# ---------------------------------------------------------------- the work


@register_job(INSTALL)
def install_job(context: JobContext, arguments: Json) -> Json:
    """The job: its result is {name, terms, names, problems, changes}."""
    desk: HasProjectTerms = context.context
    vocabulary, changed = install_vocabulary(desk, str(arguments["name"]), _telling(context))
    return _result(vocabulary) | {"changes": changed}


@register_job(ADD)
def add_job(context: JobContext, arguments: Json) -> Json:
    """The job: add an uploaded file, then remove the upload."""
    desk: HasProjectTerms = context.context
    path, tell = Path(str(arguments["path"])), _telling(context)
    if not path.is_file():
        raise InputError("The uploaded file is gone.", "Upload it again.")
    mapping = arguments.get("mapping")
    vocabulary = add_vocabulary(
        desk,
        path,
        ColumnMapping(**mapping) if mapping else None,
        tell,
        languages=tuple(arguments.get("languages") or ()),
        replaces=bool(arguments.get("replaces")),
    )
    if kinds := arguments.get("kinds"):
        own_files.say_kinds(desk, vocabulary.name, [Category(kind) for kind in kinds])
    shutil.rmtree(path.parent, ignore_errors=True)
    return _result(vocabulary)


def add_vocabulary(
    desk: HasVocabularies,
    path: Path,
    mapping: ColumnMapping | None = None,
    tell: Tell = lambda share, message: None,
    *,
    languages: Sequence[str] = (),
    replaces: bool = False,
) -> Vocabulary:
    """Add a file of one's own, and keep what it changes against the one it takes the place of (see
    `own_files.add_vocabulary_file`). Raises InputError.
    """
    safe = own_files.name_in_project(desk, path.name, replaces=replaces)
    name = registry.vocabulary_stem(Path(safe)).lower()
    with tempfile.TemporaryDirectory() as folder:
        before = _set_aside(desk, name, Path(folder))
        vocabulary = own_files.add_vocabulary_file(
            desk,
            path,
            mapping=mapping,
            languages=languages,
            replaces=replaces,
            compiling=_compiling(lambda share: tell(share, f"preparing {path.name}")),
        )
        after = desk.vocabulary_registry.files()[vocabulary.name]
        if before and (changed := _compared(before, after, tell, path.name)):
            changes.save_changes(desk, vocabulary.name, changed)
    return vocabulary


def add_upload(
    desk: HasProjectTerms,
    filename: str,
    content: bytes,
    *,
    mapping: ColumnMapping | None = None,
    languages: Sequence[str] = (),
    replaces: bool = False,
    curator: str | None = None,
) -> Vocabulary:
    """Add a small file that was uploaded, at once. Raises InputError; Forbidden for a reader."""
    roles.require_role(desk, curator)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / own_files.safe_name(filename)
        path.write_bytes(content)
        return add_vocabulary(desk, path, mapping, languages=languages, replaces=replaces)


def install_vocabulary(
    desk: HasProjectTerms, name: str, tell: Tell = lambda share, message: None
) -> tuple[Vocabulary, Json]:
    """Download, compile and place a release; gives the vocabulary and what changed against the one
    before. Raises NotFound, Refused, InputError and the RemoteError tree, with the old one in
    place.
    """
    release = release_of(desk, name)
    target = downloads_folder(desk) / release.file
    client = cast(WebClient, release_client(desk))
    arrived, address = download_release(desk, client, release, target, tell=tell)
    try:
        before = _before(desk, release.name)
        changed = _compared(before, target, tell, release.title) if before else None
        vocabulary = own_files.add_vocabulary_file(
            desk,
            target,
            replaces=True,
            compiling=_compiling(lambda s: tell(0.5 + s / 2, f"preparing {release.title}")),
        )
    except Stopped:
        target.unlink(missing_ok=True)
        raise  # what arrived stays for the next try
    except BaseException:
        forget_download(target)
        raise
    forget_download(target)
    if release.holds and not vocabulary.hierarchy:
        own_files.say_kinds(desk, vocabulary.name, [Category(kind) for kind in release.holds])
    origins.remember_origin(desk, release, address, arrived.sha256, stamp=arrived.stamp)
    if changed is not None:
        changes.save_changes(desk, release.name, changed)
    return vocabularies.vocabulary_entry(
        desk, vocabulary.name
    ), changed.summary() if changed else {}


def _before(desk: HasVocabularies, name: str) -> Path | None:
    """The file that a newer one of this name is compared with: the project's own, or that of the
    base set. None where there is neither: a starter holds a few terms only.
    """
    registry_now = desk.vocabulary_registry
    path = registry_now.files().get(name)
    if path is None or not (name in registry_now.own() or registry_now.is_base(path)):
        return None
    return path


def _set_aside(desk: HasVocabularies, name: str, folder: Path) -> Path | None:
    """A copy of the file that is about to be replaced, with what says how it is read."""
    path = _before(desk, name)
    if path is None:
        return None
    for beside in (columns.mapping_file(path), obsolete_file(path)):
        if beside.is_file():
            shutil.copyfile(beside, folder / beside.name)
    return Path(shutil.copyfile(path, folder / path.name))


def _compared(
    before: Path, after: Path, tell: Tell, title: str
) -> changes.VocabularyChanges | None:
    """What `after` changes; None where the older one cannot be read."""
    try:
        return changes.compare_releases_of_vocabulary(
            before, after, check=lambda: tell(0.5, f"comparing {title}")
        )
    except InputError:
        return None


def _compiling(watch: Callable[[float], None]) -> Callable[[CompileTask], None]:
    return lambda task: own_files.compile_apart(task, watch)


def _telling(context: JobContext) -> Tell:
    def tell(share: float, message: str) -> None:
        steps_done = round(STEPS * min(1.0, share))
        if (steps_done, message) != last_told[0]:
            last_told[0] = (steps_done, message)
            context.progress(steps_done, STEPS, message)
        context.check()

    last_told: list[tuple[int, str]] = [(-1, "")]
    return tell


def _result(vocabulary: Vocabulary) -> dict[str, Json]:
    return {
        "name": vocabulary.name,
        "terms": vocabulary.terms,
        "names": vocabulary.names,
        "problems": vocabulary.problem_count,
    }
