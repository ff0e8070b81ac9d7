"""The starter vocabularies: well-formed, and true where a published vocabulary is at hand."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "schemas" / "vocabularies"
FILES = sorted(FOLDER.glob("*.tsv"))
PUBLISHED = (
    "chebi", "mesh", "mondo", "hp", "hgnc", "go", "envo", "uberon", "cl", "ncbitaxon", "maxo",
    "pato",
)  # fmt: skip
OLDER = {"ncbigene": "ncbigene_human_2016", "foodon": "foodon", "ucum": "ucum"}


def rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        table = (line for line in lines if not line.startswith("#"))
        yield from csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)


@cache
def labels(path: Path) -> dict[str, str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {
            row["id"]: row["label"]
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        }


def published(name: str, folder: Path) -> dict[str, str]:
    """The labels of a published vocabulary by id."""
    if name in OLDER:
        return labels(folder / "lexicons" / f"{OLDER[name]}.tsv.gz")
    tables = {"mesh": ("mesh_desc", "mesh_scr"), "ncbitaxon": ("ncbitaxon_slim",)}
    return {
        id: label
        for table in tables.get(name, (name,))
        for id, label in labels(folder / "lexicons_2026" / f"{table}.tsv.gz").items()
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_shipped_vocabulary_is_well_formed(path: Path) -> None:
    head = path.read_text(encoding="utf-8").splitlines()[:4]
    assert head[0] == f"# vocabulary: {path.stem}"
    assert head[1].startswith("# version: ")
    assert head[2].startswith("# source: ")
    assert head[3].split("\t")[:6] == ["prefix", "id", "label", "synonym", "scope", "parents"]
    seen = set()
    ids = {row["id"] for row in rows(path)}
    for row in rows(path):
        assert row["id"].startswith(row["prefix"] + ":")
        assert row["label"] == row["label"].strip() != ""
        assert row["scope"] in ("label", "EXACT", "RELATED", "BROAD", "NARROW")
        assert (row["scope"] == "label") == (row["synonym"] == row["label"])
        assert set(row["parents"].split()) <= ids
        assert (row["id"], row["synonym"]) not in seen
        seen.add((row["id"], row["synonym"]))


@pytest.mark.parametrize("name", (*PUBLISHED, *OLDER))
def test_ids_and_labels_are_those_of_the_published_vocabulary(name: str, shared: Path) -> None:
    known = published(name, shared / "data" / "grounding")
    of_copy = ("", "NCBITaxon:9606")  # the copies of gene vocabularies are of human genes only
    ours = {
        r["id"]: r["label"]
        for r in rows(FOLDER / f"{name}.tsv")
        if (r.get("taxon") or "") in of_copy
    }
    wrong = {id: (label, known[id]) for id, label in ours.items() if id in known}
    wrong = {id: pair for id, pair in wrong.items() if pair[0].casefold() != pair[1].casefold()}
    assert not wrong
    assert sum(id in known for id in ours) >= 0.6 * len(ours)
