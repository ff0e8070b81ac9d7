"""The web site of a release, as a folder for a web server or as one ZIP."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from pathlib import Path

from core.desk_parts import HasFolder, HasProject, HasProjectJobs
from core.errors import Refused, StoreError
from core.jobs.runner import JobContext, register_job
from core.kb.entry import KnowledgeBase
from core.kb.formats.archive import zip_files
from core.kb.formats.registry import FORMATS
from core.kb.site.site import SiteFile, site_files
from core.model import Job, Json
from core.services.graph.export_file import hold_lock, replace_file, room_hint
from core.services.releases import catalogue

JOB = "release-site"
FOLDER = "releases"  # in the project's folder: what was made of releases, and can be made again
EVERY = 200  # files between two words on progress
OnProgress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """Reports no progress."""


def to_folder(
    desk: HasProject, number: str, folder: Path, on_progress: OnProgress = no_progress
) -> int:
    """Write the site into a new folder; how many files. Raises Refused for one that holds anything,
    and StoreError, after which nothing is left of it.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"{folder} already exists.", "Choose a folder that does not exist yet.")
    kb = catalogue.knowledge_base(desk, number)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _tidy(folder)
        with _folder_beside(folder) as beside:
            count = 0
            for name, pieces in _files(desk, kb, number, folder=beside, on_progress=on_progress):
                target = beside / "site" / name
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("wb") as out:
                    out.writelines(pieces)
                count += 1
            if folder.exists():
                folder.rmdir()
            (beside / "site").rename(folder)
            return count
    except OSError as error:
        raise StoreError(
            f"{folder} could not be written: {error.strerror or error}.",
            f"{room_hint(error)}Nothing was saved.",
        ) from error


@contextmanager
def _folder_beside(folder: Path) -> Iterator[Path]:
    """A new folder that goes at the end; `_tidy` takes it away after a process that was killed."""
    with (
        tempfile.TemporaryDirectory(prefix=_prefix(folder), dir=folder.parent) as beside,
        ExitStack() as held,
    ):
        with suppress(OSError):  # a file system without locks
            held.enter_context(hold_lock(Path(beside)))
        yield Path(beside)


def _prefix(folder: Path) -> str:
    return f".{folder.name}.site-"


def _tidy(folder: Path) -> None:
    """Remove what a killed process left next to a site, but not what a running one writes."""
    for abandoned in folder.parent.glob(f"{escape(_prefix(folder))}*"):
        with suppress(OSError), hold_lock(abandoned):
            shutil.rmtree(abandoned)


def start_site(desk: HasProjectJobs, number: str, curator: str = "") -> Job:
    """Make the ZIP of the site in the background; `archive` is where it will lie."""
    catalogue.described_release(desk, number)
    return desk.runner.start(JOB, {"number": number}, curator)


def site_archive(desk: HasFolder, number: str) -> Path:
    """Where the ZIP of a release's site lies once it was made."""
    return desk.folder / FOLDER / f"{catalogue.release_stem(desk, number)}-site.zip"


@register_job(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    desk: HasProject = context.context
    number = str(arguments["number"])

    def on_progress(done: int, total: int) -> None:
        context.progress(done, total, "pages of the web site")

    size = to_archive(desk, number, on_progress)
    return {"number": number, "bytes": size}


def to_archive(desk: HasProject, number: str, on_progress: OnProgress = no_progress) -> int:
    """Write the ZIP; its size in bytes."""
    target = site_archive(desk, number)
    target.parent.mkdir(exist_ok=True)
    kb = catalogue.knowledge_base(desk, number)
    _tidy(target)
    with _folder_beside(target) as beside:
        return replace_file(
            target, zip_files(_files(desk, kb, number, folder=beside, on_progress=on_progress))
        )


def _files(  # noqa: PLR0917
    desk: HasProject, kb: KnowledgeBase, number: str, folder: Path, on_progress: OnProgress
) -> Iterator[SiteFile]:
    """The files of the site; downloads are written into `folder` first, so that their sizes are
    known.
    """
    assert kb.release is not None
    downloads = {}
    for export_format in FORMATS.values():
        name = f"{catalogue.release_stem(desk, number)}{export_format.suffix}"
        with (folder / name).open("wb") as out:
            out.writelines(export_format.chunks(kb))
        downloads[name] = (export_format.title, folder / name)
    notes = folder / "notes.md"
    notes.write_text(catalogue.notes_of(desk, number), encoding="utf-8")
    downloads["release-notes.md"] = ("Release notes", notes)
    changes = catalogue.compare_releases(desk, kb.release.previous, number)
    total = len(kb.entries)
    for at, site_file in enumerate(site_files(kb, changes, downloads)):
        if at % EVERY == 0:
            on_progress(min(at, total), total)
        yield site_file
