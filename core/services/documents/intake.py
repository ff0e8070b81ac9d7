"""Papers and texts into the project in one go: identifiers, files and folders of any kind, each
with its title and a status of its own. What was brought is kept first, so that a reload, a crash or
a missing network loses nothing, and what failed can be tried again by itself.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.desk import APP_VERSION
from core.desk_parts import HasEngineJobs, HasFolder, HasProjectJobs, HasProjectNetwork, HasStore
from core.documents import files
from core.documents.paper import RETRACTED, Paper, clean_title
from core.documents.read_document import papers_of
from core.documents.readers import pubmed_xml
from core.documents.readers.xml import parse_xml
from core.errors import InputError, NotFound, Refused
from core.jobs import isolation
from core.jobs.pool import run_units
from core.jobs.runner import JobContext, register_job
from core.jobs.units import UnitResult, register_units
from core.model import Job, Json, Run
from core.services.documents.upload import (
    IDENTIFIER,
    is_plain_text_file,
    paper_by_id,
    recorded_fetcher,
    store_papers,
)
from core.services.extract import batch
from core.services.extract.run import find_schema
from core.services.people import roles
from core.services.shared.uploaded_file import store_upload
from core.store.unit import JobUnit, UnitState
from core.text.count import counted
from core.web import Fetch

JOB = "bring in documents"
FILE_TYPES = [suffix.lstrip(".") for suffix in files.SUFFIXES]  # what the page takes
MOST_ITEMS = 20_000
TOGETHER = 100  # PMIDs in one request
THREADS = 2
_LABEL = re.compile(r"\b(PMID|PMCID|PMC|DOI)\s*:\s*", re.IGNORECASE)
_ASKING = threading.Lock()  # one thread asks for a group of PMIDs, the others find its answer


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that a person brought: its name, and what it holds."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class IntakeItem:
    """One identifier or file on its way in. `words` tell its title, or what went wrong."""

    name: str
    state: UnitState
    words: str
    documents: tuple[str, ...] = ()


# ------------------------------------------------------------------ what was brought


def identifiers_in(words: str) -> tuple[list[str], list[str]]:
    """What a box of identifiers holds: CURIEs (PMID:…, PMCID:PMC…, DOI:…), each once and in order,
    and the words that name no paper. A bare number is a PMID; spaces, commas, semicolons and line
    ends separate.
    """
    curies: dict[str, None] = {}
    strange: dict[str, None] = {}
    for word in re.split(r"[\s,;|]+", _LABEL.sub(lambda match: f"{match[1]}:", words)):
        word = word.strip("()[]<>\"'").rstrip(".:")
        if word:
            curie = paper_curie(word)
            (curies if curie else strange)[curie or word] = None
    return list(curies), list(strange)


def paper_curie(word: str) -> str:
    """The CURIE of a paper that a word names; "" where it names none."""
    if re.fullmatch(r"[0-9]{1,9}", word):
        return f"PMID:{int(word)}"
    match = IDENTIFIER.fullmatch(re.sub(r"(?i)^PMC:(?=\d)", "PMC", word))
    if match is None:
        return ""
    if match["pmid"]:
        return f"PMID:{int(match['pmid'])}"
    return f"PMCID:PMC{match['pmc']}" if match["pmc"] else f"DOI:{match['doi']}"


def start_intake(
    desk: HasProjectJobs,
    words: str = "",
    brought: Iterable[InputFile] = (),
    *,
    schema: str = "",
    engine: str = "auto",
    curator: str = "",
) -> Job:
    """Keep what was brought and take it in as a job; with a `schema`, what was taken in is then
    read by an engine in a batch. Raises InputError for nothing, or too much.
    """
    curies, strange = identifiers_in(words)
    stored_files = [
        {"name": _short(file.name), "path": store_upload(desk, "documents", file.content)}
        for file in brought
    ]
    items: list[dict[str, str]] = [{"name": name, "id": name} for name in curies]
    items += stored_files + [{"name": _short(word), "strange": "yes"} for word in strange]
    if not items:
        raise InputError("Nothing was given.", "Give PMIDs, PMC ids, DOIs, or files.")
    if len(items) > MOST_ITEMS:
        raise InputError(f"At most {MOST_ITEMS:,} at once.", "Add them in several batches.")
    if schema:
        find_schema(desk, schema)
    arguments = {"items": items, "schema": schema, "engine": engine, "curator": curator}
    with desk.runner.preparing(JOB, arguments, curator) as job:
        units = [_unit(desk, job.id, number, item) for number, item in enumerate(items)]
        desk.store.units.add(units)
    return desk.store.jobs.get(job.id)


def _unit(desk: HasStore, job: str, number: int, item: dict[str, str]) -> JobUnit:
    if "strange" in item:
        message = "It does not name a paper. Give a PMID, a PMC id, a DOI or a file."
        return JobUnit(job, number, item["name"], state=UnitState.REFUSED, message=message)
    return JobUnit(job, number, item["name"], desk.new_id())


def _short(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2][-120:] or "file"


# ------------------------------------------------------------------ the job


@register_job(JOB)
def bring_in_documents(context: JobContext, arguments: Json) -> Json:
    """The job; its result counts the states of its items, and names the batch that reads them."""
    desk: HasEngineJobs = context.context
    units = desk.store.units
    units.free(context.job.id)
    units.retry(context.job.id)
    counts = run_units(context, units, threads=THREADS, noun="papers and files")
    result: dict[str, Json] = {str(state): n for state, n in counts.items() if n}
    if arguments.get("schema"):
        result["batch"] = _read_new(desk, context.job.id, arguments)
    if not counts[UnitState.FAILED]:
        for item in arguments["items"]:
            if "path" in item:
                (desk.folder / item["path"]).unlink(missing_ok=True)
    return result


def _read_new(desk: HasEngineJobs, job: str, arguments: Json) -> str:
    """Start the batch over documents that no earlier batch of this job has read; its id, or that of
    the last one.
    """
    batched = desk.store.runs.result(job, "batched") or {"documents": [], "batch": ""}
    ids = [id for item in intake_items(desk, job) for id in item.documents]
    new = list(dict.fromkeys(id for id in ids if id not in set(batched["documents"])))
    if not new:
        return str(batched["batch"])
    begun = read_documents(
        desk,
        new,
        arguments["schema"],
        arguments["engine"],
        curator=str(arguments.get("curator", "")),
    )
    all_batched = {"documents": [*batched["documents"], *new], "batch": begun.id}
    desk.store.runs.save_result(job, all_batched, "batched")
    return begun.id


def read_documents(
    desk: HasEngineJobs, documents: Sequence[str], schema: str, engine: str, *, curator: str
) -> Job:
    """Let an engine read the newest texts of documents, in a batch. Raises InputError where none
    has a text.
    """
    texts = []
    for id in documents:
        versions = desk.store.documents.texts(id)
        if versions:
            texts.append((id, versions[-1].text, desk.store.documents.get(id).title))
    return batch.start_batch(desk, schema, texts, engine=engine, curator=curator)


def retry_intake(desk: HasProjectJobs, job: str, curator: str | None = None) -> Job:
    """Try again what failed. Raises Refused when nothing did, and Forbidden for a reader."""
    roles.require_role(desk, curator)
    if not desk.store.units.counts(job)[UnitState.FAILED]:
        raise Refused("None of these failed.", "There is nothing to try again.")
    listed = desk.store.jobs.get(job).arguments["items"]
    for begin in range(0, len(_pmids(listed)), TOGETHER):
        desk.store.runs.save_result(f"{job}-{begin}", "", "papers")  # PubMed is asked anew
    return desk.runner.resume(job, done_too=True)


def intake_counts(desk: HasStore, job: str) -> tuple[int, int, int]:
    """How many of what was brought were taken in, failed, were not understood; as far as it has
    come.
    """
    counts = desk.store.units.counts(job)
    return counts[UnitState.DONE], counts[UnitState.FAILED], counts[UnitState.REFUSED]


def intake_items(
    desk: HasStore, job: str, limit: int = 1_000_000, offset: int = 0
) -> list[IntakeItem]:
    """Everything that was brought, in order, as far as it has come."""
    brought_items = []
    for unit in desk.store.units.all(job, limit, offset):
        document_ids = desk.store.runs.result(unit.run, "documents") if unit.run else None
        ids = tuple(document_ids or ()) if unit.state is UnitState.DONE else ()
        brought_items.append(IntakeItem(unit.name, unit.state, unit.message, ids))
    return brought_items


# ------------------------------------------------------------------ one item


@register_units(JOB)
def bring_in(desk: HasProjectNetwork, unit: JobUnit, check: Callable[[], None]) -> UnitResult:
    """Read one file or fetch one paper, and keep what it holds."""
    arguments = desk.store.jobs.get(unit.job).arguments
    item = arguments["items"][unit.number]
    if "path" in item:
        try:
            papers = _of_file(desk, item)
        except InputError as error:  # trying again would not help
            return UnitResult(UnitState.REFUSED, str(error))
    else:
        papers = [_of_identifier(desk, unit.job, arguments["items"], unit.number)]
    check()
    file_stem = Path(item["name"]).stem if "path" in item else ""
    with_words = [paper for paper in papers if not paper.empty]
    messages = [problem.message for paper in papers for problem in paper.problems]
    if not with_words:
        words = f"{item['name']} contains no paper with text. {' '.join(messages[:2])}".strip()
        return UnitResult(UnitState.REFUSED if "path" in item else UnitState.FAILED, words)
    ids = store_papers(desk, with_words, file_stem)
    words = _words(with_words, file_stem) + (f" · {messages[0]}" if messages else "")
    return UnitResult(UnitState.DONE, words, (("documents", ids),))


def _words(papers: Sequence[Paper], file_stem: str) -> str:
    first_title = clean_title(papers[0].title) or file_stem or papers[0].id
    if len(papers) > 1:
        return f"{counted(len(papers), 'paper')}, the first: {first_title}"[:300]
    facts = (papers[0].journal, papers[0].year, papers[0].kind)
    withdrawn = RETRACTED.upper() if RETRACTED in papers[0].flags else ""
    return " · ".join(part for part in (first_title[:300], *facts, withdrawn) if part)


def _of_file(desk: HasFolder, item: dict[str, str]) -> list[Paper]:
    try:
        raw = (desk.folder / item["path"]).read_bytes()
    except OSError:
        raise InputError("The uploaded file is gone.", "Upload it again.") from None
    if _is_bare_text(item["name"], raw):  # nothing that a child process must hold in check
        return papers_of(raw, item["name"])
    papers: list[Paper] = isolation.run_in_child(papers_of, raw, item["name"], name=item["name"])
    return papers


def _is_bare_text(name: str, raw: bytes) -> bool:
    """Whether a file is letters alone: no markup, no records, no archive under a text's name."""
    is_packed = raw.startswith((b"\x1f\x8b", b"PK")) or b"\0" in raw[:4000]
    return name.casefold().endswith(".txt") and is_plain_text_file(name, raw) and not is_packed


