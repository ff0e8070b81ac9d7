"""What a curator brings to the Extract page, as plain text: a text file, a PDF, or a paper of
PubMed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.curie import is_curie, normal_curie
from core.desk import APP_VERSION
from core.desk_parts import HasNetwork, HasProjectNetwork, HasStore
from core.documents.doi import NAMED_DOI_IN_TEXT
from core.documents.paper import Paper, clean_title, paper_facts
from core.documents.read_document import ReadDocument, only_paper, papers_of, read_as
from core.documents.readers.registry import PLAIN, format_of, suffixes
from core.documents.sources.identified import IdentifiedPapers
from core.documents.sources.pubmed import PubMed
from core.errors import InputError, NotFound
from core.jobs import isolation
from core.model import Document, Run
from core.services.documents.text_reading import keep_readings, reading_of_paper
from core.store import DocumentDetails, TextReading
from core.store.document_notice import details_of
from core.text.clean import clean_text, text_version
from core.text.phrases import phrases
from core.web import Fetcher
from core.web.eutils import CheckedFetcher

FILE_TYPES = [suffix.lstrip(".") for suffix in suffixes()]  # what a page takes
DOI = re.compile(NAMED_DOI_IN_TEXT, re.IGNORECASE)
PMID = re.compile(r"(?:PMID:?\s*)?(\d{1,9})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class InputText:
    """A text, and where it is from: a CURIE, or "" for a file."""

    text: str
    source: str = ""
    title: str = ""
    reading: TextReading | None = None  # of its source, where the reader keeps a ledger


def source_curie(words: str) -> str:
    """Where a text is from, as a CURIE: a bare number is a PMID, `10.…/…` a DOI; "" stays "".
    Raises InputError.
    """
    text = words.strip()
    if not text:
        return ""
    if pmid := PMID.fullmatch(text):
        return f"PMID:{pmid[1]}"
    if doi := DOI.fullmatch(text):
        return f"DOI:{doi[1]}"
    if not is_curie(text):
        raise InputError(
            f"{text[:60]!r} does not say where the text is from.",
            "Write PMID:…, DOI:…, or nothing.",
        )
    return normal_curie(text)


def is_plain_text_file(name: str, data: bytes) -> bool:
    """Whether a file is text that no reader of papers is for."""
    folded = name.casefold()
    return format_of(data[:4000], folded) is PLAIN and not folded.endswith((".jsonl", ".ndjson"))


def read_uploaded_text(name: str, data: bytes) -> InputText:
    """The words of a file, read by the reader of its format; a plain text stays as it is. Raises
    InputError for a file that holds no paper or several, is locked, or is too large.
    """
    if is_plain_text_file(name, data):
        return InputText(clean_text(data))
    paper = only_paper(isolation.run_in_child(papers_of, data, name, name=name or "The file"), name)
    source = paper.id if paper.id.partition(":")[0] in ("PMID", "PMCID", "DOI") else ""
    text = clean_text(text_to_extract(paper))
    return InputText(text, source, paper.title, reading_of_paper(paper))


def keep_reading(desk: HasStore, brought: InputText) -> None:
    """Keep what became of each letter of the source of a text, which may be read next."""
    keep_readings(desk, [(text_version("", brought.text).sha, brought.reading)])


def documents_in_file(name: str, data: bytes, references: bool = False) -> list[ReadDocument]:
    """A file as it is read: a paper with its sections, or each paper of a list; a record that
    cannot be read is a document without words, and its warning. Raises InputError.
    """
    papers: list[Paper] = isolation.run_in_child(papers_of, data, name, name=name or "The file")
    if len(papers) < 2 or all(paper.empty for paper in papers):
        return [read_as(only_paper(papers, name), references)]
    return [read_as(paper, references) for paper in papers]


def document_by_id(desk: HasProjectNetwork, words: str, references: bool = False) -> ReadDocument:
    """A paper of PubMed or PMC as it is read. Raises InputError, NotFound, RemoteError."""
    return read_as(paper_by_id(desk, words), references)


def file_id(name: str, data: bytes) -> str:
    """The id of a file of a batch: its name, and a digest of its content."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40]
    return f"doc:{slug}-{hashlib.sha256(data).hexdigest()[:12]}"


def fetch_pubmed_text(desk: HasProjectNetwork, words: str) -> InputText:
    """Title and abstract of a paper by its PMID; the call is recorded, and the paper is a document
    of the project from now on. Raises InputError, NotFound, RemoteError.
    """
    match = PMID.fullmatch(words.strip())
    if match is None:
        raise InputError(
            f"{words[:40]!r} is not a PMID.", "A PMID is a number, such as PMID:12345678."
        )
    paper = paper_by_id(desk, f"PMID:{match[1]}")
    store_papers(desk, [paper])
    return InputText(clean_text(text_to_extract(paper)), f"PMID:{match[1]}", paper.title)


