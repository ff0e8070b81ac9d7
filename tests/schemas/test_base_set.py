"""The base set: small, licensed, without definitions, and it holds the example starters."""

from __future__ import annotations

import csv
import gzip
import json
import lzma
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

import pytest

from core.grounding.index.mapping_index import MappingIndex
from core.grounding.readers import registry
from core.grounding.readers.record import VocabularyReading

FOLDER = Path(__file__).resolve().parents[2] / "schemas" / "vocabularies"
MANIFEST = json.loads((FOLDER / "base" / "manifest.json").read_text(encoding="utf-8"))
NAMES = [row["name"] for row in MANIFEST]


@lru_cache(maxsize=1)  # one of them is large
def terms(path: Path):
    return {term.id: term for term in registry.read(path, VocabularyReading())}


def test_the_set_is_under_thirty_megabytes_and_lists_every_file():
    files = sorted(path.name for path in (FOLDER / "base").glob("*.xz"))
    assert files == sorted(row["file"] for row in MANIFEST)
    assert sum(path.stat().st_size for path in (FOLDER / "base").rglob("*")) < 30_000_000


@pytest.mark.parametrize("row", MANIFEST, ids=NAMES)
def test_each_vocabulary_names_its_source_and_a_licence_that_allows_passing_on(row):
    assert row["attribution"]
    assert row["licence"]
    assert "CTD" not in row["licence"]


@pytest.mark.parametrize("name", ["uo", "envo", "so", "hp"])
def test_counts_are_those_of_the_file_and_there_are_no_definitions(name):
    row = next(row for row in MANIFEST if row["name"] == name)
    read_terms = terms(FOLDER / "base" / row["file"])
    live = [term for term in read_terms.values() if not term.obsolete]
    assert len(live) == row["terms"]
    assert len(read_terms) - len(live) == row["obsolete"]
    assert not any(term.definition for term in live)


@pytest.mark.parametrize("name", ["maxo", "envo", "ucum", "foodon"])
def test_the_starters_are_in_it_under_their_labels(name):
    base = terms(FOLDER / "base" / f"{name}.tsv.xz")
    for id, term in terms(FOLDER / f"{name}.tsv").items():
        assert base[id].label == term.label
        assert {name.text for name in term.names} <= {name.text for name in base[id].names}


def test_an_element_is_found_by_its_bare_name():
    chebi = terms(FOLDER / "base" / "chebi.tsv.xz")
    assert "lithium" in {name.text for name in chebi["CHEBI:30145"].names}


@pytest.mark.parametrize(
    ("words", "id"),
    [
        ("Aspirin", "CHEBI:15365"),
        ("Acetaminophen", "CHEBI:46195"),
        ("Tylenol", "CHEBI:46195"),
        ("Coumadin", "CHEBI:10034"),  # the brand is of the sodium salt, as the FDA says
        ("Salbutamol", "CHEBI:2549"),
        ("Pethidine", "CHEBI:6754"),
        ("vitamin C", "CHEBI:176783"),
    ],
)
def test_a_drug_is_found_by_its_generic_and_its_trade_names(words, id):
    ids = [
        term.id
        for term in terms(FOLDER / "base" / "chebi.tsv.xz").values()
        if words.casefold() in {term.label.casefold(), *(n.text.casefold() for n in term.names)}
    ]
    assert ids == [id]


def test_hpo_is_as_hpo_wrote_it_and_nothing_is_added(shared: Path):
    """The licence of HPO forbids altered content."""
    lexicons = shared / "data" / "grounding" / "lexicons_2026"
    with gzip.open(lexicons / "hp.tsv.gz", "rt", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    published = {(row["id"], row["label"], row["synonym"].strip()) for row in rows}
    ours = {
        (id, term.label, name)
        for id, term in terms(FOLDER / "base" / "hp.tsv.xz").items()
        if not term.obsolete
        for name in {term.label, *(name.text for name in term.names)}
    }
    assert ours == published


def test_a_name_that_misleads_is_not_looked_for_and_has_a_reason():
    lines = (FOLDER / "base" / "stop_names.tsv").read_text(encoding="utf-8").splitlines()[2:]
    stops = [line.split("\t") for line in lines]
    assert all(len(row) == 3 and row[2] for row in stops)
    assert {name for name, *_ in stops} <= set(NAMES)
    names = {
        name.text.casefold()
        for term in terms(FOLDER / "base" / "drugbank.tsv.xz").values()
        for name in term.names
    }
    assert names.isdisjoint(name for vocabulary, name, _ in stops if vocabulary == "drugbank")


def test_a_usual_name_stands_under_its_id_and_no_other_and_has_a_reason():
    with (FOLDER / "base" / "usual_names.tsv").open(encoding="utf-8") as lines:
        usual = list(csv.DictReader(lines, delimiter="\t"))
    assert all(row["reason"] and row["label"] for row in usual)
    for vocabulary in {row["vocabulary"] for row in usual}:
        path, owners = FOLDER / "base" / f"{vocabulary}.tsv.xz", defaultdict(set)
        wanted = {row["name"].casefold() for row in usual}
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                cells = line.rstrip("\n").split("\t")
                if len(cells) > 3 and cells[2].casefold() in wanted and cells[3] != "OBSOLETE":
                    owners[cells[2].casefold()].add(cells[0])
        for row in usual:
            if row["vocabulary"] == vocabulary:
                assert owners[row["name"].casefold()] == {row["id"]}, row["name"]


def test_an_obsolete_id_names_its_successor():
    hp = terms(FOLDER / "base" / "hp.tsv.xz")
    replaced = {id: term.replaced_by for id, term in hp.items() if term.replaced_by}
    assert replaced["HP:0000057"] == "HP:0008665"
    assert not any(hp[successor].obsolete for successor in set(replaced.values()) & hp.keys())


@pytest.fixture(scope="module")
def mappings(tmp_path_factory: pytest.TempPathFactory) -> MappingIndex:
    return MappingIndex(tmp_path_factory.mktemp("mappings"))


@pytest.mark.parametrize(
    ("phenotype", "disease"),
    [
        ("HP:0001250", "MONDO:0001386"),  # seizure, visual epilepsy
        ("HP:0002893", "MONDO:0002109"),  # pituitary adenoma, pituitary cancer
        ("HP:0012722", "MONDO:0008848"),  # heart block, atrioventricular dissociation
        ("HP:0100739", "MONDO:0005582"),  # bulimia, binge eating disorder
        ("HP:0002321", "MONDO:0002317"),  # vertigo, central nervous system origin vertigo
    ],
)
def test_a_heading_does_not_tie_a_phenotype_to_a_disease_of_another_name(
    mappings, phenotype, disease
):
    assert disease not in mappings.group(phenotype)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("HP:0001250", "MESH:D012640"),  # seizure
        ("HP:0000822", "MONDO:0005044"),  # hypertension, hypertensive disorder
        ("MESH:D007680", "MONDO:0021163"),  # kidney neoplasms, not the cancers alone
        ("MESH:D009765", "MONDO:0011122"),  # obesity
        ("MESH:D017209", "GO:0006915"),  # apoptosis
    ],
)
def test_names_in_common_tie_two_vocabularies(mappings, one, other):
    assert other in mappings.group(one)
