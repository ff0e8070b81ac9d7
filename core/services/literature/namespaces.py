"""Literature: namespaces, searches, triage, answers, and the way from a passage into curation."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.desk import Desk
from core.documents import files
from core.documents.import_report import ImportReport
from core.documents.paper import Paper, assemble_paper, clean_title
from core.errors import GroundworkError, InputError
from core.literature.chunk import Chunk
from core.literature.index.build import build
from core.literature.index.chunking import ChunkSize, cut_into_chunks
from core.literature.index.reader import Index
from core.literature.namespace import checked_name, index_folder, index_key
from core.literature.query.keyword import LiteratureQuery
from core.literature.query.plan import SearchOptions
from core.literature.ranking.cluster import Spread, connect, on_cluster, on_threads
from core.literature.ranking.registry import DEFAULT
from core.literature.ranking.search import Searcher, SearchResults
from core.literature.ranking.vectors import Vectors
from core.llm.completer import Embedder
from core.model import Document, Json, Problem, Run, Severity
from core.store import Member, Namespace

READ_AT_ONCE = 500  # papers
MOST_NAMED = 50  # files left out
SEARCH_THREADS = 2
Progress = Callable[[int, int, str], None]


def no_progress(done: int, total: int, message: str = "") -> None:
    return None


@dataclass(frozen=True, slots=True)
class AddedPapers:
    """What adding gave: papers read, members new or changed, and what could not be read."""

    read: int
    changed: int
    problems: tuple[Problem, ...] = ()


# ------------------------------------------------------------------ namespaces


def create(desk: Desk, name: str, query: Json = None, settings: Json = None) -> Namespace:
    return desk.store.namespaces.add(checked_name(name), query, settings)


def namespaces(desk: Desk) -> list[Namespace]:
    return desk.store.namespaces.all()


def delete(desk: Desk, name: str) -> None:
    """Forget a namespace and its index. Documents stay: evidence may rest on them."""
    desk.store.namespaces.delete(name)
    shutil.rmtree(index_folder(desk.indexes, name), ignore_errors=True)
    _forget(desk, name)


def add_papers(
    desk: Desk, name: str, papers: Iterable[Paper], progress: Progress = no_progress
) -> AddedPapers:
    """Add papers as they come; what is stored before trouble or Stop is kept."""
    read = changed = 0
    tally = ImportReport()
    for batch in _batches(tally.good(papers)):
        changed += desk.store.namespaces.add_members(name, [_member(paper) for paper in batch])
        read += len(batch)
        progress(read, 0, f"{read:,} papers read")
    return AddedPapers(read, changed, tally.problems)


def _member(paper: Paper) -> Member:
    version, body = assemble_paper(paper)
    return Member(Document(paper.id, clean_title(paper.title), paper.ids), version, body)


def _batches(papers: Iterable[Paper]) -> Iterator[list[Paper]]:
    """Some at once; those that came before trouble are handed on before it is raised."""
    batch: list[Paper] = []
    source, trouble = iter(papers), None
    while trouble is None:
        try:
            batch.append(next(source))
        except StopIteration:
            break
        except GroundworkError as error:
            trouble = error
        if len(batch) >= READ_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch
    if trouble is not None:
        raise trouble


def add_files(
    desk: Desk, name: str, paths: Sequence[Path], progress: Progress = no_progress
) -> AddedPapers:
    """Add files, folders or JSON lines. A file that cannot be read is a problem, unless it is the
    only one.
    """
    desk.store.namespaces.get(name)
    found = files.expand_folders(paths)
    read = changed = 0
    problems = [Problem("left-out", "No reader is for this kind of file.", Severity.NOTE, str(path))
                for path in files.left_out(paths)[:MOST_NAMED]]  # fmt: skip
    for place, path in enumerate(found):
        progress(place, len(found), path.name)
        try:
            added = add_papers(desk, name, files.read(path))
        except GroundworkError as error:
            if len(found) == 1:
                raise
            problems.append(
                Problem("unreadable-file", error.message, where=str(path), hint=error.hint)
            )
            continue
        read, changed, problems = (
            read + added.read,
            changed + added.changed,
            problems + list(added.problems),
        )
    progress(len(found), len(found), f"{read:,} papers read")
    return AddedPapers(read, changed, tuple(problems))


# ------------------------------------------------------------------ indexes

_OPEN: dict[tuple[str, str], Index] = {}
_LOCK = threading.RLock()


def index_of(desk: Desk, name: str, progress: Progress = no_progress) -> Index:
    """The index of a namespace as it now is: opened, or made when members or cutting changed."""
    namespace = desk.store.namespaces.get(name)
    key = index_key(name, namespace.created, namespace.version, namespace.settings)
    place = (str(desk.folder), name)
    with _LOCK:
        known = _OPEN.get(place)
        if known is None or known.key != key:
            _OPEN[place] = known = _opened(desk, namespace, key) or _made(
                desk, namespace, key, progress
            )
        return known


def _opened(desk: Desk, namespace: Namespace, key: str) -> Index | None:
    try:
        index = Index(index_folder(desk.indexes, namespace.name))
    except GroundworkError:
        return None
    return index if index.key == key else None


def _made(desk: Desk, namespace: Namespace, key: str, progress: Progress) -> Index:
    total = desk.store.namespaces.count_members(namespace.name)

    def tell(done: int) -> None:
        if done % 500 == 0:
            progress(done, 0, f"indexing: {done:,} chunks of {total:,} papers")

    return build(index_folder(desk.indexes, namespace.name), _chunks(desk, namespace), key, tell)


def _chunks(desk: Desk, namespace: Namespace) -> Iterator[Chunk]:
    cutting = ChunkSize.of(namespace.settings)
    for member in desk.store.namespaces.members(namespace.name):
        yield from cut_into_chunks(member.text, member.body, _title(member), cutting)


def _title(member: Member) -> str:
    """The title that this text has; the document's own where the text does not say."""
    places = member.body.get("sections")
    if places is None:
        return member.document.title
    return next(
        (member.text.text[start:end] for name, start, end in places[:1] if name == "Title"), ""
    )


