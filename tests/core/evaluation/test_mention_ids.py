"""Annotated mentions against what the desk recognises, and what it takes their words for."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from core.errors import InputError
from core.evaluation.mention_ids import _rows, counts_of, ties_of
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry

TEXT = "Aspirin eased the migraine. Migraine came back."


@pytest.fixture
def grounder(tmp_path: Path) -> Grounder:
    table = tmp_path / "mesh.tsv"
    table.write_text(
        "prefix\tid\tlabel\tsynonym\tscope\n"
        "MESH\tMESH:D008881\tMigraine\tMigraine\tlabel\n"
        "MESH\tMESH:D001241\tAspirin\tAspirin\tlabel\n",
        encoding="utf-8",
    )
    return Grounder(VocabularyRegistry(None, tmp_path / "indexes", files=[table]))


def corpus(folder: Path) -> Path:
    for name, rows in {
        "docs": [{"doc": "1", "text": TEXT}],
        "mentions": [
            {"doc": "1", "type": "Modifier", "text": text, "start": start, "end": end, "ids": [id]}
            for text, start, end, id in (
                ("migraine", 18, 26, "MONDO:5277|OMIM:157300"),
                ("the migraine", 14, 26, "MESH:D008881"),
                ("Migraine", 28, 36, "MESH:D001241"),
            )
        ],
    }.items():
        with gzip.open(folder / f"set.{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    return folder / "set.docs.jsonl.gz"


def test_a_corpus_in_two_files_is_counted_by_place_id_and_given_words(
    grounder: Grounder, tmp_path: Path
) -> None:
    mapping = tmp_path / "own.sssom.tsv"
    mapping.write_text(
        "subject_id\tpredicate_id\tobject_id\nMONDO:5277\tskos:exactMatch\tMESH:D008881\n",
        encoding="utf-8",
    )
    (document,) = _rows(corpus(tmp_path), "Disease")

    counts = counts_of(grounder, document, ties_of([mapping]))["Disease"]

    assert (counts.gold, counts.found, counts.chosen, counts.right) == (3, 2, 2, 1)
    assert (counts.given, counts.given_right) == (3, 2)  # "the migraine" is one, too
    assert counts.reachable == 3


def test_a_corpus_of_another_form_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text('{"text": "no mentions"}\n', encoding="utf-8")

    with pytest.raises(InputError, match="without id, text and mentions"):
        list(_rows(path))


def test_a_cell_line_has_the_id_of_its_vocabulary(tmp_path: Path) -> None:
    (tmp_path / "lines.jsonl").write_text(
        json.dumps(
            {
                "id": "1",
                "text": "HeLa cells grew.",
                "mentions": [{"type": "CellLine", "start": 0, "end": 4, "ids": ["CVCL_0030"]}],
            }
        )
    )
    hela = tmp_path / "cellosaurus.tsv"
    hela.write_text(
        "prefix\tid\tlabel\tsynonym\tscope\nCellosaurus\tCellosaurus:CVCL_0030\tHeLa\tHeLa\tlabel\n"
    )
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "indexes", files=[hela]))
    (document,) = _rows(tmp_path / "lines.jsonl")
    counts = counts_of(grounder, document, {})["CellLine"]
    assert (counts.gold, counts.right) == (1, 1)
