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
LEXICONS = {
    "chebi": ["chebi"],
    "mesh": ["mesh_desc", "mesh_scr_gilda"],
    "mondo": ["mondo_labels"],
    "hp": ["hp_2023"],
    "hgnc": ["hgnc"],
    "ncbigene": ["ncbigene_human_2016"],
    "go": ["go_labels"],
    "foodon": ["foodon"],
    "envo": ["envo"],
    "uberon": ["uberon_2016"],
    "cl": ["cl_2016"],
    "ncbitaxon": ["ncbitaxon_slim"],
    "maxo": ["maxo"],
    "ucum": ["ucum"],
}
# Ids whose label there differs, and why: those copies are older, or normalise their labels.
RENAMED = {
    **dict.fromkeys(
        ("HP:0001417", "HP:0001419", "HP:0001423"), "the copy spells X-linked as x - link"
    ),
    "HP:0001450": "the copy spells Y-linked as y - link",
}


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


@pytest.mark.parametrize("name", LEXICONS)
def test_ids_and_labels_are_those_of_the_published_vocabulary(name: str, shared: Path) -> None:
    folder = shared / "data" / "grounding" / "lexicons"
    known = {
        id: label
        for lexicon in LEXICONS[name]
        for id, label in labels(folder / f"{lexicon}.tsv.gz").items()
    }
    of_copy = ("", "NCBITaxon:9606")  # the copies of gene vocabularies are of human genes only
    ours = {
        r["id"]: r["label"]
        for r in rows(FOLDER / f"{name}.tsv")
        if (r.get("taxon") or "") in of_copy
    }
    wrong = {
        id: (label, known[id]) for id, label in ours.items() if id in known and id not in RENAMED
    }
    wrong = {id: pair for id, pair in wrong.items() if pair[0].casefold() != pair[1].casefold()}
    assert not wrong
    assert sum(id in known for id in ours) >= 0.6 * len(ours)
