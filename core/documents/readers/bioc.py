"""BioC (XML and JSON) and PubTator files: their passages as sections; annotations are left to the
dictionary engine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any
from xml.etree.ElementTree import Element

from core.documents.ledger import BIBLIOGRAPHY, SourcePiece
from core.documents.paper import (
    ABSTRACT,
    CAPTION,
    FULL_TEXT,
    REFERENCES,
    TABLE,
    Paper,
    PaperSection,
    with_ledger,
)
from core.documents.readers.cell_grid import SourceCell, grid_of_cells, table_section
from core.documents.readers.jats_text import text_of
from core.documents.readers.json_lines import paper_of
from core.documents.readers.xml import decode_xml, element_text, parse_element
from core.errors import InputError
from core.model import Problem

_LINE = re.compile(r"^([^|\s]+)\|([ta])\|(.*)$")
_SECTIONS = {
    "abstract": "Abstract",
    "intro": "Introduction",
    "methods": "Methods",
    "results": "Results",
    "discuss": "Discussion",
    "concl": "Conclusions",
    "case": "Case",
    "fig": "Figures",
    "table": "Tables",
    "suppl": "Supplementary material",
    "ack_fund": "Acknowledgments",
    "abbr": "Abbreviations",
    "appendix": "Appendix",
    "comp_int": "Competing interests",
    "auth_cont": "Author contributions",
    "review_info": "Review information",
    "ref": "References",
}
_APART = {"Figures": CAPTION, "Tables": TABLE, "References": REFERENCES}
_KEYWORDS = ("keyword", "keywords")
_HEADING = re.compile(r"(?:^|_)title_\d")  # of a section: "title_1", "abstract_title_1"
_BARE = "headings without a text"
Passage = tuple[dict[str, str], str]


def papers(root: Element, around: str = "") -> Iterator[Paper]:
    """The documents of a BioC collection; `around` is what stands before them (its `source` says
    whose ids they have).
    """
    source = re.search(r"<source>\s*([^<]*)", around)
    for document in root.iter("document"):
        passages = [
            ({i.get("key", ""): element_text(i).strip() for i in p.iterfind("infon")}, _text(p))
            for p in document.iterfind("passage")
        ]
        id = element_text(document.find("id")).strip()
        infons = {i.get("key", ""): element_text(i).strip() for i in document.iterfind("infon")}
        yield _paper(id, passages, source[1] if source else "", infons)


def _text(passage: Element) -> str:
    """A passage's text, or its sentences'."""
    text_element = passage.find("text")
    return (
        element_text(text_element)
        if text_element is not None
        else " ".join(element_text(s) for s in passage.iterfind("sentence/text"))
    )


def read_json(raw: bytes, name: str = "") -> Iterator[Paper]:
    """BioC JSON (a collection, a document, a list of them), or {id, title, text} objects."""
    try:
        value = json.loads(decode_xml(raw))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{name or 'This file'} is not JSON that can be read.", "It may be cut off."
        ) from error
    yield from _documents(value, name)


def _documents(value: Any, name: str, source: str = "") -> Iterator[Paper]:
    if isinstance(value, list):
        for place, member in enumerate(value, start=1):
            yield from _documents(member, f"object {place} of {name or 'the file'}", source)
    elif isinstance(value, dict) and isinstance(value.get("documents"), list):
        yield from _documents(value["documents"], name, str(value.get("source") or ""))
    elif isinstance(value, dict) and isinstance(value.get("PubTator3"), list):
        yield from _documents(value["PubTator3"], name)
    elif isinstance(value, dict) and isinstance(value.get("passages"), list):
        passages = [
            ({str(k): str(v) for k, v in (p.get("infons") or {}).items()}, _json_text(p))
            for p in value["passages"]
            if isinstance(p, dict)
        ]
        id = str(value.get("id") or value.get("pmid") or "").strip()
        yield _paper(id, passages, source, _ids_beside(value))
    else:
        yield paper_of(value, name or "the file")


def _ids_beside(document: dict[str, Any]) -> dict[str, str]:
    """The ids that a document carries itself, as infons: PubTator 3's `pmid` and `pmcid`."""
    infons = document.get("infons")
    own = {"article-id_pmid": document.get("pmid"), "article-id_pmc": document.get("pmcid")}
    own |= infons if isinstance(infons, dict) else {}
    return {str(name): str(value) for name, value in own.items() if value}


