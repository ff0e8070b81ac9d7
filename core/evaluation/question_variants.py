"""The same questions in other words: mistyped, as short topics, or with the approved names of what
they name.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.evaluation.retrieval_set import RetrievalSet
from core.literature.index.stem import stem_word
from core.literature.index.tokens import ASKING_WORDS, STOP_WORDS, text_units
from core.literature.query.keyword import Keyword, LiteratureQuery
from core.literature.ranking.search import Searcher
from core.model import Json


def mistyped(
    question: LiteratureQuery, searcher: Searcher, chance: random.Random
) -> LiteratureQuery:
    """The rarest word of four letters or more with one letter left out, doubled, swapped or
    replaced.
    """
    statistics = searcher.plan(question).statistics
    words = [w for w in question.text.split() if sum(c.isalpha() for c in w) >= 4 and text_units(w)]
    if not words:
        return question
    rarest = min(
        words, key=lambda w: min(statistics.spread.get(u, 0) or 10**9 for u in text_units(w))
    )
    return LiteratureQuery(
        " ".join(misspelt(w, chance) if w == rarest else w for w in question.text.split(" "))
    )


def misspelt(word: str, chance: random.Random) -> str:
    places = [
        at
        for at, letter in enumerate(word)
        if letter.isalpha() and at and word[at + 1 : at + 2].isalpha()
    ]
    if not places:
        return word
    at = chance.choice(places)
    kind = chance.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + word[at] + word[at:]
    if kind == 2:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + chance.choice("abcdefghijklmnopqrstuvwxyz") + word[at + 1 :]


TOPIC_WORDS = 5


def short_topics(test_set: RetrievalSet) -> RetrievalSet:
    """The set with its questions cut to a few of their words in lower case, without the names: as
    a topic of general medicine is typed. Questions that leave fewer than two are left out.
    """
    topics = [(row, topic_words(str(row["text"]))) for row in test_set.queries]
    queries = [
        {"id": row["id"], "text": " ".join(words)} for row, words in topics if len(words) > 1
    ]
    return replace(test_set, queries=tuple(queries))


def topic_words(question: str) -> list[str]:
    words = [word.strip(".,;:?!()") for word in question.split()]
    plain = [word for word in words if word.isalpha() and word.islower() and len(word) > 3]
    kept = [w for w in plain if w not in STOP_WORDS and stem_word(w) not in ASKING_WORDS]
    return list(dict.fromkeys(kept))[:TOPIC_WORDS]


def approved_names(grounding: Path) -> dict[str, list[str]]:
    """MeSH id → names that curators marked in BC5CDR, as approved mentions would give them."""
    names: dict[str, dict[str, None]] = defaultdict(dict)
    for part in ("train", "dev"):
        with gzip.open(grounding / "bc5cdr" / f"{part}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                for mention in json.loads(line).get("mentions", ()):
                    id, text = _mention(mention)
                    if id and text:
                        names[id][text.casefold()] = None
    return {id: list(surface_forms) for id, surface_forms in names.items()}


def _mention(mention: Json) -> tuple[str, str]:
    if isinstance(mention, dict):
        ids = mention.get("ids") or mention.get("id") or mention.get("mesh") or ""
        return str(ids[0] if isinstance(ids, list) and ids else ids).removeprefix("MESH:"), str(
            mention.get("text", "")
        )
    return "", ""


def with_names(
    test_set: RetrievalSet, names: Mapping[str, Sequence[str]]
) -> list[tuple[Json, LiteratureQuery]]:
    """Questions whose keywords carry all approved names of their concepts."""
    named_questions = []
    for row in test_set.queries:
        pairs = zip(row["keywords"], row["mesh"], strict=False)
        chips = tuple(
            Keyword(w, synonyms=tuple(n for n in names.get(id, ()) if n != w.casefold()))
            for w, id in pairs
        )
        named_questions.append((row, LiteratureQuery(str(row["text"]), chips)))
    return named_questions
