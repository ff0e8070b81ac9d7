"""Namespaces: made, filled with papers, indexed, deleted."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from core.desk_parts import HasFolder, HasProject, HasProjectNetwork, HasStore
from core.documents import files
from core.documents.import_report import ImportReport
from core.documents.paper import TEXT, Paper, PaperSection, assemble_paper, clean_title
from core.documents.readers.table import ChosenColumns
from core.errors import GroundworkError
from core.jobs import isolation
from core.literature.chunk import Chunk
from core.literature.index.build import build_index
from core.literature.index.chunking import ChunkSize, cut_into_chunks
from core.literature.index.reader import ChunkIndex
from core.literature.namespace import checked_name, index_folder, index_key
from core.model import Document, Json, Problem, Severity, json_digest
from core.services.people import roles
from core.settings import CODE
from core.store import Member, Namespace
from core.text.count import counted

READ_AT_ONCE = 500  # papers
MOST_NAMED = 50  # files left out
EXAMPLE_NAMESPACE = "examples"
EXAMPLE_QUESTION = "What causes liver failure?"
EXAMPLE_TEXTS = CODE / "schemas" / "examples"
Progress = Callable[[int, int, str], None]


def no_progress(done: int, total: int, message: str = "") -> None:
    return None


@dataclass(frozen=True, slots=True)
class AddedPapers:
    """What adding gave: papers read, members new or changed, those of them that are new, and what
    could not be read.
    """

    read: int
    changed: int
    problems: tuple[Problem, ...] = ()
    new: int = 0

    @property
    def counts(self) -> str:
        """What became of the papers read, so that the numbers add up."""
        same = self.read - self.changed
        kinds = ((self.new, "new"), (self.changed - self.new, "changed"),
                 (same, "already present"))  # fmt: skip
        listed = ", ".join(f"{count:,} {kind}" for count, kind in kinds if count) or "none new"
        return f"{counted(self.read, 'paper')} read: {listed}"


# ------------------------------------------------------------------ namespaces


def create_namespace(
    desk: HasStore,
    name: str,
    *,
    query: Json = None,
    settings: Json = None,
    curator: str | None = None,
) -> Namespace:
    """Raises Forbidden for a reader."""
    roles.require_role(desk, curator)
    return desk.store.namespaces.add(checked_name(name), query, settings)


def list_namespaces(desk: HasStore) -> list[Namespace]:
    return desk.store.namespaces.all()


def delete_namespace(desk: HasProject, name: str, curator: str | None = None) -> None:
    """Forget a namespace and its index. Documents stay: evidence may rest on them. Raises
    Forbidden for a reader.
    """
    roles.require_role(desk, curator)
    desk.store.namespaces.delete(name)
    folder = index_folder(desk.indexes, name)
    for place in (folder, folder.with_name(f"{folder.name}-vectors")):
        shutil.rmtree(place, ignore_errors=True)
    _forget(desk, name)


def add_papers(
    desk: HasStore,
    name: str,
    papers: Iterable[Paper],
    progress: Progress = no_progress,
    *,
    source: str = "",
    digest: str = "",
) -> AddedPapers:
    """Add papers as they come; what is stored before trouble or Stop is kept. `source` and `digest`
    (of the file) are kept with the counts, for the flow of papers through a review.
    """
    read_count = changed = new = 0
    tally = ImportReport()
    try:
        for batch in _batches(tally.good(papers)):
            new_members = [member_of(paper) for paper in batch]
            changes = desk.store.namespaces.add_members(name, new_members)
            tally.stored(changes.ids)
            for problem in _kept_apart(desk, new_members, changes.ids):
                tally.note(problem)
            for problem in _asked(desk, changes.ids):
                tally.note(problem)
            changed, new = changed + changes.new + changes.changed, new + changes.new
            read_count += len(batch)
            progress(read_count, 0, f"{read_count:,} papers read")
    finally:
        if source and (read_count or tally.wordless):
            kept_as = digest or json_digest([source, desk.new_id()])
            records = read_count + tally.wordless
            desk.store.namespaces.note_import(
                name, source, kept_as, records, new=new, wordless=tally.wordless
            )
    return AddedPapers(read_count, changed, tally.problems, new)


def member_of(paper: Paper) -> Member:
    """A paper as a namespace takes it in."""
    version, body = assemble_paper(paper)
    bare = bool(paper.title) and not any(section.text.strip() for section in paper.sections)
    return Member(Document(paper.id, clean_title(paper.title), paper.ids), version, body, bare)


def _kept_apart(
    desk: HasStore, new_members: Sequence[Member], ids: Sequence[str]
) -> Iterator[Problem]:
    """Word of each paper without a PMID whose DOI is another's, whose title clearly differs."""
    documents = [(member.document, id) for member, id in zip(new_members, ids, strict=True)]
    doi_of = {
        id: name
        for document, id in documents
        for name in document.ids
        if name.startswith("DOI:") and not any(n.startswith("PMID:") for n in document.ids)
    }
    owner_of = desk.store.documents.own_ids(list(doi_of.values()))
    for document, id in documents:
        if id in doi_of and owner_of.get(doi_of[id], id) != id:
            message = f"{doi_of[id]} is also that of a paper with another title; both are kept."
            yield Problem("shared-doi", message, Severity.NOTE, document.title)


