"""Names that papers of 2020 to 2026 use are in the base set. The list was written down before the
vocabularies were looked at. The first run on a machine compiles.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.install.base_set import BaseSet
from core.grounding.recognise.recogniser import Recogniser
from core.settings import load_settings

NAMES = Path(__file__).resolve().parents[1] / "data" / "grounding" / "names_of_today.tsv"
VOCABULARIES = {
    "chemical": "chebi mesh drugbank unii",
    "disease": "mondo hp mesh doid",
    "organism": "ncbitaxon mesh",
    "cell line": "cellosaurus efo cl",
    "gene": "hgnc ncbigene",
    "family": "famplex hgnc_genegroup complexportal go mesh",
    "phenotype": "hp mesh mondo",
    "food": "foodon mesh ncbitaxon",
}
LEAST = 0.95  # of all names
WHOLE = 0.75  # of a candidate's score: a name that is met whole


@pytest.fixture(scope="module")
def grounder(tmp_path_factory: pytest.TempPathFactory) -> Grounder:
    folder = tmp_path_factory.mktemp("today")
    base = BaseSet(load_settings(folder).cache / "vocabularies")
    return Grounder(VocabularyRegistry(folder / "v", folder / "i", base=base)).steady()


def test_names_of_today_are_found(grounder: Grounder) -> None:
    lines = [line for line in NAMES.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    rows = list(csv.DictReader(lines, delimiter="\t"))
    missed = []
    for row in rows:
        slot = Constraint(tuple(VOCABULARIES[row["kind"]].split()))
        candidates = grounder.ground(row["name"], slot, loose=False, limit=1)
        if not candidates or candidates[0].score < WHOLE:
            missed.append(row["name"])
    assert len(rows) > 150
    assert len(missed) <= (1 - LEAST) * len(rows), missed


PROTEINS = {  # as papers write them → the gene, where molecules of all kinds are looked for
    "mTOR": "MTOR", "cGAS": "CGAS", "P-gp": "ABCB1", "MCP-1": "CCL2", "RhoA": "RHOA",
    "Smad3": "SMAD3", "MyD88": "MYD88", "EpCAM": "EPCAM", "PDGFRα": "PDGFRA", "Bcl-xL": "BCL2L1",
    "caspase-3": "CASP3", "androgen receptor": "AR", "E-cadherin": "CDH1", "p53": "TP53",
    "STING": "STING1", "PARP-1": "PARP1", "ERK": "ERK",
}  # fmt: skip


def test_proteins_are_found_as_papers_write_them(grounder: Grounder) -> None:
    slot = Constraint(("chebi", "hgnc", "famplex", "go", "mondo", "hp", "mesh", "drugbank", "unii"))
    found = {}
    for name in PROTEINS:
        text = f"In this study, gefitinib inhibited {name} here."
        mentions = Recogniser(grounder).annotate(text, {"molecule": slot})
        found[name] = [m.candidates[0].term.label for m in mentions if m.span.start > 20]
    assert found == {name: [gene] for name, gene in PROTEINS.items()}
