"""Uploaded files into a namespace: kept in the project first, then read by a job that shows its
progress and can be stopped and resumed. What was read before is kept; a file that cannot be read is
told, and the others go on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from core.desk_parts import HasProjectJobs, HasProjectNetwork
from core.documents import files
from core.documents.paper import Paper
from core.documents.readers import table
from core.documents.readers.pdf import OnPage, is_pdf, read_pdf
from core.documents.readers.table import ChosenColumns, looks_like_xlsx
from core.errors import InputError
from core.jobs import isolation
from core.jobs.runner import JobContext, register_job
from core.model import Job, Json, Problem
from core.services.documents.upload import is_plain_text_file
from core.services.literature import namespaces
from core.services.literature.namespaces import AddedPapers, Progress, no_progress
from core.services.shared.uploaded_file import store_upload

TableHead = table.TableHead
FIELDS = tuple(table.COLUMNS)  # what columns of a table can hold
JOB = "literature-upload"
FILE_TYPES = [suffix.lstrip(".") for suffix in files.SUFFIXES]  # what the page takes
MOST_FILES = 200
SMALL = 100_000  # bytes of a table whose head is read here; of others in a child process
MOST_TOLD = 20  # problems of one file
Pages = tuple[int, int]
_PAGES = re.compile(r"\s*(\d{1,6})\s*(?:[-–]\s*(\d{1,6})?)?\s*")


def read_page_range(text: str) -> Pages | None:
    """A range of pages as typed: `3`, `3-10` or `3-`, counted from 1; None for nothing. Raises
    InputError.
    """
    if not text.strip():
        return None
    match = _PAGES.fullmatch(text)
    if match is None:
        raise InputError(f"{text[:20]!r} is not a range of pages.", "Write 3, 3-10 or 3-.")
    first = int(match[1])
    last = int(match[2]) if match[2] else (999_999 if re.search(r"[-–]", text) else first)
    if first < 1 or last < first:
        raise InputError(
            f"{text[:20]!r} is not a range of pages.",
            "The first page is 1, and the last is not before it.",
        )
    return first, last


def table_head(name: str, raw: bytes) -> TableHead | None:
    """The columns of a table and what they are taken for; None for a file of another kind, or one
    that cannot be read.
    """
    if not table.is_table(name):
        return None
    try:
        if len(raw) > SMALL or looks_like_xlsx(raw[:4], name.casefold()):
            head: TableHead = isolation.run_in_child(table.read_head, raw, name, name=name)
            return head
        return table.read_head(raw, name)
    except InputError:
        return None


def start_upload(
    desk: HasProjectJobs,
    name: str,
    files: Sequence[tuple[str, bytes]],
    *,
    pages: str = "",
    curator: str = "",
    columns: Mapping[str, Mapping[str, str]] | None = None,
) -> Job:
    """Keep the files (name and content) and read them in the background; `pages` counts for PDFs
    alone; `columns`: of tables, by file, which column holds which field.
    """
    desk.store.namespaces.get(name)
    read_page_range(pages)
    if not files or len(files) > MOST_FILES:
        raise InputError(f"Choose 1 to {MOST_FILES} files.")
    stored_files: list[dict[str, Json]] = [
        {"name": Path(file).name[-120:] or "file", "path": store_upload(desk, "literature", raw)}
        for file, raw in files
    ]
    for stored_file, (file, _) in zip(stored_files, files, strict=True):
        if columns and file in columns:
            stored_file["columns"] = dict(columns[file])
    return desk.runner.start(
        JOB, {"namespace": name, "files": stored_files, "pages": pages}, curator
    )


@register_job(JOB)
def read_uploads(context: JobContext, arguments: Json) -> Json:
    """The job; its result is {files: [{name, read, changed, error, problems}], chunks}."""
    desk: HasProjectNetwork = context.context
    name, files, pages = (
        str(arguments["namespace"]),
        arguments["files"],
        read_page_range(str(arguments.get("pages", ""))),
    )
    reports = []
    for place, file in enumerate(files):
        reports.append(
            _add_file(
                context,
                desk,
                name,
                file,
                pages=pages,
                where=f"file {place + 1} of {len(files)}, {file['name']}",
            )
        )
    chunks = len(namespaces.open_index_of(desk, name, context.progress))
    for file in files:
        (desk.folder / file["path"]).unlink(missing_ok=True)
    return {"files": reports, "chunks": chunks}


def _add_file(
    context: JobContext,
    desk: HasProjectNetwork,
    name: str,
    file: Json,
    *,
    pages: Pages | None,
    where: str,
) -> Json:
    desk.store.namespaces.get(name)  # it may be gone meanwhile

    def on_page(done: int, total: int) -> None:
        context.progress(done, total, f"pages of {where}")

    def on_papers(done: int, total: int, message: str = "") -> None:
        context.progress(done, total, f"{message} of {where}")

    context.progress(0, 0, f"reading {where}")
    try:
        raw = (desk.folder / file["path"]).read_bytes()
        if is_pdf(raw, file["name"]):
            added = add_pdf(desk, name, file["name"], raw, pages=pages, on_page=on_page)
        else:
            added = add_paper_file(
                desk, name, file["name"], raw, columns=file.get("columns"), progress=on_papers
            )
    except InputError as error:
        return {"name": file["name"], "read": 0, "changed": 0, "error": str(error), "problems": []}
    except OSError:
        return {
            "name": file["name"],
            "read": 0,
            "changed": 0,
            "error": "The uploaded file is gone. Add it again.",
            "problems": [],
        }
    problems = [_problem_line(problem, file["name"]) for problem in added.problems[:MOST_TOLD]]
    problems += (
        [f"{len(added.problems) - MOST_TOLD} more such notes"]
        if len(added.problems) > MOST_TOLD
        else []
    )
    return {
        "name": file["name"],
        "read": added.read,
        "changed": added.changed,
        "new": added.new,
        "error": "",
        "problems": problems,
    }


def add_paper_file(
    desk: HasProjectNetwork,
    name: str,
    file: str,
    raw: bytes,
    *,
    columns: ChosenColumns | None = None,
    progress: Progress = no_progress,
) -> AddedPapers:
    """Add the papers of an uploaded file that is no PDF; `columns`: which of a table holds which
    field. What is more than plain text is parsed in a child process. Raises InputError.
    """
    papers: Iterator[Paper] = (
        isolation.stream_from_child(table.read_table, (raw, file, columns), name=file)
        if columns
        else files.read_bytes(raw, file)
        if is_plain_text_file(file, raw)
        else isolation.stream_from_child(files.read_bytes, (raw, file), name=file)
    )
    digest = sha256(raw).hexdigest()
    return namespaces.add_papers(desk, name, papers, progress, source=file, digest=digest)


def _problem_line(problem: Problem, file: str) -> str:
    where = f"{problem.where}: " if problem.where.casefold() not in ("", file.casefold()) else ""
    return f"{where}{problem.message} {problem.hint}".strip()


def add_pdf(
    desk: HasProjectNetwork,
    name: str,
    file: str,
    raw: bytes,
    *,
    pages: Pages | None = None,
    on_page: OnPage | None = None,
) -> AddedPapers:
    """GROBID reads whole PDFs when the operator has one; pages, and PDFs that it fails on, are read
    here.
    """
    by_grobid = desk.settings.grobid_url and pages is None
    paper, problems = namespaces.read_by_grobid(desk, raw, file) if by_grobid else (None, ())
    if paper is None:
        paper = isolation.run_in_child(
            read_pdf, raw, files.document_id(raw), file, pages, name=file, progress=on_page
        )
        paper = replace(
            paper, title=paper.title or Path(file).stem, problems=(*paper.problems, *problems)
        )
    return namespaces.add_papers(desk, name, [paper], source=file, digest=sha256(raw).hexdigest())


def added_lines(job: Job) -> list[str]:
    """What a finished job did, a line a file."""
    try:
        return [line for file in job.result["files"] for line in _lines(file)]
    except (TypeError, KeyError):
        return []


def _lines(report: Json) -> list[str]:
    if report["error"]:
        return [f"⛔ {report['name']}: {report['error']}"]
    read, changed = report["read"], report["changed"]
    added = AddedPapers(read, changed, new=report.get("new", changed))
    summary = f"{'✓' if read else '⛔'} {report['name']}: {added.counts}"
    return [summary] + [f"⚠️ {report['name']}: {problem}" for problem in report["problems"]]