def _asked(desk: HasStore, ids: Sequence[str]) -> Iterator[Problem]:
    """Word of each two papers that may be one, for a curator to decide."""
    for pair in desk.store.identity.asked(ids):
        message = f"It may be one paper with {pair.second}: {', '.join(pair.reasons)}."
        hint = "Decide on the page Documents, Same papers, or by: documents same | different"
        yield Problem("may-be-one", message, Severity.NOTE, pair.first, hint=hint)


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
    desk: HasStore,
    name: str,
    paths: Sequence[Path],
    *,
    progress: Progress = no_progress,
    columns: ChosenColumns | None = None,
) -> AddedPapers:
    """Add files, folders or JSON lines. A file that cannot be read is a problem, unless it is the
    only one. `columns`: which column of a table holds which field. They are parsed in a child
    process.
    """
    desk.store.namespaces.get(name)
    paths_found = files.expand_folders(paths)
    reading = FilesInChild(paths_found, columns)
    read_count = changed = new = 0
    problems = [Problem("left-out", "This kind of file cannot be read.", Severity.NOTE, str(path))
                for path in files.files_without_reader(paths)[:MOST_NAMED]]  # fmt: skip
    for place, path in enumerate(paths_found):
        progress(place, len(paths_found), path.name)
        try:
            with path.open("rb") as raw:
                digest = file_digest(raw, "sha256").hexdigest()
            papers = reading.papers(place)
            added = add_papers(desk, name, papers, source=path.name, digest=digest)
        except GroundworkError as error:
            if len(paths_found) == 1:
                raise
            problems.append(
                Problem("unreadable-file", error.message, where=str(path), hint=error.hint)
            )
            continue
        read_count, changed, new = read_count + added.read, changed + added.changed, new + added.new
        problems += added.problems
    progress(len(paths_found), len(paths_found), f"{read_count:,} papers read")
    return AddedPapers(read_count, changed, tuple(problems), new)


# ------------------------------------------------------------------ indexes

_OPEN: dict[tuple[str, str], ChunkIndex] = {}
_LOCK = threading.RLock()


def open_index_of(desk: HasProject, name: str, progress: Progress = no_progress) -> ChunkIndex:
    """The index of a namespace as it now is: opened, or made when members or cutting changed."""
    namespace = desk.store.namespaces.get(name)
    key = index_key(name, namespace.created, namespace.version, namespace.settings)
    place = (str(desk.folder), name)
    with _LOCK:
        open_index = _OPEN.get(place)
        if open_index is None or open_index.key != key:
            _OPEN[place] = open_index = _opened(desk, namespace, key) or _build_index(
                desk, namespace, key, progress
            )
        return open_index


def _opened(desk: HasFolder, namespace: Namespace, key: str) -> ChunkIndex | None:
    try:
        index = ChunkIndex(index_folder(desk.indexes, namespace.name))
    except GroundworkError:
        return None
    return index if index.key == key else None


