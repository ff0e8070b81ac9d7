"""Annotated chemical–disease texts: BioC XML or JSON, PubTator, or JSON Lines, gzipped or not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from core.errors import InputError
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.model import Json, Span
from core.text.unpack import read_up_to

LARGEST = 500_000_000  # bytes


@dataclass(frozen=True, slots=True)
class CorpusMention:
    """A mention that people annotated: `ids` are CURIEs (none: not in MeSH), `type` Chemical or
    Disease.
    """

    span: Span
    text: str
    type: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedDocument:
    """A document with its mentions, and its relations as (chemical, disease) CURIEs. Offsets are
    into `text`. `has_mentions`: people marked its mentions; without, nothing is measured by them.
    """

    id: str
    text: str
    mentions: tuple[CorpusMention, ...]
    relations: frozenset[tuple[str, str]]
    has_mentions: bool = True


def current_ids(registry: VocabularyRegistry) -> Callable[[str], str]:
    """Today's id of one that annotators gave years ago, where the vocabularies know that it was
    replaced; else the id as it is.
    """

    def current(id: str) -> str:
        for lexicon in registry.lexicons((id.partition(":")[0],)):
            term = lexicon.successor(id)
            if term is not None:
                return term.id
        return id

    return current


def with_current_ids(
    document: AnnotatedDocument, current: Callable[[str], str]
) -> AnnotatedDocument:
    """The same document in today's ids."""
    return replace(
        document,
        mentions=tuple(
            replace(mention, ids=tuple(map(current, mention.ids))) for mention in document.mentions
        ),
        relations=frozenset((current(one), current(other)) for one, other in document.relations),
    )


def read_corpus(path: Path) -> list[AnnotatedDocument]:
    """The documents of a file. Raises InputError that names the file when it is in none of the four
    formats.
    """
    text = _text(path)
    head = text.lstrip()[:1]
    try:
        if head == "<":
            documents = list(_bioc_xml(text))
        elif head == "{" and '"passages"' in text[:20_000]:
            documents = [_bioc(body) for body in json.loads(text).get("documents", [])]
        elif head == "{":
            documents = [_json_line(json.loads(line)) for line in text.splitlines() if line.strip()]
        else:
            documents = list(_pubtator(text))
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        IndexError,
        ElementTree.ParseError,
    ) as error:
        raise InputError(f"{path} cannot be read as annotated text: {error}.") from error
    if not documents:
        raise InputError(
            f"{path} contains no document.", "Give BioC XML or JSON, PubTator, or JSON Lines."
        )
    return documents


def _text(path: Path) -> str:
    if not path.is_file():
        raise InputError(f"{path} is not a file.")
    try:
        with path.open("rb") as stream:
            return read_up_to(stream, LARGEST, path.name).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from error


def mesh_curies(ids: Iterable[str]) -> tuple[str, ...]:
    """`D008750`, `MESH:D008750` and `D008750|D009369` as CURIEs; -1 (not in MeSH) is left out."""
    words = [word for id in ids for word in re.split(r"[|;,+]", id or "")]
    bare = [word.strip().removeprefix("MESH:") for word in words]
    return tuple(
        dict.fromkeys(f"MESH:{word}" for word in bare if re.fullmatch(r"[CD]\d{6,9}", word))
    )


def _json_line(row: Json) -> AnnotatedDocument:
    text = row["text"] if "text" in row else f"{row['title']} {row['abstract']}"
    mentions = tuple(
        CorpusMention(
            Span(m["start"], m["end"]), m["text"], m["type"], mesh_curies(m.get("ids", ()))
        )
        for m in row.get("mentions", ())
    )
    pairs = [
        (r["chemical"], r["disease"])
        for r in row.get("relations", ())
        if r.get("type", "CID") == "CID"
    ]
    name = str(row.get("pmid") or row.get("id"))
    return AnnotatedDocument(
        name, text, mentions, relations=_pairs(pairs), has_mentions="mentions" in row
    )