def _of_identifier(
    desk: HasProjectNetwork, job: str, items: Sequence[dict[str, str]], number: int
) -> Paper:
    """The paper of an identifier. PMIDs are asked for a hundred at a time: the first of a group
    that is worked on brings them all.
    """
    name = items[number]["id"]
    if not name.startswith("PMID:"):
        return paper_by_id(desk, name)
    pmids = _pmids(items)
    begin = pmids.index(name) // TOGETHER * TOGETHER
    group = pmids[begin : begin + TOGETHER]
    with _ASKING:
        stored_xml = desk.store.runs.result(f"{job}-{begin}", "papers")
        xml = str(stored_xml) if stored_xml else _fetch(desk, group)
        if not stored_xml:
            desk.store.runs.save_result(f"{job}-{begin}", xml, "papers")
    root, _ = parse_xml(xml)
    for paper in pubmed_xml.papers(root):
        if name in (paper.id, *paper.ids) and not paper.empty:
            return paper
    raise NotFound(f"PubMed has no paper {name}.", "Check for a typo.")


def _pmids(items: Sequence[dict[str, str]]) -> list[str]:
    return [item["id"] for item in items if item.get("id", "").startswith("PMID:")]


def _fetch(desk: HasProjectNetwork, pmids: Sequence[str]) -> str:
    run = desk.store.runs.add(
        Run(desk.new_id(), "fetch", "PubMed", app_version=APP_VERSION, created=desk.clock())
    )
    numbers = ",".join(pmid.removeprefix("PMID:") for pmid in pmids)
    params = (("db", "pubmed"), ("id", numbers), ("retmode", "xml"))
    url = f"{desk.settings.ncbi_eutils_url}/efetch.fcgi"
    return (
        recorded_fetcher(desk, run.id)
        .fetch(Fetch(url, params=params, kind="ncbi", path="fetch"))
        .text
    )