# A PMID or PMCID alone, with its prefix, or as the address of its page
_WEB = r"(?:https?://)?(?:www\.)?"
_PMC_PAGE = r"pmc\.ncbi\.nlm\.nih\.gov/articles/|ncbi\.nlm\.nih\.gov/pmc/articles/"
IDENTIFIER = phrases(
    {
        rf"{_WEB}(?:pubmed\.ncbi\.nlm\.nih\.gov/|PMID:?\s*)(?P<pmid>\d{{1,9}})/?": "PMID: 31452104",
        rf"{_WEB}(?:{_PMC_PAGE}|PMCID:?\s*)?PMC(?P<pmc>\d{{1,9}})/?": "PMC6745010",
        NAMED_DOI_IN_TEXT: "DOI:10.1093/bioinformatics/btz700",
    },
    before="",
    after="",
)


def is_paper_identifier(words: str) -> bool:
    """Whether words name a paper: PMID:…, PMC…, a DOI, or an address of PubMed, PMC or doi.org."""
    return IDENTIFIER.fullmatch(words.strip()) is not None


def recorded_fetcher(desk: HasNetwork, run: str, *, reuse: bool = True) -> Fetcher:
    """NCBI by its rules, every call recorded in `run`; `reuse` takes answers of earlier
    runs.
    """
    return desk.recorder(run, reuse=reuse).fetcher(CheckedFetcher(desk.web("ncbi")))


def paper_by_id(desk: HasProjectNetwork, words: str) -> Paper:
    """The paper that an identifier names: of PMC its full text, of PubMed its abstract, of a DOI
    the full text where PMC has it; the calls are recorded. Only NCBI is asked, whatever the
    address. Raises InputError, NotFound, RemoteError.
    """
    identifier = IDENTIFIER.fullmatch(words.strip())
    if identifier is None:
        raise InputError(
            f"{words[:60]!r} does not name a paper.", "Give PMID:12345678, PMC123456 or a DOI."
        )
    run = desk.store.runs.add(
        Run(desk.new_id(), "fetch", "PubMed", app_version=APP_VERSION, created=desk.clock())
    )
    day = date.fromisoformat(run.created[:10])
    source = PubMed(recorded_fetcher(desk, run.id), desk.settings.ncbi_eutils_url, day)
    curie = (
        f"DOI:{identifier['doi']}"
        if identifier["doi"]
        else f"PMCID:PMC{identifier['pmc']}"
        if identifier["pmc"]
        else f"PMID:{identifier['pmid']}"
    )
    paper = next(IdentifiedPapers(source).papers([curie], bool(identifier["doi"])), None)
    if paper is None or paper.empty:
        where = (
            "PMC"
            if identifier["pmc"]
            else "PubMed"
            if identifier["pmid"]
            else "Neither PubMed nor PMC"
        )
        no = "a" if identifier["doi"] else "no"
        hint = "Give its PMID, or its file." if identifier["doi"] else "Check for a typo."
        raise NotFound(f"{where} has {no} paper {words.strip()[:60]}.", hint)
    return paper


def text_to_extract(paper: Paper) -> str:
    """What extraction reads of a paper: no references, and nothing that its publisher adds."""
    return read_as(paper).text


STORED_AT_ONCE = 200  # papers in one transaction


def store_papers(desk: HasStore, papers: Sequence[Paper], file_stem: str = "") -> list[str]:
    """Keep papers with their texts and what their source says of them; the ids they have in this
    project, in order. `file_stem` is the title of one that has none. Raises InputError for a text
    that cannot be kept.
    """
    ids: list[str] = []
    for start in range(0, len(papers), STORED_AT_ONCE):
        entries = []
        for paper in papers[start : start + STORED_AT_ONCE]:
            version = text_version("", clean_text(read_as(paper).text), paper.kind)
            title = clean_title(paper.title) or (file_stem if len(papers) == 1 else "")
            document = Document(paper.id or f"doc:{version.sha[:16]}", title, paper.ids)
            entries.append((document, version, paper_details(paper)))
        ids += desk.store.documents.add_all(entries)
        part = papers[start : start + STORED_AT_ONCE]
        read = zip(entries, map(reading_of_paper, part), strict=True)
        keep_readings(desk, [(version.sha, reading) for (_, version, _), reading in read])
    return ids


def paper_details(paper: Paper) -> DocumentDetails:
    """What the project keeps of a paper's bibliography."""
    return details_of(paper_facts(paper))
