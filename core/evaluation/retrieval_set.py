"""A test set for ranking: its questions, its texts and the grades of relevance."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.documents.paper import assemble_paper
from core.documents.readers.json_lines import read_rows
from core.errors import InputError
from core.evaluation.data_folder import missing_data
from core.literature.chunk import Chunk
from core.literature.index.build import build_index
from core.literature.index.chunking import cut_into_chunks
from core.literature.index.reader import ChunkIndex
from core.model import Json

Grades = Mapping[str, Mapping[str, float]]  # question, text → relevance


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    name: str
    folder: Path
    queries: tuple[Json, ...]
    grades: Grades


HOLDS = "a folder with a folder for each retrieval set (corpus, queries and qrels), or one of these"


def set_folders(data: Path, names: Sequence[str]) -> list[Path]:
    """The folders of the sets with these names, else of all; `data` may itself be a set."""
    if (data / "queries.jsonl.gz").is_file():
        return [data]
    folders = [data / name for name in names] or sorted(p for p in data.glob("*") if p.is_dir())
    if not data.is_dir() or not folders:
        raise missing_data(HOLDS)
    return folders


def read_test_set(folder: Path) -> RetrievalSet:
    try:
        with gzip.open(folder / "queries.jsonl.gz", "rt", encoding="utf-8") as lines:
            queries = tuple(json.loads(line) for line in lines if line.strip())
        grades: dict[str, dict[str, float]] = defaultdict(dict)
        with gzip.open(folder / "qrels.tsv.gz", "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                query, document, grade = line.rstrip("\n").split("\t")
                if number or grade.replace(".", "").isdigit():
                    grades[query][document] = float(grade)
    except (OSError, ValueError) as error:
        raise InputError(
            f"{folder} is not a retrieval set ({error}).", "It needs corpus, queries and qrels."
        ) from error
    return RetrievalSet(folder.name, folder, queries, grades)


def papers_of_texts(test_set: RetrievalSet) -> dict[str, str]:
    """Text of a set's corpus → the paper that it is a part of, itself where the corpus names
    none.
    """
    with gzip.open(test_set.folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = (json.loads(line) for line in lines if line.strip())
        return {str(row["id"]): str(row.get("pmid") or row["id"]) for row in rows}


def chunks_of(test_set: RetrievalSet) -> Iterator[Chunk]:
    """The chunks of a set's corpus."""
    with gzip.open(test_set.folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        for paper in read_rows(lines, test_set.name):
            version, body = assemble_paper(paper)
            yield from cut_into_chunks(version, body, paper.title)


def index_of_test_set(test_set: RetrievalSet, folder: Path) -> ChunkIndex:
    return build_index(folder, chunks_of(test_set))