def _json_text(passage: dict[str, Any]) -> str:
    sentences = passage.get("sentences") or ()
    return str(
        passage.get("text")
        or " ".join(str(s.get("text") or "") for s in sentences if isinstance(s, dict))
    )


def _paper(
    id: str, passages: Sequence[Passage], source: str, document_infons: Mapping[str, str]
) -> Paper:
    """Passages of one section are one section, what stands between two of it (a figure's legend)
    with those alike.
    """
    title, kind, known_infons = "", ABSTRACT, dict(document_infons)
    sections: dict[str, list[str]] = {}
    tables: dict[str, list[Passage]] = {}
    for infons, text in passages:
        part = _part_of(infons)
        known_infons = infons | {name: value for name, value in known_infons.items() if value}
        if part in ("title", "front") and not title:
            title = text
        elif part in _KEYWORDS or not text.strip():
            continue
        elif part == "table":
            kind = FULL_TEXT
            tables.setdefault(infons.get("id") or infons.get("file") or "", []).append(
                (infons, text)
            )
        elif text.strip().casefold() not in (part, _SECTIONS.get(part, "").casefold()):
            kind = (
                FULL_TEXT
                if infons.get("section_type", "").casefold() not in ("", "abstract", "title")
                else kind
            )
            sections.setdefault(_SECTIONS.get(part, part.capitalize()), []).append(text)
    ids, problems = _ids(id, known_infons, source), tuple[Problem, ...]()
    if not ids:
        content = "\n".join([title, *(text for texts in sections.values() for text in texts)])
        ids = ("doc:" + sha256(content.encode("utf-8", "replace")).hexdigest()[:24],)
        message = f"A BioC document has no id: {title[:80]!r}."
        problems = (Problem("no-id", message, where=ids[0], hint=f"It is kept as {ids[0]}."),)
    parts = tuple(
        PaperSection("" if n == "Abstract" else n, "\n\n".join(texts), _APART.get(n, ""))
        for n, texts in sections.items()
    )
    parts += tuple(_table(passages_of_table) for passages_of_table in tables.values())
    journal = re.split(r";|\.\s+(?=(?:19|20)\d\d)", known_infons.get("journal", ""))[0]
    year, authors = known_infons.get("year", "")[:4], _authors(known_infons)
    paper = Paper(
        ids[0],
        title,
        parts,
        kind=kind,
        ids=ids,
        year=year,
        journal=journal,
        authors=authors,
        problems=problems,
    )
    return with_ledger(paper, _pieces(passages, document_infons))


def _part_of(infons: Mapping[str, str]) -> str:
    """The part of the paper that a passage says it is of, folded."""
    names = (infons.get(name) for name in ("section_type", "section", "type"))
    return next(filter(None, names), "").casefold()


def _table(passages: Sequence[Passage]) -> PaperSection:
    """A table under its caption: its cells come as XML, or parted by tabs; those whose headings
    are not known stand apart.
    """
    captions, lines, notes = list[str](), list[str](), list[str]()
    for infons, text in passages:
        if infons.get("type", "").casefold() == "table":
            lines += _grid(infons.get("xml", ""), text)
        else:
            (notes if lines else captions).append(text)
    return table_section("", captions, [*lines, *notes])


def _grid(xml: str, text: str) -> list[str]:
    if xml:
        try:
            around = Element("table-wrap")
            around.append(parse_element(xml))
            return text_of(around).split("\n\n")
        except InputError:
            pass
    rows = [line.split("\t") for line in text.split("\n") if line.strip()]
    if len(rows) > 1 and all(len(row) > 1 for row in rows):
        cells = [[SourceCell(cell.strip()) for cell in row] for row in rows]
        return grid_of_cells(cells[1:], cells[:1]).lines()
    return [text]


