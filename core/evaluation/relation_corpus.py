"""Public relation corpora in one form (JSON Lines, one text a line) as claims, each with the
sentence that states it: what judges are learned from and measured on.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.evaluation.annotated_relations import kind_of_type
from core.model import Category, Json, Span
from core.support.claim import Claim, ClaimEnd, Passage, ThingInPassage
from core.text.sentence import split_sentences

# How a family is asked for: the words of the predicate, of which `family_of` makes it again.
PREDICATES = {
    "cause": "causes",
    "treat": "treats",
    "prevent": "prevents",
    "inhibit": "inhibits",
    "activate": "activates",
    "regulate": "regulates",
    "phosphorylate": "phosphorylates",
    "bind": "binds",
    "interacts": "interacts with",
    "associated gene-disease": "associated with",
    "has phenotype": "has phenotype",
    "lives in / found in": "located in",
}
SYMMETRIC = "symmetric"


@dataclass(frozen=True, slots=True)
class CorpusPair:
    """Two things that one sentence names, with what the corpus says of them: `family` and whether
    it is `symmetric` where they are related, "" where they are not.
    """

    corpus: str
    document: str
    text: str
    sentence: Span
    subject: ClaimEnd
    object: ClaimEnd
    family: str
    symmetric: bool
    negated: bool
    things: tuple[ThingInPassage, ...]

    @property
    def claim(self) -> Claim:
        return Claim(self.subject, PREDICATES[self.family], self.object)

    @property
    def passage(self) -> Passage:
        return Passage(self.text, self.sentence, things=self.things)


@cache
def families(folder: Path) -> Mapping[tuple[str, str, str, str], tuple[str, str]]:
    """Corpus, relation and types of both ends → family and direction."""
    with (folder / "families.tsv").open(encoding="utf-8", newline="") as lines:
        return {
            (r["corpus"], r["relation"], r["subject_type"], r["object_type"]): (
                r["family"],
                r["direction"],
            )
            for r in csv.DictReader(lines, delimiter="\t")
        }


def corpus_documents(folder: Path, corpus: str) -> Iterator[Json]:
    with gzip.open(folder / f"{corpus}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def category_of(type_: str) -> Category:
    return kind_of_type(type_) or Category.THING


def related_pairs(folder: Path, corpus: str, document: Json) -> Iterator[CorpusPair]:
    """The relations of a document of which one sentence names both ends, in a family of ours."""
    text, mentions = document["text"], document["mentions"]
    sentences = split_sentences(text)
    things = named_things(mentions)
    for relation in document["relations"]:
        ends = nearest_ends(mentions, relation, sentences)
        if ends is None or relation.get("inferred"):
            continue
        sentence, first, second = ends
        types = mentions[first]["type"], mentions[second]["type"]
        family, direction = families(folder).get((corpus, relation["type"], *types), ("none", ""))
        if family not in PREDICATES or not direction:
            continue
        if direction == "reverse":
            first, second = second, first
        yield CorpusPair(
            corpus,
            document["id"],
            text,
            sentence=sentence,
            subject=end_of(mentions[first]),
            object=end_of(mentions[second]),
            family=family,
            symmetric=direction == SYMMETRIC,
            negated=bool(relation.get("negated")),
            things=things,
        )


def named_things(mentions: Sequence[Json]) -> tuple[ThingInPassage, ...]:
    by_key: dict[str, list[Json]] = {}
    for mention in mentions:
        by_key.setdefault(key_of(mention), []).append(mention)
    return tuple(
        ThingInPassage(
            key,
            tuple(sorted({Span(m["start"], m["end"]) for m in group}, key=lambda s: s.start)),
            category_of(group[0]["type"]),
        )
        for key, group in by_key.items()
    )


def key_of(mention: Json) -> str:
    return str(mention["ids"][0] if mention.get("ids") else mention["text"].casefold())


def end_of(mention: Json) -> ClaimEnd:
    return ClaimEnd(
        (mention["text"],),
        category_of(mention["type"]),
        (Span(mention["start"], mention["end"]),),
        key_of(mention),
    )


def nearest_ends(
    mentions: Sequence[Json], relation: Json, sentences: Sequence[Span]
) -> tuple[Span, int, int] | None:
    """The sentence and the nearest mentions of both ends in it; None where none names both."""
    best: tuple[int, Span, int, int] | None = None
    for first in _mentions_of(mentions, relation["subject"]):
        for second in _mentions_of(mentions, relation["object"]):
            a, b = mentions[first], mentions[second]
            apart = max(b["start"] - a["end"], a["start"] - b["end"], 0)
            if best and best[0] <= apart:
                continue
            for sentence in sentences:
                if all(sentence.start <= m["start"] and m["end"] <= sentence.end for m in (a, b)):
                    best = (apart, sentence, first, second)
                    break
    return best[1:] if best else None


def _mentions_of(mentions: Sequence[Json], end: int | str) -> list[int]:
    if isinstance(end, int):
        return [end]
    return [number for number, mention in enumerate(mentions) if end in mention.get("ids", ())]
