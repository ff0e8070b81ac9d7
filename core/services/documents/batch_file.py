"""The documents of a batch in the files that a person gives: a paper is one, and each record of a
list (RIS, BibTeX, CSV, PubMed, an archive …) is one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.documents.paper import Paper, clean_title
from core.documents.read_document import only_paper, papers_of
from core.errors import InputError
from core.jobs import isolation
from core.services.documents.upload import (
    file_id,
    is_plain_text_file,
    paper_details,
    text_to_extract,
)
from core.services.extract.batch import BatchText, PaperText
from core.text.clean import clean_text
from core.text.count import counted


@dataclass(frozen=True, slots=True)
class BatchFile:
    """What a file gives a batch; `note` says what a list holds and what of it is left out, "" for a
    file of one paper.
    """

    texts: tuple[BatchText, ...]
    note: str = ""

    @property
    def readable(self) -> int:
        """How many of its documents have a text."""
        return sum(not (isinstance(t, PaperText) and t.refused) for t in self.texts)


def read_file(name: str, data: bytes, id: str = "", titled: bool = True) -> BatchFile:
    """The documents of a file. A paper has the PMID, PMCID or DOI that stands in it, else `id`, or
    one made of the file's name and content. A file that cannot be read is passed on as it is, so
    that the batch names it as refused; so does a record without words. `titled`: records are
    called by their titles, else by their ids.
    """
    own = id or file_id(name, data)
    try:
        if is_plain_text_file(name, data):
            return BatchFile((PaperText(own, clean_text(data), "" if id else name, id or name),))
        papers: list[Paper] = isolation.run_in_child(papers_of, data, name, name=name or "The file")
        if len(papers) > 1:
            return _list_of_papers(name, papers, titled)
        paper = only_paper(papers, name)
        known = _paper_text(paper, id or name)
        if paper.id.partition(":")[0] not in ("PMID", "PMCID", "DOI"):
            known = replace(known, id=own, title=known.title or ("" if id else name))
        return BatchFile((known,))
    except InputError as error:
        return BatchFile((PaperText(own, name=id or name, refused=str(error)),))


def _list_of_papers(name: str, papers: list[Paper], titled: bool) -> BatchFile:
    texts, seen = list[BatchText](), set[str]()
    twice = bare = without = 0
    for paper in papers:
        if paper.empty:
            if paper.problems:
                problem = paper.problems[0]
                why = f"{problem.message} {problem.hint}".strip()
                texts.append(PaperText("", name=problem.where or name, refused=why))
                without += 1
            continue
        ids = (paper.id, *paper.ids)
        if not seen.isdisjoint(ids):
            twice += 1
            continue
        seen.update(filter(None, ids))
        bare += not any(section.text.strip() for section in paper.sections)
        texts.append(_of_list(paper, titled))
    read = len(texts) - without
    parts = [f"{name} holds {counted(read, 'paper')}"]
    parts += [f"{bare:,} of them only a title, without an abstract"] if bare else []
    parts += [f"{twice:,} came more than once and {_is(twice)} read once"] if twice else []
    parts += [f"{counted(without, 'record')} cannot be read"] if without else []
    return BatchFile(tuple(texts), "; ".join(parts) + ".")


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _paper_text(paper: Paper, name: str = "") -> PaperText:
    """Raises InputError for a text that cannot be read."""
    title = clean_title(paper.title)
    text = clean_text(text_to_extract(paper))
    return PaperText(
        paper.id,
        text,
        title,
        name=name or title or paper.id,
        ids=paper.ids,
        kind=paper.kind,
        details=paper_details(paper),
    )


def _of_list(paper: Paper, titled: bool) -> PaperText:
    name = (clean_title(paper.title) if titled else "") or paper.id
    try:
        return _paper_text(paper, name)
    except InputError as error:
        return PaperText(paper.id, name=name, ids=paper.ids, refused=str(error))
