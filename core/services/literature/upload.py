"""Uploaded files into a namespace: kept in the project first, then read by a job that shows its
progress and can be stopped and resumed. What was read before is kept; a file that cannot be read is
told, and the others go on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from core.desk import Desk
from core.documents import files
from core.documents.readers.pdf import OnPage, is_pdf, read_pdf
from core.errors import InputError
from core.jobs import isolation
from core.jobs.runner import JobContext, register
from core.model import Job, Json, Problem
from core.services.literature import namespaces
from core.services.literature.namespaces import AddedPapers

JOB = "literature-upload"
FILE_TYPES = [suffix.lstrip(".") for suffix in files.SUFFIXES]  # what the page takes
MOST_FILES = 200
MOST_TOLD = 20  # problems of one file
Pages = tuple[int, int]
_PAGES = re.compile(r"\s*(\d{1,6})\s*(?:[-–]\s*(\d{1,6})?)?\s*")


def pages_of(text: str) -> Pages | None:
    """A range of pages as typed: `3`, `3-10` or `3-`, counted from 1; None for nothing. Raises
    InputError.
    """
    if not text.strip():
        return None
    match = _PAGES.fullmatch(text)
    if match is None:
        raise InputError(f"{text[:20]!r} is no range of pages.", "Write 3, 3-10 or 3-.")
    first = int(match[1])
    last = int(match[2]) if match[2] else (999_999 if re.search(r"[-–]", text) else first)
    if first < 1 or last < first:
        raise InputError(
            f"{text[:20]!r} is no range of pages.",
            "The first page is 1, and the last is not before it.",
        )
    return first, last


def start(
    desk: Desk, name: str, given: Sequence[tuple[str, bytes]], pages: str = "", curator: str = ""
) -> Job:
    """Keep the files (name and content) and read them in the background; `pages` counts for PDFs
    alone.
    """
    desk.store.namespaces.get(name)
    pages_of(pages)
    if not given or len(given) > MOST_FILES:
        raise InputError(f"Choose 1 to {MOST_FILES} files.")
    kept = [
        {"name": Path(file).name[-120:] or "file", "path": _keep(desk, raw)} for file, raw in given
    ]
    return desk.runner.start(JOB, {"namespace": name, "files": kept, "pages": pages}, curator)


def _keep(desk: Desk, raw: bytes) -> str:
    """Write a file under its digest; the path inside the project."""
    place = Path("uploads") / "literature" / sha256(raw).hexdigest()[:32]
    path = desk.folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{desk.new_id()[:8]}")
    new.write_bytes(raw)
    new.replace(path)
    return place.as_posix()


@register(JOB)
def work(context: JobContext, arguments: Json) -> Json:
    """The job; its result is {files: [{name, read, changed, error, problems}], chunks}."""
    desk: Desk = context.context
    name, given, pages = (
        str(arguments["namespace"]),
        arguments["files"],
        pages_of(str(arguments.get("pages", ""))),
    )
    told = []
    for place, one in enumerate(given):
        told.append(
            _read(
                context, desk, name, one, pages, f"file {place + 1} of {len(given)}, {one['name']}"
            )
        )
    chunks = len(namespaces.index_of(desk, name, context.progress))
    for one in given:
        (desk.folder / one["path"]).unlink(missing_ok=True)
    return {"files": told, "chunks": chunks}


def _read(
    context: JobContext, desk: Desk, name: str, one: Json, pages: Pages | None, where: str
) -> Json:
    desk.store.namespaces.get(name)  # it may be gone meanwhile

    def on_page(done: int, total: int) -> None:
        context.progress(done, total, f"pages of {where}")

    def on_papers(done: int, total: int, message: str = "") -> None:
        context.progress(done, total, f"{message} of {where}")

    context.progress(0, 0, f"reading {where}")
    try:
        raw = (desk.folder / one["path"]).read_bytes()
        if is_pdf(raw, one["name"]):
            added = _read_pdf(desk, name, one["name"], raw, pages, on_page)
        else:
            added = namespaces.add_papers(desk, name, files.read_bytes(raw, one["name"]), on_papers)
    except InputError as error:
        return {"name": one["name"], "read": 0, "changed": 0, "error": str(error), "problems": []}
    except OSError:
        return {
            "name": one["name"],
            "read": 0,
            "changed": 0,
            "error": "The uploaded file is gone. Add it again.",
            "problems": [],
        }
    problems = [_said(problem, one["name"]) for problem in added.problems[:MOST_TOLD]]
    problems += (
        [f"{len(added.problems) - MOST_TOLD} more such notes"]
        if len(added.problems) > MOST_TOLD
        else []
    )
    return {
        "name": one["name"],
        "read": added.read,
        "changed": added.changed,
        "error": "",
        "problems": problems,
    }


def _said(problem: Problem, file: str) -> str:
    where = f"{problem.where}: " if problem.where.casefold() not in ("", file.casefold()) else ""
    return f"{where}{problem.message} {problem.hint}".strip()


def _read_pdf(
    desk: Desk, name: str, file: str, raw: bytes, pages: Pages | None, on_page: OnPage
) -> AddedPapers:
    """GROBID reads whole PDFs when the operator has one; pages, and PDFs that it fails on, are read
    here.
    """
    asked = desk.settings.grobid_url and pages is None
    paper, told = namespaces.read_by_grobid(desk, raw, file) if asked else (None, ())
    if paper is None:
        paper = isolation.run(
            read_pdf, raw, files.document_id(raw), file, pages, name=file, progress=on_page
        )
        paper = replace(
            paper, title=paper.title or Path(file).stem, problems=(*paper.problems, *told)
        )
    return namespaces.add_papers(desk, name, [paper])


def added_of(job: Job) -> list[str]:
    """What a finished job did, a line a file."""
    try:
        return [line for file in job.result["files"] for line in _lines(file)]
    except (TypeError, KeyError):
        return []


def _lines(one: Json) -> list[str]:
    if one["error"]:
        return [f"⛔ {one['name']}: {one['error']}"]
    return [f"✓ {one['name']}: {one['read']} papers read, {one['changed']} new or changed"] + [
        f"⚠️ {one['name']}: {problem}" for problem in one["problems"]
    ]
