"""Which names of the published tables stand in texts at hand: abstracts and sentences of public
corpora, 47,000 in all, read from the JSON lines of a data folder.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from base_set_rules import TOKEN, WordsOfPapers, name_key
from base_set_tables import current_id

_LONGEST = 60  # letters of a name that is looked for
_WORDS = 6
_TABLES = (
    "chebi", "chebi_more_names", "mesh_scr", "cellosaurus", "ncbitaxon_slim",
    "ncbitaxon_more_names", "mgi", "rgd", "unii_drugs",
)  # fmt: skip
_AS_WRITTEN = ("cellosaurus", "mgi", "rgd")
_MAPPINGS = ("cellosaurus_depmap", "hgnc_orthologs", "hgnc_genes", "unii_by_name", "mesh_ncbitaxon")
_CORPORA = ("facts", "grounding/bc5cdr", "grounding/gold", "literature", "relations", "spires")


def texts(data: Path) -> Iterator[str]:
    """Every text of the corpora, once."""
    seen: set[bytes] = set()
    for corpus in _CORPORA:
        for path in sorted((data / corpus).rglob("*.jsonl*")):
            opener = gzip.open if path.suffix == ".gz" else open
            with opener(path, "rt", encoding="utf-8") as lines:
                for line in lines:
                    for text in _texts_in(json.loads(line)):
                        digest = blake2b(text[:200].encode(), digest_size=16).digest()
                        if digest not in seen:
                            seen.add(digest)
                            yield text


def _texts_in(row: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(row, dict):
        if isinstance(row.get("text"), str):
            if len(row["text"]) > _LONGEST:
                yield row["text"]
        elif isinstance(row.get("abstract"), str):
            yield f"{row.get('title') or ''} {row['abstract']}"
        elif depth < 3:
            for value in row.values():
                yield from _texts_in(value, depth + 1)
    elif isinstance(row, list):
        for value in row:
            yield from _texts_in(value, depth)


def words_of_papers(data: Path, tables: Path) -> WordsOfPapers:
    """The names of the tables that stand in the texts, and the ids that mapping files link."""
    wanted: set[str] = set()
    as_written: set[str] = set()
    for table in _TABLES:
        for name in names(tables / f"{table}.tsv.gz"):
            if len(name) <= _LONGEST:
                wanted.add(name_key(name))
                if table in _AS_WRITTEN and " " not in name:
                    as_written.add(name)
    wanted.discard("")
    keys: set[str] = set()
    written: set[str] = set()
    for text in texts(data):
        keys.update(wanted.intersection(runs(TOKEN.findall(text.lower()))))
        written.update(word for word in _words(text) if word in as_written)
    linked = {name: _linked(tables / "mappings" / f"{name}.sssom.tsv.gz") for name in _MAPPINGS}
    genes = frozenset(name for name in names(tables / "hgnc.tsv.gz") if " " not in name)
    return WordsOfPapers(frozenset(keys), frozenset(written), linked, genes)


def _words(text: str) -> Iterator[str]:
    for word in text.split():
        yield word.strip(".,;:()[]\"'")


def runs(words: list[str]) -> Iterator[str]:
    """Runs of up to six words."""
    for first in range(len(words)):
        for last in range(first + 1, min(first + _WORDS, len(words)) + 1):
            yield " ".join(words[first:last])


def names(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            yield line.split("\t")[3]


def _linked(path: Path) -> frozenset[str]:
    ids: set[str] = set()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith(("#", "subject_id")):
                cells = line.split("\t")
                ids.update((current_id(cells[0]), current_id(cells[3])))
    return frozenset(ids)
