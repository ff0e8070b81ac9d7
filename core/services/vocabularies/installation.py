"""Installing, adding and updating vocabularies in the background: a job downloads (going on where
it was stopped), compiles in a process of its own, puts the file into the project and notes where it
came from. What stood there before stays until the new one is whole.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from core.desk import Desk
from core.errors import InputError, NotFound, NotServed, Refused, Unreachable
from core.grounding.index.compile import CompileTask
from core.grounding.install.catalogue import HOSTS, RELEASES, VocabularyRelease
from core.grounding.readers import columns, registry
from core.grounding.readers.columns import ColumnMapping
from core.grounding.readers.registry import reader_of
from core.jobs.runner import JobContext, register
from core.model import Category, Job, JobState, Json
from core.services.vocabularies import changes, vocabularies
from core.services.vocabularies.vocabularies import Vocabulary
from core.web import WebClient
from core.web.download import download

__all__ = ["ColumnMapping", "columns", "reader_of", "registry"]  # what the page of files needs

INSTALL, ADD = "vocabulary-install", "vocabulary-add"
ORIGINS = ".origins.json"
DOWNLOADS = "downloads"  # in the project's uploads
STEPS = 200  # of a job's progress: the first half is downloading

Tell = Callable[[float, str], None]  # share done (0–1), what is done; may raise Stopped


def available(desk: Desk) -> dict[str, VocabularyRelease]:
    """What can be installed by name: only releases that can be downloaded."""
    return dict(sorted(RELEASES.items()))


def start(desk: Desk, name: str, curator: str = "") -> Job:
    """Install a vocabulary's current release in the background; a job that already does it is
    given. Raises NotFound, Refused.
    """
    release = release_of(desk, name)
    if running := _running(desk, release.name):
        return running
    return desk.runner.start(INSTALL, {"name": release.name}, curator)


def start_adding(
    desk: Desk,
    filename: str,
    content: bytes,
    mapping: ColumnMapping | None = None,
    kinds: tuple[Category, ...] = (),
    curator: str = "",
) -> Job:
    """Add an uploaded file in the background. Raises InputError for a name without an ending of a
    vocabulary.
    """
    safe = vocabularies.safe_name(filename)
    folder = Path(tempfile.mkdtemp(dir=_downloads(desk)))
    (folder / safe).write_bytes(content)
    arguments = {
        "path": str(folder / safe),
        "mapping": asdict(mapping) if mapping else None,
        "kinds": [str(kind) for kind in kinds],
    }
    return desk.runner.start(ADD, arguments, curator)


def jobs(desk: Desk) -> list[Job]:
    """Jobs of vocabularies that wait, run, or ended without success, newest first."""
    vocabulary_jobs = [
        job for name in (INSTALL, ADD) for job in desk.store.jobs.find(name=name, limit=20)
    ]
    return [job for job in vocabulary_jobs if job.state != JobState.DONE]


def subject(job: Job) -> str:
    """Which vocabulary a job is about."""
    return str(job.arguments.get("name") or Path(str(job.arguments.get("path", ""))).name)


def release_of(desk: Desk, name: str) -> VocabularyRelease:
    """Raises NotFound for a name that nothing can be installed by, Refused for one that comes with
    the app and has no release.
    """
    release = RELEASES.get(name.lower().strip())
    if release is not None:
        return release
    if name.lower() in desk.vocabulary_registry.names() and vocabularies.entry(desk, name).built_in:
        raise Refused(
            f"{name} comes with the app, and no newer release of it can be downloaded.",
            "Add your own file to take its place.",
        )
    raise NotFound(
        f"There is no vocabulary {name[:80]!r} to install.",
        f"There are: {', '.join(available(desk))}. Or add a file of your own.",
    )


def _running(desk: Desk, name: str) -> Job | None:
    waiting = desk.store.jobs.find(
        name=INSTALL, states=(JobState.QUEUED, JobState.RUNNING), limit=50
    )
    return next((job for job in waiting if job.arguments.get("name") == name), None)


# ---------------------------------------------------------------- the work


@register(INSTALL)
def install_job(context: JobContext, arguments: Json) -> Json:
    """The job: its result is {name, terms, names, problems, changes}."""
    desk: Desk = context.context
    vocabulary, changed = install(desk, str(arguments["name"]), _telling(context))
    return _result(vocabulary) | {"changes": changed}


@register(ADD)
def add_job(context: JobContext, arguments: Json) -> Json:
    """The job: add an uploaded file, then remove the upload."""
    desk: Desk = context.context
    path, tell = Path(str(arguments["path"])), _telling(context)
    if not path.is_file():
        raise InputError("The uploaded file is gone.", "Upload it again.")
    mapping = arguments.get("mapping")
    vocabulary = vocabularies.add_file(
        desk,
        path,
        mapping=ColumnMapping(**mapping) if mapping else None,
        compiling=_compiling(lambda share: tell(share, f"preparing {path.name}")),
    )
    if kinds := arguments.get("kinds"):
        vocabularies.say_kinds(desk, vocabulary.name, [Category(kind) for kind in kinds])
    shutil.rmtree(path.parent, ignore_errors=True)
    return _result(vocabulary)


def install(
    desk: Desk, name: str, tell: Tell = lambda share, message: None
) -> tuple[Vocabulary, Json]:
    """Download, compile and place a release; gives the vocabulary and what changed against the one
    before. Raises NotFound, Refused, InputError and the RemoteError tree, with the old one in
    place.
    """
    release = release_of(desk, name)
    target = _downloads(desk) / release.file
    client = cast(WebClient, _client(desk))
    arrived, address = _download(desk, client, release, target, tell)
    try:
        before = desk.vocabulary_registry.files().get(release.name)
        changed = (
            changes.compare(before, target, check=lambda: tell(0.5, f"comparing {release.title}"))
            if before is not None and release.name in desk.vocabulary_registry.own()
            else None
        )
        vocabulary = vocabularies.add_file(
            desk,
            target,
            compiling=_compiling(lambda s: tell(0.5 + s / 2, f"preparing {release.title}")),
        )
    finally:
        target.unlink(missing_ok=True)
    if release.holds and not vocabulary.hierarchy:
        vocabularies.say_kinds(desk, vocabulary.name, [Category(kind) for kind in release.holds])
    _remember(desk, release, address, arrived.sha256, arrived.stamp)
    if changed is not None:
        changes.save(desk, release.name, changed)
    return vocabularies.entry(desk, vocabulary.name), changed.summary() if changed else {}


def _download(
    desk: Desk, client: WebClient, release: VocabularyRelease, target: Path, tell: Tell
) -> tuple[Any, str]:
    year, missing = int(desk.clock()[:4]), None

    def watch(done: int, total: int) -> None:
        share = done / total if total else 0.0
        size = f"{done / 1e6:.1f} of {total / 1e6:.1f} MB" if total else f"{done / 1e6:.1f} MB"
        tell(share / 2, f"downloading {release.title}: {size}")

    for address in release.addresses(year, desk.settings.vocabulary_url):
        try:
            md5 = _checksum(client, address, release)
            return download(
                client, address, target, largest=release.largest, md5=md5, watch=watch
            ), address
        except NotServed as error:
            missing = error
        except Unreachable as error:
            host = urllib.parse.urlsplit(address).hostname
            raise Unreachable(
                f"{release.title} cannot be downloaded now: {host} cannot be reached.",
                "What is installed stays in use. Try again later, or download the file elsewhere"
                " and add it on the page Vocabularies.",
            ) from error
    assert missing is not None
    raise missing


def _checksum(client: WebClient, address: str, release: VocabularyRelease) -> str:
    """The published MD5, where the authority publishes one."""
    if not release.md5:
        return ""
    with client.stream(address + release.md5, longest=60.0) as answer:
        text = answer.raw.read(1000, decode_content=True).decode("ascii", "replace")
        return text.split()[0] if answer.status_code == 200 and text.split() else ""


def _client(desk: Desk) -> Any:
    """Releases come from their authorities, or from the mirror that the operator set."""
    own = (desk.settings.vocabulary_url,) if desk.settings.vocabulary_url else ()
    return WebClient(HOSTS, own, retries=1, secrets=desk.settings.secrets)


def _compiling(watch: Callable[[float], None]) -> Callable[[CompileTask], None]:
    return lambda task: vocabularies.compile_apart(task, watch)


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


def _downloads(desk: Desk) -> Path:
    folder = desk.folder / "uploads" / DOWNLOADS
    folder.mkdir(parents=True, exist_ok=True)
    return folder


# ---------------------------------------------------------------- where each came from


def origins(desk: Desk) -> dict[str, Mapping[str, str]]:
    """Name → {address, sha256, stamp, time, licence} of vocabularies that were installed by
    name.
    """
    try:
        stored_origins = json.loads((desk.vocabularies / ORIGINS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    rows = stored_origins.items() if isinstance(stored_origins, dict) else ()
    return {
        str(name): value if isinstance(value, dict) else {"address": str(value)}
        for name, value in rows
    }


def updatable(desk: Desk) -> list[str]:
    """Installed vocabularies of which the authority's current release can be downloaded."""
    own = desk.vocabulary_registry.own()
    return [name for name in origins(desk) if name in own and name in RELEASES]


def _remember(
    desk: Desk, release: VocabularyRelease, address: str, sha256: str, stamp: str
) -> None:
    row = {
        "address": address,
        "sha256": sha256,
        "stamp": stamp,
        "time": desk.clock(),
        "licence": release.licence,
    }
    with tempfile.NamedTemporaryFile(
        "w", dir=desk.vocabularies, prefix=".", suffix=".part", encoding="utf-8", delete=False
    ) as part:
        json.dump({**origins(desk), release.name: row}, part, indent=1, sort_keys=True)
    Path(part.name).replace(desk.vocabularies / ORIGINS)
