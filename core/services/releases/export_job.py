"""An export as a job: with progress, Stop and Resume, into a file of the project that stays until
it is made again. A release's file is made once: a release never changes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from core.desk import open_desk
from core.desk_parts import HasFolder, HasProject, HasProjectJobs, HasProjectTerms
from core.errors import InputError
from core.jobs import isolation
from core.jobs.runner import JobContext, register_job
from core.jobs.units import register_units
from core.kb.formats.registry import format_named
from core.model import Job, JobState, Json
from core.services.graph.export_file import remove_leftovers, replace_file
from core.services.graph.gate_memory import check_in_parts, check_part
from core.services.graph.knowledge_base import export_to, file_name, gate_stamp
from core.services.releases import catalogue
from core.settings import child_environment, load_settings

JOB = "export"
FOLDER = "exports"  # in the project's folder: what can be made again at any time
LOOK = 0.5  # seconds between two words on progress
ACTIVE = (JobState.QUEUED, JobState.RUNNING)
SILENCE = 3_600.0  # seconds: sorting a large file says nothing for a while
MEMORY = 32_000  # MB of address space of the process that writes
Written = tuple[int, int, str]  # bytes, statements, and the state of the project that was written


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """A file that is asked for: the name of its format, and of which release, "" for what is
    approved now. `is_signed`: with the key that the environment names.
    """

    format: str
    release: str = ""
    is_signed: bool = False

    def arguments(self) -> Json:
        """As a job keeps them."""
        return {"format": self.format, "release": self.release, "signed": self.is_signed}


@dataclass(frozen=True, slots=True)
class FinishedExport:
    """A file that an export made. `is_current`: nothing that it says has changed since."""

    path: Path
    size: int
    statements: int
    job: str
    is_current: bool


def start_export(desk: HasProjectJobs, request: ExportRequest, curator: str = "") -> Job:
    """Make the file in the background; the job that makes it already, where there is one. Raises
    InputError for a format there is not, or no key to sign with, and NotFound for a release.
    """
    request = replace(request, format=format_named(request.format).name)
    if request.release:
        catalogue.described_release(desk, request.release)
    signing_key(desk, request)
    for job in desk.store.jobs.find(name=JOB, states=ACTIVE):
        if _asked(job) == request and desk.runner.job(job.id).state in ACTIVE:
            return job
    return desk.runner.start(JOB, request.arguments(), curator)


def latest_export(desk: HasProjectTerms, request: ExportRequest) -> FinishedExport | None:
    """The file as it was last made; None where there is none."""
    path = export_path(desk, request)
    for job in desk.store.jobs.find(name=JOB, states=(JobState.DONE,)):
        result = job.result or {}
        if _asked(job) == request and path.is_file():
            is_current = bool(request.release) or result.get("stamp") == gate_stamp(desk)
            size = path.stat().st_size
            return FinishedExport(
                path, size, int(result.get("statements", 0)), job=job.id, is_current=is_current
            )
    return None


def export_path(desk: HasFolder, request: ExportRequest) -> Path:
    """Where the file lies once it was made."""
    export_format = format_named(request.format)
    name = (
        catalogue.file_name(desk, request.release, export_format)
        if request.release
        else file_name(desk, export_format)
    )
    if request.is_signed:
        name = f"{name.removesuffix(export_format.suffix)}-signed{export_format.suffix}"
    return desk.folder / FOLDER / name


def can_sign(desk: HasFolder, name: str) -> bool:
    """Whether this format can be signed and the operator set a key for it."""
    return format_named(name).signable and desk.settings.nanopub_key is not None


def signing_key(desk: HasFolder, request: ExportRequest) -> bytes:
    """The PEM to sign with; b"" for a file that is not to be signed. Raises InputError where there
    is none.
    """
    if not request.is_signed:
        return b""
    key_file = desk.settings.nanopub_key
    if not format_named(request.format).signable or key_file is None:
        raise InputError(
            "This cannot be signed: no key is set.",
            "Your administrator sets one in GROUNDWORK_NANOPUB_KEY; only nanopublications are "
            "signed.",
        )
    try:
        return key_file.read_bytes()
    except OSError as error:
        raise InputError(
            f"The key to sign with cannot be read: {error.strerror}.",
            "Ask your administrator to check GROUNDWORK_NANOPUB_KEY.",
        ) from error


def _asked(job: Job) -> ExportRequest:
    return _request(job.arguments)


def _request(said: Json) -> ExportRequest:
    """What a job was asked for; older ones knew of no releases."""
    return ExportRequest(said["format"], said.get("release", ""), said.get("signed", False))


@register_job(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    desk: HasFolder = context.context
    request = _asked(context.job)
    path = export_path(desk, request)
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path)  # after a process that was killed
    if not request.release:
        check_in_parts(context)
    context.progress(0, 0, "reading the statements")
    try:
        size, count, stamp = in_child(desk, request, path, _telling(context))
    finally:
        remove_leftovers(path)
    context.progress(count, count, f"{size:,} bytes")
    return {**request.arguments(), "bytes": size, "statements": count, "stamp": stamp}


register_units(JOB)(check_part)


def in_child(
    desk: HasFolder, request: ExportRequest, path: Path, on_progress: Callable[[int, int], None]
) -> Written:
    """Write the file in a process of its own, whose memory is free again when it is done; the desk
    that many use stays small. What `on_progress` raises ends it.
    """
    settings = desk.settings
    result: Written = isolation.run_in_child(
        write_file,
        str(settings.project),
        child_environment(settings),
        request.arguments(),
        str(path),
        name=path.name,
        seconds=SILENCE,
        megabytes=MEMORY,
        progress=on_progress,
        failing="was not written",
        hint="An older file of this name is unchanged. Export it from the command line on a "
        "larger machine.",
    )
    return result


def write_file(  # noqa: PLR0917
    project: str,
    environ: Mapping[str, str],
    arguments: Json,
    path: str,
    on_page: Callable[[int, int], None],
) -> Written:
    """Write the file of a request, in the process that this is."""
    desk = open_desk(load_settings(Path(project), environ))
    try:
        request = _request(arguments)
        write = _write_release if request.release else _write_current
        return write(desk, request, Path(path), on_page)
    finally:
        desk.close()


def _write_current(
    desk: HasProjectTerms,
    request: ExportRequest,
    path: Path,
    on_progress: Callable[[int, int], None],
) -> Written:
    stamp, key = gate_stamp(desk), signing_key(desk, request)
    size, report = export_to(desk, request.format, path, on_progress, signing_key=key)
    return size, len(report.entries), stamp


def _write_release(
    desk: HasProject, request: ExportRequest, path: Path, on_progress: Callable[[int, int], None]
) -> Written:
    key = signing_key(desk, request)
    kb = replace(
        catalogue.knowledge_base(desk, request.release), signing_key=key, on_progress=on_progress
    )
    size = replace_file(path, format_named(request.format).chunks(kb))
    return size, len(kb.entries), ""


def _telling(context: JobContext) -> Callable[[int, int], None]:
    """Progress, several times a second; each time it checks whether somebody asked to stop."""
    last = -LOOK

    def on_progress(done: int, total: int) -> None:
        nonlocal last
        context.check()
        if time.monotonic() - last >= LOOK:
            last = time.monotonic()
            context.progress(done, total, "writing statements")

    return on_progress