def _build_index(
    desk: HasProject, namespace: Namespace, key: str, progress: Progress
) -> ChunkIndex:
    total = desk.store.namespaces.count_members(namespace.name)

    def tell(done: int) -> None:
        if done % 500 == 0:
            progress(done, 0, f"indexing: {done:,} passages of {total:,} papers")

    return build_index(
        index_folder(desk.indexes, namespace.name), _chunks(desk, namespace), key, tell
    )


def _chunks(desk: HasStore, namespace: Namespace) -> Iterator[Chunk]:
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


def _forget(desk: HasFolder, name: str) -> None:
    with _LOCK:
        _OPEN.pop((str(desk.folder), name), None)


def read_by_grobid(
    desk: HasProjectNetwork, raw: bytes, file: str = ""
) -> tuple[Paper | None, tuple[Problem, ...]]:
    """The paper of a PDF as GROBID reads it, recorded; None, and why, when it fails."""
    from core.documents.readers import grobid

    try:
        run = desk.new_id()
        reader = desk.recorder(run).fetcher(desk.web("grobid"))
        return grobid.read_pdf(raw, desk.settings.grobid_url, reader, files.document_id(raw)), ()
    except GroundworkError as error:
        message = (
            f"GROBID could not read it ({error.message.rstrip('.')}); its pages were read here."
        )
        return None, (
            Problem(
                "grobid-failed", message, where=file, hint="Add it again when the service is up."
            ),
        )


def add_project_documents(desk: HasStore, name: str, curator: str | None = None) -> AddedPapers:
    """Add the newest text of every document that is in the project already. Raises Forbidden for
    a reader.
    """
    roles.require_role(desk, curator)

    def papers() -> Iterator[Member]:
        for document in desk.store.documents.all():
            versions = desk.store.documents.texts(document.id)
            if versions:
                yield Member(document, versions[-1], {})

    members = list(papers())
    changes = desk.store.namespaces.add_members(name, members)
    if changes.new:
        desk.store.namespaces.note_import(
            name, "the project's documents", json_digest("project"), len(members), new=changes.new
        )
    return AddedPapers(len(members), changes.new + changes.changed, (), changes.new)


def make_example_namespace(desk: HasProject, curator: str | None = None) -> Namespace:
    """Make a small namespace to try Literature on, or bring it up to date: the example texts that
    are shipped with the schemas, each with its title as its first line.
    """
    namespace = create_namespace(desk, EXAMPLE_NAMESPACE, curator=curator)
    papers: dict[str, Paper] = {}
    for path in sorted(EXAMPLE_TEXTS.glob("*.txt")):
        title, _, text = path.read_text(encoding="utf-8").strip().partition("\n")
        name = f"doc:example-{path.stem.replace('_', '-')}"
        papers.setdefault(text, Paper(name, title, (PaperSection("", text),), TEXT))
    add_papers(desk, EXAMPLE_NAMESPACE, papers.values())
    open_index_of(desk, EXAMPLE_NAMESPACE)
    return namespace


def papers_of_namespace(desk: HasStore, name: str) -> int:
    return desk.store.namespaces.count_members(name)


class FilesInChild:
    """A file that ends the child (by its limits, or a crash) costs that file alone: the next one
    begins another child.
    """

    def __init__(self, paths: Sequence[Path], columns: ChosenColumns | None = None):
        self._paths = [path.resolve() for path in paths]  # the child works in another folder
        self._columns = columns
        self._results: Iterator[Paper | GroundworkError | None] | None = None

    def papers(self, place: int) -> Iterator[Paper]:
        """Those of one file, asked for in order and read to the end. Raises GroundworkError."""
        if self._results is None:
            name = self._paths[place].name if len(self._paths) == 1 else "The file"
            rest = (self._paths[place:], self._columns)
            self._results = isolation.stream_from_child(files.read_each, rest, name=name)
        wrong: GroundworkError | None = None
        finished = False
        try:
            while (item := next(self._results, None)) is not None:
                if isinstance(item, GroundworkError):
                    wrong = item
                else:
                    yield item
            finished = True
        finally:
            if not finished:  # the child is gone, or nobody wants the rest of the file
                self._results = None
        if wrong is not None:
            raise wrong