def _pieces(passages: Sequence[Passage], infons: Mapping[str, str]) -> Iterator[SourcePiece]:
    """The words of each passage; what infons say of it is beside the text."""
    for value in infons.values():
        yield SourcePiece(value, BIBLIOGRAPHY, apart=True)
    for passage_infons, text in passages:
        is_keywords = _part_of(passage_infons) in _KEYWORDS
        is_table = "table" in (_part_of(passage_infons), passage_infons.get("type"))
        is_heading = _HEADING.search(passage_infons.get("type", "")) is not None
        reason = "keywords and headings" if is_keywords else _BARE if is_heading else ""
        for words in re.split(r"[\t\n]", text) if is_table else [text]:
            yield SourcePiece(words, reason)
        for name, value in passage_infons.items():
            if name != "xml":  # the same table once more
                yield SourcePiece(value, BIBLIOGRAPHY, apart=True)


def _ids(id: str, known_infons: dict[str, str], source: str) -> tuple[str, ...]:
    """The paper's own id first. Bare numbers are PMIDs, unless the collection says that it is
    PMC's.
    """
    pmid, pmc = (
        known_infons.get("article-id_pmid", ""),
        known_infons.get("article-id_pmc", "").removeprefix("PMC"),
    )
    number = re.fullmatch(r"(PMC)?(\d{1,9})", id)
    own = f"PMID:{id}" if number else id
    from_pmc = source.strip().upper() in ("PMC", "PUBMED CENTRAL") and id != pmid
    if number and (number[1] or from_pmc):
        own = f"PMCID:PMC{number[2]}"
    doi = known_infons.get("article-id_doi", "")
    more = [
        f"PMID:{pmid}" if pmid.isdigit() else "",
        f"PMCID:PMC{pmc}" if pmc.isdigit() else "",
        f"DOI:{doi.lower()}" if doi.startswith("10.") else "",
    ]
    return tuple(dict.fromkeys(filter(None, (own, *more))))


def _authors(known_infons: dict[str, str]) -> tuple[str, ...]:
    """`name_0`: `surname:Roe;given-names:Ann B`."""
    authors = []
    for name, value in sorted(known_infons.items(), key=lambda pair: (len(pair[0]), pair[0])):
        if re.fullmatch(r"name_\d+", name):
            parts = dict(part.partition(":")[::2] for part in value.split(";"))
            initials = "".join(word[0] for word in parts.get("given-names", "").split())
            authors.append(f"{parts.get('surname', '')} {initials}".strip())
    return tuple(filter(None, authors))


def looks_like_pubtator(head: bytes) -> bool:
    return re.match(rb"[^|\s]+\|[ta]\|", head) is not None


def read_pubtator(raw: bytes, name: str = "") -> Iterator[Paper]:
    """PubTator's `id|t|title` and `id|a|abstract` lines; annotation lines are left out."""
    texts_by_id: dict[str, dict[str, str]] = {}
    for line in decode_xml(raw).split("\n"):
        parts = _LINE.match(line.rstrip("\r"))
        if parts:
            texts_of_paper = texts_by_id.setdefault(parts[1], {})
            texts_of_paper[parts[2]] = (
                f"{texts_of_paper[parts[2]]}\n\n{parts[3]}"
                if parts[2] in texts_of_paper
                else parts[3]
            )
    if not texts_by_id:
        raise InputError(
            f"{name or 'This file'} contains no PubTator document.",
            "Lines are `id|t|title`, `id|a|abstract`.",
        )
    for id, texts in texts_by_id.items():
        curie = _ids(id, known_infons={}, source="")[0]
        sections = (PaperSection("", texts.get("a", "")),)
        paper = Paper(curie, texts.get("t", ""), sections, kind=ABSTRACT, ids=(curie,))
        yield with_ledger(paper, map(SourcePiece, texts.values()))