def _forget(desk: Desk, name: str) -> None:
    with _LOCK:
        _OPEN.pop((str(desk.folder), name), None)


# ------------------------------------------------------------------ searching


def searcher(desk: Desk, names: Sequence[str], progress: Progress = no_progress) -> Searcher:
    """A search over one or several namespaces."""
    if not names:
        raise InputError("Choose at least one namespace.")
    parts = [index_of(desk, name, progress) for name in dict.fromkeys(names)]
    embedder = desk.embedder()
    return Searcher(
        parts,
        vectors=Vectors(_Recorded(desk, embedder)) if embedder else None,
        spread=_spread(desk),
    )


class _Recorded:
    """The desk's embedder with every call on record, in a run that is made when the first one is
    asked.
    """

    def __init__(self, desk: Desk, embedder: Embedder):
        self._desk, self._embedder = desk, embedder
        self._recorded: Embedder | None = None

    @property
    def model(self) -> str:
        return self._embedder.model

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self._recorded is None:
            desk = self._desk
            run = Run(desk.new_id(), "embedding", "pes1", model=self.model, created=desk.clock())
            desk.store.runs.add(run)
            self._recorded = desk.recorder(run.id).embedder(self._embedder)
        return self._recorded.embed(texts)


def _spread(desk: Desk) -> Spread:
    """Several namespaces side by side: in threads here, or on the operator's scheduler."""
    if desk.settings.scheduler:
        return on_cluster(connect(desk.settings.scheduler))
    return on_threads(SEARCH_THREADS)


def search(
    desk: Desk,
    names: Sequence[str],
    question: LiteratureQuery,
    mode: str = DEFAULT,
    k: int = 10,
    options: SearchOptions | None = None,
) -> SearchResults:
    return searcher(desk, names).search(question, mode, k, options)


def similar(
    desk: Desk,
    names: Sequence[str],
    question: LiteratureQuery,
    modes: Sequence[str],
    k: int = 10,
) -> dict[str, SearchResults]:
    """The same question in several modes, side by side; a mode that cannot run is left out."""
    found: dict[str, SearchResults] = {}
    ready = searcher(desk, names)
    for mode in modes:
        try:
            found[mode] = ready.search(question, mode, k)
        except GroundworkError:
            continue
    return found


def add_upload(
    desk: Desk, name: str, file: str, raw: bytes, progress: Progress = no_progress
) -> AddedPapers:
    """Add an uploaded file; a PDF goes to GROBID when the operator has one, and is read here when
    that fails.
    """
    if raw[:1024].find(b"%PDF-") < 0 or not desk.settings.grobid_url:
        return add_papers(desk, name, files.read_bytes(raw, file), progress)
    paper, told = read_by_grobid(desk, raw, file)
    papers = [paper] if paper else files.read_bytes(raw, file)
    return add_papers(
        desk, name, (replace(one, problems=(*one.problems, *told)) for one in papers), progress
    )


def read_by_grobid(
    desk: Desk, raw: bytes, file: str = ""
) -> tuple[Paper | None, tuple[Problem, ...]]:
    """The paper of a PDF as GROBID reads it, recorded; None, and why, when it fails."""
    from core.documents.readers import grobid

    try:
        run = desk.new_id()
        reader = desk.recorder(run).fetcher(desk.web("grobid"))
        return grobid.read_pdf(raw, desk.settings.grobid_url, reader, files.document_id(raw)), ()
    except GroundworkError as error:
        said = f"GROBID could not read it ({error.message.rstrip('.')}); its pages were read here."
        return None, (
            Problem("grobid-failed", said, where=file, hint="Add it again when the service is up."),
        )


def add_project_documents(desk: Desk, name: str) -> AddedPapers:
    """Add the newest text of every document that is in the project already."""

    def papers() -> Iterator[Member]:
        for document in desk.store.documents.all():
            versions = desk.store.documents.texts(document.id)
            if versions:
                yield Member(document, versions[-1], {})

    found = list(papers())
    return AddedPapers(len(found), desk.store.namespaces.add_members(name, found))


def members(desk: Desk, name: str) -> int:
    return desk.store.namespaces.count_members(name)
