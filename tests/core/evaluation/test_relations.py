"""Relations of annotated corpora: what is read of them, and what co-occurrence alone gives."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from core.errors import InputError
from core.evaluation.annotated_relations import CorpusRelation, read_relation_corpus
from core.evaluation.relations import TASKS, is_in, measured, named_together, proposals

TEXT = "Veratin inhibits ABC1. Solbex did not inhibit ABC1. Amlor and ABC1 were measured."
FAMILIES = (
    "corpus\trelation\tsubject_type\tobject_type\tfamily\tdirection\n"
    "drugprot\tINHIBITOR\tCHEMICAL\tGENE-Y\tinhibit\tforward\n"
    "drugprot\tPART-OF\tCHEMICAL\tGENE-Y\tnone\tforward\n"
)
TASK = next(task for task in TASKS if task.corpus == "drugprot")


def mention(words: str, type: str) -> dict[str, object]:
    start = TEXT.index(words)
    return {"start": start, "end": start + len(words), "text": words, "type": type, "ids": []}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "families.tsv").write_text(FAMILIES)
    names = ["Veratin", "Solbex", "Amlor"]
    last = TEXT.rindex("ABC1")
    document = {
        "id": "1",
        "text": TEXT,
        "mentions": [
            *(mention(name, "CHEMICAL") for name in names),
            *(
                {"start": at, "end": at + 4, "text": "ABC1", "type": "GENE-Y", "ids": []}
                for at in (TEXT.index("ABC1"), TEXT.index("ABC1", 25), last)
            ),
        ],
        "relations": [
            {"type": "INHIBITOR", "subject": 0, "object": 3},
            {"type": "PART-OF", "subject": 2, "object": 5},
        ],
    }
    with gzip.open(tmp_path / "drugprot.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.write(json.dumps(document) + "\n")
    return tmp_path


def test_relations_are_between_things_and_those_without_a_family_are_open(folder: Path) -> None:
    (document,) = read_relation_corpus(folder, "drugprot")
    assert document.relations == {CorpusRelation("veratin", "abc1", "inhibit", True)}
    assert document.open == {("amlor", "abc1")}
    assert [thing.key for thing in document.things] == ["veratin", "solbex", "amlor", "abc1"]


def test_the_engine_proposes_what_is_stated_and_not_what_is_denied(folder: Path) -> None:
    (document,) = read_relation_corpus(folder, "drugprot")
    assert {ends: family for ends, (family, _) in proposals(TASK, document).items()} == {
        ("veratin", "abc1"): "inhibit"
    }


def test_co_occurrence_guesses_each_two_that_one_sentence_names(folder: Path) -> None:
    (document,) = read_relation_corpus(folder, "drugprot")
    assert len(list(named_together(TASK, document))) == 3
    row = dict(zip(("name", "documents", "gold", "proposed", "p", "r", "f", "chance"),
                   measured(TASK, [document]), strict=False))  # fmt: skip
    # one gold relation, one proposal; chance guesses it and the denied pair, the open one is out
    assert (row["gold"], row["proposed"], row["p"], row["f"]) == (1, 1, "1.000", "1.000")
    assert row["chance"] == "0.667"


def test_a_document_is_in_one_split() -> None:
    assert [is_in(str(n), "tune") for n in range(50)] == [
        not is_in(str(n), "check") for n in range(50)
    ]
    assert 2 < sum(is_in(str(n), "check") for n in range(50)) < 25


def test_a_folder_without_the_corpus_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="drugprot"):
        read_relation_corpus(tmp_path, "drugprot")