def _pairs(pairs: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    return frozenset(
        (c, d) for chemical, disease in pairs for c in _curies(chemical) for d in _curies(disease)
    )


def _curies(id: str) -> tuple[str, ...]:
    """MeSH ids as CURIEs; a CURIE of another vocabulary (decisions of a project) as it is."""
    return mesh_curies([id]) or ((id,) if re.fullmatch(r"(?!MESH:|OMIM:)[A-Za-z]+:\w+", id) else ())


def _pubtator(text: str) -> Iterator[AnnotatedDocument]:
    for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n").strip()):
        title = abstract = name = ""
        mentions, pairs = [], []
        for line in block.splitlines():
            if part := re.match(r"(\w+)\|([ta])\|(.*)", line):
                name = part[1]
                title, abstract = (part[3], abstract) if part[2] == "t" else (title, part[3])
                continue
            cells = line.split("\t")
            if len(cells) >= 4 and cells[1] == "CID":
                pairs.append((cells[2], cells[3]))
            elif len(cells) >= 5:
                span = Span(int(cells[1]), int(cells[2]))
                mentions.append(CorpusMention(span, cells[3], cells[4], mesh_curies(cells[5:6])))
        if name:
            yield AnnotatedDocument(name, f"{title} {abstract}", tuple(mentions), _pairs(pairs))


def _bioc_xml(text: str) -> Iterator[AnnotatedDocument]:
    for document in ElementTree.fromstring(text).iter("document"):
        yield _bioc(
            {
                "id": document.findtext("id", ""),
                "passages": [_passage(passage) for passage in document.iter("passage")],
                "relations": [
                    {"infons": _infons(relation)} for relation in document.iter("relation")
                ],
            }
        )


def _passage(passage: ElementTree.Element) -> dict[str, Any]:
    annotations = [
        {
            "infons": _infons(annotation),
            "text": annotation.findtext("text", ""),
            "locations": [dict(location.attrib) for location in annotation.iter("location")],
        }
        for annotation in passage.iter("annotation")
    ]
    return {
        "offset": passage.findtext("offset", "0"),
        "text": passage.findtext("text", ""),
        "annotations": annotations,
    }


def _infons(element: ElementTree.Element) -> dict[str, str]:
    return {infon.get("key", ""): infon.text or "" for infon in element.findall("infon")}


def _bioc(document: dict[str, Any]) -> AnnotatedDocument:
    text, mentions, pairs = "", [], []
    for passage in document["passages"]:
        offset = int(passage["offset"])
        text = text[:offset].ljust(offset) + passage.get("text", "")
        mentions += [
            gold for annotation in passage.get("annotations", ()) if (gold := _gold(annotation))
        ]
        pairs += [_pair(relation["infons"]) for relation in passage.get("relations", ())]
    pairs += [_pair(relation["infons"]) for relation in document.get("relations", ())]
    return AnnotatedDocument(
        str(document["id"]), text, tuple(mentions), _pairs(pair for pair in pairs if pair)
    )


def _gold(annotation: dict[str, Any]) -> CorpusMention | None:
    infons, places = annotation["infons"], annotation.get("locations", ())
    if not places:
        return None
    start = min(int(place["offset"]) for place in places)
    end = max(int(place["offset"]) + int(place["length"]) for place in places)
    ids = infons.get("MESH") or infons.get("identifier") or infons.get("Identifier") or ""
    return CorpusMention(
        Span(start, end), annotation.get("text", ""), infons.get("type", ""), mesh_curies([ids])
    )


def _pair(infons: dict[str, str]) -> tuple[str, str]:
    kind = infons.get("relation") or infons.get("type") or "CID"
    chemical = infons.get("Chemical") or infons.get("chemical") or ""
    return (
        (chemical, infons.get("Disease") or infons.get("disease") or "")
        if kind == "CID"
        else ("", "")
    )
